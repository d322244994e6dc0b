import type { ContentAdapter, SiteContent } from '../../content/adapter.ts'
import { toBaseline } from '../../content/baseline.ts'

/** Milliseconds after which content counts as unreadable. */
const readWithin = 8_000

/**
 * Reads the complete content of a site from its adapter.
 *
 * Rejects when the adapter fails, takes longer than eight seconds, or returns invalid content in any place: part of a site
 * would look like deleted pages.
 */
export async function readContentOf(adapter: ContentAdapter): Promise<SiteContent> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('reading the content took too long')), readWithin).unref()
  try {
    const content = toBaseline(await Promise.race([adapter.readContent(), late]))
    if (!content) throw new Error('the adapter returned no content')
    return content
  } finally {
    clearTimeout(timer)
  }
}
