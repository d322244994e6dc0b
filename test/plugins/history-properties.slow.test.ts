import fc from '../helpers/property.ts'
import t from 'tap'
import { Refusal, type Clock } from '../../kernel/index.ts'
import { mountForTest, stillClock } from '../../kernel/testing.ts'
import { applyBatch } from '../../plugins/content/batch.ts'
import type { Draft } from '../../plugins/content/model.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import type { Page } from '../../plugins/content/page.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { changes, heads, pageRows } from '../../plugins/draft/testing.ts'
import { draftKey } from '../../plugins/scope/port.ts'
import { drafts as draftsRef, type Committed, type Drafts, type Edit } from '../../plugins/draft/port.ts'
import type { DraftId } from '../../plugins/scope/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import type { Store } from '../../plugins/store/port.ts'
import { batchFor, changed, draftOf, drafts as anyDraft, pageOf, siteManifest } from '../helpers/content.ts'
import { draftsInMemory, storedBytes, textBlock } from '../helpers/stack.ts'
import { same } from '../helpers/canonical.ts'

/** Limits the number of runs and the time for shrinking. */
const limitedRuns = (numRuns: number) => ({ numRuns, interruptAfterTimeLimit: 20_000 })

/** One draft with random edits, and a second reader of it without a cache. */
interface Bench {
  readonly id: DraftId
  readonly clock: Clock & { advance(milliseconds: number): void }
  state(): Promise<Draft>
  /** The state as comparable content: pages in order without stamps, and the config. */
  content(): Promise<unknown>
  commit(edit: Edit, run?: string): Promise<Committed | Refusal>
  readonly drafts: Drafts
}

type OpenBench = (start: Draft) => Promise<Bench>

async function benches(t: Parameters<typeof mountForTest>[0]): Promise<OpenBench> {
  const store = createMemoryStore()
  const clock = stillClock()
  const options = { clock, draft: { maxSessionsPerSite: 1_000_000 } }
  const mounted = mountForTest(t, draftsInMemory({ ...options, store }))
  const forgetful = mountForTest(t, draftsInMemory({ ...options, store: { ...store, shared: true } }))
  const [drafts, onlooker] = [await mounted.get(draftsRef), await forgetful.get(draftsRef)]
  let opened = 0
  return async (start) => {
    const bench = openBench({
      id: { siteId: 'acme', session: `s${++opened}` },
      clock,
      drafts,
      onlooker,
      store,
    })
    const pages = new Map(start.order.map((slug) => [slug, start.page(slug)]))
    await bench.commit({ kind: 'pages', pages, source: 'push', summary: 'start' })
    await bench.commit({ kind: 'config', patch: start.config })
    return bench
  }
}

function openBench({
  id,
  clock,
  drafts,
  onlooker,
  store,
}: {
  readonly id: DraftId
  readonly clock: Bench['clock']
  readonly drafts: Drafts
  readonly onlooker: Drafts
  readonly store: Store
}): Bench {
  const state = async (): Promise<Draft> => draftOf(await drafts.pages(id), (await drafts.config(id)) ?? {})
  const content = async (): Promise<unknown> => ({
    pages: (await drafts.pages(id)).map(unstamped),
    config: (await drafts.config(id)) ?? {},
  })

  /** Commits, and checks the invariants of every commit. */
  const commit = async (edit: Edit, run?: string): Promise<Committed | Refusal> => {
    const before = {
      version: (await drafts.head(id)).version,
      pages: await drafts.pages(id),
      content: await content(),
    }
    let outcome: Committed | Refusal
    try {
      outcome = await drafts.commit(
        { id, edit, run, actor: { kind: 'person' }, channel: 'api' },
        (committed) => committed,
      )
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcome = error
    }
    const { version, pageCount } = await drafts.head(id)
    const pages = await drafts.pages(id)
    const rows = await drafts.rows(id)
    const isChange = !(outcome instanceof Refusal) && outcome.changed
    same(version, before.version + (isChange ? 1 : 0), 'only a change creates a version')
    if (!isChange)
      same(
        { pages: await drafts.pages(id), content: await content() },
        { pages: before.pages, content: before.content },
        'without a change everything stays',
      )
    same(
      rows.map(({ slug, title, updatedAt, blockCount }) => [slug, title, updatedAt, blockCount]),
      pages.map(({ slug, title, updatedAt, blocks }) => [slug, title, updatedAt, blocks.length]),
      'the list shows the pages',
    )
    same(
      [rows.length, new Set(rows.map(({ slug }) => slug)).size],
      [pageCount, pageCount],
      'slugs are unique and counted',
    )
    const scope = draftKey(id)
    const head = await store.of(heads).get(id.siteId, id.session)
    same(
      head?.body.sizes,
      version === 0
        ? undefined
        : {
            pages: storedBytes(await store.of(pageRows).list(scope)),
            records: storedBytes(await store.of(changes).list(scope)),
            oldest: 1,
          },
      'the head has the byte count of the stored pages',
    )
    same(await onlooker.pages(id), pages, 'the cache equals the store')
    for (const page of pages)
      same((await drafts.page(id, page.slug))?.page, page, 'a single page equals that of the list')
    const old = new Map(before.pages.map((page) => [page.slug, page]))
    for (const page of pages) {
      const was = old.get(page.slug)
      if (was)
        check(
          JSON.stringify(was) === JSON.stringify(page) || stampOf(page) > stampOf(was),
          `${page.slug} has a newer stamp: ${was.updatedAt}, ${page.updatedAt}`,
        )
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

/** Applies a random batch, and checks that the store holds the result of the engine. */
async function applySome(bench: Bench, raw: unknown, run?: string): Promise<Committed | undefined> {
  const parsed = parseOperations(raw)
  if (!parsed.ok) return undefined
  const before = await bench.state()
  const wanted = applyBatch(before, parsed.ops, {
    source: 'direct',
    registry: builtinRegistry,
    manifest: siteManifest,
    now: bench.clock.now(),
  })
  const outcome = await bench.commit(
    { kind: 'operations', ops: parsed.ops, source: 'direct', manifest: siteManifest },
    run,
  )
  check(wanted.ok === !(outcome instanceof Refusal), 'the engine and the store agree on what is refused')
  if (!wanted.ok || outcome instanceof Refusal) return undefined
  const after = changed(before, wanted.change)
  same(
    await bench.content(),
    {
      pages: after.order.map((slug) => after.page(slug)).map((page) => page && unstamped(page)),
      config: after.config,
    },
    'the store holds the result of the engine',
  )
  return outcome
}

const slugsWith = async (
  { drafts, id }: Bench,
  slugs: Iterable<string>,
  what: 'canUndo' | 'canRedo',
): Promise<string[]> => {
  const found: string[] = []
  for (const slug of new Set(slugs)) if ((await drafts.steps(id, slug))[what]) found.push(slug)
  return found
}

t.test('a batch is undone and redone completely from any page it touched', async (t) => {
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
    same(await bench.content(), before, 'undo reverts everything')
    same(
      [undone instanceof Refusal || undone.canRedo, await slugsWith(bench, slugs, 'canUndo')],
      [true, []],
      'one undo removes the change from every stack',
    )
    same(await slugsWith(bench, slugs, 'canRedo'), touched, 'and puts it on every redo stack')

    await bench.commit({ kind: 'redo', slug: g(fc.constantFrom, ...touched) })
    same(await bench.content(), after, 'redo restores everything')

    await bench.commit({ kind: 'undo', slug: g(fc.constantFrom, ...touched) })
    const slug = g(fc.constantFrom, ...touched)
    if (!draft.order.includes(slug)) return
    await bench.commit({
      kind: 'operations',
      ops: [{ op: 'update_page_meta', pageSlug: slug, patch: { title: `New ${bench.id.session}` } }],
      source: 'direct',
    })
    same((await bench.drafts.steps(bench.id, slug)).canRedo, false, 'a new edit clears the redo stack')
  })
  await fc.assert(property, limitedRuns(150))
  t.pass('for drafts and batches by chance')
})

t.test('the lines undone one by one, newest first, leave the draft as it was', async (t) => {
  const open = await benches(t)
  const property = fc.asyncProperty(anyDraft, fc.gen(), async (start, g) => {
    const bench = await open(start)
    const first = await bench.content()
    const { version: from } = await bench.drafts.head(bench.id)
    for (let n = 0; n < 4; n += 1) {
      const draft = await bench.state()
      if (draft.order.length > 0) await applySome(bench, g(batchFor, draft, { maxLength: 2 }))
    }
    const { version: to } = await bench.drafts.head(bench.id)
    for (let version = to; version > from; version -= 1) {
      const done = await bench.commit({ kind: 'undo-change', version, withDependents: false })
      // A batch may write a page that stays the same.
      const isDone = !(done instanceof Refusal) || ['nothing_to_undo', 'no_snapshot'].includes(done.code)
      check(isDone, `no line is refused: ${done instanceof Refusal ? done.reason : ''}`)
    }
    same(await bench.content(), first, 'nothing is left of the edits')
  })
  await fc.assert(property, limitedRuns(200))
  t.pass('for drafts and batches by chance')
})

t.test('any sequence of edits, undo, redo, restore and loads keeps the draft consistent', async (t) => {
  const open = await benches(t)
  const often = 'batch batch batch step step step step come come go go undo undo undo redo redo'
  const steps = [
    ...often.split(' '),
    ...'restore undo-change undo-change load load replace wait'.split(' '),
    'back and forth',
  ]
  const property = fc.asyncProperty(
    anyDraft,
    fc.array(fc.constantFrom(...steps), { minLength: 5, maxLength: 18 }),
    fc.gen(),
    async (start, walk, g) => {
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
          case 'step':
            if (draft.order.length > 0) await applySome(bench, g(batchFor, draft, { maxLength: 2 }), 'run')
            break
          case 'come': {
            const [slug, anchor] = [g(fc.constantFrom, '/x', '/y', '/z'), draft.order[0]]
            known.add(slug)
            if (anchor !== undefined)
              await applySome(bench, [
                { op: 'create_page', page: { slug } },
                { op: 'move_page', pageSlug: slug, afterPageSlug: anchor },
              ])
            break
          }
          case 'go':
            if (draft.order.length > 0)
              await applySome(bench, [{ op: 'remove_page', pageSlug: g(fc.constantFrom, ...draft.order) }])
            break
          case 'undo':
          case 'redo': {
            const possible = await slugsWith(bench, known, step === 'undo' ? 'canUndo' : 'canRedo')
            const slug = g(fc.constantFrom, ...known, ...possible, ...possible, ...possible, ...possible)
            const content = await bench.content()
            const can = (await drafts.steps(id, slug))[step === 'undo' ? 'canUndo' : 'canRedo']
            const outcome = await bench.commit({ kind: step, slug })
            // A rename is not undone by half.
            const refused = can ? 'changed_since' : `nothing_to_${step}`
            check(
              outcome instanceof Refusal ? outcome.code === refused : can,
              `${step} of ${slug} is possible when the steps say so`,
            )
            if (outcome instanceof Refusal) same(await bench.content(), content, 'a refusal changes nothing')
            if (!(outcome instanceof Refusal))
              same(outcome[step === 'undo' ? 'canRedo' : 'canUndo'], true, 'and can be reversed')
            break
          }
          case 'restore': {
            const target = g(fc.integer, { min: 1, max: version })
            const before = new Map(draft.order.map((slug) => [slug, draft.page(slug)]))
            const outcome = await bench.commit({ kind: 'restore', version: target })
            if (
              outcome instanceof Refusal ||
              !outcome.changed ||
              outcome.slug === undefined ||
              outcome.pages.size === 0
            )
              break
            await bench.commit({ kind: 'undo', slug: outcome.slug })
            const page = (await drafts.page(id, outcome.slug))?.page
            const was = before.get(outcome.slug)
            same(page && unstamped(page), was && unstamped(was), 'restore and undo leave the page unchanged')
            break
          }
          case 'undo-change': {
            const before = await bench.content()
            const target = g(fc.integer, { min: 1, max: version })
            const alone = await bench.commit({ kind: 'undo-change', version: target, withDependents: false })
            const done =
              alone instanceof Refusal && alone.code === 'changed_since'
                ? await bench.commit({ kind: 'undo-change', version: target, withDependents: true })
                : alone
            if (done instanceof Refusal) break
            await bench.commit({ kind: 'undo-change', version: done.previewVersion, withDependents: false })
            same(await bench.content(), before, 'the undo of a line is undone like any other line')
            break
          }
          case 'load':
          case 'replace': {
            const pages = new Map(
              (await drafts.pages(id))
                .slice(0, 2)
                .map((page): [string, Page] => [page.slug, { ...page, title: `Loaded ${version}` }]),
            )
            const gone = [...known].filter((slug) => !draft.order.includes(slug))
            const more = g(fc.constantFrom, ...known, ...gone, ...gone, ...gone)
            if (!pages.has(more)) pages.set(more, pageOf(more, [textBlock('b_loaded', `at ${version}`)]))
            const edit = { kind: 'pages', pages, summary: step } as const
            if (step === 'load') await bench.commit({ ...edit, source: 'push' })
            else {
              const before = await bench.content()
              const outcome = await bench.commit({ ...edit, source: 'restore' })
              same(
                (await bench.state()).order,
                [...pages.keys()],
                'the draft has exactly these pages, in this order',
              )
              if (outcome instanceof Refusal || !outcome.changed || g(fc.boolean)) break
              await bench.commit({ kind: 'undo', slug: outcome.slug ?? '/' })
              same(await bench.content(), before, 'a complete replacement is undone as one')
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
            // A change that was undone page by page is redone as one.
            const isMeant = (page: Page): boolean => there.notes.length === 0 || page.slug === slug
            same(
              (await drafts.pages(id)).filter(isMeant).map(unstamped),
              before.filter(isMeant).map(unstamped),
              'redo right after undo restores the state',
            )
          }
        }
      }
      const log = await drafts.log(id, { limit: 100 })
      const versions = new Set(log.map(({ version }) => version))
      const events = (await drafts.changesAfter(id, 0)) ?? []
      same(
        events.map(({ previewVersion }) => previewVersion),
        Array.from({ length: (await drafts.head(id)).version }, (_, at) => at + 1),
        'every version has an event',
      )
      check(log.at(-1)?.version === (await drafts.head(id)).version, 'the log ends with the newest')
      check(
        [...versions].toSorted((a, b) => a - b).every((each, at) => each === log[at]?.version),
        'and has each entry once, in order',
      )
    },
  )
  await fc.assert(property, limitedRuns(120))
  t.pass('for walks by chance')
})
