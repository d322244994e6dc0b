import { byStatusAndSlug, countsIn, type PageTally } from '../../content/diff/index.ts'
import { firstIndex } from '../../content/first-index.ts'
import { perObject } from '../../content/plain-object.ts'

/** The diff of one page, with its JSON. */
export type ComparedPage = PageTally & {
  /** After a comma; in UTF-8 a view of that of several pages, once they are packed. */
  json: string | Uint8Array
  /** Set if the pages differ in keys that the diff does not show. */
  readonly isOther?: true
}

/** Consecutive pages of a diff. A change replaces it, so that what is made of one is made once. */
type DiffChunk = readonly ComparedPage[]
export type DiffChunks = readonly DiffChunk[]

export const usualPages = 256
const mostPages = 2 * usualPages

/** Sorts pages as the answer lists them, in chunks. */
export function toChunks(pages: Iterable<ComparedPage>): DiffChunks {
  const sorted = [...pages].sort(byStatusAndSlug)
  return Array.from({ length: Math.ceil(sorted.length / usualPages) }, (_, at) =>
    sorted.slice(at * usualPages, (at + 1) * usualPages),
  )
}

export function withPage(chunks: DiffChunks, page: ComparedPage): DiffChunks {
  const at = chunkOf(chunks, page)
  const chunk = chunks[at] ?? []
  const more = chunk.toSpliced(placeIn(chunk, page), 0, page)
  const middle = more.length >> 1
  const now = more.length > mostPages ? [more.slice(0, middle), more.slice(middle)] : [more]
  return chunks.toSpliced(at, 1, ...now)
}

/** Returns chunks without a page. */
export function withoutPage(chunks: DiffChunks, page: ComparedPage): DiffChunks {
  const at = chunkOf(chunks, page)
  const chunk = chunks[at] ?? []
  const place = chunk.indexOf(page)
  if (place === -1) return chunks
  const rest = chunk.toSpliced(place, 1)
  return chunks.toSpliced(at, 1, ...(rest.length > 0 ? [rest] : []))
}

/** The last chunk that begins with the page, or with one before it. */
const chunkOf = (chunks: DiffChunks, page: ComparedPage): number =>
  Math.max(0, firstIndex(chunks, ([first]) => first !== undefined && byStatusAndSlug(first, page) > 0) - 1)

const placeIn = (chunk: DiffChunk, page: ComparedPage): number =>
  firstIndex(chunk, (other) => byStatusAndSlug(other, page) >= 0)

/** The pages of a chunk that differ. */
export const differingIn = perObject((chunk: DiffChunk) =>
  chunk.filter(({ status, isOther }) => status !== 'unchanged' || isOther === true),
)

export const countsOfChunk = perObject((chunk: DiffChunk) => countsIn(chunk))

/** Packs the JSON of pages, which is held only once then: in memory of its own, without others between. */
export function packed(pages: DiffChunk): Uint8Array {
  const before = packOf(pages)
  if (before) return before
  const json = Buffer.allocUnsafeSlow(pages.reduce((sum, page) => sum + Buffer.byteLength(page.json), 0))
  let at = 0
  for (const page of pages) {
    const end = at + Buffer.byteLength(page.json)
    if (typeof page.json === 'string') json.write(page.json, at)
    else json.set(page.json, at)
    page.json = json.subarray(at, end)
    at = end
  }
  return json
}

/** Returns the JSON of pages that are packed together already, all of them in this order. */
function packOf(pages: DiffChunk): Uint8Array | undefined {
  const [first] = pages
  if (!first || typeof first.json === 'string') return undefined
  const { buffer } = first.json
  let at = 0
  for (const { json } of pages) {
    if (typeof json === 'string' || json.buffer !== buffer || json.byteOffset !== at) return undefined
    at += json.byteLength
  }
  return at === buffer.byteLength ? new Uint8Array(buffer) : undefined
}

export const jsonOfChunk = perObject(packed)
