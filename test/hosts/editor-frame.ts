import type { Frame, Page } from 'playwright-core'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Test } from 'tap'
import { serveDemo } from '../helpers/serve-demo.ts'
import { openPage } from './browser.ts'

const secret = 'the-secret-of-a-test'
const siteId = 'demo'

/** The page of an editor as scripts; it knows only the address of the service. */
const editorPage = (service: string): string => `<!doctype html>
<title>Editor</title>
<iframe title="Preview" width="1000" height="700"></iframe>
<script>
  const service = ${JSON.stringify(service)}
  const json = async (url, init) => (await fetch(url, init)).json()
  const send = (path, body) => json(service + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const site = async () => (await json(service + '/sites')).sites.find(({ id }) => id === '${siteId}')
  const blockTypes = async () => (await json((await site()).previewUrl + '/api/editor/blocks?siteId=${siteId}')).blocks.length
  const addressOf = (slug, session) => slug + '?' + new URLSearchParams({ session, siteId: '${siteId}', editorOrigin: location.origin, __editor: '1' })
  const show = (address) => new Promise((resolve) => {
    const frame = document.querySelector('iframe')
    frame.addEventListener('load', resolve, { once: true })
    frame.src = address
  })
  const view = async (path) => show((await site()).previewUrl + path)
  const say = (message) => send('/chat', { siteId: '${siteId}', session: 'dev', slug: '/', message })
</script>`

/** Serves the page of an editor, on a port or any free one. */
async function serveEditor(t: Test, service: string, port: number): Promise<number> {
  const server = createServer(
    (_, response) => void response.setHeader('content-type', 'text/html').end(editorPage(service)),
  ).listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : port
}

const frameIn = (page: Page): Frame => {
  const [, frame] = page.frames()
  if (!frame) throw new Error('the page has no frame')
  return frame
}

const timeout = 5000
const reaches = (frame: Frame, text: string): Promise<unknown> =>
  frame.waitForSelector(`h1:text-is(${JSON.stringify(text)})`, { timeout })
const isDraft = async (frame: Frame): Promise<boolean> =>
  frame.evaluate(`document.querySelector('.ribbon') !== null`)

/** Waits until the frame has navigated: its page learns of it before this process. */
async function arrives(page: Page, address: RegExp): Promise<Frame> {
  for (
    const until = performance.now() + timeout;
    !address.test(frameIn(page).url()) && performance.now() < until;
  )
    await wait(20)
  return frameIn(page)
}

/** Checks that an editor on port 4100 can show the demo site in a frame, under both loopback names. */
export async function showInFrame(t: Test, picture: string): Promise<void> {
  await t.test('without configuration the frame shows the draft, and follows an edit by chat', async (t) => {
    const { origin: service } = await serveDemo(t)
    const port = await serveEditor(t, service, 4100)
    const { page, errors } = await openPage(t)
    for (const host of ['localhost', '127.0.0.1']) {
      await page.goto(`http://${host}:${port}/`)
      t.ok((await page.evaluate<number>('blockTypes()')) > 10, `${host}: the editor can read the block types`)
      await page.evaluate(`view(addressOf('/', 'dev'))`)
      const frame = await arrives(page, /:\d+\/\?/)
      await frame.waitForSelector('.ribbon', { timeout })
      await frame.evaluate('window.marked = true')
      t.match(await page.evaluate(`say('Change the hero heading to "Seen from ${host}"')`), {
        status: 'applied',
      })
      await reaches(frame, `Seen from ${host}`)
      t.ok(await frame.evaluate('window.marked'), 'the document was not reloaded')
    }
    t.strictSame(errors, [], 'no errors in the browser')
    await page.screenshot({ path: picture })

    const stranger = await serveEditor(t, service, 0)
    const { sites } = await (await fetch(`${service}/sites`)).json()
    for (const editorOrigin of [`http://localhost:${stranger}`, 'http://localhost:4100']) {
      await page.goto(`http://localhost:${stranger}/`)
      await page.evaluate(
        `show('${sites[0].previewUrl}/?${new URLSearchParams({ editorOrigin, __editor: '1' })}')`,
      )
      t.match(
        (await arrives(page, /^chrome-error:/)).url(),
        /^chrome-error:/,
        'other origins cannot show the site in a frame',
      )
    }
  })

  await t.test(
    'with a secret the frame is admitted by its cookie, or by the secret if cookies are blocked',
    async (t) => {
      const { origin: service } = await serveDemo(t, { VITE_SITE_DRAFT_SECRET: secret })
      const port = await serveEditor(t, service, 4100)
      const { page } = await openPage(t)
      const enter = (): Promise<unknown> =>
        page.evaluate(
          `view('/api/editor/draft?' + new URLSearchParams({ secret: '${secret}', redirect: addressOf('/about', 'mine') }))`,
        )

      await page.goto(`http://127.0.0.1:${port}/`)
      await enter()
      await (await arrives(page, /\/about\?session=mine&/)).waitForSelector('.ribbon', { timeout })
      await frameIn(page).click('nav a[href="/"]')
      await reaches(frameIn(page), 'Your bike, ready for every day')
      t.ok(await isDraft(frameIn(page)), 'a link stays in the draft')
      await page.evaluate(
        `view('/api/editor/draft/disable?' + new URLSearchParams({ redirect: addressOf('/about', 'mine') }))`,
      )
      const left = await arrives(page, /\/about$/)
      await left.waitForSelector('main', { timeout })
      t.notOk(await isDraft(left), left.url())

      await page.goto(`http://localhost:${port}/`)
      await enter()
      const apart = await arrives(page, /\/about\?session=mine&/)
      t.match(await apart.textContent('.notice'), 'The editor is at localhost, this site at 127.0.0.1')
      t.notOk(await isDraft(apart))
      await page.evaluate(`view(addressOf('/about', 'mine') + '&secret=${secret}')`)
      await (await arrives(page, /secret=/)).waitForSelector('.ribbon', { timeout })
    },
  )
}
