import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import {
  ending,
  failing,
  opening,
  planning,
  sending,
  startModelServer,
  toolCall,
  type Script,
} from '../helpers/model-server.ts'
import { colleague, eventually, give, inBrowser, openStudio, says, siteIn } from './browser.ts'

const planOf = (ops: readonly object[], summary = 'I will polish the page.') => ({
  intent: 'edit_plan',
  summary_for_user: summary,
  change_log: [],
  ops: ops.map((op) => ({ pageSlug: '/', ...op })),
})

/** The studio with a model that answers by these scripts, its chat open. */
async function openChat(t: Test, ...scripts: readonly Script[]) {
  const model = await startModelServer(t)
  model.script(...scripts)
  const variables = { ANTHROPIC_API_KEY: 'key-of-the-studio', ANTHROPIC_BASE_URL: model.origin }
  const opened = await openStudio(t, { variables })
  await siteIn(opened.page)
  await opened.page.getByRole('tab', { name: 'Chat' }).click()
  return { ...opened, model, ...colleague(opened.origin) }
}

async function say(page: Page, message: string): Promise<void> {
  await page.locator('#message').fill(message)
  await page.keyboard.press('Enter')
}
const box = (page: Page, number: number) => page.locator('.op input').nth(number - 1)
const ticks = (page: Page) =>
  page.locator('.op input').evaluateAll((all) => all.map((each) => (each as HTMLInputElement).checked))

t.test('of five operations two are applied, and undone as one', inBrowser, async (t) => {
  const opened = await openChat(t)
  const { page, model, blocks, find, edit, errors } = opened
  const start = await blocks()
  const [hero, grid] = [await find('Hero'), await find('FeatureGrid')]
  const added = { id: 'b_new', type: 'Quote', props: { quote: 'A quiet ride', author: 'Ana' } }
  model.script(
    planning(
      planOf([
        { op: 'update_props', blockId: hero.id, patch: { heading: 'A planned heading' } },
        { op: 'update_props', blockId: hero.id, patch: { subheading: 'A planned line' } },
        { op: 'add_block', block: added, afterBlockId: hero.id },
        { op: 'update_props', blockId: 'b_new', patch: { author: 'Ben' } },
        { op: 'move_block', blockId: grid.id },
      ]),
    ),
  )
  await say(page, 'Polish this page')
  await page.locator('.plan').getByText('5 changes planned').waitFor()
  await page.locator('.op').first().locator('ins', { hasText: 'planned' }).waitFor()
  t.strictSame(await ticks(page), [true, true, true, true, true])
  await box(page, 3).click()
  t.strictSame(await ticks(page), [true, true, false, false, true], 'what needs the new block goes with it')
  t.match(await page.locator('.op').nth(3).textContent(), /Goes with 3/)
  await box(page, 4).click()
  t.strictSame(await ticks(page), [true, true, true, true, true])
  const site = await siteIn(page)
  const marked = site.locator('editor-overlay .planned:not([hidden])')
  await eventually(async () => (await marked.count()) === 2)
  t.equal(await marked.count(), 2, 'the blocks of what is ticked are outlined in the page')
  for (const number of [3, 5]) await box(page, number).click()
  await eventually(async () => (await marked.count()) === 1)
  t.equal(await marked.count(), 1)
  await page.keyboard.press('ControlOrMeta+Enter')
  await site.getByText('A planned heading').waitFor()
  await page.locator('.plan').waitFor({ state: 'detached' })
  t.equal(await marked.count(), 0)
  t.match(
    (await blocks()).map(({ type }) => type),
    start.map(({ type }) => type),
    'nothing else is applied',
  )
  // The undo stays below the message when its toast is gone, and keeps what came later.
  await edit({ op: 'update_props', blockId: grid.id, patch: { title: 'Later' } })
  await page.locator('.turn').getByRole('button', { name: 'Undo' }).click()
  await site.getByText('A planned heading').waitFor({ state: 'detached' })
  await page.locator('.turn').getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  const now = await blocks()
  const propsOf = (id?: string) => now.find((block) => block.id === id)?.props
  t.equal(propsOf(hero.id)?.['heading'], hero.props['heading'])
  t.equal(propsOf(grid.id)?.['title'], 'Later')
  t.strictSame(errors, [])
})

const slow = { sizes: [150], pauseMs: 60 }
const manyWords = 'I will do this step by step, with care for each word of the page. '
const heading = (id: string | undefined, text: string) =>
  planOf([{ op: 'update_props', blockId: id, patch: { heading: text } }], manyWords.repeat(3))

/** The beginning of a stream, whose connection is then lost. */
async function firstWords({ body }: Response): Promise<string> {
  let read = ''
  for await (const part of body ?? []) {
    read += Buffer.from(part).toString()
    if (read.includes('step')) break
  }
  return `${read.slice(0, read.lastIndexOf('\n\n'))}\n\n`
}

t.test('a stream that breaks goes on after its last event', inBrowser, async (t) => {
  const { page, model, find } = await openChat(t)
  const hero = await find('Hero')
  model.script(planning(heading(hero.id, 'After the break'), slow))
  const after: (string | undefined)[] = []
  await page.route('**/chat/stream?*', async (route) => {
    const request = route.request()
    after.push(request.headers()['last-event-id'])
    if (after.length > 1) return route.continue()
    const answer = await fetch(request.url())
    const body = await firstWords(answer)
    return route.fulfill({ headers: Object.fromEntries(answer.headers), body })
  })
  await say(page, 'Improve the heading')
  await page.locator('.plan ins', { hasText: 'break' }).waitFor()
  t.equal(after[0], undefined)
  t.match(after[1], /^[1-9]/, 'it continues after an event')
  t.equal(await page.locator('.turn').count(), 1)
  t.strictSame(await page.locator('.turn .failure').allTextContents(), [])
})

t.test('a reload loses neither the run nor the plan that waits', inBrowser, async (t) => {
  const { page, model, find } = await openChat(t)
  const hero = await find('Hero')
  model.script(planning(heading(hero.id, 'After the reload'), slow))
  await say(page, 'Improve the heading')
  await page.locator('.said', { hasText: 'step by step' }).waitFor()
  await page.locator('#message').fill('The next message')
  await page.reload()
  await page.locator('.working').waitFor()
  t.equal(await page.locator('#message').inputValue(), 'The next message')
  await page.locator('.plan ins', { hasText: 'reload' }).waitFor()
  t.equal(model.seen.length, 1, 'the run is the same')
  await page.reload()
  await page.getByRole('tab', { name: 'Chat' }).click()
  await page.locator('.plan ins', { hasText: 'reload' }).waitFor()
  // Another tab knows nothing of the message, but the plan waits there too.
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('tab', { name: 'Chat' }).click()
  await other.locator('.turn', { hasText: 'Improve the heading' }).locator('.plan').waitFor()
  await other.getByRole('button', { name: 'Discard' }).click()
  await other.locator('.plan').waitFor({ state: 'detached' })
})

t.test('a run that is stopped keeps the message, and what came of it', inBrowser, async (t) => {
  const { page, model, blocks, find } = await openChat(t)
  const [start, hero] = [await blocks(), await find('Hero')]
  model.script(planning(heading(hero.id, 'Never'), slow), planning(heading(hero.id, 'The second time')))
  await say(page, 'Improve the heading')
  await page.locator('.said', { hasText: 'step by step' }).waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped. The draft is as it was before.').waitFor()
  t.match(await page.locator('.said').textContent(), /step by step/, 'what was streamed stays')
  t.strictSame(await blocks(), start)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.plan ins', { hasText: 'second' }).waitFor()
  await page.keyboard.press('ControlOrMeta+Backspace')
  await page.getByText('The plan was discarded').waitFor()
})

t.test('what lies outside the block, or was changed since, starts unticked', inBrowser, async (t) => {
  const { page, model, find, edit } = await openChat(t)
  const [hero, banner] = [await find('Hero'), await find('Banner')]
  const ops = [
    { op: 'update_props', blockId: hero.id, patch: { heading: 'About the hero' } },
    { op: 'update_props', blockId: banner.id, patch: { text: 'Beside the hero' } },
  ]
  model.script(planning(planOf(ops)))
  await page.locator('.outline .row', { hasText: 'Hero' }).click()
  await page.getByRole('tab', { name: 'Chat' }).click()
  await page.getByText('about: Hero').waitFor()
  await say(page, 'Improve this')
  await page.locator('.plan').waitFor()
  t.strictSame(await ticks(page), [true, false])
  t.match(await page.locator('.op').nth(1).textContent(), /Outside Hero, which you asked about/)
  const site = await siteIn(page)
  await page.locator('.op').nth(1).hover()
  await site.locator(`[data-block-id="${banner.id}"].editor-highlight`).waitFor()
  await page.locator('#message').hover()
  await site.locator(`[data-block-id="${hero.id}"].editor-highlight`).waitFor()
  t.pass('the block of a row is marked in the page')
  await edit({ op: 'update_props', blockId: hero.id, patch: { heading: 'Of a colleague' } })
  await page.locator('.op .warning', { hasText: 'Changed since this plan was made.' }).waitFor()
  t.strictSame(await ticks(page), [false, false])
  model.script(planning(planOf(ops.slice(0, 1))))
  await page.getByRole('button', { name: 'Plan again' }).click()
  await page.getByText('1 change planned').waitFor()
  await page.getByRole('button', { name: 'Apply 1' }).click()
  await site.getByText('About the hero').waitFor()

  const elsewhere = [
    { op: 'update_props', blockId: banner.id, patch: { text: 'For everyone' } },
    { op: 'remove_block', blockId: (await find('Stats')).id },
  ]
  model.script(planning(planOf(elsewhere)))
  await say(page, 'Tidy the page')
  await page.getByText('2 changes planned').waitFor()
  t.strictSame(await ticks(page), [true, true], 'a plan for other blocks only is about them')
  t.match(await page.locator('.op').first().textContent(), /deleted/, 'deletions are first')
  await page.getByRole('button', { name: 'Apply 2, deletes 1' }).click()
  await site.getByText('For everyone').waitFor()

  const contact = { slug: '/contact', title: 'Contact us', blocks: [] }
  model.script(planning(planOf([{ op: 'create_page', page: contact }])))
  await say(page, 'Create a page called Contact us')
  await page.getByText('1 change planned').waitFor()
  t.strictSame(await ticks(page), [true], 'nor lies a new page outside')
  t.match(await page.locator('.op').first().textContent(), /Page Contact us/)
})

t.test('a picture is pasted, a file is dropped, and what is refused says why', inBrowser, async (t) => {
  const { page, model, find } = await openChat(t)
  const hero = await find('Hero')
  model.script(planning(heading(hero.id, 'As in the picture')))
  await give(page, '#message', 'paste', 'sketch.png')
  await give(page, '.talk', 'drop', 'fake.pdf', Buffer.from('no document'), 'application/pdf')
  const rows = page.locator('.files li')
  await rows.filter({ hasText: 'fake.pdf' }).locator('.failure').waitFor()
  await page.getByRole('button', { name: 'Remove fake.pdf' }).click()
  await give(page, '.talk', 'drop', 'scan.jpg', Buffer.alloc(10 * 1024 * 1024 + 1), 'image/jpeg')
  await rows.getByText('The file is larger than 10 MiB. Choose a smaller one.').waitFor()
  await page.getByRole('button', { name: 'Remove scan.jpg' }).click()
  t.equal(await rows.count(), 1)
  await rows.locator('progress').waitFor({ state: 'detached' })
  await say(page, 'Make it like this sketch')
  await page.locator('.plan ins', { hasText: 'picture' }).waitFor()
  t.match(await page.locator('.me').textContent(), /sketch\.png/)
  t.equal(await rows.count(), 0)
  t.equal(
    model.seen[0]?.body.messages.some(({ content }) => content.some(({ type }) => type === 'image')),
    true,
    'the model sees it',
  )
})

t.test('variations stand beside each other, and one click applies one', inBrowser, async (t) => {
  const { page, model, find } = await openChat(t)
  const hero = await find('Hero')
  const variations = ['Calm', 'Bold', 'Short'].map((title) => ({
    title,
    summary: `A ${title.toLowerCase()} one.`,
    patch: { heading: `${title} words` },
  }))
  const tool = toolCall(JSON.stringify({ variations }), { name: 'submit_variations' })
  model.script(sending(opening() + tool + ending('tool_use')))
  await page.locator('.outline .row', { hasText: 'Hero' }).click()
  await page.getByRole('tab', { name: 'Chat' }).click()
  await page.getByRole('button', { name: 'Show variations' }).click()
  const cards = page.locator('.variations .card')
  await cards.nth(2).waitFor()
  await cards.filter({ hasText: 'Bold' }).getByText('Bold words').waitFor()
  await cards.filter({ hasText: 'Bold' }).getByRole('button', { name: 'Use this' }).click()
  await (await siteIn(page)).getByText('Bold words').waitFor()
  await page.locator('.turn').getByRole('button', { name: 'Undo' }).click()
  await says(page, 'Undone')
  t.strictSame(await find('Hero'), hero)
  t.match(await page.locator('.turn').textContent(), /\$0/, 'the turn has its price')
  t.match(await page.locator('.terms').textContent(), /Today \$0/)
})

t.test('text of a model, of files and of pages is text', inBrowser, async (t) => {
  const { page, model, find, errors } = await openChat(t)
  const hero = await find('Hero')
  const hostile = '<img src=x onerror="window.wasRun = true"><script>window.wasRun = true</script>'
  model.script(
    planning({
      ...planOf([{ op: 'update_props', blockId: hero.id, patch: { heading: hostile } }], hostile),
      change_log: [hostile],
      suggested_next_actions: [hostile],
    }),
  )
  await say(page, hostile)
  await page.locator('.plan').waitFor()
  t.match(await page.locator('.plan').textContent(), /<script>/)
  t.equal(await page.evaluate(() => 'wasRun' in window), false)
  t.strictSame(errors, [])
})

t.test('what fails says why, keeps the message and is tried again', inBrowser, async (t) => {
  const { page, model, find } = await openChat(t)
  const hero = await find('Hero')
  model.script(failing(400, 'invalid_request_error'))
  await say(page, 'Improve the heading')
  await page.locator('.turn .failure').waitFor()
  t.match(await page.locator('.me').textContent(), /Improve the heading/)
  model.script(planning(heading(hero.id, 'It works')))
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.plan ins', { hasText: 'works' }).waitFor()
})

t.test('without a key each example works on the page that shows it', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  for (const slug of ['/', '/services', '/about', '/faq']) {
    const { status } = await fetch(`${origin}/draft/pages?siteId=demo&session=dev&slug=${slug}`)
    if (status !== 200) continue
    await page.goto(`${origin}/studio?slug=${slug}`)
    await siteIn(page)
    await page.getByRole('tab', { name: 'Chat' }).click()
    await page.locator('.terms summary').click()
    const examples = await page.locator('.terms li').allTextContents()
    t.ok(examples.length >= 6, `${slug} has examples`)
    for (const message of examples) {
      const answer = await colleague(origin).send('/chat', { slug, message, executionMode: 'plan_only' })
      t.match(await answer.json(), { status: 'plan_ready' }, `${slug}: ${message}`)
    }
  }
  await page.locator('.terms li button').first().click()
  await page.keyboard.press('Enter')
  await page.locator('.plan').last().waitFor()
})

t.test(
  'without a key a refusal is one sentence with examples, and the box keeps its place',
  inBrowser,
  async (t) => {
    const { page } = await openStudio(t)
    await siteIn(page)
    await page.getByRole('tab', { name: 'Chat' }).click()
    // The line below the box comes once it is known that there is no model.
    await page.getByText('Exact edits work, with new texts in quotes.').waitFor()
    const place = await page.getByRole('button', { name: 'Send' }).boundingBox()
    await say(page, 'Do the usual thing')
    const said = page.locator('.said')
    await said.waitFor()
    t.match(await said.textContent(), /^Say exactly what should change[^.]*\. For example:$/)
    await page.getByRole('group', { name: 'Examples' }).getByRole('button').first().click()
    t.match(await page.locator('#message').inputValue(), /^Change the .* to ".*"$/)
    await say(page, 'Can we have "Come by today" instead of "Your bike, ready for every day"?')
    await page.getByText('I can change "Your bike, ready for every day" to "Come by today".').waitFor()
    t.notMatch(await page.locator('.said').last().textContent(), /Say exactly/)
    await page.getByRole('group', { name: 'Similar requests' }).getByRole('button').click()
    await page.getByText('1 change planned').waitFor()
    t.equal(await page.getByText('I will make 1 change').count(), 0, 'the card says once how many')
    await page.getByRole('button', { name: 'Apply 1' }).click()
    await page.locator('.plan').waitFor({ state: 'detached' })
    // The event of the change may arrive before the answer.
    await page.locator('.turn').last().getByText('Come by today”').first().waitFor()
    t.equal((await page.locator('.turn').last().textContent())?.split('Come by today”').length, 2)
    await page.locator('.outline .row', { hasText: 'Hero' }).click()
    await page.getByRole('tab', { name: 'Chat' }).click()
    await page.getByText('about: Hero').waitFor()
    t.strictSame(await page.getByRole('button', { name: 'Send' }).boundingBox(), place)
    await page.reload()
    await page.getByRole('tab', { name: 'Chat' }).click()
    await page.locator('.me', { hasText: 'Do the usual thing' }).waitFor()
    t.equal(await page.locator('.turn').count(), 3, 'a reload keeps the conversation')
    const site = await siteIn(page)
    await site.locator('[data-block-type=Hero] h1').first().click()
    await page.getByRole('tab', { name: 'Chat' }).click()
    await say(page, 'Make this text friendlier')
    const examples = page.getByRole('group', { name: 'Examples' }).getByRole('button')
    await examples.filter({ hasText: 'Come by today' }).waitFor()
    t.match(
      await examples.first().textContent(),
      /to "Come by today"$/,
      'the first is about what is selected',
    )
    t.match(
      await said.last().textContent(),
      /needs a language model\..* I can change this, once you say what it should be\./,
    )
    await examples.first().click()
    await page.keyboard.type('Hop on')
    t.match(await page.locator('#message').inputValue(), /to "Hop on"$/, 'what is typed replaces the text')
    await page.keyboard.press('Enter')
    await page.getByText('1 change planned').waitFor()
    await say(page, 'undo')
    await page.locator('.turn').last().getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Redo' }).first().waitFor()
    await say(page, 'show me the pricing page')
    await page.getByRole('button', { name: 'Open Pricing' }).click()
    await page.locator('.outline .row', { hasText: 'Table' }).waitFor()
    await say(page, 'go to the home page')
    await page.getByRole('button', { name: 'Open Home' }).click()
    await page.locator('.outline .row', { hasText: 'Testimonials' }).waitFor()
  },
)

t.test('an open question has its answers as buttons', inBrowser, async (t) => {
  const { page } = await openStudio(t)
  await siteIn(page)
  await page.getByRole('tab', { name: 'Chat' }).click()
  await say(page, 'Change the button text to "Go"')
  const choices = page.getByRole('group', { name: 'Choices' }).getByRole('button')
  await choices.first().waitFor()
  t.ok((await choices.count()) > 1)
  await choices.filter({ hasText: 'Hero' }).click()
  await page.locator('.op', { hasText: 'Hero' }).locator('ins', { hasText: 'Go' }).waitFor()
})
