import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exporting, importing } from './content-source.ts'
import { type Framework, type SiteFacts, usualVariables } from './framework.ts'
import type { Project } from './project.ts'
import { editor, imports, loadImports, loadVariables, manifestSource, pageImports, rendering } from './source.ts'
import { inspectPath } from './write-files.ts'

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

/** Astro, which does not load `.env` into the environment of the process. */
export const astro: Framework = {
  name: 'astro',
  dependency: 'astro',
  files: ({ code }, facts) => [
    {
      path: 'src/pages/api/editor/[...path].ts',
      text: `${loadImports}${importing('type { APIRoute }', 'astro')}${imports(facts, '../../../lib/manifest')}${loadVariables}${editor(facts, 'const')}
export const prerender = false
export const ALL: APIRoute = ({ request }) => editor.fetch(request)
`,
    },
    { path: 'src/pages/[...path].astro', text: page(facts) },
    ...(facts.blocks ? [{ path: `src/lib/manifest.${code}`, text: manifestSource }] : []),
  ],
  variablesFile: '.env',
  variables: usualVariables,
  steps: ({ dependencies, has }) => [
    ...(dependencies.has('@astrojs/node') ? [] : ['Add a server adapter to Astro: npx astro add node']),
    ...(has('src/pages/index.astro') ? ['To see the home page of the content, remove src/pages/index.astro'] : []),
    'Start the site: npx astro dev',
  ],
}

const endings = ['mjs', 'ts', 'js', 'mts']
const start = importing('node', '@astrojs/node')
const adapter = `adapter: node({ mode: 'standalone' })`

/** Adds a missing server adapter for dynamic routes: the package, and the setting in a simple config. */
export async function addAstroServer({ folder, dependencies }: Pick<Project, 'folder' | 'dependencies'>): Promise<{ readonly dependencies: Readonly<Record<string, string>>; readonly files: readonly string[] }> {
  const found = (await Promise.all(endings.map(async (ending) => ((await inspectPath(folder, `astro.config.${ending}`)) === 'file' ? [`astro.config.${ending}`] : [])))).flat()
  const [file = 'astro.config.mjs'] = found
  const before = found.length === 0 ? `${importing('{ defineConfig }', 'astro/config')}\n${exporting} defineConfig({})\n` : await readFile(join(folder, file), 'utf8')
  if (/\badapter\s*:/.test(before) || [...dependencies.keys()].some((name) => /^@astrojs\/(?:node|vercel|netlify|cloudflare)$/.test(name))) return { dependencies: {}, files: [] }
  const after = before.replace(/defineConfig\(\{(\s*)(\}?)/, (_, blanks: string, end: string) => (end === '' ? `defineConfig({\n  ${adapter},${blanks || ' '}` : `defineConfig({\n  ${adapter},\n}`))
  if (after === before) return { dependencies: {}, files: [] }
  await writeFile(join(folder, file), start + after)
  // Since Astro 4, the major version of the adapter is four ahead.
  const major = Number(/\d+/.exec(dependencies.get('astro') ?? '')?.[0] ?? Number.NaN)
  return { dependencies: { '@astrojs/node': major >= 4 ? `^${major + 4}.0.0` : 'latest' }, files: [file] }
}
