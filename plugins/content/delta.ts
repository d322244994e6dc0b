import { isSameButQueries } from './addresses.ts'
import type { Block, Page } from './page.ts'
import { sameJson } from './plain-object.ts'

/** A value before and after a change; absent on the side without one. */
interface Versions<T> {
  readonly before?: T | undefined
  readonly after?: T | undefined
}

/** A changed, added or removed key of a page, or a block by its id. */
type Difference<T> = Versions<T> & { readonly name: string }

/** The changes of an existing page. */
interface PagePatch {
  readonly slug: string
  readonly keys: readonly Difference<unknown>[]
  readonly blocks: readonly Difference<Block>[]
  /** The block ids; only if order or membership changed. */
  readonly order?: { readonly before: readonly string[]; readonly after: readonly string[] }
}

/** A page that came and whose content is not in the delta: only its absence can be brought back. */
interface Arrival {
  readonly slug: string
  readonly came: true
}

/** The difference of two page versions, or both in full: plain JSON, applicable in both directions. */
export type PageDelta = (Versions<Page> & { readonly slug: string }) | Arrival | PagePatch

export const arrivalOf = (slug: string): PageDelta => ({ slug, came: true })

/**
 * Computes the difference between two versions of a page, either of which may be absent.
 *
 * A block that is the same object on both sides costs one comparison and is not in the delta. Throws an Error
 * for two absent pages and for pages with different slugs: a rename is a removal and an addition.
 */
export function pageDelta(before: Page | undefined, after: Page | undefined): PageDelta {
  const slug = (after ?? before)?.slug
  if (slug === undefined) throw new Error('There is no difference between two absent pages.')
  if (before && after && before.slug !== after.slug) {
    throw new Error(`'${before.slug}' and '${after.slug}' are two pages; take the delta of each.`)
  }
  const whole = { slug, ...(before && { before }), ...(after && { after }) }
  if (!before || !after || !hasUniqueIds(before)) return whole
  const isInOrder = hasSameOrder(before, after)
  if (isInOrder) uniqueIds.set(after, true)
  else if (!hasUniqueIds(after)) return whole
  const keys = differences(keysOf(before), keysOf(after))
  if (isInOrder) return { slug, keys, blocks: changedInPlace(before.blocks, after.blocks) }
  const order = { before: idsOf(before), after: idsOf(after) }
  return { slug, keys, blocks: differences(byId(before), byId(after)), order }
}

/**
 * Returns the other version of a page: the later one for `forward`, the earlier one for `backward`.
 *
 * Throws an Error if a value that the delta would change is not the expected one. Only `updatedAt` may
 * differ, as an undone page has a new stamp, and what is behind the `?` of an address, as a site may sign it
 * anew.
 */
export function applyDelta(
  page: Page | undefined,
  delta: PageDelta,
  direction: 'forward' | 'backward',
): Page | undefined {
  if ('came' in delta) {
    if (direction === 'forward') throw misfit(delta, 'what came')
    return undefined
  }
  const turn: Turn = direction === 'forward' ? (versions) => versions : swapped
  if (!('keys' in delta)) {
    const { before, after } = turn<Page>(delta)
    if (!isSameButQueries(unstamped(before), unstamped(page))) throw misfit(delta, 'it')
    return after
  }
  if (!page || !hasUniqueIds(page)) throw misfit(delta, 'it')
  const blocks = byId(page)
  const order = delta.order && turn<readonly string[]>(delta.order)
  if (order && !sameJson(order.before, [...blocks.keys()])) throw misfit(delta, 'the order of its blocks')
  const keys = changedValues(keysOf(page), delta.keys, turn, (name) =>
    name === 'updatedAt' ? undefined : misfit(delta, `its ${name}`),
  )
  const changed = changedValues(blocks, delta.blocks, turn, (id) => misfit(delta, `block '${id}'`))
  const valueOf = (id: string, block: Block | undefined) => (changed.has(id) ? changed.get(id) : block)
  const ids = order?.after ?? [...blocks.keys()]
  return {
    ...page,
    ...Object.fromEntries(keys),
    blocks: ids.flatMap((id) => valueOf(id, blocks.get(id)) ?? []),
  }
}

/** Returns the values that differ between two maps. */
function differences<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): readonly Difference<T>[] {
  const changed: Difference<T>[] = []
  for (const [name, was] of before) {
    const now = after.get(name)
    if (was !== now && !sameJson(was, now))
      changed.push({ name, before: was, ...(now !== undefined && { after: now }) })
  }
  for (const [name, now] of after) if (!before.has(name)) changed.push({ name, after: now })
  return changed
}

/**
 * Returns the new values of changed names; throws the error of `misfitOf` for a value that is not as
 * expected.
 */
function changedValues<T>(
  current: ReadonlyMap<string, T>,
  changes: readonly Difference<T>[],
  turn: Turn,
  misfitOf: (name: string) => Error | undefined,
): ReadonlyMap<string, T | undefined> {
  return new Map(
    changes.map((change) => {
      const { before, after } = turn<T>(change)
      const error = isSameButQueries(current.get(change.name), before) ? undefined : misfitOf(change.name)
      if (error) throw error
      return [change.name, after]
    }),
  )
}

type Turn = <T>(versions: Versions<T>) => Versions<T>
const swapped: Turn = ({ before, after }) => ({ before: after, after: before })

const keysOf = ({ blocks: _blocks, ...keys }: Page) => new Map<string, unknown>(Object.entries(keys))

const idsOf = ({ blocks }: Page) => blocks.map(({ id }) => id)
const byId = ({ blocks }: Page) => new Map(blocks.map((block) => [block.id, block]))

const uniqueIds = new WeakMap<Page, boolean>()
/** Whether no id occurs twice, as in older content. */
function hasUniqueIds(page: Page): boolean {
  const isUnique = uniqueIds.get(page) ?? byId(page).size === page.blocks.length
  uniqueIds.set(page, isUnique)
  return isUnique
}

/** Whether two pages have blocks of the same ids in the same order. */
const hasSameOrder = ({ blocks }: Page, other: Page): boolean =>
  blocks.length === other.blocks.length && blocks.every(({ id }, at) => other.blocks[at]?.id === id)

/** Returns the differing blocks of two lists with the same ids in the same order. */
function changedInPlace(before: readonly Block[], after: readonly Block[]): readonly Difference<Block>[] {
  const changed: Difference<Block>[] = []
  before.forEach((was, at) => {
    const now = after[at]
    if (was !== now && !sameJson(was, now)) changed.push({ name: was.id, before: was, after: now })
  })
  return changed
}

const unstamped = (page: Page | undefined) => page && { ...page, updatedAt: '' }

const misfit = ({ slug }: PageDelta, what: string) =>
  new Error(`The change of page '${slug}' does not fit: ${what} is not what it was then.`)
