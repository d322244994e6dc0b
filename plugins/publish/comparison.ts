import type { SiteContent } from '../content/adapter.ts'
import {
  bySlug,
  byStatusAndSlug,
  diffPage,
  diffSiteConfig,
  nothingClaimed,
  removedPage,
  summaryOf,
  toTally,
  type ContentDiff,
  type PageDiff,
  type PageTally,
} from '../content/diff/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { bytesWithPages, keepPageBytes } from '../content/page-bytes.ts'
import { builtinRegistry } from '../content/registry.ts'
import { homeFirst } from '../content/slugs.ts'
import type { Drafts, StoredPage } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { OwnFiles } from './assets.ts'
import type { Baselines } from './port.ts'
import { diffTooLarge, publishTooLarge } from './refusals.ts'

/** The whole draft of a site. */
export interface DraftContent {
  /** Home first. */
  readonly pages: readonly Page[]
  /** Absent for a draft that never had a config: the site keeps its own. */
  readonly siteConfig: SiteConfig | undefined
}

/** What a publish would change, without the blocks. */
export type DiffOverview = Omit<ContentDiff, 'pages' | 'notice'> & { readonly pages: readonly PageTally[] }

/** A draft beside what is published. */
export interface Compared {
  readonly draft: DraftContent
  /** A version of the draft that its content is at least as new as. */
  readonly version: number
  readonly baseline: SiteContent | undefined
  /** Claims nothing without a baseline, and nothing of a draft that was never filled. */
  readonly diff: DiffOverview
  /** Says that the site to compare with is another one than that of the draft. */
  readonly otherSite: string | undefined
}

export interface ComparisonContext {
  readonly drafts: Drafts
  readonly baselines: Baselines
  readonly files: OwnFiles
  /** The most bytes that the pages of one publish may have. */
  readonly maxPublishBytes: number
  /** The most bytes that a diff may have; it lists blocks, so that large ones do not count. */
  readonly maxDiffBytes: number
}

/** Makes what reads drafts page by page, and compares them with what is published. */
export function createComparison({ drafts, baselines, files, maxPublishBytes, maxDiffBytes }: ComparisonContext) {
  /** Reads both sides; gives what `keep` makes of each page of the draft, by slug. */
  const walk = async <T>(
    id: DraftId,
    siteOrigin: string | undefined,
    keep: (page: StoredPage, diff: PageDiff | undefined) => T,
  ) => {
    const { content: baseline, otherSite } = await baselines.read(id, { siteOrigin })
    const siteConfig = await drafts.config(id, baseline?.siteConfig)
    const notice = (await drafts.whyEmpty(id)) ?? otherSite
    const known = notice === undefined ? baseline : undefined
    const old = known && bySlug(known.pages)
    const like = files.likeOn(known)
    const kept = new Map<string, T>()
    for await (const [slug, stored] of drafts.each(id)) {
      if (stored) kept.set(slug, keep(stored, old && diffPage(like(stored.page), old.get(slug), { registry: builtinRegistry })))
      else kept.delete(slug)
    }
    const removed = [...(old ?? [])].filter(([slug]) => !kept.has(slug)).map(([, page]) => removedPage(page))
    return { baseline, known, siteConfig, configDiff: diffSiteConfig(known?.siteConfig, like(siteConfig)), notice, otherSite, kept, removed }
  }

  return {
    /**
     * Reads a draft for a publish, beside what is published. Refuses with 400 a site that may not be called, and with 413
     * `publish_too_large` pages of more than `maxPublishBytes`.
     */
    async compare(id: DraftId, siteOrigin: string | undefined): Promise<Compared> {
      let left = maxPublishBytes
      // Fills an empty draft from its site, which gives it a version of its own.
      await drafts.config(id)
      const { version } = await drafts.head(id)
      const { baseline, known, siteConfig, configDiff, otherSite, kept, removed } = await walk(id, siteOrigin, ({ page, bytes }, diff) => {
        if ((left -= bytes.byteLength) < 0) throw publishTooLarge(maxPublishBytes)
        keepPageBytes(page, bytes)
        return { page, tally: diff && toTally(diff) }
      })
      const slugs = homeFirst((await drafts.rows(id)).map(({ slug }) => slug))
      const pages = slugs.flatMap((slug) => kept.get(slug)?.page ?? [])
      const tallies = [...[...kept.values()].flatMap(({ tally }) => tally ?? []), ...removed.map(toTally)].toSorted(byStatusAndSlug)
      const diff = known
        ? { baselineAvailable: true, summary: summaryOf(tallies, configDiff), pages: tallies, siteConfig: configDiff }
        : { ...nothingClaimed, pages: [] }
      return { draft: { pages, siteConfig }, version, baseline, diff, otherSite }
    },

    /**
     * The `ContentDiff` of a draft as JSON in UTF-8. Refuses with 400 a site that may not be called, and with 413
     * `diff_too_large` a diff of more than `maxDiffBytes`.
     */
    async diff(id: DraftId, siteOrigin: string | undefined): Promise<Uint8Array> {
      let left = maxDiffBytes
      const toPart = (diff: PageDiff) => {
        const json = Buffer.from(JSON.stringify(diff))
        if ((left -= json.byteLength) < 0) throw diffTooLarge(maxDiffBytes)
        return { ...toTally(diff), json }
      }
      const { known, configDiff, notice, kept, removed } = await walk(id, siteOrigin, (_page, diff) => diff && toPart(diff))
      const parts = [...[...kept.values()].flatMap((part) => part ?? []), ...removed.map(toPart)].toSorted(byStatusAndSlug)
      const { pages: _pages, ...rest } = known
        ? { baselineAvailable: true, summary: summaryOf(parts, configDiff), pages: [], siteConfig: configDiff }
        : nothingClaimed
      return bytesWithPages(parts.map(({ json }) => json), { ...rest, ...(notice !== undefined && { notice }) })
    },
  }
}

export type Comparison = ReturnType<typeof createComparison>
