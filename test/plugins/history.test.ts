import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { Refusal, type Clock } from '../../kernel/index.ts'
import { everyWayIn, mountForTest, stillClock } from '../../kernel/testing.ts'
import { applyBatch } from '../../plugins/content/batch.ts'
import type { Draft } from '../../plugins/content/model.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import type { Page } from '../../plugins/content/page.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { drafts as draftsRef, type Committed, type Drafts, type Edit } from '../../plugins/draft/port.ts'
import type { DraftId } from '../../plugins/scope/port.ts'
import { sites as sitesRef, type Sites } from '../../plugins/sites/port.ts'
import { createMemoryStore } from '../../plugins/store/memory.ts'
import { batchFor, changed, draftOf, drafts as anyDraft, pageOf, siteManifest } from '../helpers/content.ts'
import { draftsInMemory, editor, versionIn } from '../helpers/stack.ts'

const text = (id: string, body: string) => ({ id, type: 'RichText', props: { title: 'Text', body } })
const setBody = (pageSlug: string, blockId: string, body: string) => ({ op: 'update_props', pageSlug, blockId, patch: { body } })

/** So many runs; looking for the smallest failing one ends after a while. */
const shortly = (numRuns: number) => ({ numRuns, interruptAfterTimeLimit: 20_000 })

// By chance --------------------------------------------------------------------------------------------------------

/** One draft that is worked on by chance, and a second look at it that remembers nothing. */
interface Bench {
  readonly id: DraftId
  readonly clock: Clock & { advance(milliseconds: number): void }
  state(): Promise<Draft>
  /** The state as comparable content: pages in order without stamps, and the config. */
  content(): Promise<unknown>
  commit(edit: Edit): Promise<Committed | Refusal>
  readonly drafts: Drafts
}

type OpenBench = (start: Draft) => Promise<Bench>

async function benches(t: Parameters<typeof mountForTest>[0]): Promise<OpenBench> {
  const store = createMemoryStore()
  const clock = stillClock()
  const options = { clock, draft: { maxSessionsPerSite: 1_000_000 } }
  const mounted = mountForTest(t, draftsInMemory({ ...options, store }))
  const forgetful = mountForTest(t, draftsInMemory({ ...options, store: { ...store, shared: true } }))
  const [drafts, onlooker, sites] = [await mounted.get(draftsRef), await forgetful.get(draftsRef), await mounted.get(sitesRef)]
  let opened = 0
  return async (start) => {
    const bench = openBench({ id: { siteId: 'acme', session: `s${++opened}` }, clock, drafts, onlooker, sites })
    const pages = new Map(start.order.map((slug) => [slug, start.page(slug)]))
    await bench.commit({ kind: 'pages', pages, source: 'bootstrap', summary: 'start', undo: 'none' })
    await bench.commit({ kind: 'config', patch: start.config })
    return bench
  }
}

function openBench({ id, clock, drafts, onlooker, sites }: { readonly id: DraftId; readonly clock: Bench['clock']; readonly drafts: Drafts; readonly onlooker: Drafts; readonly sites: Sites }): Bench {
  const state = async (): Promise<Draft> => draftOf(await drafts.pages(id), await sites.config(id))
  const content = async (): Promise<unknown> => ({ pages: (await drafts.pages(id)).map(unstamped), config: await sites.config(id) })

  /** Commits, and checks what holds for every commit whatever it does. */
  const commit = async (edit: Edit): Promise<Committed | Refusal> => {
    const before = { version: (await drafts.head(id)).version, pages: await drafts.pages(id), content: await content() }
    let outcome: Committed | Refusal
    try {
      outcome = await drafts.commit({ id, edit, actor: { kind: 'person' }, channel: 'api' }, (committed) => committed)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcome = error
    }
    const { version, pageCount } = await drafts.head(id)
    const pages = await drafts.pages(id)
    const rows = await drafts.rows(id)
    const isChange = !(outcome instanceof Refusal) && outcome.changed
    same(version, before.version + (isChange ? 1 : 0), 'a change is one version, and nothing else is')
    if (!isChange) same({ pages: await drafts.pages(id), content: await content() }, { pages: before.pages, content: before.content }, 'what is no change leaves everything')
    same(rows.map(({ slug, title, updatedAt, blockCount }) => [slug, title, updatedAt, blockCount]), pages.map(({ slug, title, updatedAt, blocks }) => [slug, title, updatedAt, blocks.length]), 'the list shows the pages')
    same([rows.length, new Set(rows.map(({ slug }) => slug)).size], [pageCount, pageCount], 'slugs are unique and counted')
    same(await onlooker.pages(id), pages, 'what is remembered is what is stored')
    for (const page of pages) same((await drafts.page(id, page.slug))?.page, page, 'a page read alone is the page of the list')
    const old = new Map(before.pages.map((page) => [page.slug, page]))
    for (const page of pages) {
      const was = old.get(page.slug)
      if (was) check(JSON.stringify(was) === JSON.stringify(page) || stampOf(page) > stampOf(was), `${page.slug} has a newer stamp: ${was.updatedAt}, ${page.updatedAt}`)
    }
    return outcome
  }
  return { id, clock, state, content, commit, drafts }
}

const stampOf = ({ updatedAt }: Page): number => Date.parse(updatedAt) || 0
const unstamped = ({ updatedAt: _stamp, ...page }: Page): object => page

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

/** Compares as JSON does: the order of keys does not count, and a missing key is an undefined one. */
function same(found: unknown, wanted: unknown, what: string): void {
  const [a, b] = [canonical(found), canonical(wanted)]
  if (a !== b) throw new Error(`${what}:\n  found  ${a}\n  wanted ${b}`)
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner))

/** Applies a batch by chance, and checks that the store holds what the engine made of it. */
async function applySome(bench: Bench, raw: unknown): Promise<Committed | undefined> {
  const parsed = parseOperations(raw)
  if (!parsed.ok) return undefined
  const before = await bench.state()
  const wanted = applyBatch(before, parsed.ops, { source: 'direct', registry: builtinRegistry, manifest: siteManifest, now: bench.clock.now() })
  const outcome = await bench.commit({ kind: 'operations', ops: parsed.ops, source: 'direct', manifest: siteManifest })
  check(wanted.ok === !(outcome instanceof Refusal), 'the engine and the store agree on what is refused')
  if (!wanted.ok || outcome instanceof Refusal) return undefined
  const after = changed(before, wanted.change)
  same(await bench.content(), { pages: after.order.map((slug) => after.page(slug)).map((page) => page && unstamped(page)), config: after.config }, 'the store holds what the engine made')
  return outcome
}

const slugsWith = async ({ drafts, id }: Bench, slugs: Iterable<string>, what: 'canUndo' | 'canRedo'): Promise<string[]> => {
  const found: string[] = []
  for (const slug of new Set(slugs)) if ((await drafts.steps(id, slug))[what]) found.push(slug)
  return found
}

t.test('a batch that is undone on any page it touched, and redone on any, was never there, and is there again', async (t) => {
  const open = await benches(t)
  const property = fc.asyncProperty(anyDraft, fc.gen(), async (start, g) => {
    const bench = await open(start)
    const [draft, before] = [await bench.state(), await bench.content()]
    if (!(await applySome(bench, g(batchFor, draft)))) return
    const after = await bench.content()
    const slugs = [...draft.order, ...(await bench.state()).order]
    const touched = await slugsWith(bench, slugs, 'canUndo')
    if (touched.length === 0) return

    const undone = await bench.commit({ kind: 'undo', slug: g(fc.constantFrom, ...touched) })
    same(await bench.content(), before, 'undo takes everything back')
    same([undone instanceof Refusal || undone.canRedo, await slugsWith(bench, slugs, 'canUndo')], [true, []], 'one undo takes the change from every stack')
    same(await slugsWith(bench, slugs, 'canRedo'), touched, 'and puts it on every redo stack')

    await bench.commit({ kind: 'redo', slug: g(fc.constantFrom, ...touched) })
    same(await bench.content(), after, 'redo brings everything back')

    await bench.commit({ kind: 'undo', slug: g(fc.constantFrom, ...touched) })
    const slug = g(fc.constantFrom, ...touched)
    if (!draft.order.includes(slug)) return
    await bench.commit({ kind: 'operations', ops: [{ op: 'update_page_meta', pageSlug: slug, patch: { title: `New ${bench.id.session}` } }], source: 'direct' })
    same((await bench.drafts.steps(bench.id, slug)).canRedo, false, 'a new edit ends what could be redone')
  })
  await fc.assert(property, shortly(150))
  t.pass('for drafts and batches by chance')
})

t.test('any walk through edits, undo, redo, restore and loading keeps one consistent draft', async (t) => {
  const open = await benches(t)
  const steps = ['batch', 'batch', 'batch', 'come', 'come', 'go', 'go', 'undo', 'undo', 'undo', 'redo', 'redo', 'restore', 'load', 'load', 'replace', 'wait', 'back and forth'] as const
  const property = fc.asyncProperty(anyDraft, fc.array(fc.constantFrom(...steps), { minLength: 5, maxLength: 18 }), fc.gen(), async (start, walk, g) => {
    const bench = await open(start)
    const { drafts, id } = bench
    const known = new Set(start.order)
    for (const step of walk) {
      const draft = await bench.state()
      for (const slug of draft.order) known.add(slug)
      const { version } = await drafts.head(id)
      switch (step) {
        case 'batch':
          if (draft.order.length > 0) await applySome(bench, g(batchFor, draft, { maxLength: 3 }))
          break
        case 'come': {
          const [slug, anchor] = [g(fc.constantFrom, '/x', '/y', '/z'), draft.order[0]]
          known.add(slug)
          if (anchor !== undefined) await applySome(bench, [{ op: 'create_page', page: { slug } }, { op: 'move_page', pageSlug: slug, afterPageSlug: anchor }])
          break
        }
        case 'go':
          if (draft.order.length > 0) await applySome(bench, [{ op: 'remove_page', pageSlug: g(fc.constantFrom, ...draft.order) }])
          break
        case 'undo':
        case 'redo': {
          const possible = await slugsWith(bench, known, step === 'undo' ? 'canUndo' : 'canRedo')
          const slug = g(fc.constantFrom, ...known, ...possible, ...possible, ...possible, ...possible)
          const can = (await drafts.steps(id, slug))[step === 'undo' ? 'canUndo' : 'canRedo']
          const outcome = await bench.commit({ kind: step, slug })
          check(outcome instanceof Refusal ? !can && outcome.code === `nothing_to_${step}` : can, `${step} of ${slug} is possible when the steps say so`)
          if (!(outcome instanceof Refusal)) same(outcome[step === 'undo' ? 'canRedo' : 'canUndo'], true, 'and can be reversed')
          break
        }
        case 'restore': {
          const target = g(fc.integer, { min: 1, max: version })
          const before = new Map(draft.order.map((slug) => [slug, draft.page(slug)]))
          const outcome = await bench.commit({ kind: 'restore', version: target })
          if (outcome instanceof Refusal || !outcome.changed || outcome.slug === undefined || outcome.pages.size === 0) break
          await bench.commit({ kind: 'undo', slug: outcome.slug })
          const page = (await drafts.page(id, outcome.slug))?.page
          const was = before.get(outcome.slug)
          same(page && unstamped(page), was && unstamped(was), 'restore and undo leave the page as it was')
          break
        }
        case 'load':
        case 'replace': {
          const pages = new Map((await drafts.pages(id)).slice(0, 2).map((page): [string, Page] => [page.slug, { ...page, title: `Loaded ${version}` }]))
          const gone = [...known].filter((slug) => !draft.order.includes(slug))
          const more = g(fc.constantFrom, ...known, ...gone, ...gone, ...gone)
          if (!pages.has(more)) pages.set(more, pageOf(more, [text('b_loaded', `at ${version}`)]))
          const edit = { kind: 'pages', pages, summary: step } as const
          if (step === 'load') await bench.commit({ ...edit, source: 'bootstrap', undo: 'replaced' })
          else {
            const before = await bench.content()
            const outcome = await bench.commit({ ...edit, source: 'restore', undo: 'all', exactly: true })
            same((await bench.state()).order, [...pages.keys()], 'the draft has exactly these pages, in this order')
            if (outcome instanceof Refusal || !outcome.changed || g(fc.boolean)) break
            await bench.commit({ kind: 'undo', slug: outcome.slug ?? '/' })
            same(await bench.content(), before, 'a whole replacement is undone as one')
          }
          break
        }
        case 'wait':
          bench.clock.advance(g(fc.integer, { min: 1, max: 5_000 }))
          break
        case 'back and forth': {
          const slug = g(fc.constantFrom, ...known)
          const before = await drafts.pages(id)
          const there = await bench.commit({ kind: 'undo', slug })
          if (there instanceof Refusal) break
          await bench.commit({ kind: 'redo', slug })
          same((await drafts.pages(id)).map(unstamped), before.map(unstamped), 'redo right after undo leads back')
        }
      }
    }
    const log = await drafts.log(id, { limit: 100 })
    same(log.map(({ version }) => version), Array.from({ length: (await drafts.head(id)).version }, (_, at) => at + 1), 'the log has every version')
  })
  await fc.assert(property, shortly(120))
  t.pass('for walks by chance')
})

// By hand ----------------------------------------------------------------------------------------------------------

const startPages = [
  pageOf('/', [{ id: 'b_hero', type: 'Hero', props: { heading: 'Hi', imageUrl: '/x.png', imageAlt: 'x', ctaText: 'Prices', ctaHref: '/prices?tab=2' } }]),
  pageOf('/about', [text('b_1', 'See [prices](/prices#top).')]),
  pageOf('/prices', [text('b_2', 'All prices')]),
]

async function open(t: Parameters<typeof mountForTest>[0], options: Parameters<typeof draftsInMemory>[0] = {}) {
  const mounted = mountForTest(t, draftsInMemory(options))
  const client = editor((wish) => mounted.inject(wish))
  await client.bootstrap(startPages)
  const content = async (): Promise<unknown> => {
    const pages = await Promise.all((await client.slugs()).map((slug) => client.page(slug)))
    return { pages: pages.map(unstamped), config: (await client.get('/draft/site-config')).json() }
  }
  const steps = async (slug: string): Promise<unknown> => (await client.get('/history/status', { slug })).json()
  return { ...client, content, steps, restore: (targetVersion: unknown) => client.send('/history/restore', { targetVersion }), discard: (body: object = {}) => client.send('/history/discard', body) }
}

const applied = (previewVersion: number, canUndo: boolean, canRedo: boolean, navigateToSlug?: string) =>
  ({ status: 'applied', previewVersion, canUndo, canRedo, ...(navigateToSlug !== undefined && { navigateToSlug }), notes: [] })

t.test('undo and redo answer with what an editor shows next', (t) =>
  everyWayIn(t, draftsInMemory, async (t, ask) => {
    const { bootstrap, ops, undo, redo, get, send } = editor(ask)
    await bootstrap(startPages)
    await ops([setBody('/about', 'b_1', 'New')])
    t.strictSame((await get('/history/status', { slug: '/about' })).json(), { canUndo: true, canRedo: false })
    t.strictSame((await undo('/about')).json(), applied(3, false, true))
    t.strictSame((await redo('/about')).json(), applied(4, true, false))

    await ops([{ op: 'create_page', page: { slug: '/new' } }])
    t.strictSame((await undo('/new')).json(), applied(6, false, true, '/'), 'the page is gone: home')
    t.strictSame((await redo('/new')).json(), applied(7, true, false, '/new'), 'the page is back: itself')
    await ops([{ op: 'remove_page', pageSlug: '/new' }])
    t.strictSame((await undo('/new')).json(), applied(9, true, true, '/new'))
    await ops([{ op: 'rename_page', pageSlug: '/new', newPageSlug: '/newer' }])
    t.strictSame((await undo('/newer')).json(), applied(11, false, true, '/new'), 'the page that came in its place')
    t.strictSame((await redo('/new')).json(), applied(12, true, false, '/newer'))
    t.match((await get('/history/log')).json(), { entries: [{}, {}, { version: 3, source: 'undo', opTypes: [], opCount: 0, slug: '/about', channel: 'history', summary: /^Undid: / }, { version: 4, source: 'redo', summary: /^Redid: / }, ...Array<object>(8).fill({})] })

    for (const way of ['undo', 'redo'] as const) {
      t.match((await (way === 'undo' ? undo : redo)('/prices')).json(), { error: new RegExp(`nothing to ${way}`), code: `nothing_to_${way}`, reason: /nothing to/ })
      t.equal((await send(`/history/${way}`, { slug: '/nowhere' })).status, 400)
      for (const [body, error] of [[{}, 'slug is required'], [{ slug: '' }, 'slug is required'], [{ slug: '/', session: '' }, 'session is required'], [{ slug: '/', session: undefined }, 'session is required'], [{ slug: 7 }, /'slug'/]] as const) {
        const answer = await send(`/history/${way}`, body)
        t.same(answer.status, 400)
        t.match(answer.json(), { error, reason: error, code: 'invalid_request' }, `${way} ${JSON.stringify(body)}`)
      }
      t.match((await ask({ method: 'POST', url: `/history/${way}` })).json(), { error: 'session is required' }, 'without a body')
    }
  }))

t.test('fifty steps can be taken back, and brought again', async (t) => {
  const { retitle, undo, redo, page, steps } = await open(t)
  for (let title = 1; title <= 55; title++) await retitle('/about', `Title ${title}`)
  for (let step = 1; step <= 50; step++) t.equal((await undo('/about')).status, 200, `undo ${step}`)
  t.match((await undo('/about')).json(), { code: 'nothing_to_undo' })
  t.same([(await page('/about')).title, await steps('/about')], ['Title 5', { canUndo: false, canRedo: true }])
  for (let step = 1; step <= 50; step++) t.equal((await redo('/about')).status, 200, `redo ${step}`)
  t.match((await redo('/about')).json(), { code: 'nothing_to_redo' })
  t.same([(await page('/about')).title, await steps('/about')], ['Title 55', { canUndo: true, canRedo: false }])
})

t.test('what touched several pages is taken back whole from any of them', async (t) => {
  const rows: readonly [what: string, ops: readonly object[], touched: readonly string[]][] = [
    ['a rename that rewrote links and the menu', [{ op: 'rename_page', pageSlug: '/prices', newPageSlug: '/rates' }], ['/', '/about', '/prices', '/rates']],
    ['a rename, an edit and another rename', [{ op: 'rename_page', pageSlug: '/prices', newPageSlug: '/rates' }, setBody('/rates', 'b_2', 'x'), { op: 'rename_page', pageSlug: '/rates', newPageSlug: '/fees' }], ['/', '/prices', '/fees']],
    ['a page copy', [{ op: 'duplicate_page', pageSlug: '/about', newPageSlug: '/team' }], ['/team']],
    ['a block copied to another page', [{ op: 'duplicate_block', pageSlug: '/about', blockId: 'b_1', toPageSlug: '/prices' }], ['/prices']],
    ['an order', [{ op: 'move_page', pageSlug: '/prices' }], ['/prices']],
    ['an order and the config', [{ op: 'move_page', pageSlug: '/prices' }, { op: 'update_site_config', patch: { name: 'Neu', navLabels: { '/prices': '' } } }], ['/prices']],
    ['a removed page', [{ op: 'remove_page', pageSlug: '/about' }], ['/about']],
    ['a page that took the place of another', [{ op: 'remove_page', pageSlug: '/about' }, { op: 'create_page', page: { slug: '/about', title: 'Other' } }], ['/about']],
  ]
  for (const [what, batch, touched] of rows) {
    for (const slug of touched) {
      const { ops, config, content, undo, redo, steps } = await open(t)
      await config({ name: 'Alt', navLabels: { '/prices': 'What it costs' }, navGroups: { More: ['/prices'] } })
      const before = await content()
      t.equal((await ops(batch)).status, 200, what)
      const after = await content()
      t.match((await undo(slug)).json(), { status: 'applied', notes: [], canRedo: true })
      t.strictSame(await content(), before, `${what}: undo on ${slug}`)
      for (const other of touched) t.strictSame(await steps(other), { canUndo: false, canRedo: true }, `${what}: ${other} after undo`)
      t.match((await redo(slug)).json(), { status: 'applied', notes: [], canUndo: true })
      t.strictSame(await content(), after, `${what}: redo on ${slug}`)
    }
  }
})

t.test('where something newer stands on another page, only this page goes back, and the answer says so', async (t) => {
  const { ops, undo, redo, page, retitle, get, config } = await open(t)
  await ops([setBody('/about', 'b_1', 'Both'), setBody('/prices', 'b_2', 'Both'), { op: 'update_site_config', patch: { name: 'Both' } }])
  await retitle('/prices', 'Newer')
  const undone = await undo('/about')
  t.match(undone.json(), { canUndo: false, canRedo: true, notes: [/^Only \/about .*\/prices/] })
  t.match([await page('/about'), await page('/prices')], [{ blocks: [{ props: { body: 'See [prices](/prices#top).' } }] }, { title: 'Newer', blocks: [{ props: { body: 'Both' } }] }])
  t.match((await get('/draft/site-config')).json(), { name: 'Both' }, 'the config stays')
  await undo('/prices')
  t.match((await undo('/prices')).json(), { notes: [/^Only \/prices/] }, 'the rest goes back alone as well')
  t.match((await redo('/about')).json(), { notes: [] }, 'and comes again together')
  t.match([await page('/about'), await page('/prices')], [{ blocks: [{ props: { body: 'Both' } }] }, { blocks: [{ props: { body: 'Both' } }] }])

  const { ops: more, undo: back, config: set, get: read } = await open(t)
  await more([setBody('/about', 'b_1', 'x'), { op: 'update_site_config', patch: { name: 'Batch', logo: '/batch.png' } }])
  await set({ name: 'By hand' })
  t.match((await back('/about')).json(), { notes: [] })
  t.strictSame((await read('/draft/site-config')).json(), { name: 'By hand' }, 'a key that was written since keeps its value, the other goes back')
  t.ok(config)
})

t.test('a page that a site brings in is the ground for what comes: nothing before it can be taken back', async (t) => {
  const { ops, bootstrap, undo, redo, steps, slugs } = await open(t)
  await ops([{ op: 'remove_page', pageSlug: '/about' }])
  await ops([{ op: 'create_page', page: { slug: '/new' } }])
  await undo('/new')
  await bootstrap([pageOf('/about', [text('b_site', 'From the site')]), pageOf('/new', [text('b_n', 'From the site')])], { overwrite: true })
  for (const slug of ['/about', '/new']) {
    t.strictSame(await steps(slug), { canUndo: false, canRedo: false }, slug)
    t.match([(await undo(slug)).json(), (await redo(slug)).json()], [{ code: 'nothing_to_undo' }, { code: 'nothing_to_redo' }])
  }
  t.same(await slugs(), ['/', '/prices', '/about', '/new'])
})

t.test('a page returns to its place, also where another page has come to stand there', async (t) => {
  const { ops, undo, slugs } = await open(t)
  await ops([{ op: 'create_page', page: { slug: '/m' } }, { op: 'move_page', pageSlug: '/m', afterPageSlug: '/about' }])
  await ops([{ op: 'remove_page', pageSlug: '/m' }])
  await ops([{ op: 'create_page', page: { slug: '/b' } }, { op: 'move_page', pageSlug: '/b', afterPageSlug: '/about' }])
  await undo('/m')
  t.same(await slugs(), ['/', '/about', '/m', '/b', '/prices'])
  await ops([{ op: 'create_page', page: { slug: '/n' } }, { op: 'move_page', pageSlug: '/n', afterPageSlug: '/m' }])
  t.same(await slugs(), ['/', '/about', '/m', '/n', '/b', '/prices'], 'and there is room between them')
})

t.test('the log has the newest hundred changes, and each of them can be put back', async (t) => {
  const { ops, config, page, get, restore, undo, slugs, retitle } = await open(t)
  const seen = new Map<number, unknown>()
  const versions = 200
  for (let version = 2; version <= versions; version++) {
    // Every third edit is taken back and overtaken, so that its record stands on no stack; some change the config alone.
    if (version % 10 === 0) await config({ name: `At ${version}` })
    else if (version % 3 === 0) await undo('/about')
    else await ops([setBody('/about', 'b_1', `At ${version}`)])
    seen.set(version, version % 10 === 0 ? `At ${version}` : (await page('/about')).blocks[0]?.props['body'])
  }
  const Log = v.looseObject({ entries: v.array(v.looseObject({ version: v.number() })), currentVersion: v.number() })
  const log = async (query: Readonly<Record<string, string>> = {}) => v.parse(Log, (await get('/history/log', query)).json())
  const shown = (await log({ limit: '100' })).entries.map(({ version }) => version)
  t.same(shown, Array.from({ length: 100 }, (_, at) => versions - 99 + at))
  for (const [limit, count] of [['1', 1], ['1.9', 1], ['0', 50], ['-3', 50], ['x', 50], ['', 50], ['100', 100], ['101', 100], ['1e9', 100]] as const) {
    const { entries, currentVersion } = await log({ limit })
    t.same([entries.length, entries.at(-1)?.version, currentVersion], [count, versions, versions], `limit ${limit}`)
  }
  t.ok((await log({ slug: '/about' })).entries.every((entry) => entry['slug'] === '/about'))
  t.same((await log({ slug: '/prices' })).entries, [])

  // The newest first: every restore is a change itself and pushes the oldest out of the log.
  for (const [at, version] of shown.toReversed().slice(0, 50).entries()) {
    const answer = await restore(version)
    t.match(answer.json(), { status: 'applied', navigateToSlug: version % 10 === 0 ? '/' : '/about' }, `version ${version}`)
    const found = version % 10 === 0 ? Reflect.get(Object((await get('/draft/site-config')).json()), 'name') : (await page('/about')).blocks[0]?.props['body']
    t.equal(found, seen.get(version), `version ${version} is back, restore ${at}`)
  }
  const { currentVersion } = await log()
  t.match((await restore(currentVersion - 100)).json(), { code: 'not_found', error: /not in the log/ })
  t.equal((await restore(currentVersion - 99)).status, 200)
  for (const [targetVersion, status] of [[currentVersion + 10, 404], [0, 404], [-1, 404], ['5', 400], [1.5, 400], [null, 400], [undefined, 400]] as const) {
    t.equal((await restore(targetVersion)).status, status, String(targetVersion))
  }
  await retitle('/about', 'Still')
  t.same(await slugs(), ['/', '/about', '/prices'])
})

t.test('a restore is one page, one change, and can be undone', async (t) => {
  const { ops, restore, undo, page, slugs, get, steps, send } = await open(t)
  await ops([setBody('/about', 'b_1', 'Two')])
  await ops([setBody('/about', 'b_1', 'Three'), setBody('/prices', 'b_2', 'Three')])
  await ops([{ op: 'create_page', page: { slug: '/new' } }])
  await ops([{ op: 'remove_page', pageSlug: '/new' }])
  const answer = await restore(2)
  t.strictSame(answer.json(), applied(6, true, false, '/about'))
  t.match([await page('/about'), await page('/prices')], [{ blocks: [{ props: { body: 'Two' } }] }, { blocks: [{ props: { body: 'Three' } }] }], 'other pages stay')
  t.match((await get('/history/log')).json(), { entries: [{}, {}, {}, {}, {}, { version: 6, source: 'restore', opTypes: [], slug: '/about', summary: /version 2/ }] })
  await undo('/about')
  t.match(await page('/about'), { blocks: [{ props: { body: 'Three' } }] })
  t.strictSame((await restore(4)).json(), applied(8, true, false, '/new'), 'a page that is gone comes back')
  t.same(await slugs(), ['/', '/about', '/prices', '/new'])
  await undo('/new')
  t.same([await slugs(), await steps('/new')], [['/', '/about', '/prices'], { canUndo: true, canRedo: true }])
  t.strictSame((await restore(9)).json(), applied(9, true, true, '/new'), 'what is as it was then stays, and is no change')

  await ops([{ op: 'update_page_meta', pageSlug: '/', patch: { title: 'Ten' } }])
  await ops([{ op: 'duplicate_block', pageSlug: '/', blockId: 'b_hero', toPageSlug: '/prices' }])
  await ops([{ op: 'update_page_meta', pageSlug: '/', patch: { title: 'Twelve' } }])
  t.strictSame((await restore(11)).json(), applied(13, true, false, '/'), 'an entry about a page that it did not change leads to that page as it was')
  t.match(await page('/'), { meta: { title: 'Ten' } })
  for (const [body, error] of [[{ session: '', targetVersion: 1 }, 'session is required'], [{}, /targetVersion/]] as const) t.match((await send('/history/restore', body)).json(), { error })
})

t.test('discard leads back to what is published, as one change that can be undone', (t) =>
  everyWayIn(t, draftsInMemory, async (t, ask) => {
    const { bootstrap, ops, send, undo, slugs, page, version, config, get } = editor(ask)
    const discard = (body: object = {}) => send('/history/discard', body)
    await bootstrap(startPages)
    t.match((await discard()).json(), { code: 'baseline_unavailable', error: /cannot be read/ }, 'without anything published there is nothing to go back to')
    await send('/publish')
    t.match((await discard()).json(), { code: 'nothing_to_discard', error: /nothing to discard/ })
    t.match((await discard({ slug: '/about' })).json(), { code: 'nothing_to_discard' })
    t.match((await discard({ slug: '/nowhere' })).json(), { code: 'not_found', error: /neither/ })
    t.equal(await version(), 1)

    await ops([setBody('/about', 'b_1', 'Edited'), { op: 'create_page', page: { slug: '/new' } }, { op: 'remove_page', pageSlug: '/prices' }])
    await config({ name: 'Kept' })
    t.strictSame((await discard({ slug: '/about' })).json(), applied(4, true, false))
    t.strictSame((await discard({ slug: '/new' })).json(), applied(5, true, false, '/'), 'a page that is not published goes')
    t.strictSame((await discard({ slug: '/prices' })).json(), applied(6, true, false, '/prices'), 'a published one comes back')
    t.match((await get('/history/log')).json(), { entries: [{}, {}, {}, { source: 'discard', slug: '/about', channel: 'history' }, {}, {}] })
    for (const slug of ['/about', '/new', '/prices']) t.match((await undo(slug)).json(), { status: 'applied', notes: [] })
    t.same([await slugs(), (await page('/about')).blocks[0]?.props['body']], [['/', '/about', '/new'], 'Edited'])

    t.match((await discard()).json(), { status: 'applied', previewVersion: 10, notes: [] })
    t.same(await slugs(), ['/', '/about', '/prices'])
    t.match((await undo('/about')).json(), { previewVersion: 11, notes: [] })
    t.same([await slugs(), (await page('/about')).blocks[0]?.props['body']], [['/', '/about', '/new'], 'Edited'], 'discarding everything is undone as one')
    t.match((await get('/draft/site-config')).json(), { name: 'Kept' })

    const rows: readonly [body: object, status: number, error: RegExp][] = [
      [{ siteOrigin: 'http://evil.test' }, 400, /siteOrigin is not an allowed URL/],
      [{ siteOrigin: 'nonsense' }, 400, /siteOrigin/],
      [{ slug: 7 }, 400, /'slug'/],
      [{ session: ' ' }, 400, /^session is required$/],
      [{ session: undefined }, 400, /^session is required$/],
    ]
    for (const [body, status, error] of rows) {
      const answer = await discard(body)
      t.equal(answer.status, status)
      t.match(answer.json(), { error, reason: error, code: String })
    }
  }))

t.test('a restored snapshot is one change, and undo brings pages and order back', async (t) => {
  const { ops, send, get, slugs, content, undo, redo } = await open(t)
  await send('/publish')
  const published = await content()
  await ops([setBody('/about', 'b_1', 'Edited'), { op: 'create_page', page: { slug: '/new' } }, { op: 'remove_page', pageSlug: '/prices' }])
  const commit = /"commit":"([0-9a-f]{7})"/.exec((await get('/restore/snapshots')).text)?.[1]
  const [before, edited] = [await slugs(), await content()]
  t.match((await send('/restore/snapshot', { commit })).json(), { status: 'restored', session: 'dev', scopedSession: 'acme::dev', slugs: ['/', '/about', '/prices'], previewVersion: 3 })
  t.strictSame(await content(), published)
  t.match((await undo('/new')).json(), { notes: [], navigateToSlug: '/new' })
  t.strictSame([await slugs(), await content()], [before, edited])
  await redo('/new')

  await ops([{ op: 'move_page', pageSlug: '/prices' }])
  await send('/restore/snapshot', { commit })
  t.same(await slugs(), ['/', '/about', '/prices'])
  t.match((await undo('/prices')).json(), { notes: [] })
  t.same(await slugs(), ['/', '/prices', '/about'], 'an order alone comes back as well')
})

t.test('changes of different drafts, and at once, do not get in each other\'s way', async (t) => {
  const mounted = mountForTest(t, draftsInMemory())
  const clients = ['a', 'b', 'c'].map((session) => editor((wish) => mounted.inject(wish), { session, siteId: 'acme' }))
  await Promise.all(clients.map(({ bootstrap }) => bootstrap(startPages)))
  await Promise.all(clients.flatMap(({ retitle }, at) => Array.from({ length: 20 }, (_, step) => retitle('/about', `${at} ${step}`))))
  for (const [at, { page, version, undo }] of clients.entries()) {
    t.same([(await page('/about')).title, await version()], [`${at} 19`, 21])
    const undone = await Promise.all(Array.from({ length: 25 }, () => undo('/about')))
    t.same(undone.map(({ status }) => status).toSorted(), [...Array<number>(20).fill(200), ...Array<number>(5).fill(400)])
    t.same([(await page('/about')).title, undone.filter(({ status }) => status === 200).map(versionIn).toSorted((a, b) => a - b)], ['about', Array.from({ length: 20 }, (_, step) => 22 + step)])
  }
})
