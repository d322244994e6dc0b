import type { Draft } from '../content/model.ts'
import type { DraftSnapshot } from './planner.ts'

/** A snapshot as batches of operations read it. */
export function viewOf({ pages, config }: Pick<DraftSnapshot, 'pages' | 'config'>): Draft {
  const bySlug = new Map(pages.map((page) => [page.slug, page]))
  const pageIds = new Set(pages.map(({ id }) => id))
  const blockIds = new Set(pages.flatMap(({ blocks }) => blocks.map(({ id }) => id)))
  return {
    order: [...bySlug.keys()],
    config,
    page: (slug) => bySlug.get(slug),
    hasBlockId: (id) => blockIds.has(id),
    hasPageId: (id) => pageIds.has(id),
  }
}
