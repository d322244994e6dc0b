import { Failed } from './tool.ts'

/** One request of a tool to the service. Site and session are in it already. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The body, with its content type. */
  readonly content?: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The publish token belongs to it, where there is one. */
  readonly publishes: boolean
  /** Aborts when the host gives up, or the time of the tool is over. */
  readonly signal: AbortSignal
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Where the tools work: what differs between the transports. */
export interface Host {
  /** Sends a request with the credentials that go with this host. Rejects with a {@link NoService} where there is no answer. */
  send(request: HttpRequest): Promise<HttpResponse>
  /** What the website of a draft answers at `/api/editor/blocks`; `undefined` where it is not registered, or gives no answer. */
  siteBlocks(signal: AbortSignal): Promise<unknown>
  readonly siteId: string
  readonly session: string
  /** Whether publishing without a publish token is left to the service to refuse. */
  readonly mayPublish: boolean
  /** Values that are never in a result. */
  readonly secrets: readonly string[]
  /** Whether the service has a route; for a service elsewhere that is not known, and true. */
  hasRoute(method: string, path: string): boolean
}

/** The service gave no answer that can be used; the message says what helps, and never what was sent. */
export class NoService extends Failed {}
