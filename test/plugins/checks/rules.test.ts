import t from 'tap'
import { demoPages, demoSiteConfig } from '../../../plugins/demo-site/pages/index.ts'
import { builtinRules } from '../../../plugins/checks/rules/index.ts'
import { goodConfig, goodPage, hero, openChecks, text } from '../../helpers/checks.ts'

interface Case {
  readonly rule: string
  readonly pages: readonly object[]
  readonly config?: object
  /** Paths of the findings, in order; `undefined` for one without a path. */
  readonly found: readonly (string | undefined)[]
  /** What the first finding needs to be fixed; `undefined` if it cannot be. */
  readonly fix?: 'auto' | 'suggest' | { readonly text: string }
}

const home = (...blocks: readonly object[]) => [goodPage('/', blocks)]
const cards = (...rows: readonly object[]) => ({
  id: 'b_cards',
  type: 'CardGrid',
  props: { title: 'What we do', cards: rows },
})
const card = (more: object = {}) => ({
  id: 'itm_0000000001',
  title: 'Brakes',
  description: 'New pads and cables.',
  ctaText: 'All about brakes',
  ctaHref: '/',
  ...more,
})

const cases: readonly Case[] = [
  {
    rule: 'a11y.alt-missing',
    pages: home(hero('b'), cards(card(), card({ id: 'itm_0000000002', imageUrl: '/a.jpg' }))),
    found: ['cards[1].imageAlt'],
    fix: { text: 'A brake' },
  },
  { rule: 'a11y.alt-missing', pages: home(hero('b', { imageAlt: '', imageDecorative: true })), found: [] },
  {
    rule: 'a11y.alt-missing',
    pages: home(hero('b', { imageAlt: '', imageUrl: '/hero-generated.svg' })),
    found: [],
  },
  {
    rule: 'a11y.alt-missing',
    pages: home(
      hero('b', { imageAlt: '', imageUrl: 'data:image/svg+xml,<svg><text>Searching…</text></svg>' }),
    ),
    found: [],
  },
  {
    rule: 'a11y.alt-file-name',
    pages: home(hero('b', { imageAlt: 'IMG_2041.jpg' })),
    found: ['imageAlt'],
    fix: { text: 'A bell' },
  },
  { rule: 'a11y.alt-file-name', pages: home(hero('b', { imageAlt: 'photo' })), found: ['imageAlt'] },
  {
    rule: 'a11y.alt-file-name',
    pages: home(hero('b', { imageAlt: 'My bicycle (2).JPG' })),
    found: ['imageAlt'],
  },
  {
    rule: 'a11y.alt-redundant',
    pages: home(hero('b', { imageAlt: 'An image of a wheel' })),
    found: ['imageAlt'],
    fix: 'auto',
  },
  { rule: 'a11y.alt-long', pages: home(hero('b', { imageAlt: '𝒂'.repeat(151) })), found: ['imageAlt'] },
  { rule: 'a11y.alt-long', pages: home(hero('b', { imageAlt: '𝒂'.repeat(150) })), found: [] },
  { rule: 'a11y.h1-missing', pages: home(text('b', 'Some words.')), found: [undefined], fix: 'auto' },
  {
    rule: 'a11y.h1-missing',
    pages: home(
      {
        id: 'a',
        type: 'Carousel',
        props: { items: [{ id: 'i', heading: 'Spring', imageUrl: '/a.jpg', imageAlt: 'A tulip' }] },
      },
      text('b', 'Some words.'),
    ),
    found: [undefined],
  },
  {
    rule: 'a11y.h1-multiple',
    pages: home(hero('b'), text('c', 'Words.', { headingLevel: 'h1' })),
    found: ['title'],
    fix: 'auto',
  },
  {
    rule: 'a11y.heading-skip',
    pages: home(hero('b'), text('c', 'Words.', { headingLevel: 'h4' })),
    found: ['title'],
    fix: 'auto',
  },
  { rule: 'a11y.heading-skip', pages: home(hero('b'), text('c', '### Deeper\n\nWords.')), found: [] },
  {
    rule: 'a11y.heading-skip',
    pages: home(hero('b'), text('c', '##### Far deeper\n\nWords.')),
    found: ['body'],
  },
  {
    rule: 'a11y.link-text-empty',
    pages: home(hero('b', { secondaryCtaHref: '/', secondaryCtaText: '' })),
    found: ['secondaryCtaText'],
    fix: { text: 'Visit us' },
  },
  { rule: 'a11y.link-text-generic', pages: home(hero('b', { ctaText: 'Click here' })), found: ['ctaText'] },
  {
    rule: 'content.required-empty',
    pages: home(hero('b', { heading: '  ' })),
    found: ['heading'],
    fix: { text: 'Bicycles' },
  },
  {
    rule: 'content.required-empty',
    pages: home(hero('b', { ctaHref: ' ' })),
    found: ['ctaHref'],
    fix: { text: '/' },
  },
  { rule: 'content.required-empty', pages: home(hero('b'), cards()), found: ['cards'] },
  {
    rule: 'content.default-text',
    pages: home(hero('b', { heading: 'Say what you do in one line' })),
    found: ['heading'],
  },
  {
    rule: 'content.default-text',
    pages: home(hero('b', { subheading: 'Lorem ipsum dolor sit amet' })),
    found: ['subheading'],
  },
  {
    rule: 'content.block-unknown',
    pages: home(hero('b'), { id: 'c', type: 'Spaceship', props: {} }),
    found: [undefined],
  },
  {
    rule: 'content.props-invalid',
    pages: home(hero('b', { imagePosition: 'upside down', eyebrow: 7 })),
    found: ['eyebrow', 'imagePosition'],
  },
  { rule: 'content.props-invalid', pages: home(hero('b', { heading: '' })), found: [] },
  { rule: 'content.block-id-duplicate', pages: home(hero('b'), text('b', 'Words.')), found: [undefined] },
  {
    rule: 'content.discriminator-missing',
    pages: home(hero('b'), { id: 'c', type: 'TwoColumn', props: { left: [{ label: 'x' }], right: [] } }),
    found: ['left[0].type'],
  },
  {
    rule: 'content.markup-in-text',
    pages: home(hero('b', { heading: 'We <b>repair</b> **bicycles**' })),
    found: ['heading'],
    fix: 'auto',
  },
  { rule: 'content.markup-in-text', pages: home(hero('b', { heading: '<b></b>' })), found: ['heading'] },
  {
    rule: 'content.page-large',
    pages: home(hero('b'), {
      id: 'c',
      type: 'Hero',
      props: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x${index}`, ''])),
    }),
    found: [undefined],
  },
  { rule: 'content.page-empty', pages: [goodPage('/', [])], found: [undefined] },
  {
    rule: 'links.internal-missing',
    pages: [...home(hero('b', { ctaHref: '/Prices/#top' })), goodPage('/prices')],
    found: ['ctaHref'],
    fix: 'auto',
  },
  {
    rule: 'links.internal-missing',
    pages: [...home(hero('b', { ctaHref: '/prics' })), goodPage('/prices')],
    found: ['ctaHref'],
    fix: 'auto',
  },
  {
    rule: 'links.internal-missing',
    pages: [...home(hero('b', { ctaHref: '/team/ada' })), goodPage('/team/bob')],
    found: ['ctaHref'],
    fix: { text: '/team/bob' },
  },
  {
    rule: 'links.internal-missing',
    pages: home(
      hero('b'),
      text('c', 'See [prices](/prices) and [a file](/list.pdf), [our API](/api/things).'),
    ),
    found: ['body'],
  },
  {
    rule: 'links.anchor-missing',
    pages: home(
      hero('b', { ctaHref: '#nowhere' }),
      text('c', '## Our prices\n\n[here](#our-prices) and [there](/#c)'),
    ),
    found: ['ctaHref'],
  },
  { rule: 'links.empty', pages: home(hero('b', { ctaHref: '#' })), found: ['ctaHref'], fix: { text: '/' } },
  {
    rule: 'links.empty',
    pages: home(hero('b'), {
      id: 'c',
      type: 'TwoColumn',
      props: { left: [{ type: 'cta', label: 'Read on', href: '#' }], right: [] },
    }),
    found: ['left[0].href'],
    fix: { text: '/' },
  },
  {
    rule: 'links.unsafe-scheme',
    pages: home(hero('b', { secondaryCtaText: 'Go', secondaryCtaHref: ' java\tscript:alert(1)' })),
    found: ['secondaryCtaHref'],
    fix: 'auto',
  },
  {
    rule: 'links.unsafe-scheme',
    pages: home(hero('b', { ctaHref: 'data:text/html,x' })),
    found: ['ctaHref'],
  },
  {
    rule: 'links.private-host',
    pages: home(hero('b', { ctaHref: 'http://192.168.0.7/admin' })),
    found: ['ctaHref'],
  },
  {
    rule: 'links.private-host',
    pages: home(hero('b', { ctaHref: 'https://nas.local/' })),
    found: ['ctaHref'],
  },
  { rule: 'links.insecure', pages: home(hero('b', { ctaHref: 'http://example.com/' })), found: ['ctaHref'] },
  {
    rule: 'pages.slug-duplicate',
    pages: [...home(hero('b')), goodPage('/prices'), goodPage('/Prices', undefined, { id: 'p_2' })],
    found: [undefined],
  },
  {
    rule: 'pages.slug-invalid',
    pages: [...home(hero('b')), goodPage('/Our Team/')],
    found: [undefined],
    fix: 'auto',
  },
  { rule: 'pages.home-missing', pages: [goodPage('/about')], found: [undefined] },
  {
    rule: 'pages.title-missing',
    pages: [goodPage('/', undefined, { title: ' ' })],
    found: ['title'],
    fix: { text: 'Bicycles' },
  },
  {
    rule: 'pages.title-duplicate',
    pages: [goodPage('/', undefined, { title: 'Same' }), goodPage('/two', undefined, { title: 'Same' })],
    found: ['title'],
  },
  { rule: 'pages.orphan', pages: [...home(hero('b')), goodPage('/hidden')], found: [undefined] },
  {
    rule: 'pages.orphan',
    pages: [...home(hero('b', { ctaHref: '/found/' })), goodPage('/found')],
    found: [],
  },
  {
    rule: 'pages.orphan',
    pages: [...home(hero('b', { ctaHref: '/found?x=1#b' })), goodPage('/found')],
    found: [],
  },
  {
    rule: 'seo.title-missing',
    pages: [goodPage('/', undefined, { meta: {} })],
    found: ['meta.title'],
    fix: 'auto',
  },
  {
    rule: 'seo.title-length',
    pages: [goodPage('/', undefined, { meta: { title: 'Short' } })],
    found: ['meta.title'],
  },
  {
    rule: 'seo.description-missing',
    pages: [goodPage('/', undefined, { meta: { title: 'Bicycles and repairs' } })],
    found: ['meta.description'],
    fix: 'suggest',
  },
  {
    rule: 'seo.description-missing',
    pages: [goodPage('/', [], { meta: {} })],
    found: ['meta.description'],
    fix: { text: 'All about bicycles.' },
  },
  {
    rule: 'seo.description-length',
    pages: [goodPage('/', undefined, { meta: { description: 'Short.' } })],
    found: ['meta.description'],
  },
  {
    rule: 'seo.title-duplicate',
    pages: [
      goodPage('/', undefined, { meta: { title: 'Bicycles for all' } }),
      goodPage('/two', undefined, { meta: { title: 'Bicycles for all' } }),
    ],
    found: ['meta.title'],
  },
  {
    rule: 'seo.description-duplicate',
    pages: [
      goodPage('/', undefined, { meta: { description: 'x'.repeat(60) } }),
      goodPage('/two', undefined, { meta: { description: 'x'.repeat(60) } }),
    ],
    found: ['meta.description'],
  },
  {
    rule: 'seo.og-image-missing',
    pages: [goodPage('/', undefined, { meta: {} })],
    found: ['meta.ogImage'],
    fix: 'suggest',
  },
  {
    rule: 'seo.og-image-missing',
    pages: [goodPage('/', [], { meta: {} })],
    found: ['meta.ogImage'],
    fix: { text: '/street.jpg' },
  },
  {
    rule: 'media.placeholder',
    pages: home(hero('b', { imageUrl: '/hero-generated.svg' })),
    found: ['imageUrl'],
  },
  {
    rule: 'media.placeholder',
    pages: home(
      hero('b'),
      cards(
        card({ imageUrl: 'data:image/svg+xml,<svg><text>Generating…</text></svg>', imageAlt: 'A brake' }),
      ),
    ),
    found: ['cards[0].imageUrl'],
    fix: 'auto',
  },
  {
    rule: 'media.file-missing',
    pages: home(hero('b', { imageUrl: '/generated-images/upload_1_00000000000000000000000000000000.png' })),
    found: ['imageUrl'],
  },
  {
    rule: 'media.gated-url',
    pages: home(hero('b', { imageUrl: 'https://cdn.example/a.jpg?accessToken=secret-value' })),
    found: ['imageUrl'],
  },
  {
    rule: 'site.name-missing',
    pages: home(hero('b')),
    config: { logo: '/l.svg' },
    found: ['name'],
    fix: { text: 'Bicycles' },
  },
  {
    rule: 'site.logo-missing',
    pages: home(hero('b')),
    config: { name: 'Bicycles' },
    found: ['logo'],
    fix: { text: '/l.svg' },
  },
  {
    rule: 'site.nav-target-missing',
    pages: home(hero('b')),
    config: { ...goodConfig, navLabels: { '/gone': 'Gone' }, navGroups: { More: ['/', '/old', '/older'] } },
    found: ['navGroups["More"]', 'navGroups["More"]', 'navLabels["/gone"]'],
    fix: 'auto',
  },
]

t.test('a good draft has no findings', async (t) => {
  const { report } = await openChecks(t, [
    goodPage('/', [hero('b', { ctaHref: '/prices' })]),
    goodPage('/prices'),
  ])
  t.match(await report(), {
    status: 'passed',
    findings: [],
    summary: { error: 0, warning: 0, info: 0, dismissed: 0, fixable: 0, pages: 2 },
    truncated: false,
  })
})

for (const { rule, pages, config, found, fix: needs } of cases) {
  t.test(
    `${rule} finds ${found.length === 0 ? 'nothing' : found.join(', ')} in ${JSON.stringify(pages).slice(0, 60)}…`,
    async (t) => {
      const { findings, fix, send } = await openChecks(t, pages, { ...(config && { config }) })
      const own = await findings(rule)
      t.strictSame(
        own.map(({ path }) => path),
        found,
      )
      const [first] = own
      if (!first) return
      t.equal(first.severity, builtinRules.find(({ id }) => id === rule)?.severity)
      t.match(first.message, /^[A-Z].*\.$/)
      const kind = typeof needs === 'object' ? 'suggest' : needs
      if (!first.fix || !kind) {
        t.equal((await send('/checks/fix', { findingIds: [first.id] })).status, 400)
        return
      }
      t.equal(first.fix.kind, kind)
      const values = typeof needs === 'object' ? { [first.id]: needs.text } : {}
      t.match(await fix([first.id], { allowSuggested: kind === 'suggest', values }), {
        status: 'applied',
        applied: [first.id],
        skipped: [],
      })
      t.notOk(
        (await findings(rule)).some(({ id }) => id === first.id),
        'it is gone',
      )
    },
  )
}

t.test('every rule has a case, except those that send requests', (t) => {
  const tried = new Set(cases.map(({ rule }) => rule))
  t.strictSame(
    builtinRules.map(({ id }) => id).filter((id) => !tried.has(id)),
    ['links.dead'],
  )
  t.end()
})

t.test('the demo site has no errors and no link findings', async (t) => {
  const { findings } = await openChecks(t, demoPages, { config: demoSiteConfig })
  t.strictSame(
    (await findings()).filter(({ severity, category }) => severity === 'error' || category === 'links'),
    [],
  )
})
