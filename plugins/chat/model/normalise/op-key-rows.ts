import { isPlainObject, ownValue } from '../../../content/plain-object.ts'
import { operationName } from './names.ts'
import { opOf, without } from './place.ts'
import type { Row } from './row.ts'

const nameKeys = ['operation', 'action', 'kind']

/** Keys that mean another one; the first that is there counts. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  pageSlug: ['page_slug', 'slug', 'page', 'path', 'route', 'from', 'source_page_slug'],
  newPageSlug: ['new_page_slug', 'new_slug', 'newSlug', 'target_slug', 'targetSlug', 'to'],
  newTitle: ['new_title', 'title'],
  toPageSlug: ['to_page_slug', 'target_page_slug', 'targetPageSlug'],
  afterPageSlug: ['after_page_slug', 'after_page'],
  blockId: ['block_id', 'id', 'target_block_id', 'targetBlockId', 'source_block_id', 'sourceBlockId'],
  newBlockId: ['new_block_id'],
  afterBlockId: ['after_block_id', 'insertAfterId', 'insert_after_id', 'after'],
  beforeId: ['before_id', 'beforeBlockId', 'before_block_id', 'before'],
  listKey: ['list_key', 'arrayKey', 'array_key', 'collection', 'itemsKey', 'items_key'],
  index: ['item_index', 'itemIndex', 'from_index', 'fromIndex'],
  afterIndex: ['after_index', 'to_index', 'toIndex', 'target_index', 'targetIndex'],
  item: ['new_item', 'newItem', 'value'],
  patch: ['props', 'changes'],
  block: ['new_block', 'newBlock'],
}

/** Synonyms that mean something else for an operation that has such a key of its own. */
const ownKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  create_page: new Set(['page', 'title', 'slug', 'path', 'route', 'blocks', 'block', 'id', 'value', 'props']),
  add_block: new Set(['page_title', 'id', 'props', 'title', 'value']),
  update_props: new Set(['title', 'value', 'slug', 'path', 'route', 'to']),
  update_page_meta: new Set(['title', 'value']),
  update_site_config: new Set(['title', 'value', 'to', 'from', 'id']),
}

const indexKeys = ['index', 'afterIndex']
const itemPath = /^([A-Za-z_]\w*)\[(\d{1,6})\](?:\.([A-Za-z_]\w*))?$/
const itemPathKeys = ['itemPath', 'item_path', 'path', 'listKey', 'list_key', 'editablePath']

const softHyphen = /&(?:shy|#173|#x0*ad);/i
const softHyphens = /&(?:shy|#173|#x0*ad);/gi

function withSoftHyphens(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(softHyphens, '\u00ad')
  if (Array.isArray(value)) return value.map(withSoftHyphens)
  return isPlainObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withSoftHyphens(each)])) : value
}

/** The operation on a row that goes with one on a block. */
const onRows: Readonly<Record<string, string>> = {
  add_block: 'add_item',
  update_props: 'update_item',
  remove_block: 'remove_item',
  move_block: 'move_item',
}

/** Rows that give an operation its name and its keys. */
export const opKeyRows: readonly Row[] = [
  {
    name: 'soft hyphens as entities',
    apply(op) {
      const text = JSON.stringify(op)
      return softHyphen.test(text) ? Object.fromEntries(Object.entries(op).map(([key, value]) => [key, withSoftHyphens(value)])) : op
    },
  },
  {
    name: 'the name of an operation in another spelling, under another key, or as the only key',
    apply(op) {
      const direct = operationName(op['op'])
      if (direct !== undefined) return direct === op['op'] ? op : { ...op, op: direct }
      const key = nameKeys.find((name) => operationName(op[name]) !== undefined)
      if (key !== undefined && op['op'] === undefined) return { ...without(op, key), op: operationName(op[key]) }
      const [only, ...others] = Object.entries(op)
      const name = only && others.length === 0 ? operationName(only[0]) : undefined
      return name !== undefined && isPlainObject(only?.[1]) ? { ...without(only[1], 'op'), op: name } : op
    },
  },
  {
    name: 'null in place of a field that is left out',
    apply: (op) => (Object.values(op).includes(null) ? Object.fromEntries(Object.entries(op).filter(([, value]) => value !== null)) : op),
  },
  {
    name: 'the path of a row',
    apply(op) {
      const key = itemPathKeys.find((name) => typeof op[name] === 'string' && itemPath.test(op[name]))
      const path = key === undefined ? undefined : op[key]
      const [, listKey, index, field] = (typeof path === 'string' && itemPath.exec(path)) || []
      if (key === undefined || listKey === undefined) return op
      const patch = field !== undefined && op['patch'] === undefined && op['value'] !== undefined && { patch: { [field]: op['value'] } }
      const rest = without(op, key, ...(patch ? ['value'] : []))
      return { ...rest, listKey, index: rest['index'] ?? Number(index), ...patch }
    },
  },
  {
    name: 'keys in another spelling',
    apply(op) {
      const own = ownValue(ownKeys, opOf(op))
      let renamed = op
      for (const [name, others] of Object.entries(synonyms)) {
        if (renamed[name] !== undefined) continue
        const key = others.find((other) => Object.hasOwn(renamed, other) && !own?.has(other) && fits(name, renamed[other]))
        if (key !== undefined) renamed = { ...without(renamed, key), [name]: renamed[key] }
      }
      return renamed
    },
  },
  {
    name: 'an operation on a block that names a row',
    apply(op) {
      const row = ownValue(onRows, opOf(op))
      if (row === undefined || typeof op['listKey'] !== 'string' || op['block'] !== undefined) return op
      const isRow = row === 'add_item' ? isPlainObject(op['item']) : op['index'] !== undefined
      return isRow ? { ...op, op: row } : op
    },
  },
  {
    name: 'a position as text',
    apply(op) {
      const read = indexKeys.flatMap((key) => {
        const value = op[key]
        const position = typeof value === 'string' ? Number.parseFloat(value) : value
        const isOther = typeof position === 'number' && Number.isFinite(position) && Math.trunc(position) !== value
        return isOther ? [[key, Math.trunc(position)]] : []
      })
      return read.length === 0 ? op : { ...op, ...Object.fromEntries(read) }
    },
  },
  {
    name: 'the patch of an item under the name of the item',
    apply(op) {
      if (op['op'] !== 'update_item' || op['patch'] !== undefined || !isPlainObject(op['item'])) return op
      return { ...without(op, 'item'), patch: op['item'] }
    },
  },
  {
    name: 'new props beside their patch',
    apply(op) {
      const patched = ownValue(patchedKeys, opOf(op))
      if (!patched) return op
      const beside = Object.entries(op).filter(([name]) => patched(name))
      if (beside.length === 0 || (op['patch'] !== undefined && !isPlainObject(op['patch']))) return op
      const patch = { ...Object.fromEntries(beside), ...(isPlainObject(op['patch']) ? op['patch'] : {}) }
      return { ...without(op, ...beside.map(([name]) => name)), patch }
    },
  },
]

/** Everything that an update may have beside its patch, as it is or for the rows after this one. */
const envelope = new Set([
  'op', 'pageSlug', 'blockId', 'patch', 'blockType', 'block_type', 'type', 'newPageSlug', 'newTitle', 'slug', 'path', 'route', 'to',
  'listKey', 'index', 'item', 'afterBlockId', 'beforeId',
])

/** Which keys beside a patch belong into it. */
const patchedKeys: Readonly<Record<string, (name: string) => boolean>> = {
  update_props: (name) => !envelope.has(name),
  update_page_meta: (name) => ['title', 'description', 'ogImage'].includes(name),
  update_site_config: (name) => ['name', 'logo', 'navLabels', 'navGroups'].includes(name),
}

/** A name that means two things means the one that its value can be. */
function fits(name: string, value: unknown): boolean {
  if (name === 'item' || name === 'patch' || name === 'block') return isPlainObject(value)
  if (name === 'index' || name === 'afterIndex') return typeof value === 'number' || typeof value === 'string'
  return typeof value === 'string'
}
