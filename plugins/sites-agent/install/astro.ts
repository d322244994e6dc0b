import { usualVariables, type Framework } from './framework.ts'
import { contentFile, editor, importing, imports, loadImports, loadVariables, pageImports } from './source.ts'

const page = (siteId: string): string => `---
${loadImports}${pageImports('renderEditorPage')}${loadVariables}
export const prerender = false

const adapter = jsonFile('${contentFile}')
const shown = await fetchEditorPage(Astro.url.pathname, Astro.request, { adapter, siteId: '${siteId}' })
const html = renderEditorPage(shown, { script: livePreviewScript(shown) })
Astro.response.status = shown.page ? 200 : 404
for (const [name, value] of Object.entries({ ...shown.headers, 'cache-control': 'no-store' })) Astro.response.headers.set(name, value)
---
<Fragment set:html={html} />
`

/** Astro. Its own reading of `.env` does not reach the environment of the process. */
export const astro: Framework = {
  name: 'astro',
  dependency: 'astro',
  files: (_, facts) => [
    {
      path: 'src/pages/api/editor/[...path].ts',
      text: `${loadImports}${importing('type { APIRoute }', 'astro')}${imports}${loadVariables}${editor(facts, 'const')}
export const prerender = false
export const ALL: APIRoute = ({ request }) => editor.fetch(request)
`,
    },
    { path: 'src/pages/[...path].astro', text: page(facts.siteId) },
  ],
  variablesFile: '.env',
  variables: usualVariables,
  steps: ({ dependencies, has }) => [
    ...(dependencies.has('@astrojs/node') ? [] : ['Give Astro a server for routes that run: npx astro add node']),
    ...(has('src/pages/index.astro') ? ['To see the home page of the content, remove src/pages/index.astro'] : []),
    'Start the site: npx astro dev',
  ],
}
