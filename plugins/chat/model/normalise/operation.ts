import { isDeclaredList } from '../../../content/list-fields.ts'
import { isPlainObject, ownValue } from '../../../content/plain-object.ts'
import { newBlockRows, propsRows } from './block-rows.ts'
import { listRows } from './list-rows.ts'
import { opKeyRows } from './op-key-rows.ts'
import { opTargetRows } from './op-target-rows.ts'
import { pageRows } from './page-rows.ts'
import { blockAt, blockTypeAt, type Loose, type Place } from './place.ts'
import { normalisedItem } from './row-rows.ts'

/** Gives ids and slugs away, one after another, so that a plan names nothing twice. */
export interface Handout {
  readonly given: Set<string>
  readonly created: Set<string>
}

/** Reads one operation of a model; none, one or several come of it. */
export function normaliseOperation(raw: Loose, place: Omit<Place, 'given' | 'created'>, handout: Handout): readonly Loose[] {
  const here: Place = { ...place, ...handout }
  const named = opKeyRows.reduce((op, { apply }) => apply(op, here), raw)
  const onPages = throughAll([named], pageRows, here)
  const withBlocks = onPages.map((op) => withSettledBlocks(op, here, handout))
  const targeted = throughAll(withBlocks, opTargetRows, here)
  const settled = targeted.map((op) => withSettledProps(op, here))
  return throughAll(settled, listRows, here)
}

type Splitting = { readonly apply: (op: Loose, place: Place) => Loose | readonly Loose[] }

/** Lets operations through rows that may make several of one, or none. */
function throughAll(ops: readonly Loose[], rows: readonly Splitting[], place: Place): readonly Loose[] {
  return rows.reduce<readonly Loose[]>((soFar, { apply }) => soFar.flatMap((op) => apply(op, place)), ops)
}

function withSettledBlocks(op: Loose, place: Place, handout: Handout): Loose {
  const { block, page } = op
  if (op['op'] === 'add_block') {
    const envelope = isPlainObject(block) ? block : blockBeside(op)
    return envelope ? { ...op, block: settledBlock(envelope, place, handout) } : op
  }
  if (op['op'] !== 'create_page' || !isPlainObject(page)) return op
  if (typeof page['slug'] === 'string') handout.created.add(page['slug'])
  if (!Array.isArray(page['blocks'])) return op
  return { ...op, page: { ...page, blocks: page['blocks'].filter(isPlainObject).map((each) => settledBlock(each, place, handout)) } }
}

/** A block whose type and props stand beside the operation's own keys. */
function blockBeside(op: Loose): Loose | undefined {
  const type = [op['type'], op['blockType'], op['block_type'], op['block']].find((value) => typeof value === 'string')
  const props = op['props'] ?? op['patch']
  const id = op['blockId'] ?? op['newBlockId'] ?? op['id']
  return type === undefined ? undefined : { type, ...(isPlainObject(props) && { props }), ...(typeof id === 'string' && { id }) }
}

function settledBlock(raw: Loose, place: Place, handout: Handout): Loose {
  const block = newBlockRows.reduce((soFar, { apply }) => settledValues(apply(soFar, place), place), raw)
  if (typeof block['id'] === 'string') handout.given.add(block['id'])
  return block
}

/** A block whose props are as its type has them. */
function settledValues(block: Loose, place: Place): Loose {
  const { type, props } = block
  return typeof type === 'string' && isPlainObject(props) ? { ...block, props: settledProps(props, type, place) } : block
}

function withSettledProps(op: Loose, place: Place): Loose {
  const target = blockAt(place, op)
  if (!target) return op
  const { type } = target.block
  if (op['op'] === 'update_props' && isPlainObject(op['patch'])) {
    const inner = op['patch']['props']
    const isWrapped = isPlainObject(inner) && ownValue(target.blockType?.fields, 'props') === undefined
    return { ...op, patch: settledProps(isWrapped ? inner : op['patch'], type, place) }
  }
  const list = typeof op['listKey'] === 'string' ? ownValue(target.blockType?.fields, op['listKey']) : undefined
  if (!list || !isDeclaredList(list)) return op
  const settle = (key: string): Loose => (isPlainObject(op[key]) ? { [key]: normalisedItem(op[key], list) } : {})
  return { ...op, ...settle('item'), ...settle('patch') }
}

function settledProps(props: Loose, type: string, place: Place): Loose {
  const settled = propsRows.reduce((soFar, { apply }) => apply(soFar, type, place), props)
  const fields = blockTypeAt(place, type)?.fields
  const lists = Object.entries(settled).flatMap(([name, value]) => {
    const list = ownValue(fields, name)
    if (!list || !isDeclaredList(list) || !Array.isArray(value)) return []
    return [[name, value.map((row: unknown) => (isPlainObject(row) ? normalisedItem(row, list) : row))]]
  })
  return lists.length === 0 ? settled : { ...settled, ...Object.fromEntries(lists) }
}
