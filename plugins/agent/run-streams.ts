import type { Clock, Ids, Logger, Refusal, ServerEvent } from '../../kernel/index.ts'
import { createRuns, type Numbered } from '../chat-streams/port.ts'
import { streamGone, tooManyReaders, tooManyRuns } from './refusals.ts'
import { type Heartbeat, type RunStart, type RunState, StreamedRun, type Work } from './streamed-run.ts'

/** How much of something may go on at a time. */
export interface RunLimits {
  /** Runs that are under way. */
  readonly active: number
  /** Runs that wait for their first reader; 50 without it. */
  readonly pending?: number
  /** Open connections; 200 without it. */
  readonly readers?: number
}

/** Runs that are started by one request and followed by others, each an event stream that can be read again. */
export interface RunStreams<E extends object> {
  /**
   * Parks work for 120 seconds and gives the id of its stream. Refuses with 429 `too_many_runs` what is too much.
   *
   * The work is what ends the stream: it resolves with its last event. It is begun by the first reader.
   */
  start(work: Work<E>, options?: RunStart): string
  /**
   * Follows a run from after an event; 0 is its beginning. A reader that leaves changes nothing about the run. With `site`,
   * runs that work on another one are not there.
   *
   * Refuses with 410 `stream_gone`, with 429 `too_many_runs` what would begin beside too many others, and with 429
   * `too_many_streams`.
   */
  follow(streamId: string, options: { readonly afterSeq?: number | undefined; readonly holder?: string | undefined; readonly site?: string | undefined; readonly signal: AbortSignal }): AsyncIterable<ServerEvent<Numbered<E | Heartbeat>>>
  /** Asks a run to end; one that waits never begins, one that has ended stays as it is. Refuses with 410 `stream_gone`. */
  cancel(streamId: string, options?: { readonly site?: string | undefined }): void
  /** Runs work without a stream, as one of those that are under way. Refuses with 429 `too_many_runs`. */
  besides<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>
  state(streamId: string): RunState | undefined
  counts(): { readonly pending: number; readonly active: number; readonly ended: number; readonly readers: number }
  /** Asks everything to end, and waits for it, for at most ten seconds. */
  close(): Promise<void>
}

export interface RunStreamParts<E extends object> {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly limits: RunLimits
  /** The routes of these streams, for sentences of refusals: the first segment of the path. */
  readonly prefix: string
  /** The event that ends a run which failed or was canceled; the sentence is for people. */
  failed(sentence: string): E
}

const second = 1_000
const shelf = { parkedFor: 120 * second, endedFor: 300 * second, activeFor: 3_600 * second }
const mostEnded = 200
const closesWithin = 10_000

/** Makes the streams of one kind of runs. */
export function createRunStreams<E extends object>({ clock, ids, log, limits, prefix, failed }: RunStreamParts<E>): RunStreams<E> {
  const { active, pending = 50, readers = 200 } = limits
  const busy = (): Refusal => tooManyRuns(prefix, active)
  const runs = createRuns<StreamedRun<E>>({ ...shelf, most: active + pending + mostEnded, tooMany: busy })
  const besides = new Map<AbortController, Promise<unknown>>()
  const now = (): number => clock.now().getTime()
  const inPhase = (phase: 'parked' | 'active' | 'ended'): number => runs.where((run) => run.phase === phase).length
  const isFull = (): boolean => inPhase('active') + besides.size >= active
  const found = (streamId: string, site: string | undefined): StreamedRun<E> => {
    const run = runs.find(streamId)
    if (!run || (site !== undefined && run.site !== site)) throw streamGone(prefix)
    return run
  }

  return {
    start(work, options = {}) {
      if (isFull() || inPhase('parked') >= pending) throw busy()
      return runs.add(() => new StreamedRun<E>({ ...options, id: ids.uuid(), work, now, log, failed })).id
    },
    follow(streamId, { afterSeq = 0, holder, site, signal }) {
      const run = found(streamId, site)
      if (run.phase === 'parked' && isFull()) throw busy()
      if (runs.readers >= readers) throw tooManyReaders(readers)
      const reader = run.follow(afterSeq, holder)
      // A reader that is gone already would be counted, and begin a run without readers.
      if (signal.aborted) reader.end()
      else {
        signal.addEventListener('abort', () => reader.end(), { once: true })
        run.begin()
      }
      return reader
    },
    cancel: (streamId, { site } = {}) => found(streamId, site).cancel(),
    async besides(work, signal) {
      if (isFull()) throw busy()
      const stop = new AbortController()
      const going = work(AbortSignal.any([signal, stop.signal]))
      besides.set(stop, going)
      try {
        return await going
      } finally {
        besides.delete(stop)
      }
    },
    state: (streamId) => runs.find(streamId)?.state(),
    counts: () => ({ pending: inPhase('parked'), active: inPhase('active') + besides.size, ended: inPhase('ended'), readers: runs.readers }),
    async close() {
      for (const run of runs.all()) run.cancel()
      for (const stop of besides.keys()) stop.abort()
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const patience = setTimeout(resolve, closesWithin).unref()
      await Promise.race([Promise.allSettled([...runs.all().map(({ ended }) => ended), ...besides.values()]), late])
      clearTimeout(patience)
      for (const run of runs.all()) runs.forget(run)
    },
  }
}
