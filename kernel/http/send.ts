import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpResponse } from './message.ts'
import type { Reader } from './readers.ts'

/** Writes an answer to `node:http` at the pace of its client, and ends the request for its connection. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
  reader: Reader,
): void | Promise<void> {
  if (response.destroyed) return reader.end(response)
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    const unread = !request.complete && announcesBody(request)
    if (unread) response.shouldKeepAlive = false
    const length = lengthOf(body)
    response.writeHead(
      status,
      bodyless(status) ? [...headers] : [...headers, 'content-length', String(length)],
    )
    const bytes = request.method === 'HEAD' ? null : body
    if (unread) return linger(request, response, bytes, reader)
    if (bytes !== null && length > partBytes) return pump(chunksOf(bytes, reader), response, reader)
    return finish(response, reader, bytes)
  }
  response.writeHead(status, [...headers])
  if (request.method === 'HEAD') return finish(response, reader)
  return pump(body, response, reader)
}

export const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

const bodyless = (status: number): boolean => status === 204 || status === 304
const lengthOf = (body: string | Uint8Array | null): number => (body === null ? 0 : Buffer.byteLength(body))

/** The overhead of an answer in bytes: its headers and objects. */
const overheadBytes = 1024

/** Ends an answer. The socket usually accepts it at once; otherwise the rest waits for the client. */
function finish(
  response: ServerResponse,
  reader: Reader,
  body: string | Uint8Array | null = null,
  written = 0,
): void {
  response.end(body ?? undefined)
  if (response.destroyed || response.writableLength === 0) return reader.end(response)
  const bytes = lengthOf(body) + written + overheadBytes
  reader.hold(bytes)
  response.once('close', () => {
    reader.taken(bytes)
    reader.end(response)
  })
}

const lingerMs = 2000

/**
 * Answers a request whose body was not read, and lets the peer finish sending for a moment.
 *
 * Closing at once would reset the connection, which the peer would see instead of the answer. The rest is
 * read with pauses, so that many such peers do not delay others.
 */
function linger(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | Uint8Array | null,
  reader: Reader,
): void {
  const written = lengthOf(body)
  if (body !== null) response.write(body)
  reader.hold(written)
  const end = (): void => {
    clearTimeout(timer)
    request.removeListener('end', end).removeListener('close', end).removeListener('data', slowDown)
    reader.taken(written)
    finish(response, reader, null, written)
  }
  const slowDown = (): void => {
    request.pause()
    setTimeout(() => request.resume(), 1).unref()
  }
  const timer = setTimeout(end, lingerMs).unref()
  request.once('end', end).once('close', end).on('data', slowDown).resume()
}

/** Bytes per write, to make the progress of a slow client of a large answer visible. */
const partBytes = 64 * 1024

async function* chunksOf(body: string | Uint8Array, reader: Reader): AsyncGenerator<Uint8Array> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  let remaining = bytes.byteLength
  reader.hold(remaining)
  try {
    for (let at = 0; at < bytes.byteLength; at += partBytes) {
      const next = bytes.subarray(at, at + partBytes)
      yield next
      remaining -= next.byteLength
      reader.taken(next.byteLength)
    }
  } finally {
    reader.taken(remaining)
  }
}

/** Writes a stream at the pace of its client. */
async function pump(
  body: AsyncIterable<Uint8Array>,
  response: ServerResponse,
  reader: Reader,
): Promise<void> {
  const iterator = body[Symbol.asyncIterator]()
  // The source of the stream has already logged this error.
  const onClose = (): void => void iterator.return?.().catch(() => undefined)
  response.once('close', onClose)
  try {
    for (;;) {
      const { done, value } = await iterator.next()
      if (done || response.destroyed) break
      // A chunk that the socket accepted completely needs no wait.
      if (!response.write(value) && response.writableLength > 0)
        await drained(response, reader, value.byteLength)
    }
    finish(response, reader)
  } catch {
    // The status is sent, so only a broken connection can show that the answer is incomplete.
    response.destroy()
    reader.end(response)
  } finally {
    response.removeListener('close', onClose)
    onClose()
  }
}

function drained(response: ServerResponse, reader: Reader, bytes: number): Promise<void> {
  reader.hold(bytes)
  return new Promise((resolve) => {
    const go = (): void => {
      reader.taken(bytes)
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.once('drain', go).once('close', go)
  })
}
