import { drawPlan, drawRoutes, gateName } from '../../kernel/draw.ts'
import { sitesOf, permissionOf, type MountedRoute } from '../../kernel/index.ts'
import { defineCommand, jsonFlag, report } from './shared/command.ts'
import { assembleFor, inspect, sharedFlags } from './shared/installation.ts'

const toRow = (route: MountedRoute) => {
  const { spec, tag, plugin, leftOut = null } = route
  const { method, path, summary, internal = false } = spec
  return {
    method,
    path,
    gate: gateName(route),
    can: permissionOf(spec),
    sites: sitesOf(spec),
    tag,
    plugin,
    summary,
    internal,
    leftOut,
  }
}

export const routes = defineCommand({
  name: 'routes',
  summary: 'Prints every route, who may call it, and which are left out and why.',
  flags: { ...sharedFlags, ...jsonFlag },
  async run(given, io) {
    const found = await inspect(await assembleFor(given, io), ({ routes }) => routes)
    report(given, io, found.map(toRow), () => drawRoutes(found, io.paint))
  },
})

export const plan = defineCommand({
  name: 'plan',
  summary: 'Prints the order in which plugins are set up, and which depends on which.',
  flags: { ...sharedFlags, ...jsonFlag },
  async run(given, io) {
    report(given, io, await inspect(await assembleFor(given, io), ({ plan }) => plan), (found) =>
      drawPlan(found, io.paint),
    )
  },
})

export const openapi = defineCommand({
  name: 'openapi',
  summary: 'Prints the API as an OpenAPI 3.1 document.',
  flags: sharedFlags,
  async run(given, io) {
    const { apiVersion, openApiDocument } = await import('../../plugins/docs/openapi.ts')
    const routes = await inspect(await assembleFor(given, io), (kernel) => kernel.routes)
    io.print(JSON.stringify(await openApiDocument(routes, { version: apiVersion }), null, 2))
  },
})
