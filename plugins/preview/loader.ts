import { limitConcurrency } from '../../kernel/index.ts'
import { UpstreamFailure, type Outbound, type OutboundStream } from '../outbound/port.ts'

const concurrency = 8
const maxRedirects = 3

/** The response to a request of a page, after redirects. */
export interface Loaded extends Pick<OutboundStream, 'status' | 'headers'> {
  readonly url: URL
  readonly body: Buffer
}

/** Loads an address for a browser. Rejects like `outbound`, and if all responses together are too large. */
export type Load = (url: URL, headers?: Readonly<Record<string, string>>) => Promise<Loaded>

/** Creates the loader of one page. It uses `outbound`, whose rules apply to every request and redirect. */
export function createLoad({
  outbound,
  origin,
  maxBytes,
  timeoutMs,
  signal,
}: {
  readonly outbound: Pick<Outbound, 'stream'>
  /** The origin of the site. */
  readonly origin: string
  /** The maximum size in bytes of all responses together. */
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}): Load {
  const limited = limitConcurrency(concurrency)
  let remaining = maxBytes

  const ask = async (url: URL, { accept, ...headers }: Readonly<Record<string, string>>): Promise<Loaded> => {
    const request = {
      headers,
      timeoutMs,
      signal,
      maxBytes,
      followsRedirects: false,
      allowOrigins: [origin],
      ...(accept !== undefined && { accept }),
    } as const
    const { status, headers: answered, body } = await outbound.stream(url, request)
    const chunks: Uint8Array[] = []
    for await (const chunk of body) {
      if ((remaining -= chunk.length) < 0) throw new UpstreamFailure('too_large')
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
      if (redirects === maxRedirects || (from.protocol === 'https:' && next.protocol === 'http:'))
        throw new Error('redirect not followed')
      from = next
    }
  }

  return (url, headers) => limited(() => follow(url, headers))
}
