import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { toBaseline } from '../../plugins/content/baseline.ts'
import { violations } from '../../plugins/content/check-props.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { startStrapi } from '../helpers/content-servers.ts'
import { emptyList } from '../helpers/plain.ts'
import { installSources } from '../helpers/install-sources.ts'
import { pathOf } from '../surface/doors.ts'
import { freePort } from '../helpers/raw.ts'
import { askOver } from '../helpers/stack.ts'
import { firstLine, folderWith, orchestrator } from './helpers.ts'

const run = promisify(execFile)

/** A website with a framework: its files, and the expected result of `init`. */
interface Case {
  readonly title: string
  readonly files: Readonly<Record<string, string>>
  readonly route: string
  /** The page that shows the content, and its dependencies. */
  readonly pages: readonly string[]
  /** Calls the module `route` as the framework would. */
  readonly serve: string
}

const bridge = (handle: string): string => `
createServer(async (incoming, outgoing) => {
  const body = incoming.method === 'POST' ? Buffer.concat(await incoming.toArray()) : undefined
  const request = new Request('http://' + incoming.headers.host + incoming.url, { method: incoming.method, headers: incoming.headers, body })
  const response = await ${handle}
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
})`
const byNode = `createServer((request, response) => route.editor.node(request, response, async () => {
  const { status, headers, body } = await route.show(request)
  response.writeHead(status, headers).end(body)
}))`
const byMethod = bridge('route[request.method](request)')

const packageOf = (dependencies: readonly string[], more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    name: '@acme/My Site',
    type: 'module',
    dependencies: Object.fromEntries(dependencies.map((name) => [name, '*'])),
    ...more,
  })

const tsconfig = { 'tsconfig.json': '{}' }
const caseOf = (
  title: string,
  manifest: string,
  files: Readonly<Record<string, string>>,
  [route = '', ...pages]: readonly string[],
  serve = byNode,
): Case => ({ title, files: { 'package.json': manifest, ...files }, route, pages, serve })
const typedNext = [
  'app/api/editor/[...path]/route.ts',
  'app/[...path]/page.tsx',
  ...'app/page.tsx app/layout.tsx proxy.ts'.split(' '),
]
const plainNext = ['api/editor/[...path]/route.js', '[...path]/page.js', 'layout.js'].map(
  (path) => `src/app/${path}`,
)
const cases: readonly Case[] = [
  caseOf('Next.js in TypeScript', packageOf(['next', 'express']), tsconfig, typedNext, byMethod),
  ...['src/app/page.jsx', 'src/pages/index.jsx'].map((existing) =>
    caseOf(
      `Next.js in JavaScript with ${existing}`,
      packageOf(['next']),
      { [existing]: '' },
      [...plainNext, 'src/proxy.js'],
      byMethod,
    ),
  ),
  caseOf(
    'Astro',
    packageOf([], { devDependencies: { astro: '*' } }),
    tsconfig,
    ['src/pages/api/editor/[...path].ts', 'src/pages/[...path].astro'],
    bridge('route.ALL({ request })'),
  ),
  caseOf('Express in TypeScript', packageOf(['express']), tsconfig, ['editor-routes.ts']),
  caseOf('Express', packageOf(['express']), {}, ['editor-routes.js', 'server.js']),
  caseOf('Fastify in CommonJS', packageOf(['fastify'], { type: 'commonjs' }), {}, [
    'editor-routes.mjs',
    'server.mjs',
  ]),
  caseOf(
    'Hono',
    packageOf(['hono', '@hono/node-server']),
    {},
    ['editor-routes.js', 'server.js'],
    bridge('route.editor.fetch(request)'),
  ),
  caseOf('node', '\uFEFF{ "name": "my-site", "type": "module" }', {}, ['editor-routes.js', 'server.js']),
]

const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8')
const isBehindLink = (place: string): boolean => realpathSync(dirname(place)) !== dirname(place)
/** Every file below a folder, except behind links. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        !name.startsWith('node_modules') &&
        lstatSync(join(folder, name)).isFile() &&
        !isBehindLink(join(folder, name)),
    )
    .toSorted()

const development = { NODE_ENV: 'development' }

/** Runs a website in a separate process, from its folder. */
async function startSite(
  t: Test,
  folder: string,
  { route, serve }: Pick<Case, 'route' | 'serve'>,
): Promise<string> {
  const lines = [
    `import { createServer } from 'node:http'`,
    `const route = await import(${JSON.stringify(pathToFileURL(join(folder, route)).href)})`,
    `const server = ${serve.trim()}`,
    `server.listen(0, '127.0.0.1', () => console.log(server.address().port))`,
  ]
  writeFileSync(join(folder, 'start.mjs'), lines.join('\n'))
  return `http://127.0.0.1:${await firstLine(t, folder, 'start.mjs', development)}`
}

/** Checks that the site shows its content and picture, and answers 404 elsewhere. */
async function checkPages(t: Test, origin: string): Promise<void> {
  const ask = async (path: string): Promise<readonly [status: number, type: string | null, text: string]> => {
    const answer = await fetch(origin + path)
    return [answer.status, answer.headers.get('content-type'), await answer.text()]
  }
  const html = 'text/html; charset=utf-8'
  t.match(await ask('/?a=b'), [
    200,
    html,
    /<title>Published · My Site<\/title>[^]*src="\/hero-generated\.svg"/,
  ])
  t.match(await ask('/hero-generated.svg'), [200, 'image/svg+xml', /^<svg/])
  t.match(await ask('/elsewhere'), [404, html, /Page not found/])
  t.match(await ask('/api/editor/pages'), [200, /json/, /Published/])
}

for (const site of cases) {
  t.test(`${site.title}: init shows and writes the files, and the site can be edited`, async (t) => {
    const folder = folderWith(t, site.files)
    const [framework = ''] = site.title.toLowerCase().split(/\W/)
    const variables = framework === 'next' ? '.env.local' : '.env'
    const shown = await orchestrator(folder, ['init', '--dry-run'])
    t.match(shown, { code: 0, err: '' })
    t.strictSame(filesIn(folder), Object.keys(site.files).toSorted(), 'a dry run writes nothing')
    const written = await orchestrator(folder, ['init', '--yes'])
    t.match(written, { code: 0, err: '' })
    t.ok(written.out.startsWith(`A website with ${framework}, site id my-site, in ${folder}\n`))
    t.strictSame(
      filesIn(folder),
      [
        ...Object.keys(site.files),
        site.route,
        ...site.pages,
        'content/pages.json',
        'public/hero-generated.svg',
        '.gitignore',
        variables,
      ].toSorted(),
    )
    for (const path of [site.route, ...site.pages, '.gitignore', variables]) {
      t.ok(
        shown.out.includes(
          `${path} new\n${read(folder, path).trimEnd().replaceAll(/^/gm, '+ ').replaceAll(/^\+ $/gm, '+')}\n`,
        ),
        `${path} is written as shown`,
      )
    }
    t.equal(statSync(join(folder, variables)).mode & 0o777, 0o600)
    t.notMatch(read(folder, variables), /SECRET|TOKEN|PASSWORD/)
    t.match(written.out, /\nNext:\n {2}Install the package: npm install content-orchestrator\n/)
    t.match(
      written.out,
      /\n {2}Start the service, .*: npx content-orchestrator serve\n {2}Register the site, .*: npx content-orchestrator register\n/,
    )

    installSources(folder)
    writeFileSync(
      join(folder, '.env.local'),
      `${existsSync(join(folder, '.env.local')) ? read(folder, '.env.local') : ''}PUBLISH_TOKEN=sesame\n`,
    )
    const origin = await startSite(t, folder, site)
    const published = async (): Promise<unknown> => (await fetch(`${origin}/api/editor/pages`)).json()
    const keepsHome = Object.keys(site.files).some((path) => /\/(?:page|index)\.jsx$/.test(path))
    const { pages } = v.parse(v.object({ pages: v.array(v.looseObject({})) }), await published())
    t.match(pages, keepsHome ? emptyList : [{ slug: '/', title: 'Home' }], 'a site keeps its own home page')
    const [home = { id: 'p_home', slug: '/', updatedAt: '2026-01-01T12:00:00.000Z', blocks: [] }] = pages
    const publish = (headers: Readonly<Record<string, string>>) =>
      askOver(origin, {
        method: 'POST',
        url: '/api/editor/publish',
        headers,
        json: { pages: [{ ...home, title: 'Published' }] },
      })
    // Next.js reads `.env` files itself; for other frameworks the module does.
    if (framework !== 'next')
      t.equal((await publish({})).status, 401, 'the secrets of .env.local are in effect')
    t.match((await publish({ 'x-publish-token': 'sesame' })).json(), { ok: true, slugs: ['/'] })
    t.match(await published(), { pages: [{ title: 'Published' }] })
    t.match(JSON.parse(read(folder, 'content/pages.json')), {
      pages: [{ title: 'Published' }],
      siteConfig: { name: 'My Site' },
    })
    if (site.serve === byNode) await checkPages(t, origin)
    const [server] = site.pages.filter((path) => path.startsWith('server'))
    if (server !== undefined)
      await checkPages(
        t,
        await firstLine(t, folder, server, { ...development, PORT: String(await freePort()) }),
      )
  })
}

t.test('the generated route files compile', async (t) => {
  const stubOf = (name: string, types: string) => ({
    [`node_modules/${name}/package.json`]: JSON.stringify({
      name,
      type: 'module',
      exports: { '.': { types: './index.d.ts' }, './*': { types: './index.d.ts' } },
    }),
    [`node_modules/${name}/index.d.ts`]: types,
  })
  const packages = {
    ...stubOf(
      'next',
      'export const headers: () => Promise<Headers>; export const notFound: () => never; export const permanentRedirect: (to: string) => never; export const revalidatePath: (path: string, type: "layout") => void; export interface NextRequest { cookies: Map<string, string>; nextUrl: URL } export const NextResponse: { next(): Response }',
    ),
    ...stubOf(
      'react',
      'export type ReactNode = unknown; export const cache: <T>(read: T) => T; declare global { namespace JSX { interface IntrinsicElements { [name: string]: unknown } } }',
    ),
    ...stubOf(
      'astro',
      'export type APIRoute = (context: { request: Request }) => Response | Promise<Response>',
    ),
  }
  const sites = ['next', 'astro', 'express'].flatMap((framework) =>
    ['none', 'sanity', 'contentful', 'strapi'].map((cms) => `${framework}-${cms}`),
  )
  const manifests = sites.flatMap((site) => [
    [`${site}/package.json`, packageOf([])],
    [`${site}/tsconfig.json`, '{}'],
  ])
  const folder = folderWith(t, { ...packages, ...Object.fromEntries(manifests) })
  installSources(folder)
  for (const site of sites) {
    const [framework, cms] = site.split('-')
    const blocks = cms === 'none' ? 'default' : 'custom'
    const words = `init --yes --cwd ${site} --framework ${framework} --cms ${cms} --blocks ${blocks}`
    t.equal((await orchestrator(folder, words.split(' '))).code, 0)
  }
  const routes = filesIn(folder).filter((path) => /\.tsx?$/.test(path))
  t.equal(routes.length, 7 + 3 * (7 + 2 + 2))
  const mounting = [
    `import { createServer } from 'node:http'`,
    `import { editor, show } from './editor-routes.ts'`,
    `createServer((request, response) => editor.node(request, response, async () => void response.end((await show(request)).body)))`,
    `export const answer: Promise<Response> = editor.fetch(new Request('http://localhost/api/editor/pages'))`,
    `export const page: Promise<Response> = show(new Request('http://localhost/')).then(({ body, ...how }) => new Response(body, how))`,
  ]
  writeFileSync(join(folder, 'express-none/mounting.ts'), mounting.join('\n'))
  const base: { readonly compilerOptions: object } = JSON.parse(readFileSync(pathOf('tsconfig.json'), 'utf8'))
  const compilerOptions = {
    ...base.compilerOptions,
    rootDir: '/',
    jsx: 'preserve',
    jsxImportSource: undefined,
    module: 'preserve',
    moduleResolution: 'bundler',
    typeRoots: [pathOf('node_modules/@types')],
  }
  const check = async (files: readonly string[]): Promise<string> => {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    // The test runner would instrument it through NODE_OPTIONS.
    const command = ['-u', 'NODE_OPTIONS', process.execPath, pathOf('node_modules/.bin/tsc'), '-p', folder]
    const Failed = v.object({ stdout: v.pipe(v.string(), v.nonEmpty()) })
    const { stdout } = await run('env', command).catch((error: unknown) => v.parse(Failed, error))
    return stdout
  }
  t.equal(await check([...routes, 'express-none/mounting.ts']), '')
  const wrong = routes.find((path) => read(folder, path).includes('siteId:')) ?? ''
  writeFileSync(join(folder, wrong), read(folder, wrong).replace('siteId:', 'siteID:'))
  t.match(await check([wrong]), /siteID/, 'an error is detected')
})

t.test('existing files stay unchanged, and are listed', async (t) => {
  const files = {
    'package.json': packageOf(['express', 'content-orchestrator']),
    'editor-routes.mjs': 'export const mine = true\n',
    'content/pages.json': '{ "pages": [], "siteConfig": { "name": "Mine" } }',
    '.env': '# mine\nEDITOR_CORS_ORIGINS="https://mine.example"\nOTHER=1',
  }
  const folder = folderWith(t, files)
  chmodSync(join(folder, '.env'), 0o640)
  const { code, out } = await orchestrator(folder, ['init', '--yes'])
  t.equal(code, 0)
  for (const line of [
    /^editor-routes\.mjs exists and is left unchanged$/m,
    /^content\/pages\.json exists and is left unchanged$/m,
    /^\.env gets new lines\n\+ ORCHESTRATOR_URL=http:\/\/localhost:4200$/m,
    /^ {2}import \{ editor, show \} from '\.\/editor-routes\.mjs'$/m,
  ])
    t.match(out, line)
  t.notMatch(out, 'server.js', 'no server is generated without the modules that it would import')
  t.notMatch(out, /npm install content-orchestrator/)
  t.equal(read(folder, '.env'), `${files['.env']}\nORCHESTRATOR_URL=http://localhost:4200\n`)
  t.equal(statSync(join(folder, '.env')).mode & 0o777, 0o640)
  for (const path of ['editor-routes.mjs', 'content/pages.json'] as const)
    t.equal(read(folder, path), files[path])

  const texts = () => filesIn(folder).map((path) => read(folder, path))
  const before = texts()
  const again = await orchestrator(folder, ['init'])
  t.match(again, { code: 0, err: '' }, 'nothing to confirm')
  t.match(again.out, /^\.env exists and is left unchanged$/m)
  t.strictSame(texts(), before)
})

t.test('the publish handler uses the shape of an existing content file', async (t) => {
  const init = async (content: string) => {
    const folder = folderWith(t, { 'package.json': packageOf([]), 'content/pages.json': content })
    return { folder, ...(await orchestrator(folder, ['init', '--yes'])) }
  }
  const { folder } = await init('{ "pages": [] }')
  const handler =
    /jsonFilePublishHandler\(content, \{ shape: 'wrapper', assetsDir: 'public\/generated-images' \}\)/
  t.match(read(folder, 'editor-routes.js'), handler)
  const broken = await init('{')
  const err = /^The content file .*\/content\/pages\.json cannot be used: it is not valid JSON/
  t.match(broken, { code: 1, out: '', err })
  t.strictSame(filesIn(broken.folder), ['content/pages.json', 'package.json'])
})

t.test('the initial content is valid, including every prop', async (t) => {
  const folder = folderWith(t, { 'package.json': packageOf([]) })
  await orchestrator(folder, ['init', '--yes'])
  const { pages = [] } = toBaseline(JSON.parse(read(folder, 'content/pages.json'))) ?? {}
  const blocks = pages.flatMap((page) => page.blocks)
  t.strictSame([pages.length, ...blocks.map(({ type }) => type)], [1, 'Hero', 'RichText'])
  for (const { type, props } of blocks) {
    const schema = builtinRegistry.get(type)?.propsSchema
    t.strictSame(schema && violations(schema, props, ''), [], type)
  }
})

/** A terminal on which the defaults are accepted and this line is typed, or the input ends. */
function typing(line: string | undefined, ...before: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  setTimeout(
    () =>
      line === undefined
        ? stdin.end()
        : stdin.write(`${(before.length === 0 ? ['', '', ''] : before).join('\n')}\n${line}\n`),
    20,
  )
  return stdin
}

t.test('files that git must ignore are added to .gitignore unless a pattern covers them', async (t) => {
  const cases: readonly (readonly [before: string, after: string])[] = [
    ['node_modules\n', 'node_modules\n.env\n.env.local\n.orchestrator\n'],
    ['/node_modules\n.env*', '/node_modules\n.env*\n.orchestrator\n'],
    ['.env\r\n*.local\r\n/.orchestrator/\r\n', '.env\r\n*.local\r\n/.orchestrator/\r\n'],
    ['!.env\nxenv\n.env.localhost\n', '!.env\nxenv\n.env.localhost\n.env\n.env.local\n.orchestrator\n'],
  ]
  for (const [before, after] of cases) {
    const folder = folderWith(t, { 'package.json': packageOf([]), '.gitignore': before })
    t.match(await orchestrator(folder, ['init', '--yes']), { code: 0 })
    t.equal(read(folder, '.gitignore'), after)
  }
  const next = folderWith(t, { 'package.json': packageOf(['next']) })
  await orchestrator(next, ['init', '--yes'])
  t.equal(read(next, '.gitignore'), '.env.local\n.orchestrator\n', 'a committed .env stays committed')
})

t.test('pages of Next.js are prerendered where its configuration has Cache Components', async (t) => {
  const pageOf = async (config: string): Promise<string> => {
    const folder = folderWith(t, {
      'package.json': packageOf(['next']),
      'tsconfig.json': '{}',
      'next.config.ts': config,
    })
    t.match(await orchestrator(folder, ['init', '--yes']), { code: 0 })
    return `${read(folder, 'app/[...path]/page.tsx')}${read(folder, 'app/api/editor/[...path]/route.ts')}`
  }
  t.match(
    await pageOf('/* options */\nexport default { cacheComponents: true, partialPrefetching: true }\n'),
    /ensureStatic = 'navigation'[^]*'use cache'[^]*revalidatePath[^]*mode\.enable\(\)/,
  )
  for (const config of ['export default {}\n', '// cacheComponents: true\nexport default {}\n']) {
    t.notMatch(await pageOf(config), /ensureStatic|use cache|draftMode/, 'other projects refuse these lines')
  }
})

t.test('files that conflict with the pages are listed', async (t) => {
  const outOf = async (dependencies: readonly string[], files: object, times = 1): Promise<string> => {
    const folder = folderWith(t, { 'package.json': packageOf(dependencies), ...files })
    let out = ''
    for (let time = 0; time < times; time++) ({ out } = await orchestrator(folder, ['init', '--yes']))
    return out
  }
  const only =
    /let app\/page\.jsx hold nothing but this line:\n {2}export \{ default, generateMetadata \} from '\.\/\[\.\.\.path\]\/page'\n/
  t.match(await outOf(['next'], { 'app/page.jsx': '' }), only)
  for (const times of [1, 2]) t.notMatch(await outOf(['next'], {}, times), 'hold nothing but')
  const config = { 'astro.config.mjs': 'export default { adapter: node() }' }
  const astro = await outOf(['astro', '@astrojs/node'], { 'src/pages/index.astro': '', ...config })
  t.match(astro, 'then remove src/pages/index.astro')
  t.notMatch(astro, 'astro add node')
  t.match(await outOf(['hono'], {}), /Mount it in your server/, 'no known way to start a server')
  for (const times of [1, 2]) {
    const out = await outOf(['fastify'], {}, times)
    t.match(out, 'Start the site: node server.js')
    t.notMatch(out, 'Mount it in your server')
  }
})

t.test('nothing is written without confirmation', async (t) => {
  const files = { 'package.json': packageOf([]) }
  for (const line of ['yes', 'y', ' YES ', 'no', '', 'yesterday', undefined]) {
    const folder = folderWith(t, files)
    const { code, out, err } = await orchestrator(folder, ['init'], { stdin: typing(line), isTerminal: true })
    t.match(out, /editor-routes\.js new[^]*Write these files\? \(yes or no\) /, 'the files are shown first')
    const isYes = /^ *y(?:es)? *$/i.test(line ?? '')
    t.strictSame([code, err], isYes ? [0, ''] : [1, 'nothing was written\n'], `typed ${line}`)
    t.equal(filesIn(folder).length, isYes ? 7 : 1)
  }
  const folder = folderWith(t, files)
  const remedy = 'add --yes to write these files, or run this on a terminal and answer yes'
  const unasked = { code: 1, err: `nothing was written: ${remedy}\n` }
  const { out, ...silent } = await orchestrator(folder, ['init'], { stdin: 'yes\n' })
  t.strictSame(silent, unasked, 'no question without a terminal')
  t.match(out, /^\+ export const editor = createSiteEditor/m)
  const { out: json, ...rest } = await orchestrator(folder, ['init', '--json'], { stdin: typing('yes') })
  t.strictSame(rest, unasked)
  t.match(JSON.parse(json), { framework: 'node', siteId: 'my-site', folder, written: false })
  t.strictSame(filesIn(folder), ['package.json'])
})

t.test('on a terminal CMS, site id and block types are prompted for unless given as flags', async (t) => {
  const init = async (flags: readonly string[], ...typed: Parameters<typeof typing>) => {
    const folder = folderWith(t, { 'package.json': packageOf([]) })
    const outcome = await orchestrator(folder, ['init', ...flags], {
      stdin: typing(...typed),
      isTerminal: true,
    })
    return { folder, ...outcome }
  }
  const { code, out, folder } = await init([], 'yes', 'Strapi', 'my-shop', 'custom')
  t.equal(code, 0)
  t.match(
    out,
    /^Where is the content kept\? \(none, sanity, contentful, strapi; press Enter for none\) Which site id\? \(press Enter for my-site\) Which block types\? \(default, custom; press Enter for default/,
  )
  t.match(
    out,
    /Next:\n {2}Make a collection type editor-document in Strapi: .*\n {2}Fill in the variables: STRAPI_URL, STRAPI_TOKEN\n/,
  )
  const files = '.env .env.example .gitignore editor-routes.js manifest.js package.json'
  t.strictSame(filesIn(folder), [...files.split(' '), 'public/hero-generated.svg', 'server.js'])
  t.equal(read(folder, '.env.example'), 'STRAPI_URL=\nSTRAPI_TOKEN=\n')
  const given = await init('--cms none --site-id shop --blocks default'.split(' '), 'yes', '#')
  t.match(given.out, /^A website with node, site id shop/)
})

t.test('a site with content in a CMS shows it, publishes to it, and has its own block type', async (t) => {
  const folder = folderWith(t, { 'package.json': packageOf([]) })
  t.equal((await orchestrator(folder, ['init', '--yes', '--cms', 'strapi', '--blocks', 'custom'])).code, 0)
  installSources(folder)
  const cms = await startStrapi(t, 'token-of-strapi')
  writeFileSync(
    join(folder, '.env.local'),
    `PUBLISH_TOKEN=sesame\nSTRAPI_URL=${cms.origin}\nSTRAPI_TOKEN=token-of-strapi\n`,
  )
  const origin = await startSite(t, folder, { route: 'editor-routes.js', serve: byNode })
  const home = {
    id: 'p',
    slug: '/',
    title: 'Home',
    updatedAt: '2026-01-01T12:00:00.000Z',
    blocks: [{ id: 'b', type: 'Notice', props: { text: 'Open <today>' } }],
  }
  const answer = await askOver(origin, {
    method: 'POST',
    url: '/api/editor/publish',
    headers: { 'x-publish-token': 'sesame' },
    json: { pages: [home] },
  })
  t.match(answer.json(), { ok: true, slugs: ['/'] })
  t.match(await (await fetch(`${origin}/api/editor/blocks`)).text(), /"Notice"/)
  t.match(await (await fetch(origin)).text(), '<p class="notice">Open &lt;today&gt;</p>')
  t.equal(cms.published.size, 1)
})

t.test('a Next.js site keeps its proxy, which is a middleware before version 16', async (t) => {
  const cases: readonly (readonly [version: string, files: object, has: string])[] = [
    ['^16.4.0', { 'middleware.ts': '' }, 'middleware.ts'],
    ['^15.5.0', {}, 'middleware.js'],
    ['16', {}, 'proxy.js'],
    ['latest', {}, 'proxy.js'],
  ]
  for (const [next, files, has] of cases) {
    const manifest = JSON.stringify({ name: 'site', dependencies: { next } })
    const folder = folderWith(t, { 'package.json': manifest, ...files })
    await orchestrator(folder, ['init', '--yes'])
    const found = filesIn(folder).filter((path) => /proxy|middleware/.test(path))
    t.same(found, [has], next)
  }
})

t.test('--json prints the result as JSON', async (t) => {
  const folder = folderWith(t, { 'site/package.json': packageOf(['hono']), 'site/.env': '' })
  const words = 'init --cwd site --site-id shop-1 --framework express --yes --json'
  const { code, out } = await orchestrator(folder, words.split(' '))
  t.equal(code, 0)
  const File = v.object({ path: v.string(), action: v.string(), text: v.string() })
  const report = v.parse(v.looseObject({ files: v.array(File) }), JSON.parse(out))
  t.match(report, { framework: 'express', siteId: 'shop-1', folder: join(folder, 'site'), written: true })
  const created = 'editor-routes.js server.js content/pages.json public/hero-generated.svg .gitignore'
  t.strictSame(
    report.files.map(({ path, action }) => `${action} ${path}`),
    [...created.split(' ').map((path) => `create ${path}`), 'append .env'],
  )
  for (const { path, text } of report.files) t.equal(read(folder, `site/${path}`), text)
})

t.test('invalid input is refused with a message, and nothing is written', async (t) => {
  const site = { 'package.json': packageOf([]) }
  const manifest = (text: string) => ({ 'package.json': text })
  const missing =
    /package\.json does not exist; run the command in the folder of the website, or pass it with --cwd$/m
  const notNamed = /has no name that makes a site id; choose one with --site-id$/m
  const unknown = /did you mean 'next'\?; expected next, astro, express, fastify, hono, node$/m
  const noFolder = /^content is not a folder, but content\/pages\.json belongs in it; rename it/m
  const refused: readonly (readonly [files: object, args: string, code: number, sentence: RegExp])[] = [
    [{}, '', 1, missing],
    [site, '--cwd gone', 1, /^.*\/gone is not a folder; pass the folder of the website with --cwd$/m],
    [manifest('{'), '', 1, /^.*\/package\.json is invalid: .*; fix it and try again$/m],
    [manifest('7'), '', 1, /is invalid: it is not an object/],
    [manifest('{ "name": 7 }'), '', 1, /is invalid: name is not a string/],
    [manifest('{}'), '', 1, notNamed],
    ...['日本', 'con', 'a'.repeat(80)].map(
      (name) => [manifest(JSON.stringify({ name })), '', 1, notNamed] as const,
    ),
    [site, '--cms sanyty', 2, /did you mean 'sanity'\?; expected none, sanity, contentful, strapi$/m],
    [site, '--blocks mine', 2, /^invalid value 'mine' for '--blocks'; expected default, custom$/m],
    [site, '--framework nxt', 2, unknown],
    [site, '--frame next', 2, /^unknown flag '--frame' for 'init'/],
    [{ ...site, content: '' }, '', 1, noFolder],
    [{ ...site, src: '' }, '--framework astro', 1, /^src is not a folder/],
    [{ ...site, '.gitignore/x': '' }, '', 1, /^\.gitignore is not a file; rename it and try again$/m],
    [{ ...site, '.env/x': '' }, '', 1, /^\.env is not a file; rename it and try again$/m],
  ]
  for (const [files, args, code, sentence] of refused) {
    const folder = folderWith(t, { ...files })
    const outcome = await orchestrator(folder, ['init', '--yes', ...args.split(' ').filter(Boolean)])
    t.match([outcome.code, outcome.err], [code, sentence], JSON.stringify([files, args]))
    t.strictSame(filesIn(folder), Object.keys(files).toSorted())
  }
  for (const id of ['Shop', '', '../x', 'a'.repeat(41), 'editor', `x'; import('e')`, 'a\nb']) {
    const folder = folderWith(t, site)
    const { code, err } = await orchestrator(folder, ['init', '--yes', '--site-id', id])
    t.match([code, err], [1, /is not a site id; use 1 to 40 lower case letters, digits and '-'/], id)
    t.strictSame(filesIn(folder), ['package.json'])
  }
})

t.test('nothing is written through a link out of the folder', async (t) => {
  const outside = folderWith(t, { '.env': 'MINE=1\n', 'kept.txt': '' })
  const linked = (path: string, target: string): string => {
    const folder = folderWith(t, { 'package.json': packageOf([]), 'inner/variables': '# kept\n' })
    symlinkSync(target, join(folder, path))
    return folder
  }
  const init = (folder: string) => orchestrator(folder, ['init', '--yes'])
  for (const [path, target] of [
    ['content', outside],
    ['.env', join(outside, '.env')],
    ['.env', join(outside, 'not-there')],
    ['content', join(outside, 'not-there')],
    ['editor-routes.js', join(outside, 'not-there')],
  ] as const) {
    const folder = linked(path, target)
    const name = path.replace('.', '\\.')
    const err = new RegExp(`^${name} is a link out of .*, and nothing is written through it;`)
    t.match(await init(folder), { code: 1, err }, `${path} to ${target}`)
    t.ok(lstatSync(join(folder, path)).isSymbolicLink(), 'the link is unchanged')
    t.strictSame(filesIn(folder), ['inner/variables', 'package.json'])
  }
  t.strictSame(filesIn(outside), ['.env', 'kept.txt'])
  t.equal(read(outside, '.env'), 'MINE=1\n')
  t.equal((await init(linked('content', 'inner'))).code, 0, 'a link inside the folder is followed')
  const folder = linked('.env', 'inner/variables')
  t.equal((await init(folder)).code, 0)
  t.match(read(folder, 'inner/variables'), /^# kept\nORCHESTRATOR_URL=/)
})
