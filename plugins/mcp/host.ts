import {
  type Call,
  type InnerRequests,
  type RouteList,
  type RouteSpec,
  type Schema,
} from '../../kernel/index.ts'
import type { DraftId } from '../scope/port.ts'
import { Failed } from './tools/tool.ts'

/** A request of a tool to the service, including site and session. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The body, with its content type. */
  readonly content?: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }
  /** True if the request is sent with the publish token, if there is one. */
  readonly publishes: boolean
  /** Aborts when the host gives up or the tool times out. */
  readonly signal: AbortSignal
}

interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The service that the tools use: the differences between the transports. */
export interface Host {
  /** Sends a request with this host's credentials. Rejects with a {@link NoService} without an answer. */
  send(request: HttpRequest): Promise<HttpResponse>
  readonly siteId: string
  readonly session: string
  /** Values that must never appear in a result. */
  readonly secrets: readonly string[]
  /** Returns the schema of the answer of a route, such as `GET /checks`; `undefined` without the route. */
  replyOf(route: string): Schema | undefined
}

/** Thrown without a usable answer of the service. The message names the remedy, but no request data. */
export class NoService extends Failed {}

/** Returns the schemas of the answers of routes, by method and path. */
export function repliesOf(specs: readonly RouteSpec[]): ReadonlyMap<string, Schema> {
  return new Map(
    specs.flatMap(({ method, path, replies: { 200: reply } }) => {
      const schema = reply && 'reply' in reply ? (reply.reply === 'stored' ? reply.schema : undefined) : reply
      return schema ? [[`${method} ${path}`, schema]] : []
    }),
  )
}

interface InnerHostParts {
  readonly inner: InnerRequests
  readonly routes: RouteList
  /** Secrets of the configuration, which never leave the service. */
  readonly secrets: readonly string[]
}

/** The caller, by the headers of its protocol message. */
interface HostCaller extends Pick<Call, 'headers' | 'remote' | 'secure'> {
  /** The token from the query. */
  readonly accessToken: string | undefined
}

/** Headers about the message itself rather than its sender. */
const own =
  /^(?:accept|content-|if-|mcp-|(?:connection|expect|idempotency-key|last-event-id|range|te|trailer|transfer-encoding|upgrade|x-orchestrator-client|x-publish-token)$)/

/** Creates a host for this service with exactly the credentials and the address of a caller. */
export function createInnerHost(
  { inner, routes, secrets }: InnerHostParts,
  id: DraftId,
  call: HostCaller,
): Host {
  const { headers, remote, secure, accessToken } = call
  const caller = Object.fromEntries([...headers].filter(([name]) => !own.test(name)))
  const publishToken = headers.get('x-publish-token')
  const presented = [
    headers.get('authorization')?.replace(/^Bearer +/i, ''),
    headers.get('x-access-token'),
    publishToken,
    accessToken,
  ]
  const replies = repliesOf(
    routes.all().flatMap(({ spec, leftOut }) => (leftOut === undefined ? [spec] : [])),
  )
  return {
    ...id,
    secrets: [...secrets, ...presented.flatMap((value) => value ?? [])],
    replyOf: (route) => replies.get(route),
    async send({ method, url, headers, content, publishes, signal }) {
      const token =
        accessToken === undefined
          ? ''
          : `${url.includes('?') ? '&' : '?'}accessToken=${encodeURIComponent(accessToken)}`
      return inner.send({
        method,
        url: url + token,
        headers: {
          ...caller,
          ...headers,
          ...(content && { 'content-type': content.type }),
          ...(publishes && publishToken !== null && { 'x-publish-token': publishToken }),
        },
        ...(content && { body: content.bytes }),
        remote,
        secure,
        signal,
      })
    },
  }
}
