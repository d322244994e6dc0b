import t from 'tap'
import { inBrowser, openStudio, says, siteIn } from './browser.ts'

t.test('a page is edited by hand and by words, reviewed and published', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const site = await siteIn(page)

  await site.dblclick('[data-block-type=Hero] h1')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Typed in the page')
  await page.keyboard.press('Enter')
  await says(page, 'heading saved')
  await page.waitForFunction(() =>
    [...document.querySelectorAll('input')].some(({ value }) => value === 'Typed in the page'),
  )
  t.pass('the field follows')
  await page.click('.toast button')
  await site.locator('h1', { hasText: 'Your bike' }).waitFor()
  t.pass('one click undoes it')

  await site.click('[data-block-type=Hero] .lead')
  await page.getByLabel('Subheading').fill('A new subheading')
  await page.getByLabel('Subheading').press('Enter')
  await site.getByText('A new subheading').waitFor()
  t.pass('a field is shown in the page')

  await page.locator('.outline .row', { hasText: 'Feature grid' }).click()
  await page.getByText('+ Add', { exact: true }).click()
  await says(page, 'Added to ')
  await page.waitForFunction(() => document.activeElement?.closest('.fields details[open] .row-fields'))
  await page.locator('.outline .row', { hasText: 'Hero' }).click()
  await page.locator('.row').getByLabel('Move down').click()
  await says(page, 'Hero is now 3 of 7')
  await page.getByText('+ Add a block').click()
  await page.getByPlaceholder('Search, for example: picture').waitFor()
  await page.keyboard.type('quote')
  await page.keyboard.press('Enter')
  await site.locator('[data-block-type=Quote]').waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.startsWith('Quote'))
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.closest('.fields'))
  t.match(await page.locator('.fields h2').first().textContent(), /^Quote/, 'keys go on in the new block')
  t.pass('blocks are moved and added')

  await page.getByRole('tab', { name: 'Chat' }).click()
  await page
    .locator('#message')
    .fill('Rename the hero button to "Book now" and move the testimonials to the top')
  await page.keyboard.press('Enter')
  await page.getByText('2 changes planned').waitFor()
  t.notMatch(await page.locator('.op').first().textContent(), /Outside/, 'none is about the selected block')
  await page.locator('.op input').nth(1).uncheck()
  await page.getByRole('button', { name: 'Apply 1' }).click()
  await site.getByText('Book now').waitFor()
  t.equal(
    await site.locator('main > [data-block-id]').first().getAttribute('data-block-type'),
    'Banner',
    'only the ticked operation is applied',
  )

  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder('Page, block, website or command').fill('pric')
  await page.keyboard.press('Enter')
  await site.locator('[data-editable-target=heading]', { hasText: 'Prices' }).waitFor()
  t.pass('the palette goes to a page')

  await page.getByRole('button', { name: /^Review \d/ }).click()
  await page.locator('ins', { hasText: 'now' }).waitFor()
  await page.getByRole('button', { name: /^Publish \d/ }).click()
  await page.getByText('2 errors are not solved.').waitFor()
  t.pass('the texts of the new row are not written yet, which is said before visitors see it')
  await page.getByRole('button', { name: 'Publish anyway' }).click()
  await page.getByText('are live').waitFor()
  const { sites } = (await (await fetch(`${origin}/sites`)).json()) as { sites: { previewUrl: string }[] }
  t.match(
    await (await fetch(sites[0]?.previewUrl ?? '')).text(),
    'Book now',
    'visitors see what was published',
  )
  await page.getByRole('button', { name: 'History' }).click()
  await page.locator('.lines li', { hasText: 'Quote added' }).waitFor()
  t.equal(
    (await page.locator('.lines li', { hasText: 'studio' }).count()) > 0,
    true,
    'the history names the studio',
  )
  t.strictSame(errors, [], 'no error and no report of the policy')
})

t.test('the frame, the fields and the palette of blocks are about one thing', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  const site = await siteIn(page)
  const tag = site.locator('editor-overlay .tag')
  const types = () =>
    site
      .locator('main > [data-block-id]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('data-block-type')))
  const widths = await page.locator('.bar').getByRole('group', { name: 'Mode' }).boundingBox()

  await site.click('[data-block-type=CTA] h2')
  await tag.getByText('Call to Action · Title – click again to type').waitFor()
  await page.getByLabel('Description').focus()
  await tag.getByText('Call to Action · Description').waitFor()
  t.pass('the tag follows the field, in the words of the fields')

  await page.locator('.outline .row', { hasText: 'Hero' }).click()
  await page.getByText('+ Add a block').click()
  const dialog = page.getByRole('dialog', { name: 'Add a block below Hero' })
  await dialog.getByRole('heading', { name: 'Add a block below Hero' }).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('+ Add a block').click()
  for (const word of ['picture', 'photo', 'author']) {
    await dialog.getByRole('combobox').fill(word)
    await dialog.getByRole('option', { name: /^Testimonials/ }).waitFor()
  }
  await dialog.getByRole('combobox').fill('rich')
  await page.keyboard.press('Enter')
  const added = site.locator('[data-block-type=RichText].editor-highlight')
  await added.waitFor()
  t.strictSame(
    (await types()).slice(0, 3),
    ['Banner', 'Hero', 'RichText'],
    'a block goes below the selected one',
  )
  await tag.getByText('Rich text', { exact: true }).waitFor()
  t.ok(
    await added.evaluate((block) => block.getBoundingClientRect().top < innerHeight),
    'the page shows what was added',
  )
  const gaps = await added
    .locator('[data-editable-target=body] > *')
    .evaluateAll((all) => all.slice(1).map((each) => parseFloat(getComputedStyle(each).marginTop)))
  t.ok(gaps.length > 3 && gaps.every((gap) => gap >= 16), 'the paragraphs are apart')

  await page.getByRole('button', { name: 'Review 1 change' }).waitFor()
  t.strictSame(
    await page.locator('.bar').getByRole('group', { name: 'Mode' }).boundingBox(),
    widths,
    'nothing moves in the bar',
  )
  t.strictSame(errors, [])
})
