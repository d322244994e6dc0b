import type { Outbound } from '../outbound/port.ts'

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** What a call needs. Whatever else a library would tell about this machine stays here. */
const sentHeaders: ReadonlySet<string> = new Set(['anthropic-beta', 'anthropic-version', 'authorization', 'x-api-key'])
const mostBytes = 64 * 1024 * 1024
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * Makes a fetch for the library of a provider, which posts to addresses below one base and nothing else.
 *
 * The operator chose the base, so that it may lie on a private network. Redirects are not followed: the request carries the
 * key, which is meant for the base alone.
 */
export function guardedFetch(outbound: Pick<Outbound, 'stream'>, { base, timeoutMs }: { readonly base: string; readonly timeoutMs: number }): Fetch {
  const { origin, pathname } = new URL(base)
  const below = pathname.endsWith('/') ? pathname : `${pathname}/`
  return async (input, { headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== origin || !url.pathname.startsWith(below)) {
      throw new Error('a call of the model may go to its base address only')
    }
    const left = new AbortController()
    const answer = await outbound.stream(url, {
      method: 'POST',
      json: Buffer.from(typeof body === 'string' ? body : ''),
      headers: Object.fromEntries([...new Headers(headers)].filter(([name]) => sentHeaders.has(name))),
      maxBytes: mostBytes,
      timeoutMs,
      followsRedirects: false,
      allowOrigins: [origin],
      signal: signal ? AbortSignal.any([signal, left.signal]) : left.signal,
    })
    const { status } = answer
    return new Response(withoutBody.has(status) ? null : toWebStream(answer.body, () => left.abort()), { status, headers: answer.headers })
  }
}

function toWebStream(body: AsyncIterable<Uint8Array>, cancel: () => void): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel,
  })
}
