import { createTail } from './tail.ts'

/** Counts texts of one byte a character in a stream, also across the seams of its parts. */
export interface Counter {
  add(part: Buffer): void
  /** How often one of the texts has come. */
  of(text: string): number
}

/** Makes the counter of some texts. */
export function createCounter(texts: readonly string[]): Counter {
  const wanted = texts.map((text) => ({ text, bytes: Buffer.from(text, 'latin1'), count: 0 }))
  const half = Math.max(...texts.map(({ length }) => length))
  const before = createTail(half)
  const seam = Buffer.alloc(2 * half)
  return {
    add(part) {
      before.bytes.copy(seam)
      part.copy(seam.fill(0, half), half)
      for (const each of wanted) {
        const { bytes } = each
        const across = seam.indexOf(bytes, half - bytes.length + 1)
        if (across !== -1 && across < half) each.count++
        for (let at = part.indexOf(bytes); at !== -1; at = part.indexOf(bytes, at + bytes.length)) each.count++
      }
      before.add(part)
    },
    of: (text) => wanted.find((each) => each.text === text)?.count ?? 0,
  }
}
