import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { filesBelow } from '../files/workspace.ts'
import { frameworkOf } from './frameworks.ts'
import { readProject } from './project.ts'

const Manifest = v.object({ dependencies: v.optional(v.record(v.string(), v.string()), {}), devDependencies: v.optional(v.record(v.string(), v.string()), {}), scripts: v.optional(v.record(v.string(), v.string()), {}) })

/** What the files of a website tell of it. */
export interface Analysis {
  readonly framework: 'nextjs-app-router' | 'nextjs-pages-router' | 'astro' | 'express' | 'fastify' | 'hono' | 'node'
  readonly versions: Readonly<Record<string, string>>
  readonly packageManager: 'npm' | 'pnpm' | 'yarn'
  readonly typescript: boolean
  readonly styling: readonly string[]
  readonly cms: readonly string[]
  readonly scripts: readonly string[]
  /** Paths of pages that the framework routes by their file; at most 100. */
  readonly routes: readonly string[]
  readonly layoutPath: string | null
  readonly cssPath: string | null
  readonly integration: { readonly editorRoute: string | null; readonly dependency: boolean }
}

const shownVersions = ['next', 'astro', 'react', 'vue', 'svelte', 'express', 'fastify', 'hono', 'tailwindcss', 'typescript']
const stylings: Readonly<Record<string, string>> = { tailwindcss: 'tailwind', 'styled-components': 'styled-components', '@emotion/react': 'emotion', sass: 'sass' }
const systems: Readonly<Record<string, string>> = { contentful: 'contentful', '@sanity/client': 'sanity', 'next-sanity': 'sanity', '@strapi/client': 'strapi', '@prismicio/client': 'prismic', 'decap-cms-app': 'decap', tinacms: 'tina' }
const mostRoutes = 100

/** Reads what kind of website lies in a folder. Refuses, as a SiteFilesError, one without a package.json. */
export async function analyze(folder: string): Promise<Analysis> {
  const project = await readProject(folder)
  const manifest = v.parse(Manifest, JSON.parse((await readFile(join(folder, 'package.json'), 'utf8')).replace(/^\uFEFF/, '')))
  const versions = { ...manifest.devDependencies, ...manifest.dependencies }
  const files = await filesBelow(folder)
  const named = (names: Readonly<Record<string, string>>): readonly string[] => [...new Set(Object.entries(names).flatMap(([name, shown]) => (name in versions ? [shown] : [])))]
  const first = (pattern: RegExp): string | null => files.find((path) => pattern.test(path)) ?? null
  const { name } = frameworkOf(project)
  const hasApp = files.some((path) => /^(?:src\/)?app\/.*(?:page|layout)\.[jt]sx?$/.test(path))
  const framework = name === 'next' ? (hasApp ? 'nextjs-app-router' : 'nextjs-pages-router') : name
  return {
    framework: isFramework(framework) ? framework : 'node',
    versions: Object.fromEntries(shownVersions.flatMap((each) => (versions[each] === undefined ? [] : [[each, versions[each]]]))),
    packageManager: project.has('pnpm-lock.yaml') ? 'pnpm' : project.has('yarn.lock') ? 'yarn' : 'npm',
    typescript: project.isTypeScript,
    styling: [...named(stylings), ...(first(/\.module\.css$/) ? ['css-modules'] : [])],
    cms: named(systems),
    scripts: Object.keys(manifest.scripts),
    routes: files.filter((path) => /^(?:src\/)?(?:app\/(?:.*\/)?page\.[jt]sx?|pages\/.+\.(?:[jt]sx?|astro|mdx?))$/.test(path)).slice(0, mostRoutes),
    layoutPath: first(/^(?:src\/)?(?:app\/layout\.[jt]sx?|pages\/_app\.[jt]sx?|layouts\/[^/]+\.astro)$/),
    cssPath: first(/^(?:src\/)?(?:app\/|styles\/)?globals?\.(?:css|scss)$/),
    integration: { editorRoute: first(/api\/editor\/\[\.\.\.[^\]]+\](?:\/route)?\.[jt]s$|^editor-routes\.\w+$/), dependency: 'content-orchestrator' in versions },
  }
}

const known: ReadonlySet<string> = new Set<Analysis['framework']>(['nextjs-app-router', 'nextjs-pages-router', 'astro', 'express', 'fastify', 'hono', 'node'])
const isFramework = (name: string): name is Analysis['framework'] => known.has(name)
