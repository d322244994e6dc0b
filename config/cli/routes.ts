import { drawRoutes, gateName } from '../../kernel/draw.ts'
import { sitesOf, verbOf, type MountedRoute } from '../../kernel/index.ts'
import { assemble } from '../assemble.ts'
import { defineCommand } from './shared/command.ts'
import { inspect } from './shared/inspect.ts'
import { jsonFlag, readShared, sharedFlags } from './shared/flags.ts'

const toRow = (route: MountedRoute) => {
  const { method, path, summary, internal } = route.spec
  return {
    method,
    path,
    gate: gateName(route),
    can: verbOf(route.spec),
    sites: sitesOf(route.spec),
    tag: route.tag,
    plugin: route.plugin,
    summary,
    internal: internal === true,
    leftOut: route.leftOut ?? null,
  }
}

export const routes = defineCommand({
  name: 'routes',
  summary: 'Prints every route, who may use it, and which are left out and why.',
  flags: { ...sharedFlags, ...jsonFlag },
  async run(given, io) {
    const found = await inspect(await assemble(io, readShared(given)), ({ routes }) => routes)
    io.line(given.has('json') ? JSON.stringify(found.map(toRow), null, 2) : drawRoutes(found, io.paint))
    return 0
  },
})
