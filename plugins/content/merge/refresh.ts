import { withAddressesOf } from '../addresses.ts'
import type { Page } from '../model.ts'
import { isUnlisted, matchPages, type Side, type SideRenames } from './match.ts'
import { each, type Three } from './sides.ts'

/**
 * Gives ours and base the addresses that theirs has now, where it has them otherwise at every read: of the
 * addresses in `volatile`, what is behind the `?` differs. `refreshed` are the pages of ours that change.
 *
 * Where ours has another value, the base stays: that is a conflict, until it is decided. `isDecided` says
 * that all are.
 */
export async function refresh(
  sides: Three<Side>,
  volatile: ReadonlySet<string> = new Set(),
  { renames, isDecided = false }: { readonly renames?: SideRenames; readonly isDecided?: boolean } = {},
): Promise<Three<Side> & { readonly refreshed: ReadonlyMap<string, Page> }> {
  const refreshed = new Map<string, Page>()
  if (volatile.size === 0) return { ...sides, refreshed }
  const bases = new Map(sides.base.pages)
  for (const { pages } of await matchPages(sides, renames)) {
    const { base, ours, theirs } = each(pages, (page) => (page && isUnlisted(page) ? undefined : page))
    const after = ours && withAddressesOf(ours, theirs, volatile)
    if (after && after !== ours) refreshed.set(after.slug, after)
    const own = isDecided ? undefined : ours
    if (base)
      bases.set(base.slug, base === ours ? (after ?? base) : withAddressesOf(base, theirs, volatile, own))
  }
  const { siteConfig } = sides.theirs
  const own = isDecided ? undefined : sides.ours.siteConfig
  return {
    base: {
      ...sides.base,
      pages: bases,
      siteConfig: withAddressesOf(sides.base.siteConfig, siteConfig, volatile, own),
    },
    ours: {
      ...sides.ours,
      pages: new Map([...sides.ours.pages, ...refreshed]),
      siteConfig: withAddressesOf(sides.ours.siteConfig, siteConfig, volatile),
    },
    theirs: sides.theirs,
    refreshed,
  }
}
