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
import type { ChatEvent } from './schemas.ts'

export interface StreamLimits {
  /** Runs in memory, ended ones included. */
  readonly runs: number
  /** Of these, parked or active ones of one caller. */
  readonly runsOfOne: number
  /** Open connections at a time. */
  readonly readers: number
  readonly readersOfOne: number
}

export interface FollowRequest {
  readonly streamId: string | undefined
  /** The number of the last event that was received; set when a client reconnects. */
  readonly afterSeq: number | undefined
  readonly origin: string | undefined
  /** The caller whose open streams are limited; `undefined` where callers cannot be distinguished. */
  readonly holder: string | undefined
  /** The session of the request, if it names one; it must be that of the run. */
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
/** How long a close waits for runs to roll back. */
const closesWithin = 10_000

/** Parks chat requests, runs each when its first reader connects, and streams its events to all readers. */
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

  /** Asks a run to stop; a parked one never begins. */
  const stop = (run: Run): void => {
    if (run.phase === 'parked') runs.forget(run)
    else run.cancel()
  }

  return {
    /**
     * Parks a request and returns the id of its stream. Refuses with 429 beyond the limits of a session, a caller, or all.
     */
    start(request: ChatRequest, from: Pick<RunParts, 'origin' | 'actor' | 'holder' | 'limits'>): string {
      const of = scope.draft(request)
      if (runs.where((run) => isSame(run.of, of) && run.phase !== 'ended').length >= runsOfSession) throw tooManyRunsOfSession(runsOfSession)
      if (from.holder !== undefined && runs.goingOf(from.holder) >= limits.runsOfOne) throw tooManyRunsOfOne(limits.runsOfOne)
      return runs.add(() => new Run({ ...from, id: ids.uuid(), of, request, now, log })).id
    },

    /**
     * Follows a run, which begins with its first reader. Refuses with 410 a run that is gone, with 403 a page of another
     * origin than the one that started it, and with 409 a second reader without `afterSeq`.
     */
    follow({ streamId, afterSeq, origin, holder, scope: named, signal }: FollowRequest): AsyncIterable<ServerEvent<ChatEvent>> {
      if (streamId === undefined || streamId === '') throw streamIdMissing()
      const run = runs.find(streamId)
      if (!run || !isOf(run, named)) throw streamGone()
      if (origin !== undefined && run.origin !== undefined && origin !== run.origin) throw originDiffers()
      if (afterSeq === undefined && run.phase === 'active') throw streamRunning()
      if (afterSeq === undefined && run.phase === 'ended') throw streamGone()
      if (runs.readers >= limits.readers) throw tooManyReaders(limits.readers)
      if (holder !== undefined && runs.readersOf(holder) >= limits.readersOfOne) throw tooManyReadersOfOne(limits.readersOfOne)
      const reader = run.follow(afterSeq ?? 0, holder)
      // A reader that has left already must not be counted and must not begin the run.
      if (signal.aborted) reader.end()
      else {
        signal.addEventListener('abort', () => reader.end(), { once: true })
        run.begin(runner)
      }
      return reader
    },

    /** Asks a run to stop, or all active ones of a session. Refuses with 404 where there is none. */
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

    /** Asks all runs to stop. */
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
