import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { EventSource } from 'undici'
import { livePreview, type LivePage, type LivePreviewOptions } from '../../plugins/site/draft/live-preview.ts'
import { editor, startStack } from '../helpers/stack.ts'

Object.assign(globalThis, { EventSource })

const at = { siteId: 'acme', session: 'dev' }
const stamp = '2026-01-01T12:00:00.000Z'
const page = (slug: string, title = 'A page') => ({ id: `p${slug}`, slug, title, updatedAt: stamp, blocks: [] })

/** A draft that a page in a browser shows, and what the browser was made to show of it. */
async function watched(t: Test, options: Partial<LivePreviewOptions> = {}) {
  const stack = await startStack(t)
  const { bootstrap, ...edit } = editor(stack.ask, at)
  await bootstrap([page('/'), page('/about')])
  const shown: (LivePage | undefined)[] = []
  const { updatedAt } = await edit.page('/')
  const preview = livePreview({ orchestrator: `${stack.origin}/`, siteId: at.siteId, slug: '/', updatedAt, render: (each) => void shown.push(each), ...options })
  t.teardown(() => preview.close())
  /** Waits until so many pages were shown. */
  const reach = async (count: number): Promise<void> => {
    for (const until = performance.now() + 5000; shown.length < count && performance.now() < until; ) await wait(10)
    await wait(50)
    t.equal(shown.length, count)
  }
  return { stack, edit, shown, preview, reach }
}

t.test('a page is shown again when it changed, and only then', async (t) => {
  const { edit, shown, reach } = await watched(t)
  await reach(0)
  await edit.retitle('/', 'First')
  await reach(1)
  t.match(shown, [{ slug: '/', title: 'First' }])
  await edit.retitle('/about', 'Elsewhere')
  await reach(1)
  await edit.undo('/')
  await reach(2)
  t.match(shown.at(-1), { title: 'A page' })
  t.ok(Date.parse(shown[1]?.updatedAt ?? '') > Date.parse(shown[0]?.updatedAt ?? ''), 'what is taken back is newer too')
})

t.test('the header of the site counts as well: its name, and pages that go', async (t) => {
  const { edit, shown, reach } = await watched(t)
  await reach(0)
  await edit.config({ name: 'Acme' })
  await reach(1)
  await edit.ops([{ op: 'remove_page', pageSlug: '/about' }])
  await reach(2)
  t.match(shown, [{ title: 'A page' }, { title: 'A page' }])
})

t.test('a page that came, and one that went', async (t) => {
  const { edit, shown, reach } = await watched(t, { slug: '/new', updatedAt: undefined })
  await reach(0)
  await edit.ops([{ op: 'create_page', page: page('/new', 'Here now') }])
  await reach(1)
  t.match(shown, [{ title: 'Here now' }])
  await edit.ops([{ op: 'remove_page', pageSlug: '/new' }])
  await reach(2)
  t.equal(shown.at(-1), undefined)
})

t.test('what happened before it listened is caught up with, and nothing that is not newer is shown', async (t) => {
  const late = await watched(t, { updatedAt: '2020-01-01T00:00:00.000Z' })
  await late.reach(1)
  const ahead = await watched(t, { updatedAt: '2999-01-01T00:00:00.000Z' })
  await ahead.edit.retitle('/', 'Older than what is shown')
  await wait(300)
  await ahead.reach(0)
})

t.test('many changes at once are shown in few steps, the last of them always', async (t) => {
  const slowly: string[] = []
  const render = async (shown: LivePage | undefined): Promise<void> => {
    await wait(100)
    slowly.push(shown?.title ?? '')
  }
  const { edit } = await watched(t, { render })
  await wait(100)
  for (let round = 1; round <= 20; round++) await edit.retitle('/', `Title ${round}`)
  for (const until = performance.now() + 5000; slowly.at(-1) !== 'Title 20' && performance.now() < until; ) await wait(20)
  t.equal(slowly.at(-1), 'Title 20')
  t.ok(slowly.length < 15, `${slowly.length} times`)
})

t.test('it goes on after the orchestrator was away', async (t) => {
  const { stack, edit, shown, reach } = await watched(t)
  await reach(0)
  await stack.restart()
  await edit.retitle('/', 'After the restart')
  for (const until = performance.now() + 15_000; shown.length < 1 && performance.now() < until; ) await wait(50)
  t.match(shown.at(-1), { title: 'After the restart' })
})

t.test('nothing is shown once it is closed', async (t) => {
  const { edit, preview, reach } = await watched(t)
  await reach(0)
  preview.close()
  await edit.retitle('/', 'Too late')
  await wait(300)
  await reach(0)
})
