import type * as v from 'valibot'
import type { Clock, Ids, Logger, Refusal, ServerEvent } from '../../../kernel/index.ts'
import type { Bus } from '../../bus/port.ts'
import type { ChatRequest, ChatRunner } from '../port.ts'
import { type DraftId, draftKey, type Scope, type ScopeRequest } from '../../scope/port.ts'
import type { Store } from '../../store/port.ts'
import { type RunMetadata, chatRunOf, type Sender } from './chat-run.ts'
import type { ReaderStart } from './reader.ts'
import * as refusals from './refusals.ts'
import { createRuns, type Known } from './runs.ts'
import type { CancelAnswer, ChatEvent, EventBody, StreamOptions } from './schemas.ts'
import type { Tail } from './writer.ts'

/** The maximum number of parked and active runs of one session and site. */
const runsOfSession = 3
const lifetimes = { parked: 60_000, ended: 15 * 60_000 }
const activeMs = 30 * 60_000
const logLimits = { events: 2_000, bytes: 5 * 1024 * 1024 }

/**
 * How long a stream waits after the last event until its client leaves. An editor in a browser counts a stream as lost
 * that ends before it has handled that event, which a busy one does late. Programs often wait for the end.
 */
const lingerMs = { browser: 15_000, program: 1_500 }

/** Refuses one more if the maximum is reached. */
function refuseMore(count: number, most: number, refusal: (most: number) => Refusal): void {
  if (count >= most) throw refusal(most)
}

const isSame = (a: DraftId, b: DraftId): boolean => a.siteId === b.siteId && a.session === b.session

interface StreamParts {
  readonly runner: ChatRunner
  readonly scope: Scope
  readonly store: Store
  readonly bus: Bus
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

/**
 * Returns where a reader starts that has seen the events up to a number. If events after that were dropped, it gets the
 * current state instead: the end of the run, or the last status. A reader that has seen all of a run that has ended gets
 * the end again: it did not act on it.
 */
function startOf(
  after: number,
  label: string,
  { last, lost, isEnded }: Tail,
): Pick<ReaderStart<EventBody>, 'after' | 'standIn'> {
  // A number beyond the last event is treated as the last one.
  const from = Math.min(after, last)
  if (isEnded && (from === last || from < lost)) return { after: last - 1 }
  if (from >= lost) return { after: from }
  return { after: last, standIn: { type: 'status', message: label, _seq: last } }
}

type ChatRuns = ReturnType<typeof createRuns<EventBody, RunMetadata>>

/**
 * Refuses a reader beyond the limits. Those that only wait for their clients to leave do not count; of these, the
 * oldest end if they are as many.
 */
function makeRoom(
  all: ReturnType<ChatRuns['readers']>,
  holder: string | undefined,
  limits: StreamOptions,
): void {
  const open = all.filter(({ isDone }) => !isDone)
  refuseMore(open.length, limits.maxStreams, refusals.tooManyReaders)
  const own = holder === undefined ? [] : open.filter((reader) => reader.holder === holder)
  refuseMore(own.length, limits.maxStreamsPerCaller, refusals.tooManyReadersOfOne)
  const done = all.filter(({ isDone }) => isDone)
  for (const reader of done.slice(0, Math.max(0, done.length + 1 - limits.maxStreams))) reader.end()
}

function countsOf(runs: ChatRuns) {
  const count = { parked: 0, active: 0, ended: 0 }
  for (const { phase } of runs.all()) count[phase]++
  return count
}

/** Refuses a run beyond the limits of a session and of a caller. */
async function refuseMoreRuns(
  runs: ChatRuns,
  of: DraftId,
  holder: string | undefined,
  limits: StreamOptions,
): Promise<void> {
  const going = (await runs.ofDraft(draftKey(of))).filter(({ phase }) => phase !== 'ended')
  refuseMore(going.length, runsOfSession, refusals.tooManyRunsOfSession)
  if (holder === undefined) return
  const ofCaller = runs.usable((run) => run.phase !== 'ended' && run.holder === holder)
  refuseMore(ofCaller.length, limits.maxRunsPerCaller, refusals.tooManyRunsOfOne)
}

/**
 * Parks chat requests, runs each when its first reader connects, and streams its events to all readers, also to those of
 * other processes of the store.
 */
export function createChatStreams({ runner, scope, store, bus, clock, ids, log, limits }: StreamParts) {
  const now = (): number => clock.now().getTime()
  const runs = createRuns<EventBody, RunMetadata>({
    kind: 'chat',
    store,
    bus,
    clock,
    ids,
    log,
    limits: logLimits,
    lifetimes,
    activeMs,
    most: limits.maxRuns,
    tooMany: refusals.tooManyRuns,
  })

  /** True if a request names no session or site other than those of the run. */
  const isOf = ({ about: { of } }: Known<RunMetadata>, { session, siteId }: ScopeRequest): boolean =>
    isSame(of, scope.draft({ session: session ?? of.session, siteId: siteId ?? of.siteId }))

  /** Finds a run; a parked one that was canceled is gone. */
  async function find(id: string, named: ScopeRequest): Promise<Known<RunMetadata> | undefined> {
    const found = await runs.find(id)
    const isGone = found?.phase === 'parked' && 'cancel' in found.asked
    return found && !isGone && isOf(found, named) ? found : undefined
  }

  /** Asks a run to stop; a parked one never starts. */
  async function stop({ id, phase, about }: Known<RunMetadata>): Promise<Canceling> {
    if (phase === 'ended' || about.isCommitted) return 'already_terminal'
    return (await runs.ask(id, 'cancel', true)) ? 'cancel_requested' : 'already_terminal'
  }

  return {
    /** Parks a request; returns its stream id. Refuses with 429 beyond a session, caller or total limit. */
    async start(request: ChatRequest, sender: Sender): Promise<string> {
      const of = scope.draft(request)
      const { holder } = sender
      const id = ids.uuid()
      await refuseMoreRuns(runs, of, holder, limits)
      const parts = await chatRunOf({ id, of, request, sender, runner, forget: runs.forget, now, log })
      // Others may have been parked in the meantime.
      await refuseMoreRuns(runs, of, holder, limits)
      await runs.add(parts)
      return id
    },

    /**
     * Follows a run, which starts with its first reader. Refuses with 410 if the run is gone, with 403 if a
     * page of another origin started it, and with 409 a second reader without `afterSeq`.
     */
    async follow(request: FollowRequest): Promise<AsyncIterable<ServerEvent<ChatEvent>>> {
      const { streamId, afterSeq, origin, holder, isBrowser, scope: named, signal } = request
      if (streamId === undefined || streamId === '') throw refusals.streamIdMissing()
      const found = await find(streamId, named)
      if (!found) throw refusals.streamGone()
      const { phase, about } = found
      if (origin !== undefined && origin !== (about.origin ?? origin)) throw refusals.originDiffers()
      if (afterSeq === undefined && phase === 'active') throw refusals.streamRunning()
      if (afterSeq === undefined && phase === 'ended') throw refusals.streamGone()
      const tail = await runs.tail(streamId)
      makeRoom(runs.readers(), holder, limits)
      const start = startOf(afterSeq ?? 0, about.label, tail)
      const waits = lingerMs[isBrowser ? 'browser' : 'program']
      const reader = runs.follow(streamId, { ...start, holder, signal, lingerMs: waits })
      // A reader that has already left must not start the run.
      if (phase !== 'parked' || signal.aborted) return reader
      try {
        if (await runs.begin(streamId)) return reader
        if (!(await find(streamId, named))) throw refusals.streamGone()
        if (afterSeq === undefined) throw refusals.streamRunning()
        return reader
      } catch (error) {
        reader.end()
        throw error
      }
    },

    /** Asks a run, or all of a session, to stop before its commit. Refuses with 404 if there is none. */
    async cancel({ streamId, ...named }: CancelRequest): Promise<Canceling> {
      const one = streamId === undefined ? undefined : await find(streamId, named)
      const meant =
        streamId === undefined ? await runs.ofDraft(draftKey(scope.draft(named))) : one ? [one] : []
      const answers = await Promise.all(meant.map(stop))
      if (answers.length === 0) throw refusals.runNotFound()
      return answers.includes('cancel_requested') ? 'cancel_requested' : 'already_terminal'
    },

    /** The current numbers of runs and of open connections. */
    counts: () => ({ ...countsOf(runs), readers: runs.readers().length }),

    /** Asks all runs to stop. */
    stopAll(): void {
      for (const run of runs.all()) run.cancel(run)
    },

    /** Waits at most ten seconds for runs to end, then forgets them all. */
    close: (): Promise<void> => runs.close(),
  }
}
