import type { SiteContent } from '../content/adapter.ts'
import { diffContent, type ContentDiff } from '../content/diff/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { builtinRegistry } from '../content/registry.ts'
import { home } from '../content/slugs.ts'
import type { Drafts } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'
import type { OwnFiles } from './assets.ts'
import type { Baselines } from './port.ts'

/** The whole draft of a site. */
export interface DraftContent {
  /** Home first. */
  readonly pages: readonly Page[]
  readonly siteConfig: SiteConfig
}

/** A draft beside what is published. */
export interface Compared {
  readonly draft: DraftContent
  readonly baseline: SiteContent | undefined
  /** Claims nothing without a baseline. */
  readonly diff: ContentDiff
}

export interface ComparisonContext {
  readonly drafts: Drafts
  readonly sites: Sites
  readonly baselines: Baselines
  readonly files: OwnFiles
}

/** Makes what reads drafts whole, and compares them with what is published. */
export function createComparison({ drafts, sites, baselines, files }: ComparisonContext) {
  /** An empty draft is not filled from its site here: only looking at its pages does that. */
  const draftOf = async (id: DraftId): Promise<DraftContent> => {
    const isEmpty = (await drafts.head(id)).pageCount === 0
    const stored = isEmpty ? [] : await drafts.pages(id)
    const isHome = ({ slug }: Page): boolean => slug === home
    return {
      pages: [...stored.filter(isHome), ...stored.filter((page) => !isHome(page))],
      siteConfig: await sites.config(id),
    }
  }

  return {
    draftOf,
    /** Refuses with 400 a site that may not be called. */
    async compare(id: DraftId, siteOrigin: string | undefined): Promise<Compared> {
      const [baseline, draft] = await Promise.all([baselines.read(id, { siteOrigin }), draftOf(id)])
      const diff = diffContent({ draft: files.likeOn(baseline, draft), baseline, registry: builtinRegistry })
      return { draft, baseline, diff }
    },
  }
}

export type Comparison = ReturnType<typeof createComparison>
