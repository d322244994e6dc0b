/** An event under its number. */
export type Numbered<E> = E & { readonly _seq: number }

interface Kept<E> {
  readonly event: Numbered<E>
  /** Bytes of all events up to and with this one. */
  readonly end: number
}

/** Most events of one run, and most bytes of them. The newest event is always kept. */
export interface LogLimits<E> {
  readonly events: number
  readonly bytes: number
  /** Merges events beyond the limits; without it, and where that is not enough, the oldest are dropped. */
  thin?(events: readonly Numbered<E>[]): readonly Numbered<E>[]
  /** The part of a merged event that a reader has not seen yet; `undefined` is all of it. */
  tail?(event: Numbered<E>, seen: number): Numbered<E> | undefined
}

const usual = { events: 2_000, bytes: 5 * 1024 * 1024 }
/** The share of the limits to reduce to, so that it is not done for every event. */
const freed = 0.9

/** The newest events of one run under their numbers, for clients that reconnect. */
export class EventLog<E extends object> {
  #kept: Kept<E>[] = []
  /** Bytes of dropped events. */
  #before = 0
  /** The number of the newest dropped event. */
  #lost = 0

  /** The number of the newest event; 0 while there is none. */
  last = 0
  /** True after the last event. */
  closed = false
  readonly #onWrite: () => void
  readonly #most: LogLimits<E>

  constructor(onWrite: () => void, most: LogLimits<E> = usual) {
    this.#onWrite = onWrite
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

  write(event: E): void {
    this.last++
    this.#push({ ...event, _seq: this.last })
    if (this.#isOver(1) && this.#most.thin) this.#thin(this.#most.thin)
    while (this.#isOver(1)) this.#drop()
    this.#onWrite()
  }

  /** The event of a number, or the next one where that was merged; `undefined` for a dropped or future one. */
  at(number: number): Numbered<E> | undefined {
    const event = number < this.first ? undefined : this.#kept[this.#indexOf(number)]?.event
    return event && (this.#most.tail?.(event, number - 1) ?? event)
  }

  /** Bytes of the stored events after one and up to another. */
  bytesBetween(after: number, upTo: number): number {
    return Math.max(0, this.#endOf(upTo) - this.#endOf(after))
  }

  #push(event: Numbered<E>): void {
    const before = this.#kept.at(-1)?.end ?? this.#before
    this.#kept.push({ event, end: before + Buffer.byteLength(JSON.stringify(event)) })
  }

  #thin(thin: NonNullable<LogLimits<E>['thin']>): void {
    const events = thin(this.#kept.map(({ event }) => event))
    this.#kept = []
    for (const event of events) this.#push(event)
    while (this.#isOver(freed)) this.#drop()
  }

  #isOver(share: number): boolean {
    return this.#kept.length > 1 && (this.#kept.length > this.#most.events * share || this.bytes > this.#most.bytes * share)
  }

  #drop(): void {
    const oldest = this.#kept.shift()
    this.#before = oldest?.end ?? 0
    this.#lost = oldest?.event._seq ?? this.last
  }

  /** The index of the first stored event from a number on. */
  #indexOf(number: number): number {
    let [low, high] = [0, this.#kept.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#kept[middle]?.event._seq ?? number) < number) low = middle + 1
      else high = middle
    }
    return low
  }

  #endOf(number: number): number {
    return this.#kept[this.#indexOf(number + 1) - 1]?.end ?? this.#before
  }
}
