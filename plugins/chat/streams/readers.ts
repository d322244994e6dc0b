import type { Reader as StoreReader } from '../../store/port.ts'
import { createReader, type ReaderStart, type RunReader, rowsAtOnce } from './reader.ts'
import { type Batch, eventKey } from './rows.ts'
import type { LogLimits } from './writer.ts'

interface ReadersGiven<E extends object> {
  readonly limits: LogLimits<E>
  readonly events: StoreReader<Batch<E>, {}>
  /** Called when the last reader of a run has left. */
  onNoReaders(run: string): void
}

/** Creates the open connections of this process, by run. */
export function createReaders<E extends object>({ events, limits, onNoReaders }: ReadersGiven<E>) {
  const open = new Map<string, Set<RunReader<E>>>()
  const of = (run: string): readonly RunReader<E>[] => [...(open.get(run) ?? [])]
  const all = (): readonly RunReader<E>[] => [...open.values()].flatMap((each) => [...each])

  function leave(run: string, reader: RunReader<E>): void {
    open.get(run)?.delete(reader)
    if (open.get(run)?.size === 0 && open.delete(run)) onNoReaders(run)
  }

  return {
    all,
    runs: (): readonly string[] => [...open.keys()],
    add(run: string, start: ReaderStart<E>): RunReader<E> {
      const read = async (after: number): Promise<readonly Batch<E>[]> =>
        (await events.list(run, { after: eventKey(after), limit: rowsAtOnce })).map(({ body }) => body)
      const onEnd = (): void => leave(run, reader)
      const reader = createReader<E>({ ...start, limits, read, onEnd })
      open.set(run, (open.get(run) ?? new Set()).add(reader))
      // A reader that has already left must not be counted.
      if (start.signal.aborted) reader.end()
      return reader
    },
    /** Signals new rows of a run. */
    wake: (run: string): void => of(run).forEach((reader) => reader.wake()),
    end: (run: string): void => of(run).forEach((reader) => reader.end()),
    /** Ends readers that are done, and lets those read again whose last read has failed. */
    tick(now: number): void {
      for (const reader of all()) {
        reader.judge(now)
        if (reader.isBehind) reader.wake()
      }
    },
    /** Ends all readers, after what they can still read. */
    async close(): Promise<void> {
      await Promise.all(all().map((reader) => reader.catchUp()))
      for (const reader of all()) reader.end()
    },
  }
}
