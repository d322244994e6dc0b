import { pulled, type ServerEvent } from '../../kernel/index.ts'
import type { EventLog, Numbered } from './event-log.ts'

/** Most bytes of JSON that a reader may leave waiting for more than a second, without events from before it connected. */
const mostWaiting = 64 * 1024
const judgedEvery = 1_000
/** A reader that takes nothing during so many checks in a row is considered gone. */
const mostStalls = 30

/**
 * One connection that follows a run: a position in its log, so that waiting costs no memory.
 *
 * A reader that does not keep up is ended; the client can reconnect and ask for what it missed.
 */
export class Reader<E extends object> implements AsyncIterable<ServerEvent<Numbered<E>>> {
  /** The caller whose share it counts towards. */
  readonly holder: string | undefined
  readonly #log: EventLog<E>
  readonly #onEnd: () => void
  #standIn: Numbered<E> | undefined
  /** The number of the next event. */
  #next: number
  /** The newest event when it connected. */
  readonly #joined: number
  #ended = false
  readonly #frames = pulled({ take: () => this.#frame(), isOver: () => this.#ended, leave: () => this.end() })
  /** Counted, not timed: while the process sleeps, no reader can take anything. */
  #stalls = 0
  #judged: { readonly at: number; readonly next: number; readonly last: number }

  /** Begins after an event; `standIn` comes first, in place of dropped events. */
  constructor(log: EventLog<E>, { after, standIn, holder, now, onEnd }: {
    readonly after: number
    readonly holder: string | undefined
    readonly standIn?: Numbered<E> | undefined
    readonly now: number
    readonly onEnd: () => void
  }) {
    this.holder = holder
    this.#log = log
    this.#onEnd = onEnd
    this.#standIn = standIn
    this.#next = after + 1
    this.#joined = log.last
    this.#judged = { at: now, next: this.#next, last: log.last }
  }

  /** Signals a new event in the log. */
  wake(): void {
    this.#frames.wake()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#onEnd()
    this.wake()
  }

  /** Ends it when it does not keep up. */
  judge(now: number): void {
    const { at, next, last } = this.#judged
    if (now - at < judgedEvery) return
    this.#stalls = this.#next === next && next <= last ? this.#stalls + 1 : 0
    const overdue = this.#log.bytesBetween(Math.max(this.#next - 1, this.#joined), last)
    const isSlow = overdue > mostWaiting && !this.#log.closed
    if (isSlow || this.#stalls >= mostStalls) return this.end()
    this.#judged = { at: now, next: this.#next, last: this.#log.last }
  }

  [Symbol.asyncIterator](): AsyncIterator<ServerEvent<Numbered<E>>> {
    return this.#frames[Symbol.asyncIterator]()
  }

  #frame(): ServerEvent<Numbered<E>> | undefined {
    if (this.#ended) return undefined
    const event = this.#standIn ?? this.#log.at(this.#next)
    if (event && !this.#standIn) this.#next = event._seq + 1
    this.#standIn = undefined
    // At the end, or at dropped events: a reconnecting client gets the current state.
    if (!event && (this.#log.closed || this.#next < this.#log.first)) this.end()
    return event && { id: String(event._seq), data: event }
  }
}
