/** Many tabs of the studio in one browser, which opens six connections to the service in all. */
import t from 'tap'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { planning, startModelServer } from '../helpers/model-server.ts'
import { freePort } from '../helpers/raw.ts'
import { serveDemo } from '../helpers/serve-demo.ts'
import { until } from '../helpers/until.ts'
import { colleague, inBrowser, openBrowser, openStudio, openTab, siteIn } from './browser.ts'

const heading = (page: Page) => page.locator('.fields').getByLabel('Heading', { exact: true })
const outlineSays = (page: Page, text: string) =>
  page.getByRole('treeitem', { name: new RegExp(`^Hero, ${text}`) }).waitFor()

/** The requests of a kind that a context has not had the whole answer to. */
function openRequests(context: BrowserContext, path: RegExp): Set<Request> {
  const open = new Set<Request>()
  context.on('request', (request) => void (path.test(request.url()) && open.add(request)))
  context.on('requestfinished', (request) => void open.delete(request))
  context.on('requestfailed', (request) => void open.delete(request))
  return open
}
const streamOfStudio = /\/events\?.*presence/
const streamOfPage = /\/events\?(?!.*presence)/

/** Opens tabs in one browser, each with its page in the frame. */
async function openTabs(context: BrowserContext, addresses: readonly string[]): Promise<readonly Page[]> {
  const tabs: Page[] = []
  for (const address of addresses) {
    const { page } = await openTab(context, address)
    await siteIn(page)
    tabs.push(page)
  }
  return tabs
}

async function type(page: Page, text: string): Promise<void> {
  await page.getByRole('treeitem', { name: /^Hero/ }).click()
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/ops') && answer.ok())
  await heading(page).fill(text)
  await stored
}

/** Shows a tab as hidden or seen, which a browser without windows does not. */
const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

t.test('of twelve tabs each stores what is typed, and shows what the others store', inBrowser, async (t) => {
  const { page: first, origin, errors } = await openStudio(t)
  const [streams, ofPages] = [streamOfStudio, streamOfPage].map((path) => openRequests(first.context(), path))
  const others = await openTabs(
    first.context(),
    Array.from({ length: 11 }, () => `${origin}/studio`),
  )
  await type(others.at(-1) ?? first, 'From the last tab')
  for (const page of [first, ...others]) {
    await outlineSays(page, 'From the last tab')
    await (await siteIn(page)).getByText('From the last tab').waitFor()
  }
  await type(first, 'From the first tab')
  for (const page of others) await outlineSays(page, 'From the first tab')
  t.equal(streams?.size, 1, 'one tab reads for all')
  t.equal(ofPages?.size, 0, 'the pages in the frames hear of it from the studio')
  t.strictSame(errors, [])
})

t.test(
  'a tab that missed a change reads again, also while the one that reads is slow',
  inBrowser,
  async (t) => {
    const { page: first, origin } = await openStudio(t)
    await siteIn(first)
    const [second] = await openTabs(first.context(), [`${origin}/studio`])
    if (!second) throw new Error('no tab')
    const path = /\/draft\/pages\?/
    const released = Promise.withResolvers<void>()
    await first.route(path, async (route) => {
      await released.promise
      await route.continue()
    })
    await second.route(path, (route) => route.abort(), { times: 1 })
    await colleague(origin).setHero({ heading: 'Words of a colleague' })
    await outlineSays(second, 'Words of a colleague')
    released.resolve()
    await outlineSays(first, 'Words of a colleague')
    await first.unroute(path)
    await first.route(path, (route) => route.abort(), { times: 1 })
    await colleague(origin).setHero({ heading: 'Other words' })
    for (const page of [first, second]) await outlineSays(page, 'Other words')
    t.pass('and where that one misses one itself')
  },
)

t.test('tabs that miss the stream leave the one that connects the time for it', inBrowser, async (t) => {
  const { page: first, origin } = await openStudio(t)
  await siteIn(first)
  const others = await openTabs(
    first.context(),
    Array.from({ length: 3 }, () => `${origin}/studio`),
  )
  let connections = 0
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await first.route(streamOfStudio, async (route) => {
    connections += 1
    begun.resolve()
    await released.promise
    await route.continue().catch(() => undefined)
  })
  await first.evaluate(() => dispatchEvent(new Event('online')))
  await begun.promise
  const since = performance.now()
  for (const page of others) {
    const read = page.waitForResponse(/\/history\/log/)
    await page.getByRole('button', { name: 'History' }).click()
    await read
    await page.waitForTimeout(100)
  }
  // A connection has three seconds, whatever the machine does in them.
  const most = 1 + Math.floor((performance.now() - since + 1000) / 3000)
  t.ok(connections <= most, `${connections} connections, at most ${most}`)
  released.resolve()
  await colleague(origin).setHero({ heading: 'Words of a colleague' })
  await outlineSays(first, 'Words of a colleague')
})

t.test('tabs of other drafts take turns, and none hears of the changes of another', inBrowser, async (t) => {
  const { page: first, origin } = await openStudio(t)
  const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
  const streams = openRequests(first.context(), streamOfStudio)
  const tabs = await openTabs(
    first.context(),
    names.map((name) => `${origin}/studio?session=${name}`),
  )
  for (const [at, page] of tabs.entries()) {
    await type(page, `Words of ${names[at]}`)
    t.ok(streams.size <= 4, 'requests find a connection')
  }
  for (const [at, page] of tabs.entries()) await outlineSays(page, `Words of ${names[at]}`)
  await colleague(origin).setHero({ heading: 'Words of a colleague' })
  await outlineSays(first, 'Words of a colleague')
  for (const [at, page] of tabs.entries()) await outlineSays(page, `Words of ${names[at]}`)
})

t.test(
  'a tab that reads for all and goes leaves that to another, and nothing is missed',
  inBrowser,
  async (t) => {
    const { page: first, origin } = await openStudio(t)
    const { setHero } = colleague(origin)
    const streams = openRequests(first.context(), streamOfStudio)
    const tabs = await openTabs(
      first.context(),
      Array.from({ length: 4 }, () => `${origin}/studio`),
    )
    const all = [first, ...tabs]
    const leave: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
      hidden: (page) => setHidden(page, true),
      frozen: (page) => page.evaluate(() => document.dispatchEvent(new Event('freeze'))),
      closed: (page) => page.close(),
      crashed: async (page) => {
        void page.goto('chrome://crash').catch(() => undefined)
        await page.waitForEvent('crash')
      },
    }
    for (const [how, go] of Object.entries(leave)) {
      const [stream] = streams
      const reading = all.find((page) => page.mainFrame() === stream?.frame())
      if (!stream || !reading) throw new Error('no tab reads')
      const left = all.filter((page) => page !== reading)
      await Promise.all([
        go(reading),
        setHero({ heading: `One ${how}` }),
        setHero({ subheading: `Two ${how}` }),
      ])
      for (const page of left) await outlineSays(page, `One ${how}`)
      await setHero({ heading: `Three ${how}` })
      for (const page of left) await outlineSays(page, `Three ${how}`)
      all.splice(all.indexOf(reading), 1)
      streams.delete(stream)
      t.equal(streams.size, 1, `${how}: one other tab reads`)
    }
  },
)

t.test(
  'while six tabs have a chat that runs, another stores what is typed, and each gets its plan',
  inBrowser,
  async (t) => {
    const model = await startModelServer(t)
    const variables = { ANTHROPIC_API_KEY: 'key-of-the-studio', ANTHROPIC_BASE_URL: model.origin }
    const { page: first, origin } = await openStudio(t, { variables })
    const hero = await colleague(origin).find('Hero')
    const plan = {
      intent: 'edit_plan',
      summary_for_user: 'I will do this step by step, with care for each word of the page. '.repeat(3),
      change_log: [],
      ops: [{ op: 'update_props', pageSlug: '/', blockId: hero.id, patch: { heading: 'As planned' } }],
    }
    model.script(...Array.from({ length: 6 }, () => planning(plan, { sizes: [150], pauseMs: 150 })))
    const streams = openRequests(first.context(), /\/(?:events|chat\/stream)\?/)
    const names = ['one', 'two', 'three', 'four', 'five', 'six']
    const tabs = await openTabs(
      first.context(),
      names.map((name) => `${origin}/studio?session=${name}`),
    )
    for (const page of tabs) {
      await page.getByRole('tab', { name: 'Chat' }).click()
      await page.locator('#message').fill('Improve the heading')
      await page.keyboard.press('Enter')
    }
    await type(first, 'Words beside the chats')
    await outlineSays(first, 'Words beside the chats')
    t.ok(streams.size <= 4, 'requests find a connection')
    const running = await Promise.all(tabs.map((page) => page.locator('.working').count()))
    t.ok(running.includes(1), 'the chats still run')
    for (const page of tabs) {
      await page.locator('.plan ins', { hasText: 'planned' }).waitFor()
      t.equal(await page.locator('.turn').count(), 1)
      t.strictSame(await page.locator('.turn .failure').allTextContents(), [])
    }
  },
)

t.test('tabs without TLS, which have no locks of the browser, share as well', inBrowser, async (t) => {
  const port = await freePort()
  const origin = `http://studio.test:${port}`
  const variables = { ORCHESTRATOR_ALLOWED_HOSTS: 'studio.test', EDITOR_CORS_ORIGINS: origin }
  const service = await serveDemo(t, variables, { port })
  const browser = await openBrowser(t, '--host-resolver-rules=MAP studio.test 127.0.0.1')
  const context = await browser.newContext()
  const [streams, ofPages] = [streamOfStudio, streamOfPage].map((path) => openRequests(context, path))
  const own = await openTabs(
    context,
    Array.from({ length: 6 }, () => `${origin}/studio`),
  )
  const others = await openTabs(
    context,
    ['one', 'two', 'three', 'four'].map((name) => `${origin}/studio?session=${name}`),
  )
  t.notOk(await own[0]?.evaluate(() => isSecureContext))
  t.equal(ofPages?.size, 0)
  const { setHero } = colleague(service.origin)
  const isShown = (pages: readonly Page[], text: string) =>
    Promise.all(pages.map((page) => outlineSays(page, text)))
  for (const [at, page] of [...own.slice(-1), ...others].entries()) {
    await type(page, `Words of tab ${at}`)
    await isShown(at === 0 ? own : [page], `Words of tab ${at}`)
    t.ok((streams?.size ?? 0) <= 4, 'requests find a connection')
  }
  for (const page of others) await page.close()
  await setHero({ heading: 'Words of a colleague' })
  await isShown(own, 'Words of a colleague')
  const reads = (page: Page) => [...(streams ?? [])].some((stream) => stream.frame() === page.mainFrame())
  // A busy machine may have two for a moment.
  await until(() => own.filter(reads).length === 1, 'one tab reads for all')
  const reading = own.find(reads)
  void reading?.goto('chrome://crash').catch(() => undefined)
  await reading?.waitForEvent('crash')
  await setHero({ heading: 'After a crash' })
  await isShown(
    own.filter((page) => page !== reading),
    'After a crash',
  )
})

t.test(
  'eight tabs with a draft page share one stream, also after the first is hidden',
  inBrowser,
  async (t) => {
    const { page: studio, browser, origin } = await openStudio(t)
    const site = new URL((await siteIn(studio)).url()).origin
    const context = await browser.newContext()
    const streams = openRequests(context, streamOfPage)
    const pages = await Promise.all(Array.from({ length: 8 }, () => context.newPage()))
    // The first visit lets this browser see the draft.
    for (const [at, page] of pages.entries()) await page.goto(at === 0 ? `${site}/draft` : site)
    await colleague(origin).setHero({ heading: 'Live for all' })
    for (const page of pages) await page.getByText('Live for all').waitFor()
    t.equal(streams.size, 1)
    const [stream] = streams
    const reading = pages.find((page) => page.mainFrame() === stream?.frame())
    if (!reading) throw new Error('no page reads')
    await setHidden(reading, true)
    await colleague(origin).setHero({ heading: 'Live without the first' })
    for (const page of pages) await page.getByText('Live without the first').waitFor()
    t.equal(streams.size, 1)
    t.notOk(stream && streams.has(stream), 'another page reads')
  },
)
