import { asyncQueue, type ServerEvent } from '../../../kernel/index.ts'
import type { Batch, Numbered } from './rows.ts'
import type { LogLimits } from './writer.ts'

/** The start position and the owner of a reader. */
export interface Following<E> {
  /** The number of the last event that the reader saw. */
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

/** The maximum number of rows that are read at once. */
export const rowsAtOnce = 16

interface ReaderGiven<E extends object> extends Following<E> {
  readonly limits: Pick<LogLimits<E>, 'unseen'>
  /** Reads the next rows after a number. */
  read(after: number): Promise<readonly Batch<E>[]>
  onEnd(): void
}

/** One connection that follows the table of a run. */
export interface Reader<E extends object> extends AsyncIterable<ServerEvent<Numbered<E>>> {
  readonly holder: string | undefined
  /** True once it has received the last event, and only waits for its client to leave. */
  readonly isDone: boolean
  /** True if rows may be there that it has not read. */
  readonly isBehind: boolean
  /** Signals new rows. */
  wake(): void
  /** Reads what is there, for a client that still takes it. */
  catchUp(): Promise<void>
  /** Ends the reader after the events that it has read. */
  end(): void
  /** Ends the reader if it has received the last event long enough ago. */
  judge(now: number): void
}

/** Creates a reader, which reads when its client takes events. */
export function createReader<E extends object>(given: ReaderGiven<E>): Reader<E> {
  const { after, standIn, holder, lingerMs = 0, signal, read, limits, onEnd } = given
  const unsent: Numbered<E>[] = standIn ? [standIn] : []
  /** The number of the next event. */
  let next = after + 1
  let [isBehind, hasLast, hasEnded] = [true, false, false]
  let filling: Promise<void> | undefined
  /** When it was first seen to have received the last event. */
  let atEnd: number | undefined

  function accept({ lost, events, isLast }: Batch<E>): void {
    const fresh = events.filter(({ _seq }) => _seq >= next)
    // At dropped events: a reconnecting client gets the current state.
    if (lost >= next && (fresh[0]?._seq ?? next) > next) return reader.end()
    for (const event of fresh) {
      unsent.push(limits.unseen?.(event, next - 1) ?? event)
      next = event._seq + 1
    }
    hasLast ||= isLast
  }

  async function readNext(): Promise<void> {
    isBehind = false
    try {
      const rows = await read(next - 1)
      isBehind ||= rows.length === rowsAtOnce
      for (const row of rows) if (!hasEnded) accept(row)
      frames.wake()
    } catch {
      // The store cannot be read now; the next wake reads again.
      isBehind = true
    } finally {
      filling = undefined
    }
  }
  async function fill(): Promise<void> {
    if (isBehind && !hasLast && !hasEnded) await (filling ??= readNext())
  }

  function take(): ServerEvent<Numbered<E>> | undefined {
    if (unsent.length === 0 && !filling) void fill()
    const event = unsent.shift()
    if (!event && hasLast && lingerMs === 0) reader.end()
    return event && { id: String(event._seq), data: event }
  }
  const frames = asyncQueue({ take, isOver: () => hasEnded, leave: () => reader.end() })
  const leave = (): void => reader.end()

  const reader: Reader<E> = {
    ...frames,
    holder,
    get isDone() {
      return hasLast && unsent.length === 0
    },
    get isBehind() {
      return isBehind && !filling
    },
    wake() {
      isBehind = true
      frames.wake()
    },
    async catchUp() {
      await filling
      isBehind = true
      await fill()
    },
    end() {
      if (hasEnded) return
      hasEnded = true
      // The signal of a token lives as long as the token, and would hold the reader.
      signal.removeEventListener('abort', leave)
      onEnd()
      frames.wake()
    },
    judge(now) {
      if (!reader.isDone) return
      atEnd ??= now
      if (now - atEnd >= lingerMs) reader.end()
    },
  }
  signal.addEventListener('abort', leave)
  return reader
}
