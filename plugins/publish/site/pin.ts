import { pace } from '../../../kernel/index.ts'
import type { SiteContent } from '../../content/adapter.ts'
import { bySlug } from '../../content/diff/index.ts'
import {
  type SideRenames,
  merge,
  type Merged,
  type Renames,
  type Side,
  type Three,
} from '../../content/merge/index.ts'
import type { Page, SiteConfig } from '../../content/page.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { isSamePage, slugsOf } from './meaning.ts'

/** The state of the site on which pinned content was made; of pages, those that differ from the content. */
export interface PinBase {
  readonly order: readonly string[]
  readonly siteConfig?: SiteConfig | undefined
  readonly pages: readonly (readonly [slug: string, page: Page | null])[]
  /** The slugs that pages of the base have in the content, where they differ. */
  readonly renames?: readonly (readonly [from: string, to: string])[] | undefined
}

/** Content of a draft that does not change with it, and what it changed. */
export interface Pin {
  readonly content: SiteContent
  readonly base: PinBase
}

/** Returns the base of content that has followed a site. */
export function pinBaseOf(
  site: SiteContent,
  differing: readonly string[],
  renames: Renames = new Map(),
): PinBase {
  const pages = bySlug(site.pages)
  return {
    order: slugsOf(site),
    siteConfig: site.siteConfig,
    pages: differing.map((slug) => [slug, pages.get(slug) ?? null]),
    ...(renames.size > 0 && { renames: [...renames] }),
  }
}

/** What a site has with the changes of a pin. */
export interface PinMerged extends Pick<Merged, 'conflicts' | 'taken'> {
  readonly content: SiteContent
  readonly sides: Three<Side>
  /** From the site to the content. */
  readonly renames: Merged['base']['renames']
}

/** Returns what a site has with the changes of a pin, and what both have changed. */
export async function withPin(
  pin: Pin,
  site: SiteContent,
  /** The page ids that renamed pages got on the site, by their former ids. */
  ids?: SideRenames['ids'],
): Promise<PinMerged> {
  const { sides, ...merged } = await mergedPin(pin, site, { ids })
  const { conflicts, taken, base } = merged
  const content = contentOf(merged, pin.content, site)
  return { content, conflicts, taken, sides, renames: base.renames }
}

/** Returns what one side has with the changes of the other since a common state, and what both have changed. */
export const mergedOnto = (base: SiteContent, changed: SiteContent, site: SiteContent) =>
  withPin({ content: changed, base: pinBaseOf(base, differingSlugs(changed, base)) }, site)

function differingSlugs(one: SiteContent, other: SiteContent): readonly string[] {
  const [ours, theirs] = [bySlug(one.pages), bySlug(other.pages)]
  return [...new Set([...ours.keys(), ...theirs.keys()])].filter(
    (slug) => !isSamePage(ours.get(slug) ?? null, theirs.get(slug) ?? null),
  )
}

/** Returns a later pin of the same draft after another pin was published: its base has the changes of that one. */
export async function afterPin(later: Pin, published: Pin): Promise<Pin> {
  const base = contentOfBase(later)
  const { content, renames } = await withPin({ content: published.content, base: published.base }, base)
  const merged = await mergedPin(later, content, { wins: 'ours', theirs: renames.ours })
  const next = contentOf(merged, later.content, content)
  return { content: next, base: pinBaseOf(content, differingSlugs(next, content), merged.base.renames.ours) }
}

async function mergedPin(
  { content, base }: Pin,
  site: SiteContent,
  { wins, ...siteRenames }: Pick<SideRenames, 'theirs' | 'ids'> & { readonly wins?: 'ours' } = {},
) {
  const [ours, theirs, then] = [bySlug(content.pages), bySlug(site.pages), new Map(base.pages)]
  const slugs = new Set(then.keys())
  for (const slug of new Set([...ours.keys(), ...theirs.keys()])) {
    await pace()
    if (!isSamePage(ours.get(slug) ?? null, theirs.get(slug) ?? null)) slugs.add(slug)
  }
  const side = (all: ReadonlyMap<string, Page>, { order, siteConfig }: Omit<Side, 'pages'>): Side => ({
    order,
    siteConfig,
    pages: new Map(
      [...slugs].flatMap((slug) => (all.has(slug) ? [[slug, all.get(slug)]] : []) as [string, Page][]),
    ),
  })
  const agreed = new Map(ours)
  for (const [slug, page] of base.pages) {
    if (page) agreed.set(slug, page)
    else agreed.delete(slug)
  }
  const sides = {
    base: side(agreed, base),
    ours: side(ours, { order: slugsOf(content), siteConfig: content.siteConfig }),
    theirs: side(theirs, { order: slugsOf(site), siteConfig: site.siteConfig }),
  }
  const renames = { ours: new Map(base.renames), ...siteRenames }
  return { ...(await merge({ ...sides, renames, registry: builtinRegistry, wins })), sides }
}

function contentOf({ pages, order, siteConfig }: Merged, ours: SiteContent, site: SiteContent): SiteContent {
  const all = bySlug(ours.pages)
  const there = bySlug(site.pages)
  const list = order.flatMap(
    (slug) => (pages.has(slug) ? pages.get(slug) : (all.get(slug) ?? there.get(slug))) ?? [],
  )
  return { pages: list, ...(siteConfig && { siteConfig }) }
}

/** The site as it was when the content was pinned. */
function contentOfBase({ content, base }: Pin): SiteContent {
  const pages = new Map<string, Page | null>([...bySlug(content.pages), ...base.pages])
  return {
    pages: base.order.flatMap((slug) => pages.get(slug) ?? []),
    ...(base.siteConfig && { siteConfig: base.siteConfig }),
  }
}
