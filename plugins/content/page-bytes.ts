import type { Block, Page } from './model.ts'
import { perObject, type PlainObject } from './plain-object.ts'

/**
 * By the blocks, which a page that is read on use does not hold in memory. No value refers to its key: it would
 * hold that until the next full collection.
 */
const wholeBytes = new WeakMap<Page['blocks'], WeakMap<Page, Uint8Array>>()
/** Blocks whose size was asked for, as each edit of a block does. */
const edited = new WeakSet<Block>()
/** Its bytes have memory of their own: a view of a pool would hold all of that. */
const utf8 = new TextEncoder()
const end = Buffer.from(']}')
const comma = Buffer.from(',')

/**
 * Returns the JSON of a page in UTF-8, equivalent to `JSON.stringify(page)`, with the blocks at the end.
 *
 * Pages and blocks are immutable, so their bytes are cached for the lifetime of the blocks: of a page that is
 * edited, only the changed blocks are serialized again.
 */
export function pageBytes(page: Page): Uint8Array {
  const cached = wholeBytes.get(page.blocks)?.get(page)
  if (cached) return cached
  const { blocks, ...rest } = page
  // A page that is not edited is serialized at once, in less time.
  const bytes = blocks.some((block) => edited.has(block))
    ? Buffer.concat([
        Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"blocks":[`),
        ...blocks.map((block, at) => withComma(block).subarray(at === 0 ? 1 : 0)),
        end,
      ])
    : utf8.encode(pageText(page))
  wholeBytes.set(blocks, new WeakMap([[page, bytes]]))
  return bytes
}

/** Returns `pageBytes` as text, which is not cached and leaves no bytes behind: for thousands of pages. */
export const pageText = ({ blocks, ...rest }: Page): string => JSON.stringify({ ...rest, blocks })

/** Returns `pageBytes` if they are cached, else `pageText`. */
export const pageJson = (page: Page): string | Uint8Array =>
  wholeBytes.get(page.blocks)?.get(page) ?? pageText(page)

/** Returns the UTF-8 JSON of an object with `pages`, each already serialized, and other keys. */
export const bytesWithPages = (pages: readonly Uint8Array[], rest: object): Uint8Array =>
  Buffer.concat(partsWithPages(betweenCommas(pages), rest))

/** Like `bytesWithPages`, of a list with its commas, in parts to concatenate. */
export function partsWithPages(list: readonly Uint8Array[], rest: object): readonly Uint8Array[] {
  const others = JSON.stringify(rest).slice(1)
  return [Buffer.from('{"pages":['), ...list, Buffer.from(others === '}' ? ']}' : `],${others}`)]
}

/** Separates JSON values by commas, as the elements of an array. */
const betweenCommas = (values: readonly Uint8Array[]): readonly Uint8Array[] =>
  values.flatMap((value, at) => (at === 0 ? [value] : [comma, value]))

/** Returns the length of `pageBytes`, without caching them. */
export const pageSize = perObject((page: Page): number => Buffer.byteLength(pageJson(page)))

/**
 * Returns the length of `pageBytes` of a changed page, from the size of the page before. Of values that are
 * the same, and blocks that are the same object at the same place, it asks for no size.
 */
export function sizeAfter(before: Page, size: number, after: Page): number {
  const [former, now]: readonly [PlainObject, PlainObject] = [before, after]
  const keys = Object.keys(now)
  if (before.blocks.length !== after.blocks.length) return pageSize(after)
  if (keys.length !== Object.keys(former).length) return pageSize(after)
  let sum = size
  for (const key of keys) {
    const [old, value] = [former[key], now[key]]
    if (old === undefined || value === undefined) return pageSize(after)
    if (key !== 'blocks' && old !== value) sum += jsonSize(value) - jsonSize(old)
  }
  after.blocks.forEach((block, at) => {
    const old = before.blocks[at]
    if (old && old !== block) sum += blockSize(block) - blockSize(old)
  })
  return sum
}

const jsonSize = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Returns the number of bytes of a block in a page. */
export function blockSize(block: Block): number {
  edited.add(block)
  return withComma(block).byteLength
}

/** Caches the bytes that a page was parsed from. */
export function keepPageBytes(page: Page, bytes: Uint8Array): void {
  wholeBytes.set(page.blocks, new WeakMap([[page, bytes]]))
}

const withComma = perObject((block: Block): Uint8Array => Buffer.from(`,${JSON.stringify(block)}`))
