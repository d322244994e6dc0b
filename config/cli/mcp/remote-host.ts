import * as v from 'valibot'
import type { Logger } from '../../../kernel/index.ts'
import { fetchSiteBlocks, NoService, type Host, type HttpRequest } from '../../../plugins/mcp/host.ts'
import { toOrigin } from '../../../plugins/outbound/port.ts'
import { createOutbound } from '../../../plugins/outbound/service.ts'
import { normaliseSiteId } from '../../../plugins/scope/scope.ts'
import { NoAnswer, callHttp } from '../shared/http.ts'
import { isLocal } from '../../values.ts'
import type { McpVariables } from './variables.ts'

/** Longer than any tool waits. */
const timeoutMs = 200_000
const maxBytes = 64 * 1024 * 1024

const Sites = v.object({ sites: v.array(v.looseObject({ id: v.string(), previewUrl: v.optional(v.string()) })) })

/** A remote orchestrator as a host of tools: the credentials of the operator are sent with every request, and only to it. */
export function createRemoteHost(env: McpVariables, log: Pick<Logger, 'warn'>): Host {
  const { orchestrator, MCP_SITE_ID: siteId, MCP_SESSION: session, ORCHESTRATOR_ACCESS_TOKEN: accessToken, PUBLISH_TOKEN: publishToken } = env
  const outbound = createOutbound({ allowedOrigins: [], userAgent: 'content-orchestrator', log })
  const send = async ({ method, url, headers, content, publishes, signal }: HttpRequest) => {
    const answer = await callHttp(new URL(orchestrator + url), {
      method,
      headers: {
        ...headers,
        ...(content && { 'content-type': content.type }),
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
        ...(publishes && publishToken !== undefined && { 'x-publish-token': publishToken }),
      },
      body: content?.bytes,
      signal,
      timeoutMs,
      maxBytes,
    }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error
      throw new NoService(`${orchestrator} ${error.message}; start it, or name another in ORCHESTRATOR_URL`)
    })
    return { status: answer.status, headers: answer.headers, text: new TextDecoder().decode(answer.bytes) }
  }
  const registered = async (signal: AbortSignal): Promise<string | undefined> => {
    const { status, text } = await send({ method: 'GET', url: `/sites?${new URLSearchParams({ session })}`, headers: {}, publishes: false, signal })
    const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Sites), text)
    if (status !== 200 || !success) throw new NoService(`GET /sites → ${status}, which lists no sites`)
    return toOrigin(output.sites.find(({ id }) => id === normaliseSiteId(siteId))?.previewUrl ?? '')
  }
  return {
    siteId,
    session,
    mayPublish: publishToken !== undefined,
    secrets: [accessToken, publishToken, env.MCP_BEARER_TOKEN].filter((value) => value !== undefined),
    hasRoute: () => true,
    send,
    async siteBlocks(signal) {
      const origin = await registered(signal)
      // A registration must not make this machine call a private address, unless the orchestrator runs on it as well.
      return fetchSiteBlocks(outbound, origin, { mayBePrivate: isLocal(orchestrator), signal })
    },
  }
}
