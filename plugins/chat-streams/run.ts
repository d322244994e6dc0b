import * as v from 'valibot'
import { Refusal, type CallerLimits, type Logger } from '../../kernel/index.ts'
import { Canceled, ChatResult, type ChatRequest, type ChatRunner, type RunEnd } from '../chat/port.ts'
import type { Actor } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import { EventLog } from './event-log.ts'
import { Narrator } from './narrator.ts'
import { texts } from './phases.ts'
import { Reader } from './reader.ts'
import type { Ending, EventBody } from './schemas.ts'

export interface RunParts {
  readonly id: string
  readonly of: DraftId
  readonly request: ChatRequest
  /** The origin of the page that started it, if any. */
  readonly origin: string | undefined
  readonly actor: Actor
  /** The caller whose share it counts towards; `undefined` where callers cannot be distinguished. */
  readonly holder: string | undefined
  /** What a restricted caller may do. */
  readonly limits: CallerLimits | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly log: Logger
}

/** One chat request: parked, then active, then ended. */
export class Run {
  readonly id: string
  readonly of: DraftId
  readonly origin: string | undefined
  readonly holder: string | undefined
  readonly readers = new Set<Reader<EventBody>>()
  readonly #actor: Actor
  readonly #limits: CallerLimits | undefined
  readonly #access: AbortSignal | undefined
  readonly #now: () => number
  readonly #log: Logger
  readonly #events = new EventLog<EventBody>(() => this.#wake())
  readonly #stop = new AbortController()
  #request: ChatRequest | undefined
  #narrator: Narrator | undefined
  #phase: 'parked' | 'active' | 'ended' = 'parked'
  #since: number
  #ended: Promise<void> = Promise.resolve()

  constructor({ id, of, request, origin, actor, holder, limits, now, log }: RunParts) {
    this.id = id
    this.of = of
    this.origin = origin
    this.holder = holder
    this.#request = request
    this.#actor = actor
    this.#limits = limits
    this.#access = limits?.signal
    this.#now = now
    this.#log = log
    this.#since = now()
  }

  get phase(): 'parked' | 'active' | 'ended' {
    return this.#phase
  }

  /** Milliseconds since it was parked, begun or ended. */
  get age(): number {
    return this.#now() - this.#since
  }

  /** True once its caller has lost access. */
  get isRevoked(): boolean {
    return this.#access?.aborted === true
  }

  /** Bytes of its stored events. */
  get bytes(): number {
    return this.#events.bytes
  }

  /** Resolves when it has ended, or at once where it never began. */
  get ended(): Promise<void> {
    return this.#ended
  }

  /** Begins a parked run. */
  begin(runner: ChatRunner): void {
    const request = this.#request
    if (!request || this.#phase !== 'parked') return
    this.#request = undefined
    this.#enter('active')
    const narrator = (this.#narrator = new Narrator(this.#events, this.#now))
    this.#ended = this.#end(runner, request, narrator).then((ending) => {
      this.#enter('ended')
      narrator.end(ending)
    })
  }

  /**
   * Adds a reader that follows from after the event that it saw last.
   *
   * Where events after that are lost, the reader gets the current state instead: how the run ended, or the last
   * status.
   */
  follow(after: number, holder: string | undefined): Reader<EventBody> {
    const { first, last } = this.#events
    // A number beyond the last event is cut to it.
    const seen = Math.min(after, last)
    const isKept = seen + 1 >= first
    const isOver = this.#phase === 'ended'
    const reader: Reader<EventBody> = new Reader<EventBody>(this.#events, {
      after: isKept ? seen : isOver ? last - 1 : last,
      standIn: isKept || isOver ? undefined : { type: 'status', message: this.#narrator?.label ?? texts.begun, _seq: last },
      holder,
      now: this.#now(),
      onEnd: () => this.readers.delete(reader),
    })
    this.readers.add(reader)
    return reader
  }

  /** Asks it to stop; it may still reach its end first. */
  cancel(): void {
    if (this.#phase !== 'active' || this.#stop.signal.aborted) return
    this.#narrator?.report({ type: 'status', message: texts.stopping })
    this.#stop.abort(new Canceled(texts.canceled))
  }

  /** Emits timed events, and ends readers that do not keep up. */
  tick(): void {
    if (this.#phase === 'active') this.#narrator?.beat()
    const now = this.#now()
    for (const reader of this.readers) reader.judge(now)
  }

  /** Ends its readers. */
  forget(): void {
    for (const reader of this.readers) reader.end()
  }

  #enter(phase: 'active' | 'ended'): void {
    this.#phase = phase
    this.#since = this.#now()
  }

  #wake(): void {
    for (const reader of this.readers) reader.wake()
  }

  async #end(runner: ChatRunner, request: ChatRequest, narrator: Narrator): Promise<Ending> {
    const { id, readers } = this
    try {
      const end = await runner.run(request, {
        id,
        signal: this.#stop.signal,
        actor: this.#actor,
        holder: this.holder,
        limits: this.#limits,
        emit: (event) => narrator.report(event),
        get isStreamed() {
          return readers.size > 0
        },
      })
      return toEnding(end)
    } catch (err) {
      if (err instanceof Canceled) return { type: 'canceled', message: err.notice ?? texts.canceled }
      const code = err instanceof Refusal ? err.status : 500
      if (!(err instanceof Refusal)) this.#log.error({ run: id, err }, 'chat run failed')
      else if (code >= 500) this.#log.warn({ run: id, err }, 'chat run refused')
      const result = await runner.resultOf(request, { id }, err)
      return { type: 'error', code, error: result.summary, reason: result.summary, result }
    }
  }
}

/** A result as the event that ends a stream. Throws where it does not match the schema. */
function toEnding({ status, result }: RunEnd): Ending {
  const checked = v.safeParse(ChatResult, result)
  if (!checked.success) throw new Error(`the result of a run does not match its schema: ${v.getDotPath(checked.issues[0]) ?? 'it'}: ${checked.issues[0].message}`)
  return status < 400 ? { type: 'final', result: checked.output } : { type: 'error', result: checked.output, code: status }
}
