/** The pages of the draft, updated by the events of the service. */
import { batch, computed, signal } from '@preact/signals'
import { pageAddress } from '../../../content/page-address.ts'
import { ApiError, call, type Answer } from '../service.ts'
import { manifest } from './block-types.ts'
import { isDocument, isUsedByCode } from './documents.ts'
import { createOrder, newest } from './newest.ts'
import { carryKeys, slugAfter, type Operation, type PageRename } from './place.ts'
import { draftId, site } from './site.ts'

export type { Operation }
export type Page = Answer<'GET /draft/pages'>
export type Block = Page['blocks'][number]
export type PageSummary = Answer<'GET /draft/slugs'>['pages'][number]

export const pages = signal<readonly PageSummary[]>([])
/** Whether the content of the site is its own files: it has no menu, settings and order of pages then. */
export const hasDocuments = computed(() => pages.value.some(({ slug }) => isDocument(slug)))
/** Whether the page that is published can be shown: of documents only at an address of its own. */
export const hasVersions = computed(() => !hasDocuments.value || site.value?.publishedUrl !== undefined)
/** Whether the pages have been listed. */
export const isListed = signal(false)
/** What people call a page: its title, or the address of one that the draft does not have. */
export const titleOf = (of: string): string => pages.value.find((page) => page.slug === of)?.title ?? of
export const notice = signal<string | undefined>(undefined)
/** Pages of the site that are not in the draft, because they cannot be read. */
export const unreadable = signal<NonNullable<Answer<'GET /draft/slugs'>['unreadable']>>([])
/** Blocks of the draft that cannot be read. */
const locked = signal<NonNullable<Answer<'GET /draft/slugs'>['locked']>>([])
/** The address of the shown page. */
export const slug = signal('/')
/** The page that a query names; the home page for anything but a path of the site. */
export function slugIn(search: string): string {
  const named = new URLSearchParams(search).get('slug') ?? '/'
  return pageAddress(location.origin, named) ? named : '/'
}
export const page = signal<Page | undefined>(undefined)
/** Whether blocks can be added to the shown page: one that code uses has what it has. */
export const takesBlocks = computed(() => page.value !== undefined && !isUsedByCode(page.value.slug))
/** The page that was shown last, which keeps its key when it moves. */
export const lastShown = signal({ slug: '', key: 0 })
/** Says why a block of the shown page cannot be read; `undefined` if it can. */
export const whyLocked = (id: string): string | undefined =>
  locked.value.find((each) => each.slug === slug.value && each.blockId === id)?.reason
/** Whether the draft has no page at the shown address. */
export const isMissing = computed(
  () => isListed.value && !pages.value.some((each) => each.slug === slug.value),
)
export const version = signal(0)
/** The version that the shown page has at least: it was read after the draft had reached it. */
export const pageVersion = signal(0)
/** The number of changes that the service has not answered yet. */
export const saving = signal(0)
/** Grows with every change of the draft, for views that read more than the shown page. */
export const changes = signal(0)
/** Grows with every publish. */
export const published = signal(0)

/** The order that was just dropped, shown until the service has answered. */
export const dropped = signal<readonly string[] | undefined>(undefined)
export const blocks = computed(() => inOrder(page.value?.blocks ?? [], dropped.value))

/** The blocks in another order; as they are if they are no longer the same ones. */
function inOrder<B extends { readonly id: string }>(
  blocks: readonly B[],
  ids: readonly string[] | undefined,
): readonly B[] {
  const byId = new Map(blocks.map((block) => [block.id, block]))
  const ordered = ids?.flatMap((id) => byId.get(id) ?? [])
  return ordered?.length === blocks.length ? ordered : blocks
}

export const loadPages = newest(
  () => call('GET /draft/slugs', { query: draftId.value }),
  (listed) => {
    pages.value = listed.pages
    notice.value = listed.notice
    unreadable.value = listed.unreadable ?? []
    locked.value = listed.locked ?? []
    isListed.value = true
  },
)

/** The pages as they were read last, whose rows may have keys that only this studio knows. */
const lastRead = new Map<string, Page>()

/** Reads a page, and the version that it has at least. */
export async function readPage(slug: string) {
  const since = version.value
  const read = await call('GET /draft/pages', { query: { ...draftId.value, slug } })
  carryKeys(lastRead.get(slug), read)
  lastRead.set(slug, read)
  return { read, since }
}

const beginPage = createOrder()

/** Shows a page; the draft keeps an address that does not exist empty. */
export async function openPage(next: string): Promise<void> {
  slug.value = next
  const isNewest = beginPage()
  const isWanted = (): boolean => slug.value === next && isNewest()
  try {
    const { read, since } = await readPage(next)
    if (!isWanted()) return
    batch(() => {
      const { slug, key } = lastShown.value
      if (slug !== read.slug) lastShown.value = { slug: read.slug, key: key + 1 }
      page.value = read
      pageVersion.value = since
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    if (isWanted()) page.value = undefined
  }
}

const pageKeys = new Map<string, number>()
let lastKey = 0

/** The key of the page at an address, which it keeps when it moves. */
export function keyOfPage(slug: string): number {
  const key = pageKeys.get(slug) ?? (lastKey += 1)
  pageKeys.set(slug, key)
  return key
}

/** Shows pages that have moved under the addresses that they have now. */
export function takeAlong(renames: readonly PageRename[]): void {
  const now = (slug: string): string => slugAfter(slug, renames)
  for (const [from, read] of Array.from(lastRead))
    if (now(from) !== from && lastRead.delete(from)) lastRead.set(now(from), read)
  const keys = Array.from(pageKeys, ([from, key]) => [now(from), key] as const)
  pageKeys.clear()
  for (const [slug, key] of keys) pageKeys.set(slug, key)
  lastShown.value = { ...lastShown.value, slug: now(lastShown.value.slug) }
  pages.value = pages.value.map((each) => ({ ...each, slug: now(each.slug) }))
  slug.value = now(slug.value)
  if (page.value) page.value = { ...page.value, slug: now(page.value.slug) }
}

/** Shows the page no more, because it was removed. */
export function leavePage(): void {
  beginPage()()
  page.value = undefined
}

/**
 * Applies operations. The change is shown when its event arrives, so that every change takes the same way.
 */
export async function apply(ops: readonly Operation[], baseVersion?: number) {
  saving.value += 1
  try {
    const body = {
      ...draftId.value,
      ops,
      ...(manifest.value && { componentsManifest: manifest.value }),
      ...(baseVersion !== undefined && { baseVersion }),
    }
    const applied = await call('POST /ops', { body: body as never })
    version.value = Math.max(version.value, applied.previewVersion)
    return applied
  } catch (error) {
    const { currentVersion } = error instanceof ApiError ? (error.body as { currentVersion?: unknown }) : {}
    if (typeof currentVersion === 'number') version.value = Math.max(version.value, currentVersion)
    throw error
  } finally {
    saving.value -= 1
  }
}

/** Undoes the latest change of this person on a page, or redoes what this person undid last. */
export async function step(direction: 'undo' | 'redo', on: string) {
  const route = direction === 'undo' ? 'POST /history/undo' : 'POST /history/redo'
  return call(route, { body: { ...draftId.value, slug: on, mine: true } })
}
