import { refusals } from '../refusals.ts'
import type { HeaderList } from './headers.ts'
import { counted, targetBelow, toAnswer } from './message.ts'
import type { Dispatch, HttpRequest, HttpResponse, RequestTarget } from './message.ts'

export type WebHandler = (request: Request) => Promise<Response>

/** The transport for web `Request` objects of frameworks and edge runtimes. */
export function toWebHandler(dispatch: Dispatch, basePath = ''): WebHandler {
  return async (request) => {
    const target = targetBelow(basePath, withoutOrigin(request.url))
    if (!target) return toResponse(request.method, toAnswer(refusals.notFound()))
    const inbound = new WebRequest(request, target)
    const answer = dispatch(inbound)
    return toResponse(request.method, answer instanceof Promise ? await answer : answer, () =>
      inbound.leave(),
    )
  }
}

/** Returns the path and query of an absolute, normalized URL. */
function withoutOrigin(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const hash = url.indexOf('#', start)
  return url.slice(start, hash === -1 ? url.length : hash)
}

/** Reads lazy properties of a framework, such as the body or the signal, only when needed. */
class WebRequest implements HttpRequest {
  readonly method: string
  readonly path: string
  readonly search: string
  /** A stream may yield memory that its source still uses. */
  readonly isDisposable = false
  /** A web request has no peer address. */
  readonly remote: undefined
  readonly httpVersion: undefined
  readonly #request: Request
  #headers: Headers | undefined
  #gone: AbortController | undefined
  #isCancelled = false

  constructor(request: Request, { path, search }: RequestTarget) {
    this.method = request.method
    this.path = path
    this.search = search
    this.#request = request
  }

  get secure(): boolean {
    return this.#request.url.startsWith('https:')
  }

  get headers(): Headers {
    return (this.#headers ??= this.#request.headers)
  }

  readonly header = (name: string): string | undefined => this.headers.get(name) ?? undefined

  /** Some frameworks abort the request when the caller disconnects, others only cancel the body of the answer. */
  get signal(): AbortSignal {
    const gone = (this.#gone ??= new AbortController())
    if (this.#isCancelled) gone.abort()
    return AbortSignal.any([this.#request.signal, gone.signal])
  }

  get hasBody(): boolean {
    return this.method !== 'GET' && this.method !== 'HEAD' && this.#request.body !== null
  }

  async read(limit: number, onBytes: (bytes: number) => void): Promise<Uint8Array> {
    return Buffer.concat(await Array.fromAsync(this.stream(limit, onBytes)))
  }

  async *stream(limit: number, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
    const { body, bodyUsed } = this.#request
    if (bodyUsed) throw refusals.bodyAlreadyRead()
    if (body) yield* counted(body, limit, onBytes)
  }

  /** Notifies present and future listeners that the body of the answer was cancelled. */
  leave(): void {
    this.#isCancelled = true
    this.#gone?.abort()
  }
}

function toResponse(
  method: string,
  { status, headers: list, body }: HttpResponse,
  onCancel = (): void => undefined,
): Response {
  const headers = toHeaders(list)
  const bodyless = method === 'HEAD' || status === 204 || status === 304 || body === null
  if (bodyless) return new Response(null, { status, headers })
  if (typeof body === 'string') return new Response(body, { status, headers })
  if (body instanceof Uint8Array) return new Response(new Uint8Array(body), { status, headers })
  return new Response(toReadable(body, onCancel), { status, headers })
}

/** Returns an object, the fastest form for a response, unless a name is repeated. */
function toHeaders(list: HeaderList): Record<string, string> | [string, string][] {
  const headers: Record<string, string> = {}
  for (let at = 0; at < list.length; at += 2) {
    const name = list[at] ?? ''
    if (headers[name] !== undefined) {
      return list.flatMap((each, index): [string, string][] =>
        index % 2 === 0 ? [[each, list[index + 1] ?? '']] : [],
      )
    }
    headers[name] = list[at + 1] ?? ''
  }
  return headers
}

function toReadable(body: AsyncIterable<Uint8Array>, onCancel: () => void): ReadableStream<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      onCancel()
      await iterator.return?.()
    },
  })
}
