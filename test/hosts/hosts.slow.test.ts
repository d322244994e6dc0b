import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { installBuilt } from '../helpers/built-package.ts'
import { inBrowser } from '../helpers/chromium.ts'
import { blocksOf, nameOf } from '../helpers/readme-blocks.ts'
import { eventsIn, temporaryFolder } from '../helpers/stack.ts'
import { serveHost } from '../bridge/editor.ts'
import { copyExample } from './copy-example.ts'
import { editInFrame } from './edit-in-frame.ts'
import { editInStudio } from './edit-in-studio.ts'
import { scenario } from './scenario.ts'
import { enterDraft, post, secrets, startSite } from './start-site.ts'

const folder = temporaryFolder(t)
await installBuilt(join(folder, 'node_modules'))

t.jobs = 2

for (const host of ['node-http', 'express', 'fastify', 'hono']) {
  t.test(host, { buffered: true }, async (t) => {
    const cwd = await copyExample(join(folder, host), host)
    await t.test('for visitors and editors', async (t) =>
      scenario(t, await startSite(t, { cwd, script: ['server.ts'] })),
    )
    await t.test('in the frame of an editor', inBrowser, async (t) => {
      const editorOrigin = await serveHost(t)
      const variables = { EDITOR_CORS_ORIGINS: editorOrigin }
      await editInFrame(t, await startSite(t, { cwd, script: ['server.ts'], variables }), editorOrigin)
    })
    if (host === 'express')
      await t.test('in the studio of its mount', inBrowser, async (t) =>
        editInStudio(t, await startSite(t, { cwd, script: ['server.ts'] })),
      )
  })
}

t.test(
  'the website in the README shows drafts live, and publishes to its own file',
  { buffered: true },
  async (t) => {
    const cwd = join(folder, 'readme')
    await mkdir(cwd)
    const server = (await blocksOf('plugins/site/README.md', 'ts')).find(
      (block) => nameOf(block) === 'server.ts',
    )
    await writeFile(join(cwd, 'server.ts'), server ?? '')
    const site = await startSite(t, { cwd, script: ['server.ts'] })
    const { origin } = site
    const look = async (cookie = ''): Promise<string> => (await fetch(origin, { headers: { cookie } })).text()
    const { ORCHESTRATOR_ACCESS_TOKEN: access, PUBLISH_TOKEN: publish } = secrets
    const send = (path: string, body: object): Promise<Response> =>
      post(origin, path, body, { 'x-access-token': access, 'x-publish-token': publish })
    const patch = { heading: 'A <new> heading' }
    const edit = { ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch }] }

    t.match(await look(), /Tools that last[^]*<script><\/script>/)
    t.equal((await fetch(`${origin}/nowhere`)).status, 404)
    t.equal((await fetch(`${origin}/api/editor/draft?secret=a-guess&redirect=/`)).status, 401)
    const cookie = await enterDraft(origin)
    const [, live = ''] = /<script>[^]*\((\{"orchestrator".*\})\)<\/script>/.exec(await look(cookie)) ?? []
    const wanted = { orchestrator: '/api/orchestrator', siteId: 'acme', session: 'dev', slug: '/' }
    t.match(JSON.parse(live), wanted)
    const watched = await fetch(`${origin}/api/orchestrator/events?siteId=acme&session=dev`, {
      headers: { cookie },
      signal: AbortSignal.timeout(10_000),
    })
    const events = eventsIn(watched)
    t.match(await events.take(1), [{ data: { type: 'hello' } }])
    t.equal((await send('/ops', edit)).status, 200)
    t.match(await events.take(1), [{ data: { type: 'draft', slugs: ['/'] } }])
    await events.close()
    t.match(await look(cookie), 'A &#60;new&#62; heading')
    t.match(await look(), 'Tools that last')

    const published = await send('/publish', {})
    t.match([published.status, await published.json()], [200, { status: 'ready' }])
    t.match(await look(), 'A &#60;new&#62; heading')
    t.match(await readFile(join(cwd, 'content/pages.json'), 'utf8'), 'A <new> heading')
    await rm(join(cwd, 'content/pages.json'))
    t.match(await look(), 'This page cannot be shown now.')
    t.match(
      site.log(),
      /The content file content\/pages\.json does not exist\. .*npx content-orchestrator init/,
    )
    t.equal(await site.stop(), 0)
  },
)
