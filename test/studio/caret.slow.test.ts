import t, { type Test } from 'tap'
import type { Page } from 'playwright-core'
import { colleague, eventually, inBrowser, openStudio, openTab, siteIn } from './browser.ts'
import {
  asBen,
  beforeIt,
  field,
  fields,
  leftTexts,
  letters,
  notice,
  offeredTexts,
  openBlock,
  saveState,
  typeLetters,
} from './typing.ts'
import { serveKinds } from './kinds-site.ts'

/** Deletes a block on its row of the outline. */
async function deleteBlock(page: Page, type: string): Promise<void> {
  await page
    .getByRole('treeitem', { name: new RegExp(`^${type}`) })
    .first()
    .focus()
  await page.keyboard.press('Delete')
}

async function twoPeople(t: Test, slug = '/') {
  const { browser, page, origin, errors } = await openStudio(t, { query: `?slug=${slug}` })
  const { page: other } = await openTab(await browser.newContext(), `${origin}/studio?slug=${slug}`)
  await other.evaluate(`localStorage.setItem('content-orchestrator:name', 'Ben')`)
  await other.reload()
  return { page, other, origin, errors: () => errors.filter((error) => !/status of 404/.test(error)) }
}

t.test('a person who types goes along when another moves the page', inBrowser, async (t) => {
  const { page, other, origin, errors } = await twoPeople(t, '/about')
  const { find } = colleague(origin)
  await openBlock(page, 'Hero')
  await field(page, 'Heading').focus()
  await other.locator('#page-address').fill('/club')
  await typeLetters(page, () => other.getByRole('button', { name: 'Change address' }).click())
  await page.locator('.right').getByText('Ben moved this page to /club').waitFor()
  t.equal(await field(page, 'Heading').inputValue(), letters)
  await eventually(async () => (await find('Hero', '/club')).props['heading'] === letters)
  await saveState(page).getByText('Saved', { exact: true }).waitFor()
  t.equal(await leftTexts(page).count(), 0)
  t.strictSame(errors(), [])
})

t.test('who undoes a move of the page, and with it a part of the text, is named', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t, { query: '?slug=/about' })
  await siteIn(page)
  const { ops, undo } = asBen(origin)
  const { find } = colleague(origin)
  const isStored = (slug: string, text: string) => () =>
    eventually(async () => (await find('Hero', slug)).props['heading'] === text)
  const version = await ops({ op: 'rename_page', pageSlug: '/about', newPageSlug: '/club', newTitle: 'Club' })
  await page.locator('.right').getByText('Ben moved this page to /club').waitFor()
  await openBlock(page, 'Hero')
  await field(page, 'Heading').focus()
  await typeLetters(page, () => undo(version), 60, isStored('/club', beforeIt))
  await notice(page).getByText('Ben has written this meanwhile:').waitFor()
  await saveState(page).getByText('Not saved: two versions.', { exact: true }).waitFor()
  await notice(page).getByRole('button', { name: 'Keep mine' }).click()
  await isStored('/about', letters)()
  await saveState(page).getByText('Saved', { exact: true }).waitFor()
  t.strictSame(
    errors.filter((error) => !/status of 404/.test(error)),
    [],
  )
})

t.test('an unsaved text goes along when another moves its page', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t, { query: '?slug=/about' })
  const { find } = colleague(origin)
  const [move, moveAgain] = ['/club', '/team'].map((newPageSlug, at) => () => {
    const pageSlug = at === 0 ? '/about' : '/club'
    return asBen(origin).ops({ op: 'rename_page', pageSlug, newPageSlug, newTitle: 'Club' })
  })
  await openBlock(page, 'Hero')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.route('**/ops', (route) => route.abort())
  await field(page, 'Heading').fill(letters)
  await page.goto('about:blank')
  await move?.()
  await page.goto(`${origin}/studio?slug=/club`)
  await page.unroute('**/ops')
  await leftTexts(page).waitFor()
  await saveState(page).getByText('1 text is not saved').waitFor()
  await moveAgain?.()
  await page.locator('.right').getByText('Ben moved this page to /team').waitFor()
  t.match(await offeredTexts(page), '/team')
  await leftTexts(page).getByRole('button', { name: 'Show' }).click()
  await page.getByRole('button', { name: 'Go to its field' }).click()
  await fields(page).getByRole('button', { name: 'Use this text' }).click()
  await eventually(async () => (await find('Hero', '/team')).props['heading'] === letters)
  await leftTexts(page).waitFor({ state: 'detached' })
  await saveState(page).getByText('Saved', { exact: true }).waitFor()
})

t.test('a block that another deletes stays until its text is left', inBrowser, async (t) => {
  const { page, other, origin, errors } = await twoPeople(t)
  const { find, blocks } = colleague(origin)
  await openBlock(page, 'Hero')
  await field(page, 'Heading').focus()
  await typeLetters(page, () => deleteBlock(other, 'Hero'))
  await notice(page).getByText('Ben deleted this block.').waitFor()
  t.equal(await field(page, 'Heading').inputValue(), letters)
  await saveState(page).getByText('Not saved: Ben deleted this block.').waitFor()
  t.equal((await blocks()).filter(({ type }) => type === 'Hero').length, 0)
  await notice(page).getByRole('button', { name: 'Bring it back' }).click()
  await notice(page).waitFor({ state: 'detached' })
  await eventually(async () => (await find('Hero')).props['heading'] === letters)
  await saveState(page).getByText('Saved', { exact: true }).waitFor()

  await field(page, 'Subheading').focus()
  await typeLetters(page, () => deleteBlock(other, 'Hero'))
  await notice(page).getByRole('button', { name: 'Keep my text' }).click()
  await leftTexts(page).getByText('Ben deleted this block.').waitFor()
  await saveState(page).getByText('1 text is not saved', { exact: true }).waitFor()
  const texts = await offeredTexts(page)
  t.match(texts, letters)
  t.match(texts, 'Ben deleted this block.')

  await openBlock(page, 'Stats')
  await fields(page).locator('summary').first().click()
  await field(page, 'Label').focus()
  await typeLetters(page, () => deleteBlock(other, 'Stats'))
  await notice(page).getByText('Ben deleted this block.').waitFor()
  t.equal(await field(page, 'Label').inputValue(), letters, 'the next one as well')
  await notice(page).getByRole('button', { name: 'Bring it back' }).click()
  await eventually(async () => JSON.stringify((await find('Stats')).props).includes(letters))
  await saveState(page).getByText('1 text is not saved').waitFor()
  await page.reload()
  await leftTexts(page).getByText('Ben deleted this block.').waitFor()
  t.match(await offeredTexts(page), letters, 'also after a reload')
  t.strictSame(errors(), [])
})

t.test('a page that another deletes stays until its text is left', inBrowser, async (t) => {
  const { page, other, origin, errors } = await twoPeople(t, '/about')
  const { find } = colleague(origin)
  await openBlock(page, 'Hero')
  await field(page, 'Heading').focus()
  await typeLetters(page, () => other.getByRole('button', { name: /^Delete About/ }).click())
  await notice(page).getByText('Ben deleted this page.').waitFor()
  t.equal(await field(page, 'Heading').inputValue(), letters)
  await saveState(page).getByText('Not saved: Ben deleted this page.').waitFor()
  await notice(page).getByRole('button', { name: 'Bring it back' }).click()
  await eventually(async () => (await find('Hero', '/about')).props['heading'] === letters)
  await saveState(page).getByText('Saved', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Title, address, search' }).click()
  await field(page, 'Name in the menu').focus()
  await typeLetters(page, () => colleague(origin).edit({ op: 'remove_page', pageSlug: '/about' }))
  await notice(page).getByText('deleted this page.').waitFor()
  t.equal(await field(page, 'Name in the menu').inputValue(), letters)
  await notice(page).getByRole('button', { name: 'Keep my text' }).click()
  t.match(await offeredTexts(page), letters)
  t.strictSame(errors(), [])
})

t.test('a typed address stays when another moves or deletes its page', inBrowser, async (t) => {
  const { page, origin, errors } = await twoPeople(t, '/about')
  const { ops } = asBen(origin)
  const address = page.locator('#page-address')
  await address.focus()
  await typeLetters(page, () =>
    ops({ op: 'rename_page', pageSlug: '/about', newPageSlug: '/club', newTitle: 'Club' }),
  )
  await page.locator('.right').getByText('Ben moved this page to /club').waitFor()
  t.equal(await address.inputValue(), letters, 'moved')
  await page.keyboard.press('End')
  await page.keyboard.type(' ')
  await ops({ op: 'rename_page', pageSlug: '/club', newPageSlug: '/house', newTitle: 'House' })
  await page.locator('.right').getByText('Ben moved this page to /house').waitFor()
  t.equal(await address.inputValue(), `${letters} `, 'a space at the end')
  await ops({ op: 'rename_page', pageSlug: '/house', newPageSlug: '/club', newTitle: 'Club' })
  await page.locator('.right').getByText('Ben moved this page to /club').waitFor()
  await typeLetters(page, () => ops({ op: 'remove_page', pageSlug: '/club' }))
  await notice(page).getByText('Ben deleted this page.').waitFor()
  t.equal(await address.inputValue(), letters, 'deleted')
  await notice(page).getByRole('button', { name: 'Bring it back' }).click()
  await notice(page).waitFor({ state: 'detached' })
  t.equal(await address.inputValue(), letters, 'brought back')

  await address.fill('/half')
  await ops({ op: 'remove_page', pageSlug: '/club' })
  await notice(page).getByRole('button', { name: 'Keep my text' }).click()
  await leftTexts(page).getByText('Ben deleted this page.').waitFor()
  t.match(await offeredTexts(page), '/half')
  await ops({ op: 'create_page', page: { slug: '/club', title: 'Club', blocks: [] } })
  await page.goto(`${origin}/studio?slug=/club`)
  await fields(page).getByRole('button', { name: 'Use this text' }).click()
  t.equal(await address.inputValue(), '/half')
  await leftTexts(page).waitFor({ state: 'detached' })

  await address.blur()
  await ops({ op: 'remove_page', pageSlug: '/club' })
  await leftTexts(page).getByText('Ben deleted this page.').waitFor()
  t.match(await offeredTexts(page), '/half', 'also without the caret')
  t.strictSame(errors(), [])
})

t.test('what another moves or deletes stays under the caret in the page itself', inBrowser, async (t) => {
  const { page, other, origin, errors } = await twoPeople(t, '/about')
  const { find, edit } = colleague(origin)
  const inPage = async () => (await siteIn(page)).locator('[data-block-type="Hero"] h1')
  const begin = async () => {
    await (await inPage()).dblclick()
    await (await siteIn(page)).locator('h1[contenteditable]').waitFor()
  }
  await begin()
  await typeLetters(page, () =>
    edit({ op: 'move_block', pageSlug: '/about', blockId: 'b_hero_about', afterBlockId: 'b_quote_about' }),
  )
  await page.keyboard.press('Enter')
  await eventually(async () => (await find('Hero', '/about')).props['heading'] === letters)

  await begin()
  await other.locator('#page-address').fill('/club')
  await typeLetters(page, async () => {
    await other.getByRole('button', { name: 'Change address' }).click()
    await page.locator('.right').getByText('Ben moved this page to /club').waitFor()
  })
  t.equal(await (await inPage()).textContent(), letters)
  await page.keyboard.type('!')
  await page.keyboard.press('Enter')
  await eventually(async () => (await find('Hero', '/club')).props['heading'] === `${letters}!`)
  await eventually(async () => (await siteIn(page)).url().includes('/club'))

  await begin()
  await typeLetters(page, () => deleteBlock(other, 'Hero'))
  await notice(page).getByText('Ben deleted this block.').waitFor()
  t.equal(await (await inPage()).textContent(), letters)
  await page.keyboard.press('Enter')
  await notice(page).getByRole('button', { name: 'Bring it back' }).click()
  await eventually(async () => (await find('Hero', '/club')).props['heading'] === letters)

  await begin()
  await typeLetters(page, () => edit({ op: 'remove_page', pageSlug: '/club' }))
  await notice(page).getByText('deleted this page.').waitFor()
  await page.keyboard.type('?')
  t.equal(await (await inPage()).textContent(), `${letters}?`)
  await page.keyboard.press('Enter')
  await notice(page).getByRole('button', { name: 'Keep my text' }).click()
  t.match(await offeredTexts(page), `${letters}?`)
  t.strictSame(errors(), [])
})

t.test('a row that others move or delete stays until its text is left', inBrowser, async (t) => {
  const { page, other, origin, errors } = await twoPeople(t)
  const { find, edit } = colleague(origin)
  const { id: blockId } = await find('Stats')
  const rows = async () => JSON.stringify((await find('Stats')).props)
  const label = () => fields(page).locator('details[open]').getByLabel('Label', { exact: true })
  await openBlock(page, 'Stats')
  await openBlock(other, 'Stats')
  await fields(page).locator('summary').nth(1).click()
  await label().focus()
  await typeLetters(page, () => edit({ op: 'move_item', blockId, listKey: 'stats', index: 1 }))
  t.equal(await label().inputValue(), letters, 'moved up')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('x')
  await typeLetters(page, () => edit({ op: 'move_item', blockId, listKey: 'stats', index: 0, afterIndex: 2 }))
  t.equal(await label().inputValue(), letters, 'moved down')
  await eventually(async () => (await rows()).includes(letters))

  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('x')
  await typeLetters(page, () =>
    fields(other)
      .getByRole('button', { name: /^Delete/ })
      .last()
      .click(),
  )
  await notice(page).getByText('Ben deleted this row.').waitFor()
  t.equal(await label().inputValue(), letters, 'deleted')
  await notice(page).getByRole('button', { name: 'Bring it back' }).click()
  await notice(page).waitFor({ state: 'detached' })
  await eventually(async () => (await rows()).includes(letters))

  await label().focus()
  await typeLetters(page, () => edit({ op: 'remove_item', blockId, listKey: 'stats', index: 2 }))
  await page.keyboard.type('!')
  await saveState(page).getByText('deleted this row').waitFor()
  await notice(page).getByRole('button', { name: 'Keep my text' }).click()
  const texts = await offeredTexts(page)
  t.match(texts, `${letters}!`)
  t.match(texts, 'deleted this row')
  t.strictSame(errors(), [])
})

t.test('blanks and a part of a number stay under the caret', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const site = await serveKinds(t, origin)
  await page.goto(`${origin}/studio?siteId=kinds`)
  await page.getByRole('treeitem', { name: /Every kind/ }).click()
  const typed = [
    ['Heading', 'a  b |c'],
    ['Intro', 'a  b \n\n |c'],
    ['Tags', 'a  b \n\n |c\n'],
    ['Target', '/x |'],
    ['Picture', ' |/x.png |'],
    ['Shade', ' |#fff |'],
    ['Amount', '-|3'],
    ['Amount', '1e|1'],
  ] as const
  let count = 0
  for (const [label, text] of typed) {
    await field(page, label).focus()
    await page.keyboard.press('ControlOrMeta+a')
    // Ben changes another field where the bar is, once what is typed is stored.
    for (const part of text.split('|')) {
      await page.keyboard.type(part)
      await saveState(page).getByText('Saved', { exact: true }).waitFor()
      const pictureAlt = `A boat ${(count += 1)}`
      await site.send([{ op: 'update_props', patch: { pictureAlt } }])
      await eventually(async () => (await field(page, 'Picture description').inputValue()) === pictureAlt)
    }
    t.equal(await field(page, label).inputValue(), text.replaceAll('|', ''), label)
    await page.keyboard.press('Tab')
    await saveState(page).getByText('Saved', { exact: true }).waitFor()
  }
  t.match(await site.props(), { shade: '#fff', amount: 10, picture: '/x.png', tags: ['a  b ', ' c'] })
  t.strictSame(errors, [])
})

/** Opens the entry of a page in the menu, and puts the caret into one of its fields. */
async function openEntry(page: Page, name: string, label: string) {
  await page.getByText('Site settings').click()
  const menu = page.getByRole('list', { name: 'Menu' })
  await menu.locator('summary', { hasText: name }).click()
  await menu.getByLabel(label, { exact: true }).focus()
  return menu.getByLabel(label, { exact: true })
}

for (const label of ['Name in the menu', 'Group in the menu'])
  t.test(`an entry of the menu stays under the caret: ${label}`, inBrowser, async (t) => {
    const { page, origin, errors } = await twoPeople(t)
    const { ops } = asBen(origin)
    const ofMenu = async (): Promise<string> => {
      const answer = await fetch(`${origin}/draft/site-config?siteId=demo&session=dev`)
      return answer.text()
    }
    const entry = await openEntry(page, 'About us', label)
    await typeLetters(page, () => ops({ op: 'move_page', pageSlug: '/about' }))
    t.equal(await entry.inputValue(), letters, 'moved')
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await eventually(async () => (await ofMenu()).includes(`${letters}1`))

    const rename = { op: 'rename_page', pageSlug: '/about', newPageSlug: '/club', newTitle: 'Club' }
    await typeLetters(page, () => ops(rename))
    t.equal(await entry.inputValue(), letters, 'renamed')
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    await eventually(async () => (await ofMenu()).includes(`${letters}2`))
    await saveState(page).getByText('Saved', { exact: true }).waitFor()

    await typeLetters(page, () => ops({ op: 'remove_page', pageSlug: '/club' }))
    await notice(page).getByText('Ben deleted this page.').waitFor()
    await page.keyboard.type('3')
    t.equal(await entry.inputValue(), `${letters}3`, 'deleted')
    t.not(await saveState(page).textContent(), 'Saved')
    await notice(page).getByRole('button', { name: 'Bring it back' }).click()
    await eventually(async () => (await ofMenu()).includes(`${letters}3`))
    await saveState(page).getByText('Saved', { exact: true }).waitFor()

    await entry.focus()
    await typeLetters(page, () => ops({ op: 'remove_page', pageSlug: '/club' }))
    await notice(page).getByRole('button', { name: 'Keep my text' }).click()
    await entry.waitFor({ state: 'detached' })
    const texts = await offeredTexts(page)
    t.match(texts, letters)
    t.match(texts, 'Ben deleted this page.')
    await saveState(page).getByText('1 text is not saved', { exact: true }).waitFor()
    t.strictSame(errors(), [])
  })

t.test(
  'a setting is stored where its page is, on what the site has, whatever others have just done',
  inBrowser,
  async (t) => {
    const { page, origin, errors } = await twoPeople(t)
    const { ops } = asBen(origin)
    const ofSite = async (): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${origin}/draft/site-config?siteId=demo&session=dev`)
      return Object(await answer.json())
    }
    /** Lets Ben do something once a change has left the studio, and before the service has it. */
    const meanwhile = (change: () => Promise<unknown>) =>
      page.route(
        '**/ops',
        async (route) => {
          await change()
          await route.continue()
        },
        { times: 1 },
      )

    const entry = await openEntry(page, 'About us', 'Name in the menu')
    await meanwhile(() =>
      ops({ op: 'rename_page', pageSlug: '/about', newPageSlug: '/club', newTitle: 'Club' }),
    )
    await entry.fill('The club')
    await page.keyboard.press('Enter')
    await eventually(async () => Object((await ofSite())['navLabels'])['/club'] === 'The club')
    t.notOk(
      Object.hasOwn(Object((await ofSite())['navLabels']), '/about'),
      'nothing is left at the old address',
    )
    await saveState(page).getByText('Saved', { exact: true }).waitFor()

    const name = field(page, 'Name of the site')
    await meanwhile(() => ops({ op: 'update_site_config', pageSlug: '/', patch: { name: 'By Ben' } }))
    await name.fill('By me')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Keep mine' }).waitFor()
    t.equal((await ofSite())['name'], 'By Ben', 'nothing is written over')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await eventually(async () => (await ofSite())['name'] === 'By me')

    const purpose = field(page, 'What the site is for')
    await purpose.focus()
    await colleague(origin).send('/draft/site-config', { config: { purpose: 'By Ben' } }, 'PUT')
    await page.keyboard.type('By me')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Keep mine' }).waitFor()
    t.equal((await ofSite())['purpose'], 'By Ben', 'nor what the chat should know')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await eventually(async () => (await ofSite())['purpose'] === 'By me')
    t.strictSame(
      errors().filter((text) => !text.includes('409')),
      [],
    )
  },
)
