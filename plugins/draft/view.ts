import type { Draft } from '../content/model.ts'
import type { Page, SiteConfig } from '../content/page.ts'

/** The preloaded data of a draft. */
interface ViewData {
  readonly pages: ReadonlyMap<string, Page>
  readonly order: readonly string[] | undefined
  readonly config: SiteConfig | undefined
  /** Every block id of the draft between line breaks. */
  readonly blockIds: string | undefined
  /** Every page id of the draft between line breaks. */
  readonly pageIds: string | undefined
}

/**
 * The part of a draft that a batch has declared to read; reading more throws an Error.
 *
 * A class, because getters in an object literal give each object its own hidden class, which slows readers.
 */
export class DraftView implements Draft {
  readonly #loaded: ViewData
  readonly hasBlockId: (id: string) => boolean
  readonly hasPageId: (id: string) => boolean

  constructor(loaded: ViewData) {
    this.#loaded = loaded
    this.hasBlockId = lookup(() => loaded.blockIds ?? unread('the ids of all blocks'))
    this.hasPageId = lookup(() => loaded.pageIds ?? unread('the ids of all pages'))
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
}

/** The maximum number of lookups by text search; for more, a set is faster. */
const fewLookups = 8

/** Looks up ids in a text with line breaks between them. */
function lookup(text: () => string): (id: string) => boolean {
  let lookups = 0
  let ids: ReadonlySet<string> | undefined
  return (id) => {
    lookups += 1
    if (lookups <= fewLookups) return text().includes(`\n${id}\n`)
    const known = (ids ??= new Set(text().split('\n')))
    // An id may itself have line breaks: it counts as used if each of its lines occurs.
    return id.split('\n').every((line) => known.has(line))
  }
}

function unread(what: string): never {
  throw new Error(`a batch reads ${what}, which none of its operations declares`)
}
