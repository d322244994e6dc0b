import type { Draft } from '../content/model.ts'
import type { Page, SiteConfig } from '../content/page.ts'

/** What was read ahead of a draft. */
interface Loaded {
  readonly pages: ReadonlyMap<string, Page>
  readonly order: readonly string[] | undefined
  readonly config: SiteConfig | undefined
  /** Every block id of the draft between line breaks. */
  readonly blockIds: string | undefined
  /** Every page id of the draft between line breaks. */
  readonly pageIds: string | undefined
}

/**
 * The part of a draft that a batch announced it would read; asking for more throws an Error.
 *
 * A class, because getters in an object literal make each object a kind of its own, which slows down whoever reads it.
 */
export class LoadedDraft implements Draft {
  readonly #loaded: Loaded

  constructor(loaded: Loaded) {
    this.#loaded = loaded
  }

  page(slug: string): Page | undefined {
    return this.#loaded.pages.get(slug)
  }

  get order(): readonly string[] {
    return this.#loaded.order ?? unread('the order of the pages')
  }

  get config(): SiteConfig {
    return this.#loaded.config ?? unread('the site config')
  }

  hasBlockId(id: string): boolean {
    return (this.#loaded.blockIds ?? unread('the ids of all blocks')).includes(`\n${id}\n`)
  }

  hasPageId(id: string): boolean {
    return (this.#loaded.pageIds ?? unread('the ids of all pages')).includes(`\n${id}\n`)
  }
}

function unread(what: string): never {
  throw new Error(`a batch reads ${what}, which none of its operations declares`)
}
