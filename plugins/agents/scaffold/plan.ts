import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../../kernel/index.ts'
import { imagePlaceholder } from '../../content/fields.ts'
import type { Block, Page } from '../../content/page.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { loadRenderer } from '../../demo-site/port.ts'
import { readContentFile } from '../../site/port.ts'
import { toTitle } from '../../sites/port.ts'
import { type CmsName, cmsVariables, contentFile, publicDir } from './cms.ts'
import { planEnvFile } from './env-file.ts'
import type { ChosenPlaces, Framework, PlannedFile, SiteFile } from './framework.ts'
import { isTaken, ownPages } from './own-pages.ts'
import { inspectPath } from './write-files.ts'
import { type Project, SiteFilesError } from './project.ts'

/** Returns the initial content of a website without a home page: one with sample blocks. */
function firstContent(now: Date): readonly Page[] {
  const blocks = [toBlock('b_hero_home', 'Hero'), toBlock('b_richtext_home', 'RichText')]
  return [{ id: 'p_home', slug: '/', title: 'Home', updatedAt: now.toISOString(), blocks }]
}

const toBlock = (id: string, type: string): Block => ({
  id,
  type,
  props: builtinRegistry.get(type)?.starter() ?? {},
})

export interface WantedFiles {
  readonly project: Project
  readonly framework: Framework
  readonly siteId: string
  readonly now: Date
  /** The CMS of the content; default: a file of the project. */
  readonly cms?: CmsName | undefined
  /** Adds a file for the block types of the site. */
  readonly blocks?: boolean
  readonly places?: ChosenPlaces | undefined
}

/** Plans the files without writing them. Throws a SiteFilesError if a path cannot be a file. */
export async function planFiles({
  project,
  framework,
  siteId,
  now,
  cms,
  blocks = false,
  places,
}: WantedFiles): Promise<readonly PlannedFile[]> {
  const { placeholderSvg } = await loadRenderer()
  const own = ownPages(project, framework.name)
  // The site shows its own home page until a person lets the content make it.
  const hasHome = own.home !== undefined || own.catchAll !== undefined
  const first = { pages: hasHome ? [] : firstContent(now), siteConfig: { name: toTitle(siteId) } }
  const wanted = [
    ...framework.files(project, {
      siteId,
      cms,
      isArray: cms === undefined && (await isArray(project)),
      blocks,
      places,
      ownNotFound: own.notFound !== undefined,
    }),
    ...(cms === undefined ? [{ path: contentFile, text: `${JSON.stringify(first, null, 2)}\n` }] : []),
    ...(cms === undefined
      ? []
      : [
          {
            path: `${framework.variablesFile}.example`,
            text: [...cmsVariables[cms], ...(framework.cmsVariables ?? [])]
              .map((name) => `${name}=\n`)
              .join(''),
          },
        ]),
    { path: publicDir + imagePlaceholder, text: placeholderSvg },
  ]
  const planned = await Promise.all(wanted.map((file) => planNew(project, file)))
  return [
    ...planned.filter(({ action, path }) => action !== 'create' || !isTaken(own, framework.name, path)),
    await planIgnored(project, [
      framework.variablesFile,
      '.env.local',
      '.orchestrator',
      ...(project.isBare ? ['node_modules'] : []),
    ]),
    await planAppended(
      project,
      framework.variablesFile,
      async (file) => (await planEnvFile(file, framework.variables(siteId))).appended,
    ),
  ]
}

async function planNew({ folder }: Project, { path, text }: SiteFile): Promise<PlannedFile> {
  for (const each of spellings(path)) {
    const place = await inspectPath(folder, each)
    if (place === 'file')
      return {
        path: each,
        action: 'skip',
        text: '',
        isSame: (await readFile(join(folder, each), 'utf8')) === text,
      }
    if (place !== 'nothing') return { path: each, action: 'skip', text: '' }
  }
  return { path, action: 'create', text }
}

/** Returns the paths at which a file may already exist: the same name with other script extensions. */
function spellings(path: string): readonly string[] {
  const [, name = '', ending = ''] = /^(.*)\.([jt]sx?|mjs)$/.exec(path) ?? []
  return ending === ''
    ? [path]
    : [
        path,
        ...['ts', 'js', 'mjs', 'tsx', 'jsx']
          .filter((each) => each !== ending)
          .map((each) => `${name}.${each}`),
      ]
}

/** Whether the existing content file, which keeps its shape, is a plain array of pages. */
async function isArray({ folder }: Project): Promise<boolean> {
  if ((await inspectPath(folder, contentFile)) !== 'file') return false
  try {
    return (await readContentFile(join(folder, contentFile))).shape === 'array'
  } catch (error) {
    throw new SiteFilesError(messageOf(error), { cause: error })
  }
}

/** Keeps secrets and data out of commits, unless the file already has patterns for them. */
const planIgnored = (project: Project, names: readonly string[]): Promise<PlannedFile> =>
  planAppended(project, '.gitignore', async (file, exists) => {
    const before = exists ? await readFile(file, 'utf8') : ''
    const patterns = before.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, ''))
    const isCovered = (name: string): boolean => patterns.some((pattern) => matches(name, pattern))
    const missing = [...new Set(names)].filter((name) => !isCovered(name))
    const start = before === '' || before.endsWith('\n') ? '' : '\n'
    return missing.length === 0 ? '' : `${start}${missing.join('\n')}\n`
  })

/** Matches a name with a .gitignore pattern of one name, possibly with stars. */
function matches(name: string, pattern: string): boolean {
  const [start = '', ...rest] = pattern.split('*')
  return rest.length === 0
    ? name === start
    : name.startsWith(start) && name.endsWith(rest.at(-1) ?? '') && rest.every((part) => name.includes(part))
}

/** Plans to append a text to a file, or to create the file; an empty text changes nothing. */
async function planAppended(
  { folder }: Project,
  path: string,
  textFor: (file: string, exists: boolean) => Promise<string>,
): Promise<PlannedFile> {
  const place = await inspectPath(folder, path)
  if (place === 'something else') throw new SiteFilesError(`${path} is not a file; rename it and try again`)
  const text = await textFor(join(folder, path), place === 'file')
  if (text === '') return { path, action: 'skip', text }
  return { path, action: place === 'file' ? 'append' : 'create', text }
}
