import type { Draft, DraftChange, Page, SiteConfig } from './model.ts'
import { perObject } from './plain-object.ts'

/** The pages of a draft in their order, and its settings. */
interface Snapshot {
  readonly pages: readonly Page[]
  readonly config: SiteConfig
}

/** Returns a snapshot as batches read it; created once per snapshot. */
export const toDraft = perObject(({ pages, config }: Snapshot): Draft => {
  const bySlug = new Map(pages.map((page) => [page.slug, page]))
  return viewOf(
    (slug) => bySlug.get(slug),
    pages.map(({ slug }) => slug),
    config,
  )
})

/** Returns the draft after a batch: a view over the previous draft, because many views are short-lived. */
export function draftAfter(draft: Draft, { change }: { readonly change: DraftChange }): Draft {
  const page = (slug: string): Page | undefined =>
    change.pages.has(slug) ? change.pages.get(slug)?.after : draft.page(slug)
  return viewOf(page, change.order ?? draft.order, change.config ?? draft.config)
}

/** Returns the pages of a view in order; read once per view, because most are never read page by page. */
export const pagesIn = perObject((draft: Draft): readonly Page[] =>
  draft.order.map((slug) => draft.page(slug)).filter((page) => page !== undefined),
)

function viewOf(page: Draft['page'], order: readonly string[], config: SiteConfig): Draft {
  let blockIds: ReadonlySet<string> | undefined
  const draft: Draft = {
    order,
    page,
    config,
    hasBlockId(id) {
      blockIds ??= new Set(pagesIn(draft).flatMap(({ blocks }) => blocks.map((block) => block.id)))
      return blockIds.has(id)
    },
    hasPageId: (id) => pagesIn(draft).some((each) => each.id === id),
  }
  return draft
}
