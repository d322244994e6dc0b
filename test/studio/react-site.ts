/** A website of React components that is edited from outside. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { bundle } from '../../config/bundle.ts'
import { createSiteEditor, fetchEditorPage } from '../../config/site.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { jsonFilePublishHandler } from '../../plugins/site/publish/index.ts'
import { demoPages } from '../helpers/demo-pages.ts'
import { serve } from '../helpers/raw.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { pathOf } from '../surface/doors.ts'
import { render } from './react-page.mjs'

const siteId = 'react'
const draftSecret = 'a-draft-secret-of-some-length'

async function script(): Promise<string> {
  const { output } = await bundle({
    input: pathOf('test/studio/react-page.mjs'),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    write: false,
    output: { format: 'esm', codeSplitting: false },
    logLevel: 'warn',
  })
  return output[0].code
}

/** Serves the website; its service is known once that has started, with the variables that this one needs. */
export async function serveReact(t: Test) {
  const file = join(temporaryFolder(t), 'pages.json')
  await writeFile(file, JSON.stringify({ pages: demoPages }))
  const adapter = jsonFile(file)
  const publish = jsonFilePublishHandler(file, { shape: 'wrapper' })
  const code = await script()
  let service = ''
  let editor: ReturnType<typeof createSiteEditor> | undefined

  const show = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [slug = '/'] = (request.url ?? '/').split('?')
    const own = { adapter, siteId, draftSecret, orchestrator: service, editorOrigins: [service] }
    const { page, slugs, live, headers } = await fetchEditorPage(slug, request, own)
    const shown = { page, slugs, live }
    const isData = request.headers.accept === 'application/json'
    const type = isData ? 'application/json' : 'text/html; charset=utf-8'
    response.writeHead(page || isData ? 200 : 404, { ...headers, 'content-type': type })
    const json = JSON.stringify(shown)
    response.end(
      isData
        ? json
        : `<!doctype html><title>${page?.title}</title><div id="root">${render(shown)}</div>` +
            `<script type="application/json" id="shown">${json.replaceAll('<', '\\u003c')}</script>` +
            `<script type="module" src="/page.js"></script>`,
    )
  }
  const listening = await serve(t, (request, response) => {
    const { url = '/' } = request
    if (url.startsWith('/api/editor/')) return void editor?.node(request, response)
    if (url === '/page.js')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(code)
    show(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  // Under the host name of the studio, whose frames then have the cookie of the draft.
  const previewUrl = listening.replace('127.0.0.1', 'localhost')
  return {
    variables: { DRAFT_MODE_SECRET: draftSecret, ORCHESTRATOR_CORS_ORIGINS: previewUrl },
    /** Registers the website with the service. */
    async register(origin: string): Promise<void> {
      service = origin
      editor = createSiteEditor({ adapter, publish, draftSecret, siteId, editorOrigins: [origin] })
      t.teardown(() => editor?.close())
      const answer = await fetch(`${origin}/sites/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ siteId, name: 'React', previewUrl }),
      })
      if (!answer.ok) throw new Error(await answer.text())
    },
  }
}
