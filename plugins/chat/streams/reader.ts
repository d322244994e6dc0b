import { asyncQueue, type ServerEvent } from '../../../kernel/index.ts'
import type { Batch, Numbered } from './rows.ts'
import type { LogLimits } from './writer.ts'

/** The start position and the owner of a reader. */
export interface ReaderStart<E> {
  /** The number of the last event that the reader saw. */
  readonly after: number
  /** Sent first, to replace dropped events. */
  readonly standIn?: Numbered<E> | undefined
  /** The caller whose share the reader counts towards. */
  readonly holder: string | undefined
  /**
   * The maximum of milliseconds that the reader waits for its client to leave after the last event; default:
   * 0.
   */
  readonly lingerMs?: number | undefined
  /** Ends the reader. */
  readonly signal: AbortSignal
}

/** The maximum number of rows that are read at once. */
export const rowsAtOnce = 16

interface ReaderGiven<E extends object> extends ReaderStart<E> {
  readonly limits: Pick<LogLimits<E>, 'unseen'>
  /** Reads the next rows after a number. */
  read(after: number): Promise<readonly Batch<E>[]>
  onEnd(): void
}

/** One connection that follows the table of a run. */
export type RunReader<E extends object> = ReturnType<typeof createReader<E>>

/** Creates a reader, which reads when its client takes events. */
export function createReader<E extends object>(given: ReaderGiven<E>) {
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
    if (lost >= next && (fresh[0]?._seq ?? next) > next) return end()
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
    if (!event && hasLast && lingerMs === 0) end()
    return event && { id: String(event._seq), data: event }
  }
  const isDone = (): boolean => hasLast && unsent.length === 0
  const frames = asyncQueue({ take, isOver: () => hasEnded, leave: end })

  function end(): void {
    if (hasEnded) return
    hasEnded = true
    // The signal of a token lives as long as the token, and would hold the reader.
    signal.removeEventListener('abort', end)
    onEnd()
    frames.wake()
  }

  signal.addEventListener('abort', end)
  return {
    ...frames,
    holder,
    /** True once it has received the last event, and only waits for its client to leave. */
    get isDone(): boolean {
      return isDone()
    },
    /** True if rows may be there that it has not read. */
    get isBehind(): boolean {
      return isBehind && !filling
    },
    /** Signals new rows. */
    wake(): void {
      isBehind = true
      frames.wake()
    },
    /** Reads what is there, for a client that still takes it. */
    async catchUp(): Promise<void> {
      await filling
      isBehind = true
      await fill()
    },
    /** Ends the reader after the events that it has read. */
    end,
    /** Ends the reader if it has received the last event long enough ago. */
    judge(now: number): void {
      if (!isDone()) return
      atEnd ??= now
      if (now - atEnd >= lingerMs) end()
    },
  }
}
