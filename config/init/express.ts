import { usualVariables, type Framework } from './framework.ts'
import { importOf, moduleFile } from './module-file.ts'
import { editorModule } from './source.ts'

export const express: Framework = {
  name: 'express',
  dependency: 'express',
  routeFile: moduleFile,
  route: editorModule,
  variablesFile: '.env',
  variables: usualVariables,
  steps: (_, file) => ['Mount it before express.json(), which would read its bodies:', importOf(file), 'app.use(editor.node)'],
}
