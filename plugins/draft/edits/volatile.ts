import { withAddressesOf } from '../../content/addresses.ts'
import {
  fingerprint,
  keyOfPlace,
  merge,
  type MergeRequest,
  type Side,
  type Winner,
} from '../../content/merge/index.ts'
import type { Page } from '../../content/page.ts'
import { sameJson } from '../../content/plain-object.ts'

/**
 * The base of each conflict that is decided for the draft while the value of the site is volatile, by place.
 */
export type SettledBases = Readonly<Record<string, string>> | undefined

/**
 * Gives draft and base the addresses that their site has now, where it has them otherwise at every read.
 * Where the draft has another value, the base stays: that is a conflict, until it is decided.
 */
export function refresh(
  { ours, base, theirs }: Record<'ours' | 'base' | 'theirs', Side>,
  volatile: ReadonlySet<string> = new Set(),
  renames: readonly (readonly [from: string, slug: string])[],
): Record<'ours' | 'base', Side> & { readonly refreshed: ReadonlyMap<string, Page> } {
  const refreshed = new Map<string, Page>()
  if (volatile.size === 0) return { ours, base, refreshed }
  const [oursOf, formerOf] = [new Map(renames), new Map(renames.map(([from, slug]) => [slug, from]))]
  const pages = new Map(ours.pages)
  for (const [slug, page] of ours.pages) {
    const after = withAddressesOf(page, theirs.pages.get(formerOf.get(slug) ?? slug), volatile)
    if (after === page) continue
    pages.set(slug, after)
    refreshed.set(slug, after)
  }
  const bases = new Map(
    [...base.pages].map(([slug, page]) => {
      const own = ours.pages.get(oursOf.get(slug) ?? slug)
      return [
        slug,
        page === own
          ? (pages.get(slug) ?? page)
          : withAddressesOf(page, theirs.pages.get(slug), volatile, own),
      ]
    }),
  )
  const configs = [ours.siteConfig, base.siteConfig].map((config) =>
    withAddressesOf(config, theirs.siteConfig, volatile, ours.siteConfig),
  )
  return {
    ours: { ...ours, pages, siteConfig: configs[0] },
    base: { ...base, pages: bases, siteConfig: configs[1] },
    refreshed,
  }
}

/** Returns the conflicts that stay decided for the draft, by id, and those that do from now on. */
export async function settledIn(
  request: MergeRequest,
  chosen: ReadonlyMap<string, Winner> | undefined,
  before: SettledBases,
): Promise<{ readonly isSettled: ReadonlySet<string>; readonly settled: SettledBases }> {
  const { lasting } = request
  const isSettled = new Set<string>()
  if (!lasting || (!chosen && !before)) return { isSettled, settled: before }
  const settled: Record<string, string> = { ...before }
  for (const conflict of (await merge(request)).conflicts) {
    const { id, base, theirs } = conflict
    if (base === undefined || !sameJson(lasting(base), lasting(theirs))) continue
    const place = keyOfPlace(conflict)
    // The undo of a decision brings back an earlier base.
    if (before?.[place] === fingerprint({ base })) isSettled.add(id)
    if (chosen?.get(id) === 'ours') settled[place] = fingerprint({ base: theirs })
  }
  return { isSettled, settled: Object.keys(settled).length > 0 ? settled : undefined }
}
