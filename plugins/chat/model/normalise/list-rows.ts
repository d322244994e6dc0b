import { rowKey } from '../../../content/items.ts'
import { isDeclaredList } from '../../../content/list-fields.ts'
import { isPlainObject, ownValue } from '../../../content/plain-object.ts'
import { blockAt, without, type Loose } from './place.ts'
import type { Row } from './row.ts'

/** Rows for lists that come whole. */
export const listRows: readonly Row<Loose, Loose | readonly Loose[]>[] = [
  {
    name: 'a list that got longer',
    apply(op, place) {
      const patch = op['patch']
      const target = blockAt(place, op)
      if (op['op'] !== 'update_props' || !isPlainObject(patch) || !target) return op
      const grown = Object.keys(patch).flatMap((listKey) => {
        const incoming = patch[listKey]
        const stored = target.block.props[listKey]
        if (!isDeclaredList(ownValue(target.blockType?.fields, listKey)) || !Array.isArray(incoming) || !Array.isArray(stored)) return []
        const isAppended = incoming.length > stored.length && stored.length > 0 && incoming.every(isPlainObject) && keepsPlaces(stored, incoming)
        return isAppended ? [{ listKey, head: incoming.slice(0, stored.length), tail: incoming.slice(stored.length) }] : []
      })
      if (grown.length === 0) return op
      const heads = Object.fromEntries(grown.map(({ listKey, head }) => [listKey, head]))
      const about = { pageSlug: op['pageSlug'], blockId: op['blockId'] }
      const added = grown.flatMap(({ listKey, tail }) => tail.map((item) => ({ op: 'add_item', ...about, listKey, item })))
      const update = { ...without(op), patch: { ...patch, ...heads } }
      return [...(changesNothing(target.block.props, update.patch) ? [] : [update]), ...added]
    },
  },
]

/** Rows with keys stand where they stood, so that what comes after them is new. */
function keepsPlaces(stored: readonly unknown[], incoming: readonly unknown[]): boolean {
  return incoming.every((row, at) => {
    const key = isPlainObject(row) ? rowKey(row) : undefined
    const there = stored[at]
    if (key === undefined) return true
    return at < stored.length ? isPlainObject(there) && rowKey(there) === key : !stored.some((old) => isPlainObject(old) && rowKey(old) === key)
  })
}

/** Tells whether every value of a patch is there already, row keys aside. */
function changesNothing(props: Loose, patch: Loose): boolean {
  return Object.entries(patch).every(([name, value]) => isPart(value, props[name]))
}

/** Tells whether one value is another, or a part of it where objects leave keys out. */
function isPart(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part)) return Array.isArray(whole) && part.length === whole.length && part.every((each, at) => isPart(each, whole[at]))
  if (isPlainObject(part)) return isPlainObject(whole) && Object.entries(part).every(([name, value]) => isPart(value, whole[name]))
  return part === whole
}
