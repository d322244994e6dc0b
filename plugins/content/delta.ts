import type { Block, Page, Props } from './page.ts'
import { ownValue } from './plain-object.ts'
import { sameJson } from './same-json.ts'

/** A value before and after a change; absent on the side without one. */
interface Versions<T> {
  readonly before?: T | undefined
  readonly after?: T | undefined
}

/** A changed, added or removed key of an object. */
interface KeyDelta extends Versions<unknown> {
  readonly name: string
}

/** The changes of an existing block: keys of its props, and its other keys. */
interface BlockPatch {
  readonly id: string
  readonly keys: readonly KeyDelta[]
  readonly props: readonly KeyDelta[]
}

/** The changes of an existing page. */
interface PagePatch {
  readonly slug: string
  /** The page-level keys that changed. */
  readonly keys: readonly KeyDelta[]
  /** The changed blocks; added and removed blocks are included whole. */
  readonly blocks: readonly (Versions<Block> | BlockPatch)[]
  /** The block ids replaced from position `at` on; only if order or membership changed. */
  readonly order?:
    { readonly at: number; readonly before: readonly string[]; readonly after: readonly string[] } | undefined
}

/** The difference of two page versions, or both in full: plain JSON, applicable in both directions. */
export type PageDelta = (Versions<Page> & { readonly slug: string }) | PagePatch

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
  const blocks = before && after && blockDeltas(before.blocks, after.blocks)
  if (!blocks) return { slug, ...(before && { before }), ...(after && { after }) }
  return { slug, keys: keyDeltas(before, after, 'blocks'), ...blocks }
}

/**
 * Returns the other version of a page: the later one for `forward`, the earlier one for `backward`.
 *
 * Throws an Error if a value that the delta would change is not the expected one. Only `updatedAt` may
 * differ: an undone page has a new stamp.
 */
export function applyDelta(
  page: Page | undefined,
  delta: PageDelta,
  direction: 'forward' | 'backward',
): Page | undefined {
  const turn: Turn = direction === 'forward' ? asIs : swapped
  if (!('keys' in delta)) {
    const { before, after } = turn<Page>(delta)
    if (!sameJson(unstamped(before), unstamped(page))) throw misfit(delta, 'it')
    return after
  }
  if (!page) throw misfit(delta, 'it')
  const patched = patchedKeys(page, delta.keys, turn, (name) => {
    if (name !== 'updatedAt') throw misfit(delta, `its ${name}`)
  })
  return { ...patched, blocks: patchedBlocks(page.blocks, delta, turn) }
}

/** Returns the keys whose values differ between two objects, without `except`. */
function keyDeltas(before: Props, after: Props, except?: string): readonly KeyDelta[] {
  const deltas: KeyDelta[] = []
  for (const name of Object.keys(before)) {
    const values = { before: before[name], after: ownValue(after, name) }
    if (name !== except && !sameJson(values.before, values.after)) deltas.push({ name, ...values })
  }
  for (const name of Object.keys(after)) {
    if (name !== except && !Object.hasOwn(before, name) && after[name] !== undefined)
      deltas.push({ name, after: after[name] })
  }
  return deltas
}

/** Returns a copy with changed keys; calls `refuse` for each key whose value is not the expected one. */
function patchedKeys<T extends Props>(
  object: T,
  deltas: readonly KeyDelta[],
  turn: Turn,
  refuse: (name: string) => void,
): T {
  const changes = deltas.map((delta) => {
    const { before, after } = turn<unknown>(delta)
    if (!sameJson(ownValue(object, delta.name), before)) refuse(delta.name)
    return [delta.name, after] as const
  })
  return withoutAbsent({ ...object, ...Object.fromEntries(changes) })
}

/** Returns `undefined` if the blocks cannot be distinguished by id: older content may have duplicates. */
function blockDeltas(before: readonly Block[], after: readonly Block[]): BlockDeltas | undefined {
  const blocks = deltasInPlace(before, after)
  if (!blocks) return hasTwins(before) || hasTwins(after) ? undefined : movedDeltas(before, after)
  const changed = new Set(blocks.map(idOf))
  const among = before.reduce((count, { id }) => count + Number(changed.has(id)), 0)
  return among > changed.size ? undefined : { blocks }
}

/** Returns `undefined` if a block was added, removed or moved. */
function deltasInPlace(before: readonly Block[], after: readonly Block[]): readonly BlockPatch[] | undefined {
  if (before.length !== after.length) return undefined
  const blocks: BlockPatch[] = []
  for (let index = 0; index < before.length; index++) {
    const [was, now] = [before[index], after[index]]
    if (!was || !now || was === now) continue
    if (was.id !== now.id) return undefined
    if (!sameJson(was, now)) blocks.push(blockPatch(was, now))
  }
  return blocks
}

const blockPatch = (before: Block, after: Block): BlockPatch => ({
  id: before.id,
  keys: keyDeltas(before, after, 'props'),
  props: keyDeltas(before.props, after.props),
})

type BlockDeltas = Pick<PagePatch, 'blocks' | 'order'>

function movedDeltas(before: readonly Block[], after: readonly Block[]): BlockDeltas {
  const old = new Map(before.map((block) => [block.id, block]))
  const changed = after.flatMap((block): PagePatch['blocks'] => {
    const was = old.get(block.id)
    old.delete(block.id)
    if (!was) return [{ after: block }]
    return sameJson(was, block) ? [] : [blockPatch(was, block)]
  })
  const gone = [...old.values()].map((block) => ({ before: block }))
  return { blocks: [...changed, ...gone], order: orderDelta(before.map(idOf), after.map(idOf)) }
}

function orderDelta(before: readonly string[], after: readonly string[]): PagePatch['order'] {
  const shorter = Math.min(before.length, after.length)
  let at = 0
  while (at < shorter && before[at] === after[at]) at += 1
  let rest = 0
  while (rest < shorter - at && before.at(-1 - rest) === after.at(-1 - rest)) rest += 1
  return { at, before: before.slice(at, before.length - rest), after: after.slice(at, after.length - rest) }
}

function patchedBlocks(blocks: readonly Block[], delta: PagePatch, turn: Turn): readonly Block[] {
  const isPatch = (change: Versions<Block> | BlockPatch): change is BlockPatch => 'keys' in change
  const patches = new Map(delta.blocks.filter(isPatch).map((change) => [change.id, change]))
  const complete = delta.blocks.flatMap((change) => (isPatch(change) ? [] : [turn<Block>(change)]))
  const going = new Map(complete.flatMap(({ before }) => (before ? [[before.id, before]] : [])))
  const coming = new Set(complete.map(({ after }) => after?.id))
  const kept = new Map<string, Block>()
  const patched = blocks.map((block) => {
    const patch = patches.get(block.id)
    const gone = going.get(block.id)
    const fits = gone ? sameJson(block, gone) : !coming.has(block.id)
    if (!fits) throw misfit(delta, `block '${block.id}'`)
    const now = patch ? patchedBlock(block, patch, delta, turn) : block
    patches.delete(block.id)
    going.delete(block.id)
    kept.set(block.id, now)
    return now
  })
  for (const id of [...patches.keys(), ...going.keys()])
    throw misfit(delta, `block '${id}', which is absent,`)
  for (const { after } of complete) if (after) kept.set(after.id, after)
  return delta.order ? reordered(blocks, kept, delta, turn<readonly string[]>(delta.order)) : patched
}

function patchedBlock(block: Block, { keys, props }: BlockPatch, delta: PagePatch, turn: Turn): Block {
  const refuse = (): never => {
    throw misfit(delta, `block '${block.id}'`)
  }
  return { ...patchedKeys(block, keys, turn, refuse), props: patchedKeys(block.props, props, turn, refuse) }
}

function reordered(
  blocks: readonly Block[],
  kept: ReadonlyMap<string, Block>,
  delta: PagePatch,
  { before = [], after = [] }: Versions<readonly string[]>,
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

type Turn = <T>(versions: Versions<T>) => Versions<T>
const asIs: Turn = (versions) => versions
const swapped: Turn = ({ before, after }) => ({ before: after, after: before })

const idOf = ({ id }: { readonly id: string }) => id
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
