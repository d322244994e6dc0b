import { fail } from 'node:assert'
import fc from '../helpers/property.ts'
import t from 'tap'
import * as v from 'valibot'
import { copyOf, engineBlockId, freeBlockId, pageIdFromSlug } from '../../plugins/content/block-ids.ts'
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
  nextRowId,
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
import { builtinRegistry } from '../../plugins/content/registry.ts'
import {
  canonicalSlug,
  coerceSlug,
  copySlug,
  homeFirst,
  seedFromWords,
  titleFromSlug,
  slugSpellings,
} from '../../plugins/content/slugs.ts'
import { boundedStamp, stampAfter } from '../../plugins/content/stamp.ts'
import { findUnsafeKey } from '../../plugins/content/plain-object.ts'

const generatedId = (blockId: string, list: string, n: number) => rowIds(blockId, list).at(n)

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
    ['text', 'New Name', true],
    ['html', '<p>New Name</p>', true],
    ['richtext', 'New Name', true],
    ['link', '/', false],
    ['reference', null, false],
    ['list', [], false],
    ['stringList', [], true],
    ['imageList', [], false],
    ['url', '/', false],
    ['image', imagePlaceholder, false],
    ['imageAlt', 'New Name', true],
    ['enum', 'one', false],
    ['color', '#0f766e', false],
    ['number', 0, false],
    ['headingLevel', undefined, false],
  ]
  t.same(table.map(([kind]) => kind).sort(), Object.keys(fieldKinds).sort(), 'the table names every kind')
  for (const [kind, initial, translatable] of table) {
    const meta = { kind, label: 'Name', options: ['one', 'two'] }
    t.same(
      newProps({ name: meta }),
      initial === undefined ? {} : { name: initial },
      `${kind} has its initial value`,
    )
    t.equal(isTranslatable(meta), translatable, `${kind} translatable`)
    t.doesNotThrow(() => checkFields('X', { name: meta }))
  }
  t.same(newProps({ choice: { kind: 'enum' } }), { choice: '' }, 'a choice without options starts empty')
  t.same(
    newProps({ to: { kind: 'link' } }, { properties: { to: { type: 'object' } } }),
    { to: { href: '/' } },
    'a link can be an object',
  )
  t.same(
    newProps({ body: { kind: 'html', label: 'R&D <i>' } }),
    { body: '<p>New R&amp;D &lt;i&gt;</p>' },
    'a label is escaped',
  )
})

t.test('derived field metadata', async (t) => {
  t.test(
    'a field can be kept out of translations, and a list is translated if any row field is',
    async (t) => {
      t.equal(isTranslatable({ kind: 'text', localized: false }), false)
      t.equal(isTranslatable({ kind: 'list', itemFields: { href: { kind: 'url' } } }), false)
      t.equal(isTranslatable({ kind: 'list', itemFieldsByType: { note: { text: { kind: 'text' } } } }), true)
    },
  )
  t.test('an underscore or an explicit flag makes a prop internal', async (t) => {
    t.equal(isInternal('_rev'), true)
    t.equal(isInternal('rev', { kind: 'text', internal: true }), true)
    t.equal(isInternal('rev', { kind: 'text' }), false)
  })
  t.equal(labelOf('title', { kind: 'text', label: 'Headline' }), 'Headline')
  t.equal(labelOf('title'), 'title')
  t.test('headings of rows are one level below the heading of their block', async (t) => {
    t.equal(headingLevelOf(block('Hero', {})), 1)
    t.equal(headingLevelOf(block('Card', {})), 3)
    t.equal(headingLevelOf(block('Footer', {})), 4)
    t.equal(headingLevelOf(block('Tabs', {})), 2)
    t.equal(headingLevelOf(block('Hero', { headingLevel: 'h5' })), 5)
    t.equal(headingLevelOf(block('Hero', { headingLevel: 'huge' })), 1)
    t.equal(rowHeadingLevelOf(block('Tabs', {})), 3)
    t.equal(rowHeadingLevelOf(block('Tabs', { headingLevel: 'h6' })), 6)
  })
  t.test(
    'a missing value, an empty text and the placeholder path mean that no image was chosen',
    async (t) => {
      for (const value of [
        undefined,
        null,
        '',
        '/hero-generated.svg',
        'hero-generated.svg',
        '//hero-generated.svg?v=2',
      ]) {
        t.equal(isPlaceholder(value), true, String(value))
      }
      for (const value of ['/team.jpg', '/img/hero-generated.svg', { url: '' }, 3]) {
        t.equal(isPlaceholder(value), false, String(value))
      }
    },
  )
})

t.test('rows of polymorphic lists', async (t) => {
  const wall: FieldMeta = {
    kind: 'list',
    discriminator: 'kind',
    itemFields: { kind: { kind: 'text' }, name: { kind: 'text', label: 'Common' } },
    itemFieldsByType: {
      person: {
        name: { kind: 'richtext', label: 'Name' },
        profile: { kind: 'reference' },
        _rev: { kind: 'text' },
      },
      note: { text: { kind: 'text' } },
    },
  }
  t.test('a row has the common fields and those of its branch, which win', async (t) => {
    t.equal(effectiveItemFields(wall, { kind: 'person' })['name']?.kind, 'richtext')
    t.same(Object.keys(effectiveItemFields(wall, { kind: 'note' })), ['kind', 'name', 'text'])
  })
  t.test('a row of an unknown branch, or of none, has the common fields only', async (t) => {
    for (const row of [{ kind: 'robot' }, { kind: 'constructor' }, { kind: 7 }, {}]) {
      t.equal(effectiveItemFields(wall, row), wall.itemFields)
    }
  })
  t.test('new props are those of its branch, without internal ones', async (t) => {
    t.same(newProps(effectiveItemFields(wall, { kind: 'person' })), {
      kind: 'New kind',
      name: 'New Name',
      profile: null,
    })
  })
})

t.test('row ids', async (t) => {
  t.test('ids that clients have stored do not change', async (t) => {
    t.equal(generatedId('b_faq_1', 'items', 0), 'itm_tm0h39cpix')
    t.equal(generatedId('b_faq_1', 'items', 1), 'itm_0padc6ryct')
    t.equal(generatedId('b_team_1', 'rows', 0), 'itm_fiqe5mn6ne')
    t.equal(generatedId('b_t_1', 'items', 0), 'itm_3tjdepkhg5')
    t.equal(generatedId('b_t_1', 'items', 1), 'itm_djms69maep')
  })
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
  t.test('a new row gets the first free id, starting at the length of the list', async (t) => {
    const taken = new Set([generatedId('b', 'l', 2), generatedId('b', 'l', 3)])
    t.equal(nextRowId(rowIds('b', 'l'), 2, (id) => taken.has(id)).id, generatedId('b', 'l', 4))
  })
  t.test('rows without a key get one, rows with a key and primitives stay as they are', async (t) => {
    const rows = frozen([{ q: 'a' }, { _key: 'k', q: 'b' }, 'text', { id: 7 }, { id: null, q: 'c' }])
    const { props } = withRowIds(block('FAQAccordion', { items: rows }), { items: { kind: 'list' } })
    t.same(props['items'], [
      { id: generatedId('b_1', 'items', 0), q: 'a' },
      { _key: 'k', q: 'b' },
      'text',
      { id: 7 },
      { id: generatedId('b_1', 'items', 4), q: 'c' },
    ])
  })
  t.test('an id is never assigned twice, and a duplicate is replaced at its second occurrence', async (t) => {
    const [first, second, third] = [0, 1, 2].map((n) => generatedId('b_1', 'l', n))
    const keyed = (rows: readonly Props[]) =>
      withRowIds(block('X', { l: rows }), { l: { kind: 'list' } }).props['l']
    t.same(keyed([{}, { id: first }, {}]), [{ id: second }, { id: first }, { id: third }])
    t.same(keyed([{ id: first }, { id: first }]), [{ id: first }, { id: second }])
    t.same(
      keyed([{ id: 'own' }, { id: 'own' }]),
      [{ id: 'own' }, { id: 'own' }],
      'an author may repeat a key',
    )
  })
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
    t.equal(
      withRowIds(owned, {
        l: { kind: 'list', discriminator: 'k', itemFieldsByType: { a: {}, b: { id: { kind: 'text' } } } },
      }),
      owned,
    )
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

  t.test('every row of a declared list has a key, and generated keys are unique in their list', async () => {
    fc.assert(
      fc.property(list, (rows) => {
        const keyed = rowsOf(withRowIds(block('X', { list: rows }), fields))
        const made = keyed.map((one) => one['id']).filter(isGeneratedId)
        return keyed.every((one) => rowKey(one) !== undefined) && new Set(made).size === made.length
      }),
    )
  })
  t.test('primitives and own keys are unchanged, and the input is not mutated', async () => {
    fc.assert(
      fc.property(list, (rows) => {
        const keyed = withRowIds(frozen(block('X', { list: rows })), fields).props['list']
        return (
          Array.isArray(keyed) &&
          rows.every((one, index) =>
            isRow(one)
              ? !hasOwnKey(one) || rowKey(one) === rowKey(keyed[index])
              : keyed[index] === one || Array.isArray(one),
          )
        )
      }),
    )
  })
  t.test('assigning row ids twice changes nothing the second time', async () => {
    fc.assert(
      fc.property(list, (rows) => {
        const once = withRowIds(block('X', { list: rows }), fields)
        return withRowIds(once, fields) === once
      }),
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
  const manifestOf = (properties: Readonly<Record<string, unknown>>, type: string): Manifest | undefined => {
    const verdict = parseManifest(
      { version: 1, blocks: [{ type, propsSchema: { type: 'object', properties } }] },
      registry,
    )
    return verdict.ok ? verdict.manifest : fail(verdict.problem)
  }
  const repaired = (
    type: string,
    props: Props,
    { slug, manifest }: { slug?: string; manifest?: Manifest | undefined } = {},
  ) => onlyBlock(ingestPage(frozen(pageOf([block(type, props)], slug)), { registry, manifest })).props

  t.test(
    'a Hero without image gets the placeholder and a description, another one on the price page',
    async (t) => {
      const home = repaired('Hero', { heading: 'Hi', imageUrl: '' })
      t.match(home, { heading: 'Hi', imageUrl: imagePlaceholder, imageAlt: /\S/ })
      t.not(repaired('Hero', {}, { slug: '/pricing' })['imageAlt'], home['imageAlt'])
    },
  )
  t.test('carousel images count as the image, an empty array does not', async (t) => {
    t.notOk('imageUrl' in repaired('Hero', { carouselImages: ['/a.jpg'] }))
    t.equal(repaired('Hero', { carouselImages: [] })['imageUrl'], imagePlaceholder)
  })
  t.test('an older TwoColumn is rebuilt from its flat props', async (t) => {
    const props = repaired('TwoColumn', {
      title: 'T',
      heading: '',
      body: 'B',
      imageUrl: '/i.jpg',
      imageAlt: 'I',
      variant: 'loud',
    })
    t.match(props, {
      variant: 'default',
      left: [
        { type: 'heading', text: 'T' },
        { type: 'paragraph', text: 'B' },
      ],
      right: [{ type: 'image', src: '/i.jpg', alt: 'I' }],
      title: 'T',
      body: 'B',
    })
    t.match(repaired('TwoColumn', { left: [] }), {
      left: [{ text: '' }, { text: '' }],
      right: [{ src: imagePlaceholder, alt: /\S/ }],
    })
    t.notOk('variant' in repaired('TwoColumn', {}), 'no default is written')
  })
  t.test('props that the site’s manifest does not declare are not repaired', async (t) => {
    const manifest = manifestOf({ heading: { type: 'string' }, imageAlt: { type: 'string' } }, 'Hero')
    t.same(Object.keys(repaired('Hero', { heading: 'Hi' }, { manifest })), ['heading', 'imageAlt'])
  })
  t.test('rows of manifest types are keyed, those of unknown types are not', async (t) => {
    const manifest = manifestOf(
      { rows: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } } },
      'Wall',
    )
    t.match(repaired('Wall', { rows: [{ name: 'Ada' }] }, { manifest })['rows'], [
      { id: /^itm_/, name: 'Ada' },
    ])
    t.same(repaired('Wall', { rows: [{ name: 'Ada' }] })['rows'], [{ name: 'Ada' }])
  })
  t.test('a page that needs no repair is returned as is, with unknown keys and stamp', async (t) => {
    const page = {
      ...pageOf([block('Mystery', { a: [{}] }), { ...block('Quote', { quote: 'Q' }), extra: 1 }]),
      custom: { x: 1 },
    }
    t.equal(ingestPage(page, { registry }), page)
    const changed = ingestPage(
      { ...page, blocks: [...page.blocks, { ...block('Hero', {}), extra: 2 }] },
      { registry },
    )
    t.match(changed, { custom: { x: 1 }, updatedAt: noon, blocks: [{}, { extra: 1 }, { extra: 2 }] })
    t.equal(ingestPage(changed, { registry }), changed)
  })
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
      ['/a.b~c_d-e%20', '/a.b~c_d-e%20'],
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
    ]
    for (const [input, slug] of table) t.equal(canonicalSlug(input), slug, String(input))
  })
  t.test('a canonical slug is unchanged', async () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom('/', '.', '..', '%2e', '-', ' ', '?', 'ä', 'a\u0308'),
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
  t.test('a page is found by its exact slug first, then by the normalised one', async (t) => {
    const slugs = ['/', '/about', '/about/', 'legacy page']
    const found = (wanted: string) => slugSpellings(wanted).find((slug) => slugs.includes(slug))
    t.equal(found('/about/'), '/about/')
    t.equal(found('about'), '/about')
    t.equal(found('//about'), '/about')
    t.equal(found('legacy page'), 'legacy page')
    t.equal(found('/About'), undefined)
    t.equal(found('no such page'), undefined)
  })
  t.test('words become a slug segment', async (t) => {
    t.equal(seedFromWords('  Our  Team & Friends! '), 'our-team-friends')
    t.equal(seedFromWords('Über uns'), 'über-uns')
    t.equal(seedFromWords('!?'), '')
    t.equal(seedFromWords(`${'a'.repeat(47)} b`), 'a'.repeat(47), 'cut without a trailing dash')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (words) => {
        const seed = seedFromWords(words)
        return [...seed].length <= 48 && (seed === '' || canonicalSlug(`/${seed}`) !== undefined)
      }),
    )
  })
  t.test('titles come from slugs', async (t) => {
    const titles = ['/', '/our-team', '/blog/my_post', '//', '-'].map(titleFromSlug)
    t.same(titles, ['Home', 'Our Team', 'Blog My Post', 'Untitled page', 'Untitled page'])
  })
  t.test('home is listed first, the others in order', async (t) => {
    t.same(homeFirst(['/b', '/', '/a']), ['/', '/b', '/a'])
    const sorted = ['/', '/b']
    t.equal(homeFirst(sorted), sorted)
    t.same(homeFirst(['/b', '/a']), ['/b', '/a'])
  })
  t.test('a copy gets the first free slug, in canonical form', async (t) => {
    const taken = new Set(['/about-copy', '/about-copy-2'])
    t.equal(
      copySlug('/about', (slug) => taken.has(slug)),
      '/about-copy-3',
    )
    const free = () => false
    t.same(
      ['/', '/a/', 'legacy page', '???'].map((slug) => copySlug(slug, free)),
      ['/home-copy', '/a-copy', '/legacy-page-copy', '/page-copy'],
    )
    t.ok(canonicalSlug(copySlug(`/${'a'.repeat(511)}`, free)))
  })
})

t.test('ids of pages and blocks', async (t) => {
  const taken =
    (...ids: readonly string[]) =>
    (id: string) =>
      ids.includes(id)
  t.same(
    ['/', '/our-team/berlin', '/über', '/???', 'x'].map((slug) => pageIdFromSlug(slug)),
    ['p_home', 'p_our_team_berlin', 'p_ber', 'p_page', 'p_x'],
  )
  t.equal(pageIdFromSlug('/a', taken('p_a', 'p_a_2')), 'p_a_3')
  t.equal(engineBlockId('FAQAccordion', new Date(5), taken()), 'b_faqaccordion_5')
  t.equal(engineBlockId('Hero', new Date(5), taken('b_hero_5', 'b_hero_5_1')), 'b_hero_5_2')
  t.equal(freeBlockId(copyOf('b_1'), taken()), 'b_1_copy')
  t.equal(freeBlockId(copyOf('b_1'), taken('b_1_copy')), 'b_1_copy_1')
  t.equal(freeBlockId('b_1', taken('b_1', 'b_1_1')), 'b_1_2')
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
  const shape = (items: ReturnType<typeof menu>['items']): unknown =>
    items.map((item) =>
      'children' in item ? [item.label, ...item.children.map((child) => child.slug)] : item.slug,
    )

  t.test('home comes first, labels come from slugs, and the name from the site id', async (t) => {
    t.same(menu({ current: '/team' }), {
      name: 'Acme Shop',
      items: [
        { label: 'Home', active: false, slug: '/' },
        { label: 'About', active: false, slug: '/about' },
        { label: 'Team', active: true, slug: '/team' },
        { label: 'Blog / My post', active: false, slug: '/blog/my-post' },
      ],
    })
    t.equal(navLabelOf('//'), 'Untitled page')
    t.equal(menu({ siteId: '-' }).name, 'Website')
  })
  t.test('name, logo and labels of the config win; an empty label is ignored', async (t) => {
    const config = { name: 'Acme', logo: '/l.svg', navLabels: { '/about': 'Who we are', '/team': '' } }
    const { name, logo, items } = menu({ config })
    t.same(
      [name, logo, ...items.map((item) => item.label)],
      ['Acme', '/l.svg', 'Home', 'Who we are', 'Team', 'Blog / My post'],
    )
    t.equal(menu({ slugs: ['constructor'] }).items[0]?.label, 'Constructor')
  })
  t.test('the page being shown is listed even when it is not among the pages', async (t) => {
    t.same(menu({ current: '/new' }).items.at(-1), { label: 'New', active: true, slug: '/new' })
  })
  t.test('a group is placed at its first page, in its own order, without missing pages', async (t) => {
    const config = { navGroups: { More: ['/blog/my-post', '/gone', '/about', '/about'], Empty: ['/gone'] } }
    t.same(shape(menu({ config }).items), ['/', ['More', '/blog/my-post', '/about'], '/team'])
    t.match(menu({ config, current: '/about' }).items[1], {
      active: true,
      children: [{ active: false }, { active: true }],
    })
  })
  t.test('a page in several groups belongs to the last, and an empty group is dropped', async (t) => {
    const config = { navGroups: { First: ['/about'], Second: ['/team', '/about'] } }
    t.same(shape(menu({ config }).items), ['/', ['Second', '/team', '/about'], '/blog/my-post'])
  })
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
    const piece = fc.oneof(
      fc.constantFrom(
        '<p>',
        '</p>',
        '<b>',
        '<table>',
        '<tr><td>',
        '<a href="',
        'javascript:alert(1)',
        '">',
        '<script>',
        '</script>',
        '<svg>',
        '<math>',
        '<mtext>',
        '<style>',
        '<title>',
        '<noscript>',
        '<img src=x onerror=alert(1)>',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '</',
        '<select>',
        '<option>',
        '<textarea>',
        "'",
        '"',
        '`',
        '&lt;',
        '&#60;script',
      ),
      fc.string({ maxLength: 5 }),
    )
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
      { numRuns: 300 },
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
