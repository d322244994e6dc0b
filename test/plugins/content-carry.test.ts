import t from 'tap'
import type { SiteContent } from '../../plugins/content/adapter.ts'
import { toBaseline } from '../../plugins/content/baseline.ts'
import { unreadableSlugs, withCarried } from '../../plugins/content/carry.ts'
import { ingestPage } from '../../plugins/content/ingest.ts'
import type { Page } from '../../plugins/content/page.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'

const page = (slug: string, more: object = {}): Page => ({
  id: `p${slug}`,
  slug,
  title: slug,
  updatedAt: '2026-01-01T00:00:00.000Z',
  blocks: [],
  ...more,
})
const [home, a, b, c, d] = [page('/'), page('/a'), page('/b'), page('/c'), page('/d')]
const second = page('/b', { title: 'Second' })
const siteOf = (entries: readonly unknown[]): SiteContent => toBaseline(entries) ?? { pages: [] }
const sent = async (pages: readonly Page[], entries: readonly unknown[]) =>
  (await withCarried(pages, siteOf(entries))).entries

t.test('an entry stays after its page or, if that goes, after the one before it', async (t) => {
  const cases: readonly (readonly [
    what: string,
    site: readonly unknown[],
    draft: readonly Page[],
    stored: readonly unknown[],
  ])[] = [
    ['nothing changes', [1, home, 2, 3, a, 4], [home, a], [1, home, 2, 3, a, 4]],
    ['its page is removed', [home, a, 1, 2, b, 3], [home, b], [home, 1, 2, b, 3]],
    ['the first page is removed', [home, 1, a, 2], [a], [1, a, 2]],
    ['every page is removed', [home, 1, a, 2], [], [1, 2]],
    ['its page is moved', [home, a, 1, b, 2], [home, b, a], [home, b, 2, a, 1]],
    ['a page is added', [home, 1, a, 2], [home, b, a, c], [home, 1, b, a, 2, c]],
    ['home is not the first', [1, a, 2, home, 3], [home, a], [1, home, 3, a, 2]],
    ['no page can be used', [1, 2], [home], [1, 2, home]],
    ['the first page of two is moved', [home, b, a, second], [home, a, b], [home, a, b, second]],
    ['the first page of two is removed', [home, b, a, second], [home, a], [home, a, second]],
    ['entries are equal', [home, 1, a, 1, 1], [a, home], [a, 1, 1, home, 1]],
    ['its page has another address', [home, a, 1, b, 2], [home, c, b], [home, c, 1, b, 2]],
    ['the first page has another address', [home, 1, b, 2], [a, b], [a, 1, b, 2]],
    ['two pages have other addresses', [home, 1, a, 2, b, 3], [c, d, b], [c, 1, d, 2, b, 3]],
    ['its page is removed and another added', [home, a, 1, b, 2], [home, b, c], [home, 1, b, 2, c]],
    ['null is an entry', [null, home, null, 1], [home], [null, home, null, 1]],
  ]
  for (const [what, site, draft, stored] of cases) t.strictSame(await sent(draft, site), stored, what)
})

t.test('what was only repaired is stored as it was, also in a page that changes', async (t) => {
  const { updatedAt: _at, ...unstamped } = page('/a')
  const hero = { type: 'Hero', props: { heading: 'Hello' } }
  const rows = { type: 'FAQAccordion', props: { title: 'Questions', items: [{ q: 'Why?', a: 'So.' }] } }
  const raw = [
    { ...unstamped, blocks: [hero, rows, null] },
    page('/b', { meta: null, own: null }),
    page('/c'),
  ]
  const draft = siteOf(raw).pages.map((each) => ingestPage(each, { registry: builtinRegistry }))
  const later = draft.map((each) => ({ ...each, updatedAt: '2026-02-02T00:00:00.000Z' }))
  t.strictSame(await sent(draft, raw), raw)
  t.strictSame(await sent(later, raw), raw, 'the time of a change counts for nothing')
  const named = siteOf(raw).pages
  const edited = draft.map((each) => ({ ...each, title: 'Edited' }))
  const asEdited = named.map((each) => ({ ...each, title: 'Edited' }))
  t.strictSame(await sent(edited, raw), asEdited, 'but for the ids of blocks')
  const own = draft.map((each) => ({ ...each, own: 'set' }))
  const asOwn = named.map((each) => ({ ...each, own: 'set' }))
  t.strictSame(await sent(own, raw), asOwn, 'nor is a key that the service does not know lost')
})

t.test('content that was copied loses no entry, and pages that were left out stay', async (t) => {
  const site = siteOf([home, 1, a, 2, b])
  const copied: SiteContent = JSON.parse(JSON.stringify(site))
  t.strictSame((await withCarried([home, b], copied)).entries, [home, 1, 2, b])
  const without = { ...site, pages: site.pages.filter(({ slug }) => slug !== '/a') }
  t.strictSame((await withCarried([home, b], without)).entries, [home, 1, b, 2], 'its page is unknown')
  const leftOut = [
    { slug: '/a', reason: 'too large' },
    { slug: '/', reason: 'it is in the draft now' },
    { slug: '/gone', reason: 'it is not on the site' },
  ]
  const { entries, carried } = await withCarried([b, home], site, leftOut)
  t.strictSame(entries, [b, home, 1, a, 2])
  t.match(carried, [{ slug: 'pages[1]' }, { slug: 'pages[3]' }, { slug: '/a', reason: 'too large' }])
  t.equal(carried.length, 3)
  t.strictSame(
    (await withCarried([home], undefined, leftOut)).entries,
    [home],
    'nothing is known of the site',
  )
})

t.test('no page can have the slug of an entry that cannot be read, except that of a page', (t) => {
  const odd = { ...a, title: 5 }
  const blocked = (...entries: readonly unknown[]) => [...unreadableSlugs(siteOf(entries)).keys()]
  t.strictSame(blocked(home, odd, b, second), ['/a'])
  t.strictSame(blocked(home, odd, a), [], 'the second entry is the page')
  t.strictSame(blocked(home), [])
  t.end()
})
