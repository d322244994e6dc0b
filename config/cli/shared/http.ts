import { findJsonExcess } from '../../../kernel/index.ts'
import { CommandError } from './command.ts'

/** One request of the operator to another server. */
export interface HttpCall {
  readonly method?: 'GET' | 'OPTIONS' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is, in place of JSON; the headers name its type. */
  readonly body?: Uint8Array<ArrayBuffer> | undefined
  /** Ends the wait before its time. */
  readonly signal?: AbortSignal
  /** The time for everything, the body included. */
  readonly timeoutMs: number
  /** The most bytes that are read of the body, after decompression. */
  readonly maxBytes: number
}

/** What came back, whatever its status; a redirect is an answer like any other. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  /** The body; `undefined` where it is larger than was accepted. */
  readonly bytes: Uint8Array | undefined
}

/** Says, as the end of a sentence about the server, why there was no answer. Never what was sent. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/**
 * Calls a server that the operator named, follows no redirect, and reads so much of its answer.
 *
 * Throws a {@link NoAnswer} when there is none in time, and a CommandError for a header that cannot be sent.
 */
export async function callHttp(
  url: URL,
  { method = 'GET', headers, json, body: bytes, signal: given, timeoutMs, maxBytes }: HttpCall,
): Promise<HttpAnswer> {
  const late = AbortSignal.timeout(timeoutMs)
  const signal = given ? AbortSignal.any([given, late]) : late
  const body = json === undefined ? (bytes ?? null) : JSON.stringify(json)
  const sent = toHeaders({ ...(json !== undefined && { 'content-type': 'application/json' }), ...headers })
  try {
    const response = await fetch(url, { method, headers: sent, body, redirect: 'manual', signal })
    return {
      status: response.status,
      headers: response.headers,
      bytes: await readBytes(response.body, maxBytes),
    }
  } catch (error) {
    if (late.aborted) throw new NoAnswer(`gave no answer within ${timeoutMs / 1000} seconds`)
    throw new NoAnswer(`cannot be reached (${codeOf(error)})`)
  }
}

/** Refused here, because the message of the platform quotes the value, which may be a secret. */
function toHeaders(headers: Readonly<Record<string, string>>): Headers {
  for (const [name, value] of Object.entries(headers)) {
    if (/[^\t\x20-\x7e]/.test(value)) {
      throw new CommandError(`the header ${name} can carry letters of ASCII only; choose another value for it`)
    }
  }
  return new Headers(headers)
}

async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** `ECONNREFUSED` and the like; the causes of a failed call lie one within the other. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.message : codeOf(error.cause)
}

/** As deep, and as many values, as the largest site has. */
const jsonLimits = { depth: 64, values: 1_000_000 }

/** The JSON of a body; `undefined` where it is none, or none that could be worked with. */
export function toJson(bytes: Uint8Array): unknown {
  if (findJsonExcess(bytes, jsonLimits)) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return undefined
  }
}

const shownLength = 300

/** A text of another server in one line that is safe to print: it may be long, or move the cursor about. */
export function toShownText(text: string): string {
  const line = text.slice(0, 4 * shownLength).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length > shownLength ? `${line.slice(0, shownLength)}…` : line
}
