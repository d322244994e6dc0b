import { hash } from 'node:crypto'
import * as v from 'valibot'
import { findJsonProblem } from '../../kernel/index.ts'
import { derivedBlockId, freeBlockIds, freePageIds, lockedBlockId } from './block-ids.ts'
import { lockedBlock } from './locked.ts'
import { Block, Page } from './page.ts'
import { digitsOf, numbersAsText } from './numbers.ts'
import { isPlainObject, mapped, mappedObject, perObject, type PlainObject } from './plain-object.ts'
import { shortened } from './words.ts'

/** A page of a site that cannot be used, so that it is in no draft. */
export const Unreadable = v.object({
  slug: v.pipe(v.string(), v.description('Its slug, or its place such as `pages[3]` where it has none.')),
  reason: v.string(),
  name: v.pipe(
    v.optional(v.string()),
    v.description(
      'What a publish deletes it by, of an entry without a slug: its place, and a hash of its content.',
    ),
  ),
  repeated: v.optional(v.pipe(v.literal(true), v.description('Set if an earlier page has the slug.'))),
})
export type Unreadable = Readonly<v.InferOutput<typeof Unreadable>>

/** An entry of a site that cannot be used, as it came. */
export interface Carried extends Unreadable {
  /** The entry itself; `undefined` if the site only names it, because it carries such entries itself. */
  readonly raw?: unknown
  /** The slug of the usable page before it; `undefined` if there is none. */
  readonly after?: string | undefined
}

/** The limits of a page, which is up to two levels below its site. */
const limits = { depth: 62, values: 1_000_000 }
/**
 * The levels of the content of a site that are read, so that one page with too many does not cost the others.
 */
export const deepestContent = 1_000
/** The stamp of a page without one: a fixed time, so that it is the same at every read. */
const unstamped = '1970-01-01T00:00:00.000Z'

/**
 * Reads one page of the content of a site. `null` counts as absent, and what can be derived is repaired to
 * the same result at every read: the id of the page, `updatedAt`, empty props, and ids of blocks that are
 * missing or taken. A block that stays unreadable is locked.
 *
 * A page without faults is returned as the same object. `at` is its place in the list, for a page without a
 * slug, and `ids` are those of other pages, to which its own is added.
 */
export function readPage(
  raw: unknown,
  at: number,
  {
    from = 'here',
    ids = new Set(),
  }: { readonly from?: Origin | undefined; readonly ids?: Set<unknown> } = {},
): { readonly page: Page } | { readonly unreadable: Unreadable } {
  const unreadable = (reason: string) => ({ unreadable: { slug: slugOf(raw, at), reason } })
  const problem = problemOf(raw, from)
  if (problem !== undefined) return unreadable(problem)
  if (raw === null) return unreadable('it is null')
  const found = (page: Page) => {
    if (page !== raw) originals.set(page, raw)
    return { page }
  }
  const whole = repaired(raw, ids)
  if (isUsable(whole)) return found(whole)
  const page = withLocks(whole, raw)
  if (isUsable(page)) return found(page)
  if (v.is(Page, page)) return unreadable('its slug, title or an id holds a character that cannot be stored')
  const [issue] = v.safeParse(Page, page).issues ?? []
  return unreadable(`${(issue && v.getDotPath(issue)) ?? 'the page'} is missing or of the wrong type`)
}

const originals = new WeakMap<Page, unknown>()

/** Returns what a page was before `readPage` repaired it; the page itself if it had no fault. */
export const originalOf = (page: Page): unknown => originals.get(page) ?? page

/**
 * Reads the pages of a site. One that cannot be used costs itself; of two pages with one slug, the first is
 * the page.
 */
export function readPages(
  raw: readonly unknown[],
  from: Origin,
): { readonly pages: readonly Page[]; readonly unreadable: readonly Carried[] } {
  const pages = new Map<string, Page>()
  const unreadable: Carried[] = []
  const ids = idsOf(raw)
  let after: string | undefined
  raw.forEach((candidate, at) => {
    const read = readPage(candidate, at, { from, ids })
    const fault = 'unreadable' in read ? read.unreadable : faultOf(read.page)
    if (fault)
      unreadable.push({
        ...fault,
        ...(isPlace(fault.slug) && { name: placeName(fault.slug, candidate) }),
        raw: candidate,
        ...(after !== undefined && { after }),
      })
    if (fault || !('page' in read)) return
    after = read.page.slug
    pages.set(after, read.page)
  })
  return { pages: [...pages.values()], unreadable }

  function faultOf({ slug }: Page): Unreadable | undefined {
    return pages.has(slug) ? secondAt(slug) : undefined
  }
}

/** Returns entries without their content, for clients. */
export const listed = (unreadable: readonly Unreadable[]): readonly Unreadable[] =>
  unreadable.map(({ slug, reason, name, repeated }) => ({
    slug,
    reason,
    ...(name !== undefined && { name }),
    ...(repeated && { repeated }),
  }))

/** The entry of a page whose slug an earlier one has. */
export const secondAt = (slug: string): Unreadable => ({
  slug,
  reason: 'another page has the same slug',
  repeated: true,
})

/** Lists pages that cannot be used with their reasons, the first five of them. */
export function namesOf(unreadable: readonly Unreadable[]): string {
  const named = unreadable.slice(0, 5).map(({ slug, reason }) => `'${shortened(slug, 80)}' (${reason})`)
  const more = unreadable.length - named.length
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/** Returns an object without these keys where they are `null`; the same object if none is. */
export function withoutNulls(object: PlainObject, keys: readonly string[]): PlainObject {
  const empty = keys.filter((key) => object[key] === null)
  if (empty.length === 0) return object
  return Object.fromEntries(Object.entries(object).filter(([key]) => !empty.includes(key)))
}

const pageKeys = Object.keys(Page.entries)
const metaKeys = ['title', 'description', 'ogImage']
const blockKeys = ['id', 'type', 'props']

/**
 * Returns a page in the form of a draft: without what is `null` in it or its blocks, except for their own
 * content, and with texts in place of numbers, see `numbersAsText`. The same object if it has that form.
 */
export const inDraftForm = (raw: unknown): unknown =>
  isPlainObject(raw) ? numbersAsText(withoutPageNulls(raw)) : raw

function withoutPageNulls(raw: PlainObject): PlainObject {
  return mappedObject(withoutNulls(raw, pageKeys), (value, key) => {
    if (key === 'meta' && isPlainObject(value)) return withoutNulls(value, metaKeys)
    if (key !== 'blocks' || !Array.isArray(value)) return value
    const blocks: readonly unknown[] = value.includes(null) ? value.filter((block) => block !== null) : value
    return mapped(blocks, (block) => (isPlainObject(block) ? withoutNulls(block, blockKeys) : block))
  })
}

/** Returns the ids that a list of pages or blocks has. */
export const idsOf = (list: readonly unknown[]): Set<unknown> =>
  new Set(list.map((each) => (isPlainObject(each) ? each['id'] : undefined)))

const freePageIdIn = perObject((ids: ReadonlySet<unknown>) => freePageIds((id) => ids.has(id)))

function repaired(raw: unknown, ids: Set<unknown>): unknown {
  const page = inDraftForm(raw)
  if (!isPlainObject(page)) return page
  const { id, slug, updatedAt, blocks } = page
  const added = {
    ...(isMissing(id) && typeof slug === 'string' && { id: freePageIdIn(ids)(slug) }),
    ...(isMissing(updatedAt) && { updatedAt: unstamped }),
  }
  ids.add(added.id ?? id)
  const all = Object.keys(added).length > 0 ? { ...page, ...added } : page
  return Array.isArray(blocks)
    ? mappedObject(all, (value, key) => (key === 'blocks' ? repairedBlocks(blocks, String(slug)) : value))
    : all
}

/** Gives every block props and an id of its own; returns the same list if all have both. */
function repairedBlocks(blocks: readonly unknown[], slug: string): readonly unknown[] {
  const taken = idsOf(blocks)
  const seen = new Set<unknown>()
  return mapped(blocks, (block, at) => {
    if (!isPlainObject(block)) return block
    const { id, type, props = {} } = block
    const isNamed = !isMissing(id) && !seen.has(id)
    const own = isNamed ? id : derivedBlockId({ type: String(type), slug, at }, (each) => taken.has(each))
    seen.add(own)
    taken.add(own)
    return isNamed && block['props'] !== undefined ? block : { ...block, id: own, props }
  })
}

/**
 * Returns a page whose blocks that cannot be read are locked, if they are meant; `raw` is the page as it
 * came. A locked block has its own id if no other has that, else one from its content.
 */
export function withLocks(
  page: unknown,
  raw: unknown,
  isMeant: (block: unknown) => boolean = () => true,
): unknown {
  if (!isPlainObject(page) || !isPlainObject(raw) || !Array.isArray(page['blocks'])) return page
  const sources = [raw['blocks']].flat().filter((block) => block !== null)
  const ids = sources.map((block: unknown) =>
    isPlainObject(block) ? (digitsOf(block['id']) ?? block['id']) : undefined,
  )
  const count = new Map<unknown, number>()
  for (const id of ids) count.set(id, (count.get(id) ?? 0) + 1)
  const taken = idsOf(page['blocks'])
  const freeId = freeBlockIds((id) => taken.has(id) || count.has(id))
  const blocks = mapped(page['blocks'], (block: unknown, at): unknown => {
    const reason = problemOfBlock(block)
    const source: unknown = sources[at]
    if (reason === undefined || !isMeant(source)) return block
    const own = ids[at]
    const isOwn = isUsableId(own) && count.get(own) === 1
    return lockedBlock(isOwn ? own : freeId(lockedBlockId(source)), { reason, raw: source })
  })
  return blocks === page['blocks'] ? page : { ...page, blocks }
}

/** Says why a block cannot be read; `undefined` if it can. */
function problemOfBlock(block: unknown): string | undefined {
  const [issue] = v.safeParse(Block, block, { abortEarly: true }).issues ?? []
  if (issue) return `${v.getDotPath(issue) ?? 'the block'} is missing or of the wrong type`
  return isPlainObject(block) && !isUsableId(block['id']) ? unstorableId : undefined
}

const unstorableId = 'its id holds a character that cannot be stored'
const isUsableId = (id: unknown): id is string => typeof id === 'string' && id !== '' && isStorableText(id)

const isMissing = (value: unknown): boolean => value === undefined || value === ''

function slugOf(candidate: unknown, at: number): string {
  const named = isPlainObject(candidate) ? candidate['slug'] : undefined
  return typeof named === 'string' && named !== '' ? named : `pages[${at}]`
}

/** The entry at a place of a list that cannot be read. */
export const placed = (at: number, raw: unknown, reason: string): Unreadable => {
  const slug = `pages[${at}]`
  return { slug, reason, name: placeName(slug, raw) }
}

const placeName = (place: string, raw: unknown): string =>
  `${place}#${hash('sha256', JSON.stringify(raw)).slice(0, 8)}`

/** Returns what an entry is deleted by; `undefined` if only its place is known. */
export const nameToRemove = ({ slug, name }: Unreadable): string | undefined =>
  name ?? (isPlace(slug) ? undefined : slug)

/**
 * Whether an entry without a slug is listed by its place, which is another entry's after a change of the
 * site.
 */
const isPlace = (slug: string): boolean => /^pages\[\d+\]$/.test(slug)

/** Where content comes from: content from outside of this process is checked like the body of a request. */
export type Origin = 'here' | 'outside'

/** Says why a JSON value cannot be used, such as its depth; `undefined` if it can. */
function problemOf(value: unknown, from: Origin): string | undefined {
  if (from === 'here')
    return isDeeperThan(value, limits.depth) ? `it is nested deeper than ${limits.depth} levels` : undefined
  return findJsonProblem(value, limits)
    ?.replace(/^The body/, 'it')
    .replace(/\.$/, '')
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}

/** The same of all of a site but its pages. */
export function problemAround(content: unknown, from: Origin): string | undefined {
  const bare = Array.isArray(content) ? [] : content
  return problemOf(isPlainObject(bare) ? { ...bare, pages: [] } : bare, from)
}

const isUsable = (page: unknown): page is Page => v.is(Page, page) && isStorable(page)

/** The texts of a page that are columns of a store, which cannot hold all characters. */
const isStorable = ({ id, slug, title, updatedAt, blocks }: Page): boolean =>
  [id, slug, title, updatedAt, ...blocks.map((block) => block.id)].every(isStorableText)

const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
