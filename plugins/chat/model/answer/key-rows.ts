import { isPlainObject, ownValue, picked } from '../../../content/plain-object.ts'
import { wordSet } from '../../../content/words.ts'
import { nameKeys, operationName, opOf, type Corrections, without } from './row.ts'

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Synonyms of keys, also in snake case; the first one present counts. */
const synonyms: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    pageSlug: 'slug page path route from sourcePageSlug',
    newPageSlug: 'newSlug targetSlug to',
    newTitle: 'title',
    toPageSlug: 'targetPageSlug',
    afterPageSlug: 'afterPage',
    blockId: 'id targetBlockId sourceBlockId',
    newBlockId: '',
    afterBlockId: 'insertAfterId after',
    beforeId: 'beforeBlockId before',
    listKey: 'arrayKey collection itemsKey',
    index: 'itemIndex fromIndex',
    afterIndex: 'toIndex targetIndex',
    item: 'newItem value',
    patch: 'props changes',
    block: 'newBlock',
  }).map(([name, others]) => [
    name,
    [name, ...others.split(' ')].flatMap((other) => [other, snake(other)]).filter((other) => other !== name),
  ]),
)

/** Keys that are not synonyms in an operation, because they have their own meaning there. */
const ownKeys: Readonly<Record<string, readonly string[]>> = {
  create_page: ['page', 'title', 'slug', 'path', 'route', 'id', 'value', 'props'],
  add_block: ['id', 'props', 'title', 'value'],
  update_props: ['title', 'value', 'slug', 'path', 'route', 'to'],
  update_page_meta: ['title', 'value'],
  update_site_config: ['title', 'value', 'to', 'from', 'id'],
}

const itemPath = /^([A-Za-z_]\w*)\[(\d{1,6})\](?:\.([A-Za-z_]\w*))?$/
const itemPathKeys = ['itemPath', 'item_path', 'path', 'listKey', 'list_key', 'editablePath']

/** Keys allowed outside the patch of an update: valid ones, or input of later corrections. */
const envelope = wordSet(
  'op pageSlug blockId patch blockType block_type type newPageSlug newTitle slug path route to listKey index item afterBlockId beforeId',
)
/** Tests for keys outside a patch that belong into it. */
const patched: Readonly<Record<string, (name: string) => boolean>> = {
  update_props: (name) => !envelope.has(name),
  update_page_meta: (name) => ['title', 'description', 'ogImage'].includes(name),
  update_site_config: (name) => ['name', 'logo', 'navLabels', 'navGroups'].includes(name),
}

/** Corrections of the name and the keys of an operation. */
export const keyRows: Corrections = {
  'null in place of a field that is left out': (op) =>
    Object.values(op).includes(null) ? picked(op, (value) => value !== null) : op,
  'the name of an operation in another spelling, under another key, or as the only key'(op) {
    if (operationName(op['op']) === opOf(op)) return op
    const key = op['op'] === undefined ? nameKeys.find((name) => operationName(op[name]) !== undefined) : 'op'
    if (key !== undefined) return { ...without(op, [key]), op: operationName(op[key]) ?? op['op'] }
    const [[only = '', fields] = [], ...others] = Object.entries(op)
    const name = others.length === 0 ? operationName(only) : undefined
    return name !== undefined && isPlainObject(fields) ? { ...fields, op: name } : op
  },
  'the path of a row'(op) {
    const key = itemPathKeys.find((name) => typeof op[name] === 'string' && itemPath.test(op[name]))
    if (key === undefined) return op
    const [, listKey, index, field] = itemPath.exec(String(op[key])) ?? []
    const patch = field !== undefined &&
      op['patch'] === undefined &&
      op['value'] !== undefined && { patch: { [field]: op['value'] } }
    const rest = without(op, [key, ...(patch ? ['value'] : [])])
    return { ...rest, listKey, index: rest['index'] ?? Number(index), ...patch }
  },
  'keys in another spelling'(op) {
    const own = ownValue(ownKeys, opOf(op)) ?? []
    let renamed = op
    for (const [name, others] of Object.entries(synonyms)) {
      const key = others.find(
        (other) => Object.hasOwn(renamed, other) && !own.includes(other) && fits(name, renamed[other]),
      )
      if (renamed[name] === undefined && key !== undefined)
        renamed = { ...without(renamed, [key]), [name]: renamed[key] }
    }
    return renamed
  },
  'a position as text'(op) {
    const read = ['index', 'afterIndex'].flatMap((key) => {
      const position = typeof op[key] === 'string' ? Number.parseFloat(op[key]) : op[key]
      return typeof position === 'number' && Number.isFinite(position) ? [[key, Math.trunc(position)]] : []
    })
    return read.length === 0 ? op : { ...op, ...Object.fromEntries(read) }
  },
  'new values outside of their patch'(op) {
    const { patch = {} } = op
    const isOutside = ownValue(patched, opOf(op))
    if (!isOutside || !isPlainObject(patch) || !Object.keys(op).some(isOutside)) return op
    const rest = picked(op, (_, name) => !isOutside(name))
    return { ...rest, patch: { ...picked(op, (_, name) => isOutside(name)), ...patch } }
  },
}

/** Whether a key can have this value; decides between the meanings of a synonym. */
function fits(name: string, value: unknown): boolean {
  if (name === 'item' || name === 'patch' || name === 'block') return isPlainObject(value)
  return (
    typeof value === 'string' || ((name === 'index' || name === 'afterIndex') && typeof value === 'number')
  )
}
