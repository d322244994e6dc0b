import { LRUCache } from '../../kernel/index.ts'
import type { Page } from '../content/page.ts'
import { keepPageBytes, pageBytes, pageSize } from '../content/page-bytes.ts'
import type { Document } from '../store/port.ts'
import type { DraftHead, StoredPage } from './port.ts'
import { firstHead, type Head, type heads, type Stack } from './collections.ts'
import type { FoundPage } from './stored-pages.ts'

/** A page with its rank. */
export interface RankedPage {
  readonly page: Page
  readonly rank: string
  /** The bytes of the page as JSON. */
  readonly size: number
}

/** Converts a stored head; a draft that was never changed has the initial pages of its site. */
export const toHead = (
  stored: Document<Omit<Head, 'pageCount' | 'changedAt'>, (typeof heads)['columns']> | undefined,
  initial: ReadonlyMap<string, Page>,
): Head =>
  stored
    ? { ...stored.body, pageCount: stored.columns.pages, changedAt: stored.columns.changedAt }
    : { ...firstHead, pageCount: initial.size }

/** The head of a draft as readers see it. */
export interface VisibleHead extends DraftHead {
  /** The oldest change whose record is within the limits. */
  readonly oldest: number
}

/** Converts the head of a draft for readers. */
export const toDraftHead = ({ version, pageCount, sizes, site }: Head): VisibleHead => ({
  ...site,
  version,
  pageCount,
  pageBytes: sizes.pages,
  isUnfilled: !site.isFilled && pageCount === 0,
  conflicts: site.conflicts ?? 0,
  oldest: sizes.oldest,
})

/** Converts a stored page, and caches its bytes. */
export function toRankedPage({ page, rank, own }: FoundPage): RankedPage {
  if (!own) return { page, rank, size: pageSize(page) }
  const { bytes } = own
  keepPageBytes(page, bytes)
  return { page, rank, size: bytes.byteLength }
}

/**
 * A page of a version of the draft, for readers. Most of those that read thousands of pages need no bytes.
 *
 * A class, because a getter in an object literal gives each object its own hidden class, which holds the page
 * until a full collection.
 */
export class VersionedPage implements StoredPage {
  readonly page: Page
  readonly rank: string
  readonly previewVersion: number
  readonly #stored: Pick<StoredPage, 'bytes'> | undefined
  #bytes: Uint8Array | undefined

  constructor(page: Page, rank: string, previewVersion: number, stored?: Pick<StoredPage, 'bytes'>) {
    this.page = page
    this.rank = rank
    this.previewVersion = previewVersion
    this.#stored = stored
  }

  get bytes(): Uint8Array {
    return (this.#bytes ??= this.#stored?.bytes ?? pageBytes(this.page))
  }
}

/** Every page of a draft with its rank, and the slugs in that order. */
export interface PageOrder {
  readonly ranks: Map<string, string>
  order: readonly string[]
}

const maxDrafts = 500
const maxBytes = 48 * 1024 * 1024
/** A page is cached as objects, as the bytes of its blocks, and as its own bytes. */
const pageWeight = 4

/** A page as of a version of the draft, and as readers were shown it last. */
interface CachedPage extends RankedPage {
  readonly version: number
  shown?: StoredPage
}

/** The pages of all drafts, weighed together; a draft whose cache is dropped leaves its pages to be evicted. */
const newPages = () =>
  new LRUCache<string, CachedPage>({
    maxSize: maxBytes,
    sizeCalculation: ({ size }) => 500 + pageWeight * size,
  })

/** The cache of one draft. A draft whose cache may be stale gets a new one. */
export class CachedDraft {
  /** The newest state that a transaction may build on; it may not be durable yet. */
  staged: Head | undefined
  /** The newest durable state, which readers see. */
  visible: VisibleHead | undefined
  /** The pages that the newest transaction of this process has changed, and the versions before and after it. */
  newest: { readonly since: number; readonly version: number; readonly slugs: readonly string[] } | undefined
  /** The ranks of all pages, once a change has needed them. */
  pageOrder: PageOrder | undefined
  readonly stacks = new Map<string, Stack>()
  /** The keys of stored bases, as of a count of `rebased`. */
  based = { at: 0, keys: new Set<string>() }
  /** Slugs without a page: most spellings of a slug have none. */
  readonly absent = new Set<string>()
  readonly #pages: ReturnType<typeof newPages>
  readonly #prefix: string

  constructor(pages: ReturnType<typeof newPages>, prefix: string) {
    this.#pages = pages
    this.#prefix = prefix
  }

  /** Returns a page as readers see it: the same object until the draft changes, so its answer is made once. */
  shown(slug: string): StoredPage | undefined {
    const version = this.visible?.version
    const cached = version === undefined ? undefined : this.page(slug, version)
    if (!cached || version === undefined) return undefined
    if (cached.shown?.previewVersion === version) return cached.shown
    return (cached.shown = new VersionedPage(cached.page, cached.rank, version))
  }

  /** Returns a page that is at least as new as the draft version `atMost`, and not newer. */
  page(slug: string, atMost = Infinity): CachedPage | undefined {
    const cached = this.#pages.get(this.#prefix + slug)
    return cached && cached.version <= atMost ? cached : undefined
  }

  /** Caches a page as of a version of the draft, or its absence. */
  keep(slug: string, ranked: RankedPage | undefined, version: number): void {
    const key = this.#prefix + slug
    if (!ranked) return void this.#pages.delete(key)
    // Not what readers were shown of an earlier page, also one that a refresh replaces within its version.
    const { page, rank, size } = ranked
    this.#pages.set(key, { page, rank, size, version })
  }
}

/** Caches drafts in use: an edit need not parse a page that the last edit has just written. Never the only copy. */
export class DraftCache {
  readonly #drafts = new LRUCache<string, CachedDraft>({ max: maxDrafts })
  readonly #pages = newPages()
  #count = 0

  of(scope: string): CachedDraft {
    const existing = this.#drafts.get(scope)
    if (existing) return existing
    const cached = new CachedDraft(this.#pages, `${this.#count++} `)
    this.#drafts.set(scope, cached)
    return cached
  }

  peek(scope: string): CachedDraft | undefined {
    return this.#drafts.get(scope)
  }

  forget(scope: string): void {
    this.#drafts.delete(scope)
  }
}
