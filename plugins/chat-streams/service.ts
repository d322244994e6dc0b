import type { Clock, Ids, Logger, Refusal, ServerEvent } from '../../kernel/index.ts'
import type { ChatRequest, ChatRunner } from '../chat/port.ts'
import type { DraftId, Scope, ScopeRequest } from '../scope/port.ts'
import type { ChatStreams } from './port.ts'
import * as refusals from './refusals.ts'
import { type ChatRun, createChatRun, type Sender } from './chat-run.ts'
import { createRuns } from './runs.ts'
import type { ChatEvent, StreamOptions } from './schemas.ts'

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
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly limits: StreamOptions
}

/** A request to follow a run. */
interface FollowRequest extends Pick<Sender, 'origin' | 'holder'> {
  readonly streamId: string | undefined
  /** The number of the last received event; set when a client reconnects. */
  readonly afterSeq: number | undefined
  /** The session named in the request, if any; it must match the run. */
  readonly scope: ScopeRequest
  readonly signal: AbortSignal
}

/** Parks chat requests, runs each when its first reader connects, and streams its events to all readers. */
export function createChatStreams({ runner, scope, clock, ids, log, limits }: StreamParts) {
  const runs = createRuns<ChatRun>({ ...lifetimes, most: limits.maxRuns, tooMany: refusals.tooManyRuns })
  const now = (): number => clock.now().getTime()

  /** True if a request names no session or site other than those of the run. */
  const isOf = ({ of }: ChatRun, { session, siteId }: ScopeRequest): boolean =>
    isSame(of, scope.draft({ session: session ?? of.session, siteId: siteId ?? of.siteId }))

  /** Asks a run to stop; a parked one never starts. */
  const stop = (chat: ChatRun): void => (chat.run.phase === 'parked' ? runs.forget(chat) : chat.cancel())

  return {
    /** Parks a request; returns its stream id. Refuses with 429 beyond a session, caller or total limit. */
    start(request: ChatRequest, sender: Sender): string {
      const of = scope.draft(request)
      const { holder } = sender
      const going = runs.where(({ run }) => run.phase !== 'ended')
      const ofSession = going.filter((chat) => isSame(chat.of, of))
      const ofCaller = going.filter(({ run }) => holder !== undefined && run.holder === holder)
      refuseMore(ofSession.length, runsOfSession, refusals.tooManyRunsOfSession)
      refuseMore(ofCaller.length, limits.maxRunsPerCaller, refusals.tooManyRunsOfOne)
      return runs.add(() => createChatRun({ id: ids.uuid(), of, request, sender, runner, now, log })).run.id
    },

    /**
     * Follows a run, which starts with its first reader. Refuses with 410 if the run is gone, with 403 if a
     * page of another origin started it, and with 409 a second reader without `afterSeq`.
     */
    follow(request: FollowRequest): AsyncIterable<ServerEvent<ChatEvent>> {
      const { streamId, afterSeq, origin, holder, scope: named, signal } = request
      if (streamId === undefined || streamId === '') throw refusals.streamIdMissing()
      const chat = runs.find(streamId)
      if (!chat || !isOf(chat, named)) throw refusals.streamGone()
      if (origin !== undefined && origin !== (chat.origin ?? origin)) throw refusals.originDiffers()
      const { phase } = chat.run
      if (afterSeq === undefined && phase === 'active') throw refusals.streamRunning()
      if (afterSeq === undefined && phase === 'ended') throw refusals.streamGone()
      refuseMore(runs.readers, limits.maxStreams, refusals.tooManyReaders)
      const own = holder === undefined ? 0 : runs.readersOf(holder)
      refuseMore(own, limits.maxStreamsPerCaller, refusals.tooManyReadersOfOne)
      const reader = chat.follow({ after: afterSeq ?? 0, holder, signal })
      // A reader that has already left must not start the run.
      if (!signal.aborted) chat.run.begin()
      return reader
    },

    /** Asks a run, or all of a session, to stop before its commit. Refuses with 404 if there is none. */
    cancel({ streamId, ...named }: ScopeRequest & { readonly streamId?: string | undefined }) {
      const wanted = scope.draft(named)
      const found = runs.where((chat) =>
        streamId === undefined ? isSame(chat.of, wanted) : chat.run.id === streamId && isOf(chat, named),
      )
      if (found.length === 0) throw refusals.runNotFound()
      const going = found.filter(({ isTooLate }) => !isTooLate)
      for (const chat of going) stop(chat)
      return going.length > 0 ? ('cancel_requested' as const) : ('already_terminal' as const)
    },

    counts(): ReturnType<ChatStreams['counts']> {
      const count = { parked: 0, active: 0, ended: 0 }
      for (const { run } of runs.all()) count[run.phase]++
      return { ...count, readers: runs.readers }
    },

    /** Asks all runs to stop. */
    stopAll(): void {
      for (const chat of runs.all()) stop(chat)
    },

    /** Waits at most ten seconds for runs to end, then forgets them all. */
    close: (): Promise<void> => runs.close(),
  }
}
