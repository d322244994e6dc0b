/** Joins and cuts bytes to pieces of `length`, of which the last one may be shorter. Each piece has memory of its own. */
export async function* pieces(
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let piece = new Uint8Array(length)
  let filled = 0
  for await (let part of bytes instanceof Uint8Array ? [bytes] : bytes) {
    while (part.length > 0) {
      const taken = part.subarray(0, length - filled)
      piece.set(taken, filled)
      filled += taken.length
      part = part.subarray(taken.length)
      if (filled < length) continue
      yield piece
      piece = new Uint8Array(length)
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}
