/** A page that React hydrates part by part, in the frame of an editor. */
import t from 'tap'
import { bundle } from '../../config/bundle.ts'
import { livePreviewScript } from '../../config/site.ts'
import { inBrowser } from '../helpers/chromium.ts'
import { serve } from '../helpers/raw.ts'
import { openPage } from '../hosts/browser.ts'
import { pathOf } from '../surface/doors.ts'
import { Editor, serveHost } from './editor.ts'
import { send } from './late-page.mjs'

const { output } = await bundle({
  input: pathOf('test/bridge/late-page.mjs'),
  platform: 'browser',
  // React says what it finds changed only while a site is developed.
  transform: { define: { 'process.env.NODE_ENV': '"development"' } },
  write: false,
  output: { format: 'iife', codeSplitting: false },
  logLevel: 'silent',
})
const [{ code }] = output

for (const [name, ms] of [
  ['is there, and is taken over later than the page', 0],
  ['arrives after the page was taken over', 1200],
] as const)
  t.test(`a block that ${name} is not changed before`, inBrowser, async (t) => {
    const editorOrigin = await serveHost(t)
    const script = livePreviewScript({ live: { orchestrator: '/none', siteId: '', slug: '/', editorOrigin } })
    const origin = await serve(t, (request, response) => {
      if (request.url === '/') return send(response, { ms, script })
      if (request.url !== '/_next/page.js') return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(code)
    })
    const { page, errors } = await openPage(t)
    await page.goto(editorOrigin)
    const editor = new Editor(page)
    await editor.open(`${origin}/`, { mode: true })
    await editor.send('highlightBlock', { blockId: 'b_late', editablePath: 'cards[0].title' })
    const block = editor.frame.locator('#b_late')
    await block.and(editor.frame.locator('.editor-highlight')).waitFor()
    // By then React has compared it.
    await editor.frame.waitForFunction(() =>
      Object.keys(document.getElementById('b_late') ?? {}).some((name) => name.startsWith('__react')),
    )
    t.equal(await editor.frame.locator('[data-editor-list-index]').count(), 1, 'its row is marked')
    t.strictSame(
      errors.filter((text) => !/404/.test(text)),
      [],
      'React finds the page as the server made it',
    )
  })
