import * as v from 'valibot'
import { Block, Page } from './page.ts'
import { ownValue } from './plain-object.ts'
import { sameJson } from './same-json.ts'

/** A value before and after a change; absent on the side where there was none. */
interface Sides<T> {
  readonly before?: T | undefined
  readonly after?: T | undefined
}

/** A page that came or went, whole. */
interface WholeDelta extends Sides<Page> {
  readonly slug: string
}

/** What changed of a page that stayed. */
interface PartDelta {
  readonly slug: string
  /** The page-level keys that changed. */
  readonly keys: readonly (Sides<unknown> & { readonly name: string })[]
  /** The blocks that changed, came or went. */
  readonly blocks: readonly Sides<Block>[]
  /** The ids, from position `at`, that others took the place of; only when order or membership changed. */
  readonly order?: OrderDelta | undefined
}

interface OrderDelta {
  readonly at: number
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** The difference between two versions of a page: small, plain JSON, and good for both directions. */
export type PageDelta = WholeDelta | PartDelta

const sides = <S extends v.GenericSchema>(value: S) =>
  ({ before: v.optional(value), after: v.optional(value) })
const ids = v.array(v.string())

export const PageDelta: v.GenericSchema<unknown, PageDelta> = v.union([
  v.object({
    slug: v.string(),
    keys: v.array(v.object({ name: v.string(), ...sides(v.unknown()) })),
    blocks: v.array(v.object(sides(Block))),
    order: v.optional(v.object({ at: v.number(), before: ids, after: ids })),
  }),
  v.object({ slug: v.string(), ...sides(Page) }),
])

/**
 * Takes the difference between two versions of a page, either of which may be absent.
 *
 * A block that is the same object on both sides costs one comparison, and no place in the delta. Throws an Error
 * for two absent pages and for pages of different slugs: a renamed page is one that went and one that came.
 */
export function pageDelta(before: Page | undefined, after: Page | undefined): PageDelta {
  const slug = (after ?? before)?.slug
  if (slug === undefined) throw new Error('There is no difference between two absent pages.')
  if (before && after && before.slug !== after.slug) {
    throw new Error(`'${before.slug}' and '${after.slug}' are two pages; take the delta of each.`)
  }
  const blocks = before && after && blockDeltas(before.blocks, after.blocks)
  if (!blocks) return { slug, ...(before && { before }), ...(after && { after }) }
  return { slug, keys: keyDeltas(before, after), ...blocks }
}

/**
 * The other version of a page, from one version and the delta: the later one `forward`, the earlier `backward`.
 *
 * Throws an Error when the page is not the version that the delta starts from, in anything that the delta would
 * change. Only `updatedAt` may differ: a page that was taken back has a new stamp.
 */
export function applyDelta(
  page: Page | undefined, delta: PageDelta, direction: 'forward' | 'backward',
): Page | undefined {
  const turn: Turn = direction === 'forward' ? asIs : swapped
  if (!('keys' in delta)) {
    const { before, after } = turn<Page>(delta)
    if (!sameJson(unstamped(before), unstamped(page))) throw misfit(delta, 'it')
    return after
  }
  if (!page) throw misfit(delta, 'it')
  const changes: Record<string, unknown> = {}
  for (const { name, ...values } of delta.keys) {
    const { before, after } = turn(values)
    if (name !== 'updatedAt' && !sameJson(ownValue(page, name), before)) throw misfit(delta, `its ${name}`)
    changes[name] = after
  }
  return withoutAbsent({ ...page, ...changes, blocks: patchedBlocks(page.blocks, delta, turn) })
}

function keyDeltas(before: Page, after: Page): PartDelta['keys'] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  names.delete('blocks')
  return [...names].flatMap((name) => {
    const values = { before: ownValue(before, name), after: ownValue(after, name) }
    return sameJson(values.before, values.after) ? [] : [{ name, ...withoutAbsent(values) }]
  })
}

/** Nothing when the blocks cannot be told apart by their ids: older content may use one twice. */
function blockDeltas(before: readonly Block[], after: readonly Block[]): BlockDeltas | undefined {
  const isInPlace = before.length === after.length && before.every(({ id }, index) => id === after[index]?.id)
  if (!isInPlace) return hasTwins(before) || hasTwins(after) ? undefined : movedDeltas(before, after)
  const blocks: Sides<Block>[] = []
  before.forEach((was, index) => {
    const now = after[index]
    if (was !== now && !sameJson(was, now)) blocks.push({ before: was, after: now })
  })
  const isTwin = ({ before: changed }: Sides<Block>) => before.filter(({ id }) => id === changed?.id).length > 1
  return blocks.some(isTwin) ? undefined : { blocks }
}

type BlockDeltas = Pick<PartDelta, 'blocks' | 'order'>

function movedDeltas(before: readonly Block[], after: readonly Block[]): BlockDeltas {
  const old = new Map(before.map((block) => [block.id, block]))
  const changed = after.flatMap((block): Sides<Block>[] => {
    const was = old.get(block.id)
    old.delete(block.id)
    if (!was) return [{ after: block }]
    return sameJson(was, block) ? [] : [{ before: was, after: block }]
  })
  const gone = [...old.values()].map((block) => ({ before: block }))
  return { blocks: [...changed, ...gone], order: orderDelta(before.map(idOf), after.map(idOf)) }
}

function orderDelta(before: readonly string[], after: readonly string[]): OrderDelta {
  const shorter = Math.min(before.length, after.length)
  let at = 0
  while (at < shorter && before[at] === after[at]) at += 1
  let rest = 0
  while (rest < shorter - at && before.at(-1 - rest) === after.at(-1 - rest)) rest += 1
  return { at, before: before.slice(at, before.length - rest), after: after.slice(at, after.length - rest) }
}

function patchedBlocks(blocks: readonly Block[], delta: PartDelta, turn: Turn): readonly Block[] {
  const changes = new Map(delta.blocks.map((change) => {
    const { before, after } = turn(change)
    return [(before ?? after)?.id, { before, after }]
  }))
  const kept = new Map<string, Block>()
  const patched = blocks.map((block) => {
    const change = changes.get(block.id)
    if (change && !sameJson(block, change.before)) throw misfit(delta, `block '${block.id}'`)
    const now = change ? change.after ?? block : block
    changes.delete(block.id)
    kept.set(block.id, now)
    return now
  })
  for (const { before, after } of changes.values()) {
    if (before) throw misfit(delta, `block '${before.id}', which is absent,`)
    if (after) kept.set(after.id, after)
  }
  return delta.order ? reordered(blocks, kept, delta, turn<readonly string[]>(delta.order)) : patched
}

function reordered(
  blocks: readonly Block[],
  kept: ReadonlyMap<string, Block>,
  delta: PartDelta,
  { before = [], after = [] }: Sides<readonly string[]>,
): readonly Block[] {
  const { at = 0 } = delta.order ?? {}
  const ids = blocks.map(idOf)
  if (!sameJson(ids.slice(at, at + before.length), before)) throw misfit(delta, 'the order of its blocks')
  return ids.toSpliced(at, before.length, ...after).map((id) => {
    const block = kept.get(id)
    if (!block) throw misfit(delta, `block '${id}', which is absent,`)
    return block
  })
}

type Turn = <T>(sides: Sides<T>) => Sides<T>
const asIs: Turn = (sides) => sides
const swapped: Turn = ({ before, after }) => ({ before: after, after: before })

const idOf = ({ id }: Block) => id
const hasTwins = (blocks: readonly Block[]) => new Set(blocks.map(idOf)).size < blocks.length
const unstamped = (page: Page | undefined) => page && { ...page, updatedAt: '' }

function withoutAbsent<T extends object>(object: T): T {
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) Reflect.deleteProperty(object, name)
  }
  return object
}

const misfit = ({ slug }: PageDelta, what: string) =>
  new Error(`The change of page '${slug}' does not fit: ${what} is not what it was then.`)
