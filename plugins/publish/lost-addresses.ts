import type { Compared } from './comparison.ts'

const mostNamed = 3

/** Returns a note about former addresses that are not found any more, because the site takes no redirects. */
export function lostAddresses({ baseline, draft, renames }: Compared): readonly string[] {
  if (!baseline || baseline.redirects) return []
  const slugs = new Set(draft.pages.map(({ slug }) => slug))
  const lost = [...renames.keys()].filter((from) => !slugs.has(from))
  if (lost.length === 0) return []
  const more = lost.length > mostNamed ? ` and ${lost.length - mostNamed} more` : ''
  return [
    `The site takes no redirects, so visitors do not find ${lost.slice(0, mostNamed).join(', ')}${more} any more. ` +
      'Sites that list redirects in GET /api/editor/pages get them with each publish.',
  ]
}
