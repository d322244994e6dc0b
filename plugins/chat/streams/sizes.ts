import type { Numbered } from './rows.ts'

interface Size {
  readonly seq: number
  readonly bytes: number
}

/** The bytes after which events go to the next row. */
const rowBytes = 64 * 1024

const sizeOf = (event: Numbered<object>): Size => ({
  seq: event._seq,
  bytes: Buffer.byteLength(JSON.stringify(event)),
})

export type Sizes = ReturnType<typeof createSizes>

/** Creates the sizes of the events of a log, within a maximum number and bytes. */
export function createSizes(most: { readonly events: number; readonly bytes: number }) {
  let list: Size[] = []
  let sum = 0
  /** True beyond a share of the limits; never for one event alone. */
  const isOver = (share: number): boolean =>
    list.length > 1 && (list.length > most.events * share || sum > most.bytes * share)
  return {
    isOver,
    bytes: (): number => sum,
    after: (number: number): readonly Size[] => list.filter(({ seq }) => seq > number),
    add(event: Numbered<object>): void {
      const size = sizeOf(event)
      list.push(size)
      sum += size.bytes
    },
    /** Drops the oldest beyond a share of the limits; returns the number of the newest dropped one, or 0. */
    drop(share: number): number {
      let dropped = 0
      while (isOver(share)) {
        const oldest = list.shift()
        sum -= oldest?.bytes ?? 0
        dropped = oldest?.seq ?? 0
      }
      return dropped
    },
    set(sizes: readonly Size[]): void {
      list = [...sizes]
      sum = list.reduce((total, { bytes }) => total + bytes, 0)
    },
  }
}

/** Splits events into those of one row each. */
export function batchesOf<E extends object>(events: readonly Numbered<E>[]): readonly Numbered<E>[][] {
  const parts: Numbered<E>[][] = []
  let bytes = rowBytes
  for (const event of events) {
    if (bytes >= rowBytes) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(event)
    bytes += sizeOf(event).bytes
  }
  return parts
}
