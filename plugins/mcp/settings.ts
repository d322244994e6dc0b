import * as v from 'valibot'
import { listVariable, toSwitch } from '../../kernel/index.ts'
import type { Permission } from './tools/tool.ts'

export const serverName = 'content-orchestrator'
/** The maximum size of a message in bytes: a file of 25 MiB in base64. */
export const mostBytes = 40 * 1024 * 1024

/** The listed tools, and their permissions. */
export interface ToolSettings {
  /** The prefix of every tool name. */
  readonly prefix: string
  /** Whether every tool is listed, not only a dozen. */
  readonly all: boolean
  readonly allow: ReadonlySet<Permission>
  readonly readOnly: boolean
}

const permissions = ['delete', 'publish'] as const
const isPermission = (word: string): word is Permission => permissions.some((each) => each === word)
const switchVariable = v.optional(v.pipe(v.string(), v.transform(toSwitch), v.boolean('must be 1 or 0')), '0')
const permissionList = v.pipe(
  listVariable,
  v.check((words) => words.every(isPermission), 'must list delete, publish, or both'),
  v.transform((words) => words.filter(isPermission)),
)

/** The variables of both `/mcp` and the command `mcp`. */
export const ToolVariables = v.object({
  MCP_SITE_ID: v.pipe(
    v.optional(v.string()),
    v.description('The site that the tools of the MCP server work on; the command `mcp` requires it.'),
    v.metadata({ otherwise: 'the default site' }),
  ),
  MCP_SESSION: v.pipe(
    v.optional(v.string(), 'dev'),
    v.description('The session that the tools of the MCP server work in.'),
  ),
  MCP_TOOL_PREFIX: v.pipe(
    v.optional(
      v.pipe(v.string(), v.regex(/^[\w-]{1,30}$/, 'must be up to 30 letters, digits, - or _')),
      'orchestrator-',
    ),
    v.description('The prefix of the name of every tool for agents.'),
  ),
  MCP_TOOLS: v.pipe(
    v.optional(v.picklist(['default', 'all'], 'must be default or all'), 'default'),
    v.description(
      '`all` lists every tool for agents and allows deletes; otherwise a dozen are listed, and the others can be called by name.',
    ),
  ),
  MCP_ALLOW: v.pipe(
    v.optional(permissionList),
    v.description('What tools for agents may do besides edits: `delete`, `publish`, or both.'),
    v.metadata({
      otherwise: 'nothing; with `MCP_TOOLS=all`, delete, and publish if there is a publish token',
    }),
  ),
  MCP_READ_ONLY: v.pipe(switchVariable, v.description('`1` limits agents to tools that change nothing.')),
  MCP_BEARER_TOKEN: v.pipe(
    v.optional(v.pipe(v.string(), v.trim(), v.minLength(32, 'must have at least 32 characters'))),
    v.description(
      'The bearer token of the MCP server over HTTP, at least 32 characters. `/mcp` also accepts access tokens, and is mounted if either is configured.',
    ),
  ),
})

export function toToolSettings(
  env: v.InferOutput<typeof ToolVariables>,
  { hasPublishToken }: { readonly hasPublishToken: boolean },
): ToolSettings {
  const all = env.MCP_TOOLS === 'all'
  const usual: readonly Permission[] = all ? ['delete', ...(hasPublishToken ? ['publish' as const] : [])] : []
  return {
    prefix: env.MCP_TOOL_PREFIX,
    all,
    allow: new Set(env.MCP_ALLOW ?? usual),
    readOnly: env.MCP_READ_ONLY,
  }
}
