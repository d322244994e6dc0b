import { usualVariables, type Framework } from './framework.ts'
import { editor, importing, imports, loadImports, loadVariables } from './source.ts'

/** Astro. Its own reading of `.env` does not reach the environment of the process. */
export const astro: Framework = {
  name: 'astro',
  dependency: 'astro',
  routeFile: () => 'src/pages/api/editor/[...path].ts',
  route: (facts) => `${loadImports}${importing('type { APIRoute }', 'astro')}${imports}${loadVariables}${editor(facts, 'const')}
export const prerender = false
export const ALL: APIRoute = ({ request }) => editor.fetch(request)
`,
  variablesFile: '.env',
  variables: usualVariables,
  steps: ({ dependencies }) =>
    dependencies.has('@astrojs/node') ? [] : ['Give Astro a server for routes that run: npx astro add node'],
}
