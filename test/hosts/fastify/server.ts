import { createOrchestrator } from 'content-orchestrator'
import { jsonFile } from 'content-orchestrator/adapters/json-file'
import { createSiteEditor, fetchEditorPage, livePreviewScript } from 'content-orchestrator/site'
import { jsonFilePublishHandler } from 'content-orchestrator/site/publish'
import { fastify, type RouteShorthandOptions } from 'fastify'
import { renderPage } from '../site/render-page.ts'

const siteId = 'acme'
const file = 'content/pages.json'
const adapter = jsonFile(file, { writeOnPublish: true })
const orchestrator = createOrchestrator({ adapter, siteId, basePath: '/api/orchestrator', livePreview: true })
const editor = createSiteEditor({ adapter, siteId, publish: jsonFilePublishHandler(file) })

const app = fastify()

// The hook runs before a body is read: the mounts read it themselves.
const handOver = ({ node }: typeof orchestrator): RouteShorthandOptions => ({
  onRequest: async ({ raw }, reply) => {
    reply.hijack()
    await node(raw, reply.raw)
  },
})
app.all('/api/orchestrator/*', handOver(orchestrator), () => undefined)
app.all('/api/editor/*', handOver(editor), () => undefined)

app.get('/*', async (request, reply) => {
  const [slug = '/'] = request.url.split('?')
  const shown = await fetchEditorPage(slug, request, { adapter, orchestrator, siteId })
  if (shown.redirect) return reply.header('cache-control', 'no-store').redirect(shown.redirect, 308)
  const script = livePreviewScript(shown)
  reply.status(shown.page ? 200 : 404).type('text/html; charset=utf-8').headers({ 'cache-control': 'no-store', ...shown.headers })
  return renderPage(shown, script)
})

// Before Fastify waits for open connections, which include event streams.
app.addHook('preClose', async () => {
  await Promise.all([orchestrator.close(), editor.close()])
})

await app.listen({ port: Number(process.env['PORT'] ?? 3000) })

process.once('SIGTERM', () => app.close())
