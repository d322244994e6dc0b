/** The studio behind the proxy of the chapter about deploying, in front of three processes on one PostgreSQL. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { startPostgres } from '../helpers/postgres.ts'
import { needs, proxies } from '../helpers/proxies.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { startService } from '../prove/service.ts'
import { eventually, inBrowser, openBrowser, openStudio, openTab, siteIn } from './browser.ts'
import { serveKinds, type KindsSite } from './kinds-site.ts'

const behindProxy = { skip: needs('nginx').skip || inBrowser.skip }
const heading = (page: Page) => page.getByLabel('Heading', { exact: true })
const state = (page: Page, text: string | RegExp) =>
  page.locator('.bar [role=status]').first().filter({ hasText: text }).waitFor()
const saved = (page: Page) => state(page, 'Saved')
const kills = 9

async function openEvery(page: Page): Promise<void> {
  await page
    .getByRole('treeitem', { name: /Every kind/ })
    .first()
    .click()
  await heading(page).waitFor()
}

async function stored(site: KindsSite, name: string, wanted: string): Promise<unknown> {
  await eventually(async () => (await site.props())[name] === wanted)
  return (await site.props())[name]
}

/** Three processes, of which any can be replaced, behind one address. */
async function startThree(t: Test) {
  const server = await startPostgres(t)
  const env = { DATABASE_URL: await server.database(), TRUST_PROXY: '127.0.0.1' }
  const folders = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)]
  const start = async (folder: string, port = 0) => {
    const service = startService(folder, { port, env })
    t.teardown(() => service.kill('SIGKILL'))
    return { folder, service, port: (await service.ready).port }
  }
  const processes = await Promise.all(folders.map((folder) => start(folder)))
  const proxy = await proxies.nginx(t, ...processes.map(({ port }) => `127.0.0.1:${port}`))
  return {
    proxy,
    database: server,
    /** Kills a process, and starts another one in its place. */
    async replace(at: number): Promise<void> {
      const killed = processes[at % processes.length]
      if (!killed) return
      killed.service.kill('SIGKILL')
      await killed.service.gone
      processes[at % processes.length] = await start(killed.folder, killed.port)
    },
  }
}

const Applied = v.object({ previewVersion: v.number() })

/** A program that writes one change after the other, each sent again under its key until it is answered. */
function startWriter(proxy: string) {
  const versions: number[] = []
  const stopping = new AbortController()
  const write = async (text: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const ops = [{ op: 'update_props', pageSlug: '/', blockId: 'b_1', patch: { intro: text } }]
    const body = JSON.stringify({ siteId: 'kinds', session: 'dev', ops })
    for (;;) {
      const answer = await fetch(`${proxy}/ops`, { method: 'POST', headers, body }).catch(() => undefined)
      if (answer?.ok) return v.parse(Applied, await answer.json()).previewVersion
      if (answer && answer.status < 500) throw new Error(await answer.text())
      await pause(50)
    }
  }
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      versions.push(await write(`Intro ${versions.length + 1}`))
      await pause(20)
    }
  }
  const over = work()
  return {
    async stop(): Promise<readonly number[]> {
      stopping.abort()
      await over
      return versions
    },
  }
}

t.test('processes are killed while people edit: the studio connects again', behindProxy, async (t) => {
  const { proxy, database, replace } = await startThree(t)
  const site = await serveKinds(t, proxy)
  const browser = await openBrowser(t)
  const { page, errors } = await openTab(await browser.newContext(), `${proxy}/studio?siteId=kinds`)
  await openEvery(page)
  const said = new Set<string>()
  await page.exposeFunction('said', (text: string) => void said.add(text))
  await page.evaluate(`new MutationObserver(() => {
    for (const each of document.querySelectorAll('.bar [role=status], .toast')) window.said(each.textContent)
  }).observe(document.body, { childList: true, characterData: true, subtree: true })`)

  const writer = startWriter(proxy)
  let text = 'Typed'
  await heading(page).fill(text)
  for (let kill = 0; kill < kills; kill += 1) {
    const sent = page.waitForRequest('**/ops')
    await heading(page).press('End')
    await heading(page).pressSequentially(` ${kill}`)
    text += ` ${kill}`
    await sent
    await replace(kill)
  }
  const versions = await writer.stop()
  await saved(page)
  t.equal(await stored(site, 'heading', text), text, 'all that was typed is stored')
  t.equal(new Set(versions).size, versions.length)
  t.strictSame(
    versions,
    versions.toSorted((a, b) => a - b),
  )
  await page.waitForFunction(
    (last) =>
      [...document.querySelectorAll<HTMLTextAreaElement>('.fields input, .fields textarea')].some(
        ({ value }) => value === last,
      ),
    `Intro ${versions.length}`,
  )
  t.equal(await heading(page).inputValue(), text)
  const expected = /^(Saved|Saving…|Offline\. .*|Heading saved.*)$/
  t.strictSame(
    [...said].filter((each) => !expected.test(each)),
    [],
    'it says nothing worse than that it waits',
  )

  await database.stop('SIGKILL')
  await heading(page).fill('Without a database')
  // Without its stream of changes it only knows that the service does not answer.
  await state(page, /^(Not saved: The database of the store does not answer|Offline\. 1 change waits)/)
  await database.start()
  await saved(page)
  t.equal(await stored(site, 'heading', 'Without a database'), 'Without a database')
  t.strictSame(
    errors.filter((each) => !/Failed to load resource|net::ERR/.test(each)),
    [],
  )
})

t.test('a change whose answer a proxy has lost is sent again, and made once', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  const site = await serveKinds(t, origin)
  await page.goto(`${origin}/studio?siteId=kinds`)
  await openEvery(page)
  const lost = { status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }
  let losses = 0
  await page.route('**/ops', async (route) => {
    if (losses++ > 0) return route.continue()
    await route.fetch()
    await route.fulfill(lost)
  })
  await heading(page).fill('Sent twice')
  await eventually(async () => losses === 2)
  await saved(page)
  t.equal(losses, 2)
  t.equal(await stored(site, 'heading', 'Sent twice'), 'Sent twice')

  losses = 0
  const before = (await site.lines()).length
  await page
    .getByRole('treeitem', { name: /Every kind/ })
    .first()
    .focus()
  await page.keyboard.press('Control+d')
  await eventually(async () => losses === 2)
  t.equal(losses, 2)
  t.equal((await site.lines()).length, before + 1)
  t.equal(await page.getByRole('treeitem', { name: /Every kind/ }).count(), 2, 'one copy, not two')
})

t.test('a message whose answer a proxy has lost is sent again, and planned once', inBrowser, async (t) => {
  const { page } = await openStudio(t)
  await siteIn(page)
  let losses = 0
  await page.route('**/chat/start', async (route) => {
    if (losses++ > 0) return route.continue()
    await route.fetch()
    await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' })
  })
  await page.getByRole('tab', { name: 'Chat' }).click()
  await page.locator('#message').fill('Change the heading to "Asked once"')
  await page.keyboard.press('Enter')
  await page.getByText('1 change planned').waitFor()
  t.equal(losses, 2)
  t.equal(await page.locator('.op').count(), 1)
})

t.test('texts that the database cannot store are sent again once in five seconds', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  const site = await serveKinds(t, origin)
  await page.goto(`${origin}/studio?siteId=kinds`)
  await openEvery(page)
  let asked = 0
  await page.route('**/ops', (route) => {
    asked += 1
    return route.fulfill({ status: 503, json: { code: 'store_unavailable', reason: 'The disk is full.' } })
  })
  await heading(page).fill('First')
  await page.getByLabel('Intro', { exact: true }).fill('Second')
  await state(page, 'Not saved: The disk is full.')
  await pause(11_500)
  t.ok(asked > 2 && asked <= 8, `two texts were sent ${asked} times`)
  await page.unroute('**/ops')
  await saved(page)
  t.equal(await stored(site, 'heading', 'First'), 'First')
  t.equal(await stored(site, 'intro', 'Second'), 'Second')
})
