import { createOrchestrator } from 'content-orchestrator'
import { jsonFile } from 'content-orchestrator/adapters/json-file'
import { createSiteEditor, fetchEditorPage, livePreviewScript } from 'content-orchestrator/site'
import { jsonFilePublishHandler } from 'content-orchestrator/site/publish'
import { fastify } from 'fastify'
import { renderPage } from '../site/render-page.ts'

const siteId = 'acme'
const file = 'content/pages.json'
const adapter = jsonFile(file)
const orchestrator = createOrchestrator({ adapter, siteId, basePath: '/api/orchestrator', livePreview: true })
const editor = createSiteEditor({ adapter, siteId, publish: jsonFilePublishHandler(file) })

const app = fastify()

app.register(async (api) => {
  // The mounts read the bodies of their requests themselves.
  api.removeAllContentTypeParsers()
  api.addContentTypeParser('*', (_request, _body, done) => done(null))
  api.all('/api/orchestrator/*', ({ raw }, reply) => {
    reply.hijack()
    return orchestrator.node(raw, reply.raw)
  })
  api.all('/api/editor/*', ({ raw }, reply) => {
    reply.hijack()
    return editor.node(raw, reply.raw)
  })
})

app.get('/*', async (request, reply) => {
  const [slug = '/'] = request.url.split('?')
  const shown = await fetchEditorPage(slug, request, { adapter, orchestrator, siteId })
  const script = livePreviewScript(shown, { orchestrator: '/api/orchestrator' })
  reply.status(shown.page ? 200 : 404).type('text/html; charset=utf-8').header('cache-control', 'no-store')
  return renderPage(shown, script)
})

// Before Fastify waits for open connections, which event streams are.
app.addHook('preClose', async () => {
  await Promise.all([orchestrator.close(), editor.close()])
})

await app.listen({ port: Number(process.env['PORT'] ?? 3000) })

process.once('SIGTERM', () => app.close())
