import { failureOf } from '../../kernel/testing.ts'
import type { Store } from '../../plugins/store/port.ts'
import type { Contract } from './contract.ts'
import { note, Notes, write } from './store-documents.ts'

/** Lists, filters, counts and removal of ranges. */
export const ranges: Contract<Store> = {
  'lists are sorted by key in code point order, in both directions': async (t, store) => {
    const sorted = [
      '',
      '!',
      '/',
      '/a',
      '/a/b',
      '0',
      '10',
      '9',
      'A',
      'Z',
      'a',
      'aa',
      'b',
      'é',
      '\uff5e',
      '😀',
      '😁',
    ]
    await write(store, 's', Object.fromEntries(sorted.toReversed().map((key) => [key, note(key)])))
    const keys = async (range: Parameters<typeof notes.rows>[1]) =>
      (await notes.rows('s', range)).map(({ key }) => key)
    const notes = store.of(Notes)
    t.same(await keys({}), sorted)
    t.same(await keys({ descending: true }), sorted.toReversed())
    t.same(await keys({ after: '/a' }), sorted.slice(4))
    t.same(await keys({ after: '/a ' }), sorted.slice(4), 'the key to start after need not exist')
    t.same(await keys({ after: '/a', limit: 2 }), sorted.slice(4, 6))
    t.same(await keys({ after: '/a', descending: true }), ['/', '!', ''])
    t.same(await keys({ limit: 0 }), [])
    t.same(await keys({ limit: 10_000, after: '😁' }), [])
    t.same(
      (await notes.list('s', { limit: 2, after: 'b' })).map(({ body }) => body.text),
      ['é', '\uff5e'],
    )
  },

  'rows have the columns but no body': async (t, store) => {
    await write(store, 's', { a: note('long', { rank: 7, kind: 'k' }) })
    const [row] = await store.of(Notes).rows('s')
    t.same([row?.scope, row?.key, row?.version, row?.columns], ['s', 'a', 1, { rank: 7, kind: 'k' }])
    t.equal(
      Object.keys(row ?? {}).some((name) => name === 'body' || name === 'text'),
      false,
    )
  },

  'a list can be sorted by a column, then by key': async (t, store) => {
    await write(store, 's', {
      a: note('', { rank: 10 }),
      b: note('', { rank: 9 }),
      c: note('', { rank: -1 }),
      d: note('', { rank: 9 }),
    })
    const keys = async (range: object) =>
      (await store.of(Notes).rows('s', { orderBy: 'rank', ...range })).map(({ key }) => key)
    t.same(await keys({}), ['c', 'b', 'd', 'a'])
    t.same(await keys({ descending: true }), ['a', 'd', 'b', 'c'])
    t.same(await keys({ limit: 2 }), ['c', 'b'])
    t.same(await keys({ where: { rank: 9 }, descending: true }), ['d', 'b'])
  },

  'filters and counts go by equal columns within one scope': async (t, store) => {
    await write(store, 's', {
      a: note('', { kind: 'x', rank: 1 }),
      b: note('', { kind: 'x', rank: 2 }),
      c: note('', { kind: 'y', rank: 1 }),
    })
    await write(store, 'other', { a: note('', { kind: 'x', rank: 1 }) })
    const notes = store.of(Notes)
    t.same(
      (await notes.rows('s', { where: { kind: 'x' } })).map(({ key }) => key),
      ['a', 'b'],
    )
    t.same(
      (await notes.list('s', { where: { kind: 'x', rank: 2 } })).map(({ key }) => key),
      ['b'],
    )
    t.same(
      (await notes.rows('s', { where: { kind: 'x' }, after: 'a' })).map(({ key }) => key),
      ['b'],
    )
    t.same(
      [await notes.count('s'), await notes.count('s', { kind: 'x' }), await notes.count('s', { kind: 'z' })],
      [3, 2, 0],
    )
    t.equal(await notes.count('nowhere'), 0)
  },

  'everywhere lists every scope, by scope and key': async (t, store) => {
    await write(store, 'b', { 2: note(''), 1: note('', { kind: 'x' }) })
    await write(store, 'a', { 3: note('', { kind: 'x' }) })
    const found = async (range: object) =>
      (await store.of(Notes).everywhere(range)).map(({ scope, key }) => scope + key)
    t.same(await found({}), ['a3', 'b1', 'b2'])
    t.same(await found({ where: { kind: 'x' } }), ['a3', 'b1'])
    t.same(await found({ limit: 2 }), ['a3', 'b1'])
  },

  'a scope is cleared completely or up to a key, and others stay': async (t, store) => {
    await write(store, 's', { a: note(''), b: note(''), c: note(''), d: note('') })
    await write(store, 'other', { a: note('') })
    const clear = (options?: { before: string }) =>
      store.transaction((tx) => tx.of(Notes).clear('s', options))
    t.equal(await clear({ before: 'c' }), 2)
    t.same(
      (await store.of(Notes).rows('s')).map(({ key }) => key),
      ['c', 'd'],
    )
    t.same([await clear(), await clear()], [2, 0])
    t.same([await store.of(Notes).count('s'), await store.of(Notes).count('other')], [0, 1])
  },

  'an invalid range throws a TypeError': async (t, store) => {
    await write(store, 's', { a: note('') })
    const wrong: readonly object[] = [
      { limit: -1 },
      { limit: 1.5 },
      { limit: NaN },
      { limit: '1' },
      { orderBy: 'body' },
      { orderBy: 'toString' },
      { where: { nothing: 'x' } },
      { where: { constructor: 'x' } },
      { where: { kind: undefined } },
      { where: { kind: 1 } },
      { where: { rank: '1' } },
      { orderBy: 'rank', after: 'a' },
    ]
    for (const range of wrong)
      t.equal(await failureOf(store.of(Notes).rows('s', range)), 'TypeError', JSON.stringify(range))
  },
}
