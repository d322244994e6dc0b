import t from 'tap'
import * as v from 'valibot'
import { give, randomIds, systemClock } from '../../../kernel/index.ts'
import { createMemoryBlobs } from '../../helpers/memory-blobs.ts'
import { blobs } from '../../../plugins/blobs/port.ts'
import { Report } from '../../../plugins/checks/testing.ts'
import { goodPage, hero, openChecks, text } from '../../helpers/checks.ts'

const cards = (...rows: readonly object[]) => ({
  id: 'b_cards',
  type: 'CardGrid',
  props: { title: 'What we do', cards: rows },
})
const card = (more: object) => ({
  title: 'Brakes',
  description: 'New pads and cables.',
  ctaText: 'All about brakes',
  ctaHref: '/',
  ...more,
})

t.test('a dismissed value without a declared field is listed again when it changes', async (t) => {
  const size = { type: 'object', properties: { width: { type: 'number' } } }
  const propsSchema = { type: 'object', properties: { size, _key: { type: 'number' } } }
  const componentsManifest = { version: 1, blocks: [{ type: 'Ribbon', propsSchema }] }
  const pageWith = (size: unknown) => [
    goodPage('/', [hero('b_1'), { id: 'b_2', type: 'Ribbon', props: { size, _key: 'canary' } }]),
  ]
  const { send, bootstrap } = await openChecks(t, pageWith({ width: 'wide', _inner: 'canary' }))
  const found = async () =>
    v.parse(
      Report,
      (await send('/checks/run', { componentsManifest, rules: ['content.props-invalid'] })).json(),
    )
  const [first] = (await found()).findings
  t.match(first, { path: 'size.width', value: 'wide' })
  await send('/checks/dismiss', { findingId: first?.id })
  t.strictSame((await found()).findings, [])
  await bootstrap(pageWith({ width: 'narrow', _inner: 'canary' }), { overwrite: true })
  t.match((await found()).findings, [{ id: first?.id, value: 'narrow' }])
  await bootstrap(pageWith([{ _inner: 'canary', width: 1 }]), { overwrite: true })
  const { findings } = await found()
  t.match(findings, [{ path: 'size', value: '[{"width":1}]' }])
  t.notMatch(JSON.stringify(findings), /canary/)
})

t.test('links to this service and to differently spelled page paths are valid', async (t) => {
  const body =
    '[ours](http://localhost:4200/generated-images/a.pdf) [twin](http://127.0.0.1:4200/generated-images/a.pdf) [other](http://localhost:4300/) [prices](/prices/) [part](/prices/#b_3)'
  const images = cards(
    card({ id: 'i1', imageUrl: 'https://cdn.example/generated-images/a.png', imageAlt: 'A brake' }),
    card({ id: 'i2', imageUrl: 'http://127.0.0.1:4200/generated-images/a.png', imageAlt: 'A brake' }),
  )
  const { findings } = await openChecks(t, [
    goodPage('/', [hero('b_1'), text('b_2', body), images]),
    goodPage('/prices', [hero('b_4')]),
  ])
  const found = (await findings()).map(({ rule, value }) => `${rule} ${value}`)
  t.strictSame(found.toSorted(), [
    'links.anchor-missing /prices/#b_3',
    'links.private-host http://localhost:4300/',
    'media.file-missing http://127.0.0.1:4200/generated-images/a.png',
  ])
})

t.test('fixes of different values are applied together, and those of the same value conflict', async (t) => {
  const navLabels = { '/one': 'One', '/two': 'Two' }
  const config = { name: 'A', logo: '/l.svg', navLabels, navGroups: { More: ['/old', '/older'] } }
  const twin = (slug: string, id: string) => goodPage(slug, undefined, { id })
  const copies = [twin('/same page', 'p_2'), goodPage('/Other'), twin('/other/', 'p_3')]
  const pages = [goodPage('/'), goodPage('/Same Page'), ...copies]
  const { fix, findings } = await openChecks(t, pages, { config })
  const [group = '', sameGroup = '', ...labels] = (await findings('site.nav-target-missing')).map(
    ({ id }) => id,
  )
  t.match(await fix([group, sameGroup, ...labels]), {
    status: 'applied',
    applied: [group, ...labels],
    skipped: [{ id: sameGroup, reason: 'conflict' }],
  })
  t.strictSame(await findings('site.nav-target-missing'), [], 'the first fix resolved both')
  const slugs = (await findings('pages.slug-invalid')).map(({ id }) => id)
  t.match(await fix(slugs), {
    status: 'applied',
    applied: [slugs[0], slugs[3]],
    skipped: [
      { id: slugs[1], reason: 'conflict' },
      { id: slugs[2], reason: 'not_fixable' },
    ],
  })
})

t.test('a description is suggested from the first text, cut at a word', async (t) => {
  const { findings, fix, page } = await openChecks(t, [
    goodPage('/', [text('b_2', 'Bicycles, **old** and new: '.repeat(20))], { meta: {} }),
  ])
  const [found] = await findings('seo.description-missing')
  await fix([found?.id ?? ''], { allowSuggested: true })
  const { description = '' } = (await page('/')).meta ?? {}
  t.match(description, /^Bicycles, old and new: Bicycles, .*(?:Bicycles|old|and|new)$/)
  t.ok(description.length > 120 && description.length <= 155)
})

t.test('a Drive address is replaced by its public copy, if there is one', async (t) => {
  const bytes = createMemoryBlobs({ clock: systemClock, ids: randomIds })
  await bytes.put(new Uint8Array([1]), { type: 'image/png', extension: 'png', key: 'gdrive_a.png' })
  const rows = cards(
    card({ id: 'i1', imageUrl: '/gdrive/images/a', imageAlt: 'A brake' }),
    card({ id: 'i2', imageUrl: 'http://localhost:4200/gdrive/images/b?size=2', imageAlt: 'A brake' }),
  )
  const { findings, fix, page } = await openChecks(t, [goodPage('/', [hero('b_1'), rows])], {
    seeds: [give(blobs, bytes)],
  })
  const found = await findings('media.gated-url')
  t.match(found, [
    { path: 'cards[0].imageUrl', fix: { kind: 'auto' } },
    { path: 'cards[1].imageUrl', fix: undefined },
  ])
  await fix([found[0]?.id ?? ''])
  t.match((await page('/')).blocks[1]?.props, {
    cards: [{ imageUrl: 'http://localhost:4200/generated-images/gdrive_a.png' }, {}],
  })
  t.equal((await findings('media.gated-url')).length, 1)
})

t.test('concurrent fixes are all applied', async (t) => {
  const alts = ['b_1', 'b_2', 'b_3'].map((id) =>
    hero(id, { imageAlt: 'Image of a wheel', headingLevel: id === 'b_1' ? 'h1' : 'h2' }),
  )
  const { findings, send, version } = await openChecks(t, [goodPage('/', alts)])
  const found = await findings('a11y.alt-redundant')
  const before = await version()
  const answers = await Promise.all(found.map(({ id }) => send('/checks/fix', { findingIds: [id] })))
  const statuses = answers.map(({ status }) => status)
  t.strictSame(statuses, [200, 200, 200])
  t.strictSame(await findings('a11y.alt-redundant'), [])
  t.equal(await version(), before + 3)
})

t.test('files of a website are not checked for addresses, menus and settings', async (t) => {
  const file = (slug: string, body: string) => ({ slug, title: 'Base', blocks: [text('b_1', body)] })
  const { findings } = await openChecks(t, [
    file('/~README.md', '[next](./docs/next) [first](#first) [bad](javascript:alert)'),
    file('/~docs/~4eext.md', 'Nothing but a text.'),
  ])
  t.strictSame(
    (await findings()).map(({ rule, slug }) => `${rule} ${slug}`),
    ['links.unsafe-scheme /~README.md'],
  )
})

t.test('the Markdown and the code of a file are no markup in a plain text', async (t) => {
  const list = (slug: string) => ({
    slug,
    title: 'List',
    blocks: [hero('b_1', { heading: '- a **sidebar**' })],
  })
  const { findings } = await openChecks(t, [list('/~docs/list.md'), list('/list')])
  t.strictSame(
    (await findings('content.markup-in-text')).map(({ slug }) => slug),
    ['/list'],
  )
})
