import t from 'tap'
import { rowsAfter } from '../../plugins/studio/app/edit/rows-after.ts'
import {
  carryKeys,
  isSame,
  keyOf,
  nameAfter,
  nameOfPlace,
  nameOfSetting,
  operationFor,
  pathAt,
  positionOf,
  valueAt,
  withPositions,
} from '../../plugins/studio/app/stores/place.ts'
import { globals } from '../helpers/environment.ts'

const buttons = [
  { id: 'x', label: 'One' },
  { id: 'y', label: 'Two' },
]
const props = {
  title: 'Hello',
  cards: [
    { id: 'a', title: 'A' },
    { _key: 'b', title: 'B', buttons },
  ],
}
const block = { id: 'b1', type: 'Card', props }

t.test('the name of what is typed goes along with its page', (t) => {
  const placed = (slug: string) => nameOfPlace({ slug, blockId: 'b1', path: ['title'] })
  const set = (slug?: string) => nameOfSetting(['/a', 'dev'], 'title', slug)
  const renames = [
    { from: '/a', to: '/b' },
    { from: '/b', to: '/c' },
  ]
  t.equal(nameAfter(placed('/a'), renames), placed('/c'))
  t.equal(nameAfter(placed('/d'), renames), placed('/d'))
  t.equal(nameAfter(set('/b'), renames), set('/c'))
  t.equal(nameAfter(set(), renames), set(), 'a setting of the site has no page')
  t.end()
})

t.test('a place names rows by their keys', (t) => {
  const deep = ['cards', 'b', 'buttons', 'y', 'label']
  t.equal(valueAt(props, ['title']), 'Hello')
  t.equal(valueAt(props, ['cards', 'a', 'title']), 'A')
  t.equal(valueAt(props, deep), 'Two')
  t.equal(valueAt(props, ['cards', 'gone', 'title']), undefined)
  t.equal(positionOf(props, ['title']), 'title')
  t.equal(positionOf(props, deep), 'cards[1].buttons[1].label')
  t.strictSame(pathAt(props, 'cards[1].buttons[1].label'), deep)
  t.strictSame(pathAt(props, 'title'), ['title'])
  t.equal(pathAt(props, 'cards[7].title'), undefined, 'a row that is gone')
  t.strictSame(operationFor(block, ['title'], 'New'), {
    op: 'update_props',
    blockId: 'b1',
    patch: { title: 'New' },
  })
  t.strictSame(operationFor(block, ['cards', 'b', 'title'], 'New'), {
    op: 'update_item',
    blockId: 'b1',
    listKey: 'cards',
    index: 1,
    patch: { title: 'New' },
  })
  t.strictSame(
    operationFor(block, deep, 'New'),
    {
      op: 'update_item',
      blockId: 'b1',
      listKey: 'cards',
      index: 1,
      patch: { buttons: [buttons[0], { id: 'y', label: 'New' }] },
    },
    'a list inside a row is stored as a whole',
  )
  const beside = { alt: 'A boat' }
  t.match(operationFor(block, ['title'], 'New', beside), { patch: { title: 'New', ...beside } })
  t.match(operationFor(block, ['cards', 'b', 'title'], 'New', beside), { patch: { title: 'New', ...beside } })
  t.match(operationFor(block, deep, 'New', beside), {
    patch: { buttons: [buttons[0], { id: 'y', label: 'New', ...beside }] },
  })
  t.equal(operationFor(block, ['cards', 'gone', 'title'], 'New'), undefined)
  t.end()
})

t.test('a place may be in an object, and in a list without rows', (t) => {
  const details = {
    author: { name: 'Jane', links: [{ label: 'Site' }] },
    tags: ['oak', 'elm'],
    'og.image': { alt: 'A boat' },
    matrix: [['a', 1]],
  }
  const block = { id: 'b1', props: details }
  const patched = (position: string, value: unknown) => {
    const path = pathAt(details, position)
    return path && operationFor(block, path, value)
  }
  const update = (patch: object) => ({ op: 'update_props', blockId: 'b1', patch })
  for (const position of [
    'author.name',
    'tags[1]',
    '["og.image"].alt',
    'matrix[0][1]',
    'author.links[0].label',
  ]) {
    const path = pathAt(details, position) ?? []
    t.equal(positionOf(details, path), position)
    t.not(valueAt(details, path), undefined)
  }
  t.strictSame(patched('author.name', 'Ann'), update({ author: { ...details.author, name: 'Ann' } }))
  t.strictSame(patched('tags[1]', 'ash'), update({ tags: ['oak', 'ash'] }))
  t.strictSame(patched('["og.image"].alt', 'B'), update({ 'og.image': { alt: 'B' } }))
  t.strictSame(patched('matrix[0][0]', 'b'), update({ matrix: [['b', 1]] }))
  t.strictSame(
    patched('author.links[0].label', 'Home'),
    update({ author: { name: 'Jane', links: [{ label: 'Home' }] } }),
  )
  t.equal(pathAt(details, 'tags[2]'), undefined, 'an entry that is gone')
  t.equal(operationFor(block, ['tags', '2'], 'ash'), undefined)
  t.equal(operationFor(block, ['author', 'links', 'gone', 'label'], 'x'), undefined)
  t.end()
})

t.test('rows without a key keep the one that they got here', (t) => {
  const before = [{ q: 'one' }, { q: 'two' }, { q: 'two' }]
  const keys = before.map(keyOf)
  t.equal(new Set(keys).size, 3)
  const moved = [{ q: 'two' }, { q: 'one' }, { q: 'two' }]
  carryKeys(before, moved)
  t.strictSame(moved.map(keyOf), [keys[1], keys[0], keys[2]], 'a row that moved')
  const changed = [{ q: 'two' }, { q: 'changed' }, { q: 'two' }]
  carryKeys(moved, changed)
  t.strictSame(changed.map(keyOf), moved.map(keyOf), 'a row that changed where it is')
  const added = [{ q: 'new' }, ...changed.map((row) => ({ ...row }))]
  carryKeys(changed, added)
  t.strictSame(added.slice(1).map(keyOf), changed.map(keyOf), 'a new row takes no key of another one')
  t.notOk(changed.map(keyOf).includes(keyOf(added[0] ?? {})))
  t.end()
})

t.test('the rows of a list inside a row', (t) => {
  const ids = (rows: readonly unknown[] | undefined) => rows?.map((row) => Reflect.get(Object(row), 'id'))
  const rows = ['a', 'b', 'c'].map((id) => ({ id }))
  t.strictSame(ids(rowsAfter(rows, { do: 'add', row: { id: 'n' } })), ['a', 'b', 'c', 'n'])
  t.strictSame(ids(rowsAfter(rows, { do: 'add', row: { id: 'n' }, after: 'a' })), ['a', 'n', 'b', 'c'])
  t.strictSame(ids(rowsAfter(rows, { do: 'remove', key: 'b' })), ['a', 'c'])
  t.strictSame(ids(rowsAfter(rows, { do: 'move', key: 'a', to: 2 })), ['b', 'c', 'a'])
  t.strictSame(ids(rowsAfter(rows, { do: 'move', key: 'c', to: 0 })), ['c', 'a', 'b'])
  t.equal(rowsAfter(rows, { do: 'remove', key: 'gone' }), undefined)
  t.end()
})

t.test('values are compared in meaning', (t) => {
  t.ok(isSame({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] }))
  t.notOk(isSame({ a: 1 }, { a: 1, b: undefined }))
  t.notOk(isSame([1], { 0: 1 }))
  t.notOk(isSame('', null))
  t.end()
})

t.test('a path is named with the labels of the fields, in rows of every kind', async (t) => {
  globals(t, {
    location: new URL('http://127.0.0.1/studio'),
    sessionStorage: { getItem: () => null },
    localStorage: { getItem: () => null, setItem: () => undefined },
    addEventListener: () => undefined,
    document: { querySelector: () => null },
  })
  const { manifest } = await import('../../plugins/studio/app/stores/block-types.ts')
  const { nameOfPath, wordsOf } = await import('../../plugins/studio/app/stores/words.ts')
  const parts = {
    kind: 'list',
    label: 'Parts',
    itemFields: { title: { kind: 'text', label: 'Heading' } },
    itemFieldsByType: {
      photo: { caption: { kind: 'text', label: 'Caption' } },
      quote: { by: { kind: 'text', label: 'Author' } },
    },
  }
  const rows = { kind: 'table', label: 'Prices' }
  manifest.value = { blocks: [{ type: 'Story', fields: { parts, rows } }] } as never
  for (const [path, name] of [
    ['parts', 'Parts'],
    ['parts[1].title', 'Parts 2: Heading'],
    ['parts[0].caption', 'Parts 1: Caption'],
    ['parts[2].by', 'Parts 3: Author'],
    ['parts[2].other', 'Parts 3: other'],
    ['rows[1][0]', 'Prices 2, column 1'],
  ] as const)
    t.equal(nameOfPath('Story', path), name)
  const table = [
    ['Basic', '€ 20'],
    ['Yearly', ''],
  ]
  t.equal(wordsOf(table), 'Basic · € 20\nYearly', 'a row of a table is one line')
})

t.test('a path by the keys of rows becomes one by their positions', async (t) => {
  for (const [path, expected] of [
    ['title', 'title'],
    ['cards[id="a"].title', 'cards[0].title'],
    ['cards[id="b"].buttons[id="y"].label', 'cards[1].buttons[1].label'],
    ['cards[id="b"].buttons[after="x"]', 'cards[1].buttons'],
    ['cards[after=null]', 'cards'],
    ['cards[id="gone"].title', 'cards.title'],
    ['others[id="a]\\"b"].title', 'others.title'],
    ['cards[0].title', 'cards[0].title'],
  ] as const)
    t.equal(withPositions(path, props), expected, path)
})
