import type { Clock, Ids, Logger, ServerEvent } from '../../kernel/index.ts'
import type { ChatRequest, ChatRunner } from '../chat/port.ts'
import type { Scope, ScopeRequest } from '../scope/port.ts'
import type { ChatStreams } from './port.ts'
import {
  originDiffers,
  runNotFound,
  streamGone,
  streamIdMissing,
  streamRunning,
  tooManyReaders,
  tooManyReadersOfOne,
  tooManyRuns,
  tooManyRunsOfOne,
  tooManyRunsOfSession,
} from './refusals.ts'
import { Run, type RunParts } from './run.ts'
import { createRuns, isSame } from './runs.ts'
import type { StreamEvent } from './schemas.ts'

export interface StreamLimits {
  /** Runs that are known at a time, those that have ended included. */
  readonly runs: number
  /** Of these, parked or active ones of one caller. */
  readonly runsOfOne: number
  /** Open connections at a time. */
  readonly readers: number
  readonly readersOfOne: number
}

export interface FollowRequest {
  readonly streamId: string | undefined
  /** The number of the last event that was seen; named by whoever comes back. */
  readonly afterSeq: number | undefined
  readonly origin: string | undefined
  /** The caller whose open streams are limited; `undefined` where callers cannot be distinguished. */
  readonly holder: string | undefined
  /** What the request says about the session, if anything; it must be that of the run. */
  readonly scope: ScopeRequest
  readonly signal: AbortSignal
}

export interface CancelRequest extends ScopeRequest {
  readonly streamId?: string | undefined
}

/** Parked or active at a time, of one session and site. */
const runsOfSession = 3
const minute = 60 * 1_000
const kept = { parkedFor: minute, endedFor: 15 * minute, activeFor: 30 * minute }
/** How long a close waits for runs to take back what they applied. */
const closesWithin = 10_000

/** Parks chat requests, runs each when its first reader comes, and tells everybody who follows what happens. */
export function createChatStreams({ runner, scope, clock, ids, log, limits }: {
  readonly runner: ChatRunner
  readonly scope: Scope
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly limits: StreamLimits
}) {
  const runs = createRuns<Run>({ ...kept, most: limits.runs, tooMany: tooManyRuns })
  const now = (): number => clock.now().getTime()

  /** True when a request names no other session or site than that of a run. */
  const isOf = (run: Run, { session, siteId }: ScopeRequest): boolean =>
    isSame(run.of, scope.draft({ session: session ?? run.of.session, siteId: siteId ?? run.of.siteId }))

  /** Asks a run to stop; one that waits never begins. */
  const stop = (run: Run): void => {
    if (run.phase === 'parked') runs.forget(run)
    else run.cancel()
  }

  return {
    /**
     * Parks a request and gives the id of its stream. Refuses with 429 what is too much for one session, for one caller, or for all.
     */
    start(request: ChatRequest, from: Pick<RunParts, 'origin' | 'actor' | 'holder' | 'limits'>): string {
      const of = scope.draft(request)
      if (runs.where((run) => isSame(run.of, of) && run.phase !== 'ended').length >= runsOfSession) throw tooManyRunsOfSession(runsOfSession)
      if (from.holder !== undefined && runs.goingOf(from.holder) >= limits.runsOfOne) throw tooManyRunsOfOne(limits.runsOfOne)
      return runs.add(() => new Run({ ...from, id: ids.uuid(), of, request, now, log })).id
    },

    /**
     * Follows a run, which begins with its first reader. Refuses with 410 what is gone, with 403 pages of another origin
     * than that which asked for the run, and with 409 who does not say what it has seen of a run that is under way.
     */
    follow({ streamId, afterSeq, origin, holder, scope: named, signal }: FollowRequest): AsyncIterable<ServerEvent<StreamEvent>> {
      if (streamId === undefined || streamId === '') throw streamIdMissing()
      const run = runs.find(streamId)
      if (!run || !isOf(run, named)) throw streamGone()
      if (origin !== undefined && run.origin !== undefined && origin !== run.origin) throw originDiffers()
      if (afterSeq === undefined && run.phase === 'active') throw streamRunning()
      if (afterSeq === undefined && run.phase === 'ended') throw streamGone()
      if (runs.readers >= limits.readers) throw tooManyReaders(limits.readers)
      if (holder !== undefined && runs.readersOf(holder) >= limits.readersOfOne) throw tooManyReadersOfOne(limits.readersOfOne)
      const reader = run.follow(afterSeq ?? 0, holder)
      // A reader that is gone before the first event is asked for would otherwise be counted, and begin a run for nobody.
      if (signal.aborted) reader.end()
      else {
        signal.addEventListener('abort', () => reader.end(), { once: true })
        run.begin(runner)
      }
      return reader
    },

    /** Asks a run to stop, or all that have not ended of a session and site. Refuses with 404 what is not there. */
    cancel({ streamId, ...named }: CancelRequest): 'cancel_requested' | 'already_terminal' {
      const one = streamId === undefined ? undefined : runs.find(streamId)
      const wanted = scope.draft(named)
      const found = streamId === undefined ? runs.where((run) => isSame(run.of, wanted)) : one && isOf(one, named) ? [one] : []
      if (found.length === 0) throw runNotFound()
      const going = found.filter(({ phase }) => phase !== 'ended')
      for (const run of going) stop(run)
      return going.length > 0 ? 'cancel_requested' : 'already_terminal'
    },

    counts(): ReturnType<ChatStreams['counts']> {
      const count = { parked: 0, active: 0, ended: 0 }
      for (const { phase } of runs.all()) count[phase]++
      return { ...count, readers: runs.readers }
    },

    /** Asks everything to stop. */
    stopAll(): void {
      for (const run of runs.all()) stop(run)
    },

    /** Waits for runs to stop, for at most ten seconds, and forgets them all. */
    async close(): Promise<void> {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const patience = setTimeout(resolve, closesWithin).unref()
      await Promise.race([Promise.all(runs.all().map(({ ended }) => ended)), late])
      clearTimeout(patience)
      for (const run of runs.all()) runs.forget(run)
    },
  }
}
