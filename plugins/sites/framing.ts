import { pageAddress } from '../content/page-address.ts'
import type { Outbound } from '../outbound/port.ts'

/** Whether a page of a website lets an editor show it in a frame, and what to change if it does not. */
interface Framing {
  readonly state: 'allowed' | 'refused' | 'elsewhere' | 'unreachable'
  /** The address that was asked for last. */
  readonly url: string
  /** The header that refuses, in lower case, and its value. */
  readonly header?: string
  readonly value?: string
  /** The header line to send instead. */
  readonly line?: string
}

type Headers = Readonly<Record<string, string>>

const limits = {
  maxBytes: 64 * 1024,
  timeoutMs: 8_000,
  followsRedirects: false,
  accept: 'text/html',
} as const
const maxRedirects = 3
const longestValue = 500

/** Asks for a page as a browser does, and reads the two headers that decide. */
export async function fetchFraming(
  outbound: Outbound,
  page: URL,
  {
    editor,
    mayBePrivate,
    signal,
  }: {
    /** The origin of the editor. */
    readonly editor: URL
    /** True if the origin of the page may be a private address. */
    readonly mayBePrivate: boolean
    readonly signal: AbortSignal
  },
): Promise<Framing> {
  const request = { ...limits, allowOrigins: mayBePrivate ? [page.origin] : [], signal }
  let url = page
  try {
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const { status, headers, body } = await outbound.stream(url, request)
      for await (const _part of body) break
      const next = status >= 300 && status < 400 ? URL.parse(headers['location'] ?? '', url) : null
      if (!next) return { url: withoutSecret(url), ...framingOf(headers, { editor, page: url }) }
      if (next.origin !== page.origin) return { state: 'elsewhere', url: withoutSecret(next) }
      url = next
    }
  } catch (error) {
    if (signal.aborted) throw error
  }
  return { state: 'unreachable', url: withoutSecret(url) }
}

/** Anyone with the secret of the entry could open the draft, so an answer leaves it out. */
function withoutSecret(address: URL): string {
  const url = new URL(address)
  url.searchParams.delete('secret')
  return url.href
}

/** Reads `frame-ancestors` and, without it, `x-frame-options`, as browsers do. */
export function framingOf(
  headers: Headers,
  { editor, page }: { readonly editor: URL; readonly page: URL },
): Omit<Framing, 'url'> {
  const policy = headers['content-security-policy'] ?? ''
  const lists = policy.split(/[,;]/).flatMap((directive) => {
    const [name = '', ...sources] = directive.trim().split(/\s+/)
    return name.toLowerCase() === 'frame-ancestors' ? [sources] : []
  })
  const refusing = lists.find((sources) => !sources.some((source) => matches(source, { editor, page })))
  if (refusing) {
    const remaining = refusing.filter((source) => source.toLowerCase() !== "'none'")
    return {
      state: 'refused',
      header: 'content-security-policy',
      value: ['frame-ancestors', ...refusing].join(' ').slice(0, longestValue),
      line: lineFor(remaining.length > 0 ? remaining : ["'self'"], editor),
    }
  }
  const options = headers['x-frame-options'] ?? ''
  const words = options.split(',').map((word) => word.trim().toLowerCase())
  const isOther = editor.origin !== page.origin
  if (lists.length > 0 || !words.some((word) => word === 'deny' || (word === 'sameorigin' && isOther)))
    return { state: 'allowed' }
  return {
    state: 'refused',
    header: 'x-frame-options',
    value: options.slice(0, longestValue),
    line: lineFor(["'self'"], editor),
  }
}

const lineFor = (sources: readonly string[], { origin }: URL): string =>
  `Content-Security-Policy: frame-ancestors ${[...sources, origin].join(' ')}`

const hostSource = /^(?:([a-z][\w+.-]*):\/\/)?(\*|(?:\*\.)?[\w.-]+|\[[\da-f:]+\])(?::(\d+|\*))?(?:\/.*)?$/

/** Whether one source of `frame-ancestors` admits an editor. */
function matches(source: string, { editor, page }: { readonly editor: URL; readonly page: URL }): boolean {
  const wanted = source.toLowerCase()
  if (wanted === "'self'") return editor.origin === page.origin
  if (wanted === '*') return true
  if (/^[a-z][\w+.-]*:$/.test(wanted)) return allowsScheme(wanted, editor)
  const [, scheme = page.protocol.slice(0, -1), host, port] = hostSource.exec(wanted) ?? []
  if (host === undefined || !allowsScheme(`${scheme}:`, editor)) return false
  const isHost = host.startsWith('*') ? editor.hostname.endsWith(host.slice(1)) : editor.hostname === host
  return isHost && (port === '*' || (port ?? defaultPort(editor)) === (editor.port || defaultPort(editor)))
}

const defaultPort = ({ protocol }: URL): string => (protocol === 'https:' ? '443' : '80')
const allowsScheme = (scheme: string, { protocol }: URL): boolean =>
  scheme === protocol || (scheme === 'http:' && protocol === 'https:')

/** The address of a page of a website for an editor; `undefined` if there is none on this origin. */
export function framedAddress(
  previewUrl: string | undefined,
  slug: string,
  parameters: Readonly<Record<string, string>>,
): URL | undefined {
  const url = pageAddress(previewUrl, slug)
  for (const [name, value] of Object.entries(parameters)) url?.searchParams.set(name, value)
  return url
}
