import fc, { costlyRuns } from '../helpers/property.ts'
import t, { type Test } from 'tap'
import { Refusal } from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'
import type { Operation } from '../../plugins/content/operations/index.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import type { Page } from '../../plugins/content/page.ts'
import { bus } from '../../plugins/bus/port.ts'
import {
  draftChanged,
  drafts as draftsRef,
  type ChangeEvent,
  type Committed,
  type Edit,
} from '../../plugins/draft/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { batchFor, draftOf, drafts as anyDraft, pageOf, siteManifest } from '../helpers/content.ts'
import { draftsInMemory, textBlock, type SmallOptions } from '../helpers/stack.ts'
import { canonical, same } from '../helpers/canonical.ts'
import { emptyList } from '../helpers/plain.ts'

const id = { siteId: 'acme', session: 'dev' }
const startPages = [
  pageOf('/', [textBlock('b_1', 'One'), textBlock('b_2', 'Two')]),
  pageOf('/about', [textBlock('b_3', 'About')]),
  pageOf('/team', [textBlock('b_4', 'Team')]),
]
const body = (blockId: string, text: string, pageSlug = '/') => ({
  op: 'update_props',
  pageSlug,
  blockId,
  patch: { body: text },
})
const unstamped = ({ updatedAt: _stamp, ...page }: Page): object => page

function opsOf(raw: readonly unknown[]): readonly Operation[] {
  const parsed = parseOperations(raw)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.ops
}

/** One draft, changed by runs and by other edits. */
async function open(t: Test, options: SmallOptions = {}, at = id) {
  const mounted = mountForTest(t, draftsInMemory(options))
  const [drafts, messages] = [await mounted.get(draftsRef), await mounted.get(bus)]
  const events: ChangeEvent[] = []
  messages.subscribe(draftChanged, (event) => void events.push(event), {
    signal: new AbortController().signal,
  })
  const commit = (edit: Edit, run?: string): Promise<Committed> =>
    drafts.commit({ id: at, edit, run, actor: { kind: 'person' }, channel: 'chat' }, (committed) => committed)
  const operations = (raw: readonly unknown[], summary = 'Direct'): Edit => ({
    kind: 'operations',
    ops: opsOf(raw),
    source: 'planner',
    manifest: siteManifest,
    summary,
  })
  return {
    drafts,
    events,
    load: (list: readonly Page[]) => {
      const pages = new Map(list.map((page) => [page.slug, page]))
      return commit({ kind: 'pages', pages, source: 'push', summary: 'start' })
    },
    by: (run: string, ...raw: readonly unknown[]) => commit(operations(raw, `Run ${run}`), run),
    other: (...raw: readonly unknown[]) => commit(operations(raw)),
    step: (kind: 'undo' | 'redo', slug: string) => commit({ kind, slug, mine: { kind: 'person' } }),
    undo: (slug: string) => commit({ kind: 'undo', slug }),
    redo: (slug: string) => commit({ kind: 'redo', slug }),
    restore: (version: number) => commit({ kind: 'restore', version }),
    log: () => drafts.log(at, { limit: 100 }),
    content: async () =>
      canonical({ pages: (await drafts.pages(at)).map(unstamped), config: await drafts.config(at) }),
    text: async (slug = '/') => (await drafts.page(at, slug))?.page.blocks.map(({ props }) => props['body']),
  }
}

t.test('an undo and a redo pass over a run without an effect', async (t) => {
  for (const mine of [false, true]) {
    const { load, by, other, step, undo, redo, text, log, drafts } = await open(t)
    const back = () => (mine ? step('undo', '/') : undo('/'))
    const again = () => (mine ? step('redo', '/') : redo('/'))
    await load(startPages)
    await other(body('b_1', 'Mine'))
    await by('there and back', body('b_2', 'Else'))
    await by('there and back', body('b_2', 'Two'))
    t.equal((await drafts.head(id)).version, 4)
    const undone = await back()
    t.match(undone, { previewVersion: 5, changed: true, canUndo: false, canRedo: true })
    t.same(await text(), ['One', 'Two'], 'the change before it is undone')
    await again()
    t.same(await text(), ['Mine', 'Two'])
    t.same(
      (await log()).slice(-2).map(({ source }) => source),
      ['undo', 'redo'],
      'one line each',
    )
    if (!mine) {
      await by('again', body('b_3', 'Else', '/about'))
      await by('again', body('b_3', 'About', '/about'))
      await t.rejects(undo('/about'), { code: 'nothing_to_undo' })
    }
  }
})

t.test('a run without an effect can be restored', async (t) => {
  const { load, by, other, restore, text } = await open(t)
  await load(startPages)
  await other(body('b_1', 'Mine'))
  await by('there and back', body('b_2', 'Else'))
  const { previewVersion } = await by('there and back', body('b_2', 'Two'))
  await other(body('b_1', 'Later'))
  t.match(await restore(previewVersion), { changed: true })
  t.same(await text(), ['Mine', 'Two'])
})

t.test('steps of one run are separate versions and events, but one log entry and one undo', async (t) => {
  const { load, by, undo, redo, log, content, events, drafts } = await open(t)
  await load(startPages)
  const before = await content()
  await by('a', body('b_1', 'Ein'))
  await by('a', body('b_3', 'Über', '/about'), {
    op: 'add_block',
    pageSlug: '/about',
    block: textBlock('b_new', 'New'),
  })
  t.equal((await by('a', body('b_1', 'Eins'))).previewVersion, 4)
  const after = await content()
  const entry = { version: 4, summary: 'Run a', opTypes: ['update_props', 'add_block'], opCount: 4 }
  t.match(await log(), [{ version: 1 }, { ...entry, slugs: ['/', '/about'] }])
  t.equal((await log()).length, 2)
  t.same(events.map(({ previewVersion, slugs }) => [previewVersion, slugs]).slice(1), [
    [2, ['/']],
    [3, ['/about']],
    [4, ['/']],
  ])
  t.same(
    (await drafts.changesAfter(id, 1))?.map(({ at: _at, ...event }) => event),
    events.slice(1).map(({ at: _at, ...event }) => event),
    'a client that reconnects gets the same events',
  )

  t.match(await undo('/about'), { previewVersion: 5, canUndo: false, canRedo: true, notes: emptyList })
  t.equal(await content(), before)
  t.same(await drafts.steps(id, '/'), { canUndo: false, canRedo: true }, 'the step is undone for every page')
  await redo('/')
  t.equal(await content(), after)
})

t.test('a run, a change of another user and the rest of the run are three entries', async (t) => {
  const { load, by, other, undo, log, text, content } = await open(t)
  await load(startPages)
  const before = await content()
  await by('a', body('b_1', 'Ein'))
  await by('a', body('b_1', 'Eins'))
  await other(body('b_2', 'Zwei'))
  await by('a', body('b_1', 'Uno'))
  await by('b', body('b_1', 'Due'))
  t.match(await log(), [
    { version: 1 },
    { version: 3, opCount: 2 },
    { version: 4, summary: 'Direct' },
    { version: 5, opCount: 1 },
    { version: 6, summary: 'Run b' },
  ])
  for (const expected of [
    ['Uno', 'Zwei'],
    ['Eins', 'Zwei'],
    ['Eins', 'Two'],
    ['One', 'Two'],
  ]) {
    await undo('/')
    t.same(await text(), expected)
  }
  t.equal(await content(), before)
})

t.test('an undo in the middle of a run ends its entry', async (t) => {
  const { load, by, undo, log, text } = await open(t)
  await load(startPages)
  await by('a', body('b_1', 'Ein'))
  await undo('/')
  await by('a', body('b_2', 'Zwei'))
  t.match(await log(), [{ version: 1 }, { version: 2 }, { version: 3 }, { version: 4, opCount: 1 }])
  await undo('/')
  t.same(await text(), ['One', 'Two'])
})

t.test('added and removed pages, moves and settings are merged as well', async (t) => {
  const { load, by, undo, redo, content, log } = await open(t)
  await load(startPages)
  const before = await content()
  for (const op of [
    body('b_3', 'Über', '/about'),
    { op: 'create_page', page: { slug: '/new', title: 'New' } },
    { op: 'move_page', pageSlug: '/team', afterPageSlug: '/' },
    { op: 'update_site_config', patch: { name: 'A', tone: 'calm' } },
    { op: 'rename_page', pageSlug: '/about', newPageSlug: '/us' },
    { op: 'create_page', page: { slug: '/about', title: 'Again' } },
    { op: 'remove_page', pageSlug: '/new' },
    { op: 'rename_page', pageSlug: '/us', newPageSlug: '/we' },
    body('b_4', 'Everybody', '/team'),
  ])
    await by('a', op)
  const after = await content()
  t.match((await log()).at(-1), { version: 10, opCount: 9, slugs: ['/team', '/about', '/we'] })
  await undo('/team')
  t.equal(await content(), before)
  await redo('/we')
  t.equal(await content(), after)
})

t.test('what a run added and removed again cannot be undone', async (t) => {
  const { load, by, other, drafts, content, log } = await open(t)
  await load(startPages)
  await other({ op: 'update_site_config', patch: { name: 'B' } })
  const before = await content()
  await by(
    'a',
    { op: 'create_page', page: { slug: '/new', title: 'New' } },
    { op: 'update_site_config', patch: { name: 'A' } },
  )
  await by('a', { op: 'remove_page', pageSlug: '/new' }, { op: 'update_site_config', patch: { name: 'B' } })
  t.same(await drafts.steps(id, '/new'), { canUndo: false, canRedo: false })
  t.match((await log()).at(-1), { version: 4, opCount: 4, slugs: emptyList })
  t.equal(await content(), before)
})

t.test(
  'the log has up to a hundred entries, however many steps each has, and all can be restored',
  async (t) => {
    const { load, by, log, restore, text } = await open(t)
    await load(startPages)
    for (let n = 1; n <= 60; n++) await by(`run ${n}`, body('b_1', `first ${n}`))
    for (let n = 1; n <= 250; n++) await by('long', body('b_2', `step ${n}`))
    const entries = await log()
    t.equal(entries.length, 62)
    t.match(entries.at(-1), { version: 311, opCount: 250 })
    await t.rejects(restore(200), { status: 404, code: 'not_found' }, 'a step is not an entry')
    await restore(31)
    t.same(await text(), ['first 30', 'Two'])
    await restore(311)
    t.same(await text(), ['first 60', 'step 250'])
  },
)

t.test('after a restart the steps of an unfinished run are one entry', async (t) => {
  const store = createMemoryStore()
  const { load, by } = await open(t, { store })
  await load(startPages)
  for (const text of ['Ein', 'Eins', 'Uno']) await by('a', body('b_1', text))
  const later = await open(t, { store: { ...store, shared: true } })
  t.equal((await later.log()).length, 2)
  await later.undo('/')
  t.same(await later.text(), ['One', 'Two'])
})

t.test('a batch applied step by step equals the batch applied at once, also for undo and redo', async (t) => {
  let opened = 0
  const store = createMemoryStore()
  const options = { store, draft: { maxSessionsPerSite: 1_000_000 } }
  const property = fc.asyncProperty(anyDraft, fc.gen(), async (start, g) => {
    const [together, steps] = await Promise.all(
      ['w', 's'].map((kind) => open(t, options, { siteId: 'acme', session: `${kind}${opened}` })),
    )
    opened += 1
    if (!together || !steps) throw new Error('two drafts')
    const pages = start.order.flatMap((slug) => start.page(slug) ?? [])
    for (const draft of [together, steps]) {
      await draft.load(pages)
      await draft.other({ op: 'update_site_config', patch: start.config })
    }
    const before = await steps.content()
    const entries = (await steps.log()).length
    const parsed = parseOperations(g(batchFor, draftOf(pages, start.config), { maxLength: 5 }))
    if (!parsed.ok) return
    const all = await refusedOr(together.by('run', ...parsed.ops))
    let count = 0
    for (const op of parsed.ops) {
      const done = await refusedOr(steps.by('run', op))
      if (done === 'no_effective_change') continue
      if (typeof done === 'string') break
      count += Number(done.changed)
    }
    same((await steps.log()).length, entries + Math.min(count, 1), 'one entry')
    const after = await steps.content()
    if (typeof all !== 'string') same(after, await together.content(), 'the same draft')
    const [slug] = (await steps.log()).at(-1)?.slugs ?? []
    if (count > 0 && slug !== undefined && typeof (await refusedOr(steps.undo(slug))) !== 'string') {
      same(await steps.content(), before, 'one undo reverts all of it')
      await steps.redo(slug)
      same(await steps.content(), after, 'and one redo restores all of it')
    }
  })
  await fc.assert(property, { numRuns: costlyRuns(50), interruptAfterTimeLimit: 30_000 })
  t.pass('for drafts and batches by chance')
})

async function refusedOr(work: Promise<Committed>): Promise<Committed | string> {
  return work.catch((error: unknown) => {
    if (error instanceof Refusal) return error.code
    throw error
  })
}
