import { defineCommand } from './shared/command.ts'
import { assembleFor, sharedFlags } from './shared/flags.ts'
import { inspect } from './shared/inspect.ts'

export const openapi = defineCommand({
  name: 'openapi',
  summary: 'Prints the API as an OpenAPI 3.1 document.',
  flags: sharedFlags,
  async run(given, io) {
    const { apiVersion, openApiDocument } = await import('../../plugins/docs/openapi.ts')
    const routes = await inspect(await assembleFor(given, io), (kernel) => kernel.routes)
    io.print(JSON.stringify(openApiDocument(routes, { version: apiVersion }), null, 2))
    return 0
  },
})
