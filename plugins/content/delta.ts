import * as v from 'valibot'
import { Block, Page } from './page.ts'
import { own, sameJson } from './same-json.ts'

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

const sides = <S extends v.GenericSchema>(value: S) => ({ before: v.optional(value), after: v.optional(value) })
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
 * A block that is the same object on both sides costs one comparison, and no place in the delta. Throws an Error for two
 * absent pages and for pages of different slugs: a renamed page is one that went and one that came.
 */
export function pageDelta(before: Page | undefined, after: Page | undefined): PageDelta {
  const slug = (after ?? before)?.slug
  if (slug === undefined) throw new Error('There is no difference between two absent pages.')
  if (before && after && before.slug !== after.slug) throw new Error(`'${before.slug}' and '${after.slug}' are two pages; take the delta of each.`)
  if (!before || !after || hasTwins(before) || hasTwins(after)) return { slug, ...(before && { before }), ...(after && { after }) }
  const order = orderDelta(before.blocks.map(({ id }) => id), after.blocks.map(({ id }) => id))
  return { slug, keys: keyDeltas(before, after), blocks: blockDeltas(before, after), ...(order && { order }) }
}

/** The slugs of the pages that some deltas are about. */
export function deltaSlugs(deltas: readonly PageDelta[]): readonly string[] {
  return [...new Set(deltas.map(({ slug }) => slug))]
}

/**
 * The other version of a page, from one version and the delta: the later one `forward`, the earlier one `backward`.
 *
 * Throws an Error when the page is not the version that the delta starts from, in anything that the delta would change.
 * Only `updatedAt` may differ: a page that was taken back has a new stamp.
 */
export function applyDelta(page: Page | undefined, delta: PageDelta, direction: 'forward' | 'backward'): Page | undefined {
  const turn = direction === 'forward' ? same : swapped
  if (!('keys' in delta)) {
    const { before, after } = turn(delta)
    if (!sameJson(unstamped(before), unstamped(page))) throw misfit(delta, 'the page')
    return after
  }
  if (!page) throw misfit(delta, 'the page, which is absent,')
  const changes: Record<string, unknown> = {}
  for (const { name, ...values } of delta.keys) {
    const { before, after } = turn(values)
    if (name !== 'updatedAt' && !sameJson(own(page, name), before)) throw misfit(delta, `'${name}'`)
    changes[name] = after
  }
  const blocks = patchedBlocks(page, delta, turn)
  return withoutAbsent({ ...page, ...changes, blocks })
}

function keyDeltas(before: Page, after: Page): PartDelta['keys'] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  names.delete('blocks')
  return [...names].flatMap((name) => {
    const values = { before: own(before, name), after: own(after, name) }
    return sameJson(values.before, values.after) ? [] : [{ name, ...withoutAbsent(values) }]
  })
}

function blockDeltas(before: Page, after: Page): PartDelta['blocks'] {
  const old = new Map(before.blocks.map((block) => [block.id, block]))
  const changed = after.blocks.flatMap((block): Sides<Block>[] => {
    const was = old.get(block.id)
    old.delete(block.id)
    if (!was) return [{ after: block }]
    return sameJson(was, block) ? [] : [{ before: was, after: block }]
  })
  return [...changed, ...[...old.values()].map((block) => ({ before: block }))]
}

function orderDelta(before: readonly string[], after: readonly string[]): OrderDelta | undefined {
  const shorter = Math.min(before.length, after.length)
  let at = 0
  while (at < shorter && before[at] === after[at]) at += 1
  let rest = 0
  while (rest < shorter - at && before.at(-1 - rest) === after.at(-1 - rest)) rest += 1
  const changed = { at, before: before.slice(at, before.length - rest), after: after.slice(at, after.length - rest) }
  return changed.before.length + changed.after.length === 0 ? undefined : changed
}

function patchedBlocks(page: Page, delta: PartDelta, turn: Turn): readonly Block[] {
  const known = new Map(page.blocks.map((block) => [block.id, block]))
  for (const change of delta.blocks) {
    const { before, after } = turn(change)
    const id = (before ?? after)?.id ?? ''
    if (!sameJson(known.get(id), before)) throw misfit(delta, `block '${id}'`)
    if (after) known.set(id, after)
    else known.delete(id)
  }
  return patchedOrder(page, delta, turn).map((id) => known.get(id) ?? missing(delta, id))
}

function patchedOrder(page: Page, delta: PartDelta, turn: Turn): readonly string[] {
  const now = page.blocks.map(({ id }) => id)
  if (!delta.order) return now
  const { at } = delta.order
  const { before = [], after = [] } = turn<readonly string[]>(delta.order)
  if (!sameJson(now.slice(at, at + before.length), before)) throw misfit(delta, 'the order of blocks')
  return now.toSpliced(at, before.length, ...after)
}

type Turn = <T>(sides: Sides<T>) => Sides<T>
const same: Turn = (sides) => sides
const swapped: Turn = ({ before, after }) => ({ before: after, after: before })

/** Pages of older content may use a block id twice; then blocks cannot be told apart by id. */
const hasTwins = ({ blocks }: Page) => new Set(blocks.map(({ id }) => id)).size < blocks.length
const unstamped = (page: Page | undefined) => page && { ...page, updatedAt: '' }

function withoutAbsent<T extends object>(object: T): T {
  for (const [name, value] of Object.entries(object)) if (value === undefined) Reflect.deleteProperty(object, name)
  return object
}

function missing({ slug }: PageDelta, id: string): never {
  throw new Error(`This change does not fit page '${slug}': it has no block '${id}'.`)
}

const misfit = ({ slug }: PageDelta, what: string) =>
  new Error(`This change does not fit page '${slug}': ${what} is not what it was when the change was made.`)
