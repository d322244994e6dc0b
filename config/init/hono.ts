import { usualVariables, type Framework } from './framework.ts'
import { importOf, moduleFile } from './module-file.ts'
import { editorModule } from './source.ts'

export const hono: Framework = {
  name: 'hono',
  dependency: 'hono',
  routeFile: moduleFile,
  route: editorModule,
  variablesFile: '.env',
  variables: usualVariables,
  steps: (_, file) => ['Mount it:', importOf(file), "app.all('/api/editor/*', (context) => editor.fetch(context.req.raw))"],
}
