import { findJsonExcess } from '../../../kernel/index.ts'
import { otherSpelling } from '../../../plugins/outbound/port.ts'
import { readBody } from '../../../plugins/site/index.ts'
import { CommandError } from './command.ts'

/** A request of the operator to another server. */
export interface HttpCall {
  readonly method?: 'GET' | 'OPTIONS' | 'POST' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Sent unchanged instead of JSON; `headers` must include its type. */
  readonly body?: Uint8Array<ArrayBuffer> | undefined
  readonly signal?: AbortSignal
  /** For the complete exchange, including the body. */
  readonly timeoutMs: number
  /** The maximum size of the body after decompression. */
  readonly maxBytes: number
}

/** An answer of any status, including redirects; `bytes` is `undefined` if the body exceeds `maxBytes`. */
export type HttpAnswer = Awaited<ReturnType<typeof callHttp>>

/** The reason for a missing answer, as the end of a sentence about the server. Contains no request data. */
export class NoAnswer extends Error {}

/**
 * The address to try again: of a redirect that only adds a slash to the path, as frameworks with trailing slashes answer,
 * or of an editor route that is not found.
 */
function withSlash(url: URL, { status, headers }: Response): URL | undefined {
  if (status === 404) return otherSpelling(url)
  if (status !== 301 && status !== 308) return undefined
  const slashed = new URL(url)
  slashed.pathname += '/'
  return URL.parse(headers.get('location') ?? '', url)?.href === slashed.href ? slashed : undefined
}

/**
 * Calls a server that the operator named, and reads the answer up to a limit. Follows no redirect but one that
 * only adds a slash to the path; an editor route of a website is tried with a slash, too. Throws a {@link NoAnswer} if none arrives in time, and a CommandError for a header
 * that cannot be sent.
 */
export async function callHttp(url: URL, { method = 'GET', json, timeoutMs, maxBytes, ...call }: HttpCall) {
  const late = AbortSignal.timeout(timeoutMs)
  const signal = call.signal ? AbortSignal.any([call.signal, late]) : late
  const body = json === undefined ? (call.body ?? null) : JSON.stringify(json)
  const type = json !== undefined && { 'content-type': 'application/json' }
  const headers = { ...type, ...call.headers }
  // Checked here, because the message of the platform quotes the value, which may be a secret.
  const [odd] = Object.entries(headers).find(([, value]) => /[^\t\x20-\x7e]/.test(value)) ?? []
  if (odd) throw new CommandError(`the header ${odd} must be ASCII; choose another value for it`)
  try {
    const ask = (to: URL) => fetch(to, { method, headers, body, redirect: 'manual', signal })
    const first = await ask(url)
    const again = withSlash(url, first)
    if (again) await first.body?.cancel()
    const response = again ? await ask(again) : first
    const { status, headers: answered } = response
    return { status, headers: answered, url: again ?? url, bytes: await readBody(response, maxBytes) }
  } catch (error) {
    if (late.aborted) throw new NoAnswer(`gave no answer within ${timeoutMs / 1000} seconds`)
    throw new NoAnswer(`cannot be reached (${codeOf(error)})`)
  }
}

/** Returns the code of the innermost cause, such as `ECONNREFUSED`. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.message : codeOf(error.cause)
}

/** The depth and number of values of the largest site. */
const jsonLimits = { depth: 64, values: 1_000_000 }
/** Parses a body as JSON; `undefined` if it is not JSON, or exceeds the limits. */
export function toJson(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined || findJsonExcess(bytes, jsonLimits)) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return undefined
  }
}

const shownLength = 300

/** Formats a text of another server as one printable line: shortened, without control characters. */
export function toShownText(text: string): string {
  const line = text
    .slice(0, 4 * shownLength)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return line.length > shownLength ? `${line.slice(0, shownLength)}…` : line
}
