import { importing } from './content-source.ts'
import { usualVariables, type Framework, type SiteFacts } from './framework.ts'
import { editor, imports, loadImports, loadVariables, manifestSource, pageImports, rendering } from './source.ts'

const page = (facts: SiteFacts): string => `---
${loadImports}${pageImports(facts, 'renderEditorPage', '../lib/manifest')}${loadVariables}
export const prerender = false

${facts.content.pageSource}const shown = await fetchEditorPage(Astro.url.pathname, Astro.request, { adapter, siteId: '${facts.siteId}' })
const html = renderEditorPage(shown, ${rendering(facts)})
Astro.response.status = shown.page ? 200 : 404
for (const [name, value] of Object.entries({ ...shown.headers, 'cache-control': 'no-store' })) Astro.response.headers.set(name, value)
---
<Fragment set:html={html} />
`

/** Astro. Its own reading of `.env` does not reach the environment of the process. */
export const astro: Framework = {
  name: 'astro',
  dependency: 'astro',
  files: (project, facts) => [
    {
      path: 'src/pages/api/editor/[...path].ts',
      text: `${loadImports}${importing('type { APIRoute }', 'astro')}${imports(facts, '../../../lib/manifest')}${loadVariables}${editor(facts, 'const')}
export const prerender = false
export const ALL: APIRoute = ({ request }) => editor.fetch(request)
`,
    },
    { path: 'src/pages/[...path].astro', text: page(facts) },
    ...(facts.blocks ? [{ path: `src/lib/manifest.${project.isTypeScript ? 'ts' : 'js'}`, text: manifestSource(project) }] : []),
  ],
  variablesFile: '.env',
  variables: usualVariables,
  steps: ({ dependencies, has }) => [
    ...(dependencies.has('@astrojs/node') ? [] : ['Give Astro a server for routes that run: npx astro add node']),
    ...(has('src/pages/index.astro') ? ['To see the home page of the content, remove src/pages/index.astro'] : []),
    'Start the site: npx astro dev',
  ],
}
