import { asyncQueue, type ServerEvent } from '../../kernel/index.ts'

/** An event with its number. */
export type Numbered<E> = E & { readonly _seq: number }

/** The maximum number and bytes of the events of one run. The newest event is always kept. */
export interface LogLimits<E> {
  readonly events: number
  readonly bytes: number
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
  /** The maximum of milliseconds that the reader waits for its client to leave after the last event; default: 0. */
  readonly lingerMs?: number | undefined
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
  /** Bytes of stored events. */
  bytes = 0
  /** Called after the last event. */
  onClose: () => void = () => undefined
  #stored: { readonly event: Numbered<E>; readonly bytes: number }[] = []
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

  /** Writes an event. Ignored after the last event. */
  write(event: E, { isLast = false } = {}): void {
    this.append({ ...event, _seq: this.last + 1 }, isLast)
  }

  /** Writes an event that has a number already, later than that of all others. */
  append(event: Numbered<E>, isLast = false): void {
    if (this.closed) return
    this.closed = isLast
    this.last = event._seq
    this.#push(event)
    if (this.#isOver(1) && this.#most.thin) this.#thin(this.#most.thin)
    while (this.#isOver(1)) this.#drop()
    for (const reader of this.readers) reader.wake()
    if (isLast) this.onClose()
  }

  /** Drops all events, and goes on after this number: those up to it are lost. */
  skip(to: number): void {
    this.#stored = []
    this.bytes = 0
    this.last = this.#lost = to
  }

  /** Returns the stored events after a number. */
  since(after: number): readonly Numbered<E>[] {
    const found: Numbered<E>[] = []
    const from = Math.max(after + 1, this.first)
    for (let event = this.at(from); event; event = this.at(event._seq + 1)) found.push(event)
    return found
  }

  /** Adds a reader. */
  follow({ after, signal, ...start }: Following<E>): Reader<E> {
    const from = Math.min(Math.max(after, this.#lost), this.last)
    const leave = (): void => reader.end()
    // The signal of a token lives as long as the token, and would keep the log.
    const onEnd = (): void => signal.removeEventListener('abort', leave)
    const reader = createReader(this, { ...start, after: from, onEnd })
    // A reader that has already left must not be counted.
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave)
    return reader
  }

  /** Ends readers that have received the last event long enough ago. */
  judge(now: number): void {
    for (const reader of this.readers) reader.judge(now)
  }

  /** Returns an event by number, or the next one if it was merged; `undefined` if dropped or future. */
  at(number: number): Numbered<E> | undefined {
    const event = number < this.first ? undefined : this.#stored[this.#indexOf(number)]?.event
    return event && (this.#most.tail?.(event, number - 1) ?? event)
  }

  #push(event: Numbered<E>): void {
    const bytes = Buffer.byteLength(JSON.stringify(event))
    this.#stored.push({ event, bytes })
    this.bytes += bytes
  }

  #thin(thin: NonNullable<LogLimits<E>['thin']>): void {
    const events = thin(this.#stored.map(({ event }) => event))
    this.#stored = []
    this.bytes = 0
    for (const event of events) this.#push(event)
    while (this.#isOver(freed)) this.#drop()
  }

  #isOver(share: number): boolean {
    const { events, bytes } = this.#most
    return this.#stored.length > 1 && (this.#stored.length > events * share || this.bytes > bytes * share)
  }

  #drop(): void {
    const oldest = this.#stored.shift()
    this.bytes -= oldest?.bytes ?? 0
    this.#lost = oldest?.event._seq ?? this.last
  }

  /** Returns the index of the first stored event with at least this number. Merged events leave gaps. */
  #indexOf(number: number): number {
    const guess = number - this.first
    if (this.#stored[guess]?.event._seq === number) return guess
    return this.#stored.findIndex(({ event }) => event._seq >= number)
  }
}

/** One connection that follows a run: a position in its log, so that waiting costs no memory. */
export interface Reader<E extends object> extends AsyncIterable<ServerEvent<Numbered<E>>> {
  readonly holder: string | undefined
  /** True once it has received the last event, and only waits for its client to leave. */
  readonly isDone: boolean
  /** Signals a new event in the log. */
  wake(): void
  end(): void
  /** Ends the reader if it has received the last event long enough ago. */
  judge(now: number): void
}

function createReader<E extends object>(
  log: EventLog<E>,
  {
    after,
    standIn,
    holder,
    lingerMs = 0,
    onEnd,
  }: Omit<Following<E>, 'signal'> & { readonly onEnd: () => void },
): Reader<E> {
  /** The number of the next event. */
  let next = after + 1
  let first = standIn
  let hasEnded = false
  /** When it was first seen to have received the last event. */
  let atEnd: number | undefined

  function take(): ServerEvent<Numbered<E>> | undefined {
    if (hasEnded) return undefined
    const event = first ?? log.at(next)
    if (event && !first) next = event._seq + 1
    first = undefined
    // At the end, or at dropped events: a reconnecting client gets the current state.
    if (!event && ((log.closed && lingerMs === 0) || next < log.first)) reader.end()
    return event && { id: String(event._seq), data: event }
  }
  const frames = asyncQueue({ take, isOver: () => hasEnded, leave: () => reader.end() })
  const reader: Reader<E> = {
    ...frames,
    holder,
    get isDone() {
      return log.closed && next > log.last
    },
    end() {
      hasEnded = true
      onEnd()
      log.readers.delete(reader)
      frames.wake()
    },
    judge(now) {
      if (!reader.isDone) return
      atEnd ??= now
      if (now - atEnd >= lingerMs) reader.end()
    },
  }
  log.readers.add(reader)
  return reader
}
