import type { PageDelta } from './delta.ts'
import type { Block, Page } from './page.ts'
import { placedBehind } from './placed-behind.ts'
import { sameJson } from './plain-object.ts'

/** A place in the content of a page: its slug, then a key, a field of a block, or the position of a block. */
export type FieldPath = readonly string[]

type PagePatch = Extract<PageDelta, { readonly keys: unknown }>
type WholePage = Exclude<PageDelta, PagePatch>
type Order = NonNullable<PagePatch['order']>
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
    return [
      ...changedNames(withoutProps(before), withoutProps(after)).map((name) => [
        slug,
        'block',
        id,
        'key',
        name,
      ]),
      ...changedNames(before.props, after.props).map((name) => [slug, 'block', id, 'prop', name]),
    ]
  })
  return [
    ...contentKeys(delta).map(({ name }) => [slug, 'key', name]),
    ...fields,
    ...placedIds(delta).map((id) => [slug, 'order', id]),
  ]
}

/** The blocks that a change added, removed or brought into another order. */
function placedIds({ blocks, order }: PagePatch): readonly string[] {
  if (order && isReordered(order)) return [...new Set([...order.before, ...order.after])]
  return blocks.flatMap(({ name, before, after }) => (before && after ? [] : [name]))
}

/**
 * Returns a page without one of its changes, which need not be the newest: every field, block and order that
 * the change set gets its former value, and later changes elsewhere stay.
 *
 * Returns `undefined` if a value was changed again since: it is neither the one that the change set nor the
 * former one, which stays.
 */
export function withoutChange(
  page: Page | undefined,
  delta: PageDelta,
): { readonly page: Page | undefined } | undefined {
  let fits = true
  const former: Former = (now, before, after) => {
    if (sameJson(now, before)) return now
    fits &&= sameJson(now, after)
    return before
  }
  if (!('keys' in delta)) {
    const result = withoutWhole(page, delta, former)
    return fits ? { page: result } : undefined
  }
  if (!page || new Set(page.blocks.map(({ id }) => id)).size < page.blocks.length) return undefined
  const keys = contentKeys(delta).map(({ name, before, after }) => [name, former(page[name], before, after)])
  const blocks = withoutBlockChanges(page.blocks, delta, former)
  return fits ? { page: { ...page, ...Object.fromEntries(keys), blocks } } : undefined
}

/** Returns the former value, and notes if the present one is not what the change set. */
type Former = <T>(now: T, before: T, after: T) => T

function withoutWhole(page: Page | undefined, { before, after }: WholePage, former: Former) {
  const stamped = (side: Page | undefined) => side && page && { ...side, updatedAt: page.updatedAt }
  return former(page, stamped(before) ?? before, stamped(after) ?? after)
}

function withoutBlockChanges(
  blocks: readonly Block[],
  { blocks: changes, order }: PagePatch,
  former: Former,
): readonly Block[] {
  const byId = new Map(blocks.map((block) => [block.id, block]))
  for (const { name: id, before, after } of changes) {
    const now = byId.get(id)
    const block =
      now && before && after ? withoutFieldChanges(now, before, after, former) : former(now, before, after)
    if (block) byId.set(id, block)
    else byId.delete(id)
  }
  const staying = blocks.map(({ id }) => id).filter((id) => byId.has(id))
  const isStaying = new Set(staying)
  const returned = new Set(order?.before.filter((id) => byId.has(id) && !isStaying.has(id)))
  const ids = order ? placedBehind(withoutMoves(staying, order, former), order.before, returned) : staying
  return ids.flatMap((id) => byId.get(id) ?? [])
}

function withoutFieldChanges(now: Block, before: Block, after: Block, former: Former): Block {
  const formerValues = (now: Values, before: Values, after: Values): Values =>
    Object.fromEntries(
      changedNames(before, after).map((name) => [name, former(now[name], before[name], after[name])]),
    )
  const props = Object.entries({ ...now.props, ...formerValues(now.props, before.props, after.props) })
  return {
    ...now,
    ...formerValues(withoutProps(now), withoutProps(before), withoutProps(after)),
    props: Object.fromEntries(props.filter(([, value]) => value !== undefined)),
  }
}

/** Returns the ids with those that the change moved in their former order, each in the place of another of them. */
function withoutMoves(ids: readonly string[], order: Order, former: Former): readonly string[] {
  if (!isReordered(order)) return ids
  const [before, after] = commonIds(order)
  const isCommon = new Set(before)
  const present = ids.filter((id) => isCommon.has(id))
  const places = new Map(present.map((id, at) => [id, at]))
  const isPresent = (id: string): boolean => places.has(id)
  const wanted = former(present, before.filter(isPresent), after.filter(isPresent))
  return ids.map((id) => wanted[places.get(id) ?? -1] ?? id)
}

/** The ids that are in both orders. */
function commonIds({ before, after }: Order): readonly [readonly string[], readonly string[]] {
  const [inBefore, inAfter] = [new Set(before), new Set(after)]
  return [before.filter((id) => inAfter.has(id)), after.filter((id) => inBefore.has(id))]
}

const isReordered = (order: Order): boolean => !sameJson(...commonIds(order))

/** The changes of a page's own keys but the time of its last change. */
const contentKeys = ({ keys }: PagePatch) => keys.filter(({ name }) => name !== 'updatedAt')

const withoutProps = ({ props: _props, ...block }: Block): Values => block

const changedNames = (before: Values, after: Values): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !sameJson(before[name], after[name]),
  )
