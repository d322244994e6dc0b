import { isDeclaredList } from '../../../content/list-fields.ts'
import type { Block } from '../../../content/model.ts'
import { isPlainObject, ownValue } from '../../../content/plain-object.ts'
import { canonicalSlug } from '../../../content/slugs.ts'
import { hasAny, wordSet, type Words } from '../words.ts'
import { typeName } from './names.ts'
import { blockAt, blockTypeAt, opOf, pageAt, slugFor, without, type Loose, type Place } from './place.ts'
import type { Row } from './row.ts'

const onPage = new Set([
  'add_block', 'update_props', 'remove_block', 'move_block', 'duplicate_block', 'add_item', 'update_item', 'remove_item', 'move_item',
  'rename_page', 'remove_page', 'move_page', 'duplicate_page', 'update_page_meta',
])
const onBlock = new Set(['update_props', 'remove_block', 'move_block', 'duplicate_block', 'add_item', 'update_item', 'remove_item', 'move_item'])
const onList = new Set(['add_item', 'update_item', 'remove_item', 'move_item'])
const onWholePage = new Set(['move_page', 'duplicate_page'])
const slugKeys = ['pageSlug', 'toPageSlug', 'afterPageSlug']
const newAddressKeys = ['newPageSlug', 'slug', 'path', 'route', 'to']

const deleting = wordSet('delete remove lösche löschen entferne entfernen')
const pages = wordSet('page seite')
const inside = wordSet('on from of in off at auf von aus vom')
const last = wordSet('bottom end last unten ende')

/** Rows that find what an operation is about. */
export const opTargetRows: readonly Row<Loose, Loose | readonly Loose[]>[] = [
  {
    name: 'the anchor of a page under the name of a block',
    apply(op) {
      if (!onWholePage.has(opOf(op)) || op['afterBlockId'] === undefined || op['afterPageSlug'] !== undefined) return op
      return { ...without(op, 'afterBlockId'), afterPageSlug: op['afterBlockId'] }
    },
  },
  {
    name: 'the page of a copy under the name of a new page',
    apply(op) {
      if (opOf(op) !== 'duplicate_block' || op['newPageSlug'] === undefined || op['toPageSlug'] !== undefined) return op
      return { ...without(op, 'newPageSlug'), toPageSlug: op['newPageSlug'] }
    },
  },
  {
    name: 'an update without a block that gives a page a new address',
    apply(op) {
      if (opOf(op) !== 'update_props' || op['blockId'] !== undefined) return op
      const patch = isPlainObject(op['patch']) ? op['patch'] : {}
      const address = [op, patch].flatMap((from) => newAddressKeys.map((key) => from[key])).find((value) => typeof value === 'string')
      if (address === undefined || Object.keys(patch).some((key) => !newAddressKeys.includes(key) && key !== 'title')) return op
      const title = op['newTitle'] ?? patch['title']
      return { op: 'rename_page', pageSlug: op['pageSlug'], newPageSlug: address, ...(typeof title === 'string' && { newTitle: title }) }
    },
  },
  {
    name: 'the removal of a block without a block, where a page is to go',
    apply(op, { words }) {
      if (opOf(op) !== 'remove_block' || op['blockId'] !== undefined) return op
      return asksToDeletePage(words) ? { op: 'remove_page', pageSlug: op['pageSlug'] } : op
    },
  },
  {
    name: 'a page that is not named, or by its id, as home, or without its slash',
    apply(op, place) {
      const given = slugKeys.filter((key) => typeof op[key] === 'string')
      const read = Object.fromEntries(given.map((key) => [key, slugFor(place, op[key]) ?? op[key]]))
      const isMissing = onPage.has(opOf(op)) && read['pageSlug'] === undefined
      if (!isMissing && given.every((key) => read[key] === op[key])) return op
      return { ...op, ...read, ...(isMissing && { pageSlug: place.input.selection.slug }) }
    },
  },
  {
    name: 'a block that is not named, where only one can be meant',
    apply(op, place) {
      if (!onBlock.has(opOf(op)) || typeof op['blockId'] === 'string') return op
      const block = onlyBlockFor(op, place)
      return block ? { ...without(op, 'blockType', 'block_type', 'type'), blockId: block.id } : op
    },
  },
  {
    name: 'an update of no block',
    apply: (op) => (opOf(op) === 'update_props' && op['blockId'] === undefined ? [] : op),
  },
  {
    name: 'a list that is not named, where the block has only one',
    apply(op, place) {
      if (!onList.has(opOf(op)) || typeof op['listKey'] === 'string') return op
      const fields = blockAt(place, op)?.blockType?.fields ?? {}
      const lists = Object.keys(fields).filter((name) => isDeclaredList(fields[name]))
      return lists.length === 1 ? { ...op, listKey: lists[0] } : op
    },
  },
  {
    name: 'a place before a block',
    apply(op, place) {
      const { beforeId } = op
      if (typeof beforeId !== 'string') return op
      const rest = without(op, 'beforeId')
      const page = pageAt(place, opOf(op) === 'duplicate_block' ? (op['toPageSlug'] ?? op['pageSlug']) : op['pageSlug'])
      const others = (page?.blocks ?? []).filter(({ id }) => opOf(op) !== 'move_block' || id !== op['blockId'])
      const at = others.findIndex(({ id }) => id === beforeId)
      if (at < 0) return rest
      const before = others[at - 1]
      if (before) return { ...rest, afterBlockId: before.id }
      const id = opOf(op) === 'add_block' && isPlainObject(op['block']) ? op['block']['id'] : undefined
      return typeof id === 'string' ? [rest, { op: 'move_block', pageSlug: op['pageSlug'], blockId: id }] : without(rest, 'afterBlockId')
    },
  },
  {
    name: 'a move to the end',
    apply(op, place) {
      if (opOf(op) !== 'move_block' || op['afterBlockId'] !== undefined || !hasAny(place.words, last)) return op
      const other = pageAt(place, op['pageSlug'])?.blocks.findLast(({ id, type }) => id !== op['blockId'] && !blockTypeAt(place, type)?.chrome)
      return other ? { ...op, afterBlockId: other.id } : op
    },
  },
  {
    name: 'a new address that is the old one',
    apply(op, place) {
      if (opOf(op) !== 'rename_page' || typeof op['newPageSlug'] !== 'string') return op
      const isSame = canonicalSlug(op['newPageSlug']) === canonicalSlug(pageAt(place, op['pageSlug'])?.slug ?? op['pageSlug'])
      return isSame && op['newTitle'] === undefined ? [] : op
    },
  },
]

/** "delete the pricing page", and never "delete the hero on this page". */
function asksToDeletePage({ list }: Words): boolean {
  return list.some((word, at) => {
    const end = list.findIndex((later, place) => place > at && pages.has(later))
    return deleting.has(word) && end >= 0 && end - at <= 4 && !list.slice(at, end).some((between) => inside.has(between))
  })
}

/** The one block of the type that an operation hints at, or the one that has what it patches. */
function onlyBlockFor(op: Loose, place: Place): Block | undefined {
  const blocks = pageAt(place, op['pageSlug'])?.blocks ?? []
  const hint = [op['blockType'], op['block_type'], op['type']].find((value) => typeof value === 'string')
  if (typeof hint === 'string') {
    const type = typeName(hint, place.input)
    return only(blocks.filter((block) => block.type === type))
  }
  if (opOf(op) !== 'update_props') return undefined
  const keys = isPlainObject(op['patch']) ? Object.keys(op['patch']) : []
  if (keys.length === 0) return undefined
  const owns = ({ type, props }: Block, key: string): boolean =>
    Object.hasOwn(props, key) || ownValue(blockTypeAt(place, type)?.fields, key) !== undefined
  return only(blocks.filter((block) => keys.every((key) => owns(block, key))))
}

const only = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined)
