import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { EventSource } from 'undici'
import {
  livePreview,
  type LivePage,
  type LivePreviewOptions,
} from '../../plugins/site/browser/live-preview.ts'
import { globals } from '../helpers/environment.ts'
import { editor, startStack } from '../helpers/stack.ts'
import { until } from '../helpers/until.ts'

const at = { siteId: 'acme', session: 'dev' }
const stamp = '2026-01-01T12:00:00.000Z'
const page = (slug: string, title = 'A page') => ({
  id: `p${slug}`,
  slug,
  title,
  updatedAt: stamp,
  blocks: [],
})

/** A draft with a live preview, and the pages that the preview rendered. */
async function watched(t: Test, options: Partial<LivePreviewOptions> = {}) {
  globals(t, { EventSource })
  const stack = await startStack(t)
  const { bootstrap, ...edit } = editor(stack.ask, at)
  await bootstrap([page('/'), page('/about')])
  const rendered: (LivePage | undefined)[] = []
  const { updatedAt } = await edit.page('/')
  const preview = livePreview({
    orchestrator: `${stack.origin}/`,
    siteId: at.siteId,
    slug: '/',
    updatedAt,
    render: (each) => void rendered.push(each),
    ...options,
  })
  t.teardown(() => preview.close())
  /** Waits until this number of pages was rendered. */
  const reach = async (count: number): Promise<void> => {
    await until(() => rendered.length >= count)
    await wait(50)
    t.equal(rendered.length, count)
  }
  return { stack, edit, rendered, preview, reach }
}

t.test('a page is rendered again only when it changed', async (t) => {
  const { edit, rendered, reach } = await watched(t)
  await reach(0)
  await edit.retitle('/', 'First')
  await reach(1)
  t.match(rendered, [{ slug: '/', title: 'First' }])
  await edit.retitle('/about', 'Elsewhere')
  await reach(1)
  await edit.undo('/')
  await reach(2)
  t.match(rendered.at(-1), { title: 'A page' })
  t.ok(Date.parse(rendered[1]?.updatedAt ?? '') > Date.parse(rendered[0]?.updatedAt ?? ''), 'also newer')
})

t.test('the site header counts as well, and an added and a removed page', async (t) => {
  const home = await watched(t)
  await home.reach(0)
  await home.edit.config({ name: 'Acme' })
  await home.reach(1)
  await home.edit.ops([{ op: 'remove_page', pageSlug: '/about' }])
  await home.reach(2)
  t.match(home.rendered, [{ title: 'A page' }, { title: 'A page' }])
  const { edit, rendered, reach } = await watched(t, { slug: '/new', updatedAt: undefined })
  await reach(0)
  await edit.ops([{ op: 'create_page', page: page('/new', 'Here now') }])
  await reach(1)
  t.match(rendered, [{ title: 'Here now' }])
  await edit.ops([{ op: 'remove_page', pageSlug: '/new' }])
  await reach(2)
  t.equal(rendered.at(-1), undefined)
})

t.test('changes before the subscription are rendered too, and older versions never', async (t) => {
  const late = await watched(t, { updatedAt: '2020-01-01T00:00:00.000Z' })
  await late.reach(1)
  const ahead = await watched(t, { updatedAt: '2999-01-01T00:00:00.000Z' })
  await ahead.edit.retitle('/', 'Older than what is shown')
  await wait(300)
  await ahead.reach(0)
})

t.test('concurrent changes are rendered in few steps, always including the last', async (t) => {
  const slowly: string[] = []
  const render = async (rendered: LivePage | undefined): Promise<void> => {
    await wait(100)
    slowly.push(rendered?.title ?? '')
  }
  const { edit } = await watched(t, { render })
  await wait(100)
  for (let round = 1; round <= 20; round++) await edit.retitle('/', `Title ${round}`)
  await until(() => slowly.at(-1) === 'Title 20')
  t.ok(slowly.length < 15, `${slowly.length} times`)
})

t.test('a change whose read fails is shown later, although the stream of events stays open', async (t) => {
  const { edit, rendered, reach } = await watched(t)
  await reach(0)
  const { fetch } = globalThis
  let reads = 0
  const failingOnce: typeof fetch = async (address, ...options) => {
    const isFirst = String(address).includes('/draft/pages') && ++reads === 1
    return isFirst ? new Response('Bad gateway', { status: 502 }) : fetch(address, ...options)
  }
  globals(t, { fetch: failingOnce })
  await edit.retitle('/', 'While a process ends')
  await until(() => rendered.length > 0)
  t.match(rendered, [{ title: 'While a process ends' }])
  t.equal(reads, 2)
})

t.test('it continues after the orchestrator was unavailable, until it is closed', async (t) => {
  const { stack, edit, rendered, reach, preview } = await watched(t)
  await reach(0)
  await stack.restart()
  await edit.retitle('/', 'After the restart')
  await until(() => rendered.length > 0)
  t.match(rendered.at(-1), { title: 'After the restart' })
  preview.close()
  const { length } = rendered
  await edit.retitle('/', 'Too late')
  await wait(300)
  await reach(length)
})
