import { hash } from 'node:crypto'
import type { Clock, Ids, Logger, Refusal, ServerEvent } from '../../../kernel/index.ts'
import type { Bus } from '../../bus/port.ts'
import { createRuns, type Known, type Numbered } from '../../chat/streams/port.ts'
import type { Store } from '../../store/port.ts'
import { logLimits } from './merged-events.ts'
import { notTheStarter, streamGone, tooManyReaders, tooManyRuns } from './refusals.ts'
import { type RunMetadata, type Heartbeat, type RunStart, streamedRunOf, type Work } from './streamed-run.ts'

/** Limits of concurrent work. */
interface RunLimits {
  /** The maximum number of active runs. */
  readonly active: number
  /** The maximum number of runs waiting for their first reader; default: 50. */
  readonly pending?: number
  /** The maximum number of open connections; default: 200. */
  readonly readers?: number
}

interface RunStreamParts<E extends object> {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly limits: RunLimits
  /** Other processes of the store can follow the runs. */
  readonly store: Store
  readonly bus: Bus
  /** The first path segment of the stream routes, for refusals. */
  readonly prefix: string
  /** Returns the last event of a failed or canceled run; the sentence is for people. */
  failed(sentence: string): E
}

const second = 1_000
const lifetimes = { parked: 120 * second, ended: 300 * second }
const activeMs = 3_600 * second
const mostEnded = 200

/** The id of a run, as a UUID, from which the id of its stream cannot be derived. */
export const runOf = (streamId: string): string =>
  hash('sha256', streamId).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')

/** Runs that one request starts and others follow. Each is an event stream that can be read again. */
export type RunStreams<E extends object, I = undefined> = ReturnType<typeof createRunStreams<E, I>>

/** The site that a caller is limited to: runs on other sites are missing for it. */
export interface Limited {
  readonly site?: string | undefined
}

export interface FollowRequest extends Limited {
  readonly afterSeq?: number | undefined
  readonly holder?: string | undefined
  readonly signal: AbortSignal
}

export interface RunState<I> {
  readonly phase: 'pending' | 'active' | 'done'
  readonly lastSeq: number
  /** In milliseconds since 1970. */
  readonly times: RunMetadata<I>['times']
  readonly info: I | undefined
}

type DirectRuns = Map<AbortController, Promise<unknown>>

/** Runs work that is in the list until it ends. */
async function runListed<T>(
  list: DirectRuns,
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const stop = new AbortController()
  const going = work(AbortSignal.any([signal, stop.signal]))
  list.set(stop, going)
  try {
    return await going
  } finally {
    list.delete(stop)
  }
}

const phases = { parked: 'pending', active: 'active', ended: 'done' } as const

/** Creates the streams for one kind of run, about which every process knows `I`. */
export function createRunStreams<E extends object, I = undefined>(parts: RunStreamParts<E>) {
  const { clock, log, ids, prefix, failed } = parts
  const { active, pending = 50, readers = 200 } = parts.limits
  const busy = (): Refusal => tooManyRuns(prefix, active)
  const direct: DirectRuns = new Map()
  const now = (): number => clock.now().getTime()
  const runs = createRuns<E | Heartbeat, RunMetadata<I>>({
    ...parts,
    kind: prefix.replace('-', '_'),
    limits: logLimits,
    lifetimes,
    activeMs,
    most: active + pending + mostEnded,
    tooMany: busy,
    admit: refuseFull,
  })
  const inPhase = (phase: Known<unknown>['phase']): number => runs.usable((run) => run.phase === phase).length
  const activeCount = (): number => inPhase('active') + direct.size
  function refuseFull(): void {
    if (activeCount() >= active) throw busy()
  }

  async function find(streamId: string, site?: string): Promise<Known<RunMetadata<I>>> {
    const found = await runs.find(runOf(streamId))
    if (found && (site === undefined || found.about.site === site)) return found
    throw (await runs.find(streamId)) ? notTheStarter(prefix) : streamGone(prefix)
  }

  return {
    /**
     * Parks work for 120 seconds and returns the id of its stream. Refuses with 429 `too_many_runs`.
     *
     * The first reader starts the work, which resolves with the last event of the stream. The id is a secret of
     * the caller: everything that others can see has the id of the run instead.
     */
    async start(work: Work<E>, options: RunStart<I> = {}): Promise<string> {
      refuseFull()
      if (inPhase('parked') >= pending) throw busy()
      const streamId = ids.uuid()
      const streamed = streamedRunOf<E, I>({ ...options, id: runOf(streamId), work, now, log, failed })
      streamed.watch(await runs.add(streamed.parts))
      return streamId
    },
    /**
     * Follows a run after an event; 0 is its start. A run continues when its readers leave. Refuses with 403
     * `not_the_starter`, 410 `stream_gone`, 429 `too_many_runs` and `too_many_streams`.
     */
    async follow(
      streamId: string,
      { afterSeq = 0, holder, site, signal }: FollowRequest,
    ): Promise<AsyncIterable<ServerEvent<Numbered<E | Heartbeat>>>> {
      const { id, phase } = await find(streamId, site)
      const { last, lost } = await runs.tail(id)
      if (runs.readers().length >= readers) throw tooManyReaders(readers)
      const after = Math.min(Math.max(afterSeq, lost), last)
      const reader = runs.follow(id, { after, holder, signal })
      try {
        // A reader that has already left must not start a run.
        if (phase === 'parked' && !signal.aborted) await runs.begin(id)
        return reader
      } catch (error) {
        reader.end()
        throw error
      }
    },
    /** Ends a run; a pending run never starts, an ended one is unchanged. Refuses with 403 and 410. */
    async cancel(streamId: string, { site }: Limited = {}): Promise<void> {
      await runs.ask((await find(streamId, site)).id, 'cancel', true)
    },
    /** Returns the state of a run. Refuses as `cancel` does. */
    async state(streamId: string): Promise<RunState<I>> {
      const { id, phase, about } = await find(streamId)
      const { last: lastSeq } = await runs.tail(id)
      return { phase: phases[phase], lastSeq, times: about.times, info: about.info }
    },
    /**
     * Passes a request on to the run's process. Refuses as `cancel` does, and as `asked` for a run of this
     * process.
     */
    async ask(streamId: string, what: string, value: unknown): Promise<void> {
      await runs.ask((await find(streamId)).id, what, value)
    },
    /** Runs work without a stream, as an active run. Refuses with 429 `too_many_runs`. */
    async runDirectly<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
      refuseFull()
      return runListed(direct, work, signal)
    },
    /** The number of active runs. */
    active: activeCount,
    /** Asks all runs to end, and waits for them for at most ten seconds. */
    async close(): Promise<void> {
      for (const run of runs.all()) run.cancel(run)
      for (const stop of direct.keys()) stop.abort()
      await runs.close(direct.values())
    },
  }
}
