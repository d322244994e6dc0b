import { usualVariables, type Framework } from './framework.ts'
import { importOf, moduleFile } from './module-file.ts'
import { editorModule } from './source.ts'

/** Fastify. The hook runs before a body is read. */
export const fastify: Framework = {
  name: 'fastify',
  dependency: 'fastify',
  routeFile: moduleFile,
  route: editorModule,
  variablesFile: '.env',
  variables: usualVariables,
  steps: (_, file) => [
    'Mount it:',
    importOf(file),
    "app.all('/api/editor/*', { onRequest: async (request, reply) => { reply.hijack(); await editor.node(request.raw, reply.raw) } }, () => undefined)",
  ],
}
