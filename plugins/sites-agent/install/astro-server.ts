import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { lookAt } from './places.ts'
import { exporting, importing } from './content-source.ts'

const Manifest = v.object({ dependencies: v.optional(v.record(v.string(), v.string()), {}), devDependencies: v.optional(v.record(v.string(), v.string()), {}) })

const endings = ['mjs', 'ts', 'js', 'mts']
const start = importing('node', '@astrojs/node')
const adapter = `adapter: node({ mode: 'standalone' })`

/** Gives Astro the server that routes which run need, where it has none: a package, and a setting where its place is plain to see. */
export async function addAstroServer(folder: string): Promise<{ readonly dependencies: Readonly<Record<string, string>>; readonly files: readonly string[] }> {
  const { dependencies, devDependencies } = v.parse(Manifest, JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
  const all = { ...devDependencies, ...dependencies }
  const found = (await Promise.all(endings.map(async (ending) => ((await lookAt(folder, `astro.config.${ending}`)) === 'file' ? [`astro.config.${ending}`] : [])))).flat()
  const [file = 'astro.config.mjs'] = found
  const before = found.length === 0 ? `${importing('{ defineConfig }', 'astro/config')}\n${exporting} defineConfig({})\n` : await readFile(join(folder, file), 'utf8')
  if (/\badapter\s*:/.test(before) || Object.keys(all).some((name) => /^@astrojs\/(?:node|vercel|netlify|cloudflare)$/.test(name))) return { dependencies: {}, files: [] }
  const after = before.replace(/defineConfig\(\{(\s*)(\}?)/, (_, blanks: string, end: string) => (end === '' ? `defineConfig({\n  ${adapter},${blanks || ' '}` : `defineConfig({\n  ${adapter},\n}`))
  if (after === before) return { dependencies: {}, files: [] }
  await writeFile(join(folder, file), start + after)
  // Since Astro 4 the two move together, four versions apart.
  const major = Number(/\d+/.exec(all['astro'] ?? '')?.[0] ?? Number.NaN)
  return { dependencies: { '@astrojs/node': major >= 4 ? `^${major + 4}.0.0` : 'latest' }, files: [file] }
}
