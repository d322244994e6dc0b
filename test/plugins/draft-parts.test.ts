/** Drafts of a large site share what they have not changed, with each other and with what is published. */
import t, { type Test } from 'tap'
import { give } from '../../kernel/index.ts'
import { mountForTest, stillClock } from '../../kernel/testing.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import type { Page } from '../../plugins/content/page.ts'
import { pageParts, pageRows } from '../../plugins/draft/testing.ts'
import { draftKey } from '../../plugins/scope/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import type { Store } from '../../plugins/store/port.ts'
import { pinned } from '../../plugins/publish/testing.ts'
import { noon, page, publishing } from '../helpers/publishing.ts'
import { editor } from '../helpers/stack.ts'
import { until } from '../helpers/until.ts'

const siteId = 'avocado-stories'
const hourMs = 3_600_000
const onePm = '2026-01-01T13:00:00.000Z'
const slugOf = (n: number): string => (n === 0 ? '/' : `/page-${n}`)
const many = Array.from({ length: 300 }, (_, n) => page(slugOf(n), `Heading ${n}`))

/** A site of 300 pages that a test may change, its store, and editors of its drafts. */
function largeSite(t: Test, storage: Store = createMemoryStore()) {
  const site = { pages: many as readonly Page[] }
  const adapter = {
    readContent: async () => ({ pages: [...site.pages] }),
    writeContent: async ({ pages }: { readonly pages: readonly Page[] }) => {
      site.pages = pages
    },
  }
  const time = stillClock(noon)
  const options = { storage, time, publish: { lookEveryMs: 10 }, seeds: [give(contentAdapter, adapter)] }
  const mounted = mountForTest(t, publishing(options))
  const parts = async () => (await storage.of(pageParts).rows(siteId)).map(({ key }) => key)
  const rowsOf = async (session: string) => storage.of(pageRows).list(draftKey({ siteId, session }))
  return {
    site,
    time,
    parts,
    /** Makes all parts so old that nothing is about to use them. */
    age: () =>
      storage.transaction(async (tx) => {
        for (const { body, key } of await tx.of(pageParts).list(siteId))
          await tx.of(pageParts).put(siteId, key, { body, columns: { at: '' } })
      }),
    draft(session: string) {
      const own = async () => (await rowsOf(session)).filter(({ body }) => body).map(({ key }) => key)
      const edit = editor((request) => mounted.inject(request), { session, siteId })
      const retype = (slug: string, heading: string) =>
        edit.ops([{ op: 'update_props', pageSlug: slug, blockId: `b${slug}`, patch: { heading } }])
      return { ...edit, own, retype, publish: (how: object = {}) => edit.send('/publish', how) }
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
  const { draft, parts, site, age } = largeSite(t)
  const ada = draft('ada')
  await ada.slugs()
  const first = await parts()
  site.pages = many.map((each, n) => page(each.slug, `Heading ${n}, changed by the site`))
  t.equal((await ada.get('/publish/diff')).status, 200)
  t.match(await ada.page('/page-9'), { blocks: [{ props: { heading: 'Heading 9, changed by the site' } }] })
  t.strictSame(await ada.own(), [], 'a draft follows in parts as well')
  const both = await parts()
  t.ok(both.length > first.length)
  await age()
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

t.test('a scheduled publish shares parts as well, and holds those that it sends', async (t) => {
  const { draft, parts, site, age, time } = largeSite(t)
  const [ada, ben] = [draft('ada'), draft('ben')]
  await ada.slugs()
  const { length } = await parts()
  await ada.retype('/page-50', 'At its time')
  t.match(await ada.publish({ at: onePm }), { status: 202 })
  t.equal((await parts()).length, length + 1)
  await ada.send('/history/undo', { slug: '/page-50' })
  for (let n = 0; n < 10; n++) {
    await age()
    await ben.retype('/page-60', `Round ${n}`)
    t.match(await ben.publish(), { status: 200 })
  }
  time.advance(hourMs)
  const headingAt = (n: number) => site.pages[n]?.blocks[0]?.props['heading']
  await until(async () => headingAt(50) === 'At its time', 'the scheduled publish')
  t.equal(headingAt(60), 'Round 9')
})

t.test('a scheduled publish whose row has the pages is published', async (t) => {
  const storage = createMemoryStore()
  const { draft, site, time } = largeSite(t, storage)
  const ada = draft('ada')
  await ada.retype('/page-50', 'At its time')
  t.match(await ada.publish({ at: onePm }), { status: 202 })
  await storage.transaction(async (tx) => {
    for (const { key, body } of await tx.of(pinned).list('scheduled')) {
      const { siteConfig, base } = body
      const pages = await Promise.all(many.map(({ slug }) => ada.page(slug)))
      await tx.of(pinned).put('scheduled', key, { body: { pages, siteConfig, base }, columns: {} })
    }
  })
  time.advance(hourMs)
  await until(
    async () => site.pages[50]?.blocks[0]?.props['heading'] === 'At its time',
    'the scheduled publish',
  )
})
