import { isDeclaredList } from '../../content/fields.ts'
import type { Block } from '../../content/model.ts'
import { isPlainObject, ownValue } from '../../content/plain-object.ts'
import { canonicalSlug } from '../../content/slugs.ts'
import { asksToRemovePage, namesEnd } from '../language.ts'
import { blockAt, blockTypeAt, pageAt, type SiteInput } from '../lookup.ts'
import { typeName } from './names.ts'
import { isOp, type Loose, type Row, slugFor, without } from './row.ts'

const onList = ['add_item', 'update_item', 'remove_item', 'move_item']
const onBlock = ['update_props', 'remove_block', 'move_block', 'duplicate_block', ...onList]
const onPage = ['add_block', ...onBlock, 'rename_page', 'remove_page', 'move_page', 'duplicate_page', 'update_page_meta']
const slugKeys = ['pageSlug', 'toPageSlug', 'afterPageSlug']
const newAddressKeys = ['newPageSlug', 'slug', 'path', 'route', 'to']
const typeKeys = ['blockType', 'block_type', 'type']

const hasNoBlock = (op: Loose, name: string): boolean => isOp(op, name) && op['blockId'] === undefined

/** Rows that find what an operation is about. */
export const targetRows: readonly Row[] = [
  {
    what: 'an update without a block that gives a page a new address',
    when: (op) => hasNoBlock(op, 'update_props'),
    becomes(op) {
      const patch = isPlainObject(op['patch']) ? op['patch'] : {}
      const address = [op, patch].flatMap((from) => newAddressKeys.map((key) => from[key])).find((value) => typeof value === 'string')
      if (address === undefined || Object.keys(patch).some((key) => key !== 'title' && !newAddressKeys.includes(key))) return op
      const title = op['newTitle'] ?? patch['title']
      return { op: 'rename_page', pageSlug: op['pageSlug'], newPageSlug: address, ...(typeof title === 'string' && { newTitle: title }) }
    },
  },
  {
    what: 'the removal of a block without a block, where a page is to go',
    when: (op, { words }) => hasNoBlock(op, 'remove_block') && asksToRemovePage(words),
    becomes: ({ pageSlug }) => ({ op: 'remove_page', pageSlug }),
  },
  {
    what: 'a page that is not named, or by its id, as home, or without its slash',
    when: (op) => isOp(op, ...onPage),
    becomes(op, { input }) {
      const given = slugKeys.filter((key) => typeof op[key] === 'string')
      const read = Object.fromEntries(given.map((key) => [key, slugFor(input, op[key]) ?? op[key]]))
      return { ...op, ...read, pageSlug: read['pageSlug'] ?? op['pageSlug'] ?? input.selection.slug }
    },
  },
  {
    what: 'a block that is not named, where only one can be meant',
    when: (op) => isOp(op, ...onBlock) && typeof op['blockId'] !== 'string',
    becomes(op, { input }) {
      const block = onlyBlockFor(op, input)
      return block ? { ...without(op, typeKeys), blockId: block.id } : op
    },
  },
  {
    what: 'an update of no block',
    when: (op) => hasNoBlock(op, 'update_props'),
    becomes: () => [],
  },
  {
    what: 'a list that is not named, where the block has only one',
    when: (op) => isOp(op, ...onList) && typeof op['listKey'] !== 'string',
    becomes(op, { input }) {
      const fields = blockAt(input, op)?.blockType?.fields ?? {}
      const lists = Object.keys(fields).filter((name) => isDeclaredList(fields[name]))
      return lists.length === 1 ? { ...op, listKey: lists[0] } : op
    },
  },
  {
    what: 'a place before a block',
    when: ({ beforeId }) => typeof beforeId === 'string',
    becomes(op, { input }) {
      const { beforeId, ...rest } = op
      const page = pageAt(input, isOp(op, 'duplicate_block') ? (op['toPageSlug'] ?? op['pageSlug']) : op['pageSlug'])
      const others = (page?.blocks ?? []).filter(({ id }) => !isOp(op, 'move_block') || id !== op['blockId'])
      const at = others.findIndex(({ id }) => id === beforeId)
      if (at < 0) return rest
      const before = others[at - 1]
      if (before) return { ...rest, afterBlockId: before.id }
      const id = isOp(op, 'add_block') && isPlainObject(op['block']) ? op['block']['id'] : undefined
      return typeof id === 'string' ? [rest, { op: 'move_block', pageSlug: op['pageSlug'], blockId: id }] : without(rest, ['afterBlockId'])
    },
  },
  {
    what: 'a move to the end',
    when: (op, { words }) => isOp(op, 'move_block') && op['afterBlockId'] === undefined && namesEnd(words),
    becomes(op, { input }) {
      const last = pageAt(input, op['pageSlug'])?.blocks.findLast(({ id, type }) => id !== op['blockId'] && !blockTypeAt(input, type)?.chrome)
      return last ? { ...op, afterBlockId: last.id } : op
    },
  },
  {
    what: 'a new address that is the old one',
    when: (op) => isOp(op, 'rename_page') && op['newPageSlug'] !== undefined && op['newTitle'] === undefined,
    becomes: (op, { input }) =>
      (canonicalSlug(op['newPageSlug']) === canonicalSlug(pageAt(input, op['pageSlug'])?.slug ?? op['pageSlug']) ? [] : op),
  },
]

/** The one block of the type that an operation hints at, or the one that has what it patches. */
function onlyBlockFor(op: Loose, input: SiteInput): Block | undefined {
  const blocks = pageAt(input, op['pageSlug'])?.blocks ?? []
  const hint = typeKeys.map((key) => op[key]).find((value) => typeof value === 'string')
  const type = hint === undefined ? undefined : typeName(hint, input)
  const keys = isOp(op, 'update_props') && isPlainObject(op['patch']) ? Object.keys(op['patch']) : []
  const owns = (block: Block, key: string): boolean =>
    Object.hasOwn(block.props, key) || ownValue(blockTypeAt(input, block.type)?.fields, key) !== undefined
  const meant = blocks.filter((block) => (type === undefined ? keys.length > 0 && keys.every((key) => owns(block, key)) : block.type === type))
  return meant.length === 1 ? meant[0] : undefined
}
