import { paced } from '../../kernel/index.ts'
import { pathOfSlug } from '../content/file-slugs.ts'
import { mapLinks } from '../content/links.ts'
import type { Page } from '../content/page.ts'
import { builtinRegistry } from '../content/registry.ts'
import { type Hosts, ownLink } from '../content/site-address.ts'
import { comparableSlug } from '../content/slugs.ts'
import { shortened } from '../content/words.ts'
import type { Compared } from './comparison.ts'

const mostNamed = 20
/** The most former addresses that a note names. */
const mostAddresses = 3
const longestName = 80

/** Says which pages link to a page of `slugs`, those of draft and site, that is not among them. */
export async function lostLinks(
  pages: readonly Page[],
  slugs: readonly string[],
  hosts: Hosts,
): Promise<readonly string[]> {
  const there = new Set(pages.map(({ slug }) => slug))
  const lost = new Map(
    slugs.flatMap((slug): [string, string][] => (there.has(slug) ? [] : [[comparableSlug(slug), slug]])),
  )
  if (lost.size === 0) return []
  const found: (readonly [from: string, to: string])[] = []
  for await (const page of paced(pages))
    for (const to of targetsOf(page, lost, hosts)) found.push([page.slug, to])
  const notes = found.slice(0, mostNamed).map(([from, to]) => {
    const [page, target] = [shortened(from, longestName), shortened(to, longestName)]
    return `${page} links to ${target}, which is not on the site after this publish.`
  })
  const more = found.length - notes.length
  return more > 0 ? [...notes, `There are ${more} more links to such pages.`] : notes
}

function targetsOf({ slug, blocks }: Page, lost: Map<string, string>, hosts: Hosts): ReadonlySet<string> {
  const targets = new Set<string>()
  const visit = (address: string): string => {
    const [path] = ownLink(address.trim(), { slug, hosts })?.address.split(/[?#]/, 1) ?? []
    const target = path === undefined ? undefined : lost.get(comparableSlug(path))
    if (target !== undefined) targets.add(target)
    return address
  }
  for (const { type, props } of blocks)
    mapLinks(props, builtinRegistry.get(type)?.fields ?? {}, { visit, inFooter: type === 'Footer' })
  return targets
}

/** Returns a note about former addresses that are not found any more, because the site takes no redirects. */
export function lostAddresses({ baseline, draft, renames }: Compared): readonly string[] {
  if (!baseline || baseline.redirects) return []
  const slugs = new Set(draft.pages.map(({ slug }) => slug))
  const lost = [...renames.between.keys()].filter((from) => !slugs.has(from))
  if (lost.length === 0) return []
  const more = lost.length > mostAddresses ? ` and ${lost.length - mostAddresses} more` : ''
  const named = lost.slice(0, mostAddresses).map((from) => pathOfSlug(from) ?? from)
  const moved = `${named.join(', ')}${more}`
  if (lost.some((from) => pathOfSlug(from) !== undefined))
    return [
      `Visitors do not find the former address of ${moved} any more, unless the website redirects from it.`,
    ]
  return [
    `The site takes no redirects, so visitors do not find ${moved} any more. ` +
      'Sites that list redirects in GET /api/editor/pages get them with each publish.',
  ]
}
