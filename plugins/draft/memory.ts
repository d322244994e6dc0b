import type { Page } from '../content/page.ts'
import { pageSize } from '../content/page-bytes.ts'
import type { DraftHead } from './port.ts'
import type { Head, Stack } from './collections.ts'
import { Lru } from './lru.ts'

/** A page with its place. */
export interface Loaded {
  readonly page: Page
  readonly rank: string
}

/** The head of a draft as a transaction left it. */
export interface Staged {
  readonly head: Head
  readonly pageCount: number
}

/** What is remembered of one draft. A draft whose memory cannot be trusted any more gets a new one. */
export interface Hot {
  /** The newest state that a transaction may build on; it may not be durable yet. */
  staged: Staged | undefined
  /** The newest durable state, which readers see. */
  visible: DraftHead | undefined
  readonly stacks: Map<string, Stack>
  /** The places of all pages, once some change needed them. */
  places: Places | undefined
}

/** Every page of a draft with its rank, and the slugs in that order. */
export interface Places {
  readonly ranks: Map<string, string>
  order: readonly string[]
}

interface Remembered {
  readonly owner: Hot
  readonly staged: Loaded | undefined
  readonly visible: Loaded | undefined
}

const keptDrafts = 500
const keptBytes = 48 * 1024 * 1024
/** A page is there as objects, as the bytes of its blocks, and as its own. */
const pageWeight = 4

/**
 * Remembers drafts that are being worked on, so that an edit does not parse a page that the last edit has just written.
 *
 * It holds two states of a draft: what transactions see, and what is durable. Nothing here is ever the only copy.
 */
export class DraftMemory {
  readonly #drafts = new Lru<Hot>(keptDrafts)
  readonly #pages = new Lru<Remembered>(keptBytes)

  of(scope: string): Hot {
    const known = this.#drafts.get(scope)
    if (known) return known
    const hot: Hot = { staged: undefined, visible: undefined, stacks: new Map(), places: undefined }
    this.#drafts.set(scope, hot)
    return hot
  }

  known(scope: string): Hot | undefined {
    return this.#drafts.get(scope)
  }

  forget(scope: string): void {
    this.#drafts.delete(scope)
  }

  staged(scope: string, hot: Hot, slug: string): Loaded | undefined {
    return this.#get(scope, hot, slug)?.staged
  }

  visible(scope: string, hot: Hot, slug: string): Loaded | undefined {
    return this.#get(scope, hot, slug)?.visible
  }

  stage(scope: string, hot: Hot, slug: string, staged: Loaded | undefined): void {
    this.#put(scope, slug, { owner: hot, staged, visible: this.#get(scope, hot, slug)?.visible })
  }

  show(scope: string, hot: Hot, slug: string, page: Loaded | undefined): void {
    this.#put(scope, slug, { owner: hot, staged: this.#get(scope, hot, slug)?.staged, visible: page })
  }

  #get(scope: string, hot: Hot, slug: string): Remembered | undefined {
    const remembered = this.#pages.get(`${scope}${slug}`)
    return remembered?.owner === hot ? remembered : undefined
  }

  #put(scope: string, slug: string, remembered: Remembered): void {
    const { staged, visible } = remembered
    const key = `${scope}${slug}`
    const newest = staged ?? visible
    if (newest) this.#pages.set(key, remembered, 500 + pageWeight * pageSize(newest.page))
    else this.#pages.delete(key)
  }
}
