import * as v from 'valibot'
import { defineRefusal, Refusal, type Schema, service } from '../../kernel/index.ts'

export { isBlockedAddress } from './addresses.ts'
export { toOrigin, toOriginSet } from './addresses.ts'

/** One request to another server. Its limits have no defaults: only the caller knows what is reasonable. */
export interface OutboundRequest {
  /** `GET`, or `POST` where there is a `json` or a `form`. A body goes out with `POST` and `PUT` only. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT'
  /** Sent to the first origin only: a redirect to another one drops them all, credentials included. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as `application/json`; bytes are sent unchanged. */
  readonly json?: unknown
  /** Sent as `multipart/form-data`, its files as they are read; `URLSearchParams` as `application/x-www-form-urlencoded`. */
  readonly form?: FormData | URLSearchParams
  /** The `accept` header; without it the `types`, else anything. */
  readonly accept?: string
  /** The most bytes a body may have, after decompression. */
  readonly maxBytes: number
  /** The time for everything in milliseconds: names, connections, redirects and the complete body. */
  readonly timeoutMs: number
  /** Media types, lower-case and without parameters, that a 2xx answer may have; without it any. */
  readonly types?: readonly string[]
  /** Ends the wait; the promise then rejects with the reason of the signal. */
  readonly signal?: AbortSignal
  /** Redirects are returned unchanged; without it up to three are followed. */
  readonly followsRedirects?: false
  /** Origins that the caller trusts for this request, as if the operator had listed them. */
  readonly allowOrigins?: readonly string[]
}

/** An answer of any status. The body has been read to its end. */
export interface OutboundResponse {
  readonly status: number
  /** Where the answer came from, after redirects. */
  readonly url: string
  /** By lower-case name; lines of the same name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  /** The body read as UTF-8, without a byte order mark. */
  text(): string
  /**
   * The body parsed as JSON of at most 64 levels and 1,000,000 values; throws an {@link UpstreamFailure} of the kind
   * `invalid_json`.
   */
  json(): unknown
}

/** The head of an answer of any status, and its body as it arrives. */
export interface OutboundStream {
  readonly status: number
  /** By lower-case name; lines of the same name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** To be read once. Leaving it closes the connection; it fails as `fetch` does. */
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * The only HTTP client for addresses from outside: from a request, a page or a model.
 *
 * `fetch` answers every status and rejects in three ways. `fetch_refused` (a refusal with 400) means that the
 * address may not be called, always with the same message. {@link UpstreamFailure}
 * (502) means that the other server gave no usable answer. An aborted `signal` rejects with its own reason.
 */
export interface Outbound {
  fetch(url: string | URL, request: OutboundRequest): Promise<OutboundResponse>
  /** Resolves with the head, for bodies that arrive slowly; `timeoutMs` and `maxBytes` are for all of it. */
  stream(url: string | URL, request: OutboundRequest): Promise<OutboundStream>
  /** Whether the operator listed the origin of this address, which may then be on a private network. */
  isAllowedOrigin(url: string | URL): boolean
}

const reasons = {
  unreachable: 'The other server could not be reached or broke off. Check its address and whether it runs.',
  timeout: 'The other server took too long to answer. Try again later, or find out why it is slow.',
  too_large: 'The other server answered with more than is accepted here. Ask it for less.',
  wrong_type: 'The other server answered with another kind of content than was asked for. Check the address.',
  invalid_json: 'The other server answered with something that is not JSON. Check the address.',
} as const

export type UpstreamFailureKind = keyof typeof reasons

/**
 * The other server failed: a refusal with status 502, whose `kind` says how.
 *
 * The text is the same for every server, so that no part of its answer reaches a client; `cause` is for the log.
 */
export class UpstreamFailure extends Refusal {
  readonly kind: UpstreamFailureKind

  constructor(kind: UpstreamFailureKind, options?: ErrorOptions) {
    super({ status: 502, code: `upstream_${kind}`, reason: reasons[kind] }, options)
    this.kind = kind
  }
}

export const outbound = service<Outbound>('outbound')

/** The names of a service with a key, for error messages. */
export interface Provider {
  /** Such as `Unsplash`. */
  readonly name: string
  /** Its settings, such as the name of a variable. */
  readonly settings: string
}

const providerFailed = defineRefusal({ status: 502, code: 'provider_failed', reason: (sentence: string) => sentence })

/**
 * Asks a provider for JSON of this shape. Redirects are not followed, because the request may carry a key.
 *
 * Refuses with 502 every other answer, in a sentence with what to check and without parts of the answer, and with
 * 400 `fetch_refused` an address that may not be called.
 */
export async function askProvider<const S extends Schema>(
  outbound: Pick<Outbound, 'fetch'>,
  address: URL,
  { provider, shape, ...request }: OutboundRequest & { readonly provider: Provider; readonly shape: S },
): Promise<{ readonly value: v.InferOutput<S>; readonly headers: OutboundResponse['headers'] }> {
  const answer = await outbound.fetch(address, { types: ['application/json'], ...request, followsRedirects: false })
  if (answer.status !== 200) throw providerFailed(sentenceFor(provider, answer))
  const parsed = v.safeParse(shape, answer.json())
  if (!parsed.success) throw providerFailed(`${provider.name} answered in a form that is not known here. Check ${provider.settings}.`)
  return { value: parsed.output, headers: answer.headers }
}

function sentenceFor({ name, settings }: Provider, { status, headers }: OutboundResponse): string {
  const isSpent = status === 429 || (status === 403 && headers['x-ratelimit-remaining'] === '0')
  if (isSpent) return `${name} has answered as many requests as it does for now. Try again later.`
  if (status === 401 || status === 403) return `${name} did not accept the credential. Check ${settings}.`
  if (status >= 500) return `${name} does not work at the moment. Try again later.`
  if (status >= 300 && status < 400) return `${name} leads to another address, which is not followed. Check ${settings}.`
  return `${name} did not accept the request and answered ${status}. Check ${settings}.`
}
