import type { Block, Page } from '../../plugins/content/model.ts'
import { pageOf } from './content.ts'

/** A request of less than a mebibyte that is expensive for the engine. */
export interface HeavyRequest {
  readonly ops: readonly object[]
  readonly manifest?: object
  readonly pages?: readonly Page[]
  /** The reason of the refusal; without it the request is applied. */
  readonly says?: RegExp
}

const times = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at))
const named = <T>(count: number, make: (at: number) => T, prefix = 'p'): Readonly<Record<string, T>> =>
  Object.fromEntries(times(count, (at) => [`${prefix}${at}`, make(at)]))
const blockOf = (props: Block['props'], id = 'b'): Block => ({ id, type: 'T', props })
const manifest = (propsSchema: object, more: object = {}) => ({
  version: 1,
  blocks: [{ type: 'T', propsSchema, ...more }],
})
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const rowsOf = (items: object, more: object = {}) => object({ rows: { type: 'array', items, ...more } })
const onB = { pageSlug: '/', blockId: 'b' }
const patched = (patch: (at: number) => object, count = 200) =>
  times(count, (at) => ({ op: 'update_props', ...onB, patch: patch(at) }))
const longName = 'n'.repeat(300_000)
const tooLong = /takes too long/
const tooLarge = /at most 20000 objects and lists/
const page = (props: Block['props']) => [pageOf('/', [blockOf(props)])]

/** A schema that no value satisfies, with `width` alternatives on each level. */
function tree(keyword: string, levels: number, width: number): object {
  return levels === 0 ? { const: 0 } : { [keyword]: times(width, () => tree(keyword, levels - 1, width)) }
}

/** By name. Without limits most of them take from a second to a minute. */
export const heavyRequests: Readonly<Record<string, HeavyRequest>> = {
  ...Object.fromEntries(
    ['anyOf', 'oneOf', 'allOf'].map((keyword): [string, HeavyRequest] => [
      `a tree of ${keyword}`,
      {
        ops: patched((at) => ({ p: at + 1 })),
        manifest: manifest(object({ p: tree(keyword, 12, 2) })),
        pages: page({ p: -1 }),
        says: tooLong,
      },
    ]),
  ),
  'a larger tree': {
    ops: patched((at) => ({ p: at + 1 })),
    manifest: manifest(object({ p: tree('anyOf', 14, 2) })),
    pages: page({ p: -1 }),
    says: tooLarge,
  },
  'a tree for each row': {
    ops: patched((at) => ({ rows: times(200, (row) => ({ v: at * 200 + row + 1 })) })),
    manifest: manifest(rowsOf(object({ v: tree('anyOf', 10, 2) }))),
    pages: page({ rows: [] }),
    says: tooLong,
  },
  'a long enum': {
    ops: patched((at) => ({ rows: times(100, (row) => `v${at}-${row}`) })),
    manifest: manifest(rowsOf({ anyOf: [{ enum: times(60_000, (at) => at) }] })),
    pages: page({ rows: [] }),
    says: tooLong,
  },
  'an enum of long members': {
    ops: patched((at) => ({ rows: times(5, () => ({ v: [...times(40, () => 0), at] })) })),
    manifest: manifest(
      rowsOf(object({ v: { anyOf: [{ enum: times(500, (at) => [...times(40, () => 0), -at - 1]) }] } })),
    ),
    pages: page({ rows: [] }),
    says: tooLong,
  },
  'a long list of required props': {
    ops: patched(() => ({ rows: times(200, () => ({})) })),
    manifest: manifest(rowsOf({ allOf: [{ required: times(50_000, (at) => `r${at}`) }] })),
    pages: page({ rows: [] }),
    says: tooLong,
  },
  'many notes': {
    ops: patched((at) => ({ rows: times(400, (row) => `v${at}-${row}`) })),
    manifest: manifest(rowsOf({ allOf: times(200, () => ({ maxLength: 0 })) })),
    pages: page({ rows: [] }),
    says: tooLong,
  },
  'additional props': {
    ops: patched((at) => ({ o: named(400, () => at + 1) })),
    manifest: manifest(object({ o: { additionalProperties: tree('anyOf', 10, 2) } })),
    pages: page({ o: {} }),
    says: tooLong,
  },
  'a tuple': {
    ops: patched((at) => ({ t: times(200, () => at + 1) })),
    manifest: manifest(object({ t: { type: 'array', items: times(200, () => tree('anyOf', 4, 2)) } })),
    pages: page({ t: [] }),
    says: tooLong,
  },
  'a pattern': {
    ops: patched((at) => ({ p: `${'a'.repeat(4_000)}!${at}` })),
    manifest: manifest(object({ p: { type: 'string', pattern: '^(a+)+$' } })),
    pages: page({ p: '' }),
  },
  'ten thousand block types': {
    ops: patched((at) => ({ p: `v${at}` })),
    manifest: {
      version: 1,
      blocks: times(10_000, (at) => ({ type: `T${at}`, propsSchema: { properties: {} } })),
    },
    says: tooLarge,
  },
  'nine thousand block types': {
    ops: patched((at) => ({ p: `v${at}` })),
    manifest: {
      version: 1,
      blocks: [
        ...times(9_900, (at) => ({ type: `T${at}`, propsSchema: {} })),
        { type: 'T', propsSchema: object({ p: {} }) },
      ],
    },
    pages: page({ p: '' }),
  },
  'defaults against trees': {
    ops: patched(() => ({ p: 1 })),
    manifest: {
      version: 1,
      blocks: times(50, (at) => ({
        type: `T${at}`,
        propsSchema: { additionalProperties: { anyOf: [tree('anyOf', 6, 2), {}] } },
        defaultProps: named(200, () => 1),
      })),
    },
    says: /too large or too deep to be checked/,
  },
  'many props with defaults': {
    ops: times(200, (at) => ({ op: 'add_block', pageSlug: '/', block: blockOf({}, `n${at}`) })),
    manifest: manifest(object(named(9_000, () => ({ enum: ['x'], default: 'x' })))),
    says: tooLong,
  },
  'pointers for each row': {
    ops: patched((at) => ({ rows: times(100, (row) => ({ id: `${at}-${row}` })) })),
    manifest: manifest(rowsOf({}), {
      fields: { rows: { kind: 'list', itemFields: named(5_000, () => ({ kind: 'reference' })) } },
    }),
    pages: page({ rows: [] }),
    says: tooLong,
  },
  'many branches': {
    ops: patched((at) => ({ rows: times(40, (row) => ({ is: `b${at * 80 + row}`, f: at })) })),
    manifest: manifest(rowsOf({}), {
      fields: {
        rows: {
          kind: 'list',
          discriminator: 'is',
          itemFields: named(4_000, () => ({ kind: 'text' }), 'c'),
          itemFieldsByType: named(6_000, () => ({}), 'b'),
        },
      },
    }),
    says: tooLarge,
  },
  'many branches of few fields': {
    ops: patched((at) => ({ rows: times(40, (row) => ({ is: `b${at * 40 + row}`, f: at })) })),
    manifest: manifest(rowsOf({}), {
      fields: {
        rows: {
          kind: 'list',
          discriminator: 'is',
          itemFields: { c: { kind: 'text' } },
          itemFieldsByType: named(6_000, (at) => ({ [`f${at}`]: { kind: 'text' } }), 'b'),
        },
      },
    }),
    pages: page({ rows: [] }),
  },
  'deep schemas': {
    ops: patched((at) => ({ rows: [{ v: at }] })),
    manifest: manifest(times(15, () => 0).reduce<object>((row) => rowsOf(row), object({ v: {} }))),
    says: /nested at most 48 levels deep/,
  },
  'a long name for each row': {
    ops: [{ op: 'update_props', ...onB, patch: { [longName]: times(9_000, () => ({})) } }],
    manifest: manifest(object({ [longName]: { type: 'array', items: object({ x: {} }) } })),
    pages: page({}),
  },
  'a block with a long id': {
    ops: [
      {
        op: 'add_block',
        pageSlug: '/',
        block: blockOf({ rows: times(9_000, () => ({})) }, 'i'.repeat(500_000)),
      },
    ],
    manifest: manifest(rowsOf(object({ x: {} }))),
  },
  'many lists in a block with a long id': {
    ops: [
      {
        op: 'add_block',
        pageSlug: '/',
        block: blockOf(
          named(900, () => [{}]),
          'i'.repeat(500_000),
        ),
      },
    ],
    manifest: manifest(object(named(900, () => ({ type: 'array', items: object({ x: {} }) })))),
  },
  'a note of a long name for each row': {
    ops: [{ op: 'update_props', ...onB, patch: { [longName]: times(9_000, () => ({ r: 1 })) } }],
    manifest: manifest(object({ [longName]: { type: 'array', items: object({ r: {} }) } }), {
      fields: { [longName]: { kind: 'list', itemFields: { r: { kind: 'reference' } } } },
    }),
    pages: page({}),
  },
  'a mistake in each of many blocks': {
    ops: [{ op: 'create_page', page: { slug: '/x', blocks: times(90_000, () => ({})) } }],
    says: /^ops\[0\]\.page\.blocks\[0\]\.id: is missing/,
  },
  'null for trees': {
    ops: patched(() => named(100, () => null)),
    manifest: manifest(object(named(100, () => tree('anyOf', 5, 2)))),
    pages: page({}),
    says: /nothing would change/,
  },
}
