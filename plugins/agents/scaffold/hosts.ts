import type { Project } from './project.ts'
import { fill } from './template.ts'

/** A framework for which no files are generated; its template has the lines that connect it. */
export interface Host {
  readonly name: string
  /** The dependency that identifies it. */
  readonly dependency: string
  /** Absent for a generator without a server that could show a draft. */
  readonly template?: string
  /** The file for these lines. */
  readonly file?: string
  /** True if it builds pages for other servers too. */
  readonly isBuild?: boolean
}

const generator = (name: string, dependency: string): Host => ({ name, dependency, isBuild: true })

/** In detection order: most build with Vite too. */
export const hosts: readonly Host[] = [
  { name: 'SvelteKit', dependency: '@sveltejs/kit', template: 'sveltekit', file: 'src/hooks.server.js' },
  {
    name: 'React Router',
    dependency: '@react-router/dev',
    template: 'react-router',
    file: 'app/routes/content.js',
  },
  { name: 'Nuxt', dependency: 'nuxt', template: 'nuxt', file: 'server/middleware/content.js' },
  { name: 'NestJS', dependency: '@nestjs/core', template: 'nestjs', file: 'src/main.js' },
  { name: 'Koa', dependency: 'koa', template: 'koa', file: 'server.js' },
  {
    name: 'Eleventy',
    dependency: '@11ty/eleventy',
    template: 'eleventy',
    file: 'eleventy.config.js',
    isBuild: true,
  },
  generator('Gatsby', 'gatsby'),
  generator('VitePress', 'vitepress'),
  generator('Docusaurus', '@docusaurus/core'),
  generator('Hexo', 'hexo'),
  generator('Metalsmith', 'metalsmith'),
  { name: 'Vite', dependency: 'vite', template: 'vite', file: 'vite.config.js', isBuild: true },
]

/** Returns the first of these frameworks that a project depends on. */
export const hostOf = ({ dependencies }: Pick<Project, 'dependencies'>): Host | undefined =>
  hosts.find(({ dependency }) => dependencies.has(dependency))

/** Returns the files that connect a host, with the lines for it. */
export const filesOf = ({ template, file }: Host, siteId: string): Readonly<Record<string, string>> =>
  template === undefined || file === undefined
    ? {}
    : { 'editor.js': fill('hosts/editor', 'js', { siteId }), [file]: fill(`hosts/${template}`, 'js', {}) }
