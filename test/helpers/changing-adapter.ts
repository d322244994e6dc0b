import type { ContentAdapter, SiteContent } from '../../plugins/content/adapter.ts'

/** Adds to an adapter that it says what has changed, by comparison with the states that it had. */
export function withChanges(adapter: ContentAdapter) {
  const states: SiteContent[] = []
  const asked: string[] = []
  const pageIn = ({ pages }: SiteContent, slug: string) => pages.find((page) => page.slug === slug)
  const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
  const changing = {
    ...adapter,
    async changes(since?: string) {
      const now = await adapter.readContent()
      if (!isSame(now, states.at(-1))) states.push(now)
      const before = states[Number(since)] ?? { pages: [] }
      const { pages, ...rest } = now
      const changed = pages.filter((page) => !isSame(page, pageIn(before, page.slug)))
      return {
        ...rest,
        state: String(states.length - 1),
        slugs: pages.map(({ slug }) => slug),
        changed: changed.map(({ slug }) => slug),
      }
    },
    async read(slug: string) {
      asked.push(slug)
      return pageIn(await adapter.readContent(), slug)
    },
  } satisfies ContentAdapter
  /** `asked` has the slugs of the pages that were read. */
  return { adapter: changing, asked }
}
