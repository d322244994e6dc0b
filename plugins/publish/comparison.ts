import type { SiteContent } from '../content/adapter.ts'
import { diffContent, type ContentDiff } from '../content/diff/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { builtinRegistry } from '../content/registry.ts'
import { home } from '../content/slugs.ts'
import type { Drafts } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { OwnFiles } from './assets.ts'
import type { Baselines } from './port.ts'

/** The whole draft of a site. */
export interface DraftContent {
  /** Home first. */
  readonly pages: readonly Page[]
  /** Absent for a draft that never had a config: the site keeps its own. */
  readonly siteConfig: SiteConfig | undefined
}

/** A draft beside what is published. */
export interface Compared {
  readonly draft: DraftContent
  readonly baseline: SiteContent | undefined
  /** Claims nothing without a baseline, and nothing of a draft that was never filled. */
  readonly diff: ContentDiff
  /** Why the diff claims nothing, where a client can do something about it. */
  readonly notice: string | undefined
  /** Says that the site to compare with is another one than that of the draft. */
  readonly otherSite: string | undefined
}

export interface ComparisonContext {
  readonly drafts: Drafts
  readonly baselines: Baselines
  readonly files: OwnFiles
}

/** Makes what reads drafts whole, and compares them with what is published. */
export function createComparison({ drafts, baselines, files }: ComparisonContext) {
  const draftOf = async (id: DraftId, published?: SiteConfig): Promise<DraftContent> => {
    const stored = await drafts.pages(id)
    const isHome = ({ slug }: Page): boolean => slug === home
    return {
      pages: [...stored.filter(isHome), ...stored.filter((page) => !isHome(page))],
      siteConfig: await drafts.config(id, published),
    }
  }

  return {
    draftOf,
    /** Refuses with 400 a site that may not be called. */
    async compare(id: DraftId, siteOrigin: string | undefined): Promise<Compared> {
      const { content: baseline, otherSite } = await baselines.read(id, { siteOrigin })
      const draft = await draftOf(id, baseline?.siteConfig)
      const notice = (await drafts.whyEmpty(id)) ?? otherSite
      const known = notice === undefined ? baseline : undefined
      const diff = diffContent({ draft: files.likeOn(known, draft), baseline: known, registry: builtinRegistry })
      return { draft, baseline, diff, notice, otherSite }
    },
  }
}

export type Comparison = ReturnType<typeof createComparison>
