import * as v from 'valibot'
import { defineRefusal, Refusal, type Schema, service } from '../../kernel/index.ts'

export { fetchRefused } from './refusals.ts'
export { isBlockedAddress, toOrigin, toOriginSet } from './addresses.ts'

/** One request to another server. Its limits have no defaults: only the caller knows reasonable ones. */
export interface OutboundRequest {
  /** Default: `POST` with a `json` or `form`, else `GET`. Only `POST` and `PUT` send a body. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT'
  /** Sent only to the first origin: a redirect to another one drops them all, including credentials. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as `application/json`; bytes are sent unchanged. */
  readonly json?: unknown
  /** Sent as `multipart/form-data`, with files streamed; `URLSearchParams` are sent url-encoded. */
  readonly form?: FormData | URLSearchParams
  /** The `accept` header; default: the `types`, else anything. */
  readonly accept?: string
  /** The maximum size of the body in bytes, after decompression. */
  readonly maxBytes: number
  /** Milliseconds for the complete request: names, connections, redirects and the body. */
  readonly timeoutMs: number
  /** The allowed media types of a 2xx answer, in lower case without parameters; default: any. */
  readonly types?: readonly string[]
  /** Rejects the request with the reason of the signal. */
  readonly signal?: AbortSignal
  /** Returns redirects unchanged; by default up to three are followed. */
  readonly followsRedirects?: false
  /** Origins that the caller trusts for this request, as if the operator had listed them. */
  readonly allowOrigins?: readonly string[]
}

/** An answer of any status, with its complete body. */
export interface OutboundResponse {
  readonly status: number
  /** The final address, after redirects. */
  readonly url: string
  /** The headers by lower-case name; repeated lines are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  /** Returns the body decoded as UTF-8, without a byte order mark. */
  text(): string
  /**
   * Parses the body as JSON of at most 64 levels and 1,000,000 values; throws an {@link UpstreamFailure} of
   * the kind `invalid_json`.
   */
  json(): unknown
}

/** The head of an answer of any status, and its body as it arrives. */
export interface OutboundStream extends Pick<OutboundResponse, 'status' | 'headers'> {
  /** The body, to be read once. Leaving the loop closes the connection; it fails like `fetch`. */
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * The only HTTP client for untrusted addresses: from a request, a page or a model.
 *
 * `fetch` resolves for every status and rejects in three ways: `fetch_refused` (a refusal with 400) if the
 * address is not allowed, always with the same message; {@link UpstreamFailure} (502) if the other server
 * gave no usable answer; and the reason of an aborted `signal`.
 */
export interface Outbound {
  fetch(url: string | URL, request: OutboundRequest): Promise<OutboundResponse>
  /** Resolves with the head, for slow bodies; `timeoutMs` and `maxBytes` limit the complete answer. */
  stream(url: string | URL, request: OutboundRequest): Promise<OutboundStream>
  /** True if the operator listed the origin of this address, which may then be on a private network. */
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
 * Thrown if the other server failed: a refusal with status 502, with the failure in `kind`.
 *
 * The text is the same for every server, so no part of its answer reaches a client; `cause` is for the log.
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
  /** The name of its settings, such as a variable. */
  readonly settings: string
}

const providerFailed = defineRefusal({
  status: 502,
  code: 'provider_failed',
  reason: (sentence: string) => sentence,
})

/**
 * Requests JSON of this shape from a provider. No redirects, because the request may contain a key.
 *
 * Refuses other answers with 502 and a sentence that names the settings to check, without parts of the
 * answer. Refuses with 400 `fetch_refused` an address that is not allowed.
 */
export async function askProvider<const S extends Schema>(
  outbound: Pick<Outbound, 'fetch'>,
  address: URL,
  { provider, shape, ...request }: OutboundRequest & { readonly provider: Provider; readonly shape: S },
): Promise<{ readonly value: v.InferOutput<S>; readonly headers: OutboundResponse['headers'] }> {
  const answer = await outbound.fetch(address, {
    types: ['application/json'],
    ...request,
    followsRedirects: false,
  })
  if (answer.status !== 200) throw providerFailed(sentenceFor(provider, answer))
  const parsed = v.safeParse(shape, answer.json())
  if (!parsed.success)
    throw providerFailed(
      `${provider.name} answered in a form that is not known here. Check ${provider.settings}.`,
    )
  return { value: parsed.output, headers: answer.headers }
}

function sentenceFor({ name, settings }: Provider, { status, headers }: OutboundResponse): string {
  const isSpent = status === 429 || (status === 403 && headers['x-ratelimit-remaining'] === '0')
  if (isSpent) return `${name} has answered as many requests as it does for now. Try again later.`
  if (status === 401 || status === 403) return `${name} did not accept the credential. Check ${settings}.`
  if (status >= 500) return `${name} does not work at the moment. Try again later.`
  if (status >= 300 && status < 400)
    return `${name} leads to another address, which is not followed. Check ${settings}.`
  return `${name} did not accept the request and answered ${status}. Check ${settings}.`
}
