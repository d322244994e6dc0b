import * as v from 'valibot'
import type { Clock, Ids, Logger, Refusal, ServerEvent } from '../../kernel/index.ts'
import type { Bus } from '../bus/port.ts'
import type { ChatRequest, ChatRunner } from '../chat/port.ts'
import { type DraftId, draftKey, type Scope, type ScopeRequest } from '../scope/port.ts'
import type { Store } from '../store/port.ts'
import {
  type AboutRun,
  type ChatRun,
  createChatRun,
  failedWith,
  followRun,
  limits as logLimits,
  lingerMs,
  type Sender,
} from './chat-run.ts'
import type { Following, Reader } from './event-log.ts'
import * as refusals from './refusals.ts'
import { createRuns, type OpenReader } from './runs.ts'
import { CancelAnswer, type ChatEvent, type EventBody, type StreamOptions } from './schemas.ts'
import { createSharing, type Elsewhere } from './shared/index.ts'
import type { Phase } from './shared/rows.ts'

/** The maximum number of parked and active runs of one session and site. */
const runsOfSession = 3
const lifetimes = { parkedMs: 60_000, endedMs: 15 * 60_000, activeMs: 30 * 60_000 }

/** Refuses one more if the maximum is reached. */
function refuseMore(count: number, most: number, refusal: (most: number) => Refusal): void {
  if (count >= most) throw refusal(most)
}

const isSame = (a: DraftId, b: DraftId): boolean => a.siteId === b.siteId && a.session === b.session

interface StreamParts {
  readonly runner: ChatRunner
  readonly scope: Scope
  readonly store: Store | undefined
  readonly bus: Bus | undefined
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly limits: StreamOptions
}

/** A request to follow a run. */
interface FollowRequest extends Pick<Sender, 'origin' | 'holder'> {
  readonly streamId: string | undefined
  readonly isBrowser: boolean
  /** The number of the last received event; set when a client reconnects. */
  readonly afterSeq: number | undefined
  /** The session named in the request, if any; it must match the run. */
  readonly scope: ScopeRequest
  readonly signal: AbortSignal
}

/** One run, or all of a session. */
interface CancelRequest extends ScopeRequest {
  readonly streamId?: string | undefined
}

type Canceling = v.InferOutput<typeof CancelAnswer>['status']

/** A run of this process or of another one. */
interface AnyRun {
  readonly phase: Phase
  readonly about: AboutRun
  /** Adds a reader; the first one starts the run. */
  follow(reader: Omit<Following<EventBody>, 'standIn'>): Promise<Reader<EventBody>>
  cancel(): Promise<Canceling>
}

const elsewhere = ({ phase, about, follow, call }: Elsewhere<EventBody, AboutRun>): AnyRun => ({
  phase,
  about,
  async follow(reader) {
    if (reader.signal.aborted) throw refusals.streamGone()
    return followRun(await follow(), about.label, reader)
  },
  cancel: async () =>
    phase === 'ended' ? 'already_terminal' : v.parse(CancelAnswer.entries.status, await call('cancel')),
})

/**
 * Parks chat requests, runs each when its first reader connects, and streams its events to all readers, also to those of
 * other processes of the store.
 */
export function createChatStreams({ runner, scope, store, bus, clock, ids, log, limits }: StreamParts) {
  const runs = createRuns<ChatRun>({ ...lifetimes, most: limits.maxRuns, tooMany: refusals.tooManyRuns })
  const now = (): number => clock.now().getTime()
  const shared = createSharing<EventBody, AboutRun>({
    kind: 'chat',
    store,
    bus,
    clock,
    ids,
    log,
    limits: logLimits,
    endedMs: lifetimes.endedMs,
    begin: (id) => here(id).run.begin(),
    answer: (id, what) => (what === 'cancel' ? cancelHere(here(id)) : undefined),
  })

  const here = (id: string): ChatRun => {
    const found = runs.find(id)
    if (!found) throw refusals.streamGone()
    return found
  }

  /** True if a request names no session or site other than those of the run. */
  const isOf = ({ about: { of } }: AnyRun, { session, siteId }: ScopeRequest): boolean =>
    isSame(of, scope.draft({ session: session ?? of.session, siteId: siteId ?? of.siteId }))

  /** Asks a run to stop; a parked one never starts. */
  const stop = (chat: ChatRun): void => (chat.run.phase === 'parked' ? runs.forget(chat) : chat.cancel())

  function cancelHere(chat: ChatRun): Canceling {
    if (chat.isTooLate()) return 'already_terminal'
    stop(chat)
    return 'cancel_requested'
  }

  const local = (chat: ChatRun): AnyRun => ({
    phase: chat.run.phase,
    about: chat.about(),
    async follow(reader) {
      const followed = chat.follow(reader)
      // A reader that has already left must not start the run.
      if (!reader.signal.aborted) chat.run.begin()
      return followed
    },
    cancel: async () => cancelHere(chat),
  })

  async function find(id: string): Promise<AnyRun | undefined> {
    const chat = runs.find(id)
    if (chat) return local(chat)
    const found = await shared?.find(id)
    return found && elsewhere(found)
  }

  /** All runs of a session that this process has, and those of others that have not ended. */
  async function ofSession(draft: DraftId): Promise<readonly AnyRun[]> {
    const others = (await shared?.going(draftKey(draft))) ?? []
    return [...runs.where(({ of }) => isSame(of, draft)).map(local), ...others.map(elsewhere)]
  }

  const readers = (): readonly OpenReader[] => [...runs.readers(), ...(shared?.readers() ?? [])]

  /**
   * Refuses a reader beyond the limits. Those that only wait for their clients to leave do not count; of these, the
   * oldest end if they are as many.
   */
  function makeRoom(holder: string | undefined): void {
    const all = readers()
    const open = all.filter(({ isDone }) => !isDone)
    refuseMore(open.length, limits.maxStreams, refusals.tooManyReaders)
    const own = holder === undefined ? [] : open.filter((reader) => reader.holder === holder)
    refuseMore(own.length, limits.maxStreamsPerCaller, refusals.tooManyReadersOfOne)
    const done = all.filter(({ isDone }) => isDone)
    for (const reader of done.slice(0, Math.max(0, done.length + 1 - limits.maxStreams))) reader.end()
  }

  return {
    /** Parks a request; returns its stream id. Refuses with 429 beyond a session, caller or total limit. */
    async start(request: ChatRequest, sender: Sender): Promise<string> {
      const of = scope.draft(request)
      const { holder } = sender
      const going = (await ofSession(of)).filter(({ phase }) => phase !== 'ended')
      const ofCaller = runs.where(
        ({ run }) => run.phase !== 'ended' && holder !== undefined && run.holder === holder,
      )
      refuseMore(going.length, runsOfSession, refusals.tooManyRunsOfSession)
      refuseMore(ofCaller.length, limits.maxRunsPerCaller, refusals.tooManyRunsOfOne)
      const id = ids.uuid()
      const forget = () => shared?.forget(id)
      const chat = runs.add(() => createChatRun({ id, of, request, sender, runner, forget, now, log }))
      if (!shared) return id
      try {
        const lost = await failedWith({ id, request, runner }, refusals.runLost())
        await shared.add(chat.run, { draft: draftKey(of), about: chat.about, lost })
        return id
      } catch (error) {
        runs.forget(chat)
        throw error
      }
    },

    /**
     * Follows a run, which starts with its first reader. Refuses with 410 if the run is gone, with 403 if a
     * page of another origin started it, and with 409 a second reader without `afterSeq`.
     */
    async follow(request: FollowRequest): Promise<AsyncIterable<ServerEvent<ChatEvent>>> {
      const { streamId, afterSeq, origin, holder, isBrowser, scope: named, signal } = request
      if (streamId === undefined || streamId === '') throw refusals.streamIdMissing()
      const found = await find(streamId)
      if (!found || !isOf(found, named)) throw refusals.streamGone()
      const { phase, about, follow } = found
      if (origin !== undefined && origin !== (about.origin ?? origin)) throw refusals.originDiffers()
      if (afterSeq === undefined && phase === 'active') throw refusals.streamRunning()
      if (afterSeq === undefined && phase === 'ended') throw refusals.streamGone()
      makeRoom(holder)
      const waits = lingerMs[isBrowser ? 'browser' : 'program']
      return follow({ after: afterSeq ?? 0, holder, signal, lingerMs: waits })
    },

    /** Asks a run, or all of a session, to stop before its commit. Refuses with 404 if there is none. */
    async cancel({ streamId, ...named }: CancelRequest): Promise<Canceling> {
      const found = streamId === undefined ? await ofSession(scope.draft(named)) : [await find(streamId)]
      const meant = found.filter((run) => run !== undefined).filter((run) => isOf(run, named))
      const answers = await Promise.all(meant.map((run) => run.cancel()))
      if (answers.length === 0) throw refusals.runNotFound()
      return answers.includes('cancel_requested') ? 'cancel_requested' : 'already_terminal'
    },

    /** The current numbers of runs and of open connections. */
    counts() {
      const count = { parked: 0, active: 0, ended: 0 }
      for (const { run } of runs.all()) count[run.phase]++
      return { ...count, readers: readers().length }
    },

    /** Asks all runs to stop. */
    stopAll(): void {
      for (const chat of runs.all()) stop(chat)
    },

    /** Waits at most ten seconds for runs to end, then forgets them all. */
    close: (): Promise<void> => runs.close({ last: shared?.close }),
  }
}
