import { usualVariables, type Framework } from './framework.ts'
import { importOf, moduleFile } from './module-file.ts'
import { editorModule } from './source.ts'

/** Plain `node:http`. */
export const node: Framework = {
  name: 'node',
  routeFile: moduleFile,
  route: editorModule,
  variablesFile: '.env',
  variables: usualVariables,
  steps: (_, file) => [
    'Mount it; what is none of its paths goes on to your own handler:',
    importOf(file),
    'createServer((request, response) => editor.node(request, response, () => handler(request, response)))',
  ],
}
