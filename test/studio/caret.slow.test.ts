import t, { type Test } from 'tap'
import type { Page } from 'playwright-core'
import { colleague, eventually, inBrowser, openStudio, openTab, siteIn } from './browser.ts'

/** 40 letters, all different from what stands in the demo site. */
const letters = 'Forty letters that another must not take'
const beforeIt = letters.slice(0, 15)

const rounds = Number(process.env['ROUNDS'] ?? 1)

const ben = { id: 'browser-of-ben', name: 'Ben' }

/** Ben at the draft: each of his changes carries his name. Returns their versions. */
function asBen(origin: string) {
  const { send } = colleague(origin)
  const change = async (path: string, body: object): Promise<number> => {
    const answer = await send(path, { ...body, client: ben })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return Number(Object(await answer.json())['previewVersion'])
  }
  const ops = (...list: readonly object[]) => change('/ops', { ops: list })
  return {
    ops,
    undo: (version: number) => change('/history/undo-change', { version }),
    restore: (targetVersion: number) => change('/history/restore', { targetVersion }),
    /** Publishes changes from a draft of his own, and lets the other one follow its site. */
    async publish(...list: readonly object[]) {
      const session = 'other'
      await change('/draft/follow', { session })
      await change('/ops', { session, ops: list })
      await change('/publish', { session })
      await change('/draft/follow', {})
    },
  }
}

const fields = (page: Page) => page.locator('.fields')
const field = (page: Page, label: string) => fields(page).getByLabel(label, { exact: true })
const saveState = (page: Page) => page.locator('.bar [role=status]').first()
const notice = (page: Page) => fields(page).getByRole('alert')
const leftTexts = (page: Page) => page.locator('.left-texts')

async function openBlock(page: Page, type: string): Promise<void> {
  await page
    .getByRole('treeitem', { name: new RegExp(`^${type}`) })
    .first()
    .click()
  await fields(page).waitFor()
}

/** Types the letters with the keyboard alone; what another does happens after the 15th. */
async function typeLetters(page: Page, meanwhile: () => Promise<unknown>): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(beforeIt, { delay: 30 })
  await Promise.all([meanwhile(), page.keyboard.type(letters.slice(15), { delay: 60 })])
}

/** The texts that are offered as unsaved, with what stands beside them. */
async function offeredTexts(page: Page): Promise<string> {
  await leftTexts(page).getByRole('button', { name: 'Show' }).click()
  const dialog = page.getByRole('dialog', { name: 'Unsaved texts' })
  const text = (await dialog.textContent()) ?? ''
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  return text
}

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
  t.equal(await saveState(page).textContent(), '1 text is not saved')
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
  t.equal(await saveState(page).textContent(), '1 text is not saved')
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

const added = { id: 'b_added', type: 'Hero', props: { heading: 'Before it' } }
const add = { op: 'add_block', pageSlug: '/about', block: added }
const retitle = { op: 'update_page_meta', pageSlug: '/about', patch: { description: 'Of Ben' } }
const rename = { op: 'rename_page', pageSlug: '/about', newPageSlug: '/club', newTitle: 'Club' }

/** What Ben does: first before somebody types in the block at `slug`, then meanwhile. */
const acts: Readonly<
  Record<string, (by: ReturnType<typeof asBen>) => Promise<{ slug: string; act: () => Promise<unknown> }>>
> = {
  async 'undo of a block'({ ops, undo }) {
    const version = await ops(add)
    return { slug: '/about', act: () => undo(version) }
  },
  async 'restore without a block'({ ops, restore }) {
    const before = await ops(retitle)
    await ops(add)
    return { slug: '/about', act: () => restore(before) }
  },
  async 'undo of a rename'({ ops, undo }) {
    await ops(add)
    const version = await ops(rename)
    return { slug: '/club', act: () => undo(version) }
  },
  async 'follow of a removal'({ publish }) {
    await publish(add)
    return {
      slug: '/about',
      act: () => publish({ op: 'remove_block', pageSlug: '/about', blockId: added.id }),
    }
  },
  async 'follow of a rename'({ publish }) {
    await publish(add)
    return { slug: '/about', act: () => publish(rename) }
  },
  async 'follow of a removed page'({ publish }) {
    await publish(add)
    return { slug: '/about', act: () => publish({ op: 'remove_page', pageSlug: '/about' }) }
  },
}

const isInPage = [false, true]
const cases = Object.entries(acts).flatMap(([name, begin]) =>
  isInPage.map((inPage) => ({ name: `${name}, typed in ${inPage ? 'the page' : 'a field'}`, begin, inPage })),
)

for (const { name, begin, inPage } of cases)
  t.test(`no letter is lost: ${name}`, inBrowser, async (t) => {
    for (let round = 1; round <= rounds; round += 1) {
      const { page, origin, errors } = await openStudio(t)
      const { slug, act } = await begin(asBen(origin))
      await page.goto(`${origin}/studio?slug=${slug}`)
      const site = await siteIn(page)
      if (inPage) {
        await site.locator(`[data-block-id="${added.id}"] h1`).dblclick()
        await site.locator('h1[contenteditable]').waitFor()
      } else {
        await openBlock(page, 'Hero, Before it')
        await field(page, 'Heading').focus()
      }
      await typeLetters(page, act)
      if (inPage) {
        t.equal(await site.locator('h1[contenteditable]').textContent(), letters)
        await page.keyboard.press('Enter')
      } else t.equal(await field(page, 'Heading').inputValue(), letters)
      const isStored = async () =>
        [...(await blocksAt(origin, '/about')), ...(await blocksAt(origin, '/club'))].some(
          ({ props }) => props['heading'] === letters,
        )
      const isGone = async () => (await notice(page).count()) > 0
      await eventually(async () => (await isStored()) || isGone())
      if (await isGone()) {
        await notice(page)
          .getByText(/^(?:Ben|The website) deleted this/)
          .waitFor()
        await notice(page).getByRole('button', { name: 'Keep my text' }).click()
        t.match(await offeredTexts(page), letters)
      } else await saveState(page).getByText('Saved', { exact: true }).waitFor()
      t.strictSame(
        errors.filter((error) => !/status of 404/.test(error)),
        [],
      )
      await page.close()
    }
  })

/** The blocks of a page; none if there is no page. */
const blocksAt = (origin: string, slug: string) =>
  colleague(origin)
    .blocks(slug)
    .catch(() => [])
