import type { ContentAdapter } from '../../content/adapter.ts'
import { toBaseline } from '../../content/baseline.ts'
import { parseExactly } from '../../content/numbers.ts'
import { otherSpelling, withRepeats } from '../../outbound/port.ts'
import { readBody } from './read-body.ts'

/** Options for calling the editor routes of a site. */
export interface SitePagesOptions {
  /** The path of the editor routes; `/api/editor` by default. */
  readonly basePath?: string
  /** The id of the site, if several share one address; content that names another site is refused. */
  readonly siteId?: string
  /** Milliseconds for the complete answer; 8,000 by default. */
  readonly timeoutMs?: number
}

/** The maximum size of an answer in bytes: far more than the text of any site, and far less than memory. */
const maxBytes = 64 * 1024 * 1024

/**
 * Reads the content of a site over HTTP, from `GET /api/editor/pages` of the site itself.
 *
 * Read-only: a publish uses the publish route of the site. Throws a TypeError at once if the address is not
 * an http or https URL. Reading rejects with an Error that names the address if the site cannot be reached in
 * time, or answers with anything but the complete content of a site of at most 64 MiB.
 */
export function sitePages(origin: string, options: SitePagesOptions = {}): ContentAdapter {
  const { basePath = '/api/editor', siteId, timeoutMs = 8_000 } = options
  let url = toAddress(origin, basePath, siteId)
  return {
    async readContent() {
      try {
        const signal = AbortSignal.timeout(timeoutMs)
        const ask = (address: string | URL) =>
          withRepeats(
            () => fetch(address, { headers: { accept: 'application/json' }, signal }),
            ({ status, headers }) => ({ status, header: (name) => headers.get(name) ?? undefined }),
            { isRead: true, longestMs: timeoutMs / 4, signal },
          )
        let response = await ask(url)
        const other = response.status === 404 ? otherSpelling(new URL(url)) : undefined
        if (other) {
          await response.body?.cancel()
          response = await ask(other)
          if (response.ok) url = other.href
        }
        if (!response.ok) throw new Error(`it answered ${response.status}`)
        const bytes = await readBody(response, maxBytes)
        if (!bytes) throw new Error(`it answered more than ${maxBytes} bytes`)
        return contentIn(new TextDecoder('utf-8', { fatal: true }).decode(bytes), siteId)
      } catch (error) {
        throw new Error(`The pages of the site cannot be read from ${url}: ${explain(error)}.`, {
          cause: error,
        })
      }
    },
  }
}

function toAddress(origin: string, basePath: string, siteId: string | undefined): string {
  const url = URL.parse(`${origin.replace(/(?<!\/)\/+$/, '')}${basePath}/pages`)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `'${origin}' is not the address of a site; expected an origin such as https://www.example.com`,
    )
  }
  if (siteId !== undefined) url.searchParams.set('siteId', siteId)
  return url.href
}

function contentIn(text: string, siteId: string | undefined) {
  const value: unknown = parseExactly(text)
  const named = typeof value === 'object' && value !== null && 'siteId' in value ? value.siteId : undefined
  if (
    siteId !== undefined &&
    typeof named === 'string' &&
    named.trim().toLowerCase() !== siteId.trim().toLowerCase()
  )
    throw new Error(`it is the site '${named.slice(0, 64)}', not '${siteId}'`)
  const content = toBaseline(value)
  if (!content) throw new Error('it answered nothing')
  return content
}

function explain(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'it took too long'
  if (error instanceof SyntaxError) return 'it answered something that is not JSON'
  const { message } = error instanceof Error ? error : { message: String(error) }
  return message === 'fetch failed' ? 'it cannot be reached' : message.replace(/\.$/, '')
}
