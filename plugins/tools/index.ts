import * as v from 'valibot'
import { BootError, clock, definePlugin } from '../../kernel/index.ts'
import { outbound } from '../outbound/port.ts'
import { enabledTools } from '../health/status/port.ts'
import { createExecutor, plainName } from './executor.ts'
import { ToolShape } from './manifest.ts'
import { toolExecutor, tools } from './port.ts'
import type { Tool } from './tool.ts'
import { readRemoteTools } from './remote.ts'
import { routes } from './routes.ts'

/** Headers in the manifest file may reference any variable; only referenced variables are read. */
const ToolVariables = v.pipe(
  v.looseObject({
    ORCHESTRATOR_TOOL_MANIFEST_PATH: v.pipe(
      v.optional(v.string()),
      v.description('A JSON file that lists tools of other services for agents and for chat.'),
    ),
  }),
  v.transform(({ ORCHESTRATOR_TOOL_MANIFEST_PATH: path, ...others }) => ({
    path,
    valueOf(name: string): string | undefined {
      const value = Object.hasOwn(others, name) ? others[name] : undefined
      return typeof value === 'string' ? value : undefined
    },
  })),
)

/** Runs the tools of plugins and of other services with one executor. */
export default definePlugin({
  name: 'tools',
  tag: 'Agent',
  needs: { clock, outbound, tools },
  gives: { toolExecutor, enabledTools },
  env: ToolVariables,
  routes,
}).setup(async ({ needs: { clock, outbound, ...needs }, env: { path, valueOf }, log, production }) => {
  const own = needs.tools.filter((tool) => tool !== undefined)
  const problems = problemsOf(own)
  if (problems.length > 0) throw new BootError(problems)
  const all = [...own]
  for (const tool of path === undefined
    ? []
    : await readRemoteTools(path, { outbound, log, production, valueOf })) {
    if (all.some(({ name }) => plainName(name) === plainName(tool.name)))
      log.warn({ tool: tool.name }, 'tool skipped: another tool has this name')
    else all.push(tool)
  }
  const executor = createExecutor({ tools: all, clock, log })
  return {
    gives: {
      toolExecutor: executor,
      enabledTools: executor
        .list()
        .filter(({ enabled }) => enabled)
        .map(({ name }) => name),
    },
    handlers: { list: () => ({ status: 200, body: { tools: executor.list() } }) },
  }
})

function problemsOf(tools: readonly Tool[]): readonly string[] {
  const names = tools.map(({ name }) => plainName(name))
  return tools.flatMap((tool, index) => [
    ...(v.safeParse(ToolShape, tool).success ? [] : [`the tool '${tool.name}' has an invalid manifest`]),
    ...(names.indexOf(plainName(tool.name)) === index ? [] : [`the tool '${tool.name}' is registered twice`]),
  ])
}
