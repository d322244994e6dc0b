import { pulled, type ServerEvent } from '../../kernel/index.ts'
import type { EventLog, Numbered } from './event-log.ts'

/** The most that may wait for a reader for longer than a second, in bytes of JSON. What it missed before it came does not count. */
const mostWaiting = 64 * 1024
const judgedEvery = 1_000
/** A reader that was judged so often in a row without having taken what waited has gone without saying so. */
const mostStalls = 30

/**
 * One connection that follows a run: a place in its log, so that waiting costs no memory.
 *
 * A reader that does not keep up is cut off; it can come back and ask for what it missed.
 */
export class Reader<E extends object> implements AsyncIterable<ServerEvent<Numbered<E>>> {
  /** The caller whose share it counts towards. */
  readonly holder: string | undefined
  readonly #log: EventLog<E>
  readonly #onEnd: () => void
  #standIn: Numbered<E> | undefined
  /** The number of the event that it takes next. */
  #next: number
  /** The newest event when it came. */
  readonly #joined: number
  #ended = false
  readonly #frames = pulled({ take: () => this.#frame(), isOver: () => this.#ended, leave: () => this.end() })
  /** Counted, not timed: a process that was asleep for an hour has given nobody the time to take anything. */
  #stalls = 0
  #judged: { readonly at: number; readonly next: number; readonly last: number }

  /** Begins after an event; `standIn` comes first, in place of events that are not kept any more. */
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

  /** Tells it that there is something new in the log. */
  wake(): void {
    this.#frames.wake()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#onEnd()
    this.wake()
  }

  /** Cuts it off when it does not keep up. */
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
    const event = this.#take()
    return event && { id: String(event._seq), data: event }
  }

  #take(): Numbered<E> | undefined {
    if (this.#ended) return undefined
    const event = this.#standIn ?? this.#log.at(this.#next)
    if (event && !this.#standIn) this.#next = event._seq + 1
    this.#standIn = undefined
    // Nothing left to take, or a hole, which whoever comes back is told of.
    if (!event && (this.#log.closed || this.#next < this.#log.first)) this.end()
    return event
  }
}
