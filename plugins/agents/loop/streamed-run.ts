import * as v from 'valibot'
import { type Logger, Refusal } from '../../../kernel/index.ts'
import type { Run, RunParts, RunTimes } from '../../chat/streams/port.ts'

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

export interface RunStart<I = undefined> {
  /** The end of the caller's access, in milliseconds since 1970; the run ends then. */
  readonly until?: number | undefined
  /** Ends the run; people see the reason if it is a Refusal. */
  readonly signal?: AbortSignal | undefined
  /** The site of the run, for callers whose access is limited to one site. */
  readonly site?: string | undefined
  /** Returns what else every process needs to know about the run, as JSON. */
  readonly info?: () => I
  /** Called with a request that was made about the run. */
  readonly asked?: (what: string, value: unknown) => void
}

/** What every process needs to know about a run. */
export interface RunMetadata<I> {
  readonly site?: string | undefined
  readonly times: Partial<RunTimes>
  readonly info: I | undefined
}

export type StreamedRun<E extends object, I> = Run<E | Heartbeat, RunMetadata<I>>

interface StreamedRunParts<E extends object, I> extends RunStart<I> {
  readonly id: string
  readonly work: Work<E>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: Logger
  failed(sentence: string): E
}

/** The abort reason of a run, unless a Refusal is the reason. */
class RunCanceled extends Error {
  override readonly name = 'RunCanceled'
}

/** Existing clients look for the words "canceled by user". */
const canceledText = 'The run was canceled by user. Its changes stay and can be undone.'
const accessEnded =
  'The run was stopped because the access of its caller has ended. Its changes stay and can be undone.'
const internalError = 'The run failed because of an internal error. Its changes stay and can be undone.'
const lostText =
  'The process that ran this has ended. Its changes stay and can be undone; start the run again to continue.'

const beatEveryMs = 4_000

/** Describes the work of an agent as a run; `watch` ends it with the signal of its caller. */
export function streamedRunOf<E extends object, I>(parts: StreamedRunParts<E, I>) {
  const { id, site, now, log, failed, info, asked, signal: outer, until = Infinity } = parts
  let [startedAt, beatAt] = [0, 0]
  let [stage, label] = ['thinking', 'Thinking']
  let onOuter = (): void => undefined

  /** A parked run never starts; its readers get the reason. */
  function stop(run: StreamedRun<E, I>, reason: unknown): void {
    if (!run.hasStarted) run.end(failed(sentenceOf(reason) ?? canceledText))
    else run.stop(reason)
  }

  const run: RunParts<E | Heartbeat, RunMetadata<I>> = {
    id,
    draft: '',
    lost: failed(lostText),
    about: (times) => ({ site, times, info: info?.() }),
    async work({ signal, emit }) {
      startedAt = now()
      beatAt = startedAt + beatEveryMs
      try {
        signal.throwIfAborted()
        return await parts.work({ id, signal, emit, at: (...to) => void ([stage, label] = to) })
      } catch (err) {
        if (signal.aborted) return failed(sentenceOf(signal.reason) ?? canceledText)
        const sentence = sentenceOf(err)
        if (sentence === undefined) log.error({ run: id, err }, 'run failed')
        return failed(sentence ?? internalError)
      }
    },
    tick(run) {
      if (now() >= until) stop(run, new RunCanceled(accessEnded))
      if (run.phase !== 'active' || now() < beatAt) return
      beatAt = now() + beatEveryMs
      run.emit({ type: 'heartbeat', stage, label, elapsedMs: now() - startedAt })
    },
    cancel: (run) => stop(run, new RunCanceled(canceledText)),
    ...(asked && { asked }),
    forgotten: () => outer?.removeEventListener('abort', onOuter),
  }
  return {
    parts: run,
    watch(run: StreamedRun<E, I>): void {
      onOuter = () => stop(run, outer?.reason)
      outer?.addEventListener('abort', onOuter)
      if (outer?.aborted) onOuter()
    },
  }
}

/** Explains an end for people; `undefined` for an internal error. */
function sentenceOf(reason: unknown): string | undefined {
  if (reason instanceof Refusal) return reason.reason
  return reason instanceof RunCanceled ? reason.message : undefined
}
