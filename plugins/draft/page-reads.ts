import { Lru, pace } from '../../kernel/index.ts'
import type { Page } from '../content/page.ts'
import { pageBytes } from '../content/page-bytes.ts'
import type { DraftId } from '../scope/port.ts'
import { toRankedPage } from './cache.ts'
import type { Ranks } from './change-set.ts'
import { pages, scopeOf } from './collections.ts'
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
    if (store.shared) return undefined
    const cached = cache.known(scopeOf(id))
    const shown = cached?.visible && cache.page(cached, slug)?.visible
    return shown && cached?.visible && toStoredPage(shown.page, shown.rank, cached.visible.version)
  }

  const rows = async (id: DraftId): Promise<readonly PageRow[]> => {
    if ((await seeded(id)).version === 0) return initialRows(initialPages(id))
    const found = await records.rows(scopeOf(id), { orderBy: 'rank' })
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
    const cached = cache.of(scopeOf(id))
    if (before.version === 0) {
      const initial = initialPages(id).get(slug)
      return initial && toStoredPage(initial, (await ranks(id)).get(slug) ?? '', 0)
    }
    const found = await records.get(scopeOf(id), slug)
    if (!found) return undefined
    if (isCached && cached.visible === before) cache.keep(cached, slug, { visible: toRankedPage(found) })
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

/** Reads pages of drafts one by one, while they may change. */
export function createReads(
  { head, seeded }: Heads,
  { page, ranks }: PageReads,
  changesAfter: Drafts['changesAfter'],
): Pick<Drafts, 'each' | 'read'> {
  /** Returns the slugs of pages changed after a version; `undefined` if the records are gone. */
  const changedAfter = async (id: DraftId, version: number): Promise<readonly string[] | undefined> => {
    const later = await changesAfter(id, version)
    return later && [...new Set(later.flatMap(({ slugs, removedSlugs = [] }) => [...slugs, ...removedSlugs]))]
  }
  const everySlug = async (id: DraftId): Promise<readonly string[]> => [...(await ranks(id)).keys()]

  /** Reads pages, and rereads pages that change meanwhile; the last reads belong to one version. */
  async function* eachOf(id: DraftId, slugs: readonly string[], version: number): ReturnType<Drafts['each']> {
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

  const read: Drafts['read'] = async (id, since) => {
    const { version } = await seeded(id)
    const changed = since === undefined ? undefined : await changedAfter(id, since)
    return { version, isComplete: !changed, pages: eachOf(id, changed ?? (await everySlug(id)), version) }
  }
  return {
    read,
    async *each(id) {
      yield* (await read(id)).pages
    },
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
    const before = lastRead.get(scopeOf(id))
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
    lastRead.set(scopeOf(id), { version, pages: new WeakRef(fresh) })
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
