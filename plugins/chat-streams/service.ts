import type { Clock, Ids, Logger, Refusal, ServerEvent } from '../../kernel/index.ts'
import type { ChatRequest, ChatRunner } from '../chat/port.ts'
import type { DraftId, Scope, ScopeRequest } from '../scope/port.ts'
import type { ChatStreams } from './port.ts'
import * as refusals from './refusals.ts'
import { createRun, type Run, type RunParts } from './run.ts'
import { createRuns } from './runs.ts'
import type { ChatEvent, StreamOptions } from './schemas.ts'

/** The maximum number of parked and active runs of one session and site. */
const runsOfSession = 3
const lifetimes = { parkedFor: 60_000, endedFor: 15 * 60_000, activeFor: 30 * 60_000 }

/** Refuses one more if the maximum is reached. */
function refuseMore(count: number, most: number, refusal: (most: number) => Refusal): void {
  if (count >= most) throw refusal(most)
}

const isSame = (a: DraftId, b: DraftId): boolean => a.siteId === b.siteId && a.session === b.session

/** Parks chat requests, runs each when its first reader connects, and streams its events to all readers. */
export function createChatStreams({ runner, scope, clock, ids, log, limits }: {
  readonly runner: ChatRunner
  readonly scope: Scope
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly limits: StreamOptions
}) {
  const runs = createRuns<Run>({ ...lifetimes, most: limits.maxRuns, tooMany: refusals.tooManyRuns })

  /** True if a request names no session or site other than those of the run. */
  const isOf = (run: Run, { session, siteId }: ScopeRequest): boolean =>
    isSame(run.of, scope.draft({ session: session ?? run.of.session, siteId: siteId ?? run.of.siteId }))

  /** Asks a run to stop; a parked one never starts. */
  const stop = (run: Run): void => (run.phase === 'parked' ? runs.forget(run) : run.cancel())

  return {
    /** Parks a request; returns its stream id. Refuses with 429 beyond a session, caller or total limit. */
    start(request: ChatRequest, from: Pick<RunParts, 'origin' | 'actor' | 'holder' | 'limits'>): string {
      const of = scope.draft(request)
      const going = runs.where(({ phase }) => phase !== 'ended')
      const own = going.filter(({ holder }) => holder !== undefined && holder === from.holder)
      refuseMore(going.filter((run) => isSame(run.of, of)).length, runsOfSession, refusals.tooManyRunsOfSession)
      refuseMore(own.length, limits.maxRunsPerCaller, refusals.tooManyRunsOfOne)
      return runs.add(() => createRun({ ...from, id: ids.uuid(), of, request, now: () => clock.now().getTime(), log })).id
    },

    /**
     * Follows a run, which starts with its first reader. Refuses with 410 if the run is gone, with 403 if a
     * page of another origin started it, and with 409 a second reader without `afterSeq`.
     */
    follow(request: Pick<RunParts, 'origin' | 'holder'> & {
      readonly streamId: string | undefined
      /** The number of the last received event; set when a client reconnects. */
      readonly afterSeq: number | undefined
      /** The session named in the request, if any; it must match the run. */
      readonly scope: ScopeRequest
      readonly signal: AbortSignal
    }): AsyncIterable<ServerEvent<ChatEvent>> {
      const { streamId, afterSeq, origin, holder, scope: named, signal } = request
      if (streamId === undefined || streamId === '') throw refusals.streamIdMissing()
      const run = runs.find(streamId)
      if (!run || !isOf(run, named)) throw refusals.streamGone()
      if (origin !== undefined && run.origin !== undefined && origin !== run.origin) throw refusals.originDiffers()
      if (afterSeq === undefined && run.phase === 'active') throw refusals.streamRunning()
      if (afterSeq === undefined && run.phase === 'ended') throw refusals.streamGone()
      refuseMore(runs.readers, limits.maxStreams, refusals.tooManyReaders)
      if (holder !== undefined) refuseMore(runs.readersOf(holder), limits.maxStreamsPerCaller, refusals.tooManyReadersOfOne)
      const reader = run.follow({ after: afterSeq ?? 0, holder, signal })
      // A reader that has already left must not start the run.
      if (!signal.aborted) run.begin(runner)
      return reader
    },

    /** Asks a run to stop, or all active ones of a session. Refuses with 404 if there is none. */
    cancel({ streamId, ...named }: ScopeRequest & { readonly streamId?: string | undefined }) {
      const wanted = scope.draft(named)
      const isWanted = (run: Run): boolean =>
        (streamId === undefined ? isSame(run.of, wanted) : run.id === streamId && isOf(run, named))
      const found = runs.where(isWanted)
      if (found.length === 0) throw refusals.runNotFound()
      const going = found.filter(({ phase }) => phase !== 'ended')
      for (const run of going) stop(run)
      return going.length > 0 ? ('cancel_requested' as const) : ('already_terminal' as const)
    },

    counts(): ReturnType<ChatStreams['counts']> {
      const count = { parked: 0, active: 0, ended: 0 }
      for (const { phase } of runs.all()) count[phase]++
      return { ...count, readers: runs.readers }
    },

    /** Asks all runs to stop. */
    stopAll(): void {
      for (const run of runs.all()) stop(run)
    },

    /** Waits at most ten seconds for runs to roll back, then forgets them all. */
    close: (): Promise<void> => runs.close(),
  }
}
