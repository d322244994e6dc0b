/** Which files of a website are its content. */
import { basename, dirname, matchesGlob } from 'node:path/posix'
import { pace } from '../../../kernel/index.ts'
import { kindOfPath } from './kinds.ts'
import { isCodePath } from './project-parsers.ts'

/** Which files are content, by globs of paths below the folder. */
export interface Choice {
  /** These, in place of those that are found. */
  readonly include?: readonly string[] | undefined
  /** None of these. */
  readonly ignore?: readonly string[] | undefined
}

interface FrameworkFolders {
  readonly config: RegExp
  /** Those that it defines, below the one with its configuration. */
  readonly folders: readonly string[]
  /** Code with texts of pages, by globs; beside that in its folders but the top one. */
  readonly code?: readonly string[]
}

const frameworks: readonly FrameworkFolders[] = [
  {
    config: /^astro\.config\.\w+$/,
    folders: ['content', 'data', 'pages', 'components', 'layouts'].map((name) => `src/${name}`),
    code: ['astro.config.*', 'src/*'],
  },
  {
    config: /^docusaurus\.config\.\w+$/,
    folders: ['docs', 'blog', 'src/pages', 'src/components', 'src/theme'],
    code: ['docusaurus.config.*', 'sidebars.*'],
  },
  { config: /^\.vitepress\/config\.\w+$/, folders: ['.'], code: ['.vitepress/config.*'] },
  { config: /^(?:\.eleventy|eleventy\.config)\.\w+$/, folders: ['.'], code: ['_data/**', '*/_data/**'] },
  { config: /^_config\.ya?ml$/, folders: ['.'] },
  { config: /^hugo\.(?:toml|ya?ml|json)$/, folders: ['content', 'data'] },
  { config: /^nuxt\.config\.\w+$/, folders: ['content'] },
  {
    config: /^svelte\.config\.\w+$/,
    folders: ['src/routes', 'src/lib', 'src/content', 'src/posts', 'content', 'posts'],
  },
  {
    config: /^next\.config\.\w+$/,
    folders: ['', 'src/'].flatMap((at) =>
      ['app', 'pages', 'components', 'content', 'posts', '_posts', 'data'].map((name) => at + name),
    ),
  },
]

/** Folders of programs: packages, and what is built. */
export const foreignFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'target',
  'dist',
  'build',
  'out',
  '_site',
  'coverage',
  'storybook-static',
])

const testFolder = /^(?:tests?|__\w+__|specs?|e2e|cypress|fixtures)$/i
const testFile = /\.(?:test|spec|stories)\.\w+$/i

/** Files of packages, of tools and of lawyers, and those whose names say that they have secrets. */
const foreignFiles = [
  /^\./,
  /^(?:package(?:-lock)?|npm-shrinkwrap|composer|deno|bower|lerna|nx|turbo|vercel|renovate|biome)\.jsonc?$/i,
  /^(?:[tj]sconfig.*|.*\.config)\.jsonc?$/i,
  /^(?:pnpm-lock|pnpm-workspace|docker-compose.*)\.ya?ml$/i,
  /^(?:netlify|wrangler|pyproject|cargo)\.toml$/i,
  /^(?:changelog|changes|history|licen[cs]e|copying|notice|contributing|code_of_conduct|security)(?:[-_.].*)?$/i,
  /(?:^|[-_.])(?:secrets?|credentials?|service-?account|private-?keys?)(?:[-_.].*)?\.\w+$/i,
]

/** Whether a file is content at no place. */
export function isForeign(path: string): boolean {
  const folders = dirname(path).split('/')
  return (
    foreignFiles.some((form) => form.test(basename(path))) ||
    folders.some((name) => name.length > 1 && (isHidden(name, path) || foreignFolders.has(name)))
  )
}

/** VitePress has its configuration in a dot folder. */
const isHidden = (name: string, path: string): boolean =>
  name.startsWith('.') && !(name === '.vitepress' && isCodePath(path))

/** The fewest files of one kind that make a folder one of content. */
const fewest = 3

/**
 * Finds the paths of the content among those of a website, in order, and a function that says whether a new
 * file would be content.
 *
 * Content is in the folders that a framework defines, and in other folders with three or more files of one
 * kind, except that of the website itself, which has the files of tools. What `wasContent` stays, as one file
 * of three may go.
 */
export async function selectContent(
  paths: readonly string[],
  { include, ignore = [] }: Choice,
  wasContent: (path: string) => boolean,
): Promise<{ readonly paths: readonly string[]; readonly admits: (path: string) => boolean }> {
  const frameworks = frameworksIn(paths)
  const isMeant = (path: string): boolean =>
    kindOfPath(path) !== undefined &&
    !isForeign(path) &&
    !ignore.some((glob) => matchesGlob(path, glob)) &&
    (!include || include.some((glob) => matchesGlob(path, glob)))
  const meant: string[] = []
  const counts = new Map<string, number>()
  for (const path of paths) {
    await pace()
    if (!isMeant(path)) continue
    meant.push(path)
    if (!isCodePath(path)) counts.set(groupOf(path), (counts.get(groupOf(path)) ?? 0) + 1)
  }
  const isFound = (path: string): boolean =>
    include !== undefined ||
    isOfFramework(path, frameworks) ||
    (!isCodePath(path) &&
      !isTest(path) &&
      dirname(path) !== '.' &&
      (counts.get(groupOf(path)) ?? 0) >= fewest)
  const found: string[] = []
  const groups = new Set<string>()
  for (const path of meant) {
    await pace()
    if (!isFound(path) && !wasContent(path)) continue
    found.push(path)
    groups.add(groupOf(path))
  }
  return {
    paths: found.toSorted((a, b) => (a < b ? -1 : 1)),
    admits: (path) => isMeant(path) && (isFound(path) || groups.has(groupOf(path))),
  }
}

const groupOf = (path: string): string => `${dirname(path)} ${kindOfPath(path)}`

const isTest = (path: string): boolean =>
  testFile.test(path) ||
  dirname(path)
    .split('/')
    .some((name) => testFolder.test(name))

interface UsedFramework extends FrameworkFolders {
  /** The folder with its configuration, with a slash at its end unless it is the website's own. */
  readonly base: string
}

/** Returns the frameworks of a website, each where it is configured. */
function frameworksIn(paths: readonly string[]): readonly UsedFramework[] {
  return paths.flatMap((path) => {
    const [, base = '', config = ''] = /^(.*?\/)??((?:\.vitepress\/)?[^/]+)$/.exec(path) ?? []
    const framework = frameworks.find((each) => each.config.test(config))
    if (!framework || (base !== '' && isForeign(`${base}_`))) return []
    return [{ ...framework, base }]
  })
}

/** Beside the configuration of a framework, data configures tools, and the README is about the repository. */
const ofTools = (path: string): boolean => kindOfPath(path) === 'data' || /^readme\b/i.test(basename(path))

const isOfFramework = (path: string, used: readonly UsedFramework[]): boolean =>
  used.some(({ base, folders, code = [] }) => {
    if (!path.startsWith(base)) return false
    const own = path.slice(base.length)
    if (isCodePath(path) && (isTest(path) || path.endsWith('.d.ts'))) return false
    if (isCodePath(path) && code.some((glob) => matchesGlob(own, glob))) return true
    return folders.some((folder) => {
      if (folder !== '.') return own.startsWith(`${folder}/`)
      return !isCodePath(path) && !isTest(path) && (own.includes('/') || !ofTools(path))
    })
  })
