import { pulled, type ServerEvent } from '../../kernel/index.ts'

/** An event with its number. */
export type Numbered<E> = E & { readonly _seq: number }

/** The maximum number and bytes of the events of one run. The newest event is always kept. */
export interface LogLimits<E> {
  readonly events: number
  readonly bytes: number
  /** Milliseconds that a reader stays connected after it received the last event; default: 0. */
  readonly linger?: number
  /** Merges events beyond the limits; without it, or if that is not enough, the oldest events are dropped. */
  thin?(events: readonly Numbered<E>[]): readonly Numbered<E>[]
  /** Returns the part of a merged event that a reader has not seen yet; `undefined` means all of it. */
  tail?(event: Numbered<E>, seen: number): Numbered<E> | undefined
}

/** The start position and the owner of a reader. */
export interface Following<E> {
  /** The number of the last event that the reader saw; dropped events after it are skipped. */
  readonly after: number
  /** Sent first, to replace dropped events. */
  readonly standIn?: Numbered<E> | undefined
  /** The caller whose share the reader counts towards. */
  readonly holder: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  /** Ends the reader. */
  readonly signal: AbortSignal
}

/** The share of the limits to reduce to, so that not every event triggers a reduction. */
const freed = 0.9

/** The newest events of one run by number, and the readers that follow it. */
export class EventLog<E extends object> {
  readonly readers = new Set<Reader<E>>()
  /** The number of the newest event; 0 while there is none. */
  last = 0
  /** True after the last event. */
  closed = false
  /** Each event with the total bytes of all events up to and including it. */
  #stored: { readonly event: Numbered<E>; readonly end: number }[] = []
  /** Bytes of dropped events. */
  #before = 0
  /** The number of the newest dropped event. */
  #lost = 0
  readonly #most: LogLimits<E>

  constructor(most: LogLimits<E>) {
    this.#most = most
  }

  /** The number of the oldest stored event; one more than the newest while there is none. */
  get first(): number {
    return this.#lost + 1
  }

  /** Bytes of stored events. */
  get bytes(): number {
    return this.#endOf(this.last) - this.#before
  }

  /** Writes an event. Ignored after the last event. */
  write(event: E, { isLast = false } = {}): void {
    if (this.closed) return
    this.closed = isLast
    this.last++
    this.#push({ ...event, _seq: this.last })
    if (this.#isOver(1) && this.#most.thin) this.#thin(this.#most.thin)
    while (this.#isOver(1)) this.#drop()
    for (const reader of this.readers) reader.wake()
  }

  /** Adds a reader. */
  follow({ after, signal, ...start }: Following<E>): Reader<E> {
    const seen = Math.min(Math.max(after, this.first - 1), this.last)
    const reader = new Reader(this, { ...start, after: seen })
    // A reader that has already left must not be counted.
    if (signal.aborted) reader.end()
    else signal.addEventListener('abort', () => reader.end(), { once: true })
    return reader
  }

  /** Milliseconds that readers stay connected after the last event. */
  get linger(): number {
    return this.#most.linger ?? 0
  }

  /** Ends readers that do not keep up, and those that have received the last event. */
  judge(now: number): void {
    for (const reader of this.readers) reader.judge(now)
  }

  /** Returns an event by number, or the next one if it was merged; `undefined` if dropped or future. */
  at(number: number): Numbered<E> | undefined {
    const event = number < this.first ? undefined : this.#stored[this.#indexOf(number)]?.event
    return event && (this.#most.tail?.(event, number - 1) ?? event)
  }

  /** Returns the bytes of the stored events after one number and up to another. */
  bytesBetween(after: number, upTo: number): number {
    return Math.max(0, this.#endOf(upTo) - this.#endOf(after))
  }

  #push(event: Numbered<E>): void {
    const before = this.#stored.at(-1)?.end ?? this.#before
    this.#stored.push({ event, end: before + Buffer.byteLength(JSON.stringify(event)) })
  }

  #thin(thin: NonNullable<LogLimits<E>['thin']>): void {
    const events = thin(this.#stored.map(({ event }) => event))
    this.#stored = []
    for (const event of events) this.#push(event)
    while (this.#isOver(freed)) this.#drop()
  }

  #isOver(share: number): boolean {
    const { events, bytes } = this.#most
    return this.#stored.length > 1 && (this.#stored.length > events * share || this.bytes > bytes * share)
  }

  #drop(): void {
    const oldest = this.#stored.shift()
    this.#before = oldest?.end ?? 0
    this.#lost = oldest?.event._seq ?? this.last
  }

  /** Returns the index of the first stored event with at least this number. */
  #indexOf(number: number): number {
    let [low, high] = [0, this.#stored.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#stored[middle]?.event._seq ?? number) < number) low = middle + 1
      else high = middle
    }
    return low
  }

  #endOf(number: number): number {
    return this.#stored[this.#indexOf(number + 1) - 1]?.end ?? this.#before
  }
}

/** The maximum bytes of JSON that may wait over a second for a reader, without events before it connected. */
const mostWaiting = 64 * 1024
const judgedEvery = 1_000
/** A reader that takes nothing during this many checks in a row is considered gone. */
const mostStalls = 30

/**
 * One connection that follows a run: a position in its log, so that waiting costs no memory.
 *
 * A reader that does not keep up is ended; the client can reconnect and ask for the missed events.
 */
export class Reader<E extends object> implements AsyncIterable<ServerEvent<Numbered<E>>> {
  readonly holder: string | undefined
  readonly #log: EventLog<E>
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
  /** When it was first seen to have received the last event. */
  #atEnd: number | undefined

  constructor(log: EventLog<E>, { after, standIn, holder, now }: Omit<Following<E>, 'signal'>) {
    this.holder = holder
    this.#log = log
    this.#standIn = standIn
    this.#next = after + 1
    this.#joined = log.last
    this.#judged = { at: now, next: this.#next, last: log.last }
    log.readers.add(this)
  }

  /** Signals a new event in the log. */
  readonly wake = (): void => this.#frames.wake()

  end(): void {
    this.#ended = true
    this.#log.readers.delete(this)
    this.wake()
  }

  /** Ends the reader if it does not keep up, or has received the last event long enough ago. */
  judge(now: number): void {
    if (this.#log.closed && this.#next > this.#log.last) {
      this.#atEnd ??= now
      if (now - this.#atEnd >= this.#log.linger) return this.end()
    }
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
    const isOver = this.#log.closed && this.#log.linger === 0
    if (!event && (isOver || this.#next < this.#log.first)) this.end()
    return event && { id: String(event._seq), data: event }
  }
}
