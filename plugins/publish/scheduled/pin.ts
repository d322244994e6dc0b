import { paced } from '../../../kernel/index.ts'
import type { SiteContent } from '../../content/adapter.ts'
import { bySlug, slugsOf } from '../../content/diff/index.ts'
import {
  type FormerId,
  type FormerIds,
  laterPages,
  matchedSlugs,
  type SideRenames,
  merge,
  type Merged,
  type MergeRequest,
  refresh,
  type Renames,
  sameAsRead,
  type Side,
  sideOf,
  slugsThen,
  type Three,
  type Winner,
} from '../../content/merge/index.ts'
import type { Manifest } from '../../content/model.ts'
import type { Page, SiteConfig } from '../../content/page.ts'
import { withMovesFrom } from '../../content/redirects.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { FollowOptions } from '../../follow/port.ts'

/** The state of the site on which pinned content was made; of pages, those that differ from the content. */
export interface PinBase {
  readonly order: readonly string[]
  readonly siteConfig?: SiteConfig | undefined
  readonly pages: readonly (readonly [slug: string, page: Page | null])[]
  /** The slugs that pages of the base have in the content, where they differ. */
  readonly renames?: readonly (readonly [from: string, to: string])[] | undefined
  /** The former ids of renamed pages that the base lacks, by their slugs in the content. */
  readonly former?: readonly (readonly [slug: string, ids: readonly FormerId[]])[] | undefined
  /** New pages that the draft has published at another address since, with their ids there. */
  readonly moved?: readonly (readonly [slug: string, id: string])[] | undefined
}

/** Content that does not change with its draft. */
export interface Pinned {
  readonly content: SiteContent
  /** What the content changes; without it, the content replaces the site. */
  readonly base?: PinBase | undefined
  readonly decided?: readonly PinDecision[] | undefined
  /** The version of the draft that it was. */
  readonly version?: number | undefined
  /** The snapshot that it was. */
  readonly commit?: string | undefined
  /** The scheduled publish that it belongs to. */
  readonly scheduledId?: string | undefined
}

/** Pinned content of a draft, with what it changes. */
export type Pin = Pick<Pinned, 'content'> & { readonly base: PinBase }

/** The side chosen for a conflict of a pin: `ours` against the seen value, `theirs` against any. */
export interface PinDecision {
  readonly id: string
  readonly take: Winner
  readonly theirsVersion: string
}

/** Returns the base of content that has followed a site. */
export function pinBaseOf(
  site: SiteContent,
  differing: readonly string[],
  known: { readonly renames: Renames; readonly former: FormerIds } & Pick<PinBase, 'moved'>,
): PinBase {
  const { renames, former, moved } = known
  const pages = bySlug(site.pages)
  return {
    order: slugsOf(site),
    siteConfig: site.siteConfig,
    pages: differing.map((slug) => [slug, pages.get(slug) ?? null]),
    ...(renames.size > 0 && { renames: [...renames] }),
    ...(former.size > 0 && { former: [...former] }),
    ...(moved && { moved }),
  }
}

export interface KnownOfSite
  extends Pick<SideRenames, 'ids' | 'sent' | 'unanswered'>, Pick<FollowOptions, 'volatile'> {
  readonly manifest?: Manifest | undefined
  readonly decided?: readonly PinDecision[] | undefined
}

/** Returns a site with the changes of a pin, the renames to that, and the conflicts that are open. */
export async function withPin(
  pin: Pin,
  site: SiteContent,
  /** What is known of the renames of the site, and the addresses that it has otherwise at every read. */
  known: KnownOfSite = {},
) {
  const merged = await mergedPin(pin, site, { ...known, added: movedOn(site, pin, known.ids) })
  const { conflicts, taken, base, sides } = merged
  const content = contentOf(merged, pin.content, site)
  return { content, conflicts, taken, sides, renames: base.renames }
}

/** Returns the slugs that pages of a site have in content that replaces it, where they differ. */
export async function renamesTo(
  content: SiteContent,
  site: SiteContent | undefined,
  known: Pick<SideRenames, 'ids' | 'sent'>,
): Promise<Renames> {
  if (!site) return new Map()
  // Earlier content: what is known of renames leads from it to the site.
  const [then, now] = [sideOf(content), sideOf(site)]
  return matchedSlugs({ base: then, ours: then, theirs: now }, known)
}

/** Returns the slugs on a site of pages that the draft published elsewhere, by those in the pin. */
function movedOn({ pages }: SiteContent, { content, base }: Pin, ids: SideRenames['ids']): Renames {
  const { moved = [] } = base
  if (moved.length === 0) return new Map()
  const [own, there] = [bySlug(content.pages), new Map(pages.map((page) => [page.id, page]))]
  return new Map(
    moved.flatMap(([slug, id]): [string, string][] => {
      const [now] = laterPages({ id, page: own.get(slug) }, (each) => there.get(each), ids)
      return now ? [[slug, now.page.slug]] : []
    }),
  )
}

async function differingSlugs(one: SiteContent, other: SiteContent): Promise<readonly string[]> {
  const [ours, theirs] = [bySlug(one.pages), bySlug(other.pages)]
  const slugs: string[] = []
  for await (const slug of paced(new Set([...ours.keys(), ...theirs.keys()])))
    if (!sameAsRead(ours.get(slug), theirs.get(slug))) slugs.push(slug)
  return slugs
}

/**
 * Returns a later pin of the same draft after another pin of a version was published: its base has the
 * changes of that one, and each address that the other one gave a page leads to it.
 */
export async function afterPin(later: Pin, published: Pin, version: number | undefined): Promise<Pin> {
  const base = contentOfBase(later)
  const { content, renames } = await withPin({ content: published.content, base: published.base }, base)
  const former = new Map(later.base.former)
  const added = slugsThen(former, { version: version ?? Infinity, pages: content.pages })
  const merged = await mergedPin(later, content, { wins: 'ours', theirs: renames.ours, added })
  const { ours, since } = merged.base.renames
  const siteConfig = withMovesFrom(merged, { renames: since })
  const next = contentOf({ ...merged, siteConfig }, later.content, content)
  for (const slug of added.keys()) former.delete(slug)
  const known = { renames: ours, former, moved: later.base.moved }
  return { content: next, base: pinBaseOf(content, await differingSlugs(next, content), known) }
}

async function mergedPin(
  { content, base }: Pin,
  site: SiteContent,
  how: Omit<SideRenames, 'ours'> & Omit<KnownOfSite, keyof SideRenames> & { readonly wins?: 'ours' },
) {
  const { wins, volatile, decided, manifest, ...siteRenames } = how
  const slugs = new Set([...base.pages.map(([slug]) => slug), ...(await differingSlugs(content, site))])
  const side = (all: SiteContent): Side => ({
    order: slugsOf(all),
    siteConfig: all.siteConfig,
    pages: new Map([...bySlug(all.pages)].filter(([slug]) => slugs.has(slug))),
  })
  const pinned = { base: side(contentOfBase({ content, base })), ours: side(content), theirs: side(site) }
  const renames = { ours: new Map(base.renames), ...siteRenames }
  // What had to be decided was decided when the content was pinned.
  const { refreshed: _, ...sides } = await refresh(pinned, volatile, { renames, isDecided: true })
  const merged = await mergeDecided({ ...sides, renames, registry: builtinRegistry, manifest, wins }, decided)
  return { ...merged, sides: { ...sides, manifest } }
}

/** Merges, and again where something has decided what both have changed. */
async function mergeDecided(request: MergeRequest, decided: readonly PinDecision[] = []): Promise<Merged> {
  const merged = await merge(request)
  const decisions = new Map(decided.map((each) => [each.id, each]))
  const chosen = new Map(
    merged.conflicts.flatMap(({ id, theirsVersion }): [string, Winner][] => {
      const decision = decisions.get(id)
      const isMeant = decision?.take === 'theirs' || decision?.theirsVersion === theirsVersion
      return decision && isMeant ? [[id, decision.take]] : []
    }),
  )
  return chosen.size > 0 ? merge({ ...request, decided: chosen }) : merged
}

function contentOf(
  { pages, order, siteConfig, sides }: Merged & { readonly sides: Three<Side> },
  ours: SiteContent,
  site: SiteContent,
): SiteContent {
  const all = new Map([...bySlug(ours.pages), ...sides.ours.pages])
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
