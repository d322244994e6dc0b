/** A page that three processes on one PostgreSQL move, and a visitor in a browser. */
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createSiteEditor, fetchEditorPage } from '../../config/site.ts'
import { renderEditorPage } from '../../config/site-render.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { jsonFilePublishHandler } from '../../plugins/site/publish/index.ts'
import type { Page } from '../../plugins/content/page.ts'
import { inBrowser } from '../helpers/chromium.ts'
import { movePage } from '../helpers/moved-page.ts'
import { emptyList } from '../helpers/plain.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { page } from '../helpers/publishing.ts'
import { serve } from '../helpers/raw.ts'
import { fileWith } from '../helpers/site-kinds.ts'
import { askOver, editor, temporaryFolder } from '../helpers/stack.ts'
import { Sent } from '../helpers/website.ts'
import { openPage } from '../hosts/browser.ts'
import { startService } from '../prove/service.ts'

const siteId = 'acme'
const slugsOf = ({ pages }: { readonly pages: readonly Page[] }) => pages.map(({ slug }) => slug)

/** A website of this package with a home page. */
async function startWebsite(t: Test): Promise<string> {
  const path = fileWith(t, { pages: [page('/')] })
  const adapter = jsonFile(path)
  const routes = createSiteEditor({
    siteId,
    adapter,
    publish: jsonFilePublishHandler(path, { shape: 'wrapper' }),
    logger: capturedLog('silent').log,
  })
  t.teardown(() => routes.close())
  return serve(
    t,
    (request, response) =>
      void routes.node(request, response, async () => {
        const shown = await fetchEditorPage(request.url ?? '/', request, { adapter, siteId })
        if (shown.redirect) return response.writeHead(308, { location: shown.redirect }).end()
        const status = shown.page ? 200 : 404
        return response.writeHead(status, { 'content-type': 'text/html' }).end(renderEditorPage(shown))
      }),
  )
}

t.test('a page is moved through three processes on one database', inBrowser, async (t) => {
  const site = await startWebsite(t)
  const server = await startPostgres(t)
  const env = { DATABASE_URL: await server.database(), ORCHESTRATOR_CORS_ORIGINS: site }
  const services = await Promise.all(
    ['a', 'b', 'c'].map(async () => {
      const service = startService(temporaryFolder(t), { env })
      t.teardown(() => service.kill('SIGKILL'))
      return `http://127.0.0.1:${(await service.ready).port}`
    }),
  )
  const { send } = editor((request) => askOver(services[0] ?? '', request), { siteId, session: 'dev' })
  await send('/sites/register', { name: 'Acme', previewUrl: site })
  const { page: visitor } = await openPage(t)
  await movePage(t, { services, siteId, site, visitor })
})

t.test(
  'a rename whose publish was stored, and whose process was killed before the answer, is no conflict',
  async (t) => {
    const site = { pages: [page('/'), page('/a'), page('/b')] }
    const state: { whilePublished?: () => void } = {}
    const origin = await serve(t, async (request, response) => {
      const answer = (body: unknown) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (request.url?.startsWith('/api/editor/pages')) return answer(site)
      const body = Buffer.concat(await Array.fromAsync(request)).toString()
      if (request.url !== '/api/editor/publish') return response.writeHead(404).end()
      Object.assign(site, v.parse(Sent, JSON.parse(body)))
      if (state.whilePublished) return state.whilePublished()
      return answer({ ok: true })
    })
    const folder = temporaryFolder(t)
    const start = async () => {
      const service = startService(folder, { env: { ORCHESTRATOR_CORS_ORIGINS: origin } })
      t.teardown(() => service.kill('SIGKILL'))
      const at = `http://127.0.0.1:${(await service.ready).port}`
      return { service, ...editor((request) => askOver(at, request), { siteId, session: 'dev' }) }
    }
    const first = await start()
    await first.send('/sites/register', { name: 'Acme', previewUrl: origin })
    await first.get('/draft/slugs')
    t.equal((await first.ops([{ op: 'rename_page', pageSlug: '/a', newPageSlug: '/n' }])).status, 200)
    state.whilePublished = () => first.service.kill('SIGKILL')
    await t.rejects(first.send('/publish', {}))
    await first.service.gone
    t.strictSame(slugsOf(site), ['/', '/n', '/b'], 'the site has stored it')

    delete state.whilePublished
    const second = await start()
    t.match((await second.get('/publish/diff')).json(), { conflicts: emptyList })
    t.match((await second.send('/publish', {})).json(), { status: 'ready' })
    t.strictSame(slugsOf(site), ['/', '/n', '/b'])
  },
)
