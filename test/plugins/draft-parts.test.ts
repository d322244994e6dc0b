/** Drafts of a large site share what they have not changed, with each other and with snapshots. */
import t, { type Test } from 'tap'
import { give } from '../../kernel/index.ts'
import { mountForTest } from '../../kernel/testing.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import type { Page } from '../../plugins/content/page.ts'
import { pageParts, pageRows } from '../../plugins/draft/testing.ts'
import { draftKey } from '../../plugins/scope/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import type { Store } from '../../plugins/store/port.ts'
import { page, publishing } from '../helpers/publishing.ts'
import { editor } from '../helpers/stack.ts'

const siteId = 'avocado-stories'
const slugOf = (n: number): string => (n === 0 ? '/' : `/page-${n}`)
const many = Array.from({ length: 100 }, (_, n) => page(slugOf(n), `Heading ${n}`))

/** A site of 100 pages that a test may change, its store, and editors of its drafts. */
function largeSite(t: Test, storage: Store = createMemoryStore()) {
  const site = { pages: many as readonly Page[] }
  const adapter = {
    readContent: async () => ({ pages: [...site.pages] }),
    writeContent: async ({ pages }: { readonly pages: readonly Page[] }) => {
      site.pages = pages
    },
  }
  const mounted = mountForTest(t, publishing({ storage, seeds: [give(contentAdapter, adapter)] }))
  const parts = async () => (await storage.of(pageParts).rows(siteId)).map(({ key }) => key)
  const rowsOf = async (session: string) => storage.of(pageRows).list(draftKey({ siteId, session }))
  return {
    site,
    parts,
    draft(session: string) {
      const own = async () => (await rowsOf(session)).filter(({ body }) => body).map(({ key }) => key)
      const edit = editor((request) => mounted.inject(request), { session, siteId })
      const retype = (slug: string, heading: string) =>
        edit.ops([{ op: 'update_props', pageSlug: slug, blockId: `b${slug}`, patch: { heading } }])
      return { ...edit, own, retype, publish: () => edit.send('/publish', {}) }
    },
  }
}

t.test('drafts share the pages that they have not changed', async (t) => {
  const { draft, parts } = largeSite(t)
  const [ada, ben] = [draft('ada'), draft('ben')]
  t.equal((await ada.slugs()).length, many.length)
  const first = await parts()
  t.ok(first.length > 1 && first.length < 20, `${first.length} parts`)
  t.strictSame((await ben.slugs()).length, many.length)
  t.strictSame([await ada.own(), await ben.own(), await parts()], [[], [], first])

  t.equal((await ada.retype('/page-7', 'By Ada')).status, 200)
  t.strictSame([await ada.own(), await ben.own(), await parts()], [['/page-7'], [], first])
  t.match(await ada.page('/page-7'), { blocks: [{ props: { heading: 'By Ada' } }] })
  t.match(await ben.page('/page-7'), { blocks: [{ props: { heading: 'Heading 7' } }] })
  t.equal((await ada.send('/history/undo', { slug: '/page-7' })).status, 200)
  t.match(await ada.page('/page-7'), { blocks: [{ props: { heading: 'Heading 7' } }] })
})

t.test('the first publish of a site stores the parts that differ, and no others', async (t) => {
  const { draft, parts, site } = largeSite(t)
  const ada = draft('ada')
  await ada.slugs()
  const { length } = await parts()
  await ada.retype('/page-50', 'New')
  const published = await ada.publish()
  t.equal(published.status, 200, published.text)
  t.match(site.pages[50], { blocks: [{ props: { heading: 'New' } }] })
  t.equal((await parts()).length, length + 1)
})

t.test('a part goes once no draft and no snapshot has it', async (t) => {
  const storage = createMemoryStore()
  const { draft, parts, site } = largeSite(t, storage)
  const ada = draft('ada')
  await ada.slugs()
  const first = await parts()
  site.pages = many.map((each, n) => page(each.slug, `Heading ${n}, changed by the site`))
  t.equal((await ada.get('/publish/diff')).status, 200)
  t.match(await ada.page('/page-9'), { blocks: [{ props: { heading: 'Heading 9, changed by the site' } }] })
  t.strictSame(await ada.own(), [], 'a draft follows in parts as well')
  const both = await parts()
  t.ok(both.length > first.length)
  await storage.transaction(async (tx) => {
    for (const { key, columns } of await tx.of(pageParts).rows(siteId)) {
      const stored = await tx.of(pageParts).get(siteId, key)
      if (stored)
        await tx.of(pageParts).put(siteId, key, { body: stored.body, columns: { ...columns, at: '' } })
    }
  })
  for (let n = 0; n < 10; n++) {
    await ada.retype('/page-9', `Round ${n}`)
    t.match(await ada.publish(), { status: 200 })
  }
  const left = await parts()
  t.notOk(
    first.some((key) => left.includes(key)),
    'what the draft had before it followed is gone',
  )
  for (const { slug } of many) t.match(await ada.page(slug), { slug })
})

t.test('a page of a draft is read again where its part went in between', async (t) => {
  const storage = createMemoryStore()
  const { draft } = largeSite(t, storage)
  const ada = draft('ada')
  await ada.slugs()
  let meanwhile: (() => Promise<unknown>) | undefined = async () => ada.retype('/page-3', 'Meanwhile')
  const other = largeSite(t, {
    ...storage,
    of(spec) {
      const reader = storage.of(spec)
      if (spec.name !== pageParts.name) return reader
      return {
        ...reader,
        async get() {
          await meanwhile?.()
          meanwhile = undefined
          return undefined
        },
      }
    },
  }).draft('ada')
  t.match(await other.page('/page-3'), { blocks: [{ props: { heading: 'Meanwhile' } }] })
  await t.rejects(other.get('/draft/pages', { slug: '/page-4' }), /The part .* is not stored/)
})
