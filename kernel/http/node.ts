import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Refusal } from '../errors.ts'
import { refusals } from '../refusals.ts'
import { counted, json, targetBelow } from './message.ts'
import type { Dispatch, HttpRequest, HttpResponse, RequestTarget } from './message.ts'
import { createReaders } from './readers.ts'
import { announcesBody, send } from './send.ts'

export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void | Promise<void>

const maxTarget = 8 * 1024
const maxHeaderLines = 200

const ownReaders = createReaders()

/** True while a handler without readers of its own sends an answer on this connection. */
export const isAnswering = (socket: Duplex): boolean => ownReaders(socket).isAnswering()

/** The transport of `node:http`. Passes requests outside of the base path to `next`, if given. */
export function toNodeHandler(dispatch: Dispatch, basePath = '', readerOf = ownReaders): NodeHandler {
  return (request, response, next) => {
    // Requests that a connection sent before it was closed are still parsed.
    if (request.socket.destroyed) return
    const target = targetOf(basePath, request)
    if (!target && next) return next()
    const reader = readerOf(request.socket)
    const tooMany = reader.begin(response)
    const reply = (outbound: HttpResponse): void | Promise<void> => send(request, response, outbound, reader)
    const refusal = validateRequestLine(request) ?? tooMany
    if (refusal || !target) return reply(toLastAnswer(refusal ?? refusals.notFound()))
    const fail = (error: unknown): void => {
      reader.end(response)
      if (!next) throw error
      next(error)
    }
    try {
      const answer = dispatch(new NodeRequest(request, response, target))
      return answer instanceof Promise ? answer.then(reply).catch(fail) : reply(answer)
    } catch (error) {
      fail(error)
    }
  }
}

/**
 * Returns the target of a request below a base path; `undefined` if it is elsewhere.
 *
 * Express and Connect strip their mount path from `url` and keep the complete path in `originalUrl`: a base
 * path that was configured for both is found in one of the two.
 */
function targetOf(basePath: string, request: IncomingMessage): RequestTarget | undefined {
  const own = targetBelow(basePath, request.url ?? '/')
  if (own || !('originalUrl' in request) || typeof request.originalUrl !== 'string') return own
  return targetBelow(basePath, request.originalUrl)
}

/**
 * Returns the refusal of a request that Node's parser accepts and this service does not.
 *
 * A missing or repeated Host, a target that is not a plain path or another version makes two readers see two
 * different requests. A flood of header lines makes older parsers drop the last ones, perhaps the token.
 */
function validateRequestLine({ url = '', rawHeaders, httpVersion }: IncomingMessage): Refusal | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return refusals.badRequest('Send an HTTP/1.1 request.')
  if (url.length > maxTarget) return refusals.urlTooLong(maxTarget)
  if (rawHeaders.length > maxHeaderLines * 2) return refusals.headersTooLarge(maxHeaderLines)
  if (!url.startsWith('/') || url.startsWith('//'))
    return refusals.badRequest('The request target is not a path on this server. Begin it with one slash.')
  const host = indexOfHeader(rawHeaders, 'host', 0)
  if (host === -1 && httpVersion !== '1.0') return refusals.badRequest('The request names no Host. Name one.')
  const another = host !== -1 && indexOfHeader(rawHeaders, 'host', host + 2) !== -1
  return another ? refusals.badRequest('The request names more than one Host. Name one.') : undefined
}

/** Returns the index of a header line by lower-case name, from a start index; -1 if there is none. */
function indexOfHeader(rawHeaders: readonly string[], name: string, from: number): number {
  for (let at = from; at < rawHeaders.length; at += 2) {
    const each = rawHeaders[at] ?? ''
    if (each === name || (each.length === name.length && each.toLowerCase() === name)) return at
  }
  return -1
}

/** Joins all lines of a header, of which Node drops some; `undefined` if there are none. */
function joinedLines(rawHeaders: readonly string[], name: string): string | undefined {
  const first = indexOfHeader(rawHeaders, name, 0)
  if (first === -1) return undefined
  let value = rawHeaders[first + 1]
  for (let at = first; (at = indexOfHeader(rawHeaders, name, at + 2)) !== -1;)
    value += `${name === 'cookie' ? '; ' : ', '}${rawHeaders[at + 1]}`
  return value
}

/** A refusal before the kernel runs, which closes the connection. */
const toLastAnswer = (refusal: Refusal): HttpResponse =>
  json(refusal.status, refusal.toBody(), { connection: 'close', ...refusal.headers })

class NodeRequest implements HttpRequest {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly header: HttpRequest['header']
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  #headers: Headers | undefined
  #gone: AbortController | undefined

  constructor(request: IncomingMessage, response: ServerResponse, { path, search }: RequestTarget) {
    this.method = request.method ?? 'GET'
    this.path = path
    this.search = search
    const { headers, rawHeaders } = request
    // Bound, because gates and policies destructure it.
    this.header = (name) => (headers[name] === undefined ? undefined : joinedLines(rawHeaders, name))
    this.#request = request
    this.#response = response
  }

  get secure(): boolean {
    return 'encrypted' in this.#request.socket && this.#request.socket.encrypted === true
  }

  get remote(): string | undefined {
    return this.#request.socket.remoteAddress
  }

  get httpVersion(): string {
    return this.#request.httpVersion
  }

  get hasBody(): boolean {
    return announcesBody(this.#request)
  }

  get isDisposable(): boolean {
    // Middleware before this mount may also read the body, and keep it.
    return this.#request.listenerCount('data') === 0
  }

  get headers(): Headers {
    if (!this.#headers) {
      this.#headers = new Headers()
      for (const [name, values] of Object.entries(this.#request.headersDistinct))
        for (const value of values ?? []) this.#headers.append(name, value)
    }
    return this.#headers
  }

  /** Aborted only if the answer was interrupted: aborting on every close costs more than the request. */
  get signal(): AbortSignal {
    if (!this.#gone) {
      const gone = (this.#gone = new AbortController())
      const response = this.#response
      const onClose = (): void => void (response.writableFinished || gone.abort())
      if (response.destroyed) onClose()
      else response.once('close', onClose)
    }
    return this.#gone.signal
  }

  read(limit: number, onBytes: (bytes: number) => void): Promise<Uint8Array> {
    const request = this.#request
    if (!this.hasBody) return Promise.resolve(new Uint8Array())
    const refusal = refusalOfBody(request, limit)
    if (refusal) return Promise.reject(refusal)
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let size = 0
      request.on('data', (chunk: Buffer) => {
        try {
          size += chunk.byteLength
          if (size > limit) throw refusals.bodyTooLarge(limit)
          onBytes(chunk.byteLength)
          chunks.push(chunk)
        } catch (refusal) {
          request.removeAllListeners('data').pause()
          chunks.length = 0
          reject(refusal)
        }
      })
      request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
      request.once('error', () => reject(cutShort()))
    })
  }

  async *stream(limit: number, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
    const request = this.#request
    if (!this.hasBody) return
    const refusal = refusalOfBody(request, limit)
    if (refusal) throw refusal
    // Destroyed with its reader, a refused body would reset the connection before the client has read the refusal.
    yield* counted(request.iterator({ destroyOnReturn: false }), limit, onBytes)
  }
}

const cutShort = (): Refusal => refusals.badRequest('The body ended before it was complete.')

/**
 * Refuses a body before it is read: one that will never arrive, is too long, or has a transfer coding other
 * than chunked, which this service does not decode.
 */
function refusalOfBody(
  { headers, readableEnded, readableDidRead, destroyed }: IncomingMessage,
  limit: number,
): Refusal | undefined {
  if (readableDidRead || readableEnded) return refusals.bodyAlreadyRead()
  if (destroyed) return cutShort()
  if (Number(headers['content-length'] ?? 0) > limit) return refusals.bodyTooLarge(limit)
  const coding = headers['transfer-encoding']
  if (coding === undefined || coding.toLowerCase() === 'chunked') return undefined
  return refusals.badRequest('Send the body with no other transfer-encoding than chunked.')
}
