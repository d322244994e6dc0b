import { isPlainObject } from '../../../content/plain-object.ts'
import { canonicalSlug } from '../../../content/slugs.ts'
import type { Loose } from './place.ts'

/** Puts the creation of a page before the operations that need it; everything else keeps its place. */
export function pagesFirst<T>(items: readonly T[], opOf: (item: T) => Loose): readonly T[] {
  let ordered = items
  for (const item of items) {
    const slug = createdSlug(opOf(item))
    if (slug === undefined) continue
    const at = ordered.indexOf(item)
    const first = ordered.findIndex((other) => other !== item && canonicalSlug(opOf(other)['pageSlug'] ?? opOf(other)['toPageSlug']) === slug)
    if (first >= 0 && first < at) ordered = ordered.toSpliced(at, 1).toSpliced(first, 0, item)
  }
  return ordered
}

function createdSlug({ op, page }: Loose): string | undefined {
  return op === 'create_page' && isPlainObject(page) ? canonicalSlug(page['slug']) : undefined
}
