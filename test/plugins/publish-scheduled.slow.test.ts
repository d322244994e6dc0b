import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import * as v from 'valibot'
import { startPostgres } from '../helpers/postgres.ts'
import { editor, temporaryFolder, textBlock } from '../helpers/stack.ts'
import { pageOf } from '../helpers/content.ts'
import { startWebsite } from '../helpers/publishing.ts'
import { startSite } from '../helpers/upstream.ts'
import { until } from '../helpers/until.ts'
import { startOwnProcess } from '../helpers/own-process.ts'

const Log = v.object({ entries: v.array(v.looseObject({ status: v.string(), scheduledId: v.string() })) })
const Scheduled = v.object({ id: v.string() })

t.test(
  'of three processes on one PostgreSQL each scheduled publish is sent once, also after a kill',
  async (t) => {
    const server = await startPostgres(t)
    const site = await startWebsite(t, { pages: [] })
    const env = { DATABASE_URL: await server.database(), ORCHESTRATOR_CORS_ORIGINS: site.origin }
    const start = () => startOwnProcess(t, temporaryFolder(t), { env })
    const [first, ...others] = [await start(), await start(), await start()]
    const sites = Array.from({ length: 8 }, (_, at) => `site-${at}`)
    const due = Date.now() + 15_000
    const expected = new Map<string, string>()
    for (const siteId of sites) {
      const { bootstrap, send } = editor(first.ask, { siteId, session: 'dev' })
      await bootstrap([pageOf('/', [textBlock('b_1', 'one')])])
      const answer = await send('/publish', { at: new Date(due).toISOString(), siteOrigin: site.origin })
      expected.set(siteId, v.parse(Scheduled, answer.json()).id)
    }
    t.equal(site.sent().length, 0)
    t.ok(Date.now() < due, 'everything was scheduled in time')
    first.service.kill('SIGKILL')
    await first.service.gone

    const logOf = async (siteId: string, { ask }: (typeof others)[number]) =>
      v.parse(Log, (await editor(ask, { siteId, session: 'dev' }).get('/publish/log')).json()).entries
    const [second] = others
    if (!second) return
    for (const siteId of sites) {
      await until(async () => (await logOf(siteId, second)).length > 0, `the publish of ${siteId}`)
      for (const each of others)
        t.match(await logOf(siteId, each), [{ status: 'success', scheduledId: expected.get(siteId) }])
    }
    t.equal(site.sent().length, sites.length, 'each was sent once')
  },
)

t.test('processes whose clocks are 90 s wrong publish neither early nor again, and say so', async (t) => {
  const server = await startPostgres(t)
  const published: number[] = []
  const site = await startSite(t, async ({ url }, response) => {
    const isPublish = url === '/api/editor/publish'
    if (isPublish) published.push(Date.now())
    // Time for the other process to take it for its own.
    if (isPublish) await pause(3_000)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, pages: [] }))
  })
  const cwd = temporaryFolder(t)
  const plugins = [['publish', { lookEveryMs: 100 }]]
  writeFileSync(join(cwd, 'orchestrator.config.json'), JSON.stringify({ plugins }))
  const env = { DATABASE_URL: await server.database(), ORCHESTRATOR_CORS_ORIGINS: site.origin }
  const start = (seconds: number) => {
    const flags = [`--import=${new URL(`../helpers/shifted-clock.ts?seconds=${seconds}`, import.meta.url)}`]
    return startOwnProcess(t, temporaryFolder(t), { env, cwd, flags })
  }
  const [behind, ahead] = [await start(-90), await start(90)]
  const { bootstrap, send, get } = editor(behind.ask)
  await bootstrap([pageOf('/', [textBlock('b_1', 'one')])])
  const due = Date.now() + 5_000
  t.equal((await send('/publish', { at: new Date(due).toISOString(), siteOrigin: site.origin })).status, 202)
  await until(async () => v.parse(Log, (await get('/publish/log')).json()).entries.length > 0, 'the publish')
  t.equal(published.length, 1, 'once')
  t.ok(
    published.every((time) => time >= due),
    'not early',
  )
  for (const [{ ask, service }, says] of [
    [behind, /^The clock of this server is (?:89|90|91) seconds behind that of the database/],
    [ahead, /^The clock of this server is (?:89|90|91) seconds ahead of that of the database/],
  ] as const) {
    const ready = await ask({ url: '/readyz' })
    t.match([ready.status, ready.json()], [200, { ok: true, checks: { store: 'ok', clock: says } }])
    await service.logged('the clock of this server differs from that of the database')
  }
})
