import t from 'tap'
import { colleague, inBrowser, openStudio, says, siteIn } from './browser.ts'

const typesOf = (blocks: readonly Element[]) => blocks.map((each) => each.getAttribute('data-block-type'))

t.test('any line of the history is undone, and shows the page as it was', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const frame = await siteIn(page)
  const heading = frame.locator('[data-block-type="Hero"] h1').first()
  const first = (await heading.textContent()) ?? ''
  const { setHero } = colleague(origin)
  await setHero({ heading: 'Second heading' })
  await setHero({ subheading: 'Another sentence' })
  await setHero({ heading: 'Third heading' })
  await heading.filter({ hasText: 'Third heading' }).waitFor()

  await page.getByRole('button', { name: 'History' }).click()
  const lines = page.getByRole('navigation', { name: 'Changes' }).getByRole('button')
  await lines.filter({ hasText: 'Third heading' }).waitFor()
  t.equal(await lines.first().getAttribute('aria-current'), 'true', 'the newest line is chosen')

  await lines.filter({ hasText: 'Second heading' }).click()
  await page.locator('.page-then ins', { hasText: 'Second' }).waitFor()
  const then = page.frameLocator('iframe[title="The page at that time"]')
  await then.getByRole('heading', { name: 'Second heading' }).waitFor()
  const marked = then.locator('[data-block-id][style*=outline]')
  t.strictSame(await marked.evaluateAll(typesOf), ['Hero'], 'what it changed is marked in the page')
  await page.getByRole('button', { name: 'Against now' }).click()
  await page.locator('.page-then ins', { hasText: 'Third' }).waitFor()

  await lines.filter({ hasText: 'Another sentence' }).click()
  await page.getByRole('button', { name: 'Undo this change' }).click()
  await says(page, 'Undone')
  await lines.filter({ hasText: 'Undone: ' }).waitFor()

  await lines.filter({ hasText: 'Second heading' }).last().click()
  await page.getByRole('button', { name: 'Undo this change' }).click()
  await says(page, 'Later changes build on it')
  await page.getByRole('alert').getByText('Third heading').waitFor()
  await page.getByRole('button', { name: 'Undo all 2' }).click()
  await says(page, 'Undone')
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await (await siteIn(page)).locator('h1', { hasText: first }).waitFor()

  const redo = page.locator('.toast').getByRole('button', { name: 'Redo' })
  await redo.focus()
  await page.waitForTimeout(7000)
  t.ok(await redo.isVisible(), 'a message stays while it has the focus')
  await redo.click()
  await (await siteIn(page)).locator('h1', { hasText: 'Third heading' }).waitFor()
  t.strictSame(errors, [], 'nothing is reported')
})

t.test('an undo names the change and its page, and one press brings it back', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const frame = await siteIn(page)
  const { setHero, edit, find, send } = colleague(origin)
  await setHero({ heading: 'Second heading' })
  const blockId = (await find('CTA')).id
  const id = await page.evaluate(() => localStorage.getItem('content-orchestrator:browser'))
  const op = { op: 'update_props', pageSlug: '/', blockId, patch: { title: 'Come by' } }
  await send('/ops', { ops: [op], client: { id } })
  await frame.getByText('Come by').first().waitFor()

  await page.getByRole('button', { name: /^Undo on .*Come by/ }).click()
  await says(page, 'Undone: ')
  await page.locator('.toast', { hasText: 'Come by' }).getByRole('button', { name: 'Redo' }).click()
  await says(page, 'Redone: ')
  await frame.getByText('Come by').first().waitFor()

  await page.getByRole('button', { name: 'History' }).click()
  const lines = page.getByRole('navigation', { name: 'Changes' }).getByRole('button')
  const card = page.getByRole('complementary', { name: 'This change' })
  await lines.filter({ hasText: 'Redone: ' }).first().waitFor()
  await lines.filter({ hasText: 'Second heading' }).last().click()
  await card.getByRole('button', { name: 'Undo this change' }).click()
  await card.getByRole('heading', { name: /^Undone: .*Second heading/ }).waitFor()
  await lines.filter({ hasText: 'Second heading' }).last().click()
  await card.getByRole('button', { name: 'Redo this change' }).click()
  await card.getByRole('heading', { name: /^Redone: .*Second heading/ }).waitFor()
  t.equal(await lines.filter({ hasText: /undo of/i }).count(), 0, 'no line is an undo of an undo')

  await lines.filter({ hasText: 'Come by' }).last().click()
  const then = page.frameLocator('iframe[title="The page at that time"]')
  await then.getByText('Come by').first().waitFor()
  await page.waitForFunction(() => {
    const then = document.querySelector<HTMLIFrameElement>('iframe[title="The page at that time"]')
    return (then?.contentWindow?.scrollY ?? 0) > 100
  })

  await lines.filter({ hasText: /^Loaded/ }).click()
  await card.getByText('The draft begins here').waitFor()
  t.equal(await card.getByRole('button', { name: /^(Undo|Redo)/ }).count(), 0, 'the first load stays')

  await send('/draft/site-config', { config: { name: 'Moss & Rail' } }, 'PUT')
  await page.locator('.bar b', { hasText: 'Moss & Rail' }).waitFor()
  await lines.filter({ hasText: 'Moss & Rail' }).click()
  await page.locator('.page-then ins', { hasText: 'Moss' }).waitFor()
  t.match(await card.textContent(), /by someone/, 'who made it is not known')
  await card.getByRole('button', { name: 'Undo this change' }).click()
  await card.getByRole('alert').getByText('Name of the site').waitFor()
  await card.getByRole('button', { name: 'Undo all of it' }).click()
  await says(page, 'Moss & Rail')
  await page.locator('.bar b', { hasText: 'Fern & Spoke' }).waitFor()

  await send('/publish')
  await page.getByText('Restore', { exact: true }).click()
  await edit({ op: 'update_props', blockId, patch: { title: 'Come in' } })
  await page.getByRole('button', { name: 'Restore in the draft' }).waitFor()
  t.strictSame(errors, [], 'nothing is reported')
})

t.test('the line of a deleted page names it, and restores no other page', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const { edit, setHero } = colleague(origin)
  await edit({ op: 'remove_page', pageSlug: '/faq' })
  await setHero({ heading: 'A later heading' })
  await page.getByRole('button', { name: 'History' }).click()
  const line = page.getByRole('navigation', { name: 'Changes' }).getByRole('button', { name: /deleted/ })
  await line.click()
  t.match(await line.locator('small').textContent(), /faq$/)
  await page.locator('.page-then').getByText('The page is deleted.').waitFor()
  const change = page.getByRole('complementary', { name: 'This change' })
  await change.getByRole('button', { name: 'Undo this change' }).waitFor()
  t.equal(await change.getByRole('button', { name: /^Restore/ }).count(), 0)
  t.strictSame(errors, [])
})
