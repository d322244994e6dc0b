import t from 'tap'
import { kindOfPath } from '../../plugins/files/testing.ts'
import { withScheme } from '../../plugins/studio/app/fields/link-target.ts'
import { menuOf, withGroup } from '../../plugins/studio/app/pages/menu.ts'
import { found, neighbour, problemWith, slugFrom, treeOf } from '../../plugins/studio/app/pages/tree.ts'
import { isUsedByCode } from '../../plugins/studio/app/stores/documents.ts'

const page = (slug: string, title = slug) => ({ slug, title, updatedAt: '', blockCount: 0 })
const pages = ['/', '/team/berlin', '/team', '/about', '/team/berlin/2026', '/teams'].map((slug) =>
  page(slug),
)

t.test('pages stand below the nearest page above their address', async (t) => {
  t.strictSame(
    treeOf(pages).map(({ slug, level }) => `${level} ${slug}`),
    ['1 /', '1 /team', '2 /team/berlin', '3 /team/berlin/2026', '1 /about', '1 /teams'],
  )
  t.strictSame(
    found([...pages, page('/x', 'Our Berlin office')], ' berl').map(({ slug, level }) => `${level} ${slug}`),
    ['1 /team/berlin', '1 /team/berlin/2026', '1 /x'],
  )
})

t.test('an address is made of a title in any script', async (t) => {
  const cases = [
    ['Our team', '/our-team'],
    ['  Über uns & mehr! ', '/über-uns-mehr'],
    ['نادي التجديف', '/نادي-التجديف'],
    ['हिन्दी', '/हिन्दी'],
    ['!!!', '/'],
    [`${'a'.repeat(59)} b`, `/${'a'.repeat(59)}`],
  ] as const
  for (const [title, slug] of cases) t.equal(slugFrom(title), slug)
  for (const slug of ['', '/', 'about', '/a b', '/a?b', '/a#b', '//a', '/about'])
    t.type(problemWith(slug, pages), 'string', slug)
  t.equal(problemWith('/über-uns', pages), undefined)
  t.equal(problemWith('/', []), undefined, 'the home page of a site that has none')
})

t.test('a page moves by one among all but the home page', async (t) => {
  t.strictSame(neighbour(pages, '/team', -1), { after: undefined, place: 1, count: 5 })
  t.strictSame(neighbour(pages, '/team', 1), { after: '/about', place: 3, count: 5 })
  t.equal(neighbour(pages, '/team/berlin', -1), undefined)
  t.equal(neighbour(pages, '/teams', 1), undefined)
  t.equal(neighbour(pages, '/', 1), undefined)
})

t.test('the menu follows from pages, labels and groups', async (t) => {
  const config = { navLabels: { '/about': 'Who we are' }, navGroups: { Us: ['/about', '/team'] } }
  t.match(menuOf(pages, config), [
    { slug: '/', label: '', derived: 'Home', group: '' },
    { derived: 'Team / Berlin' },
    { slug: '/team', group: 'Us' },
    { slug: '/about', label: 'Who we are', derived: 'About', group: 'Us' },
  ])
  const { navGroups } = config
  t.strictSame(withGroup(navGroups, '/about', ''), { Us: ['/team'] })
  t.strictSame(withGroup(navGroups, '/teams', 'Us'), { Us: ['/about', '/team', '/teams'] })
  t.strictSame(withGroup({ Us: ['/about'] }, '/about', 'New'), { New: ['/about'] }, 'an empty group goes')
})

t.test('an address without a scheme is read as one of another site, or of mail', (t) => {
  t.equal(withScheme('www.example.com/book'), 'https://www.example.com/book')
  t.equal(withScheme('example.org'), 'https://example.org')
  t.equal(withScheme('ana@example.org'), 'mailto:ana@example.org')
  for (const right of [
    '',
    '/about',
    '#top',
    'https://example.org',
    'mailto:a@example.org',
    'about',
    'a.html',
  ])
    t.equal(withScheme(right), undefined, right)
  t.end()
})

t.test('files are used by code unless they are documents', (t) => {
  const endings =
    'md markdown mdx mdoc MD json jsonc yaml yml toml html njk liquid webc astro tsx jsx vue svelte'
  for (const path of endings.split(' ').map((ending) => `docs/a.md.${ending}`))
    t.equal(isUsedByCode(`/~${path}`), kindOfPath(path) !== 'document', path)
  t.notOk(isUsedByCode('/a.json'), 'a page of the website')
  t.end()
})
