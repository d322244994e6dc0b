import { astro } from './astro.ts'
import { fillFor, type Framework, type PlannedFile, usualVariables } from './framework.ts'
import { next } from './next.ts'
import type { Project } from './project.ts'
import { fill } from './template.ts'

/** A framework with a handwritten server, whose templates are in `server`. */
interface Handwritten extends Pick<Framework, 'name' | 'dependency'> {
  /** The package that listens, if it is not the framework itself. */
  readonly listener?: string
  /** True for a folder of files, which gets a package.json and whose pages are shown until the editor has one. */
  readonly isBare?: boolean
}

/** Generates a module with routes and pages, and a server if none is found. */
function handwritten({ name, dependency, listener = '', isBare = false }: Handwritten): Framework {
  const template = `server/${isBare ? 'node' : name}`
  return {
    name,
    ...(dependency !== undefined && { dependency }),
    files(project, facts) {
      const { code } = project
      const path = moduleFile(project)
      const server = serverFile(project)
      const canListen = listener === '' || project.dependencies.has(listener)
      const needsServer = isBare || (code === 'js' && !hasServer(project) && canListen)
      const manifest = `manifest.${endingOf(project)}`
      const values = { manifest: importable(manifest), shows: true, hasFiles: isBare }
      return [
        { path, text: fillFor('server/routes', project, facts, values) },
        ...(facts.blocks ? [{ path: manifest, text: fill('manifest', code, {}) }] : []),
        ...(needsServer ? [{ path: server, text: fill(template, code, { routes: importable(path) }) }] : []),
        ...(isBare ? [{ path: 'package.json', text: manifestOf(facts.siteId, server) }] : []),
      ]
    },
    variablesFile: '.env',
    variables: usualVariables,
    steps(project, files) {
      const routes = importable(files[0]?.path ?? moduleFile(project))
      const server = isPlanned(files, serverFile(project)) ? serverFile(project) : serverWith(project, routes)
      if (server !== undefined) return [`Start the site: node ${server}`]
      const importing = `import { editor, show } from '${routes}'`
      const mount = fill(`${template}-mount`, 'js', {}).trimEnd().split('\n')
      return ['Mount it in your server, and start the server:', importing, ...mount]
    },
  }
}

const isPlanned = (files: readonly PlannedFile[], path: string): boolean =>
  files.some((file) => file.path === path && file.action === 'create')

/** The extension that makes Node treat the file as an ES module. */
const endingOf = ({ code, isCommonJs }: Project): string => (code === 'js' && isCommonJs ? 'mjs' : code)
const moduleFile = (project: Project): string => `editor-routes.${endingOf(project)}`
const serverFile = (project: Project): string => `server.${endingOf(project)}`

/** Compilers expect the name of the compiled file. */
const importable = (file: string): string => `./${file.replace(/\.ts$/, '.js')}`
const servers = ['server', 'index', 'app', 'main'].flatMap((name) =>
  ['js', 'mjs', 'cjs', 'ts'].map((ending) => `${name}.${ending}`),
)
const routeModules = ['js', 'mjs', 'cjs', 'ts'].map((ending) => `editor-routes.${ending}`)
const hasServer = ({ has }: Project): boolean => has('src') || [...routeModules, ...servers].some(has)

/** Returns the file of a server that mounts the routes already. */
const serverWith = ({ read }: Project, routes: string): string | undefined =>
  servers.find((file) => read(file).includes(`'${routes}'`))

const express = handwritten({ name: 'express', dependency: 'express' })
const fastify = handwritten({ name: 'fastify', dependency: 'fastify' })
const hono = handwritten({ name: 'hono', dependency: 'hono', listener: '@hono/node-server' })
/** Plain `node:http`. */
const node = handwritten({ name: 'node' })
/** A folder of files without a package.json. */
const other = handwritten({ name: 'other', isBare: true })

const manifestOf = (name: string, server: string): string =>
  `${JSON.stringify({ name, private: true, type: 'module', scripts: { start: `node ${server}` } }, null, 2)}\n`

/** All frameworks, in detection order. */
export const frameworks: readonly Framework[] = [next, astro, express, fastify, hono, node]

/** Returns the first framework that a project depends on, otherwise plain Node; `other` for a folder of files. */
export function frameworkOf({ dependencies, isBare }: Project): Framework {
  if (isBare) return other
  return frameworks.find(({ dependency }) => dependency !== undefined && dependencies.has(dependency)) ?? node
}
