import t, { type Test } from 'tap'
import { freePort } from '../helpers/raw.ts'
import { serveDemo } from '../helpers/serve-demo.ts'
import { startSite } from '../helpers/upstream.ts'
import { until } from '../helpers/until.ts'
import { colleague, inBrowser, openBrowser, openStudio, openTab } from './browser.ts'

/**
 * Opens the studio for a website, in a browser whose clock stands still but for `pass`, until the frame is
 * loading.
 */
async function openStopped(t: Test, previewUrl: string, more: object = {}) {
  const { origin } = await serveDemo(t)
  const registration = { siteId: 'site', name: 'Site', previewUrl, ...more }
  t.equal((await colleague(origin).send('/sites/register', registration)).status, 200)
  const { page } = await openTab(await (await openBrowser(t)).newContext(), 'about:blank')
  const [asked, answered] = [[] as string[], [] as string[]]
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  page.on('requestfinished', (request) => void answered.push(new URL(request.url()).pathname))
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.addInitScript(() =>
    document.addEventListener(
      'load',
      ({ target }) => {
        if (target instanceof HTMLIFrameElement && target.src !== '')
          document.documentElement.dataset['loads'] = String(
            Number(document.documentElement.dataset['loads'] ?? 0) + 1,
          )
      },
      true,
    ),
  )
  // A frame that never answers would hold the load event.
  await page.goto(`${origin}/studio?siteId=site`, { waitUntil: 'domcontentloaded' })
  const count = (path: string, among = asked) => among.filter((each) => each === path).length
  const pass = (milliseconds: number) => page.clock.runFor(milliseconds)
  const isDrawn = async () => {
    await pass(20)
    return count('/api/editor/draft') > 0
  }
  await until(isDrawn, 'the first way in')
  const loads = (number: number) =>
    page.locator(`html[data-loads="${number}"]`).waitFor({ state: 'attached' })
  const answers = (path: string) => until(() => count(path, answered) > 0, path)
  return { page, count, pass, loads, answers, troubles: () => page.locator('.trouble').count() }
}

t.test(
  'a trouble is named after 1,250 ms of silence, once both ways into the draft were tried',
  inBrowser,
  async (t) => {
    const refusing = await startSite(t, (_request, response) =>
      response.setHeader('x-frame-options', 'DENY').end('A page'),
    )
    const silent = await startSite(t, ({ url }, response) =>
      response.end(url?.startsWith('/api/editor/blocks') ? '{"blocks":[]}' : 'A page without a bridge'),
    )
    const ownPages = { '/': 'src/pages/index.astro' }
    for (const [text, previewUrl, more = {}] of [
      ['The site refuses to be shown here.', refusing.origin],
      ['The site does not answer.', `http://localhost:${await freePort()}`],
      ['The preview is not connected.', silent.origin],
      ['/ is made by src/pages/index.astro of the website.', silent.origin, { ownPages }],
    ] as const)
      await t.test(text, async (t) => {
        const { page, count, pass, loads, answers, troubles } = await openStopped(t, previewUrl, more)
        await loads(1)
        t.equal(count('/preview/entry'), 1)
        await pass(500)
        await until(() => count('/preview/entry') === 2, 'the second way in')
        await loads(2)
        await answers('/sites/framing')
        t.equal(await troubles(), 0, 'nothing is reported while the second way is tried')
        await pass(750)
        await page.locator('.trouble').getByText(text).waitFor()
        t.strictSame(
          ['/api/editor/draft', '/sites/framing'].map((path) => count(path)),
          [1, 1],
          'each way is loaded once, and the website is asked meanwhile',
        )
      })
  },
)

t.test('a website that takes long to answer has a skeleton until it is loaded', inBrowser, async (t) => {
  const held = Promise.withResolvers<void>()
  const { origin } = await startSite(t, async ({ url }, response) => {
    if (url?.startsWith('/api/editor/draft')) await held.promise
    response.end('A page')
  })
  const { page, count, pass, loads, troubles } = await openStopped(t, origin)
  await pass(7000)
  t.equal(await page.locator('.room .skeleton').count(), 1)
  t.equal(await troubles(), 0)
  t.strictSame([count('/preview/entry'), count('/sites/framing')], [1, 0], 'no other way is tried')
  held.resolve()
  await loads(1)
  t.equal(await page.locator('.room .skeleton').count(), 1)
})

t.test('an address without a page is named in the frame too', inBrowser, async (t) => {
  const { page } = await openStudio(t, { query: '?slug=/nowhere' })
  await page.locator('.trouble').getByText('There is no page at /nowhere.').waitFor()
})
