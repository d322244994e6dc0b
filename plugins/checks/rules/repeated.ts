import type { PageFacts } from '../site-view.ts'

/** Pages that share something with an earlier page, which is named beside them; pages without it share nothing. */
export function* repeated(pages: readonly PageFacts[], of: (page: PageFacts) => string): Iterable<{ readonly page: PageFacts; readonly other: PageFacts }> {
  const first = new Map<string, PageFacts>()
  for (const page of pages) {
    const shared = of(page)
    if (shared === '') continue
    const other = first.get(shared)
    if (other) yield { page, other }
    else first.set(shared, page)
  }
}
