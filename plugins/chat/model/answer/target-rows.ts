import { declaredType } from '../../../content/registry.ts'
import { isDeclaredList } from '../../../content/fields.ts'
import type { Block } from '../../../content/model.ts'
import { ownValue } from '../../../content/plain-object.ts'
import { canonicalSlug } from '../../../content/slugs.ts'
import { blockAt, pageAt, type SiteInput } from '../lookup.ts'
import { typeName } from '../type-names.ts'
import { firstText, isOp, type Loose, objectIn, type Corrections, slugFor, without } from './row.ts'

const onList = ['add_item', 'update_item', 'remove_item', 'move_item']
const onBlock = ['update_props', 'remove_block', 'move_block', 'duplicate_block', ...onList]
const pageOnly = ['rename_page', 'remove_page', 'move_page', 'duplicate_page', 'update_page_meta']
const onPage = ['add_block', ...onBlock, ...pageOnly]
const newAddressKeys = ['newPageSlug', 'slug', 'path', 'route', 'to']
const typeKeys = ['blockType', 'block_type', 'type']

/** Matches "delete the pricing page", but not "delete the hero on this page". */
const asksToRemovePage = / (?:delete|remove) (?:(?!(?:on|from|of|in|off|at) )\S+ ){0,3}?page /
/** Names the end of something as a place. */
const namesEnd = / (?:bottom|end|last) /

const hasNoBlock = (op: Loose, name: string): boolean => isOp(op, name) && op['blockId'] === undefined

/** Corrections that find the target of an operation. */
export const targetRows: Corrections = {
  'an update without a block that gives a page a new address'(op) {
    const patch = objectIn(op['patch'])
    const address = firstText(op, newAddressKeys) ?? firstText(patch, newAddressKeys)
    const isRenaming = Object.keys(patch).every((key) => key === 'title' || newAddressKeys.includes(key))
    if (!hasNoBlock(op, 'update_props') || address === undefined || !isRenaming) return op
    const title = op['newTitle'] ?? patch['title']
    return {
      op: 'rename_page',
      pageSlug: op['pageSlug'],
      newPageSlug: address,
      ...(typeof title === 'string' && { newTitle: title }),
    }
  },
  'the removal of a block without a block, where a page is to go': (op, { words }) =>
    hasNoBlock(op, 'remove_block') && asksToRemovePage.test(words.text)
      ? { op: 'remove_page', pageSlug: op['pageSlug'] }
      : op,
  'a page that is not named, or by its id, as home, or without its slash'(op, { input }) {
    if (!isOp(op, ...onPage)) return op
    const given = ['pageSlug', 'toPageSlug', 'afterPageSlug'].filter((key) => typeof op[key] === 'string')
    const read = Object.fromEntries(given.map((key) => [key, slugFor(input, op[key]) ?? op[key]]))
    return { ...op, ...read, pageSlug: read['pageSlug'] ?? op['pageSlug'] ?? input.selection.slug }
  },
  'a block that is not named, where only one can be meant'(op, { input }) {
    const block =
      isOp(op, ...onBlock) && typeof op['blockId'] !== 'string' ? onlyBlockFor(op, input) : undefined
    return block ? { ...without(op, typeKeys), blockId: block.id } : op
  },
  'an update of no block': (op) => (hasNoBlock(op, 'update_props') ? [] : op),
  'a list that is not named, where the block has only one'(op, { input }) {
    if (!isOp(op, ...onList) || typeof op['listKey'] === 'string') return op
    const fields = blockAt(input, op)?.blockType?.fields ?? {}
    const lists = Object.keys(fields).filter((name) => isDeclaredList(fields[name]))
    return lists.length === 1 ? { ...op, listKey: lists[0] } : op
  },
  'a place before a block'(op, { input }) {
    if (typeof op['beforeId'] !== 'string') return op
    const { beforeId, ...rest } = op
    const page = pageAt(
      input,
      isOp(op, 'duplicate_block') ? (op['toPageSlug'] ?? op['pageSlug']) : op['pageSlug'],
    )
    const others = (page?.blocks ?? []).filter(({ id }) => !isOp(op, 'move_block') || id !== op['blockId'])
    const at = others.findIndex(({ id }) => id === beforeId)
    if (at < 0) return rest
    const before = others[at - 1]
    if (before) return { ...rest, afterBlockId: before.id }
    const id = isOp(op, 'add_block') ? objectIn(op['block'])['id'] : undefined
    return typeof id === 'string'
      ? [rest, { op: 'move_block', pageSlug: op['pageSlug'], blockId: id }]
      : without(rest, ['afterBlockId'])
  },
  'a move to the end'(op, { input, words }) {
    if (!isOp(op, 'move_block') || op['afterBlockId'] !== undefined || !namesEnd.test(words.text)) return op
    const last = pageAt(input, op['pageSlug'])?.blocks.findLast(
      ({ id, type }) => id !== op['blockId'] && !declaredType(type, input)?.chrome,
    )
    return last ? { ...op, afterBlockId: last.id } : op
  },
  'a new address that is the old one'(op, { input }) {
    const { newPageSlug, newTitle, pageSlug } = op
    const isSame = canonicalSlug(newPageSlug) === canonicalSlug(pageAt(input, pageSlug)?.slug ?? pageSlug)
    return isOp(op, 'rename_page') && newPageSlug !== undefined && newTitle === undefined && isSame ? [] : op
  },
}

/** The only block of the type that an operation hints at, or the only one that has the patched props. */
function onlyBlockFor(op: Loose, input: SiteInput): Block | undefined {
  const blocks = pageAt(input, op['pageSlug'])?.blocks ?? []
  const hint = firstText(op, typeKeys)
  const type = hint === undefined ? undefined : typeName(hint, input)
  const keys = isOp(op, 'update_props') ? Object.keys(objectIn(op['patch'])) : []
  const owns = (block: Block, key: string): boolean =>
    Object.hasOwn(block.props, key) || ownValue(declaredType(block.type, input)?.fields, key) !== undefined
  const meant = blocks.filter((block) =>
    type === undefined ? keys.length > 0 && keys.every((key) => owns(block, key)) : block.type === type,
  )
  return meant.length === 1 ? meant[0] : undefined
}
