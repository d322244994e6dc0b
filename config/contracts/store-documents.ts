import {
  type CollectionSpec,
  type Columns,
  defineCollection,
  type Store,
  type Writer,
} from '../../plugins/store/port.ts'
import * as v from 'valibot'
import { failureOf } from '../../kernel/testing.ts'
import type { Contract } from './contract.ts'

export const Notes = defineCollection('contract_notes', v.object({ text: v.string() }), {
  columns: { rank: 'integer', kind: 'text' },
  indexes: ['kind'],
})

export const Counters = defineCollection('contract_counters', v.object({ count: v.number() }), {
  columns: {},
})

/** A note as the suites write it. */
export const note = (text: string, { rank = 0, kind = 'plain' } = {}) => ({
  body: { text },
  columns: { rank, kind },
})

type Note = ReturnType<typeof note>

/** Writes notes under their keys in one transaction. */
export async function write(
  store: Store,
  scope: string,
  notes: Readonly<Record<string, Note>>,
): Promise<void> {
  await store.transaction(async (tx) => {
    for (const [key, each] of Object.entries(notes)) await tx.of(Notes).put(scope, key, each)
  })
}

/** Writes one document in a transaction. */
export function put<B, C extends Columns>(
  store: Store,
  spec: CollectionSpec<B, C>,
  ...document: Parameters<Writer<B, C>['put']>
): Promise<number> {
  return store.transaction((tx) => tx.of(spec).put(...document))
}

/** Removes one note in a transaction. */
const remove = (store: Store, key: string): Promise<boolean> =>
  store.transaction((tx) => tx.of(Notes).remove('s', key))

const oddKeys = [
  '',
  ' ',
  '/',
  '/a/../b',
  "'; drop table contract_notes; --",
  '"',
  '%_*?',
  '\n\t',
  'é',
  'e\u0301',
  '😀',
  '__proto__',
  'constructor',
]

/** Versions, expectations, bodies and columns of single documents. */
export const documents: Contract<Store> = {
  'the text of every document of every collection is read, without removed ones': async (t, store) => {
    const texts = async () => (await Array.fromAsync(store.texts())).toSorted()
    const before = await store.commits()
    t.same(await texts(), [])
    await write(store, 'a', { one: note('first'), two: note('second') })
    await write(store, 'b', { one: note('third') })
    await put(store, Counters, 'a', 'c', { body: { count: 7 }, json: '{"count":7}', columns: {} })
    const after = await store.commits()
    t.equal(after === before, false, 'commits are detected')
    t.same(await texts(), ['{"count":7}', '{"text":"first"}', '{"text":"second"}', '{"text":"third"}'])
    t.equal(await store.commits(), after, 'reads are not')
    await store.transaction((tx) => tx.of(Notes).remove('a', 'two'))
    t.same(await texts(), ['{"count":7}', '{"text":"first"}', '{"text":"third"}'])
  },

  'versions count up from 1, and from 1 again after a removal': async (t, store) => {
    const again = () => put(store, Notes, 's', 'a', note('x'))
    t.equal(await store.of(Notes).get('s', 'a'), undefined)
    t.same([await again(), await again(), await again()], [1, 2, 3])
    t.equal((await store.of(Notes).get('s', 'a'))?.version, 3)
    t.same([await remove(store, 'a'), await remove(store, 'a')], [true, false])
    t.equal(await store.of(Notes).get('s', 'a'), undefined)
    t.equal(await again(), 1)
  },

  'a write that expects another version is refused and changes nothing': async (t, store) => {
    await write(store, 's', { a: note('one') })
    await write(store, 's', { a: note('two') })
    const late = (key: string, expect: number) => put(store, Notes, 's', key, note('late'), { expect })

    for (const expect of [0, 1, 3, -1, 1.5, NaN])
      t.equal(await failureOf(late('a', expect)), '409 version_mismatch 2', `put expecting ${expect}`)
    t.equal(await failureOf(late('absent', 1)), '409 version_mismatch 0')
    t.equal((await store.of(Notes).get('s', 'a'))?.body.text, 'two')

    t.same([await late('a', 2), await late('new', 0)], [3, 1])
    t.same([await remove(store, 'a'), await remove(store, 'a')], [true, false])
  },

  'a refused write can be caught inside the transaction, which continues': async (t, store) => {
    await write(store, 's', { a: note('one') })
    await store.transaction(async (transaction) => {
      const notes = transaction.of(Notes)
      await notes.put('s', 'before', note('kept'))
      await notes.put('s', 'a', note('late'), { expect: 7 }).catch(() => 0)
      await notes.put('s', 'after', note('kept'))
    })
    t.same(
      (await store.of(Notes).rows('s')).map(({ key, version }) => [key, version]),
      [
        ['a', 1],
        ['after', 1],
        ['before', 1],
      ],
    )
  },

  'the text is stored unchanged, and the body is its parsed value': async (t, store) => {
    const text = '{ "text" : "given" }'
    await put(store, Notes, 's', 'given', { ...note('given'), json: Buffer.from(text) })
    await put(store, Notes, 's', 'made', note('made'))
    const [given, made] = await store.of(Notes).list('s')
    t.same([given?.text, given?.body], [text, { text: 'given' }])
    t.same([made?.text, made?.body], ['{"text":"made"}', { text: 'made' }])
    t.equal(made?.body, made?.body, 'the body is parsed once')
  },

  'mutating a body after a read or write does not change the store': async (t, store) => {
    const written = { text: 'mine' }
    await write(store, 's', { a: { ...note(''), body: written } })
    written.text = 'changed after writing'
    const read = await store.of(Notes).get('s', 'a')
    if (read) read.body.text = 'changed after reading'
    t.equal((await store.of(Notes).get('s', 'a'))?.body.text, 'mine')
  },

  'keys and scopes of any characters are distinct': async (t, store) => {
    for (const scope of oddKeys) {
      await write(
        store,
        scope,
        Object.fromEntries(oddKeys.map((key) => [key, note(`${scope}|${key}`, { kind: key })])),
      )
    }
    for (const scope of oddKeys) {
      t.equal(await store.of(Notes).count(scope), oddKeys.length, `count of scope ${JSON.stringify(scope)}`)
      for (const key of oddKeys) {
        const found = await store.of(Notes).get(scope, key)
        t.same(
          [found?.scope, found?.key, found?.body.text, found?.columns],
          [scope, key, `${scope}|${key}`, { rank: 0, kind: key }],
        )
      }
    }
    t.equal(await store.of(Notes).get('s', 'toString'), undefined)
    t.same(Object.keys({}.constructor.prototype), [])
  },

  'text that some databases cannot store unchanged is refused': async (t, store) => {
    for (const text of ['a\0b', '\ud800', 'x\udc00']) {
      t.equal(await failureOf(write(store, 's', { [text]: note('x') })), '400 text_not_storable')
      t.equal(await failureOf(write(store, text, { a: note('x') })), '400 text_not_storable')
      t.equal(await failureOf(write(store, 's', { a: note('x', { kind: text }) })), '400 text_not_storable')
      t.equal(await failureOf(store.of(Notes).get('s', text)), '400 text_not_storable')
      t.equal(await failureOf(store.of(Notes).rows('s', { after: text })), '400 text_not_storable')
    }
    await write(store, 's', { a: note('in a body \0 \ud800 anything goes') })
    t.equal((await store.of(Notes).get('s', 'a'))?.body.text, 'in a body \0 \ud800 anything goes')
    t.equal(await store.of(Notes).count('s'), 1)
  },

  'large bodies, any text and dangerous names are read back unchanged': async (t, store) => {
    const Anything = defineCollection('contract_anything', v.unknown(), { columns: {} })
    const dangerous: unknown = JSON.parse('{"__proto__":{"canary":1},"constructor":{"prototype":2}}')
    const bodies = [
      null,
      false,
      0,
      '',
      [],
      {},
      'é😀\u2028',
      1.5e300,
      dangerous,
      { big: 'wörd '.repeat(1_000_000) },
    ]
    for (const [index, body] of bodies.entries())
      await put(store, Anything, 's', String(index), { body, columns: {} })
    for (const [index, body] of bodies.entries()) {
      const found = await store.of(Anything).get('s', String(index))
      t.equal(found?.text, JSON.stringify(body))
      t.equal(JSON.stringify(found?.body), JSON.stringify(body))
    }
    t.equal(Reflect.get({}, 'canary'), undefined)
    for (const body of [undefined, () => 1, 1n]) {
      t.equal(await failureOf(put(store, Anything, 's', 'x', { body, columns: {} })), 'TypeError')
    }
    t.equal(await store.of(Anything).get('s', 'x'), undefined)
  },

  'a column that is declared later reads as empty or 0 until it is written': async (t, store) => {
    const columns = { title: 'text' } as const
    const Before = defineCollection('contract_grown', v.string(), { columns })
    const After = defineCollection('contract_grown', v.string(), {
      columns: { ...columns, size: 'integer', lang: 'text' },
      indexes: ['size'],
    })
    await put(store, Before, 's', 'old', { body: 'o', columns: { title: 'Old' } })

    const grown = { title: 'Old', size: 0, lang: '' }
    t.same((await store.of(After).get('s', 'old'))?.columns, grown)
    t.equal(await store.of(After).count('s', { size: 0, lang: '' }), 1)
    t.equal(await store.of(After).count('s', { size: 1 }), 0)
    t.same((await store.of(After).rows('s', { orderBy: 'size' })).length, 1)
    await put(store, After, 's', 'new', { body: 'n', columns: { title: 'New', size: 5, lang: 'is' } })
    t.same(
      (await store.of(After).rows('s')).map((row) => row.columns),
      [{ title: 'New', size: 5, lang: 'is' }, grown],
    )
    t.same((await store.of(After).get('s', 'old'))?.body, 'o')

    await put(store, Before, 's', 'new', { body: 'm', columns: { title: 'Newer' } })
    const { columns: stored } = (await store.of(After).get('s', 'new')) ?? {}
    t.same(
      stored,
      { title: 'Newer', size: 5, lang: 'is' },
      'a declaration without the column keeps its value',
    )
  },

  'an invalid declaration, or values that do not match it, throw a TypeError': async (t, store) => {
    const names = ['', '1a', 'a-b', 'a b', 'sqlite_x', 'a;b', 'x'.repeat(49)]
    const declare = (name: string, columns: Columns = {}) => defineCollection(name, v.string(), { columns })
    const columns = ['key', 'BODY', 'rowid', 'a-b', '', '__proto__']
    const declarations = [
      ...names.map((name) => () => declare(name)),
      ...columns.map((column) => () => declare('fine', Object.fromEntries([[column, 'text']]))),
      () => declare('fine', { a: 'text', A: 'text' }),
    ]
    for (const invalid of declarations)
      t.equal(await failureOf(Promise.resolve().then(invalid)), 'TypeError', String(invalid))
    for (const rank of [1.5, NaN, Infinity, 2 ** 53]) {
      t.equal(await failureOf(write(store, 's', { a: note('x', { rank }) })), 'TypeError', `rank ${rank}`)
    }
    for (const rank of [-(2 ** 53) + 1, 2 ** 53 - 1, 0]) {
      await write(store, 's', { a: note('x', { rank }) })
      t.equal((await store.of(Notes).get('s', 'a'))?.columns.rank, rank)
    }
  },
}
