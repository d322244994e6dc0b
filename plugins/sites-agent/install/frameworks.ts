import { astro } from './astro.ts'
import { importing } from './content-source.ts'
import { type Framework, type PlannedFile, usualVariables } from './framework.ts'
import { next } from './next.ts'
import type { Project } from './project.ts'
import { editorModule, manifestSource } from './source.ts'

/** A framework with a handwritten server, as lines of source text. */
interface Handwritten extends Pick<Framework, 'name' | 'dependency'> {
  /** The package that listens, if it is not the framework itself. */
  readonly listener?: string
  readonly imports: string
  readonly setUp: readonly string[]
  /** Mounts the editor routes and the pages. */
  readonly mount: readonly string[]
  readonly listen: readonly string[]
  /** True for a folder of files, which gets a package.json and whose pages are shown until the editor has one. */
  readonly isBare?: boolean
}

/** Generates a module with routes and pages, and a server if none is found. */
function handwritten({ name, dependency, listener = '', isBare = false, ...lines }: Handwritten): Framework {
  return {
    name,
    ...(dependency !== undefined && { dependency }),
    files(project, facts) {
      const path = moduleFile(project)
      const server = [lines.imports + importOf(path), '', 'const port = Number(process.env.PORT ?? 3000)', ...lines.setUp, ...lines.mount, '', ...lines.listen, '']
      const canListen = listener === '' || project.dependencies.has(listener)
      const needsServer = isBare || (project.code === 'js' && !hasServer(project) && canListen)
      const manifest = `manifest.${endingOf(project)}`
      return [
        { path, text: editorModule(facts, importable(manifest), isBare) },
        ...(facts.blocks ? [{ path: manifest, text: manifestSource }] : []),
        ...(needsServer ? [{ path: serverFile(project), text: server.join('\n') }] : []),
        ...(isBare ? [{ path: 'package.json', text: manifestOf(facts.siteId, serverFile(project)) }] : []),
      ]
    },
    variablesFile: '.env',
    variables: usualVariables,
    steps: (project, files) =>
      isPlanned(files, serverFile(project))
        ? [`Start the site: node ${serverFile(project)}`]
        : ['Mount it in your server, and start the server:', importOf(files[0]?.path ?? moduleFile(project)), ...lines.mount],
  }
}

const isPlanned = (files: readonly PlannedFile[], path: string): boolean => files.some((file) => file.path === path && file.action === 'create')

/** The extension that makes Node treat the file as an ES module. */
const endingOf = ({ code, isCommonJs }: Project): string => (code === 'js' && isCommonJs ? 'mjs' : code)
const moduleFile = (project: Project): string => `editor-routes.${endingOf(project)}`
const serverFile = (project: Project): string => `server.${endingOf(project)}`

/** Compilers expect the name of the compiled file. */
const importable = (file: string): string => `./${file.replace(/\.ts$/, '.js')}`
const importOf = (file: string): string => `import { editor, show } from '${importable(file)}'`

const hasServer = ({ has }: Project): boolean =>
  has('src') || ['editor-routes', 'server', 'index', 'app', 'main'].some((name) => ['js', 'mjs', 'cjs', 'ts'].some((ending) => has(`${name}.${ending}`)))

export const express = handwritten({
  name: 'express',
  dependency: 'express',
  imports: importing('express', 'express'),
  setUp: ['const app = express()', ''],
  mount: [
    '// Before body parsers such as express.json(), which would read the bodies of its requests.',
    'app.use(editor.node)',
    '// Last: what nothing else answers is a page.',
    'app.use(async (request, response) => {',
    '  const { status, headers, body } = await show(request)',
    '  response.status(status).set(headers).send(body)',
    '})',
  ],
  listen: ['app.listen(port, () => console.log(`http://localhost:${port}`))'],
})

/** Fastify; its hook runs before the body is read. */
export const fastify = handwritten({
  name: 'fastify',
  dependency: 'fastify',
  imports: importing('fastify', 'fastify'),
  setUp: ['const app = fastify()', ''],
  mount: [
    "app.all('/api/editor/*', { onRequest: async (request, reply) => { reply.hijack(); await editor.node(request.raw, reply.raw) } }, () => undefined)",
    "app.get('/*', async (request, reply) => {",
    '  const { status, headers, body } = await show(request.raw)',
    '  return reply.code(status).headers(headers).send(body)',
    '})',
  ],
  listen: ['await app.listen({ port })', 'console.log(`http://localhost:${port}`)'],
})

export const hono = handwritten({
  name: 'hono',
  dependency: 'hono',
  listener: '@hono/node-server',
  imports: importing('{ serve }', '@hono/node-server') + importing('{ Hono }', 'hono'),
  setUp: ['const app = new Hono()', ''],
  mount: [
    "app.all('/api/editor/*', (context) => editor.fetch(context.req.raw))",
    "app.get('/*', async (context) => {",
    '  const { status, headers, body } = await show(context.req.raw)',
    '  return new Response(body, { status, headers })',
    '})',
  ],
  listen: ['serve({ fetch: app.fetch, port }, () => console.log(`http://localhost:${port}`))'],
})

const manifestOf = (name: string, server: string): string =>
  `${JSON.stringify({ name, private: true, type: 'module', scripts: { start: `node ${server}` } }, null, 2)}\n`

const plainServer = {
  imports: importing('{ createServer }', 'node:http'),
  setUp: [],
  mount: [
    'const server = createServer((request, response) =>',
    '  // What is none of its paths is a page.',
    '  editor.node(request, response, async () => {',
    '    const { status, headers, body } = await show(request)',
    '    response.writeHead(status, headers).end(body)',
    '  }),',
    ')',
  ],
  listen: ['server.listen(port, () => console.log(`http://localhost:${port}`))'],
} as const

/** Plain `node:http`. */
export const node = handwritten({ name: 'node', ...plainServer })

/** A folder of files without a package.json. */
const other = handwritten({ name: 'other', isBare: true, ...plainServer })

/** All frameworks, in detection order. */
export const frameworks: readonly Framework[] = [next, astro, express, fastify, hono, node]

/** Returns the first framework that a project depends on, otherwise plain Node; `other` for a folder of files. */
export function frameworkOf({ dependencies, isBare }: Project): Framework {
  if (isBare) return other
  return frameworks.find(({ dependency }) => dependency !== undefined && dependencies.has(dependency)) ?? node
}
