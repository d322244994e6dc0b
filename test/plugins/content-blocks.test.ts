import { fail } from 'node:assert'
import fc, { runs } from '../helpers/property.ts'
import t from 'tap'
import { violations } from '../../plugins/content/check-props.ts'
import { demoPages } from '../helpers/demo-pages.ts'
import { isPlaceholder } from '../../plugins/content/fields.ts'
import { checkFields } from '../../plugins/content/field-schema.ts'
import { deriveFields } from '../../plugins/content/derive-fields.ts'
import { ingestPage } from '../../plugins/content/ingest.ts'
import { withoutGeneratedItemIds } from '../../plugins/content/items.ts'
import { generateManifest, parseManifest } from '../../plugins/content/manifest.ts'
import type {
  BlockType,
  BlockTypeInput,
  Manifest,
  Props,
  PropsSchema,
  Registry,
} from '../../plugins/content/model.ts'
import { toPropsSchema } from '../../plugins/content/props-schema.ts'
import { builtinRegistry, createRegistry } from '../../plugins/content/registry.ts'

const registry = builtinRegistry
const overWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const typeOf = (type: string, of: Registry | Manifest = registry): BlockType =>
  of.get(type) ?? fail(`${type} is not known`)
const addable = registry.types().filter(({ chrome }) => !chrome)
const manifestOf = (blocks: readonly unknown[], known = registry): Manifest => {
  const verdict = parseManifest(overWire({ version: 1, blocks }), known)
  return verdict.ok && verdict.manifest ? verdict.manifest : fail(`no manifest: ${JSON.stringify(verdict)}`)
}
const problemOf = (value: unknown) => {
  const verdict = parseManifest(overWire(value), registry)
  return verdict.ok ? fail('the manifest is accepted') : verdict
}
const found = (schema: unknown, value: unknown, path = '') =>
  violations(toPropsSchema(schema), value, path).map(
    ({ path, message, level }) => `${level} ${path}: ${message}`,
  )

t.test('built-in block types', async (t) => {
  const names = (types: readonly BlockType[]) => types.map(({ type }) => type).join(' ')
  const all = registry.types()
  t.equal(all.length, 20)
  t.equal(names(all.filter(({ chrome }) => chrome)), 'Footer SiteHeader')
  t.equal(addable.length, 18)
  for (const { type, propsSchema, starter, fields, description, category } of all) {
    t.same(violations(propsSchema, starter(), ''), [], `the starter of ${type} is valid`)
    t.not(starter(), starter(), 'each call returns a new starter')
    t.doesNotThrow(() => checkFields(type, fields))
    t.same(Object.keys(fields).sort(), Object.keys(propsSchema.properties ?? {}).sort(), 'the same props')
    t.ok(description && category)
  }

  t.test('starters have the keys and values that clients rely on', async (t) => {
    const rows: readonly (readonly [type: string, starter: object])[] = [
      ['Hero', { ctaHref: '/', imageUrl: '/hero-generated.svg', imagePosition: 'right' }],
      ['Card', { ctaHref: '/pricing' }],
      [
        'TwoColumn',
        { variant: 'default', left: [{ type: 'heading' }, { type: 'paragraph' }, { href: '/' }] },
      ],
      ['TwoColumn', { right: [{ type: 'image', src: '/hero-generated.svg' }] }],
      [
        'SiteHeader',
        { logoUrl: '/logo.svg', links: [{ href: '/' }, { href: '/about' }, { href: '/contact' }] },
      ],
      ['Embed', { embedType: 'map', title: '', aspectRatio: '16:9' }],
      ['Carousel', { autoplay: 'false', interval: 5000, items: { length: 3 } }],
      ['Table', { title: '', striped: 'true', headers: { length: 4 }, rows: { length: 4 } }],
      ['Video', { title: '', posterUrl: '', autoplay: 'false', loop: 'false' }],
      ['RichText', { body: /\n## [^]*\n- [^]*\n1\. / }],
    ]
    for (const [type, starter] of rows) t.match(typeOf(type).starter(), starter, type)
  })

  t.test('their limits are those of the registry', async (t) => {
    const buttons = { type: 'ctas', buttons: [{ label: 'A', href: '/' }] }
    const rows: readonly (readonly [type: string, change: Props, ...found: string[]])[] = [
      ['Hero', { heading: '' }, 'B heading: must not be empty'],
      ['Hero', { heading: undefined }, 'A heading: is required'],
      ['Hero', { imagePosition: undefined, eyebrow: '' }],
      ['Hero', { imagePosition: 'top' }, 'A imagePosition: must be one of left, right, full'],
      ['RichText', { title: '', headingLevel: 'gigantic' }],
      ['RichText', { title: undefined }, 'A title: is required'],
      ['Card', { imageUrl: '' }, 'B imageUrl: must not be empty'],
      ['FAQAccordion', { items: [] }, 'B items: must have at least 1 entry'],
      ['FAQAccordion', { items: [{ id: 'itm_tm0h39cpix', q: 'Q' }] }, 'A items[0].a: is required'],
      ['Carousel', { interval: '5000' }, 'A interval: must be a number'],
      ['Table', { headers: ['a', ''] }, 'B headers[1]: must not be empty'],
      ['Table', { rows: [['x', 7]] }, 'A rows[0][1]: must be a string'],
      [
        'SiteHeader',
        { links: [{ label: 'M', children: [{ label: 'A' }] }] },
        'A links[0].children[0].href: is required',
      ],
      ['TwoColumn', { right: [buttons, { type: 'list', items: ['a'] }] }],
    ]
    for (const [type, change, ...expected] of rows)
      t.same(found(typeOf(type).propsSchema, { ...typeOf(type).starter(), ...change }), expected, type)
  })

  t.test('required fields follow from the schema; TwoColumn keeps its older row fields', async (t) => {
    t.match(typeOf('Hero').fields, { heading: { required: true }, imagePosition: { required: undefined } })
    const items = { required: true, itemFields: { q: { required: true, label: 'Question' } } }
    t.match(typeOf('FAQAccordion').fields, { items })
    const { left } = typeOf('TwoColumn').fields
    t.equal(left?.discriminator, 'type')
    t.equal(Object.keys(left?.itemFields ?? {}).join(), 'type,text,label,href,src,alt,poster')
    const branches = Object.entries(left?.itemFieldsByType ?? {})
    t.equal(
      branches.map(([branch, fields]) => `${branch}: ${Object.keys(fields).join()}`).join('; '),
      'heading: text; subheading: text; paragraph: text; list: items; cta: label,href,variant; ' +
        'ctas: buttons; image: src,alt; video: src,alt,poster',
    )
  })
})

t.test('registering block types', async (t) => {
  const wall: BlockTypeInput = {
    type: 'Wall',
    propsSchema: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        rows: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
        _rev: { type: 'string' },
        size: { type: 'number', default: 3 },
      },
      required: ['title', 'rows', '_rev', 'size'],
    },
    meta: {
      displayName: 'Wall',
      fields: { title: { kind: 'richtext', required: false } },
      listFields: { rows: { label: 'People' } },
    },
  }
  t.test('metadata is completed from the schema, and takes precedence over it', async (t) => {
    t.same(createRegistry([wall]).get('Wall')?.fields, {
      title: { kind: 'richtext', required: false },
      rows: {
        kind: 'list',
        label: 'People',
        required: true,
        itemFields: { name: { kind: 'text', label: 'Name', required: true } },
      },
      _rev: { kind: 'text', label: 'Rev', required: true, internal: true },
      size: { kind: 'number', label: 'Size' },
    })
  })
  t.test(
    'a type without starter begins with defaults for its required fields, internal ones left out',
    async (t) => {
      t.same(typeOf('Wall', createRegistry([wall])).starter(), { rows: [] })
    },
  )
  t.test('registering a type again replaces it', async (t) => {
    const open = createRegistry([wall])
    t.equal(open.types().length, 1)
    open.register({ ...wall, meta: { displayName: 'Board' }, starter: { title: 'T', _rev: '7' } })
    t.equal(open.get('Wall')?.displayName, 'Board')
    t.equal(open.get('Wall')?.fields['title']?.kind, 'text')
    t.match(open.types(), [{ displayName: 'Board' }])
    t.same(open.get('Wall')?.starter(), { title: 'T' })
  })
  t.test('an unknown kind is refused at any depth, with block, prop and kind named', async (t) => {
    const parsed = (json: string): NonNullable<BlockTypeInput['meta']['fields']> => JSON.parse(json)
    const cases: readonly (readonly [string, RegExp])[] = [
      [
        '{"flag":{"kind":"boolean"}}',
        /'Wall', prop 'flag': "?boolean"? is not a field kind; use one of text, html/,
      ],
      [
        '{"l":{"kind":"list","itemFields":{"a":{"kind":"toString"}}}}',
        /'Wall', prop 'l\.itemFields\.a': .*toString/,
      ],
      [
        '{"l":{"kind":"list","itemFieldsByType":{"p":{"a":{"kind":"date"}}}}}',
        /'Wall', prop 'l\.itemFieldsByType\.p\.a': .*date/,
      ],
      [
        '{"l":{"kind":"list","itemFields":{"m":{"kind":"list","itemFields":{"x":{}}}}}}',
        /'Wall', prop 'l\.itemFields\.m\.itemFields\.x': must be an object with a 'kind'/,
      ],
      ['{"a":"text"}', /'Wall', prop 'a': must be an object with a 'kind'/],
      ['{"a":{"kind":"enum","options":"x"}}', /'Wall', prop 'a\.options': must be an array/],
    ]
    for (const [fields, message] of cases) {
      t.throws(() => createRegistry([{ ...wall, meta: { displayName: 'Wall', fields: parsed(fields) } }]), {
        message,
      })
    }
  })
  t.test('an incomplete registration is refused', async (t) => {
    t.throws(() => createRegistry([{ ...wall, type: '' }]), { message: /needs a 'type'/ })
    t.throws(() => createRegistry([{ ...wall, meta: { displayName: '' } }]), {
      message: /'Wall' needs 'displayName'/,
    })
    t.throws(() => createRegistry([JSON.parse('{"type":"Wall","meta":{"displayName":"W"}}')]), {
      message: /'Wall' needs a 'propsSchema'/,
    })
  })
})

t.test('field metadata derived from a schema', async (t) => {
  const list = (items: unknown) => ({ type: 'array', items })
  const table: readonly (readonly [string, unknown, Readonly<Record<string, unknown>>])[] = [
    [
      'people',
      list({ type: 'object', properties: { name: { type: 'string' } } }),
      { kind: 'list', itemFields: { name: { kind: 'text' } } },
    ],
    ['things', list({ type: 'object' }), { kind: 'text' }],
    ['tags', list({ type: 'string' }), { kind: 'stringList' }],
    ['galleryImages', list({ type: 'string' }), { kind: 'imageList' }],
    ['rows', list(list({ type: 'string' })), { kind: 'text' }],
    ['pair', { type: 'array', items: [{ type: 'string' }] }, { kind: 'text' }],
    ['size', { type: 'number' }, { kind: 'number', label: 'Size' }],
    ['count', { type: ['integer', 'null'] }, { kind: 'number' }],
    ['tone', { type: 'string', enum: ['a', 3, 'b'] }, { kind: 'enum', options: ['a', 'b'] }],
    ['empty', { type: 'string', enum: [] }, { kind: 'text' }],
    ['imageAlt', { type: 'string' }, { kind: 'imageAlt', label: 'Image alt' }],
    ['halt', { type: 'string' }, { kind: 'text' }],
    ['posterImageUrl', { type: 'string' }, { kind: 'image', label: 'Poster image' }],
    ['heroIMG', { type: 'string' }, { kind: 'image' }],
    ['src', { type: 'string' }, { kind: 'image', label: 'Src' }],
    ['logoUrl', { type: 'string' }, { kind: 'image', label: 'Logo' }],
    ['imagery', { type: 'string' }, { kind: 'text' }],
    ['heroImage', {}, { kind: 'text' }],
    ['flag', { type: 'boolean' }, { kind: 'text' }],
    ['FAQTitle', { type: 'string' }, { kind: 'text', label: 'FAQ title' }],
    ['_rev', { type: 'string' }, { kind: 'text', label: 'Rev', internal: true }],
    ['__', { type: 'string' }, { kind: 'text', label: '__' }],
  ]
  for (const [name, schema, meta] of table) {
    const derived = deriveFields(toPropsSchema({ properties: { [name]: schema } }))[name]
    t.match(derived, meta, `${name} ${JSON.stringify(schema)}`)
  }
  t.same(deriveFields({}), {})
})

t.test('checking props', async (t) => {
  t.test('structure is level A, constraints are level B', async (t) => {
    const table: readonly (readonly [unknown, unknown, readonly string[]])[] = [
      [{ type: 'string' }, 5, ['A p: must be a string']],
      [{ type: ['string', 'null'] }, 5, ['A p: must be a string or null']],
      [{ type: ['string', 'null'] }, null, []],
      [{ type: 'object' }, [], ['A p: must be an object']],
      [{ type: 'array' }, {}, ['A p: must be an array']],
      [{ type: 'boolean' }, 'true', ['A p: must be true or false']],
      [{ type: 'number' }, Infinity, ['A p: must be a number']],
      [{ type: 'integer' }, 1.5, ['B p: must be a whole number']],
      [{ type: ['integer', 'null'] }, 1.5, ['B p: must be a whole number']],
      [{ type: ['integer', 'number'] }, 1.5, []],
      [{ type: 'thing' }, 5, []],
      [{ type: [] }, 5, []],
      [{}, { anything: [1] }, []],
      [{ enum: ['a', '', 1, { b: 1 }] }, 'c', ['A p: must be one of a, "", 1, {"b":1}']],
      [{ enum: [{ b: 1 }] }, { b: 1 }, []],
      [{ const: 'x' }, 'y', ['A p: must be x']],
      [{ const: null }, null, []],
      [{ minLength: 3 }, 'ab', ['B p: must have at least 3 characters']],
      [{ minLength: 2 }, '🙂', ['B p: must have at least 2 characters']],
      [{ maxLength: 1 }, '🙂', []],
      [{ maxLength: 1 }, 'ab', ['B p: must have at most 1 characters']],
      [{ minimum: 2 }, 1, ['B p: must be at least 2']],
      [{ maximum: 2 }, 3, ['B p: must be at most 2']],
      [{ multipleOf: 0.1 }, 0.3, []],
      [{ multipleOf: 2 }, 3, ['B p: must be a multiple of 2']],
      [{ minItems: 2 }, [1], ['B p: must have at least 2 entries']],
      [{ maxItems: 1 }, [1, 2], ['B p: must have at most 1 entry']],
      [{ required: ['a'] }, { a: undefined }, ['A p.a: is required']],
      [{ properties: { a: { type: 'string' } } }, { a: 1, b: 2 }, ['A p.a: must be a string']],
      [{ items: { type: 'string' } }, ['a', 1], ['A p[1]: must be a string']],
      [{ items: [{ type: 'string' }, { type: 'number' }] }, [1, 1, 1], ['B p[0]: must be a string']],
      [{ properties: { a: {} }, additionalProperties: false }, { a: 1, b: 2 }, ['B p.b: is not declared']],
      [{ additionalProperties: { type: 'string' } }, { b: 2 }, ['B p.b: must be a string']],
      [
        { allOf: [{ type: 'string' }, { required: ['a'] }] },
        {},
        ['B p: must be a string', 'B p.a: is required'],
      ],
      [
        { anyOf: [{ type: 'string' }, { type: 'number' }] },
        true,
        ['B p: must have one of the declared forms'],
      ],
      [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 1, []],
      [
        { oneOf: [{ type: 'string' }, { minLength: 1 }] },
        'a',
        ['B p: must have exactly one of the declared forms'],
      ],
      [{ pattern: '^(a+)+$', format: 'email', $schema: 'x' }, `${'a'.repeat(50)}!`, []],
    ]
    for (const [schema, value, expected] of table)
      t.same(found(schema, value, 'p'), expected, JSON.stringify(schema))
  })
  t.test(
    'the key of a row is neither undeclared nor required, and a generated one is not checked',
    async (t) => {
      const closed = { properties: { q: {} }, additionalProperties: false, required: ['id'] }
      const rows = [{ id: 'itm_tm0h39cpix', q: 1 }, { _key: 'k' }, { id: 4, x: 1 }]
      t.same(found({ items: closed }, rows, 'rows'), ['B rows[2].x: is not declared'])
      t.same(found(closed, { _key: 'k' }, 'rows[3]'), [], 'also when the row is checked separately')
      t.same(found(closed, { id: 1 }, 'object'), ['B object.id: is not declared'], 'no row has no key')
      const owned = { items: { properties: { id: { type: 'number' } } } }
      t.same(found(owned, [{ id: 'itm_tm0h39cpix' }, { id: 'x' }], 'rows'), [
        'A rows[1].id: must be a number',
      ])
    },
  )
  t.test('inherited properties are neither props nor schemas', async (t) => {
    t.same(found({ required: ['toString'] }, {}), ['A toString: is required'])
    t.same(found({ properties: {} }, { constructor: 1 }), [])
  })
  t.test('a schema with invalid parts accepts what its valid parts accept', async (t) => {
    const broken = {
      type: 7,
      properties: { a: null, b: { type: 'string' } },
      required: 'a',
      items: 5,
      enum: 'x',
      minLength: '3',
      anyOf: {},
      oneOf: 1,
      allOf: null,
      additionalProperties: 'no',
    }
    t.same(found(broken, { a: 1, b: 2 }), ['A b: must be a string'])
    for (const schema of [true, false, null, 'x', []]) t.same(found(schema, { a: 1 }), [])
  })

  t.test('no schema and no value makes it throw or run for long', async (t) => {
    const schema = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.record(
          {
            type: fc.oneof(
              fc.constantFrom('string', 'object', 'array', 'number', 'x'),
              fc.jsonValue({ maxDepth: 1 }),
            ),
            properties: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), tie('schema')),
            items: fc.oneof(tie('schema'), fc.array(tie('schema'))),
            required: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
            enum: fc.jsonValue(),
            minLength: fc.jsonValue(),
            multipleOf: fc.double(),
            anyOf: fc.oneof(fc.array(tie('schema')), fc.jsonValue()),
            allOf: fc.array(tie('schema')),
            additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
          },
          { requiredKeys: [] },
        ),
      ),
    })).schema
    fc.assert(
      fc.property(schema, fc.jsonValue({ maxDepth: 4 }), (one, value) => Array.isArray(found(one, value))),
      { numRuns: runs(100) },
    )

    let hostile: PropsSchema = { type: 'string' }
    for (let n = 0; n < 40; n += 1) hostile = { anyOf: [hostile, hostile] }
    t.match(violations(hostile, 1, 'p'), [{ path: 'p', level: 'A', message: /too large or too deep/ }])
    let deep: unknown = 1
    for (let n = 0; n < 5_000; n += 1) deep = [deep]
    let recursive: PropsSchema = {}
    for (let n = 0; n < 5_000; n += 1) recursive = { items: recursive }
    t.match(violations(recursive, deep, ''), [{ message: /too large or too deep/ }])
    const nested = Array.from({ length: 80 }).reduce<unknown>((items) => ({ items }), { type: 'string' })
    t.same(found(nested, deep), [], 'deeply nested parts of a schema are not read')
  })
})

t.test('the generated manifest', async (t) => {
  const generated = generateManifest(registry)
  const manifest = manifestOf(generated.blocks)
  t.equal(generated.version, 1)
  t.match(
    generated.blocks,
    addable.map(({ type }) => ({ type })),
    'chrome is left out',
  )
  t.test('schemas of built-in types describe structure only', async (t) => {
    const keywords = new Set<string>()
    const collect = (schema: PropsSchema): void => {
      Object.keys(schema).forEach((keyword) => keywords.add(keyword))
      Object.values(schema.properties ?? {}).forEach(collect)
      if (schema.items && !Array.isArray(schema.items)) collect(toPropsSchema(schema.items))
    }
    generated.blocks.forEach(({ propsSchema }) => collect(propsSchema))
    t.same([...keywords].sort(), ['enum', 'items', 'properties', 'type'])
    const tabs = { propsSchema: { properties: { headingLevel: { type: 'string' } } } }
    t.match(
      generated.blocks.find(({ type }) => type === 'Tabs'),
      tabs,
    )
  })
  for (const { type, fields, propsSchema, displayName, starter } of manifest.types()) {
    const own = typeOf(type)
    t.same([fields, starter(), displayName], [own.fields, own.starter(), own.displayName], type)
    t.same(violations(propsSchema, starter(), ''), [])
  }
  t.same(violations(typeOf('Hero', manifest).propsSchema, { heading: '' }, ''), [], 'empty is allowed')
  t.test('a pinned type of a site is declared, and stays pinned', async (t) => {
    const meta = { displayName: 'Ribbon', chrome: true }
    const { blocks } = generateManifest(createRegistry([{ type: 'Ribbon', propsSchema: {}, meta }]))
    t.match(manifestOf(blocks).get('Ribbon'), { type: 'Ribbon', chrome: true })
  })
  t.test('a type that a site registered keeps its own schema', async (t) => {
    const own = { type: 'object', properties: { n: { type: 'number', minimum: 1 } }, required: ['n'] }
    const { blocks } = generateManifest(
      createRegistry([
        {
          type: 'Own',
          propsSchema: own,
          meta: { displayName: 'Own', description: 'Mine', category: 'media' },
          starter: { n: 2 },
        },
      ]),
    )
    t.match(blocks, [
      {
        type: 'Own',
        description: 'Mine',
        category: 'media',
        propsSchema: own,
        defaultProps: { n: 2 },
        fields: { n: { kind: 'number', required: true } },
      },
    ])
  })
})

t.test('a site’s manifest', async (t) => {
  t.test('nothing, or a document without blocks, is not a manifest', async (t) => {
    for (const value of [undefined, null, { version: 1, blocks: [] }]) {
      t.same(parseManifest(value, registry), { ok: true, manifest: undefined })
    }
  })
  t.test('mistakes are reported with their path', async (t) => {
    const entry = {
      type: 'Wall',
      propsSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    }
    const blocks = (change: object) => ({ version: 1, blocks: [{ ...entry, ...change }] })
    const table: readonly (readonly [unknown, string, RegExp])[] = [
      [7, '', /^must be an object with version and blocks$/],
      [{ blocks: [entry] }, 'version', /^must be an object with version/],
      [
        { version: 1, blocks: [{ type: 'Wall' }] },
        'blocks.0.propsSchema',
        /^must be an object with type and propsSchema$/,
      ],
      [
        blocks({ fields: { title: { kind: 'x'.repeat(9_000) } } }),
        'blocks.0.fields.title.kind',
        /^"x{1,80}"? is not a field kind/,
      ],
      [{ version: 0, blocks: [entry] }, 'version', /whole number/],
      [{ version: 1, blocks: {} }, 'blocks', /array/],
      [blocks({ type: '' }), 'blocks.0.type', /empty/],
      [blocks({ propsSchema: [] }), 'blocks.0.propsSchema', /object/],
      [
        blocks({ displayName: 'x'.repeat(501) }),
        'blocks.0.displayName',
        /^must have at most 500 characters$/,
      ],
      [
        blocks({ fields: { title: { kind: 'text', label: 'x'.repeat(501) } } }),
        'blocks.0.fields.title.label',
        /^must have at most 500 characters$/,
      ],
      [blocks({ editablePaths: [''] }), 'blocks.0.editablePaths.0', /empty/],
      [
        blocks({ fields: { l: { kind: 'list', itemFieldsByType: { a: { b: { kind: 'x' } } } } } }),
        'blocks.0.fields.l.itemFieldsByType.a.b.kind',
        /not a field kind/,
      ],
      [
        blocks({ defaultProps: { title: 4 } }),
        'blocks.0.defaultProps.title',
        /of 'Wall' do not satisfy its propsSchema: title must be a string/,
      ],
      [blocks({ defaultProps: {} }), 'blocks.0.defaultProps.title', /title is required/],
    ]
    for (const [value, path, problem] of table)
      t.match(problemOf(value), { path, problem }, JSON.stringify(value))
    const poisoned = JSON.parse(
      '{"version":1,"blocks":[{"type":"X","propsSchema":{"properties":{"__proto__":{}}}}]}',
    )
    t.match(parseManifest(poisoned, registry), {
      ok: false,
      path: 'blocks[0].propsSchema.properties.__proto__',
    })
  })
  t.test('any JSON value is accepted or rejected without an exception', async () => {
    const entry = fc.record(
      {
        type: fc.string(),
        propsSchema: fc.jsonValue({ maxDepth: 3 }),
        fields: fc.jsonValue({ maxDepth: 3 }),
        defaultProps: fc.jsonValue(),
      },
      { requiredKeys: ['type', 'propsSchema'] },
    )
    const document = fc.oneof(
      fc.jsonValue(),
      fc.record({ version: fc.constant(1), blocks: fc.oneof(fc.array(entry), fc.jsonValue()) }),
    )
    fc.assert(
      fc.property(document, (value) => {
        const verdict = parseManifest(value, registry)
        if (!verdict.ok) return verdict.problem !== ''
        return (verdict.manifest?.types() ?? []).every((type) => typeof type.starter() === 'object')
      }),
      { numRuns: runs(100) },
    )
  })
  t.test('the last declaration of a type wins, and unknown keys are ignored', async (t) => {
    const manifest = manifestOf([
      { type: 'Wall', displayName: 'First', propsSchema: {}, extra: { deep: [1] } },
      {
        type: 'Wall',
        displayName: 'Last',
        propsSchema: {},
        category: 'unheard of',
        chrome: 'yes',
        description: 5,
      },
    ])
    t.match(manifest.types(), [
      { type: 'Wall', displayName: 'Last', chrome: false, category: undefined, description: undefined },
    ])
    t.equal(manifest.get('Hero'), undefined)
  })
  t.test('per prop, own fields win over registered ones, which win over the schema', async (t) => {
    const { fields, displayName, category } = typeOf(
      'Hero',
      manifestOf([
        {
          type: 'Hero',
          propsSchema: {
            type: 'object',
            properties: {
              heading: { type: 'string' },
              subheading: { type: 'string' },
              ctaHref: { type: 'string' },
              mood: { type: 'string', enum: ['calm'] },
            },
          },
          fields: { heading: { kind: 'html', label: 'Own' } },
        },
      ]),
    )
    t.match(fields, {
      heading: { kind: 'html', label: 'Own' },
      subheading: { kind: 'text', multiline: true, required: true },
      ctaHref: { kind: 'url' },
      mood: { kind: 'enum', options: ['calm'] },
    })
    t.notOk('imageUrl' in fields, 'undeclared props are absent')
    t.same([displayName, category], ['Hero', 'content'])
  })
  t.test('registered row fields are limited to those that the site declares', async (t) => {
    const rows = (properties: object) => ({ type: 'array', items: { type: 'object', properties } })
    const fieldsOf = (type: string, properties: object, required?: readonly string[]) =>
      typeOf(type, manifestOf([{ type, propsSchema: { type: 'object', properties, required } }])).fields
    const text = { type: 'string' }
    const faq = fieldsOf('FAQAccordion', { items: rows({ q: text, answer: text }) })['items']
    t.same(Object.keys(faq?.itemFields ?? {}), ['q'])
    const { left } = fieldsOf('TwoColumn', { left: rows({ type: text, text, href: text }) })
    t.same(Object.keys(left?.itemFields ?? {}), ['type', 'text', 'href'])
    t.same(left?.itemFieldsByType?.['image'], {})
    const plain = fieldsOf('TwoColumn', { left: rows({ text }) })['left']
    t.equal(plain?.discriminator ?? plain?.itemFieldsByType, undefined, 'without it there is no branch')
    const any = fieldsOf('FAQAccordion', { items: {} })['items']
    t.equal(any?.itemFields?.['a']?.kind, 'richtext', 'an empty schema removes nothing')
    t.match(
      fieldsOf('Hero', { heading: text, subheading: text }, ['subheading']),
      { heading: { required: undefined }, subheading: { required: true } },
      'and decides what is required',
    )
  })
  t.test('a block starts from the manifest’s defaults, else from those of its type', async (t) => {
    const title = { type: 'string' }
    const starterOf = (type: string, properties: object, more: object = {}) =>
      typeOf(
        type,
        manifestOf([{ type, propsSchema: { properties, required: Object.keys(properties) }, ...more }]),
      ).starter()
    t.same(starterOf('Wall', { title }, { defaultProps: { title: 'Hi' } }), { title: 'Hi' })
    const defaultProps = { title: 'Hi', _rev: '7' }
    t.same(starterOf('Wall', { title, _rev: title }, { defaultProps }), { title: 'Hi' }, 'no internal props')
    const people = { type: 'array', items: { type: 'object', properties: { name: title } } }
    t.same(starterOf('Wall', { title, people }), { title: '', people: [] })
    t.same(starterOf('Card', { title }), { title: typeOf('Card').starter()['title'] })
    t.same(starterOf('Card', { title: { type: 'number' } }), { title: '' }, 'no invalid starter')
  })
})

t.test('the demo website', async (t) => {
  t.test('shows every block type that can be added', async (t) => {
    const shown = new Set(demoPages.flatMap(({ blocks }) => blocks.map(({ type }) => type)))
    t.same(shown, new Set(addable.map(({ type }) => type)))
  })
  for (const page of demoPages) {
    t.test(`${page.slug} is valid content`, async (t) => {
      for (const { id, type, props } of page.blocks)
        t.same(violations(typeOf(type).propsSchema, props, ''), [], id)
      t.same(withoutGeneratedItemIds(ingestPage(page, { registry })), page, 'nothing needs repair')
      t.ok(page.meta?.title && page.meta.description)
    })
  }
  t.test('its ids and slugs are unique, and its links resolve', async (t) => {
    const blocks = demoPages.flatMap((page) => page.blocks)
    t.equal(new Set(blocks.map(({ id }) => id)).size, blocks.length)
    const slugs = demoPages.map(({ slug }) => slug)
    t.same(slugs, [...new Set(slugs)])
    const hrefs = [...JSON.stringify(blocks).matchAll(/[hH]ref":"(\/[^"#]*)/g)].map(([, href]) => href)
    t.ok(hrefs.length > 10)
    for (const href of hrefs) t.ok(slugs.includes(href ?? ''), String(href))
    t.ok(isPlaceholder(blocks.find(({ type }) => type === 'Hero')?.props['imageUrl']))
  })
})
