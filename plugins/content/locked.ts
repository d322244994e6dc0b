import * as v from 'valibot'
import { numbersOfSite } from './numbers.ts'
import type { Block, Page } from './page.ts'
import { isPlainObject, mapped, mappedObject, sameJson } from './plain-object.ts'

/** The type of a block that stands for one of the site that cannot be read. */
const lockedType = 'locked'

/** A block of a site that cannot be read: it stays as it is, at its place, and can only be removed. */
export interface LockedBlock extends Block {
  readonly unreadable: {
    readonly reason: string
    /** What the site has in its place. */
    readonly raw: unknown
  }
}

const Facts = v.object({ reason: v.string(), raw: v.unknown() })
const Shape = v.object({
  id: v.string(),
  type: v.literal(lockedType),
  props: v.object({}),
  unreadable: Facts,
})

/** Whether a value is a block that stands for one of the site that cannot be read. */
export const isLocked = (value: unknown): value is LockedBlock =>
  isPlainObject(value) && value['type'] === lockedType && v.is(Shape, value)

const locksIn = (blocks: readonly Block[]): readonly LockedBlock[] =>
  blocks.filter(({ type }) => type === lockedType).filter(isLocked)

/** Returns the block that stands for one that cannot be read. */
export const lockedBlock = (id: string, { reason, raw }: LockedBlock['unreadable']): LockedBlock => ({
  id,
  type: lockedType,
  props: {},
  unreadable: { reason, raw },
})

/** A block of a page that cannot be read. */
export const Locked = v.object({
  slug: v.pipe(v.string(), v.description('The page of the draft that has the block.')),
  blockId: v.string(),
  reason: v.string(),
})
export type Locked = Readonly<v.InferOutput<typeof Locked>>

/** What a list of them is, for clients. */
export const lockedWords =
  'Blocks of pages of the draft that cannot be read: nothing changes them, a publish leaves them as they are, and ' +
  '`remove_block` removes them.'

/** Lists the blocks of a page that cannot be read. */
export const lockedOn = ({ slug, blocks }: Page): readonly Locked[] =>
  locksIn(blocks).map(({ id, unreadable: { reason } }) => ({ slug, blockId: id, reason }))

/** Lists them for a sentence, as pages that cannot be read are listed. */
export const namedLocks = (pages: readonly Page[]) =>
  pages
    .flatMap(lockedOn)
    .map(({ slug, blockId, reason }) => ({ slug, reason: `block ${blockId}: ${reason}` }))

/**
 * Returns a page as its site has it: with its numbers, and with what cannot be read in place of locked
 * blocks. A page whose blocks are read on use has neither, so that they are not read.
 */
export const unlocked = (page: Page): unknown =>
  Object.getOwnPropertyDescriptor(page, 'blocks')?.get
    ? page
    : mappedObject(numbersOfSite(page), (value, key) =>
        key === 'blocks' && Array.isArray(value)
          ? mapped(value, (block: unknown) => (isLocked(block) ? block.unreadable.raw : block))
          : value,
      )

/** Returns a page without locked blocks, for code that renders it; the same page if it has none. */
export const withoutLocked = (page: Page): Page =>
  page.blocks.some(isLocked) ? { ...page, blocks: page.blocks.filter((block) => !isLocked(block)) } : page

/**
 * Returns a former state of a page with the blocks that cannot be read as they are now: only its site changes
 * them.
 */
export function withLocksOf(former: Page, now: Page | undefined): Page {
  const locks = new Map(now && locksIn(now.blocks).map((block) => [block.id, block]))
  const blocks = mapped(former.blocks, (block) => locks.get(block.id) ?? block)
  return blocks === former.blocks ? former : { ...former, blocks }
}

/** Returns the first locked block that none of the others equals. */
export const foreignIn = (page: Page, own: readonly Block[]): LockedBlock | undefined =>
  page.blocks
    .filter(isLocked)
    .find(
      ({ unreadable: { raw } }) =>
        !own.some((block) => isLocked(block) && sameJson(block.unreadable.raw, raw)),
    )

/** The sentence for a block that cannot be read. */
export const lockedSentence = (slug: string, { id, unreadable: { reason } }: LockedBlock): string =>
  `The block ${id} on ${slug} cannot be read: ${reason}.`
