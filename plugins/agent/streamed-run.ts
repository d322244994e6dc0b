import * as v from 'valibot'
import { type Logger, Refusal } from '../../kernel/index.ts'
import { EventLog, type Numbered, Reader, type ShelvedRun } from '../chat-streams/port.ts'

/** Tells readers that a run goes on. */
export const Heartbeat = v.object({ type: v.literal('heartbeat'), stage: v.string(), label: v.string(), elapsedMs: v.number() })
export type Heartbeat = v.InferOutput<typeof Heartbeat>

/** What work is given. */
export interface RunHandle<E extends object> {
  readonly id: string
  /** Aborts when the run is to end: it was canceled, the access of its caller ended, the service closes. */
  readonly signal: AbortSignal
  emit(event: E): void
  /** Says what heartbeats tell from here on. */
  at(stage: string, label: string): void
}

/** Work of one run; it resolves with the event that ends the stream, and may reject when it is canceled. */
export type Work<E extends object> = (run: RunHandle<E>) => Promise<E>

/** What runs abort with, where no Refusal says why. */
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

/** Existing clients look for these words. */
export const canceledText = 'The run was canceled by user. What it changed before stays and can be undone.'
const accessEnded = 'The run was stopped: the access of its caller has ended. What it changed before stays and can be undone.'
const broken = 'The run failed because of a fault in the service. What it changed before stays and can be undone.'

const beatEvery = 4_000
const most = { events: 5_000, bytes: 5 * 1024 * 1024, thin: thinned, tail: tailOf }

/** One run from when it is asked for until it is forgotten: parked, then active, then ended. */
export class StreamedRun<E extends object> implements ShelvedRun {
  readonly id: string
  readonly site: string | undefined
  readonly holder = undefined
  readonly readers = new Set<Reader<E | Heartbeat>>()
  readonly #now: () => number
  readonly #until: number
  readonly #log: Logger
  readonly #failed: (sentence: string) => E
  readonly #events = new EventLog<E | Heartbeat>(() => this.#wake(), most)
  readonly #stop = new AbortController()
  readonly #outer: AbortSignal | undefined
  readonly #onOuter = (): void => this.#abort(this.#outer?.reason)
  readonly #created: number
  #work: Work<E> | undefined
  #began: number | undefined
  #finished: number | undefined
  #beatAt = Infinity
  #stage = 'thinking'
  #label = 'Thinking'
  #ended: Promise<void> = Promise.resolve()

  constructor({ id, site, work, until = Infinity, signal, now, log, failed }: StreamedRunParts<E>) {
    this.id = id
    this.site = site
    this.#work = work
    this.#until = until
    this.#outer = signal
    this.#now = now
    this.#log = log
    this.#failed = failed
    this.#created = now()
    signal?.addEventListener('abort', this.#onOuter)
    if (signal?.aborted) this.#onOuter()
  }

  get phase(): 'parked' | 'active' | 'ended' {
    if (this.#finished !== undefined) return 'ended'
    return this.#began === undefined ? 'parked' : 'active'
  }

  get age(): number {
    return this.#now() - (this.#finished ?? this.#began ?? this.#created)
  }

  get bytes(): number {
    return this.#events.bytes
  }

  /** Resolves when it is through, or at once where it never began. */
  get ended(): Promise<void> {
    return this.#ended
  }

  state(): RunState {
    const phases = { parked: 'pending', active: 'active', ended: 'done' } as const
    return { phase: phases[this.phase], lastSeq: this.#events.last, createdAt: this.#created, startedAt: this.#began, finishedAt: this.#finished }
  }

  /** Begins what is parked. */
  begin(): void {
    const work = this.#work
    if (!work || this.phase !== 'parked') return
    this.#work = undefined
    this.#began = this.#now()
    this.#beatAt = this.#began + beatEvery
    this.#ended = this.#run(work).then((ending) => this.#end(ending))
  }

  /** Lets one more reader follow, from after the event that it saw last; what is not kept any more is left out. */
  follow(after: number, holder: string | undefined): Reader<E | Heartbeat> {
    const { first, last } = this.#events
    const seen = Math.min(Math.max(after, first - 1), last)
    const reader: Reader<E | Heartbeat> = new Reader<E | Heartbeat>(this.#events, {
      after: seen,
      holder,
      now: this.#now(),
      onEnd: () => this.readers.delete(reader),
    })
    this.readers.add(reader)
    return reader
  }

  cancel(): void {
    this.#abort(new RunCanceled(canceledText))
  }

  tick(): void {
    const now = this.#now()
    if (this.phase !== 'ended' && now >= this.#until) this.#abort(new RunCanceled(accessEnded))
    if (this.phase === 'active' && now >= this.#beatAt) {
      this.#beatAt = now + beatEvery
      this.#events.write({ type: 'heartbeat', stage: this.#stage, label: this.#label, elapsedMs: now - (this.#began ?? now) })
    }
    for (const reader of this.readers) reader.judge(now)
  }

  forget(): void {
    this.#outer?.removeEventListener('abort', this.#onOuter)
    for (const reader of this.readers) reader.end()
  }

  /** A run that waits never begins; its readers get the reason. */
  #abort(reason: unknown): void {
    if (this.phase === 'parked') {
      this.#work = undefined
      this.#end(this.#failed(sentenceOf(reason) ?? canceledText))
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
        emit: (event) => {
          if (!this.#events.closed) this.#events.write(event)
        },
        at: (stage, label) => {
          this.#stage = stage
          this.#label = label
        },
      })
    } catch (err) {
      if (signal.aborted) return this.#failed(sentenceOf(signal.reason) ?? canceledText)
      const sentence = sentenceOf(err)
      if (sentence === undefined) this.#log.error({ run: id, err }, 'run failed')
      return this.#failed(sentence ?? broken)
    }
  }

  #end(ending: E): void {
    this.#finished = this.#now()
    this.#events.write(ending)
    this.#events.closed = true
    this.#outer?.removeEventListener('abort', this.#onOuter)
    this.#wake()
  }

  #wake(): void {
    for (const reader of this.readers) reader.wake()
  }
}

/** What people may be told of an end; `undefined` for a fault. */
function sentenceOf(reason: unknown): string | undefined {
  if (reason instanceof Refusal) return reason.reason
  return reason instanceof RunCanceled ? reason.message : undefined
}

/** What a run is started with, beside its work. */
export interface RunStart {
  /** When the access of the caller ends, in milliseconds since 1970: the run ends with it. */
  readonly until?: number | undefined
  /** Ends the run when it aborts; an abort with a Refusal says why. */
  readonly signal?: AbortSignal | undefined
  /** The site that it works on, for callers who may use one site only. */
  readonly site?: string | undefined
}

/** How a run stands. */
export interface RunState {
  readonly phase: 'pending' | 'active' | 'done'
  readonly lastSeq: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
}

/** An event that may be a part of a text, or say how a run stands. */
type Told = Numbered<{ readonly type?: string; readonly text?: string }>

/** Where the texts of merged events end in the merged one. */
const cuts = new WeakMap<object, { readonly from: number; readonly ends: readonly number[] }>()

const passing: ReadonlySet<unknown> = new Set(['status', 'heartbeat'])

/** Merges parts of a text that follow each other, and leaves out the older half of what only says how the run stands. */
export function thinned<E extends object>(events: readonly Numbered<E>[]): readonly Numbered<E>[] {
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

const typeOf = (event: Told): string | undefined => event.type

function mergedWith<E extends object>(before: (Numbered<E> & Told) | undefined, event: Numbered<E> & Told): Numbered<E> | undefined {
  if (before?.type !== 'summary_token' || event.type !== 'summary_token' || event._seq !== before._seq + 1) return undefined
  const text = `${before.text ?? ''}${event.text ?? ''}`
  const { from, ends } = cuts.get(before) ?? { from: before._seq, ends: [before.text?.length ?? 0] }
  const merged = { ...event, text }
  cuts.set(merged, { from, ends: [...ends, text.length] })
  return merged
}

/** The part of a merged event that a reader has not seen; `undefined` where it has seen none of it. */
export function tailOf<E extends object>(event: Numbered<E> & Told, seen: number): Numbered<E> | undefined {
  const cut = cuts.get(event)
  return cut && seen >= cut.from ? { ...event, text: event.text?.slice(cut.ends[seen - cut.from]) } : undefined
}
