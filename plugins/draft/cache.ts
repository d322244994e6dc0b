import { Lru } from '../../kernel/index.ts'
import type { Page } from '../content/page.ts'
import { keepPageBytes } from '../content/page-bytes.ts'
import type { Document } from '../store/port.ts'
import type { DraftHead } from './port.ts'
import type { Head, StoredSize, pages, Stack } from './collections.ts'

/** A page with its rank. */
export interface RankedPage {
  readonly page: Page
  readonly rank: string
  /** An upper bound of the bytes of the page as JSON. */
  readonly size: number
}

/** The head of a draft as a transaction left it. */
export interface StagedHead {
  readonly head: Head
  readonly pageCount: number
  readonly kept: StoredSize
}

/** The head of a draft as readers see it. */
export interface VisibleHead extends DraftHead {
  /** The oldest change whose record is within the limits. */
  readonly oldest: number
}

/** Converts the stored head of a draft. */
export const toDraftHead = (
  { version, filled, wholeConfig, kept }: Head,
  pageCount: number,
): VisibleHead => ({
  version,
  pageCount,
  pageBytes: kept?.pages ?? 0,
  isUnfilled: !filled && pageCount === 0,
  hasWholeConfig: wholeConfig === true,
  oldest: kept?.oldest ?? 1,
})

/** Converts a stored page, and caches its bytes. */
export function toRankedPage({
  body,
  bytes,
  columns,
}: Document<Page, (typeof pages)['columns']>): RankedPage {
  keepPageBytes(body, bytes)
  return { page: body, rank: columns.rank, size: bytes.byteLength }
}

/** The cache of one draft. A draft whose cache may be stale gets a new one. */
export interface CachedDraft {
  /** The newest state that a transaction may build on; it may not be durable yet. */
  staged: StagedHead | undefined
  /** The newest durable state, which readers see. */
  visible: VisibleHead | undefined
  readonly stacks: Map<string, Stack>
  /** Cached pages by slug. */
  readonly pages: Map<string, PageStates>
  /** Slugs without a page: most spellings of a slug have none. */
  readonly absent: Set<string>
  /** The ranks of all pages, once a change has needed them. */
  pageOrder: PageOrder | undefined
}

/** Every page of a draft with its rank, and the slugs in that order. */
export interface PageOrder {
  readonly ranks: Map<string, string>
  order: readonly string[]
}

/** A page in the two states of its draft. */
interface PageStates {
  readonly cached: CachedDraft
  readonly slug: string
  staged: RankedPage | undefined
  visible: RankedPage | undefined
}

const maxDrafts = 500
const maxBytes = 48 * 1024 * 1024
/** A page is cached as objects, as the bytes of its blocks, and as its own bytes. */
const pageWeight = 4

/**
 * Caches drafts in use: an edit need not parse a page that the last edit has just written.
 *
 * Caches two states of a draft: the state of transactions and the durable state. Never the only copy.
 */
export class DraftCache {
  readonly #drafts = new Lru<string, CachedDraft>(maxDrafts, ({ pages }) => {
    for (const page of pages.values()) this.#pages.delete(page)
  })
  readonly #pages = new Lru<PageStates, PageStates>(
    maxBytes,
    ({ cached, slug }) => void cached.pages.delete(slug),
  )

  of(scope: string): CachedDraft {
    const known = this.#drafts.get(scope)
    if (known) return known
    const cached: CachedDraft = {
      staged: undefined,
      visible: undefined,
      pageOrder: undefined,
      stacks: new Map(),
      pages: new Map(),
      absent: new Set(),
    }
    this.#drafts.set(scope, cached)
    return cached
  }

  known(scope: string): CachedDraft | undefined {
    return this.#drafts.get(scope)
  }

  forget(scope: string): void {
    this.#drafts.delete(scope)
  }

  /** Returns the cached states of a page. */
  page(cached: CachedDraft, slug: string): Pick<PageStates, 'staged' | 'visible'> | undefined {
    const page = cached.pages.get(slug)
    return page && this.#pages.get(page)
  }

  /** Caches a page in one of its states, or its absence. */
  keep(cached: CachedDraft, slug: string, state: Partial<Pick<PageStates, 'staged' | 'visible'>>): void {
    const page = Object.assign(
      cached.pages.get(slug) ?? { cached, slug, staged: undefined, visible: undefined },
      state,
    )
    const newest = page.staged ?? page.visible
    if (!newest) return this.#pages.delete(page)
    cached.pages.set(slug, page)
    this.#pages.set(page, page, 500 + pageWeight * newest.size)
  }
}
