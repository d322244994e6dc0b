import t from 'tap'
import * as v from 'valibot'
import { firstLine, folderWith, orchestrator } from '../config/helpers.ts'
import { freePort } from '../helpers/raw.ts'
import { installSources } from '../helpers/install-sources.ts'
import { askOver } from '../helpers/stack.ts'
import { startService } from '../security/service.ts'

t.test('the printed commands lead from an empty folder to a published edit', async (t) => {
  const service = await startService(t)
  const port = await freePort()
  const site = `http://localhost:${port}`
  const folder = folderWith(t, {
    'package.json': JSON.stringify({
      name: 'my-shop',
      type: 'module',
      dependencies: { express: '*', 'content-orchestrator': '*' },
    }),
  })
  installSources(folder)

  const { out: made } = await orchestrator(folder, ['init', '--yes'])
  t.match(made, /npx content-orchestrator serve\n.*npx content-orchestrator register\n.*: node server\.js\n$/)
  const env = { ORCHESTRATOR_URL: service.origin }
  const register = async () => orchestrator(folder, ['register', '--port', String(port)], { env })
  const first = await register()
  t.match(first.out, `1. Start the site on port ${port}.\n  2. Open the draft within an hour`)

  t.equal(await firstLine(t, folder, 'server.js', { PORT: String(port) }), site)
  const [, address = ''] =
    /Open the draft within an hour(?: \(checked\))?: (\S+)/.exec((await register()).out) ?? []
  const entered = await fetch(address, { redirect: 'manual' })
  const cookie = entered.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')

  const shown = async (headers: Readonly<Record<string, string>> = {}) =>
    (await fetch(site, { headers })).text()
  const change = async (url: string, body: object) =>
    (await askOver(service.origin, { method: 'POST', url, json: { siteId: 'my-shop', ...body } })).json()
  const ops = [
    { op: 'update_props', pageSlug: '/', blockId: 'b_hero_home', patch: { heading: 'We lend boats' } },
  ]
  t.match(await change('/ops', { ops }), { status: 'applied' })
  t.match(await shown({ cookie }), /<title>Home · My Shop<\/title>[^]*We lend boats[^]*class="ribbon">Draft</)
  t.notMatch(await shown(), /We lend boats|class="ribbon"/)

  const events = await fetch(`${service.origin}/events?siteId=my-shop`, { headers: { origin: site } })
  t.equal(events.headers.get('access-control-allow-origin'), site, 'its draft pages may follow changes')
  await events.body?.cancel()

  t.match(await change('/publish', {}), { status: 'ready', slugs: ['/'] })
  t.match(await shown(), 'We lend boats')
  const listed = await (await fetch(`${service.origin}/sites`)).json()
  t.match(v.parse(v.object({ sites: v.array(v.unknown()) }), listed).sites, [
    { id: 'my-shop', name: 'My Shop', previewUrl: site },
  ])
})
