/** A page that three processes on one PostgreSQL move, and a visitor in a browser. */
import t, { type Test } from 'tap'
import { createSiteEditor, fetchEditorPage } from '../../config/site.ts'
import { renderEditorPage } from '../../config/site-render.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { jsonFilePublishHandler } from '../../plugins/site/publish/index.ts'
import { inBrowser } from '../helpers/chromium.ts'
import { movePage } from '../helpers/moved-page.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { page } from '../helpers/publishing.ts'
import { serve } from '../helpers/raw.ts'
import { fileWith } from '../helpers/site-kinds.ts'
import { askOver, editor, temporaryFolder } from '../helpers/stack.ts'
import { openPage } from '../hosts/browser.ts'
import { startService } from '../prove/service.ts'

const siteId = 'acme'

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
