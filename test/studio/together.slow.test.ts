import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import type { Page } from 'playwright-core'
import { freePort } from '../helpers/raw.ts'
import { colleague, eventually, inBrowser, nameAsked, openStudio, openTab, says, siteIn } from './browser.ts'

const propsOf = async (origin: string) => (await colleague(origin).find('Hero')).props

/** Waits until the hero has a heading, and returns what it has at last, also if that is another one. */
async function headingOf(origin: string, wanted: string): Promise<unknown> {
  await eventually(async () => (await propsOf(origin))['heading'] === wanted).catch(() => undefined)
  return (await propsOf(origin))['heading']
}

const heading = (page: Page) => page.locator('.fields').getByLabel('Heading', { exact: true })
const people = (page: Page) => page.getByRole('group', { name: 'Also here' })
const saveState = (page: Page) => page.locator('.bar [role=status]').first()
const row = (page: Page) => page.getByRole('treeitem', { name: /^Hero/ }).first()

async function openHero(page: Page): Promise<void> {
  await row(page).click()
  await heading(page).waitFor()
}

/** Waits until a field of the panel has a value. */
const waitForField = (page: Page, wanted: string) =>
  page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll<HTMLTextAreaElement>('.fields input, .fields textarea')].some(
        ({ value }) => value === wanted,
      ),
    wanted,
  )

async function callOneself(page: Page, name: string): Promise<void> {
  await people(page).getByRole('button', { name: 'People here' }).click()
  await page.getByRole('menuitem', { name: /Your name/ }).click()
  await page.getByLabel('The name that others see').fill(name)
  await page.keyboard.press('Enter')
}

t.test('where a person is arrives at most once a second, also after a slow request', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  await siteIn(page)
  const answered = () => page.waitForResponse(/\/presence$/)
  const statuses: number[] = []
  page.on('response', (answer) => void (answer.url().endsWith('/presence') && statuses.push(answer.status())))
  await page.route(
    /\/presence$/,
    async (route) => {
      await pause(900)
      await route.continue()
    },
    { times: 1 },
  )
  const slow = answered()
  await row(page).click()
  await page.waitForRequest(/\/presence$/)
  await page.getByRole('treeitem', { name: /^Stats/ }).click()
  await slow
  await answered()
  t.strictSame(statuses.slice(0, 2), [200, 200])
  t.strictSame(errors, [])
})

t.test('two people see each other, where they are, and that they leave', inBrowser, async (t) => {
  const { browser, page: ana, origin, errors } = await openStudio(t)
  await siteIn(ana)
  await openHero(ana)
  t.equal(await people(ana).count(), 0, 'one person alone sees nothing of it')
  const { page: ben } = await openTab(await browser.newContext(), `${origin}/studio`)
  await people(ana).waitFor()
  await callOneself(ana, 'Ana Lopez')
  await people(ben).getByRole('button', { name: 'Ana Lopez · Home' }).waitFor()
  t.match(await people(ben).locator('button.face').textContent(), /^AL/)
  await ben.getByRole('treeitem', { name: /^Hero.*Ana Lopez is here/ }).waitFor()

  await heading(ana).focus()
  await people(ben).getByRole('button', { name: 'Ana Lopez · Home' }).click()
  const typing = ben.locator('.field', { hasText: 'Ana Lopez is typing here' })
  await typing.waitFor()
  t.equal(await typing.locator('label').textContent(), 'Heading')
  await heading(ana).blur()
  await typing.waitFor({ state: 'detached' })

  await callOneself(ben, 'Ben')
  await people(ana).getByRole('button', { name: 'Ben · Home' }).waitFor()
  const { page: second } = await openTab(ben.context(), `${origin}/studio?slug=/about`)
  await people(second).getByRole('button', { name: 'Ana Lopez · Home' }).waitFor()
  t.equal(await people(second).locator('.face').count(), 1, 'another tab of the same person is nobody else')
  await second.close()
  await ana.reload()
  await people(ana).getByRole('button', { name: 'Ben · Home' }).waitFor()
  await ana.close()
  await people(ben).waitFor({ state: 'detached', timeout: 10_000 })
  t.strictSame(errors, [])
})

t.test('each person undoes the own changes, and the lines name who made them', inBrowser, async (t) => {
  const { browser, page: ana, origin, errors } = await openStudio(t)
  const { page: ben } = await openTab(await browser.newContext(), `${origin}/studio`)
  await Promise.all([openHero(ana), openHero(ben)])
  await people(ana).waitFor()
  await callOneself(ana, 'Ana <i>Lopez')
  const write = async (page: Page, label: string, text: string) => {
    await page.locator('.fields').getByLabel(label, { exact: true }).fill(text)
    await page.locator('.fields').getByLabel(label, { exact: true }).blur()
    await eventually(async () => Object.values(await propsOf(origin)).includes(text))
  }
  const before = await propsOf(origin)
  const undoButton = ben.locator('.bar').getByRole('button', { name: /^Undo on/ })
  await write(ana, 'Heading', 'Words of Ana')
  await ben.getByRole('treeitem', { name: /^Hero, Words of Ana/ }).waitFor()
  t.ok(await undoButton.isDisabled(), 'a change of another is nothing to undo')
  await write(ben, 'Subheading', 'Words of Ben')
  await ana.keyboard.press('ControlOrMeta+z')
  t.equal(await headingOf(origin, String(before['heading'])), before['heading'])
  t.equal((await propsOf(origin))['subheading'], 'Words of Ben', 'the change of another stays')
  await ana.keyboard.press('ControlOrMeta+z')
  await says(ana, 'Nothing of yours to undo on Home')
  await ana.keyboard.press('ControlOrMeta+Shift+z')
  t.equal(await headingOf(origin, 'Words of Ana'), 'Words of Ana')

  // He types on what she has redone; on what was there before it would be a conflict.
  await ben.getByRole('treeitem', { name: /^Hero, Words of Ana/ }).waitFor()
  await write(ben, 'Heading', 'Ben wrote over it')
  await ana.getByRole('treeitem', { name: /^Hero, Ben wrote over it/ }).waitFor()
  const choice = ana.getByRole('dialog', { name: 'Changed again since' })
  await ana.keyboard.press('ControlOrMeta+z')
  await choice.getByText(/someone in the studio: .*Ben wrote over it/).waitFor()
  await choice.getByRole('button', { name: 'Leave it' }).click()
  t.equal((await propsOf(origin))['heading'], 'Ben wrote over it')
  await ana.keyboard.press('ControlOrMeta+z')
  await choice.getByRole('button', { name: 'Undo theirs too' }).click()
  t.equal(await headingOf(origin, String(before['heading'])), before['heading'])

  await ben.getByRole('button', { name: 'History' }).click()
  const line = (text: string) => ben.locator('.lines li', { hasText: text }).last()
  t.match(await line('Words of Ana').textContent(), /Ana <i>Lopez/, 'as a text')
  t.match(await line('Words of Ben').textContent(), /someone in the studio/)
  t.strictSame(
    errors.filter((error) => !error.endsWith('/history/undo')),
    [],
  )
})

t.test('two undos at once are said one after another', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await openHero(page)
  const before = await propsOf(origin)
  await heading(page).fill('Typed once')
  await heading(page).blur()
  t.equal(await headingOf(origin, 'Typed once'), 'Typed once')
  await page.route(
    /\/history\/log/,
    async (route) => {
      await pause(1_500)
      await route.continue()
    },
    { times: 1 },
  )
  const read = page.waitForResponse(/\/history\/log/)
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await read
  await says(page, 'Nothing of yours to undo on Home')
  t.equal((await propsOf(origin))['heading'], before['heading'])
  t.strictSame(
    errors.filter((error) => !error.endsWith('/history/undo')),
    [],
  )
})

t.test('the name is asked for once, and stands with what was sent since', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  await openHero(page)
  await page.evaluate((key) => localStorage.removeItem(key), nameAsked)
  await heading(page).fill('Who wrote this?')
  t.equal(await headingOf(origin, 'Who wrote this?'), 'Who wrote this?')
  t.equal(
    await page.evaluate((key) => localStorage.getItem(key), nameAsked),
    null,
    'not while the caret is there',
  )
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  const publish = page.getByRole('button', { name: /^Publish/ })
  await publish.first().waitFor()
  await page.locator('.toast').waitFor({ state: 'detached' })
  await pause(2_500)
  t.equal(await page.evaluate((key) => localStorage.getItem(key), nameAsked), null, 'not beside the publish')
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await says(page, 'Your changes have no name yet')
  await page.getByRole('button', { name: 'Add your name' }).first().click()
  await page.getByText('The name that others see', { exact: true }).waitFor()
  await page.getByLabel('The name that others see').fill('Ana')
  await page.keyboard.press('Enter')
  t.equal(await page.evaluate((key) => localStorage.getItem(key), nameAsked), 'yes')
  await heading(page).fill('Ana wrote this')
  await heading(page).blur()
  await headingOf(origin, 'Ana wrote this')
  await page.getByRole('button', { name: 'History' }).click()
  const written = page.locator('.lines li').filter({ hasText: 'Ana wrote this' })
  t.match(await written.textContent(), /Ana wrote this.* · Ana · /)
  await page.getByRole('button', { name: 'Your name: Ana' }).waitFor()
})

t.test('each person has an own plan, and reads who has outdated it', inBrowser, async (t) => {
  const { browser, page: ana, origin, errors } = await openStudio(t)
  const { page: ben } = await openTab(await browser.newContext(), `${origin}/studio`)
  await Promise.all([siteIn(ana), siteIn(ben)])
  await people(ana).waitFor()
  await callOneself(ana, 'Ana Lopez')
  const plan = (page: Page) => page.locator('.plan')
  const ask = async (page: Page, message: string) => {
    await openHero(page)
    await page.getByRole('tab', { name: 'Chat' }).click()
    await page.locator('#message').fill(message)
    await page.keyboard.press('Enter')
    await plan(page).waitFor()
  }
  await ask(ana, 'Change the heading to "Planned by Ana"')
  await ask(ben, 'Change the heading to "Planned by Ben"')
  t.match(await plan(ben).textContent(), /Planned by Ben/)
  t.match(await plan(ana).textContent(), /Planned by Ana/, 'a message of another ends no plan')
  await plan(ana).getByRole('button', { name: 'Apply 1' }).click()
  t.equal(await headingOf(origin, 'Planned by Ana'), 'Planned by Ana')
  const told = ben.locator('.turn', {
    hasText: 'Ana Lopez applied a plan that changes the same heading; this one is out of date.',
  })
  await told.waitFor()
  t.equal(await plan(ben).count(), 0)
  await ana
    .locator('.turn', {
      hasText: 'The plan of somebody else, which changes the same heading, is out of date now.',
    })
    .waitFor()
  await told.getByRole('button', { name: 'Plan again' }).click()
  await plan(ben).getByRole('button', { name: 'Apply 1' }).click()
  t.equal(await headingOf(origin, 'Planned by Ben'), 'Planned by Ben')
  t.strictSame(errors, [])
})

t.test('two people type in one field: both texts are there', inBrowser, async (t) => {
  const { browser, page: ana, origin } = await openStudio(t)
  const { page: ben } = await openTab(await browser.newContext(), `${origin}/studio`)
  await Promise.all([openHero(ana), openHero(ben)])
  await callOneself(ana, 'Ana Lopez')
  await heading(ben).focus()
  await heading(ana).fill('Words of Ana')
  t.equal(await headingOf(origin, 'Words of Ana'), 'Words of Ana')
  await heading(ben).fill('Words of Ben')
  const conflict = ben.locator('.conflict', { hasText: 'Words of Ana' })
  await conflict.waitFor()
  t.equal(await heading(ben).inputValue(), 'Words of Ben')
  t.equal(
    await conflict.getByRole('paragraph').first().textContent(),
    'Ana Lopez has written this meanwhile:',
  )
  t.match(await saveState(ben).textContent(), /Not saved/)
  t.equal((await propsOf(origin))['heading'], 'Words of Ana', 'nothing is written over')
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  t.equal(await headingOf(origin, 'Words of Ben'), 'Words of Ben')
  t.ok(
    await heading(ben).evaluate((input) => input === document.activeElement),
    'the focus stays in the field',
  )
  await saveState(ben).getByText('Saved').waitFor()
  await heading(ana).blur()
  await ana.getByRole('treeitem', { name: /^Hero, Words of Ben/ }).waitFor()
  t.equal(await heading(ana).inputValue(), 'Words of Ben')
})

t.test('after Enter, a field shows what others store, until the next key', inBrowser, async (t) => {
  const { browser, page: ana, origin } = await openStudio(t)
  const { page: ben } = await openTab(await browser.newContext(), `${origin}/studio`)
  await Promise.all([openHero(ana), openHero(ben)])
  await heading(ana).focus()
  await heading(ana).fill('Words of Ana')
  await ana.keyboard.press('Enter')
  t.equal(await headingOf(origin, 'Words of Ana'), 'Words of Ana')
  await eventually(async () => (await heading(ben).inputValue()) === 'Words of Ana')
  await heading(ben).fill('Words of Ben')
  t.equal(await headingOf(origin, 'Words of Ben'), 'Words of Ben')
  await eventually(async () => (await heading(ana).inputValue()) === 'Words of Ben')
  await heading(ana).press('End')
  await ana.keyboard.type('!')
  t.equal(await headingOf(origin, 'Words of Ben!'), 'Words of Ben!')
})

t.test('a reload while typing offers the text, and writes nothing', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  await openHero(page)
  const before = (await propsOf(origin))['heading']
  let asked = 0
  page.on('dialog', (dialog) => {
    asked += 1
    void dialog.accept()
  })
  await page.route('**/ops', (route) => route.abort())
  await heading(page).fill('Half a sente')
  const { promise: held, resolve: answer } = Promise.withResolvers<void>()
  let reads = 0
  await page.route('**/draft/pages?*', async (route) => {
    // The page is still being read when a person goes to the field.
    if (route.request().frame() === page.mainFrame() && (reads += 1) === 1) await held
    await route.continue()
  })
  await page.reload()
  t.equal(asked, 1, 'the browser asks before it leaves')
  await page.unroute('**/ops')
  await siteIn(page)
  await page.getByText(/^1 unsaved text from \d\d?:\d\d/).waitFor()
  t.equal((await propsOf(origin))['heading'], before)
  const offer = page.locator('.field').getByRole('group', { name: 'Unsaved text' })
  await page.locator('.left-texts').getByRole('button', { name: 'Show' }).click()
  await page.getByRole('dialog').getByText('Half a sente').waitFor()
  await page.getByRole('button', { name: 'Go to its field' }).click()
  await offer.getByText('Half a sente').waitFor()
  answer()
  t.equal(await heading(page).inputValue(), before, 'the present text is beside it')
  await offer.getByRole('button', { name: 'Use this text' }).click()
  t.equal(await headingOf(origin, 'Half a sente'), 'Half a sente')
  await page.locator('.left-texts').waitFor({ state: 'detached' })
  await saveState(page).getByText('Saved').waitFor()
  await page.reload()
  await openHero(page)
  t.equal(asked, 1, 'what is stored is not asked about')
  t.equal(await page.locator('.left-texts').count(), 0)
})

t.test('what is typed without the service is stored when it is back', inBrowser, async (t) => {
  const { page, origin, stop, start } = await openStudio(t)
  await siteIn(page)
  await openHero(page)
  await saveState(page).getByText('Saved').waitFor()
  // The stream has begun once it has brought a change.
  await colleague(origin).setHero({ subheading: 'Before' })
  await waitForField(page, 'Before')
  const asked: (string | undefined)[] = []
  await stop()
  await saveState(page)
    .getByText(/Offline/)
    .waitFor()
  await heading(page).fill('Typed offline')
  await saveState(page).getByText('Offline. 1 change waits.').waitFor()
  await heading(page).blur()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === '/events' && request.frame() === page.mainFrame())
      asked.push(request.headers()['last-event-id'])
  })
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.route('**/events?*', (route) => route.abort())
  await start()
  await colleague(origin).setHero({ subheading: 'Meanwhile' })
  await page.unroute('**/events?*')
  await saveState(page).getByText('Saved').waitFor()
  t.equal(await headingOf(origin, 'Typed offline'), 'Typed offline')
  t.equal((await propsOf(origin))['subheading'], 'Meanwhile', 'the change of others stays')
  await waitForField(page, 'Meanwhile')
  t.match(asked.at(-1), /^\d+$/, 'the stream goes on where it ended')
  t.equal(await heading(page).inputValue(), 'Typed offline')
})

t.test(
  'what was stored although the answer was lost is no conflict with what follows',
  inBrowser,
  async (t) => {
    const { page, origin } = await openStudio(t)
    await siteIn(page)
    await openHero(page)
    await page.route(
      '**/ops',
      async (route) => {
        await route.fetch()
        await heading(page).press('End')
        await page.keyboard.type(' and the next')
        await route.abort()
      },
      { times: 1 },
    )
    await heading(page).fill('The first words')
    t.equal(await headingOf(origin, 'The first words and the next'), 'The first words and the next')
    await saveState(page).getByText('Saved').waitFor()
    t.equal(await page.locator('.fields .conflict').count(), 0)
  },
)

t.test('what answers a request has a stream: the studio is not offline for longer', inBrowser, async (t) => {
  const { page } = await openStudio(t)
  await siteIn(page)
  await saveState(page).getByText('Saved').waitFor()
  // The longest pauses between connections.
  await page.evaluate(() => void (Math.random = () => 0.99))
  let refused = 0
  const isStream = /\/events\?.*presence/
  await page.route(isStream, (route) => {
    refused += 1
    return route.abort()
  })
  await page.context().setOffline(true)
  await page.context().setOffline(false)
  await eventually(async () => refused === 5)
  await page.unroute(isStream)
  const answered = () => page.waitForResponse((answer) => answer.url().endsWith('/presence') && answer.ok())
  const stream = page.waitForRequest(isStream, { timeout: 60_000 }).then(() => 'stream')
  await answered()
  const next = await Promise.race([stream, answered().then(() => 'presence')])
  t.equal(next, 'stream')
  await saveState(page).getByText('Saved').waitFor()
})

const serviceRestarts = Number(process.env['RESTARTS'] ?? 4)

t.test(
  'after each restart of the service, what is typed is stored without a conflict',
  inBrowser,
  async (t) => {
    const variables = { DEMO_SITE_PORT: String(await freePort()) }
    const { page, origin, start, ...first } = await openStudio(t, { variables })
    let { stop } = first
    await siteIn(page)
    await openHero(page)
    for (let at = 1; at <= serviceRestarts; at += 1) {
      await heading(page).fill(`Before restart ${at}`)
      await stop()
      await heading(page).fill(`During restart ${at}`)
      ;({ stop } = await start())
      await saveState(page).getByText('Saved').waitFor()
      await heading(page).press('End')
      await page.keyboard.type(' and after it')
      const wanted = `During restart ${at} and after it`
      t.equal(await headingOf(origin, wanted), wanted)
      await (await siteIn(page)).getByText(wanted).waitFor()
      t.equal(await heading(page).inputValue(), wanted)
    }
  },
)

t.test('a change that cannot be read stops nothing', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const unreadable = ['{"type":"draft"', '{"type":"draft","previewVersion":"x","slugs":7}']
  await page.route(/\/events\?.*presence/, (route) => {
    const data = unreadable.shift()
    if (data === undefined) return route.fallback()
    return route.fulfill({ contentType: 'text/event-stream', body: `id: 1\ndata: ${data}\n\n` })
  })
  await page.reload()
  await siteIn(page)
  await eventually(async () => unreadable.length === 0)
  t.strictSame(unreadable, [])
  const { find, edit } = colleague(origin)
  await edit({ op: 'update_props', blockId: (await find('Hero')).id, patch: { heading: 'Read again' } })
  await page.getByRole('treeitem', { name: /Read again/ }).waitFor()
  t.strictSame(errors, [])
})

t.test('a text whose block others delete stays to be copied', inBrowser, async (t) => {
  const { browser, page, origin } = await openStudio(t)
  await openHero(page)
  await browser.contexts()[0]?.setOffline(true)
  await saveState(page)
    .getByText(/Offline/)
    .waitFor()
  await heading(page).fill('Words for a block that goes')
  await saveState(page).getByText('Offline. 1 change waits.').waitFor()
  const { find, edit } = colleague(origin)
  await edit({ op: 'remove_block', blockId: (await find('Hero')).id })
  await browser.contexts()[0]?.setOffline(false)
  await page.getByRole('button', { name: 'Keep my text' }).click()
  await page.getByText(/^1 unsaved text from/).waitFor()
  await row(page).waitFor({ state: 'detached' })
  await page.locator('.left-texts').getByRole('button', { name: 'Show' }).click()
  await page.getByRole('dialog').getByText('Words for a block that goes').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.locator('.left-texts').waitFor({ state: 'detached' })
  await saveState(page).getByText('Saved').waitFor()
})

t.test('a text of another window of the same person says so', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  const { page: second } = await openTab(page.context(), `${origin}/studio`)
  for (const each of [page, second]) await openHero(each)
  await page.route('**/ops', (route) => route.abort())
  await heading(page).fill('In the first window')
  await saveState(page).getByText('1 change waits').waitFor()
  await heading(second).fill('In the second window')
  t.equal(await headingOf(origin, 'In the second window'), 'In the second window')
  await page.unroute('**/ops')
  const conflict = page.locator('.conflict', {
    hasText: 'You have written this in another window meanwhile:',
  })
  await conflict.getByRole('button', { name: 'Keep the other' }).click()
  await conflict.waitFor({ state: 'detached' })
  t.equal(await heading(page).inputValue(), 'In the second window')

  // Another person, who is not here any more.
  await page.route('**/ops', (route) => route.abort())
  await heading(page).fill('In the first window again')
  await saveState(page).getByText('1 change waits').waitFor()
  const client = { id: 'browser-of-ben', name: 'Ben' }
  const { id: blockId } = await colleague(origin).find('Hero')
  const op = { op: 'update_props', pageSlug: '/', blockId, patch: { heading: 'By Ben' } }
  await colleague(origin).send('/ops', { ops: [op], client })
  await page.unroute('**/ops')
  await page.locator('.conflict', { hasText: 'Ben has written this meanwhile:' }).waitFor()
})

t.test('a text that is typed in the page itself waits as well', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  const site = await siteIn(page)
  await page.route('**/ops', (route) => route.abort())
  await site.locator('[data-block-type="Hero"] h1').dblclick()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Typed in the page')
  await page.keyboard.press('Enter')
  await saveState(page).getByText('1 change waits').waitFor()
  await colleague(origin).setHero({ heading: 'Words of others' })
  await page.unroute('**/ops')
  await page.getByRole('button', { name: 'Choose', exact: true }).click()
  await page
    .locator('.conflict', { hasText: 'Words of others' })
    .getByRole('button', { name: 'Keep mine' })
    .click()
  t.equal(await headingOf(origin, 'Typed in the page'), 'Typed in the page')
})

t.test('a text that is typed before the studio has read its page is stored', inBrowser, async (t) => {
  const { browser, origin } = await openStudio(t)
  const context = await browser.newContext()
  /** Holds the pages that the studio reads, and not those of the frame, until it is called. */
  const hold = async () => {
    const { promise: held, resolve } = Promise.withResolvers<void>()
    await context.route(/\/draft\/pages\?/, async (route) => {
      if (!route.request().frame().parentFrame()) await held
      await route.continue()
    })
    return resolve
  }
  const read = await hold()
  const { page, errors } = await openTab(context, `${origin}/studio`)
  const site = await siteIn(page)
  for (const [text, key] of [
    ['Typed early', 'Enter'],
    ['Typed early, twice', ''],
  ] as const) {
    await site.locator('[data-block-type="Hero"] h1').dblclick()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
    if (key) await page.keyboard.press(key)
  }
  read()
  t.equal(await headingOf(origin, 'Typed early, twice'), 'Typed early, twice')
  await page.keyboard.type(' and on')
  t.equal(await headingOf(origin, 'Typed early, twice and on'), 'Typed early, twice and on')
  await page.keyboard.press('Enter')

  const readAgain = await hold()
  const stats = () => colleague(origin).find('Stats')
  const { id: blockId } = await stats()
  await colleague(origin).edit({
    op: 'add_item',
    blockId,
    listKey: 'stats',
    item: { value: '3', label: 'Old' },
  })
  await site.locator('[data-editable-target="stats[3].label"]').dblclick()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('New')
  await page.keyboard.press('Enter')
  readAgain()
  await eventually(async () => JSON.stringify((await stats()).props).includes('"label":"New"'))
  t.strictSame(errors, [])
})

t.test('a text that is typed in the page is saved as it is typed', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const site = await siteIn(page)
  const inPage = site.locator('[data-block-type="Hero"] h1')
  const title = (await propsOf(origin))['heading']
  const type = async (text: string) => {
    await inPage.dblclick()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
  }
  const fieldFollows = (text: string) => eventually(async () => (await heading(page).inputValue()) === text)
  const { promise: held, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/ops', async (route) => held.then(() => route.continue()))
  await type('Typed')
  await saveState(page).getByText('Saving…').waitFor()
  await fieldFollows('Typed')
  answer()
  await saveState(page).getByText('Saved').waitFor()
  t.equal(await headingOf(origin, 'Typed'), 'Typed', 'a pause stores it')
  await page.keyboard.type(' in two goes')
  t.equal(await headingOf(origin, 'Typed in two goes'), 'Typed in two goes')
  t.equal(await inPage.textContent(), 'Typed in two goes', 'the caret stays where it is')
  await page.keyboard.press('Escape')
  t.equal(await headingOf(origin, String(title)), title, 'Escape restores it')

  await page.route('**/ops', (route) => route.abort())
  const [dialog] = await Promise.all([
    page.waitForEvent('dialog').then((dialog) => dialog.accept().then(() => dialog)),
    type('Half a sente')
      .then(() => fieldFollows('Half a sente'))
      .then(() => page.reload()),
  ])
  t.equal(dialog.type(), 'beforeunload', 'the browser asks before it leaves')
  await page.unroute('**/ops')
  await page.getByText(/^1 unsaved text from/).waitFor()
  t.strictSame(
    errors.filter((error) => !error.includes('ERR_FAILED')),
    [],
  )
})

const restarts = Number(process.env['RESTARTS'] ?? 2)

t.test(
  'a text that is typed in the page while service and site restart is all there',
  inBrowser,
  async (t) => {
    const variables = { DEMO_SITE_PORT: String(await freePort()) }
    const { page, origin, start, ...first } = await openStudio(t, { variables })
    let { stop } = first
    const site = await siteIn(page)
    const { origin: siteOrigin } = new URL(site.url())
    const inPage = site.locator('[data-block-type="Hero"] h1')
    for (let at = 0; at < restarts; at += 1) {
      let typed = ''
      const type = async (text: string) => {
        for (const letter of text) {
          await page.keyboard.type(letter)
          typed += letter
          await pause(40)
        }
      }
      await inPage.dblclick()
      await page.keyboard.press('ControlOrMeta+a')
      await type(`Typed ${at} `)
      const back = new AbortController()
      const restart = async () => {
        await stop()
        ;({ stop } = await start())
        // The page hears that the draft has changed, and loads itself.
        await page.waitForResponse((answer) => answer.url().startsWith(siteOrigin))
        back.abort()
      }
      const restarted = restart()
      while (!back.signal.aborted) await type('word ')
      await restarted
      await type('to the end of the line.')
      await page.keyboard.press('Enter')
      t.equal(await headingOf(origin, typed), typed, `restart ${at + 1} of ${restarts}`)
      await inPage.getByText(typed).waitFor()
    }
  },
)

t.test('an answer never replaces one of a later read', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  await siteIn(page)
  const { setHero } = colleague(origin)
  await setHero({ heading: 'Older' })
  const row = page.getByRole('treeitem', { name: /^Hero, / })
  await page.getByRole('treeitem', { name: /^Hero, Older/ }).waitFor()
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let reads = 0
  await page.route('**/draft/pages?*', async (route) => {
    const isFirst = (reads += 1) === 1
    const response = await route.fetch()
    if (isFirst) {
      held.resolve()
      await release.promise
    }
    await route.fulfill({ response })
  })
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('Home')
  await page.keyboard.press('Enter')
  await held.promise
  await setHero({ heading: 'Newer' })
  await page.getByRole('treeitem', { name: /^Hero, Newer/ }).waitFor()
  const answered = page.waitForResponse((each) => each.url().includes('/draft/pages?'))
  release.resolve()
  await answered
  await pause(500)
  t.match(await row.first().getAttribute('aria-label'), /^Hero, Newer/)
})
