import { failureOf, type ContractTest } from '../../kernel/testing.ts'
import type { ContentAdapter, SiteContent } from '../../plugins/content/adapter.ts'
import { toBaseline } from '../../plugins/content/baseline.ts'
import type { Page } from '../../plugins/content/page.ts'
import { type Contract, proveContract } from './contract.ts'

/** An adapter with control over its source. */
export interface AdapterSetting {
  readonly adapter: ContentAdapter
  /** Makes the source unreadable, or its data invalid: the next read must fail. */
  breakSource?(): unknown
}

const at = '2026-01-01T12:00:00.000Z'
const page = (slug: string, more: Partial<Page> = {}): Page => ({
  id: `p${slug}`,
  slug,
  title: `Page ${slug}`,
  updatedAt: at,
  blocks: [],
  ...more,
})

/** Content with everything that a source may lose or alter; new for each use, because a faulty adapter may mutate it. */
const makeRich = (): SiteContent => ({
  pages: [
    page('/about', {
      title: 'Über uns – 関于 🚲',
      meta: { title: 'Meta', description: '"quoted"\nand broken' },
    }),
    page('/', {
      blocks: [
        {
          id: 'b_1',
          type: 'RichText',
          props: {
            body: 'A <b>bold</b> claim & more',
            nothing: null,
            number: 0,
            yes: false,
            _internal: 'kept',
          },
        },
        {
          id: 'b_2',
          type: 'OwnType',
          props: {
            rows: [{ id: 'itm_0000000001', title: 'One', deep: { deeper: [1, [2, [3]]] } }],
            empty: [],
          },
        },
      ],
    }),
    page('/a/b/c'),
  ],
  siteConfig: { name: 'Acme', navLabels: { '/about': 'About us' }, navGroups: { More: ['/a/b/c'] } },
})

const makeListed = () => [
  { from: '/team', to: '/about?by=team#us', at },
  { from: '/crew', to: '/about', at: '2025-01-01T12:00:00.000Z', note: 'by hand' },
  { pattern: '/blog/*', target: '/' },
  { from: '/Über-uns', to: '/about' },
]

/** Returns content as a reader has it who reads only the pages that `changes` names. */
async function contentByChanges(
  { changes, read }: ContentAdapter,
  before: { readonly state?: string; readonly pages: readonly Page[] } = { pages: [] },
) {
  const found = await changes?.(before.state)
  if (!found || !read) return undefined
  const { slugs, changed, state, ...rest } = found
  const known = new Map(before.pages.map((page) => [page.slug, page]))
  const pages: Page[] = []
  for (const slug of slugs) {
    const page = changed.includes(slug) ? await read(slug) : known.get(slug)
    if (page) pages.push(page)
  }
  return { state, changed, pages, content: { ...rest, pages } }
}

const asBaseline = (content: SiteContent): unknown => JSON.parse(JSON.stringify(toBaseline(content)))

type Open = (content: SiteContent) => Promise<AdapterSetting>

/**
 * The contract of every content adapter. `open` returns an adapter whose source has the given content; a
 * source without site settings may omit `siteConfig`, and one that takes no redirects omits `redirects`.
 */
export const contentAdapterContract = <T extends ContractTest>(
  t: T,
  open: (t: T, content: SiteContent) => AdapterSetting | Promise<AdapterSetting>,
): Promise<void> => proveContract(t, async (t) => async (content) => open(t, content), contract)

const rich = makeRich()
const listed = makeListed()
const withoutRedirects = (content: SiteContent): SiteContent => ({ ...content, redirects: undefined })
const pagesOf = (content: SiteContent): unknown => asBaseline({ pages: content.pages })

const contract: Contract<Open> = {
  'the complete content is read: every page in its order, with everything in it': async (t, open) => {
    const { adapter } = await open(makeRich())
    const content = await adapter.readContent()
    t.same(pagesOf(content), pagesOf(rich))
    if (content.siteConfig === undefined) return
    t.same(asBaseline(withoutRedirects(content)), asBaseline(rich))
  },

  'a source that says nothing about the site settings gives none, which is not empty ones': async (
    t,
    open,
  ) => {
    const { adapter } = await open({ pages: makeRich().pages })
    t.equal((await adapter.readContent()).siteConfig, undefined)
  },

  'a site without pages is not a failure': async (t, open) => {
    const { adapter } = await open({ pages: [] })
    t.same((await adapter.readContent()).pages, [])
  },

  'a large site is read completely': async (t, open) => {
    const pages = Array.from({ length: 2_000 }, (_, index) => page(`/page-${index}`))
    const { adapter } = await open({ pages })
    t.same(
      (await adapter.readContent()).pages.map(({ slug }) => slug),
      pages.map(({ slug }) => slug),
    )
  },

  'readers do not disturb each other, whatever one does with what it got': async (t, open) => {
    const { adapter } = await open(makeRich())
    const [first, second] = await Promise.all([adapter.readContent(), adapter.readContent()])
    t.same(asBaseline(first), asBaseline(second))
    for (const each of first.pages) Object.assign(each, { title: 'Spoiled', blocks: [] })
    t.same(pagesOf(await adapter.readContent()), pagesOf(rich))
  },

  'a source that cannot be read fails with a sentence, and never gives a part': async (t, open) => {
    const { adapter, breakSource } = await open(makeRich())
    if (!breakSource) return
    await breakSource()
    const message = await failureOf(adapter.readContent())
    t.equal(/^(?!did not fail$)\S+ \S+ .*\S/.test(message), true, message)
  },

  'what is written replaces everything, and is read back; what is lost is reported': async (t, open) => {
    const { adapter } = await open({ pages: [page('/old'), page('/')] })
    if (!adapter.writeContent) return
    const { notes = [] } = (await adapter.writeContent(makeRich())) ?? {}
    const content = await adapter.readContent()
    t.same(pagesOf(content), pagesOf(rich))
    if (content.siteConfig !== undefined) t.same(asBaseline(withoutRedirects(content)), asBaseline(rich))
    else t.equal(notes.length > 0, true, 'site settings that were dropped without a note')
    await adapter.writeContent({ pages: [page('/')] })
    t.same(
      (await adapter.readContent()).pages.map(({ slug }) => slug),
      ['/'],
    )
    await adapter.writeContent({ pages: [] })
    t.same((await adapter.readContent()).pages, [])
  },

  'content without site settings keeps the existing ones': async (t, open) => {
    const { adapter } = await open(makeRich())
    if (!adapter.writeContent) return
    const { siteConfig } = await adapter.readContent()
    await adapter.writeContent({ pages: [page('/')] })
    t.same((await adapter.readContent()).siteConfig, siteConfig)
  },

  'a source that takes redirects lists them as they are, in their order, and an empty list without any':
    async (t, open) => {
      const { adapter } = await open({ ...makeRich(), redirects: makeListed() })
      const { redirects } = await adapter.readContent()
      if (redirects) t.same(redirects, listed)
      const empty = await open({ ...makeRich(), redirects: [] })
      t.same((await empty.adapter.readContent()).redirects, redirects && [])
    },

  'redirects that are written replace the listed ones; content without redirects keeps them': async (
    t,
    open,
  ) => {
    for (const siteConfig of [undefined, { name: 'Acme' }]) {
      const { adapter } = await open({ pages: [page('/')], siteConfig, redirects: makeListed().slice(2) })
      const read = async () => (await adapter.readContent()).redirects
      if (!adapter.writeContent || !(await read())) return
      await adapter.writeContent({ pages: [page('/')], redirects: makeListed() })
      t.same(await read(), listed)
      await adapter.writeContent({ pages: [page('/about')] })
      t.same(await read(), listed)
      await adapter.writeContent({ pages: [page('/')], redirects: [] })
      t.same(await read(), [])
    }
  },

  'what `changes` names, read page by page, is the complete content, also after changes': async (t, open) => {
    const { adapter } = await open(makeRich())
    const whole = await contentByChanges(adapter)
    if (!whole) return
    t.same(asBaseline(whole.content), asBaseline(await adapter.readContent()))
    const again = await adapter.changes?.(whole.state)
    t.same([again?.state, again?.changed], [whole.state, []], 'nothing has changed')
    t.same((await contentByChanges(adapter, { ...whole, state: 'of another process' }))?.changed.length, 3)
    t.equal(await adapter.read?.('/nowhere'), undefined)
    for (const page of whole.pages) Object.assign(page, { title: 'Spoiled' })
    t.same(pagesOf((await contentByChanges(adapter))?.content ?? { pages: [] }), pagesOf(makeRich()))
    const before = await contentByChanges(adapter)
    if (!adapter.writeContent || !before) return
    const [about, home] = makeRich().pages
    const changed = [page('/new'), { ...about, title: 'Changed' }, home].flatMap((each) =>
      each ? [page(each.slug ?? '', each)] : [],
    )
    await adapter.writeContent({ pages: changed })
    const after = await contentByChanges(adapter, before)
    t.equal(after?.state === before.state, false, 'another state has another name')
    t.same(
      ['/about', '/new'].filter((slug) => !after?.changed.includes(slug)),
      [],
    )
    t.same(asBaseline(after?.content ?? { pages: [] }), asBaseline(await adapter.readContent()))
  },

  'changes of a source that cannot be read fail with a sentence': async (t, open) => {
    const { adapter, breakSource } = await open(makeRich())
    if (!breakSource || !adapter.changes) return
    await breakSource()
    const message = await failureOf(adapter.changes())
    t.equal(/^(?!did not fail$)\S+ \S+ .*\S/.test(message), true, message)
  },

  'of concurrent writers one wins completely; readers see one complete version': async (t, open) => {
    const { adapter } = await open({ pages: [page('/')] })
    if (!adapter.writeContent) return
    const versions = Array.from({ length: 10 }, (_, round) =>
      Array.from({ length: 20 }, (_, index) => page(`/page-${index}`, { title: `Round ${round}` })),
    )
    const writing = Promise.all(versions.map((pages) => adapter.writeContent?.({ pages })))
    const seen: SiteContent[] = []
    for (let round = 0; round < 20; round++) seen.push(await adapter.readContent())
    await writing
    seen.push(await adapter.readContent())
    for (const { pages } of seen) t.equal(new Set(pages.map(({ title }) => title)).size, 1, 'one version')
    t.equal(seen.at(-1)?.pages.length, 20)
  },
}
