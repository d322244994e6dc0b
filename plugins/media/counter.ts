import { createTail } from './tail.ts'

/** Counts how often some bytes stand in a stream, also across the seams of its parts. */
export interface Counter {
  add(part: Buffer): void
  readonly count: number
}

/** Makes the counter of a text of one byte a character, two at least. */
export function createCounter(text: string): Counter {
  const wanted = Buffer.from(text, 'latin1')
  const overlap = wanted.length - 1
  const before = createTail(overlap)
  const seam = Buffer.alloc(overlap * 2)
  let count = 0
  const countIn = (bytes: Buffer): void => {
    for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + wanted.length)) count++
  }
  return {
    add(part) {
      before.bytes.copy(seam)
      part.copy(seam, overlap)
      countIn(seam.subarray(0, overlap + Math.min(part.length, overlap)))
      countIn(part)
      before.add(part)
    },
    get count() {
      return count
    },
  }
}
