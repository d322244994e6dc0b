import t from 'tap'
import * as v from 'valibot'
import { startPostgres } from '../helpers/postgres.ts'
import { editor, temporaryFolder, textBlock } from '../helpers/stack.ts'
import { pageOf } from '../helpers/content.ts'
import { startWebsite } from '../helpers/publishing.ts'
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
