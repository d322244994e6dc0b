import t from 'tap'
import * as v from 'valibot'
import { Page } from '../../../plugins/content/page.ts'
import { drafts } from '../../../plugins/draft/port.ts'
import { demoPages, demoSiteConfig } from '../../helpers/demo-pages.ts'
import { builtinRules } from '../../../plugins/checks/testing.ts'
import { goodConfig, goodPage, hero, openChecks, text } from '../../helpers/checks.ts'
import { emptyList } from '../../helpers/plain.ts'

/** What the first finding of a rule needs to be fixed: nothing, a permission, or a text. */
type Needs = 'auto' | 'suggest' | { readonly text: string }
/** The paths of the findings, in order; none for a finding without a path. */
type FoundPaths = readonly (string | undefined)[]
type Case = readonly [
  rule: string,
  pages: readonly object[],
  found: FoundPaths,
  needs?: Needs,
  options?: Pick<NonNullable<Parameters<typeof openChecks>[2]>, 'config' | 'redirects'>,
]

const nothing: FoundPaths = []
const placeless: FoundPaths = [undefined]
const home = (...blocks: readonly object[]) => [goodPage('/', blocks)]
const one = (more: object) => home(hero('b', more))
const two = (...more: readonly object[]) => home(hero('b'), ...more)
const titled = (meta: object) => goodPage('/', undefined, { meta })
const block = (type: string, props: object) => ({ id: 'c', type, props })
const header = (href: string) => ({
  id: 'b_header',
  type: 'SiteHeader',
  props: { siteName: 'Bicycles', links: [{ id: 'l', label: 'Go', href }] },
})
const cards = (...rows: readonly object[]) => block('CardGrid', { title: 'What we do', cards: rows })
const card = (more: object = {}) => ({
  id: 'itm_0000000001',
  title: 'Brakes',
  description: 'New pads and cables.',
  ctaText: 'All about brakes',
  ctaHref: '/',
  ...more,
})
const columns = (...left: readonly object[]) => block('TwoColumn', { left, right: [] })
const svg = (words: string) => `data:image/svg+xml,<svg><text>${words}</text></svg>`
const generated = '/generated-images/upload_1_00000000000000000000000000000000.png'
const twice = (meta: object) => [titled(meta), goodPage('/two', undefined, { meta })]
const imageless = card({ id: 'itm_0000000002', imageUrl: '/a.jpg' })
const slide = { id: 'i', heading: 'Spring', imageUrl: '/a.jpg', imageAlt: 'A tulip' }
const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x${index}`, '']))
const menu = { ...goodConfig, navLabels: { '/gone': 'Gone' }, navGroups: { More: ['/', '/old', '/older'] } }

const cases: readonly Case[] = [
  ['a11y.alt-missing', two(cards(card(), imageless)), ['cards[1].imageAlt'], { text: 'A brake' }],
  ['a11y.alt-missing', one({ imageAlt: '', imageDecorative: true }), nothing],
  ['a11y.alt-missing', one({ imageAlt: '', imageUrl: '/hero-generated.svg' }), nothing],
  ['a11y.alt-missing', one({ imageAlt: '', imageUrl: svg('Searching…') }), nothing],
  ['a11y.alt-file-name', one({ imageAlt: 'IMG_2041.jpg' }), ['imageAlt'], { text: 'A bell' }],
  ['a11y.alt-file-name', one({ imageAlt: 'photo' }), ['imageAlt']],
  ['a11y.alt-file-name', one({ imageAlt: 'My bicycle (2).JPG' }), ['imageAlt']],
  ['a11y.alt-redundant', one({ imageAlt: 'An image of a wheel' }), ['imageAlt'], 'auto'],
  ['a11y.alt-long', one({ imageAlt: '𝒂'.repeat(151) }), ['imageAlt']],
  ['a11y.alt-long', one({ imageAlt: '𝒂'.repeat(150) }), nothing],
  ['a11y.h1-missing', home(text('b', 'Some words.')), placeless, 'auto'],
  ['a11y.h1-missing', home(block('Carousel', { items: [slide] }), text('b', 'Some words.')), placeless],
  ['a11y.h1-multiple', two(text('c', 'Words.', { headingLevel: 'h1' })), ['title'], 'auto'],
  ['a11y.heading-skip', two(text('c', 'Words.', { headingLevel: 'h4' })), ['title'], 'auto'],
  ['a11y.heading-skip', two(text('c', '### Deeper\n\nWords.')), nothing],
  ['a11y.heading-skip', two(text('c', '##### Far deeper\n\nWords.')), ['body']],
  [
    'a11y.link-text-empty',
    one({ secondaryCtaHref: '/', secondaryCtaText: '' }),
    ['secondaryCtaText'],
    { text: 'Go' },
  ],
  ['a11y.link-text-generic', one({ ctaText: 'Click here' }), ['ctaText']],
  ['content.required-empty', one({ heading: '  ' }), ['heading'], { text: 'Bicycles' }],
  ['content.required-empty', one({ heading: null }), ['heading']],
  ['content.required-empty', one({ ctaHref: ' ' }), ['ctaHref'], { text: '/' }],
  ['content.required-empty', two(cards()), ['cards']],
  ['content.default-text', one({ heading: 'Say what you do in one line' }), ['heading']],
  ['content.default-text', one({ subheading: 'Lorem ipsum dolor sit amet' }), ['subheading']],
  ['content.block-unknown', two(block('Spaceship', {})), placeless],
  ['content.props-invalid', one({ imagePosition: 'upside down', eyebrow: 7 }), ['eyebrow', 'imagePosition']],
  ['content.props-invalid', one({ heading: '' }), nothing],
  ['content.discriminator-missing', two(columns({ label: 'x' })), ['left[0].type']],
  ['content.markup-in-text', one({ heading: 'We <b>repair</b> **bicycles**' }), ['heading'], 'auto'],
  ['content.markup-in-text', one({ heading: '<b></b>' }), ['heading']],
  ['content.page-large', two(block('Hero', wide)), placeless],
  ['content.page-empty', home(), placeless],
  ['links.internal-missing', [...one({ ctaHref: '/Prices/#top' }), goodPage('/prices')], ['ctaHref'], 'auto'],
  ['links.internal-missing', [...one({ ctaHref: '/prics' }), goodPage('/prices')], ['ctaHref'], 'auto'],
  [
    'links.internal-missing',
    [...one({ ctaHref: '/team/ada' }), goodPage('/team/bob')],
    ['ctaHref'],
    { text: '/team/bob' },
  ],
  ['links.internal-missing', two(text('c', '[prices](/prices) [file](/list.pdf) [API](/api/x)')), ['body']],
  [
    'links.anchor-missing',
    home(
      hero('b', { ctaHref: '#nowhere' }),
      text('c', '## Our prices\n\n[here](#our-prices) and [there](/#c)'),
    ),
    ['ctaHref'],
  ],
  [
    'links.redirected',
    one({ ctaHref: '/old/?a=1#top' }),
    ['ctaHref'],
    'auto',
    { redirects: { '/old': '/' } },
  ],
  ['links.empty', one({ ctaHref: '#' }), ['ctaHref'], { text: '/' }],
  [
    'links.empty',
    two(columns({ type: 'cta', label: 'Read on', href: '#' })),
    ['left[0].href'],
    { text: '/' },
  ],
  [
    'links.unsafe-scheme',
    one({ secondaryCtaText: 'Go', secondaryCtaHref: ' java\tscript:alert(1)' }),
    ['secondaryCtaHref'],
    'auto',
  ],
  ['links.unsafe-scheme', one({ ctaHref: 'data:text/html,x' }), ['ctaHref']],
  ['links.private-host', one({ ctaHref: 'http://192.168.0.7/admin' }), ['ctaHref']],
  ['links.private-host', one({ ctaHref: 'https://nas.local/' }), ['ctaHref']],
  ['links.scheme-missing', one({ ctaHref: 'www.cycles.example/book?day=1' }), ['ctaHref'], 'auto'],
  ['links.scheme-missing', one({ ctaHref: 'cycles.example/book' }), ['ctaHref'], 'auto'],
  ['links.scheme-missing', two(text('c', '[book](www.cycles.example) [list](list.pdf)')), ['body']],
  ['links.scheme-missing', one({ ctaHref: 'https://www.cycles.example/' }), nothing],
  ['links.scheme-missing', one({ ctaHref: 'prices.html' }), nothing],
  ['links.scheme-missing', one({ ctaHref: '../prices/' }), nothing],
  ['links.insecure', one({ ctaHref: 'http://example.com/' }), ['ctaHref']],
  [
    'pages.slug-duplicate',
    [...two(), goodPage('/prices'), goodPage('/Prices', undefined, { id: 'p_2' })],
    placeless,
  ],
  ['pages.slug-invalid', [...two(), goodPage('/Our Team/')], placeless, 'auto'],
  ['pages.home-missing', [goodPage('/about')], placeless],
  ['pages.unreadable', [...two(), goodPage('/odd', undefined, { title: 5 })], placeless],
  ['pages.unreadable', [...two(), goodPage('/odd', undefined, { title: 5 }), goodPage('/odd')], nothing],
  // A draft has such blocks from its site only, see test/plugins/publish-locked.slow.test.ts.
  ['pages.block-unreadable', two(), nothing],
  ['pages.title-missing', [goodPage('/', undefined, { title: ' ' })], ['title'], { text: 'Bicycles' }],
  [
    'pages.title-duplicate',
    ['/', '/two'].map((slug) => goodPage(slug, undefined, { title: 'Same' })),
    ['title'],
  ],
  // The menu of a page without a header block lists every page, see plugins/content/navigation.ts.
  ['pages.orphan', [...two(), goodPage('/found')], nothing],
  ['pages.orphan', [...two(header('/')), goodPage('/lonely', [header('/')])], placeless],
  ['pages.orphan', [...two(header('/')), goodPage('/lonely')], placeless],
  ['pages.orphan', [...two(header('/found')), goodPage('/found', [header('/')])], nothing],
  ['pages.orphan', [...two(), goodPage('/found', [header('/')])], nothing],
  ['seo.title-missing', [titled({})], ['meta.title'], 'auto'],
  ['seo.title-length', [titled({ title: 'Short' })], ['meta.title']],
  ['seo.description-missing', [titled({ title: 'Bicycles and repairs' })], ['meta.description'], 'suggest'],
  [
    'seo.description-missing',
    [goodPage('/', [], { meta: {} })],
    ['meta.description'],
    { text: 'All of it.' },
  ],
  ['seo.description-length', [titled({ description: 'Short.' })], ['meta.description']],
  ['seo.title-duplicate', twice({ title: 'Bicycles for all' }), ['meta.title']],
  ['seo.description-duplicate', twice({ description: 'x'.repeat(60) }), ['meta.description']],
  ['seo.og-image-missing', [titled({})], ['meta.ogImage'], 'suggest'],
  ['seo.og-image-missing', [goodPage('/', [], { meta: {} })], ['meta.ogImage'], { text: '/street.jpg' }],
  ['media.placeholder', one({ imageUrl: '/hero-generated.svg' }), ['imageUrl']],
  [
    'media.placeholder',
    two(cards(card({ imageUrl: svg('Generating…'), imageAlt: 'A brake' }))),
    ['cards[0].imageUrl'],
    'auto',
  ],
  ['media.file-missing', one({ imageUrl: generated }), ['imageUrl']],
  ['media.gated-url', one({ imageUrl: 'https://cdn.example/a.jpg?accessToken=secret-value' }), ['imageUrl']],
  ['site.name-missing', two(), ['name'], { text: 'Bicycles' }, { config: { logo: '/l.svg' } }],
  ['site.logo-missing', two(), ['logo'], { text: '/l.svg' }, { config: { name: 'Bicycles' } }],
  [
    'site.nav-target-missing',
    two(),
    ['navGroups["More"]', 'navGroups["More"]', 'navLabels["/gone"]'],
    'auto',
    { config: menu },
  ],
]

t.test('a good draft has no findings', async (t) => {
  const { report } = await openChecks(t, [...one({ ctaHref: '/prices' }), goodPage('/prices')])
  const summary = { error: 0, warning: 0, info: 0, dismissed: 0, fixable: 0, pages: 2 }
  t.match(await report(), { status: 'passed', findings: emptyList, summary, truncated: false })
})

t.test('a link to a former address leads to no missing page', async (t) => {
  const { findings } = await openChecks(t, one({ ctaHref: '/old' }), { redirects: { '/old': '/' } })
  t.strictSame(await findings('links.internal-missing'), [])
})

t.test('a link to the site itself is checked, however it is written', async (t) => {
  const links =
    '[a](https://OWN.site/old#x) <http://own.site/old/> <a href="old">b</a> [c](./old) [d](//own.site/gone)'
  const others =
    '[e](https://other.site/gone) [f](www.own.site) [g](list.pdf) <p hrefs> [h](mailto:a@own.site) [i]({{x}})'
  const undeclared = {
    id: 'u',
    type: 'Unknown',
    props: { linkHref: 'gone', hrefTarget: '_blank', hrefLang: 'en' },
  }
  const pages = [
    goodPage('/', [hero('b', { ctaHref: 'gone' }), text('c', `${links}\n\n${others}`), undeclared]),
    goodPage('/new'),
  ]
  const { findings, fix, send, page } = await openChecks(t, pages, { redirects: { '/old': '/new' } })
  await send('/sites/register', { name: 'Acme', previewUrl: 'https://own.site/start' })
  t.strictSame(
    (await findings('links.internal-missing')).map(({ path }) => path),
    ['ctaHref', 'body', 'linkHref'],
  )
  t.equal((await findings('links.redirected')).length, 4)
  t.strictSame((await findings('links.anchor-missing')).length, 0)
  await send('/ops', {
    ops: [
      { op: 'update_props', pageSlug: '/', blockId: 'b', patch: { ctaHref: 'https://own.site/old?x#y' } },
    ],
  })
  const [found] = (await findings('links.redirected')).filter(({ path }) => path === 'ctaHref')
  await fix([found?.id ?? ''])
  t.match(await page('/'), { blocks: [{ props: { ctaHref: '/new?x#y' } }] })
})

t.test(
  'a link into this machine at the registered site becomes a path, under both names of the address',
  async (t) => {
    const pages = home(hero('b', { ctaHref: 'http://127.0.0.1:3000/?x#y' }))
    const { findings, fix, send, page } = await openChecks(t, pages)
    await send('/sites/register', { name: 'Acme', previewUrl: 'http://localhost:3000' })
    const [found] = await findings('links.private-host')
    await fix([found?.id ?? ''])
    t.match(await page('/'), { blocks: [{ props: { ctaHref: '/?x#y' } }] })
  },
)

t.test('content.block-id-duplicate finds blocks that were stored before ids were repaired', async (t) => {
  const { mounted, at, findings } = await openChecks(t, [])
  const pages = new Map([['/', v.parse(Page, goodPage('/', [hero('b'), text('b', 'Words.')]))]])
  const edit = { kind: 'pages', pages, source: 'push', summary: '' } as const
  const actor = { kind: 'person', id: 'anyone' } as const
  const id = { siteId: 'acme', session: 'dev' }
  t.same(at, id)
  await (await mounted.get(drafts)).commit({ id, edit, actor, channel: 'site' }, () => ({}))
  t.match(await findings('content.block-id-duplicate'), [{ slug: '/', severity: 'error' }])
})

for (const [at, [rule, pages, found, needs, options]] of cases.entries()) {
  t.test(`${rule} (case ${at}) finds ${found.length === 0 ? 'nothing' : found.join(', ')}`, async (t) => {
    const { findings, fix, send } = await openChecks(t, pages, options)
    const own = await findings(rule)
    const paths = own.map(({ path }) => path)
    t.strictSame(paths, found)
    const [first] = own
    if (!first) return
    t.equal(first.severity, builtinRules.find(({ id }) => id === rule)?.severity)
    t.match(first.message, /^[A-Z].*\.$/)
    if (!first.fix || !needs) {
      t.equal((await send('/checks/fix', { findingIds: [first.id] })).status, 400)
      return
    }
    const isText = typeof needs === 'object'
    t.equal(first.fix.kind, isText ? 'suggest' : needs)
    const values = isText ? { [first.id]: needs.text } : {}
    const fixed = await fix([first.id], { allowSuggested: needs !== 'auto', values })
    t.match(fixed, { status: 'applied', applied: [first.id], skipped: emptyList })
    const left = await findings(rule)
    const isLeft = left.some(({ id }) => id === first.id)
    t.notOk(isLeft, 'it is gone')
  })
}

t.test('every rule has a case, except those with a test of their own', (t) => {
  const tried = new Set(cases.map(([rule]) => rule))
  const others = builtinRules.map(({ id }) => id).filter((id) => !tried.has(id))
  t.strictSame(others, ['content.block-id-duplicate', 'links.dead'])
  t.end()
})

t.test('the demo site has no errors and no link findings', async (t) => {
  const { findings } = await openChecks(t, demoPages, { config: demoSiteConfig })
  for (const { severity, category } of await findings()) {
    t.not(severity, 'error')
    t.not(category, 'links')
  }
})
