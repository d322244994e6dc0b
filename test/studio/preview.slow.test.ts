import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import type { Frame, Page } from 'playwright-core'
import { startSite } from '../helpers/upstream.ts'
import { until } from '../helpers/until.ts'
import { colleague, eventually, inBrowser, openStudio, openTab, siteIn } from './browser.ts'

/** The frame of the live page. */
async function liveIn(page: Page): Promise<Frame> {
  const handle = await page.locator('iframe.live').elementHandle()
  const frame = await handle?.contentFrame()
  if (!frame) throw new Error('no live page is shown')
  return frame
}

t.test('the draft and the live page stand in one place, with a line between them', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const draft = await siteIn(page)
  const heading = draft.locator('[data-block-type="Hero"] h1')
  const before = (await heading.textContent()) ?? ''
  const subheading = 'A text that makes the block higher. '.repeat(20)
  const { send, setHero } = colleague(origin)
  await setHero({ heading: 'Only in the draft', subheading })
  await heading.filter({ hasText: 'Only in the draft' }).waitFor()

  // What scrolls together is a block, and not the distance from the top: the draft is longer above it.
  const third = (frame: Frame) => frame.locator('main > [data-block-id]').nth(2)
  const topOf = (frame: Frame) =>
    third(frame).evaluate((block) => Math.round(block.getBoundingClientRect().top))
  const scroll = (frame: Frame, wanted: number) =>
    third(frame).evaluate(
      (block, wanted) => scrollBy({ top: block.getBoundingClientRect().top - wanted, behavior: 'instant' }),
      wanted,
    )
  await scroll(draft, -20)
  await page.getByRole('button', { name: 'Both', exact: true }).click()
  const live = page.frameLocator('iframe[title="The page that visitors see"]')
  await live.getByRole('heading', { name: before }).first().waitFor()
  t.equal(await live.getByText('Only in the draft').count(), 0, 'visitors do not see the draft')
  const frames = { draft, live: await liveIn(page) }
  await until(async () => (await topOf(frames.live)) === -20, 'the live page begins where the draft is')
  t.not(await draft.evaluate(() => scrollY), await frames.live.evaluate(() => scrollY))
  for (const [one, other] of [
    ['draft', 'live'],
    ['live', 'draft'],
  ] as const)
    for (const wanted of [-40, -90]) {
      await scroll(frames[one], wanted)
      await until(async () => (await topOf(frames[other])) === wanted, `${other} follows ${one} to ${wanted}`)
      t.equal(await topOf(frames[one]), wanted, 'and leads nowhere else')
    }
  const line = page.getByLabel('How much of the draft is shown')
  await line.focus()
  await page.keyboard.press('Home')
  const clip = () => page.locator('iframe.live').evaluate((frame) => frame.style.clipPath)
  t.match(await clip(), /0%/, 'the live page covers the draft')
  await page.keyboard.press('End')
  t.match(await clip(), /100%/)

  await page.getByRole('button', { name: 'Published', exact: true }).click()
  await line.waitFor({ state: 'detached' })
  t.match(await clip(), /0px|0%/)
  t.equal(await page.locator('iframe.frame').first().getAttribute('inert'), '', 'no key reaches the draft')
  t.equal((await send('/publish')).status, 200)
  await live.getByRole('heading', { name: 'Only in the draft' }).waitFor()
  await page.getByRole('button', { name: 'Draft', exact: true }).click()
  await page.locator('iframe.live').waitFor({ state: 'detached' })
  t.strictSame(errors, [])
})

t.test('no link, page or later site gets the secret of a draft to another origin', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  const own = new URL((await siteIn(page)).url()).origin
  const other = await startSite(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Elsewhere</h1>')
  })
  const { send } = colleague(origin)
  const register = (siteId: string) =>
    send('/sites/register', { siteId, name: siteId, previewUrl: other.origin })
  t.equal((await register('other')).status, 200, 'the policy of the studio admits it to frames')
  const host = other.origin.replace('http:', '')
  const paths = [
    host,
    `/${host}`,
    host.replace('//', '/\\'),
    host.replace('/', '/\t'),
    `/.${host}`,
    `${other.origin}`,
  ]
  const context = page.context()
  for (const path of paths) {
    const query = new URLSearchParams({ siteId: 'demo', slug: `${path}/x` })
    const { page: tab } = await openTab(context, `${origin}/studio?${query}`)
    const frame = await siteIn(tab)
    t.equal(new URL(frame.url()).origin, own, `${JSON.stringify(path)} is the home page`)
    await frame.evaluate(
      ({ origin, slug }) =>
        window.parent.postMessage(
          { protocol: 'site-editor/v1', type: 'routeChanged', payload: { slug, bridge: {} } },
          origin,
        ),
      { origin, slug: `${path}/y` },
    )
    await tab.getByRole('button', { name: 'Published', exact: true }).click()
    await pause(200)
    await tab.close()
  }
  t.strictSame(other.seen, [])

  // A link names a site that is registered later: a page stays with the site that it has opened.
  const { origin: alone, page: early } = await openStudio(t)
  await early.goto(`${alone}/studio?siteId=later`)
  await siteIn(early)
  const { send: ask } = colleague(alone)
  const later = { siteId: 'later', name: 'later', previewUrl: other.origin }
  t.equal((await ask('/sites/register', later)).status, 200)
  await ask('/draft/site-config', { config: { name: 'Renamed' } }, 'PUT')
  await early.locator('.bar b', { hasText: 'Renamed' }).waitFor()
  t.strictSame(other.seen, [])
})

t.test('nothing that a page in a frame does replaces the studio', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const draft = await siteIn(page)
  const elsewhere = await startSite(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<input type="password">')
  })
  await page.getByRole('button', { name: 'Browse', exact: true }).click()
  await draft.locator('html:not([data-editor-selection-mode])').waitFor()
  /** Covers a frame with a link, or with what does the same by a script when it is pressed. */
  const cover = (frame: Frame, way: '_top' | '_parent' | 'top' | 'parent' | 'open') =>
    frame.evaluate(
      ({ href, way }) => {
        document.querySelector('#cover')?.remove()
        const link = document.createElement('a')
        const scripts: Readonly<Record<string, () => unknown>> = {
          top: () => window.top?.location.replace(href),
          parent: () => Object.assign(window.parent.location, { href }),
          open: () => window.open(href, '_top'),
        }
        const script = scripts[way]
        if (script) link.addEventListener('mouseup', script)
        else Object.assign(link, { href, target: way, rel: 'noopener' })
        link.id = 'cover'
        link.style.cssText = 'position: fixed; inset: 0; z-index: 9'
        document.body.append(link)
      },
      { href: elsewhere.origin, way },
    )
  const press = async (frame: Frame): Promise<void> =>
    frame.locator('#cover').click({ position: { x: 90, y: 90 } })
  const stays = async (what: string): Promise<void> => {
    await pause(300)
    t.match(page.url(), `${origin}/studio`, what)
  }
  await page.getByRole('button', { name: 'Both', exact: true }).click()
  await page.locator('iframe.live').waitFor()
  await page.getByLabel('How much of the draft is shown').fill('100')
  for (const way of ['top', 'parent', 'open'] as const) {
    await cover(draft, way)
    await press(draft)
    await stays(`the draft: ${way}`)
  }
  await cover(draft, '_top')
  const opens = page.context().waitForEvent('page')
  await press(draft)
  const opened = await opens
  t.equal(
    await opened.evaluate(() => self.origin),
    elsewhere.origin,
    'a page of its own is none of a sandbox',
  )
  await stays('a link for the whole window opens a new one')
  await page.getByLabel('How much of the draft is shown').fill('0')
  const live = await liveIn(page)
  for (const way of ['_top', '_parent'] as const) {
    await cover(live, way)
    await press(live)
    await stays(`the live page: ${way}`)
  }
  t.strictSame(
    errors.filter((error) => !/[Ss]andbox|navigate/.test(error)),
    [],
  )
})

t.test('a live page that refuses frames opens in a new tab', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  const site = await startSite(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'x-frame-options': 'DENY' }).end('<h1>Mine</h1>')
  })
  const registration = { siteId: 'closed', name: 'Closed', previewUrl: site.origin }
  t.equal((await colleague(origin).send('/sites/register', registration)).status, 200)
  const { page: closed } = await openTab(page.context(), `${origin}/studio?siteId=closed`)
  await closed.getByRole('button', { name: 'Published', exact: true }).click()
  const link = closed.getByRole('link', { name: 'Open it in a new tab' })
  t.equal(await link.getAttribute('href'), `${site.origin}/?__editor=0`)
  await closed.getByText('does not let itself be shown here').waitFor()
  t.equal(await closed.locator('iframe.live').count(), 0)
})

t.test('the entry to a draft is renewed before its end, without loading the frame', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  // The service, whose time passes slower, would refuse the second within a second.
  await page.route(/\/presence$/, (route) => route.fulfill({ json: { client: 'here' } }))
  await page.clock.install()
  await page.reload()
  const site = await siteIn(page)
  await site.evaluate(() => void Object.assign(window, { isStill: true }))
  const cookie = async () =>
    (await page.context().cookies()).find(({ name }) => name === 'editor_draft')?.value
  const before = await cookie()
  t.type(before, 'string')
  await page.clock.fastForward(51 * 60_000)
  await eventually(async () => (await cookie()) !== before)
  t.not(await cookie(), before)
  await eventually(async () => page.frames().length === 2)
  t.equal(page.frames().length, 2, 'the frame beside is gone')
  t.ok(await site.evaluate(() => 'isStill' in window), 'the page is the same')
  t.strictSame(errors, [])
})

t.test('an entry by the address is renewed in the address, also after a failure', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const { origin: at } = new URL((await siteIn(page)).url())
  const query = new URLSearchParams({ __editor: '0', editorOrigin: origin })
  const published = await (await fetch(`${at}/?${query}`)).text()
  const body = published.replace('"asked_for"', '"not_let_in"')
  const context = page.context()
  await page.close()
  await context.clearCookies()
  const { page: tab } = await openTab(context, 'about:blank')
  await tab.clock.install()
  // A browser that keeps no cookie of a frame.
  await tab.route(`${at}/**`, (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    if (pathname === '/' && searchParams.has('secret')) return route.continue()
    return route.fulfill({ body, contentType: 'text/html' })
  })
  await tab.goto(`${origin}/studio`)
  const site = await siteIn(tab)
  const secret = () => new URL(site.url()).searchParams.get('secret')
  await site.evaluate(() => void Object.assign(window, { isStill: true }))
  const before = secret()
  t.type(before, 'string')
  await tab.route('**/preview/entry', (route) => route.abort())
  await tab.clock.fastForward(50 * 60_000)
  await pause(500)
  t.equal(secret(), before, 'an entry that cannot be renewed is valid until its end')
  await tab.unroute('**/preview/entry')
  await tab.clock.fastForward(60_000)
  await until(async () => secret() !== before, 'the address has the new secret')
  t.ok(await site.evaluate(() => 'isStill' in window), 'the page is the same')
  await colleague(origin).setHero({ heading: 'Shown after the renewal' })
  await site.getByRole('heading', { name: 'Shown after the renewal' }).waitFor()
  t.ok(await site.evaluate(() => 'isStill' in window), 'and follows the draft')
  t.strictSame(
    errors.filter((each) => !each.includes('/preview/entry')),
    [],
  )
})

t.test('a draft that was left in another tab is opened again at the next change', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const draft = await siteIn(page)
  t.equal(await draft.locator('.ribbon').isVisible(), false, 'the studio says itself what it shows')
  const site = new URL(draft.url()).origin
  const { page: tab } = await openTab(page.context(), site)
  const leave = async (): Promise<void> => {
    await tab.goto(site)
    await tab.getByTitle('Leave the draft').click()
    await tab.locator('.ribbon').waitFor({ state: 'detached' })
  }
  const { setHero } = colleague(origin)
  const heading = (text: string) => draft.getByRole('heading', { name: text })

  await leave()
  await setHero({ heading: 'Shown all the same' })
  await heading('Shown all the same').waitFor()
  await leave()
  await setHero({ heading: 'And once more' })
  await heading('And once more').waitFor()
  t.equal(await page.locator('.trouble').count(), 0)

  await leave()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  const isIn = async () => (await page.context().cookies(site)).some(({ name }) => name === 'editor_draft')
  await until(isIn, 'the studio, seen again, opens the draft again')
  await setHero({ heading: 'Followed as before' })
  await heading('Followed as before').waitFor()
  t.strictSame(errors, [])

  const query = new URLSearchParams({ __editor: '0', editorOrigin: origin })
  const published = await (await fetch(`${site}/?${query}`)).text()
  const body = published.replace('"asked_for"', '"not_let_in"')
  await page.route(`${site}/**`, (route) => route.fulfill({ body, contentType: 'text/html' }))
  await setHero({ heading: 'Not shown' })
  await page.locator('.trouble').filter({ hasText: 'This is the published page.' }).waitFor()
})

t.test(
  'the link to what was published shows what visitors see, and leaves the draft open',
  inBrowser,
  async (t) => {
    const { page, origin } = await openStudio(t)
    await siteIn(page)
    const { setHero } = colleague(origin)
    await setHero({ heading: 'Published today' })
    await page.getByRole('button', { name: 'Review', exact: false }).first().click()
    await page.getByRole('button', { name: /^Publish 1 change to / }).click()
    const opens = page.context().waitForEvent('page')
    await page.getByRole('complementary', { name: 'Publish' }).getByRole('link').click()
    const live = await opens
    await live.getByRole('heading', { name: 'Published today' }).waitFor()
    t.equal(await live.locator('.ribbon').count(), 0)
    await setHero({ heading: 'Only in the draft' })
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
    const draft = page.frameLocator('iframe[title="The page as it is now"]')
    await draft.getByRole('heading', { name: 'Only in the draft' }).waitFor()
    await live.reload()
    t.equal(await live.getByText('Only in the draft').count(), 0)
  },
)

t.test('a website that knows its addresses with a slash at the end only is edited', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  const { origin: demo } = new URL((await siteIn(page)).url())
  // As the development server of Astro answers with `trailingSlash: 'always'`.
  const strict = await startSite(t, async ({ url = '', method = 'GET', headers }, response) => {
    if (!/\/(?:\?|$)/.test(url) && !url.includes('.'))
      return response.writeHead(404).end('<h1>Not found</h1>')
    const { connection: _, host: _host, ...sent } = headers
    const path = url.replace(/(?<=[^/])\/(?=\?|$)/, '')
    const answer = await fetch(`${demo}${path}`, { method, headers: sent as HeadersInit, redirect: 'manual' })
    const {
      'content-length': _length,
      'content-encoding': _encoding,
      ...passed
    } = Object.fromEntries(answer.headers)
    const bytes = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { ...passed, 'set-cookie': answer.headers.getSetCookie() }).end(bytes)
  })
  const at = strict.origin.replace('127.0.0.1', 'localhost')
  const registration = { siteId: 'demo', name: 'Demo', previewUrl: at }
  t.equal((await colleague(origin).send('/sites/register', registration)).status, 200)
  const { page: tab } = await openTab(page.context(), `${origin}/studio?siteId=demo&slug=/about`)
  const site = await siteIn(tab)
  t.match(site.url(), `${at}/about/?`)
  await tab.getByRole('button', { name: 'Published', exact: true }).click()
  t.match(await tab.locator('iframe.live').getAttribute('src'), `${at}/about/?__editor=0`)
})
