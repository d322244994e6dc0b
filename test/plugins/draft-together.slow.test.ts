import { join } from 'node:path'
import t from 'tap'
import { Refusal, systemClock, use } from '../../kernel/index.ts'
import { mountForTest, stillClock } from '../../kernel/testing.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import { sameJson } from '../../plugins/content/plain-object.ts'
import {
  changeParticipants,
  drafts as draftsRef,
  type Committed,
  type CommitRequest,
  type Drafts,
  type Edit,
} from '../../plugins/draft/port.ts'
import { afterDiscard } from '../../plugins/draft/history/discard.ts'
import type { DraftId } from '../../plugins/scope/port.ts'
import { createMemoryStore, createPostgresStore } from '../../plugins/store/testing.ts'
import type { Store } from '../../plugins/store/port.ts'
import { batchFor, drafts as anyDraft, pageOf, siteManifest } from '../helpers/content.ts'
import { giving } from '../helpers/plain.ts'
import { startPostgres } from '../helpers/postgres.ts'
import fc from '../helpers/property.ts'
import { openSqlite, silent } from '../helpers/sqlite.ts'
import { draftsInMemory, editor, textBlock, versionIn, type SmallOptions } from '../helpers/stack.ts'

type Edits = readonly Edit[]

/** Concurrent edits of several people: some apply, some do not. */
const editsFor = (start: Parameters<typeof batchFor>[0]): fc.Arbitrary<Edits> => {
  const slug = fc.constantFrom(...start.order, '/new')
  const operations = batchFor(start, { maxLength: 3 }).map((raw): Edit | undefined => {
    const parsed = parseOperations(raw)
    return parsed.ok
      ? { kind: 'operations', ops: parsed.ops, source: 'direct', manifest: siteManifest }
      : undefined
  })
  const edit = fc.oneof(
    { weight: 6, arbitrary: operations },
    fc.record({ kind: fc.constantFrom('undo' as const, 'redo' as const), slug }),
    fc.record({ kind: fc.constant('restore' as const), version: fc.integer({ min: 1, max: 8 }) }),
    fc.string({ maxLength: 3 }).map((name): Edit => ({ kind: 'config', patch: { name } })),
    slug.map((some): Edit => ({
      kind: 'pages',
      pages: new Map([[some, pageOf(some, [textBlock('b_put', some)])]]),
      source: 'discard',
      summary: 'put',
    })),
  )
  return fc
    .array(edit, { minLength: 2, maxLength: 9 })
    .map((list) => list.filter((each) => each !== undefined))
}

/** What a client can see of a draft. */
async function seen(drafts: Drafts, id: DraftId, slugs: readonly string[]) {
  return {
    head: await drafts.head(id),
    pages: await drafts.pages(id),
    rows: await drafts.rows(id),
    alone: await Promise.all(slugs.map(async (slug) => (await drafts.page(id, slug))?.page ?? null)),
    steps: await Promise.all(slugs.map((slug) => drafts.steps(id, slug))),
    log: await drafts.log(id, { limit: 100 }),
    changes: await drafts.changesAfter(id, 0),
  }
}

const commitTo = (drafts: Drafts, id: DraftId) => (edit: Edit) =>
  drafts
    .commit({ id, edit, actor: { kind: 'person' }, channel: 'api' }, ({ pages, ...rest }) => ({
      ...rest,
      changedSlugs: [...pages.keys()],
    }))
    .catch((error: unknown) => {
      if (error instanceof Refusal) return { refused: error.code, reason: error.reason }
      throw error
    })

t.test('concurrent changes give the same result as sequential ones', async (t) => {
  const open = async (options: SmallOptions): Promise<Drafts> =>
    mountForTest(t, draftsInMemory({ clock: stillClock(), ...options })).get(draftsRef)
  const draft = { maxSessionsPerSite: 1_000_000 }
  const store = createMemoryStore()
  const apart = await open({ draft })
  const together = [
    await open({ store, draft }),
    await open({ draft: { ...draft, maxChangesPerTransaction: 1 } }),
    await open({ draft: { ...draft, maxChangesPerTransaction: 3 } }),
  ]
  const onlooker = await open({ store: { ...store, shared: true }, draft })
  let opened = 0
  const property = fc.asyncProperty(anyDraft, fc.gen(), async (start, g) => {
    const id = { siteId: 'acme', session: `s${++opened}` }
    const pages = new Map(start.order.map((slug) => [slug, start.page(slug)]))
    const edits: Edits = [{ kind: 'pages', pages, source: 'push', summary: 'start' }, ...g(editsFor, start)]
    const slugs = [...start.order, '/new']
    const outcomes = []
    for (const edit of edits) outcomes.push(await commitTo(apart, id)(edit))
    const wanted = { outcomes, seen: await seen(apart, id, slugs) }
    for (const drafts of together) {
      const found = {
        outcomes: await Promise.all(edits.map(commitTo(drafts, id))),
        seen: await seen(drafts, id, slugs),
      }
      if (!sameJson(found, wanted))
        throw new Error(`found ${JSON.stringify(found)}\nwanted ${JSON.stringify(wanted)}`)
    }
    const stored = await seen(onlooker, id, slugs)
    if (!sameJson(stored, wanted.seen))
      throw new Error(`stored ${JSON.stringify(stored)}\nwanted ${JSON.stringify(wanted.seen)}`)
  })
  await fc.assert(property, { numRuns: 150, interruptAfterTimeLimit: 30_000 })
  t.pass('for drafts and edits by chance')
})

t.test('a change that cannot be stored is refused without affecting others', async (t) => {
  const mounted = mountForTest(t, draftsInMemory())
  const { bootstrap, ops, retitle, page, slugs, version } = editor(mounted.inject)
  await bootstrap([pageOf('/', [textBlock('b_1', 'One')])])
  const kept = 'kept\u0000 as JSON, \\u0000 too'
  const block = (id: string) => ({ op: 'add_block', pageSlug: '/', block: textBlock(id, 'x') })
  const answers = await Promise.all([
    retitle('/', 'Good'),
    retitle('/', 'Bad\u0000'),
    ops([{ op: 'create_page', page: { slug: '/a' } }]),
    ops([{ op: 'create_page', page: { slug: '/b', title: 'n\u0000' } }]),
    ops([{ op: 'create_page', page: { slug: '/c', id: 'p\u0000' } }]),
    ops([block('b\u0000')]),
    ops([block('b_2')]),
    ops([{ op: 'update_props', pageSlug: '/', blockId: 'b_1', patch: { body: kept } }]),
    retitle('/', 'Last\u0000'),
  ])
  t.equal(answers.map(({ status }) => status).join(), '200,400,200,400,400,400,200,200,400')
  for (const answer of answers)
    if (answer.status === 400) t.match(answer.json(), { code: 'text_not_storable' })
  t.match(await page('/'), { title: 'Good', blocks: [{ props: { body: kept } }, { id: 'b_2' }] })
  t.same([await slugs(), await version()], [['/', '/a'], 5])
})

/** A store that counts its transactions, and reads and writes of pages within them. */
function counting(): {
  readonly store: Store
  readonly counts: { transactions: number; pages: number; reads: number }
} {
  const sound = createMemoryStore()
  const counts = { transactions: 0, pages: 0, reads: 0 }
  const store: Store = {
    ...sound,
    transaction(run) {
      counts.transactions++
      return sound.transaction((tx) =>
        run({
          ...tx,
          of(spec) {
            const writer = tx.of(spec)
            return {
              ...writer,
              get(...args) {
                if (spec.name === 'draft_pages') counts.reads++
                return writer.get(...args)
              },
              put(...args) {
                if (spec.name === 'draft_pages') counts.pages++
                return writer.put(...args)
              },
            }
          },
        }),
      )
    },
  }
  return { store, counts }
}

t.test('changes of one draft share a transaction, which writes a page once', async (t) => {
  const { store, counts } = counting()
  const mounted = mountForTest(t, draftsInMemory({ store }))
  const one = editor(mounted.inject, { session: 'one', siteId: 'acme' })
  const other = editor(mounted.inject, { session: 'other', siteId: 'acme' })
  await Promise.all([one, other].map(({ bootstrap }) => bootstrap([pageOf('/')])))
  const before = { ...counts }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 5 === 4 ? other : one).retitle('/', `Title ${at}`)),
  )
  t.equal(new Set(answers.map((answer, at) => `${at % 5 === 4} ${versionIn(answer)}`)).size, 20, 'versions')
  t.same([counts.transactions - before.transactions, counts.pages - before.pages], [2, 2])
  t.match(await one.page('/'), { title: 'Title 18' })
  t.match(await other.page('/'), { title: 'Title 19' })
})

t.test('a refused change does not affect others in its transaction', async (t) => {
  const mounted = mountForTest(t, draftsInMemory({ draft: { maxPageBytes: 2_000, maxPagesPerDraft: 3 } }))
  const { bootstrap, ops, retitle, undo, page, slugs, version } = editor(mounted.inject)
  await bootstrap([pageOf('/', [textBlock('b_1', 'One')]), pageOf('/a')])
  const body = (text: string) => ({
    op: 'update_props',
    pageSlug: '/',
    blockId: 'b_1',
    patch: { body: text },
  })
  const create = (slug: string) => ({ op: 'create_page', page: { slug } })
  const answers = await Promise.all([
    ops([body('Two')]),
    ops([body('Lost'), create('/lost'), body('x'.repeat(3_000))]),
    ops([body('Lost'), { op: 'update_props', pageSlug: '/', blockId: 'b_gone', patch: {} }]),
    ops([create('/b')]),
    ops([body('Lost'), create('/c')]),
    retitle('/', 'Kept'),
    undo('/a'),
    ops([body('Lost')], { 'if-match': '"2"' }),
    ops([{ op: 'remove_page', pageSlug: '/a' }, create('/d')]),
  ])
  t.equal(answers.map(({ status }) => status).join(), '200,413,400,200,413,200,400,409,200')
  t.match(await page('/'), { title: 'Kept', blocks: [{ props: { body: 'Two' } }] })
  t.same([await slugs(), await version()], [['/', '/b', '/d'], 5])
})

t.test('a new page gets an unused id, also among pages created concurrently', async (t) => {
  const mounted = mountForTest(t, draftsInMemory())
  const { bootstrap, ops, page } = editor(mounted.inject)
  await bootstrap([pageOf('/'), pageOf('/team', [], { id: 'p_about' })])
  await Promise.all(['/about', '/-about'].map((slug) => ops([{ op: 'create_page', page: { slug } }])))
  t.equal((await page('/about')).id, 'p_about_2')
  t.equal((await page('/-about')).id, 'p_about_3')
})

t.test('a page that is edited again, and its missing spellings, are not read again', async (t) => {
  const { store, counts } = counting()
  const mounted = mountForTest(t, draftsInMemory({ store }))
  const { bootstrap, ops, retitle, page } = editor(mounted.inject)
  await bootstrap([pageOf('/'), pageOf('/about')])
  await retitle('/about', 'One')
  const before = counts.reads
  for (const title of ['Two', 'Three']) t.equal((await retitle('/about', title)).status, 200)
  t.equal(counts.reads, before)
  t.equal((await retitle('/late', 'Early')).status, 404)
  t.equal((await ops([{ op: 'create_page', page: { slug: '/late' } }])).status, 200)
  t.equal((await retitle('/late', 'Later')).status, 200, 'a new page is found')
  t.equal((await ops([{ op: 'remove_page', pageSlug: '/late' }])).status, 200)
  for (let time = 0; time < 2; time++) t.equal((await retitle('/late', 'Gone')).status, 404)
  t.match(await page('/about'), { title: 'Three' })
})

/** Edits that fail, each for another reason; some of them only after they were written. */
const failing = () => {
  const operations = (...ops: readonly object[]): Edit => {
    const parsed = parseOperations(ops)
    if (!parsed.ok) throw new Error(parsed.message)
    return { kind: 'operations', ops: parsed.ops, source: 'direct' }
  }
  const retitled = operations({ op: 'rename_page', pageSlug: '/bad', newTitle: 'Bad' })
  const same: Edit = {
    kind: 'pages',
    pages: new Map([['/bad', pageOf('/bad')]]),
    source: 'discard',
    summary: '',
  }
  const fails = (): never => {
    throw new Refusal({ status: 400, code: 'own_failure', error: 'own', reason: 'Its own.' })
  }
  return fc.constantFrom<{
    readonly edit: Edit
    readonly code: string
    readonly more?: Partial<CommitRequest>
    readonly toAnswer?: (committed: Committed) => unknown
  }>(
    { edit: operations({ op: 'remove_page', pageSlug: '/gone' }), code: 'not_found' },
    {
      edit: operations(
        { op: 'create_page', page: { slug: '/lost' } },
        { op: 'remove_block', pageSlug: '/bad', blockId: 'b_gone' },
      ),
      code: 'not_found',
    },
    { edit: { kind: 'undo', slug: '/bad' }, code: 'nothing_to_undo' },
    { edit: { kind: 'redo', slug: '/bad' }, code: 'nothing_to_redo' },
    { edit: { kind: 'restore', version: 999 }, code: 'not_found' },
    { edit: { kind: 'undo-change', version: 999, withDependents: false }, code: 'not_found' },
    { edit: same, code: 'nothing_to_discard', toAnswer: afterDiscard },
    { edit: retitled, code: 'version_mismatch', more: { expect: 100 } },
    {
      edit: retitled,
      code: 'idempotency_key_reused',
      more: { idempotency: { key: 'used', fingerprint: 'other' } },
    },
    {
      edit: operations({ op: 'rename_page', pageSlug: '/bad', newTitle: 'x'.repeat(5_000) }),
      code: 'page_too_large',
    },
    {
      edit: operations({ op: 'rename_page', pageSlug: '/bad', newTitle: 'n\u0000' }),
      code: 'text_not_storable',
    },
    { edit: retitled, code: 'own_failure', more: { also: async () => fails() } },
    { edit: retitled, code: 'own_failure', more: { also: async () => async () => fails() } },
    {
      edit: { kind: 'config', patch: {} },
      code: 'own_failure',
      more: { also: async () => async () => fails() },
    },
    { edit: retitled, code: 'own_failure', toAnswer: fails },
    { edit: { kind: 'config', patch: { name: 'Lost' } }, code: 'own_failure', toAnswer: fails },
    {
      edit: retitled,
      code: 'BigInt',
      toAnswer: () => 1n,
      more: { idempotency: { key: 'new', fingerprint: 'new' } },
    },
    {
      edit: operations({ op: 'rename_page', pageSlug: '/bad', newTitle: 'watched' }),
      code: 'watcher failed',
    },
  )
}

/** Fails where a page is called "watched". */
const watcher = giving('watcher', changeParticipants, async (_tx, _event, pages) => {
  for (const { after } of pages.values()) if (after?.title === 'watched') throw new Error('watcher failed')
})

t.test('no failing change refuses another one of its transaction, on any store', async (t) => {
  const server = await startPostgres(t)
  const opened = { url: await server.database(), clock: systemClock, log: silent }
  const postgres = await createPostgresStore(opened)
  t.teardown(() => postgres.close())
  const stores = { memory: createMemoryStore(), sqlite: openSqlite(t, join(t.testdir(), 'db')), postgres }
  for (const [name, store] of Object.entries(stores)) {
    const draft = { maxPageBytes: 4_000, maxSessionsPerSite: 1_000_000 }
    const setting = draftsInMemory({ store, draft, plugins: [use(watcher)] })
    const drafts = await mountForTest(t, setting).get(draftsRef)
    let opened = 0
    const arbitrary = [fc.array(failing(), { minLength: 1, maxLength: 4 }), fc.array(fc.nat(4), six)] as const
    const property = fc.asyncProperty(...arbitrary, async (bad, places) => {
      const id = { siteId: 'acme', session: `s${++opened}` }
      const commit = (edit: Edit, more: Partial<CommitRequest> = {}, toAnswer = seenBy) =>
        drafts
          .commit<unknown>({ id, edit, actor: { kind: 'person' }, channel: 'api', ...more }, toAnswer)
          .then(
            (answer) => ({ answer }),
            (error: unknown) => ({ refused: error instanceof Refusal ? error.code : String(error) }),
          )
      const slugs = ['/bad', '/0', '/1', '/2', '/3', '/4', '/5']
      const pages = new Map(slugs.map((slug) => [slug, pageOf(slug)]))
      await commit({ kind: 'pages', pages, source: 'push', summary: '' })
      const empty: Edit = { kind: 'config', patch: {} }
      await commit(empty, { idempotency: { key: 'used', fingerprint: 'one' } })
      const good = slugs.slice(1).map((slug, at) => ({ slug, before: Math.min(places[at] ?? 0, bad.length) }))
      const sent: Promise<unknown>[] = []
      const wanted: unknown[] = []
      for (let at = 0; at <= bad.length; at++) {
        for (const { slug } of good.filter(({ before }) => before === at)) {
          const parsed = parseOperations([{ op: 'rename_page', pageSlug: slug, newTitle: `Good ${slug}` }])
          if (!parsed.ok) throw new Error(parsed.message)
          sent.push(commit({ kind: 'operations', ops: parsed.ops, source: 'direct' }))
          wanted.push({ answer: { changed: true } })
        }
        const next = bad[at]
        if (!next) continue
        sent.push(commit(next.edit, next.more, next.toAnswer))
        wanted.push({ refused: next.code })
      }
      const outcomes = (await Promise.all(sent)).map((outcome) => shortened(outcome))
      if (!sameJson(outcomes, wanted))
        throw new Error(`found ${JSON.stringify(outcomes)}\nwanted ${JSON.stringify(wanted)}`)
      const titles = (await drafts.rows(id)).map(({ title }) => title)
      const expected = slugs.map((slug) => (slug === '/bad' ? pageOf(slug).title : `Good ${slug}`))
      if (!sameJson(titles, expected)) throw new Error(`stored ${titles.join()}`)
      const { version } = await drafts.head(id)
      if (version !== 1 + good.length) throw new Error(`version ${version}`)
    })
    await fc.assert(property, { numRuns: name === 'postgres' ? 60 : 150, interruptAfterTimeLimit: 30_000 })
    t.pass(name)
  }
})

const six = { minLength: 6, maxLength: 6 }
const seenBy = ({ changed }: Committed): unknown => ({ changed })

/** An outcome with the word that names its error. */
const shortened = (outcome: unknown): unknown => {
  const refused = Reflect.get(Object(outcome), 'refused')
  const word = ['BigInt', 'watcher failed'].find((each) => String(refused).includes(each))
  return word === undefined ? outcome : { refused: word }
}
