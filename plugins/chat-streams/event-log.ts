import type { Ending, Heartbeat, StreamEvent, Told } from './schemas.ts'

interface Kept {
  readonly event: StreamEvent
  /** Bytes of all events up to and with this one. */
  readonly end: number
}

/** What is kept of one run: so many events, and so many bytes of them. The newest is always kept. */
const most = { events: 2_000, bytes: 5 * 1024 * 1024 }

/** The events of one run under their numbers, the newest of them kept for whoever comes back. */
export class EventLog {
  #kept: Kept[] = []
  /** Bytes of what is not kept any more. */
  #before = 0

  /** The number of the newest event; 0 while there is none. */
  last = 0
  /** True once nothing more will come. */
  closed = false
  readonly #onWrite: () => void

  constructor(onWrite: () => void) {
    this.#onWrite = onWrite
  }

  /** The number of the oldest event that is kept; one more than the newest while there is none. */
  get first(): number {
    return this.last - this.#kept.length + 1
  }

  /** Bytes that are kept. */
  get bytes(): number {
    return this.#endOf(this.last) - this.#before
  }

  write(event: Told | Heartbeat | Ending): void {
    const numbered: StreamEvent = { ...event, _seq: this.last + 1 }
    const end = this.#endOf(this.last) + Buffer.byteLength(JSON.stringify(numbered))
    this.#kept.push({ event: numbered, end })
    this.last++
    while (this.#kept.length > most.events || (this.bytes > most.bytes && this.#kept.length > 1)) {
      this.#before = this.#kept.shift()?.end ?? 0
    }
    this.#onWrite()
  }

  at(number: number): StreamEvent | undefined {
    return this.#kept[number - this.first]?.event
  }

  /** Bytes of the events after one and up to another, as far as they are kept. */
  bytesBetween(after: number, upTo: number): number {
    return Math.max(0, this.#endOf(upTo) - this.#endOf(after))
  }

  #endOf(number: number): number {
    return this.#kept[number - this.first]?.end ?? this.#before
  }
}
