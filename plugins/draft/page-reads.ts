import { Lru, pace } from '../../kernel/index.ts'
import type { Page } from '../content/page.ts'
import { pageBytes } from '../content/page-bytes.ts'
import { type DraftId, draftKey } from '../scope/port.ts'
import { toRankedPage } from './cache.ts'
import type { Ranks } from './change-set.ts'
import { pages } from './collections.ts'
import type { Heads, ReadContext } from './heads.ts'
import type { Drafts, PageRow, StoredPage } from './port.ts'
import { ranksInOrder } from './rank.ts'

/** The maximum bytes that reading a complete draft adds to the cache: pages of other drafts must stay. */
const maxCachedBytes = 4 * 1024 * 1024
const draftsLastRead = 500

type PageReads = ReturnType<typeof createPageReads>

/** Reads single pages and the page list of drafts. */
export function createPageReads({ store, cache, initialPages }: ReadContext, { seeded }: Heads) {
  const records = store.of(pages)

  const pageInMemory = (id: DraftId, slug: string): StoredPage | undefined => {
    const cached = store.shared ? undefined : cache.known(draftKey(id))
    if (!cached?.visible) return undefined
    const { version } = cached.visible
    const known = cached.page(slug, version)
    return known && toStoredPage(known.page, known.rank, version)
  }

  const rows = async (id: DraftId): Promise<readonly PageRow[]> => {
    if ((await seeded(id)).version === 0) return initialRows(initialPages(id))
    const found = await records.rows(draftKey(id), { orderBy: 'rank' })
    return found.map(({ key: slug, columns: { title, updatedAt, blocks, rank } }) => ({
      slug,
      title,
      updatedAt,
      blockCount: blocks,
      rank,
    }))
  }

  /** Returns the rank of each page by its slug, in stored order. */
  const ranks = async (id: DraftId): Promise<Ranks> =>
    new Map((await rows(id)).map(({ slug, rank }) => [slug, rank]))

  const storedPage = async (
    id: DraftId,
    slug: string,
    isCached: boolean,
  ): Promise<StoredPage | undefined> => {
    const before = await seeded(id)
    const cached = cache.of(draftKey(id))
    if (before.version === 0) {
      const initial = initialPages(id).get(slug)
      return initial && toStoredPage(initial, (await ranks(id)).get(slug) ?? '', 0)
    }
    const found = await records.get(draftKey(id), slug)
    if (!found) return undefined
    // Only if no transaction has built on this version meanwhile: the cached page may be newer.
    const isNewest =
      cached.visible === before && (cached.staged?.head.version ?? before.version) === before.version
    if (isCached && isNewest && !store.shared) cached.keep(slug, toRankedPage(found), before.version)
    return { page: found.body, rank: found.columns.rank, bytes: found.bytes, previewVersion: before.version }
  }

  return {
    pageInMemory,
    rows,
    ranks,
    page: async (id: DraftId, slug: string, isCached: boolean = true): Promise<StoredPage | undefined> =>
      pageInMemory(id, slug) ?? storedPage(id, slug, isCached),
  }
}

const toStoredPage = (page: Page, rank: string, previewVersion: number): StoredPage => ({
  page,
  rank,
  bytes: pageBytes(page),
  previewVersion,
})

function initialRows(initial: ReadonlyMap<string, Page>): readonly PageRow[] {
  const ranks = ranksInOrder(initial.keys())
  return [...initial.values()].map(({ slug, title, updatedAt, blocks }) => ({
    slug,
    title,
    updatedAt,
    blockCount: blocks.length,
    rank: ranks.get(slug) ?? '',
  }))
}

type ChangedPages = Awaited<ReturnType<Drafts['read']>>['pages']

/** Reads pages of drafts one by one, while they may change. */
export function createRead(
  { head, seeded }: Heads,
  { page, ranks }: Pick<PageReads, 'page' | 'ranks'>,
  changesAfter: Drafts['changesAfter'],
): Drafts['read'] {
  /** Returns the slugs of pages changed after a version; `undefined` if the records are gone. */
  const changedAfter = async (id: DraftId, version: number): Promise<readonly string[] | undefined> => {
    const later = await changesAfter(id, version)
    return later && [...new Set(later.flatMap(({ slugs, removedSlugs = [] }) => [...slugs, ...removedSlugs]))]
  }
  const everySlug = async (id: DraftId): Promise<readonly string[]> => [...(await ranks(id)).keys()]

  /** Reads pages, and rereads pages that change meanwhile; the last reads belong to one version. */
  async function* eachOf(id: DraftId, slugs: readonly string[], version: number): ChangedPages {
    let readBytes = 0
    do {
      for (const slug of slugs) {
        const stored = await page(id, slug, readBytes < maxCachedBytes)
        readBytes += stored?.bytes.byteLength ?? 0
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
export function createFullReads(read: Drafts['read'], ranksNow: PageReads['ranks']): Drafts['pages'] {
  /** The last complete read of each draft, weakly referenced. */
  const lastRead = new Lru<string, { readonly version: number; readonly pages: WeakRef<readonly Page[]> }>(
    draftsLastRead,
  )
  const ranksOf = new WeakMap<readonly Page[], Ranks>()

  return async (id) => {
    const before = lastRead.get(draftKey(id))
    const known = before?.pages.deref()
    const { version, isComplete, pages: stream } = await read(id, known && before?.version)
    const changed = new Map<string, StoredPage | undefined>()
    for await (const [slug, stored] of stream) changed.set(slug, stored)
    const base = isComplete ? undefined : known
    if (base && changed.size === 0) return base
    const ranksBefore = base && ranksOf.get(base)
    const isInOrder =
      ranksBefore &&
      changed.entries().every(([slug, stored]) => stored && stored.rank === ranksBefore.get(slug))
    const ranks = isInOrder ? ranksBefore : await ranksNow(id)
    const fresh = isInOrder
      ? base.map((page) => changed.get(page.slug)?.page ?? page)
      : inOrder(ranks.keys(), base, changed)
    ranksOf.set(fresh, ranks)
    lastRead.set(draftKey(id), { version, pages: new WeakRef(fresh) })
    return fresh
  }
}

/** Returns the existing pages in a new order: the changed ones, and the others as before. */
function inOrder(
  slugs: Iterable<string>,
  before: readonly Page[] = [],
  changed: ReadonlyMap<string, StoredPage | undefined>,
): readonly Page[] {
  const pages = new Map(before.map((page) => [page.slug, page]))
  for (const [slug, stored] of changed) {
    if (stored) pages.set(slug, stored.page)
    else pages.delete(slug)
  }
  return [...slugs].flatMap((slug) => pages.get(slug) ?? [])
}
