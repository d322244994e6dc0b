import { hash } from 'node:crypto'
import type { Clock, Ids, Logger, Refusal, ServerEvent } from '../../kernel/index.ts'
import { createRuns, type Numbered } from '../chat-streams/port.ts'
import { notTheStarter, streamGone, tooManyReaders, tooManyRuns } from './refusals.ts'
import {
  type Heartbeat,
  type RunStart,
  type RunState,
  createStreamedRun,
  type StreamedRun,
  type Work,
} from './streamed-run.ts'

/** Limits of concurrent work. */
export interface RunLimits {
  /** The maximum number of active runs. */
  readonly active: number
  /** The maximum number of runs waiting for their first reader; default: 50. */
  readonly pending?: number
  /** The maximum number of open connections; default: 200. */
  readonly readers?: number
}

/** Runs that one request starts and others follow. Each is an event stream that can be read again. */
export interface RunStreams<E extends object> {
  /**
   * Parks work for 120 seconds and returns the id of its stream. Refuses with 429 `too_many_runs`.
   *
   * The first reader starts the work, which resolves with the last event of the stream. The id is a secret of
   * the caller: everything that others can see has the id of the run instead.
   */
  start(work: Work<E>, options?: RunStart): string
  /**
   * Follows a run after an event; 0 is its start. A run continues when its readers leave. With `site`, runs
   * on other sites are missing. Refuses with 403 `not_the_starter`, 410 `stream_gone`, 429 `too_many_runs` and
   * `too_many_streams`.
   */
  follow(
    streamId: string,
    options: {
      readonly afterSeq?: number | undefined
      readonly holder?: string | undefined
      readonly site?: string | undefined
      readonly signal: AbortSignal
    },
  ): AsyncIterable<ServerEvent<Numbered<E | Heartbeat>>>
  /** Ends a run; a pending run never starts, an ended one is unchanged. Refuses with 403 and 410. */
  cancel(streamId: string, options?: { readonly site?: string | undefined }): void
  /** Runs work without a stream, as an active run. Refuses with 429 `too_many_runs`. */
  runDirectly<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Returns the id of the run of a stream. Refuses with 403 and 410. */
  idOf(streamId: string): string
  state(streamId: string): RunState | undefined
  counts(): {
    readonly pending: number
    readonly active: number
    readonly ended: number
    readonly readers: number
  }
  /** Asks all runs to end, and waits for them for at most ten seconds. */
  close(): Promise<void>
}

export interface RunStreamParts<E extends object> {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly limits: RunLimits
  /** The first path segment of the stream routes, for refusals. */
  readonly prefix: string
  /** Returns the last event of a failed or canceled run; the sentence is for people. */
  failed(sentence: string): E
}

const second = 1_000
const lifetimes = { parkedMs: 120 * second, endedMs: 300 * second, activeMs: 3_600 * second }
const mostEnded = 200

/** The id of a run, as a UUID, from which the id of its stream cannot be derived. */
export const runOf = (streamId: string): string =>
  hash('sha256', streamId).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')

/** Creates the streams for one kind of run. */
export function createRunStreams<E extends object>({
  clock,
  ids,
  log,
  limits,
  prefix,
  failed,
}: RunStreamParts<E>): RunStreams<E> {
  const { active, pending = 50, readers = 200 } = limits
  const busy = (): Refusal => tooManyRuns(prefix, active)
  const runs = createRuns<StreamedRun<E>>({ ...lifetimes, most: active + pending + mostEnded, tooMany: busy })
  const direct = new Map<AbortController, Promise<unknown>>()
  const now = (): number => clock.now().getTime()
  const inPhase = (phase: 'parked' | 'active' | 'ended'): number =>
    runs.where(({ run }) => run.phase === phase).length
  const isFull = (): boolean => inPhase('active') + direct.size >= active
  const found = (streamId: string, site?: string): StreamedRun<E> => {
    const run = runs.find(runOf(streamId))
    if (run && (site === undefined || run.site === site)) return run
    throw runs.find(streamId) ? notTheStarter(prefix) : streamGone(prefix)
  }

  return {
    start(work, options = {}) {
      if (isFull() || inPhase('parked') >= pending) throw busy()
      const streamId = ids.uuid()
      runs.add(() => createStreamedRun<E>({ ...options, id: runOf(streamId), work, now, log, failed }))
      return streamId
    },
    follow(streamId, { afterSeq = 0, holder, site, signal }) {
      const { run } = found(streamId, site)
      if (run.phase === 'parked' && isFull()) throw busy()
      if (runs.readers >= readers) throw tooManyReaders(readers)
      const reader = run.events.follow({ after: afterSeq, holder, signal })
      // A reader that has already left must not start a run.
      if (!signal.aborted) run.begin()
      return reader
    },
    cancel: (streamId, { site } = {}) => found(streamId, site).cancel(),
    async runDirectly(work, signal) {
      if (isFull()) throw busy()
      const stop = new AbortController()
      const going = work(AbortSignal.any([signal, stop.signal]))
      direct.set(stop, going)
      try {
        return await going
      } finally {
        direct.delete(stop)
      }
    },
    idOf: (streamId) => found(streamId).run.id,
    state: (streamId) => runs.find(runOf(streamId))?.state(),
    counts: () => ({
      pending: inPhase('parked'),
      active: inPhase('active') + direct.size,
      ended: inPhase('ended'),
      readers: runs.readers,
    }),
    async close() {
      for (const run of runs.all()) run.cancel()
      for (const stop of direct.keys()) stop.abort()
      await runs.close(direct.values())
    },
  }
}
