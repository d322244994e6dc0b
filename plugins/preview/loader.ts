import { createLimiter } from '../auth/port.ts'
import { UpstreamFailure, type Outbound, type OutboundStream } from '../outbound/port.ts'

const atOnce = 8
const mostRedirects = 3

/** What a page asked for, after redirects. */
export interface Loaded extends Pick<OutboundStream, 'status' | 'headers'> {
  readonly url: URL
  readonly body: Buffer
}

export interface LoaderOptions {
  readonly outbound: Pick<Outbound, 'stream'>
  /** The origin of the site. */
  readonly origin: string
  /** For all requests together. */
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Loads an address in the place of a browser; rejects as `outbound` does, also where all of them together are too large. */
export type Load = (url: URL, headers?: Readonly<Record<string, string>>) => Promise<Loaded>

/** Makes what loads everything of one page by the guarded way out, so that its rules hold for each request and each redirect. */
export function createLoad({ outbound, origin, maxBytes, timeoutMs, signal }: LoaderOptions): Load {
  const limited = createLimiter(atOnce)
  let left = maxBytes

  const ask = async (url: URL, { accept, ...headers }: Readonly<Record<string, string>>): Promise<Loaded> => {
    const request = { headers, timeoutMs, signal, maxBytes, followsRedirects: false, allowOrigins: [origin], ...(accept !== undefined && { accept }) } as const
    const { status, headers: answered, body } = await outbound.stream(url, request)
    const chunks: Uint8Array[] = []
    for await (const chunk of body) {
      if ((left -= chunk.length) < 0) throw new UpstreamFailure('too_large')
      chunks.push(chunk)
    }
    return { url, status, headers: answered, body: Buffer.concat(chunks) }
  }

  const follow: Load = async (url, headers = {}) => {
    for (let from = url, redirects = 0; ; redirects++) {
      const loaded = await ask(from, headers)
      const location = loaded.status >= 300 && loaded.status < 400 ? loaded.headers['location'] : undefined
      const next = location === undefined ? null : URL.parse(location, from)
      if (!next) return loaded
      if (redirects === mostRedirects || (from.protocol === 'https:' && next.protocol === 'http:')) throw new Error('the address leads on to another one that is not followed')
      from = next
    }
  }

  return (url, headers) => limited(() => follow(url, headers))
}
