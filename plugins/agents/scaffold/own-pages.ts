// A named import would keep an outdated Node from its sentence.
import fs from 'node:fs'
import { sep } from 'node:path'
import { contentFile } from './cms.ts'
import type { Framework } from './framework.ts'
import type { Project } from './project.ts'

/** The files with which a website makes pages itself, where content of the editor is not shown. */
export interface OwnPages {
  readonly home?: string | undefined
  /** Answers addresses that no other page has. */
  readonly notFound?: string | undefined
  /** Makes all further addresses. */
  readonly catchAll?: string | undefined
}

interface Places {
  readonly searched: readonly string[]
  readonly home: RegExp
  readonly notFound: RegExp
  readonly catchAll: RegExp
  /** Tells a catch-all that makes the home page too. */
  readonly isHome: RegExp
}

const none = /^(?!)/
const places: Readonly<Partial<Record<Framework['name'], Places>>> = {
  astro: {
    searched: ['src/pages/*'],
    home: /^src\/pages\/index\.(?:astro|mdx?|html|[jt]s)$/,
    notFound: /^src\/pages\/404\.(?:astro|mdx?|html)$/,
    catchAll: /^src\/pages\/\[\.\.\.[^/\]]+\]\.(?:astro|[jt]s)$/,
    isHome: /./,
  },
  next: {
    searched: ['{app,pages}/*', 'app/*/*', 'app/*/*/*'].flatMap((path) => [path, `src/${path}`]),
    home: /^(?:src\/)?(?:app\/(?:\([^/]+\)\/)*page|pages\/index)\.[jt]sx?$/,
    notFound: /^(?:src\/)?(?:app\/(?:\([^/]+\)\/)*not-found|pages\/404)\.[jt]sx?$/,
    catchAll:
      /^(?:src\/)?(?:app\/(?:\([^/]+\)\/)*\[{1,2}\.{3}[^/\]]+\]{1,2}\/page|pages\/\[{1,2}\.{3}[^/\]]+\]{1,2})\.[jt]sx?$/,
    isHome: /\[\[/,
  },
  other: { searched: ['index.html'], home: /^index\.html$/, notFound: none, catchAll: none, isHome: none },
}

/** Whether a page of the site shows content of the editor. */
export const showsContent = (text: string): boolean => /content-orchestrator|\[\.\.\.path\]/.test(text)

/** Whether a new file would make addresses that the website makes itself. */
export function isTaken(own: OwnPages, framework: Framework['name'], path: string): boolean {
  const { home, catchAll } = places[framework] ?? {}
  if (own.catchAll !== undefined && catchAll?.test(path)) return true
  return (own.home ?? own.catchAll) !== undefined && home?.test(path) === true
}

/** Says which pages the content of the editor does not make, one sentence each. */
export const notShown = ({ home, catchAll }: OwnPages, content = contentFile): readonly string[] => [
  ...(home === undefined ? [] : [`/ is made by ${home}; the content in ${content} is not shown there`]),
  ...(catchAll === undefined
    ? []
    : [
        `${catchAll} makes all further addresses, so no page of the content is shown until it reads them: ` +
          'see "Any other host" in plugins/site/README.md of the package',
      ]),
]

/**
 * The steps for a website with a home page of its own, after which the content makes it. Content without a page
 * at / would answer 404 there, so that is published first.
 */
export function homeSteps(
  { home, catchAll }: OwnPages,
  changeOf: (home: string) => readonly string[],
): readonly string[] {
  const [change, ...lines] = home === undefined || catchAll !== undefined ? [] : changeOf(home)
  if (change === undefined) return []
  return [`To see a home page of the content, publish a page at / in the studio, then ${change}`, ...lines]
}

/** Finds the pages that a website makes itself; none in a framework whose server decides. */
export function ownPages(
  { folder, read }: Pick<Project, 'folder' | 'read'>,
  framework: Framework['name'],
): OwnPages {
  const known = places[framework]
  if (!known) return {}
  const files = fs
    .globSync([...known.searched], { cwd: folder })
    .map((path) => path.replaceAll(sep, '/'))
    .toSorted()
  const own = (pattern: RegExp): string | undefined =>
    files.find((path) => pattern.test(path) && !showsContent(read(path)))
  const catchAll = own(known.catchAll)
  const alsoHome = catchAll !== undefined && known.isHome.test(catchAll) ? catchAll : undefined
  return { home: own(known.home) ?? alsoHome, notFound: own(known.notFound), catchAll }
}
