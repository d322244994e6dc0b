/** Which files of a website are its content. */
import { basename, dirname, matchesGlob } from 'node:path/posix'
import { paced } from '../../../kernel/index.ts'
import { kindOfPath } from './kinds.ts'
import { isCodePath } from './project-parsers.ts'

/** Which files are content, by globs of paths below the folder. */
export interface Choice {
  /** These, in place of those that are found. */
  readonly include?: readonly string[] | undefined
  /** None of these. */
  readonly ignore?: readonly string[] | undefined
}

interface FrameworkFiles {
  /** Matches the path of a file that shows it, below the folder of its website. */
  readonly mark: RegExp
  /** The folders and files of its content, below what has the mark; `.` is all but code. */
  readonly places: readonly string[]
  /** Other files of its content, by globs. */
  readonly globs?: readonly string[]
  /** Where it has pictures, below the folder with the mark: the first, or the one that is there. */
  readonly pictures?: readonly [string, ...string[]]
  /** True if it is used only without another one of the same folder, which is before it in the list. */
  readonly isWeak?: boolean
}

const code = '*.{js,mjs,ts,mts}'
const inBoth = (top: string, names: readonly string[]): readonly string[] =>
  ['', top].flatMap((folder) => names.map((name) => folder + name))

const inPublic = ['public/images', 'public/img'] as const
const inStatic = ['static/images', 'static/img'] as const

const frameworks: readonly FrameworkFiles[] = [
  {
    mark: /astro\.config\.\w+/,
    places: [
      'content',
      ...['content', 'data', 'pages', 'components', 'layouts'].map((name) => `src/${name}`),
    ],
    globs: ['astro.config.*', `src/${code}`],
    pictures: inPublic,
  },
  {
    mark: /docusaurus\.config\.\w+/,
    places: ['docs', 'blog', 'src/pages', 'src/components', 'src/theme'],
    globs: ['docusaurus.config.*', 'sidebars.*'],
    pictures: ['static/img', 'static/images'],
  },
  { mark: /\.vitepress\/config\.\w+/, places: ['.'], globs: ['.vitepress/config.*'], pictures: inPublic },
  {
    mark: /(?:\.eleventy|eleventy\.config)\.\w+/,
    places: ['.'],
    globs: ['eleventy.config.*', `_data/**/${code}`, `*/_data/**/${code}`],
  },
  { mark: /_config\.ya?ml/, places: ['.'], pictures: ['assets/images', 'assets/img', 'images', 'img'] },
  { mark: /hugo\.(?:toml|ya?ml|json)/, places: ['content', 'data'], pictures: inStatic },
  {
    mark: /nuxt\.config\.\w+/,
    places: ['content', ...inBoth('app/', ['app.vue', 'error.vue', 'components', 'layouts', 'pages'])],
    pictures: inPublic,
  },
  {
    mark: /svelte\.config\.\w+|src\/routes\/\+(?:layout|page)\.svelte/,
    places: ['src/routes', 'src/lib', 'src/content', 'src/posts', 'content', 'posts'],
    pictures: inStatic,
  },
  {
    mark: /next\.config\.\w+|(?:src\/)?(?:app\/(?:layout|page)|pages\/_app)\.[jt]sx?/,
    places: inBoth('src/', ['app', 'pages', 'components', 'content', 'posts', '_posts', 'data']),
    pictures: inPublic,
  },
  {
    mark: /react-router\.config\.\w+|app\/root\.[jt]sx/,
    places: ['app', 'content', 'posts'],
    pictures: inPublic,
  },
  {
    mark: /gatsby-config\.\w+/,
    places: ['content', 'blog', ...['pages', 'components', 'templates', 'data'].map((name) => `src/${name}`)],
    globs: ['gatsby-config.*'],
    pictures: inStatic,
  },
  {
    mark: /vite\.config\.\w+|src\/App\.(?:[jt]sx?|vue|svelte)/,
    places: ['src', 'content', 'index.html'],
    pictures: inPublic,
    isWeak: true,
  },
  {
    mark: /^index\.html/,
    places: [],
    globs: ['**/*.html'],
    pictures: ['images', 'img', 'assets/images', 'assets/img', 'assets'],
    isWeak: true,
  },
  // A program of its own makes the pages.
  {
    mark: /^package\.json/,
    places: ['content', 'posts', '_posts', 'blog', 'pages', 'data', '_data'],
    pictures: [...inPublic, ...inStatic],
    isWeak: true,
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

/** Files of packages and of tools. */
const foreignFiles = [
  /^\./,
  /^(?:package(?:-lock)?|npm-shrinkwrap|composer|deno|bower|lerna|nx|turbo|vercel|renovate|biome)\.jsonc?$/i,
  /^(?:[tj]sconfig.*|.*\.config)\.jsonc?$/i,
  /^(?:pnpm-lock|pnpm-workspace|docker-compose.*)\.ya?ml$/i,
  /^(?:netlify|wrangler|pyproject|cargo)\.toml$/i,
]

/** Names that say that a file has secrets, which documents may have in the folders of a framework. */
const ofSecrets = /(?:^|[-_.])(?:secrets?|credentials?|service-?account|private-?keys?)(?:[-_.].*)?\.\w+$/i
const mayHaveSecrets = (path: string): boolean =>
  (kindOfPath(path) === 'data' || isCodePath(path)) && ofSecrets.test(basename(path))

/** Names of texts about a repository, which documents may have there, too. */
const aboutRepository =
  /^(?:changelog|changes|history|licen[cs]e|copying|notice|contributing|code_of_conduct|security)(?:[-_.].*)?$/i
const isAboutRepository = (path: string): boolean => aboutRepository.test(basename(path))

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
  const isMeant = (path: string): boolean =>
    kindOfPath(path) !== undefined &&
    !isForeign(path) &&
    !mayHaveSecrets(path) &&
    !ignore.some((glob) => matchesGlob(path, glob)) &&
    (!include || include.some((glob) => matchesGlob(path, glob)))
  const isPlain = (path: string): boolean =>
    !isCodePath(path) && !isAboutRepository(path) && !ofSecrets.test(basename(path))
  const marks: string[] = []
  const meant: string[] = []
  const counts = new Map<string, number>()
  for await (const path of paced(paths)) {
    if (anyMark.test(path)) marks.push(path)
    if (!isMeant(path)) continue
    meant.push(path)
    if (isPlain(path)) counts.set(groupOf(path), (counts.get(groupOf(path)) ?? 0) + 1)
  }
  const all = new Set(paths)
  const used = frameworksOf(marks)
  const isFound = (path: string): boolean =>
    include !== undefined ||
    isOfFramework(path, used) ||
    (isPlain(path) && !isTest(path) && dirname(path) !== '.' && (counts.get(groupOf(path)) ?? 0) >= fewest)
  const found: string[] = []
  const groups = new Set<string>()
  for await (const path of paced(meant)) {
    if (!isFound(path) && !wasContent(path)) continue
    found.push(path)
    groups.add(groupOf(path))
  }
  return {
    paths: found.toSorted((a, b) => (a < b ? -1 : 1)),
    admits: (path) =>
      isMeant(path) &&
      !foldersOf(path).some((each) => all.has(each)) &&
      (isFound(path) || groups.has(groupOf(path))),
  }
}

/** The folders that a path is in. */
const foldersOf = (path: string): readonly string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))

const groupOf = (path: string): string => `${dirname(path)} ${kindOfPath(path)}`

const isTest = (path: string): boolean =>
  testFile.test(path) ||
  dirname(path)
    .split('/')
    .some((name) => testFolder.test(name))

/** Matches such files below any folder. */
const markAtEnd = (...marks: readonly RegExp[]): RegExp =>
  new RegExp(`(?:^|/)(?:${marks.map(({ source }) => source).join('|')})$`)
const anyMark = markAtEnd(...frameworks.map(({ mark }) => mark))

interface UsedFramework extends FrameworkFiles {
  /** The folder that has its mark, with a slash at its end unless it is the website's own. */
  readonly base: string
}

/** Returns the frameworks of a website, each where its mark is; a weak one only where it is the first. */
function frameworksOf(marks: readonly string[]): readonly UsedFramework[] {
  const used = frameworks.flatMap((framework) => {
    const end = markAtEnd(framework.mark)
    return marks.flatMap((path) => {
      const at = path.search(end)
      if (at === -1) return []
      const base = at === 0 ? '' : path.slice(0, at + 1)
      return base !== '' && isForeign(`${base}_`) ? [] : [{ ...framework, base }]
    })
  })
  return used.filter((each) => !each.isWeak || used.find(({ base }) => base === each.base) === each)
}

/**
 * Returns the folder of the website that has a document, with a slash at its end unless it is the first, and
 * where in it its framework has pictures; `undefined` if none of its frameworks says so.
 */
export function pictureFolderOf(paths: readonly string[], document: string) {
  const [found] = frameworksOf(paths.filter((path) => anyMark.test(path)))
    .filter(({ base }) => document.startsWith(base))
    .flatMap(({ base, pictures }) => (pictures ? [{ base, names: pictures }] : []))
    .toSorted((a, b) => b.base.length - a.base.length)
  return found
}

/**
 * Beside the configuration of a framework, data configures tools, and some texts are about the repository.
 */
const ofTools = (path: string): boolean =>
  kindOfPath(path) === 'data' ||
  /^readme\b/i.test(basename(path)) ||
  // A page there has such a name in small letters.
  (isAboutRepository(path) && /^[A-Z]{2}/.test(basename(path)))

const isOfFramework = (path: string, used: readonly UsedFramework[]): boolean =>
  !testFile.test(path) &&
  used.some(({ base, places, globs = [] }) => {
    if (!path.startsWith(base)) return false
    const own = path.slice(base.length)
    if (isCodePath(path) && (isTest(path) || path.endsWith('.d.ts'))) return false
    if (globs.some((glob) => matchesGlob(own, glob))) return true
    return places.some((place) => {
      if (place !== '.') return own === place || own.startsWith(`${place}/`)
      return !isCodePath(path) && !isTest(path) && (own.includes('/') || !ofTools(path))
    })
  })
