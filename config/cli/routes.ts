import { drawRoutes, gateName } from '../../kernel/draw.ts'
import { sitesOf, verbOf, type MountedRoute } from '../../kernel/index.ts'
import { defineCommand } from './shared/command.ts'
import { assembleFor, jsonFlag, sharedFlags } from './shared/flags.ts'
import { inspect } from './shared/inspect.ts'

const toRow = (route: MountedRoute) => {
  const { spec, tag, plugin, leftOut = null } = route
  const { method, path, summary, internal = false } = spec
  return { method, path, gate: gateName(route), can: verbOf(spec), sites: sitesOf(spec), tag, plugin, summary, internal, leftOut }
}

export const routes = defineCommand({
  name: 'routes',
  summary: 'Prints every route, who may call it, and which are left out and why.',
  flags: { ...sharedFlags, ...jsonFlag },
  async run(given, io) {
    const found = await inspect(await assembleFor(given, io), ({ routes }) => routes)
    io.print(given.has('json') ? JSON.stringify(found.map(toRow), null, 2) : drawRoutes(found, io.paint))
    return 0
  },
})
