import { fail } from 'node:assert'
import fc, { runs } from '../helpers/property.ts'
import t from 'tap'
import * as v from 'valibot'
import {
  effectiveItemFields,
  fieldKinds,
  headingLevelOf,
  imagePlaceholder,
  isInternal,
  isPlaceholder,
  isTranslatable,
  labelOf,
  newProps,
  rowHeadingLevelOf,
} from '../../plugins/content/fields.ts'
import { checkFields } from '../../plugins/content/field-schema.ts'
import { sanitiseHtml } from '../../plugins/content/html.ts'
import { ingestPage } from '../../plugins/content/ingest.ts'
import {
  hasOwnKey,
  isGeneratedId,
  rowIds,
  rowKey,
  withRowIds,
  withoutGeneratedItemIds,
} from '../../plugins/content/items.ts'
import { Block as BlockSchema, PageMeta, SiteConfig } from '../../plugins/content/page.ts'
import { parseManifest } from '../../plugins/content/manifest.ts'
import type {
  Block,
  FieldKind,
  FieldMeta,
  Fields,
  Manifest,
  Page,
  Props,
} from '../../plugins/content/model.ts'
import { navigationOf, navLabelOf } from '../../plugins/content/navigation.ts'
import { addressOn, pageAddress } from '../../plugins/content/page-address.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import {
  canonicalSlug,
  coerceSlug,
  copySlug,
  slugOfNewPage,
  homeFirst,
  seedFromWords,
  titleFromSlug,
} from '../../plugins/content/slugs.ts'
import { slugOfPath } from '../../plugins/content/file-slugs.ts'
import { sameAddress } from '../../plugins/content/site-address.ts'
import { boundedStamp, stampAfter } from '../../plugins/content/stamp.ts'
import { findUnsafeKey } from '../../plugins/content/plain-object.ts'

const generatedId = (blockId: string, list: string, n: number) => rowIds(blockId)(list).at(n)

const noon = '2026-01-01T12:00:00.000Z'
const registry = builtinRegistry
const block = (type: string, props: Props, id = 'b_1'): Block => ({ id, type, props })
const pageOf = (blocks: readonly Block[], slug = '/about'): Page => ({
  id: 'p_about',
  slug,
  title: 'About',
  updatedAt: noon,
  blocks,
})
const onlyBlock = (page: Page): Block => page.blocks[0] ?? fail('the page has no block')
const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

t.test('a list is not an object', async (t) => {
  const one = { id: 'b_1', type: 'Hero', props: {} }
  t.ok(v.is(BlockSchema, one))
  t.notOk(v.is(BlockSchema, { ...one, props: ['x'] }))
  t.notOk(v.is(PageMeta, []))
  for (const key of ['navLabels', 'navGroups', 'themeOverrides']) {
    t.ok(v.is(SiteConfig, { [key]: {} }), key)
    t.notOk(v.is(SiteConfig, { [key]: [] }), key)
  }
})

t.test('field kinds', async (t) => {
  const table: readonly (readonly [FieldKind, unknown, boolean])[] = [
    ['text', '', true],
    ['html', '', true],
    ['richtext', '', true],
    ['link', '/', false],
    ['reference', null, false],
    ['list', [], false],
    ['stringList', [], true],
    ['imageList', [], false],
    ['url', '/', false],
    ['image', imagePlaceholder, false],
    ['imageAlt', '', true],
    ['enum', 'one', false],
    ['color', '#0f766e', false],
    ['number', 0, false],
    ['headingLevel', undefined, false],
  ]
  t.same(table.map(([kind]) => kind).sort(), Object.keys(fieldKinds).sort(), 'the table names every kind')
  for (const [kind, initial, translatable] of table) {
    const meta = { kind, label: 'Name', options: ['one', 'two'] }
    t.same(newProps({ name: meta }), initial === undefined ? {} : { name: initial }, kind)
    t.equal(isTranslatable(meta), translatable, `${kind} translatable`)
    t.doesNotThrow(() => checkFields('X', { name: meta }))
  }
  t.same(newProps({ choice: { kind: 'enum' } }), { choice: '' }, 'a choice without options starts empty')
  const either = { properties: { to: { type: 'object' } } }
  t.same(newProps({ to: { kind: 'link' } }, either), { to: { href: '/' } }, 'a link can be an object')
})

t.test('facts derived from field metadata', async (t) => {
  t.equal(isTranslatable({ kind: 'text', localized: false }), false)
  t.equal(isTranslatable({ kind: 'list', itemFields: { href: { kind: 'url' } } }), false)
  t.equal(isTranslatable({ kind: 'list', itemFieldsByType: { note: { text: { kind: 'text' } } } }), true)
  t.same([isInternal('_rev'), isInternal('rev', { kind: 'text', internal: true })], [true, true])
  t.equal(isInternal('rev', { kind: 'text' }), false)
  t.same([labelOf('title', { kind: 'text', label: 'Headline' }), labelOf('title')], ['Headline', 'title'])
  for (const [type, headingLevel, level, rows] of [
    ['Hero', undefined, 1, 2],
    ['Card', undefined, 3, 4],
    ['Footer', undefined, 4, 5],
    ['Tabs', undefined, 2, 3],
    ['Hero', 'h5', 5, 6],
    ['Hero', 'huge', 1, 2],
    ['Tabs', 'h6', 6, 6],
  ] as const) {
    const some = block(type, { headingLevel })
    t.same([headingLevelOf(some), rowHeadingLevelOf(some)], [level, rows], `${type} ${headingLevel}`)
  }
  for (const value of [
    undefined,
    null,
    '',
    '/hero-generated.svg',
    'hero-generated.svg',
    '//hero-generated.svg?v=2',
  ])
    t.equal(isPlaceholder(value), true, String(value))
  for (const value of ['/team.jpg', '/img/hero-generated.svg', { url: '' }, 3])
    t.equal(isPlaceholder(value), false, String(value))
})

t.test('a row has the common fields and those of its branch, which win', async (t) => {
  const person: Fields = {
    name: { kind: 'richtext', label: 'Name' },
    profile: { kind: 'reference' },
    _rev: { kind: 'text' },
  }
  const wall: FieldMeta = {
    kind: 'list',
    discriminator: 'kind',
    itemFields: { kind: { kind: 'text' }, name: { kind: 'text', label: 'Common' } },
    itemFieldsByType: { person, note: { text: { kind: 'text' } } },
  }
  t.equal(effectiveItemFields(wall, { kind: 'person' })['name']?.kind, 'richtext')
  t.same(Object.keys(effectiveItemFields(wall, { kind: 'note' })), ['kind', 'name', 'text'])
  for (const row of [{ kind: 'robot' }, { kind: 'constructor' }, { kind: 7 }, {}])
    t.equal(effectiveItemFields(wall, row), wall.itemFields, 'of an unknown branch, or of none')
  const created = { kind: '', name: '', profile: null }
  t.same(newProps(effectiveItemFields(wall, { kind: 'person' })), created, 'without internal props')
})

t.test('row ids', async (t) => {
  for (const [blockId, list, n, id] of [
    ['b_faq_1', 'items', 0, 'itm_tm0h39cpix'],
    ['b_faq_1', 'items', 1, 'itm_0padc6ryct'],
    ['b_team_1', 'rows', 0, 'itm_fiqe5mn6ne'],
    ['b_t_1', 'items', 0, 'itm_3tjdepkhg5'],
    ['b_t_1', 'items', 1, 'itm_djms69maep'],
  ] as const)
    t.equal(generatedId(blockId, list, n), id, 'ids that clients have stored do not change')
  t.test(
    'a row key is an id, else a _key; only what has the generated form is not its author’s',
    async (t) => {
      const generated = generatedId('b', 'l', 0)
      const table: readonly (readonly [Props, string | number | undefined, boolean])[] = [
        [{ id: 'a' }, 'a', true],
        [{ id: 0 }, 0, true],
        [{ _key: 'k' }, 'k', true],
        [{ id: '', _key: 'k' }, 'k', true],
        [{ id: generated }, generated, false],
        [{ id: generated, _key: 'k' }, generated, true],
        [{}, undefined, false],
        [{ id: '' }, undefined, false],
        [{ id: null }, undefined, false],
        [{ id: NaN }, undefined, false],
        [{ _key: 3 }, undefined, false],
      ]
      for (const [row, key, own] of table) {
        t.equal(rowKey(row), key, JSON.stringify(row))
        t.equal(hasOwnKey(row), own, JSON.stringify(row))
      }
      for (const other of ['itm_tm0h39cpiX', 'itm_tm0h39cpi', 'xitm_tm0h39cpix', 'itm_tm0h39cpix\n', 5]) {
        t.equal(isGeneratedId(other), false, String(other))
      }
    },
  )
  t.test(
    'lists inside rows are keyed under the key of their row, also where the author keys the outer list',
    async (t) => {
      const inner: Fields = { buttons: { kind: 'list', itemFields: { label: { kind: 'text' } } } }
      const listOf = (itemFields: Fields): Fields => ({ left: { kind: 'list', itemFields } })
      const keyed = (props: Props, fields: Fields) => withRowIds(block('X', props), fields).props['left']
      const outer = generatedId('b_1', 'left', 0)
      t.same(keyed({ left: [{ buttons: [{}] }] }, listOf(inner)), [
        { id: outer, buttons: [{ id: generatedId('b_1', `left.${outer}.buttons`, 0) }] },
      ])
      t.same(
        keyed(
          { left: [{ id: 9, buttons: [{}] }, { buttons: [{}] }] },
          listOf({ id: { kind: 'number' }, ...inner }),
        ),
        [
          { id: 9, buttons: [{ id: generatedId('b_1', 'left.9.buttons', 0) }] },
          { buttons: [{ id: generatedId('b_1', 'left.1.buttons', 0) }] },
        ],
      )
    },
  )
  t.test('a list whose rows declare an id, in any branch, gets no keys', async (t) => {
    const owned = block('X', { l: [{}] })
    const itemFieldsByType = { a: {}, b: { id: { kind: 'text' as const } } }
    t.equal(withRowIds(owned, { l: { kind: 'list', discriminator: 'k', itemFieldsByType } }), owned)
  })
  t.test('arrays that are not declared lists are opaque', async (t) => {
    const document = block('X', { body: [{ type: 'p' }], rows: [['a']], plain: 'x' })
    t.equal(
      withRowIds(document, {
        body: { kind: 'richtext' },
        rows: { kind: 'text' },
        plain: { kind: 'list' },
        gone: { kind: 'list' },
      }),
      document,
    )
  })
  t.test('a hundred thousand rows that collide with as many others are keyed in linear time', async (t) => {
    const list: Fields = { l: { kind: 'list' } }
    const rows = Array.from({ length: 100_000 }, () => ({}))
    const stored = withRowIds(block('X', { l: rows }), list).props['l']
    const keyed = withRowIds(block('X', { l: [...rows, ...(Array.isArray(stored) ? stored : [])] }), list)
      .props['l']
    t.equal(new Set(Array.isArray(keyed) ? keyed.map((row) => row.id) : []).size, 200_000)
  })
})

t.test('properties of row ids', async (t) => {
  const key = fc.oneof(
    fc.constant({}),
    fc.record({ id: fc.oneof(fc.string(), fc.integer(), fc.constant(null)) }),
    fc.record({ _key: fc.string() }),
    fc.record({ id: fc.integer({ min: 0, max: 5 }).map((n) => generatedId('b_1', 'list', n)) }),
  )
  const row = fc
    .tuple(
      key,
      fc.dictionary(fc.constantFrom('a', 'b', 'inner'), fc.jsonValue({ maxDepth: 2 })),
      fc.array(key, { maxLength: 3 }),
    )
    .map(([keys, values, inner]): Props => ({ ...values, inner, ...keys }))
  const list = fc.array(
    fc.oneof({ weight: 4, arbitrary: row }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) }),
    { maxLength: 8 },
  )
  const fields: Fields = {
    list: { kind: 'list', itemFields: { inner: { kind: 'list', itemFields: { a: { kind: 'text' } } } } },
  }
  const isRow = (value: unknown): value is Props =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const rowsOf = (keyed: Block) =>
    (Array.isArray(keyed.props['list']) ? keyed.props['list'] : []).filter(isRow)

  t.test('every row gets a key once; primitives, own keys and the input are unchanged', async () => {
    fc.assert(
      fc.property(list, (rows) => {
        const once = withRowIds(frozen(block('X', { list: rows })), fields)
        const keyed: readonly unknown[] = Array.isArray(once.props['list']) ? once.props['list'] : []
        const made = rowsOf(once).flatMap(({ id }) => (isGeneratedId(id) ? [id] : []))
        return (
          rowsOf(once).every((one) => rowKey(one) !== undefined) &&
          new Set(made).size === made.length &&
          withRowIds(once, fields) === once &&
          rows.every((one, index) => {
            const now = keyed[index]
            if (!isRow(one)) return now === one || Array.isArray(one)
            return !hasOwnKey(one) || (isRow(now) && rowKey(one) === rowKey(now))
          })
        )
      }),
      { numRuns: runs(70) },
    )
  })
  t.test('removing generated ids is idempotent and pure, and keeps every other key', async () => {
    const json = fc
      .jsonValue({ maxDepth: 4 })
      .chain((value) => list.map((rows) => ({ value, rows, deep: [{ rows }] })))
    fc.assert(
      fc.property(json, (value) => {
        const before = JSON.stringify(value)
        const bare = withoutGeneratedItemIds(frozen(value))
        const own = (rows: readonly unknown[]) =>
          rows.filter(isRow).map((one) => [isGeneratedId(one['id']) ? undefined : one['id'], one['_key']])
        return (
          JSON.stringify(value) === before &&
          withoutGeneratedItemIds(bare) === bare &&
          JSON.stringify(own(bare.rows)) === JSON.stringify(own(value.rows))
        )
      }),
    )
  })
  t.test('removing assigned ids restores the rows without keys', async () => {
    const keyless = fc.array(fc.record({ a: fc.string(), inner: fc.array(fc.record({ a: fc.string() })) }))
    fc.assert(
      fc.property(keyless, (rows) => {
        const { props } = withRowIds(block('X', { list: rows }), fields)
        return JSON.stringify(withoutGeneratedItemIds(props)) === JSON.stringify({ list: rows })
      }),
    )
  })
  t.test(
    'a value without generated ids is returned as is, and an id outside of an array stays',
    async (t) => {
      const value = { id: 'itm_tm0h39cpix', rows: [{ id: 'own' }, 'itm_tm0h39cpix', null] }
      t.equal(withoutGeneratedItemIds(value), value)
      t.same(withoutGeneratedItemIds([{ id: 'itm_tm0h39cpix', q: 1 }, [{ id: 'itm_tm0h39cpix' }]]), [
        { q: 1 },
        [{}],
      ])
    },
  )
})

t.test('ingested pages', async (t) => {
  const manifestOf = (type: string, properties: Props): Manifest | undefined => {
    const blocks = [{ type, propsSchema: { type: 'object', properties } }]
    const verdict = parseManifest({ version: 1, blocks }, registry)
    return verdict.ok ? verdict.manifest : fail(verdict.problem)
  }
  const repaired = (type: string, props: Props, manifest?: Manifest, slug?: string) =>
    onlyBlock(ingestPage(frozen(pageOf([block(type, props)], slug)), { registry, manifest })).props
  const home = repaired('Hero', { heading: 'Hi', imageUrl: '' })
  t.match(home, { heading: 'Hi', imageUrl: imagePlaceholder, imageAlt: /\S/ })
  t.not(repaired('Hero', {}, undefined, '/pricing')['imageAlt'], home['imageAlt'])
  t.notOk('imageUrl' in repaired('Hero', { carouselImages: ['/a.jpg'] }))
  t.equal(repaired('Hero', { carouselImages: [] })['imageUrl'], imagePlaceholder)

  const flat = { title: 'T', heading: '', body: 'B', imageUrl: '/i.jpg', imageAlt: 'I', variant: 'loud' }
  t.match(repaired('TwoColumn', flat), {
    variant: 'default',
    left: [
      { type: 'heading', text: 'T' },
      { type: 'paragraph', text: 'B' },
    ],
    right: [{ type: 'image', src: '/i.jpg', alt: 'I' }],
    title: 'T',
    body: 'B',
  })
  const empty = { left: [{ text: '' }, { text: '' }], right: [{ src: imagePlaceholder, alt: /\S/ }] }
  t.match(repaired('TwoColumn', { left: [] }), { ...empty, variant: undefined }, 'no default is written')

  const text = { type: 'string' }
  const own = manifestOf('Hero', { heading: text, imageAlt: text })
  t.same(Object.keys(repaired('Hero', { heading: 'Hi' }, own)), ['heading', 'imageAlt'], 'only declared')
  const rows = { type: 'array', items: { type: 'object', properties: { name: text } } }
  const ada = { rows: [{ name: 'Ada' }] }
  t.match(repaired('Wall', ada, manifestOf('Wall', { rows })), { rows: [{ id: /^itm_/, name: 'Ada' }] })
  t.same(repaired('Wall', ada), ada, 'rows of unknown types get no keys')

  const kept = [block('Mystery', { a: [{}] }), { ...block('Quote', { quote: 'Q' }), extra: 1 }]
  const page = { ...pageOf(kept), custom: { x: 1 } }
  t.equal(ingestPage(page, { registry }), page, 'a page that needs no repair is returned as is')
  const blocks = [...page.blocks, { ...block('Hero', {}), extra: 2 }]
  const changed = ingestPage({ ...page, blocks }, { registry })
  t.match(changed, { custom: { x: 1 }, updatedAt: noon, blocks: [{}, { extra: 1 }, { extra: 2 }] })
  t.equal(ingestPage(changed, { registry }), changed)
})

t.test('slugs', async (t) => {
  t.test('input is coerced', async (t) => {
    const table: readonly (readonly [unknown, string | undefined])[] = [
      ['/', '/'],
      [' /about ', '/about'],
      ['about', '/about'],
      ['a/b_c-d', '/a/b_c-d'],
      ['/über', '/über'],
      ['/a b', '/a b'],
      ['', undefined],
      ['   ', undefined],
      ['a b', undefined],
      ['-a', undefined],
      ['über', undefined],
      ['a?b', undefined],
      [null, undefined],
      [7, undefined],
    ]
    for (const [input, slug] of table) t.equal(coerceSlug(input), slug, String(input))
  })
  t.test('new slugs have one form', async (t) => {
    const table: readonly (readonly [unknown, string | undefined])[] = [
      ['/', '/'],
      ['///', '/'],
      ['//a///b/', '/a/b'],
      ['about/', '/about'],
      ['/A', '/A'],
      ['/...', '/...'],
      ['/u\u0308ber', '/über'],
      ['/привет/日本', '/привет/日本'],
      ['/a.b~c_d-e', '/a.b~c_d-e'],
      ['/a%20b', undefined],
      [`/${'a'.repeat(511)}`, `/${'a'.repeat(511)}`],
      [`/${'a'.repeat(512)}`, undefined],
      ['/a b', undefined],
      ['/a?b', undefined],
      ['/a#b', undefined],
      ['/a\\b', undefined],
      ['/a\u0000', undefined],
      ['/a\u200bb', undefined],
      [undefined, undefined],
      ['/.', undefined],
      ['/a/../b', undefined],
      ['/%2E%2e/b', undefined],
      ['/.%2e', undefined],
      ['/%252e%252e/b', undefined],
      ['/%2f%2fevil', undefined],
      ['/a/%2Fb', undefined],
      ['/%252fevil', undefined],
      ['/%5cevil', undefined],
      ['/a%0d%0ab', undefined],
      ['/a%7f', undefined],
      ['/100%', undefined],
      ['/50%25-off', undefined],
      ['/caf%C3%A9', '/café'],
      ['/cafe%cc%81', '/café'],
      ['/caf%E9', undefined],
    ]
    for (const [input, slug] of table) t.equal(canonicalSlug(input), slug, String(input))
  })
  t.test('a canonical slug is unchanged', async () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom('/', '.', '..', '%2e', '%25', '%c3%a4', '-', ' ', '?', 'ä', 'a\u0308'),
        fc.string({ unit: 'grapheme', maxLength: 4 }),
      ),
    )
    fc.assert(
      fc.property(pieces, (parts) => {
        const slug = canonicalSlug(`/${parts.join('')}`)
        return (
          slug === undefined ||
          (canonicalSlug(slug) === slug && slug.startsWith('/') && !/\s|\/\/|[?#\\]|.\/$/.test(slug))
        )
      }),
    )
  })
  t.test('addresses in other spellings are one', async (t) => {
    const spellings = [
      ['https://own.site/über', 'HTTPS://OWN.site:443/%c3%bcber/?a=1#b', 'https://own.site//u\u0308ber'],
      ['https://own.site', 'https://own.site/', 'https://Own.Site?x'],
      ['https://bücher.example/a', 'https://xn--bcher-kva.example/a'],
      ['/a', '/a/', '/%61#x', '/b/../a'],
      ['http://own.site/a', 'http://own.site:80/a'],
    ]
    const others = [
      'https://own.site:444/a',
      '//own.site/b',
      '/A',
      'mailto:a@own.site',
      'https://a:b@own.site/a',
      '',
    ]
    const groups = [...spellings, ...others.map((address) => [address])]
    for (const [n, group] of groups.entries())
      for (const [m, other] of groups.entries())
        for (const one of group)
          for (const each of other) t.equal(sameAddress(one, each), n === m, `${one} ${each}`)
  })
  t.test('words, titles and copies', async (t) => {
    const seeds = ['  Our  Team & Friends! ', 'Über uns', '!?', `${'a'.repeat(47)} b`].map(seedFromWords)
    t.same(seeds, ['our-team-friends', 'über-uns', '', 'a'.repeat(47)])
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (words) => {
        const seed = seedFromWords(words)
        return [...seed].length <= 48 && (seed === '' || canonicalSlug(`/${seed}`) !== undefined)
      }),
    )
    const titles = ['/', '/our-team', '/blog/my_post', '//', '-'].map(titleFromSlug)
    t.same(titles, ['Home', 'Our Team', 'Blog My Post', 'Untitled page', 'Untitled page'])
    const files = {
      'posts/2026-11-28-new-boats.md': 'New boats',
      'blog/index.md': 'Blog',
      'docs/README.md': 'Docs',
      'src/pages/index.astro': 'Home',
      'web/src/pages/index.js': 'Home',
      'content/index.njk': 'Home',
      'src/content/blog/app/index.md': 'App',
      'index.html': 'Home',
      'src/routes/+page.svelte': 'Home',
      'src/routes/about/+page.svelte': 'About',
      'app/our-team/page.tsx': 'Our team',
      'app/page.jsx': 'Home',
      'docs/page.md': 'Page',
    }
    t.same(
      Object.keys(files).map((path) => titleFromSlug(slugOfPath(path))),
      Object.values(files),
    )
    t.same(homeFirst(['/b', '/', '/a']), ['/', '/b', '/a'])
    const sorted = ['/', '/b']
    t.equal(homeFirst(sorted), sorted)
    const taken = new Set(['/about-copy', '/about-copy-2'])
    const copies = ['/about', '/', '/a/', 'legacy page', '???'].map((slug) =>
      copySlug(slug, (other) => taken.has(other)),
    )
    t.same(copies, ['/about-copy-3', '/home-copy', '/a-copy', '/legacy-page-copy', '/page-copy'])
    const ofFiles = new Map([
      ['/~boats.md', '/~boats-copy.md'],
      ['/~docs/1.2.oars.en.mdx', '/~docs/1.2.oars.en-copy.mdx'],
      ['/~docs/index.md', '/~docs/index-copy.md'],
      ['/~src/routes/about/~2bpage.md', '/~src/routes/about-copy/~2bpage.md'],
      ['/~src/app/about/page.mdx', '/~src/app/about-copy/page.mdx'],
      ['/~docs/page.mdx', '/~docs/page-copy.mdx'],
      ['/~notes', '/~notes-copy'],
    ])
    for (const [file, copy] of ofFiles)
      t.equal(
        copySlug(file, () => false),
        copy,
      )
    const long = copySlug(`/~${'a'.repeat(500)}.markdown`, (slug) => !slug.includes('copy-2'))
    t.match([long.length <= 512, long], [true, /a-copy-2\.markdown$/])
    const beside = (shown: string, ...slugs: readonly string[]) => slugOfNewPage('ash', shown, slugs)
    t.equal(beside('/~docs/elm.mdx', '/~data/team.yaml', '/~content/oak.md'), '/~docs/ash.mdx')
    t.equal(beside('/~data/team.yaml', '/~data/team.yaml', '/~content/oak.md'), '/~content/ash.md')
    t.equal(beside('/', '/~data/team.yaml'), '/~data/ash.md')
    t.equal(beside('/~elm.markdown', '/~elm.markdown'), '/~ash.markdown')
    t.equal(beside('/about', '/', '/about'), '/ash')
    t.ok(canonicalSlug(copySlug(`/${'a'.repeat(511)}`, () => false)))
  })
})

t.test('the address of a page has the origin of its site', async (t) => {
  const site = 'https://a.example'
  const hrefOf = (slug: string, of = site) => pageAddress(of, slug)?.href.replace(site, '')
  t.test('a slug is a path of the site, without a query', async (t) => {
    const table = [
      ['/', '/'],
      ['', '/'],
      ['/about', '/about'],
      ['about', '/about'],
      ['/a/../b', '/b'],
      ['/über uns', '/%C3%BCber%20uns'],
      ['/a?secret=1#b', '/a%3Fsecret=1%23b'],
      ['/a:b', '/a:b'],
      ['/@b.example', '/@b.example'],
      ['b.example', '/b.example'],
      ['/\uff0fb.example', '/%EF%BC%8Fb.example'],
    ] as const
    for (const [slug, path] of table) t.equal(hrefOf(slug), path, JSON.stringify(slug))
    t.equal(hrefOf('/x', 'https://user:pw@a.example/app?q#h'), '/x', 'nothing of the site but its origin')
    t.equal(addressOn(site, '/a?b=\\#c')?.href, `${site}/a?b=\\#c`, 'a path may have a query')
  })
  t.test('what a browser reads as another address has none', async (t) => {
    const hosts = [
      '//',
      '///',
      '////',
      '\\\\',
      '/\\',
      '\\/',
      '/\t/',
      '/\n/',
      '\t//',
      ' //',
      '\u0000//',
      '\u00a0//',
    ]
    const hidden = ['/.//', '/a/..//', '/./\\', '/%2f', '/%5C', '%2f', '/a/../%2f']
    const schemes = [
      'http://',
      'https:',
      'HTTPS://',
      ' http://',
      'h\tttp://',
      'javascript:',
      'data:',
      'blob:',
    ]
    for (const start of [...hosts, ...hidden, ...schemes])
      t.equal(pageAddress(site, `${start}b.example/x`), undefined, JSON.stringify(start))
    for (const slug of ['/a\\b', '/a\u0000', '/a\r\nx', '/a\u0085', '/\u007f'])
      t.equal(pageAddress(site, slug), undefined, JSON.stringify(slug))
    for (const of of [
      undefined,
      '',
      'a.example',
      'javascript:1',
      'data:text/html,x',
      'file:///a',
      'about:blank',
    ])
      t.equal(pageAddress(of, '/'), undefined, `${of}`)
  })
  t.test('no spelling leaves the origin', async () => {
    const pieces = [...'/\\.:@?#%\t\n\r ', '//', '..', '%2f', '%5c', '%09', 'http:', 'b.example', '[::1]']
    const path = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })))
    fc.assert(
      fc.property(path, (parts) => {
        const slug = parts.join('')
        return [pageAddress(site, slug), addressOn(site, slug)].every((url) => {
          if (!url) return true
          const { origin, pathname, search, hash } = url
          // What is taken apart and put together again, as in a redirect, stays there.
          return origin === site && new URL(pathname + search + hash, site).origin === site
        })
      }),
    )
  })
})

t.test('a stamp is strictly newer than the previous one', async (t) => {
  const now = new Date(noon)
  t.equal(stampAfter('2020-01-01T00:00:00.000Z', now), noon)
  t.equal(stampAfter(noon, now), '2026-01-01T12:00:00.001Z')
  t.equal(stampAfter('2030-01-01T00:00:00.000Z', now), '2030-01-01T00:00:00.001Z', 'a clock that went back')
  t.equal(stampAfter('yesterday-ish', now), noon, 'a missing date counts as the epoch')
  for (const endless of [
    '+275760-09-13T00:00:00.000Z',
    '+010000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ]) {
    t.equal(stampAfter(endless, now), noon, 'so does a stamp that has no successor in text order')
  }
  const clocks = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') })
  const stamps = fc.date({
    noInvalidDate: true,
    min: new Date('0001-01-01'),
    max: new Date('9999-12-31T23:59:59.998Z'),
  })
  fc.assert(
    fc.property(
      stamps,
      clocks,
      (previous, clock) => stampAfter(previous.toISOString(), clock) > previous.toISOString(),
    ),
  )
})

t.test('an external stamp is kept if it is in the past and sorts as text', async (t) => {
  const now = new Date(noon)
  for (const kept of ['2020-02-29T23:59:59.999Z', noon]) t.equal(boundedStamp(kept, now), kept)
  const odd = [
    '2026-01-01T12:00:00.001Z',
    '9999-12-31T23:59:59.999Z',
    '+275760-09-13T00:00:00.000Z',
    '-000001-01-01T00:00:00.000Z',
    '2020-01-01T00:00:00Z',
    '2020-01-01T00:00:00.000+02:00',
    '2020-01-01',
    '2020-13-01T00:00:00.000Z',
    'v7',
    'yesterday-ish',
  ]
  for (const stamp of odd) t.equal(boundedStamp(stamp, now), noon, stamp)
  fc.assert(
    fc.property(
      fc.string(),
      (stamp) =>
        boundedStamp(stamp, now) <= noon &&
        stampAfter(boundedStamp(stamp, now), now) > boundedStamp(stamp, now),
    ),
  )
})

t.test('navigation', async (t) => {
  const slugs = ['/about', '/', '/team', '/blog/my-post']
  const menu = (site: Partial<Parameters<typeof navigationOf>[0]>) =>
    navigationOf({ slugs, config: {}, siteId: 'acme-shop', ...site })
  const shown = (navGroups: Readonly<Record<string, string[]>>) =>
    menu({ config: { navGroups } })
      .items.map((item) =>
        'children' in item ? `${item.label}(${item.children.map(({ slug }) => slug).join(' ')})` : item.slug,
      )
      .join(' ')
  t.same(menu({ current: '/team' }), {
    name: 'Acme Shop',
    items: [
      { label: 'Home', active: false, slug: '/' },
      { label: 'About', active: false, slug: '/about' },
      { label: 'Team', active: true, slug: '/team' },
      { label: 'Blog / My post', active: false, slug: '/blog/my-post' },
    ],
  })
  t.same([navLabelOf('//'), menu({ siteId: '-' }).name], ['Untitled page', 'Website'])
  const config = { name: 'Acme', logo: '/l.svg', navLabels: { '/about': 'Who we are', '/team': '' } }
  const { name, logo, items } = menu({ config })
  t.match({ name, logo }, { name: 'Acme', logo: '/l.svg' })
  t.equal(items.map(({ label }) => label).join(), 'Home,Who we are,Team,Blog / My post')
  t.equal(menu({ slugs: ['constructor'] }).items[0]?.label, 'Constructor')
  t.same(menu({ current: '/new' }).items.at(-1), { label: 'New', active: true, slug: '/new' })
  const navGroups = { More: ['/blog/my-post', '/gone', '/about', '/about'], Empty: ['/gone'] }
  t.equal(shown(navGroups), '/ More(/blog/my-post /about) /team', 'in its own order, without missing pages')
  t.match(menu({ config: { navGroups }, current: '/about' }).items[1], {
    active: true,
    children: [{ active: false }, { active: true }],
  })
  t.equal(shown({ First: ['/about'], Second: ['/team', '/about'] }), '/ Second(/team /about) /blog/my-post')
})

t.test('markup is cleaned', async (t) => {
  const table: readonly (readonly [string, string])[] = [
    ['Fish & chips', 'Fish & chips'],
    ['<p class="a" onclick="x()" style="position:fixed">Hi <b>you</b></p>', '<p class="a">Hi <b>you</b></p>'],
    ['<script>alert(1)</script><style>*{}</style><iframe src="/x"></iframe>ok', 'ok'],
    ['<svg><a xlink:href="javascript:x"><circle/></a></svg><math><mi>x</mi></math>ok', 'ok'],
    [
      '<a href="java\tscript:x">a</a><a href=" JAVASCRIPT:x">b</a><a href="vbscript:x">c</a>',
      '<a>a</a><a>b</a><a>c</a>',
    ],
    ['<a href="data:text/html,x">a</a><a href="data:image/png;base64,AA">b</a>', '<a>a</a><a>b</a>'],
    [
      '<img src="data:image/png;base64,AA" onerror="x()"><img src="data:image/svg+xml,x">',
      '<img src="data:image/png;base64,AA"><img>',
    ],
    [
      '<a href="/a?b#c" target="_blank" rel="noopener">a</a><a href="mailto:a@b.c">b</a>',
      '<a href="/a?b#c" target="_blank" rel="noopener">a</a><a href="mailto:a@b.c">b</a>',
    ],
    ['<font color="red">kept</font><x-y>too</x-y>', 'kepttoo'],
    [
      '<h2 id="here" aria-label="L">t</h2><a id="config" href="/">a</a>',
      '<h2 id="here" aria-label="L">t</h2><a href="/">a</a>',
    ],
    ['a<!-- secret -->b', 'ab'],
    ['<math><mtext><table><mglyph><style><img src=x onerror=x()>', ''],
    ['<form action="/x"><input name="q"></form><template><img src=x onerror=x()></template>ok', 'ok'],
    [
      '<video src="/v.mp4" poster="javascript:x" controls autoplay></video>',
      '<video src="/v.mp4" controls=""></video>',
    ],
  ]
  for (const [markup, cleaned] of table) t.equal(sanitiseHtml(markup), cleaned, markup)

  t.test('cleaned markup contains nothing executable, and cleaning it again changes nothing', async () => {
    const fragments =
      '<p>|</p>|<b>|<table>|<tr><td>|<a href="|javascript:alert(1)|">|<script>|</script>|<svg>|<math>|' +
      '<mtext>|<style>|<title>|<noscript>|<img src=x onerror=alert(1)>|<!--|-->|<![CDATA[|]]>|</|' +
      `<select>|<option>|<textarea>|'|"|\`|&lt;|&#60;script`
    const piece = fc.oneof(fc.constantFrom(...fragments.split('|')), fc.string({ maxLength: 5 }))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const cleaned = sanitiseHtml(pieces.join(''))
        const tags = cleaned.match(/<[a-z][^>]*>/gi) ?? []
        return (
          !/<(?:script|svg|math|style|iframe|title|noscript|textarea|select|!)/i.test(cleaned) &&
          tags.every((tag) => !/\son\w+=|href="\s*javascript/i.test(tag.replaceAll(/"[^"]*on[^"]*"/g, ''))) &&
          sanitiseHtml(cleaned).replaceAll('&lt;', '<') === cleaned.replaceAll('&lt;', '<')
        )
      }),
      { numRuns: runs(100) },
    )
  })
  t.test('the work for expensive markup is bounded', async (t) => {
    t.notOk(sanitiseHtml('<div>'.repeat(100_000)).includes('<'), 'too many tags: treated as text')
    t.ok(sanitiseHtml('<div>'.repeat(5_000)).length < 2_000, 'too deep: the rest is dropped')
  })
})

t.test('unsafe keys are found anywhere', async (t) => {
  const parsed = (json: string): unknown => JSON.parse(json)
  t.equal(findUnsafeKey(parsed('{"a":[1,{"b":{"__proto__":{}}}]}')), 'a[1].b.__proto__')
  t.equal(findUnsafeKey(parsed('{"constructor":1}'), 'patch'), 'patch.constructor')
  t.equal(findUnsafeKey(parsed('[[{"prototype":null}]]')), '[0][0].prototype')
  for (const safe of ['{"proto":1,"a":["__proto__",null]}', '"constructor"', 'null', '7']) {
    t.equal(findUnsafeKey(parsed(safe)), undefined, safe)
  }
  const keys = fc.constantFrom('__proto__', 'constructor', 'prototype')
  const containing = fc.tuple(fc.jsonValue({ maxDepth: 2 }), keys).chain(([value, key]) => {
    const inner = JSON.stringify(value)
    return fc.constantFrom(
      `{"x":[${inner},{"${key}":${inner}}]}`,
      `[{"${key}":${inner}}]`,
      `{"a":{"b":{"${key}":1}},"c":${inner}}`,
    )
  })
  fc.assert(fc.property(containing, (json) => findUnsafeKey(parsed(json)) !== undefined))
})
