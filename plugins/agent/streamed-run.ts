import * as v from 'valibot'
import { type Logger, Refusal } from '../../kernel/index.ts'
import { createRun, type Numbered } from '../chat-streams/port.ts'

/** Tells readers that a run is still active. */
export const Heartbeat = v.object({
  type: v.literal('heartbeat'),
  stage: v.string(),
  label: v.string(),
  elapsedMs: v.number(),
})
export type Heartbeat = v.InferOutput<typeof Heartbeat>

/** The run, as passed to its work. */
export interface RunHandle<E extends object> {
  readonly id: string
  /** Aborts when the run is canceled, the access of its caller ends, or the service closes. */
  readonly signal: AbortSignal
  emit(event: E): void
  /** Sets the stage for heartbeats. */
  at(stage: string, label: string): void
}

/** The work of a run. It resolves with the last event of the stream, and may reject when canceled. */
export type Work<E extends object> = (run: RunHandle<E>) => Promise<E>

/** The abort reason of a run, unless a Refusal is the reason. */
class RunCanceled extends Error {
  override readonly name = 'RunCanceled'
}

interface StreamedRunParts<E extends object> extends RunStart {
  readonly id: string
  readonly work: Work<E>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: Logger
  failed(sentence: string): E
}

/** Existing clients look for the words "canceled by user". */
const canceledText = 'The run was canceled by user. Its changes stay and can be undone.'
const accessEnded =
  'The run was stopped because the access of its caller has ended. Its changes stay and can be undone.'
const internalError = 'The run failed because of an internal error. Its changes stay and can be undone.'

const beatEveryMs = 4_000
export const logLimits = { events: 5_000, bytes: 5 * 1024 * 1024, thin: compacted, tail: tailOf }

/** A run of an agent, from its request until it expires. */
export type StreamedRun<E extends object> = ReturnType<typeof createStreamedRun<E>>

/** Creates a parked run. */
export function createStreamedRun<E extends object>(parts: StreamedRunParts<E>) {
  const { id, site, now, log, failed, signal: outer, until = Infinity } = parts
  let beatAt = now() + beatEveryMs
  let stage = 'thinking'
  let label = 'Thinking'
  const run = createRun<E | Heartbeat>({
    id,
    now,
    limits: logLimits,
    async work({ signal, events }) {
      beatAt = now() + beatEveryMs
      const emit = (event: E): void => events.write(event)
      try {
        return await parts.work({ id, signal, emit, at: (...to) => void ([stage, label] = to) })
      } catch (err) {
        if (signal.aborted) return failed(sentenceOf(signal.reason) ?? canceledText)
        const sentence = sentenceOf(err)
        if (sentence === undefined) log.error({ run: id, err }, 'run failed')
        return failed(sentence ?? internalError)
      } finally {
        outer?.removeEventListener('abort', onOuter)
      }
    },
    beat(events) {
      if (now() < beatAt) return
      beatAt = now() + beatEveryMs
      const elapsedMs = now() - (run.times.startedAt ?? now())
      events.write({ type: 'heartbeat', stage, label, elapsedMs })
    },
  })
  /** A parked run never starts; its readers get the reason. */
  function stop(reason: unknown): void {
    if (run.phase === 'parked') run.end(failed(sentenceOf(reason) ?? canceledText))
    else run.stop(reason)
  }
  const onOuter = (): void => stop(outer?.reason)
  outer?.addEventListener('abort', onOuter)
  if (outer?.aborted) onOuter()
  return {
    run,
    site,
    state(): RunState {
      const phases = { parked: 'pending', active: 'active', ended: 'done' } as const
      return { phase: phases[run.phase], lastSeq: run.events.last, ...run.times }
    },
    cancel: (): void => stop(new RunCanceled(canceledText)),
    tick(): void {
      if (run.phase !== 'ended' && now() >= until) stop(new RunCanceled(accessEnded))
      run.tick()
    },
    forget(): void {
      outer?.removeEventListener('abort', onOuter)
      parts.forget?.()
    },
  }
}

/** Explains an end for people; `undefined` for an internal error. */
function sentenceOf(reason: unknown): string | undefined {
  if (reason instanceof Refusal) return reason.reason
  return reason instanceof RunCanceled ? reason.message : undefined
}

export interface RunStart {
  /** The end of the caller's access, in milliseconds since 1970; the run ends then. */
  readonly until?: number | undefined
  /** Ends the run; people see the reason if it is a Refusal. */
  readonly signal?: AbortSignal | undefined
  /** The site of the run, for callers whose access is limited to one site. */
  readonly site?: string | undefined
  /** Called when the stream can no longer be read. */
  readonly forget?: () => void
}

export interface RunState {
  readonly phase: 'pending' | 'active' | 'done'
  readonly lastSeq: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
}

/** An event that may contain text, or report a status. */
type TextEvent = Numbered<{ readonly type?: string; readonly text?: string }>

/** The positions at which the texts of merged events end. */
const cuts = new WeakMap<object, { readonly from: number; readonly ends: readonly number[] }>()

const passing: ReadonlySet<unknown> = new Set(['status', 'heartbeat'])

/** Merges consecutive text events, and drops the older half of status events and heartbeats. */
function compacted<E extends object>(events: readonly Numbered<E>[]): readonly Numbered<E>[] {
  const standing = events.filter((event) => passing.has(typeOf(event)))
  const gone = new Set<object>(standing.slice(0, Math.ceil(standing.length / 2)))
  const kept: Numbered<E>[] = []
  for (const event of events) {
    if (gone.has(event)) continue
    const merged = mergedWith(kept.at(-1), event)
    if (merged) kept[kept.length - 1] = merged
    else kept.push(event)
  }
  return kept
}

const typeOf = (event: TextEvent): string | undefined => event.type

function mergedWith<E extends object>(
  before: (Numbered<E> & TextEvent) | undefined,
  event: Numbered<E> & TextEvent,
): Numbered<E> | undefined {
  if (before?.type !== 'summary_token' || event.type !== 'summary_token' || event._seq !== before._seq + 1)
    return undefined
  const text = `${before.text ?? ''}${event.text ?? ''}`
  const { from, ends } = cuts.get(before) ?? { from: before._seq, ends: [before.text?.length ?? 0] }
  const merged = { ...event, text }
  cuts.set(merged, { from, ends: [...ends, text.length] })
  return merged
}

/** Returns the part of a merged event that a reader has not seen; `undefined` if it has seen none. */
function tailOf<E extends object>(event: Numbered<E> & TextEvent, seen: number): Numbered<E> | undefined {
  const cut = cuts.get(event)
  return cut && seen >= cut.from
    ? { ...event, text: event.text?.slice(cut.ends[seen - cut.from]) }
    : undefined
}
