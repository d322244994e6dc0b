import { createOrchestrator } from 'content-orchestrator'
import { jsonFile } from 'content-orchestrator/adapters/json-file'
import { createSiteEditor, fetchEditorPage, livePreviewScript } from 'content-orchestrator/site'
import { jsonFilePublishHandler } from 'content-orchestrator/site/publish'
import express from 'express'
import { renderPage } from '../site/render-page.ts'

const siteId = 'acme'
const file = 'content/pages.json'
const adapter = jsonFile(file, { writeOnPublish: true })
const orchestrator = createOrchestrator({ adapter, siteId, basePath: '/api/orchestrator', livePreview: true, plugins: ['studio'] })
const editor = createSiteEditor({ adapter, siteId, publish: jsonFilePublishHandler(file) })

const app = express()

// Before body parsers: the mounts read request bodies themselves.
app.use(orchestrator.node, editor.node)
app.use(express.json())

app.get('/{*path}', async (request, response) => {
  const shown = await fetchEditorPage(request.path, request, { adapter, orchestrator, siteId })
  if (shown.redirect) return response.set('cache-control', 'no-store').redirect(308, shown.redirect)
  const script = livePreviewScript(shown)
  response.status(shown.page ? 200 : 404).set({ 'cache-control': 'no-store', ...shown.headers }).send(renderPage(shown, script))
})

const server = app.listen(Number(process.env['PORT'] ?? 3000))

process.once('SIGTERM', async () => {
  await Promise.all([orchestrator.close(), editor.close()])
  server.close()
})
