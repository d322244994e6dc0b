import { LRUCache, pace, paced } from '../../kernel/index.ts'
import { samePage } from '../content/merge/index.ts'
import type { Page } from '../content/page.ts'
import { type DraftId, draftKey } from '../scope/port.ts'
import { toDraftHead, toHead, toRankedPage, VersionedPage, type VisibleHead } from './cache.ts'
import { heads } from './collections.ts'
import type { DraftsContext } from './context.ts'
import { slugsInDraft } from './edits/follow.ts'
import type { Drafts, PageRow, StoredPage } from './port.ts'
import { ranksInOrder } from './rank.ts'
import type { Seeding } from './seeding.ts'
import { findPage, pageRows } from './stored-pages.ts'
import { DraftTransaction } from './transaction.ts'

/** The maximum bytes that reading a complete draft adds to the cache: pages of other drafts must stay. */
const maxCachedBytes = 4 * 1024 * 1024
const draftsLastRead = 500
/** The maximum number of changed pages for which a page list is not read again. */
const mostReread = 64

export type Heads = ReturnType<typeof createHeads>

/** Reads the heads of drafts, and seeds drafts that never had a page from their site. */
export function createHeads(
  { store, cache, initialPages }: DraftsContext,
  seeding: Seeding,
  commit: Drafts['commit'],
) {
  const stored = store.of(heads)

  const head = async (id: DraftId): Promise<VisibleHead> => {
    const cached = cache.of(draftKey(id))
    if (cached.visible && !store.shared) return cached.visible
    const found = await stored.get(id.siteId, id.session)
    const fresh = toDraftHead(toHead(found, initialPages(id)))
    if (found && (!cached.visible || store.shared)) cached.visible = fresh
    return fresh
  }

  const seed = (id: DraftId, from: 'anywhere' | 'adapter'): Promise<unknown> =>
    seeding.ensure(id, { head, commit }, from)

  return {
    head,
    seed,
    /** Returns the head of a draft. A draft that never had a page is first seeded from its site, if possible. */
    async seeded(id: DraftId, from: 'anywhere' | 'adapter' = 'anywhere'): Promise<VisibleHead> {
      const before = await head(id)
      if (!before.isUnfilled) return before
      await seed(id, from)
      return head(id)
    },
    whyEmpty: async (id: DraftId): Promise<string | undefined> =>
      (await head(id)).isUnfilled ? seeding.notice(id) : undefined,
  }
}

/** Returns slugs of pages changed after a version; `undefined` if the records are gone. */
type ChangedAfter = (id: DraftId, version: number) => Promise<readonly string[] | undefined>
type PageReads = ReturnType<typeof createSingleReads>

/** Reads the pages of drafts. */
export function createPageReads(context: DraftsContext, heads: Heads, changesAfter: Drafts['changesAfter']) {
  const changedAfter: ChangedAfter = async (id, version) => {
    const newest = context.cache.peek(draftKey(id))?.newest
    const isCached = newest && newest.since <= version && version < newest.version
    if (isCached && newest.version === (await heads.head(id)).version) return newest.slugs
    const later = await changesAfter(id, version)
    return later && [...new Set(later.flatMap(({ slugs, removedSlugs = [] }) => [...slugs, ...removedSlugs]))]
  }
  const single = createSingleReads(context, heads)
  const rows = createRows(context, heads, single, changedAfter)
  const read = createRead(heads, single, rows, changedAfter)
  return { ...single, rows, read, pages: createFullReads(read, rows) }
}

/** Reads single pages of drafts. */
function createSingleReads({ store, cache, initialPages }: DraftsContext, { seeded }: Heads) {
  const pageInMemory = (id: DraftId, slug: string): StoredPage | undefined =>
    store.shared ? undefined : cache.peek(draftKey(id))?.shown(slug)

  const storedPage = async (
    id: DraftId,
    slug: string,
    isCached: boolean,
  ): Promise<StoredPage | undefined> => {
    const before = await seeded(id)
    const cached = cache.of(draftKey(id))
    if (before.version === 0) return unstored(initialPages(id)).find(({ page }) => page.slug === slug)
    const found = await findPage(store, id, slug)
    if (!found) return undefined
    // Only if no transaction has built on this version meanwhile: the cached page may be newer.
    const isNewest =
      cached.visible === before && (cached.staged?.version ?? before.version) === before.version
    if (isCached && isNewest && !store.shared) cached.keep(slug, toRankedPage(found), before.version)
    return new VersionedPage(found.page, found.rank, before.version, found.own)
  }

  return {
    pageInMemory,
    page: async (id: DraftId, slug: string, isCached: boolean = true): Promise<StoredPage | undefined> =>
      pageInMemory(id, slug) ?? storedPage(id, slug, isCached),
  }
}

/** Returns the pages of a draft that was never changed, in order. */
function unstored(pages: ReadonlyMap<string, Page>): readonly StoredPage[] {
  const ranks = ranksInOrder(pages.keys())
  return [...pages].map(([slug, page]) => new VersionedPage(page, ranks.get(slug) ?? '', 0))
}

const toPageRow = ({ page, rank }: Pick<StoredPage, 'page' | 'rank'>): PageRow => {
  const { slug, title, updatedAt, blocks } = page
  return { slug, title, updatedAt, blockCount: blocks.length, rank }
}

/** Lists the pages of drafts; reads only the pages that changed since it was last read. */
function createRows(
  { store, initialPages }: DraftsContext,
  { seeded }: Heads,
  { page }: Pick<PageReads, 'page'>,
  changedAfter: ChangedAfter,
): Drafts['rows'] {
  const records = store.of(pageRows)
  const lastRead = createLastReads<readonly PageRow[]>()

  /** Returns a list with pages as they are now; `undefined` if one of them moved, came or went. */
  const updated = async (id: DraftId, rows: readonly PageRow[], slugs: readonly string[]) => {
    if (slugs.length > mostReread) return undefined
    const now = new Map(await Promise.all(slugs.map(async (slug) => [slug, await page(id, slug)] as const)))
    let inPlace = 0
    const fresh = rows.map((row) => {
      const stored = now.get(row.slug)
      if (stored?.rank !== row.rank) return row
      inPlace += 1
      return toPageRow(stored)
    })
    return inPlace === now.size ? fresh : undefined
  }

  const all = async (id: DraftId): Promise<readonly PageRow[]> => {
    const found = await records.rows(draftKey(id), { orderBy: 'rank' })
    return found.map(({ key: slug, columns: { title, updatedAt, blocks, rank } }) => ({
      slug,
      title,
      updatedAt,
      blockCount: blocks,
      rank,
    }))
  }

  return async (id) => {
    const { version } = await seeded(id)
    if (version === 0) return unstored(initialPages(id)).map(toPageRow)
    const cached = lastRead.get(id)
    const slugs = cached && (await changedAfter(id, cached.version))
    if (cached && slugs?.length === 0) return cached.value
    const rows = (cached && slugs && (await updated(id, cached.value, slugs))) ?? (await all(id))
    lastRead.set(id, version, rows)
    return rows
  }
}

/** The last complete read of each draft, with its version; weakly referenced. */
function createLastReads<T extends object>() {
  const reads = new LRUCache<string, { readonly version: number; readonly value: WeakRef<T> }>({
    max: draftsLastRead,
  })
  return {
    get(id: DraftId) {
      const last = reads.get(draftKey(id))
      const value = last?.value.deref()
      return last && value && { version: last.version, value }
    },
    set: (id: DraftId, version: number, value: T) =>
      reads.set(draftKey(id), { version, value: new WeakRef(value) }),
  }
}

type ChangedPages = Awaited<ReturnType<Drafts['read']>>['pages']

/** Reads pages of drafts one by one, while they may change. */
function createRead(
  { head, seeded }: Heads,
  { page }: Pick<PageReads, 'page'>,
  rows: Drafts['rows'],
  changedAfter: ChangedAfter,
): Drafts['read'] {
  const everySlug = async (id: DraftId) => (await rows(id)).map(({ slug }) => slug)

  /** Reads pages, and rereads pages that change meanwhile; the last reads belong to one version. */
  async function* eachOf(id: DraftId, slugs: readonly string[], version: number): ChangedPages {
    let readBytes = 0
    do {
      for (const slug of slugs) {
        const stored = await page(id, slug, readBytes < maxCachedBytes)
        if (readBytes < maxCachedBytes) readBytes += stored?.bytes.byteLength ?? 0
        await pace()
        yield [slug, stored]
      }
      const now = (await head(id)).version
      slugs = (await changedAfter(id, version)) ?? (await everySlug(id))
      version = now
    } while (slugs.length > 0)
  }

  return async (id, since) => {
    const { version } = await seeded(id)
    const changed = since === undefined ? undefined : await changedAfter(id, since)
    return { version, isComplete: !changed, pages: eachOf(id, changed ?? (await everySlug(id)), version) }
  }
}

/** Reads all pages of a draft; reuses the last read, and reads only the pages changed since. */
function createFullReads(read: Drafts['read'], rows: Drafts['rows']): Drafts['pages'] {
  const lastRead = createLastReads<readonly Page[]>()

  return async (id) => {
    const last = lastRead.get(id)
    const { version, isComplete, pages: stream } = await read(id, last?.version)
    const changed = new Map<string, StoredPage | undefined>()
    for await (const [slug, stored] of stream) changed.set(slug, stored)
    const before = isComplete ? undefined : last?.value
    if (before && changed.size === 0) return before
    const pages = new Map(before?.map((page) => [page.slug, page]))
    for (const [slug, stored] of changed) {
      if (stored) pages.set(slug, stored.page)
      else pages.delete(slug)
    }
    const fresh = (await rows(id)).flatMap(({ slug }) => pages.get(slug) ?? [])
    lastRead.set(id, version, fresh)
    return fresh
  }
}

/** Creates the function that returns which pages of a site a draft has at other addresses. */
export function createMatching(context: DraftsContext, pages: Drafts['pages']): Drafts['renames'] {
  return async (id, { pages: all, siteConfig }) => {
    const published = new Map(all.map((page) => [page.slug, page]))
    const differing = new Set(published.keys())
    for await (const page of paced(await pages(id))) {
      if (samePage(page, published.get(page.slug))) differing.delete(page.slug)
    }
    const site = { order: [...published.keys()], siteConfig, differing: [...differing], pages: published }
    return context.store.transaction(async (tx) => {
      const draft = await DraftTransaction.open(tx, id, context)
      return slugsInDraft(draft, site)
    })
  }
}
