import { Buffer } from 'node:buffer'

const lineBreak = 0x0a

/**
 * Gives what comes in by whole lines, of at most so many bytes.
 *
 * The library joins and searches anew what it has for each piece that arrives: a picture of a few megabytes would keep it busy for
 * half a minute. Throws for a line that is longer, which ends the input.
 */
export async function* wholeLines(input: AsyncIterable<Uint8Array | string>, mostBytes: number): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of input) {
    const bytes = Buffer.from(piece)
    pieces.push(bytes)
    size += bytes.byteLength
    if (size > mostBytes) throw new Error(`A message has more than ${mostBytes} bytes.`)
    if (!bytes.includes(lineBreak)) continue
    yield Buffer.concat(pieces)
    pieces = []
    size = 0
  }
}
