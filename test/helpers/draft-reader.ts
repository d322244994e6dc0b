import type { contentFiles } from '../../config/content-files.ts'
import type { Page } from '../../plugins/content/page.ts'

type DraftReader = Parameters<ReturnType<typeof contentFiles>['filesOf']>[0]

/** Returns a draft for what reads its pages one by one, and a function that gives it other pages. */
export function draftWith(start: readonly Page[]) {
  const states = [bySlug(start)]
  const now = () => states.at(-1) ?? new Map<string, Page>()
  const reader: DraftReader = {
    async read(since) {
      const before = since === undefined ? undefined : states[since]
      const pages = [...new Set([...(before?.keys() ?? []), ...now().keys()])]
        .filter((slug) => before?.get(slug) !== now().get(slug))
        .map((slug) => [slug, now().get(slug)] as const)
      const stored = pages.map(([slug, page]) => [slug, page && { page }] as const)
      return { version: states.length - 1, isComplete: before === undefined, pages: each(stored) }
    },
    page: async (slug) => now().get(slug),
    slugs: async () => [...now().keys()],
  }
  return { reader, set: (pages: readonly Page[]) => void states.push(bySlug(pages)) }
}

const bySlug = (pages: readonly Page[]): ReadonlyMap<string, Page> =>
  new Map(pages.map((page) => [page.slug, page]))

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}
