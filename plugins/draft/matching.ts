import { pace } from '../../kernel/index.ts'
import { samePage } from '../content/merge/index.ts'
import type { Drafts } from './port.ts'

/** Creates the function that returns which pages of a site a draft has at other addresses. */
export function createMatching({ commit, pages }: Pick<Drafts, 'commit' | 'pages'>): Drafts['renames'] {
  return async (id, content) => {
    const published = new Map(content.pages.map((page) => [page.slug, page]))
    const differing = new Set(published.keys())
    for (const page of await pages(id)) {
      await pace()
      if (samePage(page, published.get(page.slug))) differing.delete(page.slug)
    }
    const { siteConfig } = content
    const site = { order: [...published.keys()], siteConfig, differing: [...differing], pages: published }
    const edit = { kind: 'follow', site, onlyMatches: true } as const
    const request = { id, edit, actor: { kind: 'system' }, channel: 'site' } as const
    return commit(request, ({ followed }) => followed?.matched ?? new Map<string, string>())
  }
}
