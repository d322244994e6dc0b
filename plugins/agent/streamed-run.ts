import * as v from 'valibot'
import { type Logger, Refusal } from '../../kernel/index.ts'
import { EventLog, type Numbered, type Reader, type StoredRun } from '../chat-streams/port.ts'

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
export class RunCanceled extends Error {
  override readonly name = 'RunCanceled'
}

export interface StreamedRunParts<E extends object> extends RunStart {
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

const beatEvery = 4_000
const most = { events: 5_000, bytes: 5 * 1024 * 1024, thin: compacted, tail: tailOf }

/** A run, from its request until it expires: parked, active, ended. */
export class StreamedRun<E extends object> implements StoredRun {
  readonly id: string
  readonly site: string | undefined
  readonly holder = undefined
  readonly events = new EventLog<E | Heartbeat>(most)
  readonly #parts: Omit<StreamedRunParts<E>, 'work'>
  readonly #stop = new AbortController()
  readonly #onOuter = (): void => this.#abort(this.#parts.signal?.reason)
  readonly #created: number
  #work: Work<E> | undefined
  #began: number | undefined
  #finished: number | undefined
  #beatAt = Infinity
  #stage = 'thinking'
  #label = 'Thinking'
  /** Resolves when the run has ended; already resolved if it never started. */
  ended: Promise<void> = Promise.resolve()

  constructor({ work, ...parts }: StreamedRunParts<E>) {
    this.id = parts.id
    this.site = parts.site
    this.#parts = parts
    this.#work = work
    this.#created = parts.now()
    parts.signal?.addEventListener('abort', this.#onOuter)
    if (parts.signal?.aborted) this.#onOuter()
  }

  get phase(): 'parked' | 'active' | 'ended' {
    if (this.#finished !== undefined) return 'ended'
    return this.#began === undefined ? 'parked' : 'active'
  }

  get age(): number {
    return this.#parts.now() - (this.#finished ?? this.#began ?? this.#created)
  }

  state(): RunState {
    const phases = { parked: 'pending', active: 'active', ended: 'done' } as const
    return {
      phase: phases[this.phase],
      lastSeq: this.events.last,
      createdAt: this.#created,
      startedAt: this.#began,
      finishedAt: this.#finished,
    }
  }

  /** Starts a parked run. */
  begin(): void {
    const work = this.#work
    if (!work || this.phase !== 'parked') return
    this.#work = undefined
    this.#began = this.#parts.now()
    this.#beatAt = this.#began + beatEvery
    this.ended = this.#run(work).then((ending) => this.#end(ending))
  }

  /** Adds a reader that continues after the last event it saw; it skips events dropped in the meantime. */
  follow(after: number, holder: string | undefined, signal: AbortSignal): Reader<E | Heartbeat> {
    return this.events.follow({ after, holder, signal })
  }

  cancel(): void {
    this.#abort(new RunCanceled(canceledText))
  }

  tick(): void {
    const now = this.#parts.now()
    if (this.phase !== 'ended' && now >= (this.#parts.until ?? Infinity))
      this.#abort(new RunCanceled(accessEnded))
    if (this.phase === 'active' && now >= this.#beatAt) {
      this.#beatAt = now + beatEvery
      const elapsedMs = now - (this.#began ?? now)
      this.events.write({ type: 'heartbeat', stage: this.#stage, label: this.#label, elapsedMs })
    }
    this.events.judge(now)
  }

  forget(): void {
    this.#parts.signal?.removeEventListener('abort', this.#onOuter)
    this.#parts.forget?.()
  }

  /** A parked run never starts; its readers get the reason. */
  #abort(reason: unknown): void {
    if (this.phase === 'parked') {
      this.#work = undefined
      this.#end(this.#parts.failed(sentenceOf(reason) ?? canceledText))
    }
    if (this.phase === 'active') this.#stop.abort(reason)
  }

  async #run(work: Work<E>): Promise<E> {
    const { id } = this
    const { signal } = this.#stop
    try {
      return await work({
        id,
        signal,
        emit: (event) => this.events.write(event),
        at: (stage, label) => {
          this.#stage = stage
          this.#label = label
        },
      })
    } catch (err) {
      if (signal.aborted) return this.#parts.failed(sentenceOf(signal.reason) ?? canceledText)
      const sentence = sentenceOf(err)
      if (sentence === undefined) this.#parts.log.error({ run: id, err }, 'run failed')
      return this.#parts.failed(sentence ?? internalError)
    }
  }

  #end(ending: E): void {
    this.#finished = this.#parts.now()
    this.events.write(ending, { isLast: true })
    this.#parts.signal?.removeEventListener('abort', this.#onOuter)
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
