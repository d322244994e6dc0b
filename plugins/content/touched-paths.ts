import type { PageDelta } from './delta.ts'
import { isSameOrder } from './merge/order.ts'
import type { Block } from './page.ts'
import { sameJson } from './plain-object.ts'

/** A place in the content of a page: its slug, then a key, a field of a block, or the position of a block. */
export type FieldPath = readonly string[]

type PagePatch = Extract<PageDelta, { readonly keys: unknown }>
type Values = Readonly<Record<string, unknown>>

/** Whether one of two places contains the other. */
export const overlaps = (a: FieldPath, b: FieldPath): boolean =>
  a.slice(0, b.length).every((part, index) => part === b[index])

/** Returns the keys of a place and those around it. */
export const keysOfField = (path: FieldPath): readonly string[] =>
  path.map((_part, at) => JSON.stringify(path.slice(0, at + 1)))

/** Lists the places that a change of a page touched. */
export function touchedPaths(delta: PageDelta): readonly FieldPath[] {
  const { slug } = delta
  if (!('keys' in delta)) return [[slug]]
  const fields = delta.blocks.flatMap(({ name: id, before, after }): readonly FieldPath[] => {
    if (!before || !after) return [[slug, 'block', id]]
    const within = (kind: string) => (name: string) => [slug, 'block', id, kind, name]
    return [
      ...changedNames(withoutProps(before), withoutProps(after)).map(within('key')),
      ...changedNames(before.props, after.props).map(within('prop')),
    ]
  })
  return [
    ...delta.keys.flatMap(({ name }) => (name === 'updatedAt' ? [] : [[slug, 'key', name]])),
    ...fields,
    ...placedIds(delta).map((id) => [slug, 'order', id]),
  ]
}

/** The blocks that a change added, removed or brought into another order. */
function placedIds({ blocks, order }: PagePatch): readonly string[] {
  if (order && !isSameOrder(order.before, order.after)) return [...new Set([...order.before, ...order.after])]
  return blocks.flatMap(({ name, before, after }) => (before && after ? [] : [name]))
}

const withoutProps = ({ props: _props, ...block }: Block): Values => block

const changedNames = (before: Values, after: Values): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !sameJson(before[name], after[name]),
  )
