import { picked } from '../../../content/plain-object.ts'
import { wordSet } from '../../../content/words.ts'
import { frameworkOf, readProject } from '../../scaffold/port.ts'
import { filesBelow } from '../files/workspace.ts'

const shownVersions = wordSet('next astro react vue svelte express fastify hono tailwindcss typescript')
const stylings: Readonly<Record<string, string>> = {
  tailwindcss: 'tailwind',
  'styled-components': 'styled-components',
  '@emotion/react': 'emotion',
  sass: 'sass',
}
const systems: Readonly<Record<string, string>> = {
  contentful: 'contentful',
  '@sanity/client': 'sanity',
  'next-sanity': 'sanity',
  '@strapi/client': 'strapi',
  '@prismicio/client': 'prismic',
  'decap-cms-app': 'decap',
  tinacms: 'tina',
}
const mostRoutes = 100

/** Analyzes the files of a website; one without a package.json is `other`. */
export async function analyze(folder: string) {
  const project = await readProject(folder, { mayBeBare: true })
  const versions = Object.fromEntries(project.dependencies)
  const files = await filesBelow(folder)
  const named = (names: Readonly<Record<string, string>>): readonly string[] => [
    ...new Set(Object.entries(names).flatMap(([name, shown]) => (name in versions ? [shown] : []))),
  ]
  const first = (pattern: RegExp): string | null => files.find((path) => pattern.test(path)) ?? null
  const { name } = frameworkOf(project)
  const hasApp = files.some((path) => /^(?:src\/)?app\/.*(?:page|layout)\.[jt]sx?$/.test(path))
  const packageManager = project.has('pnpm-lock.yaml') ? 'pnpm' : project.has('yarn.lock') ? 'yarn' : 'npm'
  return {
    framework: name !== 'next' ? name : hasApp ? 'nextjs-app-router' : 'nextjs-pages-router',
    versions: picked(versions, (_, name) => shownVersions.has(name)),
    packageManager,
    typescript: project.code === 'ts',
    styling: [...named(stylings), ...(first(/\.module\.css$/) ? ['css-modules'] : [])],
    cms: named(systems),
    scripts: Object.keys(project.scripts),
    routes: files
      .filter((path) =>
        (project.isBare
          ? /\.html?$/
          : /^(?:src\/)?(?:app\/(?:.*\/)?page\.[jt]sx?|pages\/.+\.(?:[jt]sx?|astro|mdx?))$/
        ).test(path),
      )
      .slice(0, mostRoutes),
    layoutPath: first(/^(?:src\/)?(?:app\/layout\.[jt]sx?|pages\/_app\.[jt]sx?|layouts\/[^/]+\.astro)$/),
    cssPath: first(/^(?:src\/)?(?:app\/|styles\/)?globals?\.(?:css|scss)$/),
    integration: {
      editorRoute: first(/api\/editor\/\[\.\.\.[^\]/]+\](?:\/route)?\.[jt]s$|^editor-routes\.\w+$/),
      dependency: 'content-orchestrator' in versions,
    },
  } as const
}
export type PackageManager = Awaited<ReturnType<typeof analyze>>['packageManager']
