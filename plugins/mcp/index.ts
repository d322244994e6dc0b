import * as v from 'valibot'
import { definePlugin, gates, innerRequests, routeList } from '../../kernel/index.ts'
import { accessTokens } from '../auth/port.ts'
import { scope } from '../scope/port.ts'
import { createMcpGate, mcpGate } from './gate.ts'
import { answerMessage, createLoader, onlyPost } from './http.ts'
import { createInnerHost } from './host.ts'
import { routes } from './routes.ts'
import { ToolVariables, toToolSettings } from './settings.ts'

// For the command line. Not `http.ts`: its types name those of a package that may not be installed.
export { NoService, repliesOf, type Host, type HttpRequest } from './host.ts'
export { ToolVariables, toToolSettings, type ToolSettings } from './settings.ts'

const secret = v.optional(v.string())

/** The MCP server for agents. Its tools send requests to this service with the credentials of the caller. */
export default definePlugin({
  name: 'mcp',
  tag: 'Agent',
  env: v.object({
    ...ToolVariables.entries,
    PUBLISH_TOKEN: secret,
    ORCHESTRATOR_ACCESS_TOKEN: secret,
    DRAFT_MODE_SECRET: secret,
  }),
  needs: { inner: innerRequests, routes: routeList, access: gates.access, tokens: accessTokens, scope },
  gives: { gate: mcpGate },
  routes,
}).setup(({ needs, env, log }) => {
  const { access, tokens, scope } = needs
  const settings = toToolSettings(env, { hasPublishToken: env.PUBLISH_TOKEN !== undefined })
  const load = createLoader({ settings, log })
  const secrets = [
    env.MCP_BEARER_TOKEN,
    env.PUBLISH_TOKEN,
    env.ORCHESTRATOR_ACCESS_TOKEN,
    env.DRAFT_MODE_SECRET,
  ].filter((value) => value !== undefined)
  return {
    gives: { gate: createMcpGate({ access, tokens, bearer: env.MCP_BEARER_TOKEN }) },
    handlers: {
      message(call) {
        const { siteId = env.MCP_SITE_ID, session = env.MCP_SESSION, accessToken } = call.query
        const id = scope.draft({ siteId, session })
        const { headers, remote, secure } = call
        const host = createInnerHost({ ...needs, secrets }, id, { headers, remote, secure, accessToken })
        return answerMessage(load, host, call)
      },
      listen: () => onlyPost,
      leave: () => onlyPost,
    },
  }
})
