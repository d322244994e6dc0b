import type { BatchSuccess } from '../content/batch.ts'
import type { Draft, Page, SiteConfig } from '../content/model.ts'
import type { DraftSnapshot } from './planner.ts'

/** A snapshot in the form in which batches read it. */
export function toDraft({ pages, config }: DraftSnapshot): Draft {
  return viewOf(new Map(pages.map((page) => [page.slug, page])), pages.map(({ slug }) => slug), config)
}

/** The draft as a batch leaves it. */
export function draftAfter(draft: Draft, { change }: BatchSuccess): Draft {
  const pages = new Map(pagesIn(draft).map((page) => [page.slug, page]))
  for (const [slug, { after }] of change.pages) {
    if (after) pages.set(slug, after)
    else pages.delete(slug)
  }
  return viewOf(pages, change.order ?? draft.order, change.config ?? draft.config)
}

/** The pages of a draft in their order. */
export function pagesIn(draft: Draft): readonly Page[] {
  return draft.order.map((slug) => draft.page(slug)).filter((page) => page !== undefined)
}

function viewOf(pages: ReadonlyMap<string, Page>, order: readonly string[], config: SiteConfig): Draft {
  let blockIds: ReadonlySet<string> | undefined
  return {
    order,
    page: (slug) => pages.get(slug),
    config,
    hasBlockId: (id) => (blockIds ??= new Set([...pages.values()].flatMap(({ blocks }) => blocks.map((block) => block.id)))).has(id),
    hasPageId: (id) => [...pages.values()].some((page) => page.id === id),
  }
}
