import { definePlugin, packageVersion } from '../../kernel/index.ts'
import { createOwnGate, mcpGate } from './gate.ts'
import type { Host } from './host.ts'
import { answerMessage, createLoader, onlyPost } from './http-message.ts'
import { ownRoutes } from './routes.ts'
import type { McpParts } from './server.ts'
import { serverName } from './settings.ts'

/** A plugin for a kernel that is an MCP server and nothing else: its tools work on a host elsewhere. */
export function ownServer({ host, bearer, hosts, origins, ...parts }: McpParts & Parameters<typeof createOwnGate>[0] & { readonly host: Host }) {
  return definePlugin({ name: 'mcp-server', tag: 'Agent', gives: { gate: mcpGate }, routes: ownRoutes }).setup(() => {
    const load = createLoader(parts)
    return {
      gives: { gate: createOwnGate({ bearer, hosts, origins }) },
      handlers: {
        message: async (call) => answerMessage(await load(), host, call),
        listen: () => onlyPost,
        leave: () => onlyPost,
        healthz: () => ({ status: 200, body: { ok: true, name: serverName, version: packageVersion } }),
      },
    }
  })
}
