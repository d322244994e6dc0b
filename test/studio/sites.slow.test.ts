import t from 'tap'
import { freePort } from '../helpers/raw.ts'
import { startSite } from '../helpers/upstream.ts'
import { colleague, findings, inBrowser, openStudio, openTab, resize, siteIn } from './browser.ts'

t.test('of several websites one is chosen, and opened again', inBrowser, async (t) => {
  const { page, browser, origin, errors } = await openStudio(t)
  await siteIn(page)
  t.equal(await page.getByTitle('Websites').count(), 0, 'one website has no menu')
  const previewUrl = `http://localhost:${await freePort()}`
  await colleague(origin).send('/sites/register', { siteId: 'acme', name: 'Acme', previewUrl })

  const context = await browser.newContext()
  const { page: fresh, errors: others } = await openTab(context, `${origin}/studio`)
  await fresh.getByRole('heading', { name: 'Choose a website' }).waitFor()
  t.equal(await fresh.locator('.skeleton').count(), 0, 'nothing seems to load')
  const list = fresh.locator('.sites li')
  await list.filter({ hasText: 'Acme' }).getByText('does not answer').waitFor()
  t.equal(await list.count(), 2)
  t.strictSame(await findings(fresh), [])
  await list.filter({ hasNotText: 'Acme' }).getByRole('button').click()
  await siteIn(fresh)

  const { page: again } = await openTab(context, `${origin}/studio`)
  await siteIn(again)
  t.equal(await again.getByText('Choose a website').count(), 0, 'it opens by itself')
  await again.getByTitle('Websites').click()
  const acme = again.getByRole('menuitem', { name: /^Acme/ })
  await acme.getByText('does not answer').waitFor()
  t.strictSame(await findings(again), [])
  await again.keyboard.press('Escape')
  await again.keyboard.press('ControlOrMeta+k')
  await again.getByPlaceholder('Page, block, website or command').fill('acm')
  await again.keyboard.press('Enter')
  await again.waitForURL(/siteId=acme/)
  await again.getByText('The site does not answer.').waitFor()
  t.equal(await again.getByText('The site has no pages yet.').count(), 0, 'its pages are not known')
  t.equal(await again.getByRole('button', { name: '+ New page' }).count(), 0)
  t.strictSame([...errors, ...others], [])
})

t.test('the name of a site takes the room that there is', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  const name = 'The Harbour Rowing Club of the Northern Cities and Islands, founded in 1892'
  const previewUrl = `http://localhost:${await freePort()}`
  await colleague(origin).send('/sites/register', { siteId: 'club', name, previewUrl })
  await page.goto(`${origin}/studio?siteId=club`)
  const menu = page.getByTitle('Websites')
  const bar = page.locator('.bar')
  for (const width of [1440, 900, 390]) {
    await resize(page, { width, height: 844 })
    await page
      .getByRole('button', { name: /^Review/ })
      .first()
      .waitFor()
    t.ok(await bar.evaluate((each) => each.scrollWidth <= each.clientWidth), `${width} px: the bar fits`)
    const [inner, outer] = [await menu.boundingBox(), await bar.boundingBox()]
    t.ok(inner && outer && inner.y >= outer.y && inner.height < outer.height, `${width} px: in one line`)
  }
  await menu.click()
  await page.getByRole('menuitem', { name: /^Fern & Spoke/ }).waitFor()
  await page.keyboard.press('Escape')
  await resize(page, { width: 1440, height: 844 })
  await page.context().setOffline(true)
  const [retry, width] = [
    bar.getByRole('button', { name: 'Retry' }),
    bar.getByRole('group', { name: 'Width' }),
  ]
  await retry.waitFor()
  const [left, right] = [await retry.boundingBox(), await width.boundingBox()]
  t.ok(left && right && left.x + left.width <= right.x, 'no button covers another one')
})

t.test('a website without editor routes is named as such, with what to do', inBrowser, async (t) => {
  const { origin: previewUrl } = await startSite(t, (_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<h1>A plain page</h1>')
  })
  const { page, origin } = await openStudio(t, { variables: { ORCHESTRATOR_CORS_ORIGINS: previewUrl } })
  await colleague(origin).send('/sites/register', { siteId: 'plain', name: 'Plain', previewUrl })
  await page.goto(`${origin}/studio?siteId=plain`)
  await page.getByText('The site has no editor routes.').waitFor()
  await page.locator('.trouble code', { hasText: 'content-orchestrator init' }).waitFor()
  t.equal(await page.getByRole('button', { name: '+ New page' }).count(), 0)
  t.equal(await page.getByText('The site has no pages yet.').count(), 0)
  await page.getByTitle('Websites').click()
  await page
    .getByRole('menuitem', { name: /^Plain/ })
    .getByText('no editor routes')
    .waitFor()
})

t.test('what is not known yet is not shown as empty', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  const held = Promise.withResolvers<void>()
  await page.route('**/draft/*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(`${origin}/studio`)
  const all = page.getByRole('button', { name: /^All pages/ })
  await all.waitFor()
  await page.locator('.left .skeleton').waitFor()
  t.equal((await all.textContent())?.trim(), 'All pages')
  t.equal(await page.locator('.bar [role=status]').first().textContent(), '')
  t.equal(await page.getByText('There is no page').count(), 0)
  held.resolve()
  await page.getByRole('button', { name: /^All pages [1-9]/ }).waitFor()
  await page.locator('.bar').getByText('Saved', { exact: true }).waitFor()
})

t.test('a website without pages gets its first one', inBrowser, async (t) => {
  const { origin: previewUrl } = await startSite(t, (request, response) => {
    const isContent = request.url?.startsWith('/api/editor/pages') === true
    response.setHeader('content-type', isContent ? 'application/json' : 'text/html')
    response.end(isContent ? '{"pages":[]}' : '<h1>Nothing here</h1>')
  })
  const { page, origin } = await openStudio(t, { variables: { ORCHESTRATOR_CORS_ORIGINS: previewUrl } })
  await colleague(origin).send('/sites/register', { siteId: 'empty', name: 'Empty', previewUrl })
  await page.goto(`${origin}/studio?siteId=empty`)
  await page.locator('.left').getByText('The site has no pages yet.').waitFor()
  t.equal(await page.locator('.left .warning').count(), 0, 'which is no trouble')
  await page.locator('.stage').getByText('The site has no pages yet. Add the first one.').waitFor()
  t.equal(await page.locator('.trouble').count(), 0, 'nor a lost connection')
  await page.locator('.stage').getByRole('button', { name: '+ New page' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Home')
  t.equal(await page.getByRole('dialog').getByLabel('Address').inputValue(), '/')
  await page.getByRole('button', { name: 'Add page' }).click()
  await page.getByRole('button', { name: 'All pages 1' }).waitFor()
})
