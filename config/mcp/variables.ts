import * as v from 'valibot'
import { ToolVariables } from '../../plugins/mcp/settings.ts'
import { CommandError } from '../command.ts'
import type { Environment } from '../env.ts'
import { orchestratorAddress } from '../orchestrator-address.ts'
import { Host, HostNames, LogLevel, Origins, Port, toOrigin } from '../values.ts'

const secret = v.optional(v.pipe(v.string(), v.trim()))

/** What the command reads beside the variables that `/mcp` reads as well. */
const Variables = v.object({
  ...ToolVariables.entries,
  MCP_SITE_ID: v.pipe(v.string('must name the site that the tools work on'), v.trim()),
  MCP_PORT: v.optional(Port, '4300'),
  MCP_HOST: v.optional(Host, '127.0.0.1'),
  MCP_ALLOWED_ORIGINS: v.optional(Origins, ''),
  MCP_ALLOWED_HOSTS: v.optional(HostNames, ''),
  ORCHESTRATOR_LOG_LEVEL: v.optional(LogLevel, 'warn'),
  ORCHESTRATOR_ACCESS_TOKEN: secret,
  PUBLISH_TOKEN: secret,
})
export type McpVariables = v.InferOutput<typeof Variables> & { readonly orchestrator: string }

/** Reads the variables. Refuses, as a CommandError, those that are missing or wrong, all at once and without their values. */
export function readVariables(env: Environment): McpVariables {
  const { success, output, issues } = v.safeParse(Variables, env)
  if (!success) {
    throw new CommandError(issues.map((issue) => `${v.getDotPath(issue) ?? 'environment'} ${env[v.getDotPath(issue) ?? ''] === undefined ? 'is not set: it' : ''} ${issue.message}`.replaceAll(/ +/g, ' ')).join('\n'))
  }
  const orchestrator = orchestratorAddress(env).replace(/(?<!\/)\/+$/, '')
  if (!URL.canParse(orchestrator) || toOrigin(new URL(orchestrator).origin) === undefined) throw new CommandError('ORCHESTRATOR_URL must be an address such as https://orchestrator.example')
  return { ...output, orchestrator }
}
