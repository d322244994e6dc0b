import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createOrchestrator } from 'content-orchestrator'
import { jsonFile } from 'content-orchestrator/adapters/json-file'
import { createSiteEditor, fetchEditorPage, livePreviewScript } from 'content-orchestrator/site'
import { jsonFilePublishHandler } from 'content-orchestrator/site/publish'
import { renderPage } from '../site/render-page.ts'

const siteId = 'acme'
const file = 'content/pages.json'
const adapter = jsonFile(file, { writeOnPublish: true })
const orchestrator = createOrchestrator({ adapter, siteId, basePath: '/api/orchestrator', livePreview: true })
const editor = createSiteEditor({ adapter, siteId, publish: jsonFilePublishHandler(file) })

async function showPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [slug = '/'] = (request.url ?? '/').split('?')
  const shown = await fetchEditorPage(slug, request, { adapter, orchestrator, siteId })
  if (shown.redirect) return void response.writeHead(308, { location: shown.redirect, 'cache-control': 'no-store' }).end()
  const script = livePreviewScript(shown)
  response.writeHead(shown.page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...shown.headers })
  response.end(renderPage(shown, script))
}

const server = createServer(async (request, response) => {
  const { url = '/' } = request
  try {
    if (url.startsWith('/api/orchestrator/')) await orchestrator.node(request, response)
    else if (url.startsWith('/api/editor/')) await editor.node(request, response)
    else await showPage(request, response)
  } catch (error) {
    console.error(error)
    response.writeHead(500).end('This page cannot be shown now.')
  }
})

server.listen(Number(process.env['PORT'] ?? 3000))

process.once('SIGTERM', async () => {
  await Promise.all([orchestrator.close(), editor.close()])
  server.close()
})
