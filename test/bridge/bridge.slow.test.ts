/** The bridge between an editor and the page in its frame, in a real browser. */
import { chromium as browsers } from 'playwright-core'
import t, { type Test } from 'tap'
import { chromium } from '../hosts/browser.ts'
import { serveDemo } from '../helpers/serve-demo.ts'
import { fifteenSteps, ownRules, pages, sixRefusals, type Run } from './acceptance.ts'
import { Editor, serveHost } from './editor.ts'

const secret = 'a secret for drafts, 32 characters'

async function start(t: Test): Promise<Run & { readonly open: (origin: string) => Promise<Run['page']> }> {
  const editorOrigin = await serveHost(t)
  const { origin } = await serveDemo(t, { DRAFT_MODE_SECRET: secret, EDITOR_CORS_ORIGINS: editorOrigin })
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const draft = { siteId: 'demo', session: 'bridge' }
  await post('/draft/bootstrap', { ...draft, pages, overwrite: true })
  const { sites } = (await (await fetch(`${origin}/sites`)).json()) as { sites: { previewUrl: string }[] }
  const site = sites[0]?.previewUrl ?? ''
  const browser = await browsers.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  const open = async (origin: string): Promise<Run['page']> => {
    const page = await browser.newPage({ viewport: { width: 1040, height: 700 } })
    await page.goto(origin)
    return page
  }
  return {
    site,
    editorOrigin,
    open,
    page: await open(editorOrigin),
    address: (slug, editorOrigin) =>
      `${site}${slug}?${new URLSearchParams({ session: draft.session, siteId: draft.siteId, editorOrigin, secret, __editor: '1' })}`,
    edit: (ops) => post('/ops', { ...draft, ops }),
  }
}

const inBrowser = { skip: chromium === undefined && 'there is no browser here: name one in CHROMIUM_PATH' }

t.test('an existing editor works with the demo site, unmodified', inBrowser, async (t) => {
  await fifteenSteps(t, await start(t))
})

t.test('hostile messages and strangers change nothing', inBrowser, async (t) => {
  const run = await start(t)
  await sixRefusals(t, run, await run.open(await serveHost(t)))
})

t.test('an editor that confirms the nonce of a document owns the channel', inBrowser, async (t) => {
  await ownRules(t, await start(t))
})

t.test('an editor learns why no draft is shown', inBrowser, async (t) => {
  const { page, site, editorOrigin } = await start(t)
  const editor = new Editor(page)
  const query = new URLSearchParams({ session: 'other', siteId: 'demo', editorOrigin, __editor: '1' })
  await editor.open(`${site}/?${query}`)
  const { payload } = await editor.next('previewStatus')
  t.strictSame(payload, { slug: '/', state: 'published', reason: 'not_let_in' })
  t.strictSame(await editor.silence(), [], 'a published page says nothing else')
})
