import { hash } from 'node:crypto'
import type { Clock, Ids, Logger, Refusal, ServerEvent } from '../../kernel/index.ts'
import type { Bus } from '../bus/port.ts'
import { createRuns, createSharing, type Elsewhere, type Numbered } from '../chat-streams/port.ts'
import type { Store } from '../store/port.ts'
import { notTheStarter, streamGone, tooManyReaders, tooManyRuns } from './refusals.ts'
import {
  type Heartbeat,
  logLimits,
  type RunStart,
  type RunState,
  createStreamedRun,
  type StreamedRun,
  type Work,
} from './streamed-run.ts'

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
  /** With these, other processes of the store can follow the runs. */
  readonly store?: Store | undefined
  readonly bus?: Bus | undefined
  /** The first path segment of the stream routes, for refusals. */
  readonly prefix: string
  /** Answers a `call` about a run of this process. */
  answer?(run: { readonly id: string; readonly state: RunState }, what: string, body: unknown): unknown
  /** Returns the last event of a failed or canceled run; the sentence is for people. */
  failed(sentence: string): E
}

const second = 1_000
const lifetimes = { parkedMs: 120 * second, endedMs: 300 * second, activeMs: 3_600 * second }
const mostEnded = 200

/** The id of a run, as a UUID, from which the id of its stream cannot be derived. */
export const runOf = (streamId: string): string =>
  hash('sha256', streamId).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')

interface About {
  readonly site: string | undefined
}

/** Runs that one request starts and others follow. Each is an event stream that can be read again. */
export type RunStreams<E extends object> = ReturnType<typeof createRunStreams<E>>

/** The site that a caller is limited to: runs on other sites are missing for it. */
export interface Limited {
  readonly site?: string | undefined
}

export interface Following extends Limited {
  readonly afterSeq?: number | undefined
  readonly holder?: string | undefined
  readonly signal: AbortSignal
}

/** Creates the streams for one kind of run. */
export function createRunStreams<E extends object>(parts: RunStreamParts<E>) {
  const { clock, ids, log, prefix, failed, answer } = parts
  const { active, pending = 50, readers = 200 } = parts.limits
  const busy = (): Refusal => tooManyRuns(prefix, active)
  const runs = createRuns<StreamedRun<E>>({ ...lifetimes, most: active + pending + mostEnded, tooMany: busy })
  const direct = new Map<AbortController, Promise<unknown>>()
  const now = (): number => clock.now().getTime()
  const inPhase = (phase: 'parked' | 'active' | 'ended'): number =>
    runs.where(({ run }) => run.phase === phase).length
  const isFull = (): boolean => inPhase('active') + direct.size >= active
  const here = (id: string): StreamedRun<E> => {
    const found = runs.find(id)
    if (!found) throw streamGone(prefix)
    return found
  }
  function begin({ run }: StreamedRun<E>): void {
    if (run.phase === 'parked' && isFull()) throw busy()
    run.begin()
  }
  const shared = createSharing<E | Heartbeat, About>({
    ...parts,
    kind: prefix.replace('-', '_'),
    limits: logLimits,
    endedMs: lifetimes.endedMs,
    begin: (id) => begin(here(id)),
    answer: (id, what, body) => (what === 'cancel' ? here(id).cancel() : answerHere(here(id), what, body)),
  })
  const answerHere = ({ run: { id }, state }: StreamedRun<E>, what: string, body: unknown): unknown =>
    answer?.({ id, state: state() }, what, body)

  /** Finds a run of this process. */
  const found = (streamId: string, site?: string): StreamedRun<E> | undefined => {
    const run = runs.find(runOf(streamId))
    if (run && (site === undefined || run.site === site)) return run
    if (runs.find(streamId)) throw notTheStarter(prefix)
    return undefined
  }
  async function elsewhere(streamId: string, site?: string): Promise<Elsewhere<E | Heartbeat, About>> {
    const run = await shared?.find(runOf(streamId))
    if (run && (site === undefined || run.about.site === site)) return run
    throw (await shared?.find(streamId)) ? notTheStarter(prefix) : streamGone(prefix)
  }
  const openReaders = (): number => [...runs.readers(), ...(shared?.readers() ?? [])].length

  return {
    /**
     * Parks work for 120 seconds and returns the id of its stream. Refuses with 429 `too_many_runs`.
     *
     * The first reader starts the work, which resolves with the last event of the stream. The id is a secret of
     * the caller: everything that others can see has the id of the run instead.
     */
    async start(work: Work<E>, options: RunStart = {}): Promise<string> {
      if (isFull() || inPhase('parked') >= pending) throw busy()
      const streamId = ids.uuid()
      const id = runOf(streamId)
      const forget = (): void => {
        options.forget?.()
        shared?.forget(id)
      }
      const added = runs.add(() => createStreamedRun<E>({ ...options, forget, id, work, now, log, failed }))
      const facts = { draft: '', about: () => ({ site: options.site }), lost: failed(lostText) }
      await shared?.add(added.run, facts).catch((error: unknown) => {
        runs.forget(added)
        throw error
      })
      return streamId
    },
    /**
     * Follows a run after an event; 0 is its start. A run continues when its readers leave. Refuses with 403
     * `not_the_starter`, 410 `stream_gone`, 429 `too_many_runs` and `too_many_streams`.
     */
    async follow(
      streamId: string,
      { afterSeq = 0, holder, site, signal }: Following,
    ): Promise<AsyncIterable<ServerEvent<Numbered<E | Heartbeat>>>> {
      const known = found(streamId, site)
      const other = known ? undefined : await elsewhere(streamId, site)
      if (known?.run.phase === 'parked' && isFull()) throw busy()
      if (openReaders() >= readers) throw tooManyReaders(readers)
      const events = known ? known.run.events : await other?.follow()
      if (!events) throw streamGone(prefix)
      const reader = events.follow({ after: afterSeq, holder, signal })
      // A reader that has already left must not start a run.
      if (known && !signal.aborted) begin(known)
      return reader
    },
    /**
     * Ends a run; a pending run never starts, an ended one is unchanged. Refuses with 403 and 410, and with 503
     * `run_unreachable` if another process has it and does not answer.
     */
    async cancel(streamId: string, { site }: Limited = {}): Promise<void> {
      const known = found(streamId, site)
      if (known) known.cancel()
      else await (await elsewhere(streamId, site)).call('cancel')
    },
    /** Passes a request on to the `answer` of the run's process, as JSON. Refuses as that and `cancel` do. */
    async call(streamId: string, what: string, body?: unknown): Promise<unknown> {
      const known = found(streamId)
      return known ? answerHere(known, what, body) : (await elsewhere(streamId)).call(what, body)
    },
    /** Runs work without a stream, as an active run. Refuses with 429 `too_many_runs`. */
    async runDirectly<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
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
    /** Returns the id of the run of a stream. Refuses with 410. */
    idOf: (streamId: string): string => here(runOf(streamId)).run.id,
    /** The number of active runs. */
    active: (): number => inPhase('active') + direct.size,
    /** Asks all runs to end, and waits for them for at most ten seconds. */
    async close(): Promise<void> {
      for (const run of runs.all()) run.cancel()
      for (const stop of direct.keys()) stop.abort()
      await runs.close({ others: direct.values(), last: shared?.close })
    },
  }
}

const lostText =
  'The process that ran this has ended. Its changes stay and can be undone; start the run again to continue.'
