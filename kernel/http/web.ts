import { refusals } from '../refusals.ts'
import { withDefaults } from './headers.ts'
import { below, type Dispatch, type Inbound, type Outbound } from './message.ts'

export type WebHandler = (request: Request) => Promise<Response>

const nothingHere: Outbound = {
  status: 404,
  headers: withDefaults({ 'content-type': 'application/json; charset=utf-8' }),
  body: JSON.stringify(refusals.notFound().toBody()),
}

/** The way in from a web `Request`, as frameworks and edge runtimes hand it over. */
export function toWebHandler(dispatch: Dispatch, basePath = ''): WebHandler {
  return async (request) => {
    const { pathname, search, protocol } = new URL(request.url)
    const path = below(basePath, pathname)
    if (path === undefined) return toResponse(request.method, nothingHere)
    const gone = new AbortController()
    const inbound = toInbound(request, { path, search: search.slice(1), secure: protocol === 'https:', gone: gone.signal })
    return toResponse(request.method, await dispatch(inbound), () => gone.abort())
  }
}

interface Target extends Pick<Inbound, 'path' | 'search' | 'secure'> {
  /** Aborts when the body of the answer is cancelled. */
  readonly gone: AbortSignal
}

function toInbound(request: Request, { gone, ...target }: Target): Inbound {
  return {
    ...target,
    method: request.method,
    // A web request does not say who sent it.
    remote: undefined,
    header: (name) => request.headers.get(name) ?? undefined,
    headers: request.headers,
    // Some frameworks abort the request when the caller goes away, others only cancel the body of the answer.
    get signal() {
      return AbortSignal.any([request.signal, gone])
    },
    hasBody: request.body !== null,
    async read(limit) {
      const chunks: Uint8Array[] = []
      for await (const chunk of bytesOf(request, limit)) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    stream: (limit) => bytesOf(request, limit),
  }
}

async function* bytesOf({ body }: Request, limit: number): AsyncGenerator<Uint8Array> {
  if (!body) return
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) throw refusals.bodyTooLarge(limit)
    yield chunk
  }
}

function toResponse(method: string, { status, headers: list, body }: Outbound, onCancel = (): void => undefined): Response {
  const headers = new Headers()
  for (let at = 0; at < list.length; at += 2) headers.append(list[at] ?? '', list[at + 1] ?? '')
  const bodyless = method === 'HEAD' || status === 204 || status === 304 || body === null
  if (bodyless) return new Response(null, { status, headers })
  if (typeof body === 'string') return new Response(body, { status, headers })
  if (body instanceof Uint8Array) return new Response(new Uint8Array(body), { status, headers })
  return new Response(toReadable(body, onCancel), { status, headers })
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
