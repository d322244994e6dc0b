/** Forms that add, remove, move and copy the rows of lists. */
import { isPolymorphic, requiredProps } from '../../content/fields.ts'
import type { Props } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { itemSchemaOf } from '../../content/props-schema.ts'
import { type Change, form, type Form } from '../match.ts'
import { type Found, indexOf, listsNamed, one, type Place, readRow, rowsOf } from '../references.ts'
import { texts } from '../texts.ts'
import { phraseOf, type Token } from '../tokens.ts'
import type { Value } from '../values.ts'
import { ask, type BlockAt, blocksOn, type RowAt, type Work } from '../work.ts'
import { contentFor, contentOf } from './blocks.ts'

type Tokens = readonly Token[]

interface Addition {
  readonly WORDS: Tokens
  readonly VALUE?: Value | undefined
  readonly WITH?: Tokens | undefined
  readonly author?: Value | undefined
  readonly BLOCK?: Found<BlockAt> | undefined
}

const titleFields = ['value', 'title', 'q', 'quote', 'label', 'heading', 'caption']

/** Adds a row to the only list of the page, or of a block, that has such rows. */
function add(work: Work, { WORDS, VALUE, WITH, author, BLOCK }: Addition): Change {
  const words = WORDS[0]?.word === 'another' ? WORDS.slice(1) : WORDS
  const quoted = words.at(-1)?.kind === 'quoted' ? words.at(-1) : undefined
  const noun = phraseOf(quoted ? words.slice(0, -1) : words)
  const lists = listsNamed(work, noun, BLOCK ? [one(work, BLOCK)] : blocksOn(work, work.slug))
  if (!lists || (quoted && VALUE)) return undefined
  const isType = work.names.typesByPhrase.has(noun)
  if (lists.length === 0) return isType ? undefined : ask(texts.noList(noun))
  const { at, listKey } = {
    at: one(work, { words: noun, candidates: lists.map((list) => list.at) }),
    listKey: lists[0]?.listKey ?? '',
  }
  const list = at.type?.fields[listKey]
  if (!list) return undefined
  if (isPolymorphic(list)) ask(texts.kindOfRow)
  const fields = list.itemFields ?? {}
  const title = quoted ? { text: quoted.text, isQuoted: true, isLast: true, tokens: [quoted] } : VALUE
  const content = [
    contentFor(work, fields, titleFields, title),
    contentFor(work, fields, ['author'], author),
    contentOf(work, fields, WITH),
  ]
  if (content.includes(undefined)) return undefined
  const defaults = requiredProps(fields, itemSchemaOf(at.type?.propsSchema.properties?.[listKey]) ?? {})
  return [
    {
      op: 'add_item',
      ...targetOf({ ...at, listKey }),
      item: Object.assign({}, defaults, ...content) as Props,
      afterIndex: undefined,
    },
  ]
}

const targetOf = ({ slug, block, listKey }: Pick<RowAt, 'slug' | 'block' | 'listKey'>) => ({
  pageSlug: slug,
  blockId: block.id,
  listKey,
})

const rowsBeside = (row: RowAt): number => rowsOf(row, [row.listKey]).length

function remove(row: RowAt): Operation {
  if (rowsBeside(row) === 1) ask(texts.lastRow)
  return { op: 'remove_item', ...targetOf(row), index: row.index }
}

const isSameList = (a: RowAt, b: RowAt): boolean => a.block.id === b.block.id && a.listKey === b.listKey

function moveTo(row: RowAt, from: number, to: number): Operation {
  return {
    op: 'move_item',
    ...targetOf(row),
    index: from,
    afterIndex: to === 0 ? undefined : to < from ? to - 1 : to,
  }
}

function move(work: Work, row: RowAt, place: Place): Change {
  const others = rowsBeside(row) - 1
  const to = indexOf(
    place,
    others,
    (anchor) => {
      const other = one(work, readRow(work, anchor) ?? { words: phraseOf(anchor), candidates: [] })
      if (!isSameList(other, row) || other.index === row.index) return -1
      return other.index > row.index ? other.index - 1 : other.index
    },
    row.index,
  )
  return to === row.index ? [] : [moveTo(row, row.index, to)]
}

function swap([a, b, ...more]: readonly RowAt[]): Change {
  if (!a || !b || more.length > 0 || !isSameList(a, b) || a.index === b.index) return undefined
  const [first, second] = a.index < b.index ? [a, b] : [b, a]
  const down = moveTo(first, first.index, second.index)
  return second.index === first.index + 1 ? [down] : [down, moveTo(second, second.index - 1, first.index)]
}

/** Copies a row right behind it, without its key. */
function copy({ row: { id: _id, _key, ...item }, index, ...at }: RowAt): Change {
  return [{ op: 'add_item', ...targetOf(at), item, afterIndex: index }]
}

/** Removes later rows of a list first, so that the positions of earlier ones stay. */
function removeAll(work: Work, found: readonly Found<RowAt>[]): Change {
  const rows = found.map((each) => one(work, each)).toSorted((a, b) => b.index - a.index)
  if (
    rows.some(
      (row, at) => rows.findIndex((other) => isSameList(row, other) && row.index === other.index) !== at,
    )
  )
    return undefined
  return rows.map(remove)
}

export const rowForms: readonly Form[] = [
  form('add|insert|create WORDS [to|in|on BLOCK]', add, [['/', 'add a tab', 'CLARIFY']]),
  form('add|insert|create WORDS called|named|titled VALUE', add, [
    ['/', 'add another feature called "Hot cocoa"', '+item b_feat_1.features {title: "Hot cocoa"}'],
    [
      '/rentals',
      'add a rich text section titled "Opening hours"',
      '+block RichText {title: "Opening hours"} end on /rentals',
    ],
  ]),
  form('add|insert|create WORDS with WITH', add, [
    [
      '/rentals',
      'Add a question "Is parking free?" with the answer "Yes, behind the boathouse."',
      '+item b_faq_r.items {q: "Is parking free?", a: "Yes, behind the boathouse."}',
    ],
  ]),
  form(
    'add|insert|create WORDS called|named|titled TEXT with WITH',
    (work, { WORDS, TEXT, WITH }) =>
      add(work, { WORDS, WITH, VALUE: { text: TEXT.text, isQuoted: true, isLast: true, tokens: [TEXT] } }),
    [
      [
        '/rentals',
        'Add a card titled "Canoe" with description "Open and stable." and link /rentals',
        '+item b_cards_r.cards {title: "Canoe", description: "Open and stable.", ctaHref: "/rentals"}',
      ],
    ],
  ),
  form('add|insert|create WORDS by VALUE', (work, { WORDS, VALUE }) => add(work, { WORDS, author: VALUE }), [
    [
      '/',
      'add a testimonial "Loved it" by Carla',
      '+item b_quotes_1.items {quote: "Loved it", author: "Carla"}',
    ],
  ]),
  form('remove|delete|drop ROWS', (work, { ROWS }) => removeAll(work, ROWS), [
    ['/rentals', 'Remove the second question', '-item b_faq_r.items[1]'],
    ['/rentals', 'delete the "Family" card', '-item b_cards_r.cards[2]'],
    ['/', 'remove the last testimonial', '-item b_quotes_1.items[1]'],
    ['/rentals', 'remove the question', 'CLARIFY'],
  ]),
  form('get_rid_of ROWS', (work, { ROWS }) => removeAll(work, ROWS)),
  form('move|put ROW PLACE', (work, { ROW, PLACE }) => move(work, one(work, ROW), PLACE), [
    ['/rentals', 'Move the third card to the top', 'mvitem b_cards_r.cards[2] front'],
  ]),
  form('swap ROWS', (work, { ROWS }) => swap(ROWS.map((found) => one(work, found))), [
    ['/rentals', 'swap the first and second cards', 'mvitem b_cards_r.cards[0] after 1'],
  ]),
  form('duplicate|copy ROW', (work, { ROW }) => copy(one(work, ROW)), [
    [
      '/rentals',
      'duplicate the "Double" card',
      '+item b_cards_r.cards {title: "Double", description: "For two.", ctaText: "Rent", ctaHref: "/rentals"} after 1',
    ],
  ]),
  form('move|put ROW', (work, { ROW }) => (one(work, ROW), ask(texts.missingPlace, { joint: ' ' }))),
]
