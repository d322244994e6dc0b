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
  /** Asks again within `timeoutMs`, see `withRepeats`; by default every answer counts. */
  readonly repeats?: true
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
   * Parses the body as JSON of at most `depth` levels, 64 by default, and 1,000,000 values; throws an
   * {@link UpstreamFailure} of the kind `invalid_json`. `parse` replaces `JSON.parse`.
   */
  json(depth?: number, parse?: (text: string) => unknown): unknown
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
  /** True if the website at this origin has answered to its editor routes with a slash at their ends only. */
  hasTrailingSlash(origin: string): boolean
}
