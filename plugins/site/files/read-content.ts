import type { ContentAdapter, SiteContent } from '../../content/adapter.ts'
import { toBaseline } from '../../content/baseline.ts'

/** Milliseconds for content to be read; later than that it counts as unreadable. */
export const readWithin = 8_000

/**
 * Reads the whole content of a site from its adapter.
 *
 * Fails with a sentence when the adapter does, when it takes longer than eight seconds, or when what it gives
 * is not the content of a site in every place: half a site would look like pages deleted.
 */
export async function readContentOf(adapter: ContentAdapter): Promise<SiteContent> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('reading the content took too long')), readWithin).unref()
  try {
    const content = toBaseline(await Promise.race([adapter.readContent(), late]))
    if (!content) throw new Error('the adapter gave no content')
    return content
  } finally {
    clearTimeout(timer)
  }
}
