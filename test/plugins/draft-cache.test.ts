import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { collectGarbage } from '../helpers/memory.ts'
import { withBlocksOnUse } from '../../plugins/content/blocks-on-use.ts'
import { mergePage, samePage } from '../../plugins/content/merge/index.ts'
import type { Block, Page } from '../../plugins/content/page.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { DraftCache, firstHead, toDraftHead } from '../../plugins/draft/testing.ts'
import { pageOf } from '../helpers/content.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import type { Store } from '../../plugins/store/port.ts'
import { openDrafts, textBlock } from '../helpers/stack.ts'

t.test('a page that is replaced in the cache is let go, however often', async (t) => {
  const memory = new DraftCache()
  const drafts = Array.from({ length: 10 }, (_, at) => memory.of(`draft ${at}`))
  const seen: WeakRef<Page>[] = []
  for (let at = 0; at < 200; at++) {
    for (const draft of drafts) {
      const page = pageOf('/', [textBlock('b', `text ${at}`)])
      seen.push(new WeakRef(page))
      draft.keep('/', { page, rank: 'a', size: 1000 }, at)
    }
  }
  // A weak reference is strong until its turn of the event loop ends.
  await setImmediate()
  collectGarbage()
  t.equal(seen.filter((page) => page.deref()).length, drafts.length)
  t.ok(drafts.every((draft) => draft.page('/', 199)))
})

t.test('pages that read their blocks on use hold none of them after a comparison', async (t) => {
  const seen: WeakRef<readonly Block[]>[] = []
  const pages = Array.from({ length: 100 }, (_, at) =>
    withBlocksOnUse({ id: `p${at}`, slug: `/${at}`, title: 'Boats', updatedAt: '' }, () => {
      const blocks = [textBlock('b', `text ${at}`)]
      seen.push(new WeakRef(blocks))
      return blocks
    }),
  )
  for (const page of pages) {
    t.ok(samePage({ ...page }, page))
    t.notOk(samePage({ ...page, blocks: [] }, page))
    t.ok(mergePage({ base: page, ours: page, theirs: { ...page } }, { registry: builtinRegistry }).merged)
  }
  await setImmediate()
  collectGarbage()
  t.ok(seen.length >= 300)
  t.strictSame(
    seen.filter((blocks) => blocks.deref()),
    [],
  )
  t.equal(pages[7]?.blocks.length, 1)
})

t.test(
  'pages and drafts beyond the limit are evicted, and a newer page is hidden from readers',
  async (t) => {
    const memory = new DraftCache()
    const size = 1024 * 1024
    const loaded = { page: pageOf('/', [textBlock('b', 'x'.repeat(size))]), rank: 'a', size }
    const first = memory.of('first')
    for (let at = 0; at < 20; at++) first.keep(`/${at}`, { ...loaded }, at)
    t.equal(first.page('/0'), undefined)
    t.ok(first.page('/19', 19))
    t.equal(first.page('/19', 18), undefined)
    for (let at = 0; at < 500; at++) memory.of(`other ${at}`)
    t.equal(memory.peek('first'), undefined)
    t.equal(memory.of('first').page('/19'), undefined)
  },
)

t.test('readers share a page while its draft has one version, unless it is replaced within it', async (t) => {
  const draft = new DraftCache().of('a draft')
  const [first, second] = ['first', 'second'].map((text) => pageOf('/', [textBlock('b', text)]))
  if (!first || !second) throw new Error('no pages')
  const readAt = (version: number) => {
    draft.visible = toDraftHead({ ...firstHead, version, pageCount: 1 })
    return draft.shown('/')
  }
  draft.keep('/', { page: first, rank: 'a', size: 1000 }, 1)
  const shown = readAt(1)
  t.match(shown, { page: first, rank: 'a', previewVersion: 1 })
  t.equal(readAt(1), shown)
  const later = readAt(2)
  t.match(later, { page: first, previewVersion: 2 })
  t.equal(readAt(2), later)

  const cached = draft.page('/')
  t.ok(cached)
  if (cached) draft.keep('/', { ...cached, page: second }, 2)
  t.match(readAt(2), { page: second, previewVersion: 2 }, 'an address that a site signs anew has no version')
  draft.keep('/', undefined, 3)
  t.equal(readAt(3), undefined)
})

t.test('what is known of pages that were removed is dropped after a thousand', async (t) => {
  const kept = createMemoryStore()
  const read: string[] = []
  const store: Store = {
    ...kept,
    transaction: (run) =>
      kept.transaction((tx) =>
        run({
          ...tx,
          of(spec) {
            const writer = tx.of(spec)
            return {
              ...writer,
              get(...[scope, key]) {
                if (spec.name === 'draft_stacks') read.push(key)
                return writer.get(scope, key)
              },
            }
          },
        }),
      ),
  }
  const { bootstrap, ops, retitle } = openDrafts(t, { store })
  await bootstrap([pageOf('/', [textBlock('b', 'Home')])])
  const slugsOf = (batch: number) => Array.from({ length: 50 }, (_, at) => `/page-${batch}-${at}`)
  for (let batch = 0; batch < 20; batch++) {
    await retitle('/', `Title ${batch}`)
    const slugs = slugsOf(batch)
    await ops(slugs.map((slug) => ({ op: 'create_page', page: { slug, title: slug } })))
    await ops(slugs.map((pageSlug) => ({ op: 'remove_page', pageSlug })))
  }
  t.equal(read.filter((slug) => slug === '/').length, 1)
  await retitle('/', 'Last')
  t.equal(read.filter((slug) => slug === '/').length, 2)
})

t.test(
  'a transaction that is repeated, because another process was faster, forgets its first try',
  async (t) => {
    const memory = { ...createMemoryStore(), shared: true }
    let faster: (() => Promise<unknown>) | undefined
    const repeating: Store = {
      ...memory,
      async transaction(run) {
        const first = faster
        faster = undefined
        if (!first) return memory.transaction(run)
        const tried = memory.transaction(async (tx) => {
          await run(tx)
          throw new Error('another process was faster')
        })
        await t.rejects(tried, { message: 'another process was faster' })
        await first()
        return memory.transaction(run)
      },
    }
    const [one, other] = [openDrafts(t, { store: repeating }), openDrafts(t, { store: memory })]
    const create = (slug: string) => [{ op: 'create_page', page: { slug, title: slug } }]
    await one.bootstrap([pageOf('/', [textBlock('b', 'Home')])])
    faster = () => other.ops(create('/theirs'))
    const answer = await one.ops(create('/own'))
    t.equal(answer.status, 200, 'the page of the first try does not exist')
    t.strictSame((await one.slugs()).toSorted(), ['/', '/own', '/theirs'])
    t.equal(await other.version(), await one.version())
  },
)

t.test('a read between the writes of a change does not replace its page in the cache', async (t) => {
  const kept = createMemoryStore()
  let between: (() => Promise<unknown>) | undefined
  const store: Store = {
    ...kept,
    transaction: (run) =>
      kept.transaction((tx) =>
        run({
          ...tx,
          of(spec) {
            const writer = tx.of(spec)
            return {
              ...writer,
              async put(...written) {
                if (spec.name === 'draft_stacks') await between?.()
                return writer.put(...written)
              },
            }
          },
        }),
      ),
  }
  const { bootstrap, get, ops } = openDrafts(t, { store })
  await bootstrap([pageOf('/', [textBlock('first', 'A'), textBlock('second', 'A')])])
  const change = async (blockId: string) =>
    ops([{ op: 'update_props', pageSlug: '/', blockId, patch: { body: 'B' } }])
  const read = async () => (await get('/draft/pages', { slug: '/' })).text
  let seen: string | undefined
  between = async () => (seen = await read())
  await change('first')
  t.equal(seen?.match(/"A"/g)?.length, 2, 'the change was not durable yet')
  between = undefined
  t.equal((await read()).match(/"A"/g)?.length, 1, 'the change is read')
  await change('second')
  t.notMatch(await read(), /"A"/, 'a second change of the page does not revert the first')
})
