/** `init` in a new project, as the generator of Next.js makes it today: `npm run test:hosts`. */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { env, packPackage, run } from '../helpers/built-package.ts'
import { serveDemo } from '../helpers/serve-demo.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { enterDraft, secrets, startSite, type Site } from './start-site.ts'

const folder = temporaryFolder(t)
const cwd = join(folder, 'new-site')
const next = join(cwd, 'node_modules/.bin/next')
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

const { archive } = await packPackage(join(folder, 'package'))
await run('npx', ['--yes', 'create-next-app@latest', cwd, '--yes', '--use-npm', '--skip-install'], {
  cwd: folder,
  env: { ...env, ...variables },
})
await run('npm', ['install', `file:${archive}`, ...quiet], { cwd })

const Initialized = v.object({ written: v.literal(true), next: v.array(v.string()) })
const { stdout } = await run('npx', ['content-orchestrator', 'init', '--yes', '--json'], { cwd })
const { next: steps } = v.parse(Initialized, JSON.parse(stdout))
const home =
  steps[steps.findIndex((step) => /let app\/page\.tsx hold nothing but this line/.test(step)) + 1] ?? ''
await writeFile(join(cwd, 'app/page.tsx'), `${home}\n`)
const content = join(cwd, 'content/pages.json')
await cp(content, `${content}.first`)

t.test('it builds, and serves drafts and published pages', async (t) => {
  await run(process.execPath, [next, 'build'], { cwd, env: { ...env, ...variables } })
  const { origin } = await serveDemo(t)
  const site = await startSite(t, {
    cwd,
    script: [next, 'start'],
    hasContent: true,
    variables: { ...variables, ORCHESTRATOR_URL: origin },
  })
  await visit(t, site, origin)
})

t.test('it serves them while it is developed', async (t) => {
  await cp(`${content}.first`, content)
  const { origin } = await serveDemo(t)
  const development = { ...variables, NODE_ENV: 'development', ORCHESTRATOR_URL: origin }
  const site = await startSite(t, {
    cwd,
    script: [next, 'dev'],
    hasContent: true,
    within: 120_000,
    variables: development,
  })
  await visit(t, site, origin)
})

const Draft = v.object({ pages: v.array(v.object({ slug: v.string() })) })

async function visit(t: Test, { origin, log }: Site, service: string): Promise<void> {
  const look = async (path: string, cookie = ''): Promise<string> => {
    const answer = await fetch(`${origin}${path}`, {
      headers: { cookie, 'user-agent': 'Mozilla/5.0 Chrome/140.0' },
    })
    return `${answer.status} ${await answer.text()}`
  }
  const send = async (address: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', 'x-publish-token': secrets.PUBLISH_TOKEN }
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: await answer.json() }
  }

  t.match(await look('/'), /^200 [^]*Say what you do in one line/)
  for (const path of ['/nothing', '/nothing', '/more/of/it', '/new']) t.match(await look(path), /^404 /, path)

  await send(`${service}/sites/register`, { siteId: 'new-site', name: 'New site', previewUrl: origin })
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
  // A site in development compiles a route on its first request, which may take longer than the service waits.
  t.equal((await fetch(`${origin}/api/editor/pages`)).status, 200)
  t.equal((await fetch(`${service}/draft/slugs?siteId=new-site`)).status, 200)
  t.match(await send(`${service}/ops`, { siteId: 'new-site', ops }), { status: 200 })

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

  const pages = await Promise.all(
    ['/', '/new'].map((slug) =>
      fetch(`${service}/draft/pages?siteId=new-site&slug=${slug}`).then((answer) => answer.json()),
    ),
  )
  t.match(await send(`${origin}/api/editor/publish`, { pages }), { status: 200, body: { ok: true } })
  t.match(await look('/'), /^200 [^]*A drafted heading/)
  t.match(await look('/new'), /^200 [^]*A new page/)
  t.match(v.parse(Draft, JSON.parse(await readFile(content, 'utf8'))), {
    pages: [{ slug: '/' }, { slug: '/new' }],
  })
  t.notMatch(log(), /error|invariant|⨯/i, 'it logs no problem')
}
