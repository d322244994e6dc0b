import { serve } from '@hono/node-server'
import { createOrchestrator } from 'content-orchestrator'
import { jsonFile } from 'content-orchestrator/adapters/json-file'
import { createSiteEditor, fetchEditorPage, livePreviewScript } from 'content-orchestrator/site'
import { jsonFilePublishHandler } from 'content-orchestrator/site/publish'
import { Hono } from 'hono'
import { renderPage } from '../site/render-page.ts'

const siteId = 'acme'
const file = 'content/pages.json'
const adapter = jsonFile(file, { writeOnPublish: true })
const orchestrator = createOrchestrator({ adapter, siteId, basePath: '/api/orchestrator', livePreview: true })
const editor = createSiteEditor({ adapter, siteId, publish: jsonFilePublishHandler(file) })

const app = new Hono()

app.all('/api/orchestrator/*', ({ req }) => orchestrator.fetch(req.raw))
app.all('/api/editor/*', ({ req }) => editor.fetch(req.raw))

app.get('*', async (context) => {
  const shown = await fetchEditorPage(context.req.path, context.req.raw, { adapter, orchestrator, siteId })
  if (shown.redirect) return context.body(null, 308, { location: shown.redirect, 'cache-control': 'no-store' })
  const script = livePreviewScript(shown)
  return context.html(renderPage(shown, script), shown.page ? 200 : 404, { 'cache-control': 'no-store', ...shown.headers })
})

const server = serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000) })

process.once('SIGTERM', async () => {
  await Promise.all([orchestrator.close(), editor.close()])
  server.close()
})
