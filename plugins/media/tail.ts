/** The last bytes of a stream, behind zeros while fewer have come. */
export interface Tail {
  add(part: Buffer): void
  readonly bytes: Buffer
}

/** Keeps the last bytes of a stream in one place: a copy for each part would cost more than the file. */
export function createTail(length: number): Tail {
  const bytes = Buffer.alloc(length)
  return {
    bytes,
    add(part) {
      const count = Math.min(part.length, length)
      bytes.copyWithin(0, count)
      part.copy(bytes, length - count, part.length - count)
    },
  }
}
