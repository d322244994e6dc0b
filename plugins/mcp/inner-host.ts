import type { Call, InnerRequests, RouteList } from '../../kernel/index.ts'
import type { Outbound } from '../outbound/port.ts'
import type { DraftId } from '../scope/port.ts'
import { registeredOrigin, type Sites } from '../sites/port.ts'
import type { Host } from './host.ts'

export interface InnerHostParts {
  readonly inner: InnerRequests
  readonly routes: RouteList
  readonly outbound: Outbound
  readonly sites: Pick<Sites, 'previewUrl'>
  readonly production: boolean
  /** What the configuration holds, which never leaves. */
  readonly secrets: readonly string[]
}

/** Who calls: what came with the message of the protocol. */
interface Caller extends Pick<Call, 'headers' | 'remote' | 'secure'> {
  /** That of the query. */
  readonly accessToken: string | undefined
}

/** Headers that are about the message itself, not about who sends it. */
const own = /^(?:accept.*|connection|content-.*|expect|idempotency-key|if-.*|last-event-id|mcp-.*|range|te|trailer|transfer-encoding|upgrade|x-orchestrator-client|x-publish-token)$/
const blocksLimits = { maxBytes: 8 * 1024 * 1024, timeoutMs: 8_000, types: ['application/json'] }

/** The service itself as a host of tools, on behalf of a caller: with its credentials, its address and no more. */
export function createInnerHost({ inner, routes, outbound, sites, production, secrets }: InnerHostParts, id: DraftId, call: Caller): Host {
  const { headers, remote, secure, accessToken } = call
  const caller = Object.fromEntries([...headers].filter(([name]) => !own.test(name)))
  const publishToken = headers.get('x-publish-token')
  const presented = [headers.get('authorization')?.replace(/^Bearer +/i, ''), headers.get('x-access-token'), publishToken, accessToken]
  const mounted = new Set(routes.all().flatMap(({ spec: { method, path }, leftOut }) => (leftOut === undefined ? [`${method} ${path}`] : [])))
  return {
    ...id,
    mayPublish: true,
    secrets: [...secrets, ...presented.flatMap((value) => value ?? [])],
    hasRoute: (method, path) => mounted.has(`${method} ${path}`),
    async send({ method, url, headers, content, publishes, signal }) {
      const token = accessToken === undefined ? '' : `${url.includes('?') ? '&' : '?'}accessToken=${encodeURIComponent(accessToken)}`
      return inner.send({
        method,
        url: url + token,
        headers: { ...caller, ...headers, ...(content && { 'content-type': content.type }), ...(publishes && publishToken !== null && { 'x-publish-token': publishToken }) },
        ...(content && { body: content.bytes }),
        remote,
        secure,
        signal,
      })
    },
    async siteBlocks(signal) {
      const origin = await registeredOrigin(id, { sites, outbound, production })
      if (origin === undefined) return undefined
      const asked = outbound.fetch(`${origin}/api/editor/blocks`, { ...blocksLimits, allowOrigins: [origin], signal })
      return asked.then((answer) => (answer.status === 200 ? answer.json() : undefined)).catch(() => undefined)
    },
  }
}
