import { pipeline, type Duplex, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { UpstreamFailure } from './port.ts'

const decoders = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
])

/** The offered encodings, as a value of `accept-encoding`. */
export const acceptedEncodings = 'gzip, br, deflate'

/**
 * Reads a body of at most `maxBytes`, counted after decompression, and destroys a larger one.
 *
 * Removes at most one layer of compression: layers multiply, so a few hundred bytes in three of them can
 * expand to more than a disk holds. Counts compressed bytes too, because a compressed stream may continue
 * forever without data.
 */
export async function readBody(
  body: Readable,
  { encoding, maxBytes }: { readonly encoding?: string | undefined; readonly maxBytes: number },
): Promise<Uint8Array> {
  let bytes = new Uint8Array(Math.min(maxBytes, 16 * 1024))
  let size = 0
  for await (const chunk of bodyPieces(body, { encoding, maxBytes })) {
    bytes = withRoomFor(size + chunk.length, bytes, maxBytes)
    bytes.set(chunk, size)
    size += chunk.length
  }
  return bytes.subarray(0, size)
}

/** Yields the body as it arrives, under the same rules. */
export function bodyPieces(
  body: Readable,
  { encoding = '', maxBytes }: Parameters<typeof readBody>[1],
): AsyncGenerator<Uint8Array> {
  return atMost(maxBytes, decoded(body, encoding.trim().toLowerCase(), maxBytes))
}

type Chunks = AsyncIterable<Uint8Array>

async function* decoded(body: Chunks, encoding: string, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (encoding === '' || encoding === 'identity') return yield* body
  const encoded = atMost(2 * maxBytes + 64 * 1024, body)
  const first = await encoded.next()
  // An answer without a body may also have an encoding, but is not a compressed stream.
  if (first.done) return
  const createDecoder = decoders.get(encoding)
  if (!createDecoder) throw new UpstreamFailure('wrong_type')
  yield* pipeline(inOrder([first.value], encoded), createDecoder(), () => undefined)
}

async function* inOrder(...parts: readonly (Iterable<Uint8Array> | Chunks)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield* part
}

async function* atMost(limit: number, source: Chunks): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > limit) throw new UpstreamFailure('too_large')
    yield chunk
  }
}

/**
 * Uses one growing buffer instead of a list of chunks: a server may send its body in chunks of one byte, and
 * an object for each takes a hundred times its size.
 */
function withRoomFor(needed: number, bytes: Uint8Array<ArrayBuffer>, maxBytes: number) {
  if (needed <= bytes.length) return bytes
  const larger = new Uint8Array(Math.min(maxBytes, Math.max(needed, 2 * bytes.length)))
  larger.set(bytes)
  return larger
}
