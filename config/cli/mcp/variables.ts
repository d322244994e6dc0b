import * as v from 'valibot'
import { ToolVariables } from '../../../plugins/mcp/settings.ts'
import { CommandError } from '../shared/command.ts'
import type { Environment } from '../../env.ts'
import { orchestratorAddress } from '../../site-environment.ts'
import { Host, HostNames, LogLevel, Origins, Port, toAddress } from '../../values.ts'

const secret = v.optional(v.pipe(v.string(), v.trim()))

/** The variables of the command, in addition to those of `/mcp`. */
const Variables = v.object({
  ...ToolVariables.entries,
  MCP_PORT: v.optional(Port, '4300'),
  MCP_HOST: v.optional(Host, '127.0.0.1'),
  MCP_ALLOWED_ORIGINS: v.optional(Origins, ''),
  MCP_ALLOWED_HOSTS: v.optional(HostNames, ''),
  ORCHESTRATOR_LOG_LEVEL: v.optional(LogLevel, 'warn'),
  ORCHESTRATOR_ACCESS_TOKEN: secret,
  PUBLISH_TOKEN: secret,
})
export type McpVariables = v.InferOutput<typeof Variables> & { readonly MCP_SITE_ID: string; readonly orchestrator: string }

/** Reads the variables. Refuses, as a CommandError, those that are missing or wrong, all at once and without their values. */
export function readVariables(env: Environment): McpVariables {
  const { success, output, issues = [] } = v.safeParse(Variables, env)
  const orchestrator = toAddress(orchestratorAddress(env))
  const siteId = env['MCP_SITE_ID']
  const problems = [
    ...(siteId === undefined ? ['MCP_SITE_ID is not set: set it to the id of the site that the tools work on.'] : []),
    ...(orchestrator !== undefined ? [] : ['ORCHESTRATOR_URL: expected an address such as https://orchestrator.example']),
    ...issues.map((issue) => `${v.getDotPath(issue) ?? 'the environment'}: ${issue.message}`),
  ]
  if (!success || siteId === undefined || orchestrator === undefined || problems.length > 0) throw new CommandError(problems.join('\n'))
  return { ...output, MCP_SITE_ID: siteId, orchestrator }
}
