/**
 * `init` in a new project of every framework that it knows, for Next.js as its generator makes it: `npm run
 * test:hosts`.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { env, installBuilt, packPackage, run } from '../helpers/built-package.ts'
import { inBrowser } from '../helpers/chromium.ts'
import { movePage } from '../helpers/moved-page.ts'
import { freePort } from '../helpers/raw.ts'
import { serveDemo } from '../helpers/serve-demo.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { openPage } from './browser.ts'
import { commandIn, editNewSite } from './edit-new-site.ts'
import { enterDraft, secrets, startSite, type HostSite } from './start-site.ts'

const folder = temporaryFolder(t)
const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']

/** Its layout has fonts of Google, which a build downloads; this file is read in place of them. */
const fonts = join(folder, 'fonts.js')
const font = "@font-face { font-family: 'Geist'; src: local('Arial') }"
const addresses = ['Geist', 'Geist+Mono'].map((name) => [
  `https://fonts.googleapis.com/css2?family=${name}:wght@100..900&display=swap`,
  font,
])
await writeFile(fonts, `module.exports = ${JSON.stringify(Object.fromEntries(addresses))}`)
const variables = {
  NEXT_TELEMETRY_DISABLED: '1',
  NEXT_FONT_GOOGLE_MOCKED_RESPONSES: fonts,
  XDG_CONFIG_HOME: folder,
}

await installBuilt(join(folder, 'node_modules'))

const Initialized = v.object({ written: v.literal(true), next: v.array(v.string()) })

interface Project {
  /** Makes the project, with the package in it. */
  create(cwd: string): Promise<unknown>
  /** The steps for a person that `init` prints, besides the start. */
  finish?(t: Test, cwd: string, steps: readonly string[]): Promise<unknown>
  readonly develop: readonly string[]
  readonly build?: readonly string[]
  readonly start: readonly string[]
}

const writePackage = (cwd: string, name: string, dependencies: Readonly<Record<string, string>>) =>
  writeFile(join(cwd, 'package.json'), JSON.stringify({ name, private: true, type: 'module', dependencies }))

/** A project of a framework that this project has installed as well. */
const handwritten = (...names: readonly string[]): Project => ({
  create: (cwd) => writePackage(cwd, 'site', Object.fromEntries(names.map((name) => [name, '*']))),
  develop: ['server.js'],
  start: ['server.js'],
})

let packed: ReturnType<typeof packPackage> | undefined
const install = async (cwd: string): Promise<void> => {
  const { archive } = await (packed ??= packPackage(join(folder, 'package')))
  await run('npm', ['install', `file:${archive}`, ...quiet], { cwd })
}

const nextCommand = 'node_modules/next/dist/bin/next'
const projects: Readonly<Record<string, Project>> = {
  next: {
    async create(cwd) {
      await run('npx', ['--yes', 'create-next-app@latest', cwd, '--yes', '--use-npm', '--skip-install'], {
        cwd: folder,
        env: { ...env, ...variables },
      })
      await install(cwd)
    },
    async finish(t, cwd, steps) {
      const at = steps.findIndex((step) =>
        /publish a page at \/ .* let app\/page\.tsx hold nothing but this line/.test(step),
      )
      await t.test('a first page is published', async (t) => publishHome(t, cwd, [nextCommand, 'dev']))
      await writeFile(join(cwd, 'app/page.tsx'), `${steps[at + 1]}\n`)
    },
    develop: [nextCommand, 'dev'],
    build: [nextCommand, 'build'],
    start: [nextCommand, 'start'],
  },
  astro: {
    async create(cwd) {
      await writePackage(cwd, 'site', { astro: '^7.0.0' })
      await install(cwd)
    },
    finish: (_, cwd) => run('npx', ['astro', 'add', 'node', '--yes'], { cwd }),
    develop: ['node_modules/astro/bin/astro.mjs', 'dev'],
    build: ['node_modules/astro/bin/astro.mjs', 'build'],
    start: ['dist/server/entry.mjs'],
  },
  express: handwritten('express'),
  fastify: handwritten('fastify'),
  hono: handwritten('hono', '@hono/node-server'),
  node: handwritten(),
}

for (const [framework, { create, finish, develop, build, start }] of Object.entries(projects)) {
  t.test(framework, async (t) => {
    const cwd = join(folder, framework)
    await mkdir(cwd)
    await create(cwd)
    const { stdout } = await run(process.execPath, [commandIn(cwd), 'init', '--yes', '--json'], { cwd })
    await finish?.(t, cwd, v.parse(Initialized, JSON.parse(stdout)).next)
    // The service of the test has a port of its own.
    const servicePort = await freePort()
    const file = join(cwd, framework === 'next' ? '.env.local' : '.env')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replaceAll('localhost:4200', `localhost:${servicePort}`))
    const content = join(cwd, 'content/pages.json')
    await cp(content, `${content}.first`)
    // Without the draft, which would show its former content until it follows that of the site.
    const again = async () => {
      await cp(`${content}.first`, content)
      await rm(join(cwd, '.orchestrator'), { recursive: true, force: true, maxRetries: 20 })
    }
    if (framework === 'next') {
      await t.test('visitors and editors, built', async (t) => {
        await run(process.execPath, build ?? [], { cwd, env: { ...env, ...variables } })
        await visitNext(t, cwd, start)
      })
      await again()
      await t.test('visitors and editors, while it is developed', async (t) =>
        visitNext(t, cwd, develop, { NODE_ENV: 'development' }),
      )
      await again()
      // A process of the killed server may still write its cache.
      await rm(join(cwd, '.next'), { recursive: true, maxRetries: 20 })
    }
    await t.test('in the studio, while it is developed', inBrowser, async (t) =>
      editAndMove(t, '/developed', {
        cwd,
        servicePort,
        script: develop,
        variables: { ...variables, NODE_ENV: 'development' },
      }),
    )
    if (framework === 'astro') {
      const config = join(cwd, 'astro.config.mjs')
      const usual = await readFile(config, 'utf8')
      await writeFile(config, usual.replace('defineConfig({', "defineConfig({ trailingSlash: 'always',"))
      await again()
      await t.test(
        'in the studio, while addresses without a slash at the end are 404',
        inBrowser,
        async (t) =>
          editNewSite(t, {
            cwd,
            servicePort,
            script: develop,
            variables: { ...variables, NODE_ENV: 'development' },
          }),
      )
      await writeFile(config, usual)
      await again()
    }
    await t.test('in the studio, in production', inBrowser, async (t) => {
      if (build) await run(process.execPath, build, { cwd, env: { ...env, ...variables } })
      await editAndMove(t, '/built', {
        cwd,
        servicePort,
        script: start,
        variables: { ...variables, NODE_ENV: 'production' },
      })
    })
  })
}

/** Edits a website in the studio, then moves a page of it, which a visitor follows. */
async function editAndMove(t: Test, from: string, options: Parameters<typeof editNewSite>[1]): Promise<void> {
  const site = await editNewSite(t, options)
  const { page: visitor } = await openPage(t)
  await movePage(t, { ...site, visitor, from })
}

/** Starts a website of Next.js, and a service for it. */
async function serveNext(
  t: Test,
  cwd: string,
  script: readonly string[],
  more: Readonly<Record<string, string>> = {},
) {
  const { origin: service } = await serveDemo(t)
  const all = { ...variables, ...more, ORCHESTRATOR_URL: service }
  const site = await startSite(t, { cwd, script, hasContent: true, within: 120_000, variables: all })
  await send(`${service}/sites/register`, { siteId: 'next', name: 'New site', previewUrl: site.origin })
  // A site in development compiles a route on its first request, which may take longer than the service waits.
  t.equal((await fetch(`${site.origin}/api/editor/pages`)).status, 200)
  t.equal((await fetch(`${service}/draft/slugs?siteId=next`)).status, 200)
  return { service, site }
}

async function send(address: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'x-publish-token': secrets.PUBLISH_TOKEN }
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}

/** Sends the pages of the draft at these addresses to the website. */
async function publishPages(
  { origin }: HostSite,
  service: string,
  slugs: readonly string[],
): Promise<unknown> {
  const pages = await Promise.all(
    slugs.map((slug) =>
      fetch(`${service}/draft/pages?siteId=next&slug=${slug}`).then((answer) => answer.json()),
    ),
  )
  return send(`${origin}/api/editor/publish`, { pages })
}

/** Publishes the first page of a website that makes its home page itself until then. */
async function publishHome(t: Test, cwd: string, script: readonly string[]): Promise<void> {
  const { service, site } = await serveNext(t, cwd, script, { NODE_ENV: 'development' })
  const blocks = ['Hero', 'RichText'].map((type) => ({
    id: `b_${type.toLowerCase()}_home`,
    type,
    props: builtinRegistry.get(type)?.starter(),
  }))
  const ops = [{ op: 'create_page', page: { slug: '/', title: 'Home', blocks } }]
  t.match(await send(`${service}/ops`, { siteId: 'next', ops }), { status: 200 })
  t.match(await publishPages(site, service, ['/']), { status: 200, body: { ok: true } })
  t.notMatch(await (await fetch(site.origin)).text(), 'Say what you do', 'the home page is that of the site')
  await site.stop()
}

async function visitNext(
  t: Test,
  cwd: string,
  script: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { service, site } = await serveNext(t, cwd, script, more)
  await visit(t, site, service, join(cwd, 'content/pages.json'))
}

const Draft = v.object({ pages: v.array(v.object({ slug: v.string() })) })

async function visit(t: Test, site: HostSite, service: string, content: string): Promise<void> {
  const { origin, log } = site
  const look = async (path: string, cookie = ''): Promise<string> => {
    const answer = await fetch(`${origin}${path}`, {
      headers: { cookie, 'user-agent': 'Mozilla/5.0 Chrome/140.0' },
    })
    return `${answer.status} ${await answer.text()}`
  }
  t.match(await look('/'), /^200 [^]*Say what you do in one line/)
  for (const path of ['/nothing', '/nothing', '/more/of/it', '/new']) t.match(await look(path), /^404 /, path)

  const ops = [
    { op: 'update_props', pageSlug: '/', blockId: 'b_hero_home', patch: { heading: 'A drafted heading' } },
    {
      op: 'create_page',
      page: {
        id: 'p_new',
        slug: '/new',
        title: 'New',
        updatedAt: '2026-01-01T12:00:00.000Z',
        blocks: [{ id: 'b_new', type: 'RichText', props: { title: 'A new page', body: 'Written today.' } }],
      },
    },
  ]
  t.match(await send(`${service}/ops`, { siteId: 'next', ops }), { status: 200 })

  const cookie = await enterDraft(origin)
  t.match(await look('/', cookie), /^200 [^]*A drafted heading/)
  t.match(await look('/new', cookie), /^200 [^]*A new page/)
  t.match(await look('/nothing', cookie), /^404 /)
  t.notMatch(await look('/'), 'A drafted heading', 'a visitor sees no draft')
  t.match(await look('/new'), /^404 /)

  const left = await fetch(`${origin}/api/editor/draft/disable`, { headers: { cookie }, redirect: 'manual' })
  t.match(
    left.headers.getSetCookie().join('\n'),
    /^__prerender_bypass=;/m,
    'the draft mode of Next.js ends too',
  )
  const bypass = cookie.replace(/\beditor_draft=[^;]*/, 'editor_draft=forged')
  t.notMatch(await look('/', bypass), 'A drafted heading', 'the cookie of Next.js alone shows no draft')

  t.match(await publishPages(site, service, ['/', '/new']), { status: 200, body: { ok: true } })
  t.match(await look('/'), /^200 [^]*A drafted heading/)
  t.match(await look('/new'), /^200 [^]*A new page/)
  t.match(v.parse(Draft, JSON.parse(await readFile(content, 'utf8'))), {
    pages: [{ slug: '/' }, { slug: '/new' }],
  })
  t.notMatch(log(), /error|invariant|⨯/i, 'it logs no problem')
}
