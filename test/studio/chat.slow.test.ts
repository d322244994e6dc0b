import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { planning, startModelServer, type Script } from '../helpers/model-server.ts'
import { inBrowser, openStudio, siteIn } from './browser.ts'

const headers = { 'content-type': 'application/json' }
const at = { siteId: 'demo', session: 'dev' }
const Draft = v.object({
  blocks: v.array(v.object({ id: v.string(), type: v.string(), props: v.looseObject({}) })),
})

/** Another person, who edits the same draft. */
const colleague = (origin: string) => ({
  async blocks(slug = '/') {
    const answer = await fetch(`${origin}/draft/pages?siteId=demo&session=dev&slug=${slug}`)
    return v.parse(Draft, await answer.json()).blocks
  },
  async edit(...ops: readonly object[]): Promise<number> {
    const body = JSON.stringify({ ...at, ops: ops.map((op) => ({ pageSlug: '/', ...op })) })
    return (await fetch(`${origin}/ops`, { method: 'POST', headers, body })).status
  },
})

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
  const { page, model, blocks, edit, errors } = opened
  const start = await blocks()
  const [hero, grid] = [
    start.find(({ type }) => type === 'Hero'),
    start.find(({ type }) => type === 'FeatureGrid'),
  ]
  const added = { id: 'b_new', type: 'Quote', props: { quote: 'A quiet ride', author: 'Ana' } }
  model.script(
    planning(
      planOf([
        { op: 'update_props', blockId: hero?.id, patch: { heading: 'A planned heading' } },
        { op: 'update_props', blockId: hero?.id, patch: { subheading: 'A planned line' } },
        { op: 'add_block', block: added, afterBlockId: hero?.id },
        { op: 'update_props', blockId: 'b_new', patch: { author: 'Ben' } },
        { op: 'move_block', blockId: grid?.id },
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
  for (const number of [3, 5]) await box(page, number).click()
  await page.keyboard.press('ControlOrMeta+Enter')
  const site = await siteIn(page)
  await site.getByText('A planned heading').waitFor()
  await page.locator('.plan').waitFor({ state: 'detached' })
  t.match(
    (await blocks()).map(({ type }) => type),
    start.map(({ type }) => type),
    'nothing else is applied',
  )
  // The undo stays below the message when its toast is gone, and keeps what came later.
  await edit({ op: 'update_props', blockId: grid?.id, patch: { title: 'Later' } })
  await page.locator('.turn').getByRole('button', { name: 'Undo' }).click()
  await site.getByText('A planned heading').waitFor({ state: 'detached' })
  const now = await blocks()
  const propsOf = (id?: string) => now.find((block) => block.id === id)?.props
  t.equal(propsOf(hero?.id)?.['heading'], hero?.props['heading'])
  t.equal(propsOf(grid?.id)?.['title'], 'Later')
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
  const { page, model, blocks } = await openChat(t)
  const hero = (await blocks()).find(({ type }) => type === 'Hero')
  model.script(planning(heading(hero?.id, 'After the break'), slow))
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
  const { page, model, blocks } = await openChat(t)
  const hero = (await blocks()).find(({ type }) => type === 'Hero')
  model.script(planning(heading(hero?.id, 'After the reload'), slow))
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
  const { page, model, blocks } = await openChat(t)
  const start = await blocks()
  const hero = start.find(({ type }) => type === 'Hero')
  model.script(planning(heading(hero?.id, 'Never'), slow), planning(heading(hero?.id, 'The second time')))
  await say(page, 'Improve the heading')
  await page.locator('.said', { hasText: 'step by step' }).waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped. The draft is as it was before.').waitFor()
  t.match(await page.locator('.said').textContent(), /step by step/, 'what was streamed stays')
  t.strictSame(await blocks(), start)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.plan ins', { hasText: 'second' }).waitFor()
})
