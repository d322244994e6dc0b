import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fillFor, type Framework, usualVariables } from './framework.ts'
import { homeSteps, ownPages } from './own-pages.ts'
import type { Project } from './project.ts'
import { fill } from './template.ts'
import { inspectPath } from './write-files.ts'

/** Astro, which does not load `.env` into the environment of the process. */
export const astro: Framework = {
  name: 'astro',
  dependency: 'astro',
  files: (project, facts) => [
    {
      path: 'src/pages/api/editor/[...path].ts',
      text: fillFor('astro/route', project, facts, { manifest: '../../../lib/manifest' }),
    },
    {
      path: 'src/pages/[...path].astro',
      text: fillFor('astro/page', project, facts, {
        render: 'renderEditorPage',
        manifest: '../lib/manifest',
      }),
    },
    ...(facts.blocks
      ? [{ path: `src/lib/manifest.${project.code}`, text: fill('manifest', project.code, {}) }]
      : []),
  ],
  variablesFile: '.env',
  variables: usualVariables,
  steps: (project) => [
    ...(hasAdapter(project.read)
      ? []
      : ['Add a server adapter to Astro, without which its build fails: npx astro add node']),
    'Start the site: npx astro dev',
    ...homeSteps(ownPages(project, 'astro'), (home) => [`remove ${home}`]),
  ],
}

const endings = ['mjs', 'ts', 'js', 'mts']
const adapterSetting = /\badapter\s*:/
const hasAdapter = (read: Project['read']): boolean =>
  endings.some((ending) => adapterSetting.test(read(`astro.config.${ending}`)))
const adapter = `adapter: node({ mode: 'standalone' })`

/** Adds a missing server adapter for dynamic routes: the package, and the setting in a simple config. */
export async function addAstroServer({
  folder,
  dependencies,
}: Pick<Project, 'folder' | 'dependencies'>): Promise<{
  readonly dependencies: Readonly<Record<string, string>>
  readonly files: readonly string[]
}> {
  const found = (
    await Promise.all(
      endings.map(async (ending) =>
        (await inspectPath(folder, `astro.config.${ending}`)) === 'file' ? [`astro.config.${ending}`] : [],
      ),
    )
  ).flat()
  const [file = 'astro.config.mjs'] = found
  const before =
    found.length === 0 ? fill('astro/config', 'js', {}) : await readFile(join(folder, file), 'utf8')
  if (
    adapterSetting.test(before) ||
    [...dependencies.keys()].some((name) => /^@astrojs\/(?:node|vercel|netlify|cloudflare)$/.test(name))
  )
    return { dependencies: {}, files: [] }
  const after = before.replace(/defineConfig\(\{(\s*)(\}?)/, (_, blanks: string, end: string) =>
    end === '' ? `defineConfig({\n  ${adapter},${blanks || ' '}` : `defineConfig({\n  ${adapter},\n}`,
  )
  if (after === before) return { dependencies: {}, files: [] }
  await writeFile(join(folder, file), fill('astro/adapter-import', 'js', {}) + after)
  // Since Astro 4, the major version of the adapter is four ahead.
  const major = Number(/\d+/.exec(dependencies.get('astro') ?? '')?.[0] ?? Number.NaN)
  return { dependencies: { '@astrojs/node': major >= 4 ? `^${major + 4}.0.0` : 'latest' }, files: [file] }
}
