import { readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as v from 'valibot'
import { addAstroServer } from './astro.ts'
import { contentFile } from './cms.ts'
import type { ChosenPlaces } from './framework.ts'
import { frameworkOf } from './frameworks.ts'
import { nextHome } from './next.ts'
import { notShown, ownPages, showsContent } from './own-pages.ts'
import { planFiles } from './plan.ts'
import { type Project, readProject, SiteFilesError } from './project.ts'
import { writeFiles } from './write-files.ts'

/** Adds editor routes, pages that show drafts, initial content and the package to a folder. Idempotent. */
export async function integrate(
  folder: string,
  {
    siteId,
    packageSpec,
    now,
    places,
  }: {
    readonly siteId: string
    readonly packageSpec: string
    readonly now: Date
    readonly places?: ChosenPlaces
  },
) {
  const project = await readProject(folder, { mayBeBare: true })
  const framework = frameworkOf(project)
  const all = (await planFiles({ project, framework, siteId, now, places })).filter(
    ({ path }) => !path.startsWith('.env'),
  )
  const existingHomes = all.filter(
    ({ path, action, isSame }) => action === 'skip' && isSame !== true && isHome(path),
  )
  // The files of the folder are shown until the editor has a page.
  const planned = all.map((file) =>
    project.isBare && file.path === contentFile && file.action === 'create'
      ? { ...file, text: withoutPages(file.text) }
      : file,
  )
  await writeFiles(folder, planned)
  const wrapped = await Promise.all(existingHomes.map(({ path }) => wrapHome(project, path, siteId)))
  const forAstro = framework.name === 'astro' ? await addAstroServer(project) : undefined
  const created = planned.flatMap(({ path, action }) => (action === 'skip' ? [] : [path]))
  const written = [...created, ...wrapped.flat(), ...(forAstro?.files ?? [])]
  const added = await addDependencies(folder, {
    'content-orchestrator': packageSpec,
    ...forAstro?.dependencies,
  })
  const integrated = await readProject(folder, { mayBeBare: true })
  return {
    framework: framework.name,
    /** The new and changed files. */
    files: [...new Set([...written, ...(added.length > 0 ? ['package.json'] : [])])],
    /** The variables of the site, for the file `variablesFile`. */
    variables: framework.variables(siteId),
    variablesFile: framework.variablesFile,
    /** The remaining steps for a person. */
    steps: [...notShown(ownPages(integrated, framework.name)), ...framework.steps(integrated, planned)],
  }
}

const isHome = (path: string): boolean => /(?:^|\/)app\/(?:\([^/]+\)\/)*page\.[jt]sx?$/.test(path)

const withoutPages = (text: string): string =>
  `${JSON.stringify({ ...JSON.parse(text), pages: [] }, null, 2)}\n`

/** Renames the home page of a Next.js site, and adds one that shows editor content, else the original. */
async function wrapHome(project: Project, path: string, siteId: string): Promise<readonly string[]> {
  const { folder } = project
  const file = join(folder, path)
  const source = await readFile(file, 'utf8')
  if (showsContent(source)) return []
  const original = `original-${basename(path)}`
  const name = original.replace(/\.[jt]sx?$/, '')
  const exported = [
    ...source.matchAll(/\bexport (?:const|async function|function) (metadata|generateMetadata|viewport)\b/g),
  ].map(([, each = '']) => each)
  await rename(file, join(folder, dirname(path), original))
  await writeFile(file, nextHome(project, siteId, { original: name, exported }))
  return [path, join(dirname(path), original)]
}

const Manifest = v.object({
  dependencies: v.optional(v.record(v.string(), v.string()), {}),
  devDependencies: v.optional(v.record(v.string(), v.string()), {}),
})

/** Adds missing packages to a package.json without reformatting it; returns their names. */
async function addDependencies(
  folder: string,
  wanted: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const file = join(folder, 'package.json')
  const text = await readFile(file, 'utf8')
  const manifest: unknown = JSON.parse(text)
  const { success, output } = v.safeParse(Manifest, manifest)
  if (!success) throw new SiteFilesError('package.json has an invalid list of packages; correct it first')
  const missing = Object.entries(wanted).filter(
    ([name]) => output.dependencies[name] === undefined && output.devDependencies[name] === undefined,
  )
  if (missing.length === 0) return []
  const dependencies = Object.fromEntries(
    [...Object.entries(output.dependencies), ...missing].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  await writeFile(file, `${JSON.stringify(Object.assign({}, manifest, { dependencies }), null, indent)}\n`)
  return missing.map(([name]) => name)
}
