import type { OwnFiles } from './assets.ts'
import { createKeyedQueue, Lru } from '../../kernel/index.ts'
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
  type PageTally,
} from '../content/diff/index.ts'
import type { Page } from '../content/page.ts'
import { bytesWithPages, keepPageBytes } from '../content/page-bytes.ts'
import { builtinRegistry } from '../content/registry.ts'
import { homeFirst } from '../content/slugs.ts'
import type { Drafts } from '../draft/port.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import type { BaselineFinder, BaselineSource } from './baseline.ts'
import type { Baseline } from './port.ts'
import { KeptDiff } from './kept-diff.ts'
import { diffTooLarge, publishTooLarge } from './refusals.ts'

/** The changes of a publish, without the blocks. */
export type DiffOverview = Omit<ContentDiff, 'pages' | 'notice'> & { readonly pages: readonly PageTally[] }

/** A draft and its baseline. */
export interface Compared {
  /** Home first; without a config if the draft never had one. */
  readonly draft: SiteContent
  /** A version of the draft; its content is at least as new. */
  readonly version: number
  readonly baseline: SiteContent | undefined
  /** Empty without a baseline, and for a draft that was never filled. */
  readonly diff: DiffOverview
  /** A notice that the compared site is not the site of the draft. */
  readonly otherSite: string | undefined
}

/** The maximum size in bytes of a diff that is not streamed. */
const putTogether = 256 * 1024
/** The size of the cache of diffs in bytes. */
const keptBytes = 128 * 1024 * 1024

/** Compares drafts with published content, page by page. */
export function createComparison({
  drafts,
  baselines,
  files,
  maxPublishBytes,
  maxDiffBytes,
}: {
  readonly drafts: Drafts
  readonly baselines: BaselineFinder
  readonly files: OwnFiles
  /** The maximum size of the pages of a publish in bytes. */
  readonly maxPublishBytes: number
  /** The maximum size of a diff in bytes; it lists blocks without their content. */
  readonly maxDiffBytes: number
}) {
  /** Cached diffs by draft. */
  const kept = new Lru<
    string,
    { readonly diff: KeptDiff; readonly baseline: string; readonly version: number }
  >(keptBytes)
  const queue = createKeyedQueue()

  /** Returns the current diff and config of a draft; reads only pages that changed since the last call. */
  const currentDiff = async (id: DraftId, { version: baseline, load }: BaselineSource) => {
    const key = draftKey(id)
    const known = kept.get(key)
    kept.delete(key)
    const changes = known && known.baseline === baseline ? await drafts.read(id, known.version) : undefined
    const before = changes?.isComplete === false ? known?.diff : undefined
    const { content, otherSite }: Baseline = before ? { content: undefined } : await load()
    const diff = before ?? (content && new KeptDiff(content, files))
    const siteConfig = await drafts.config(id, diff?.siteConfig)
    const notice = (await drafts.whyEmpty(id)) ?? otherSite
    if (!diff || notice !== undefined) return { notice }

    const { version, pages } = before && changes ? changes : await drafts.read(id)
    for await (const [slug, stored] of pages) {
      diff.set(slug, stored?.page)
      if (diff.size > maxDiffBytes) throw diffTooLarge(maxDiffBytes)
    }
    for (const slug of before ? [] : diff.missing) diff.set(slug, undefined)
    if (diff.size > maxDiffBytes) throw diffTooLarge(maxDiffBytes)
    if (baseline !== undefined) kept.set(key, { diff, baseline, version }, diff.publishedSize + 2 * diff.size)
    return { diff, siteConfig }
  }

  return {
    /**
     * Reads a draft for a publish, and compares it with the published content. Refuses a site that may not be
     * called with 400, and pages of more than `maxPublishBytes` with 413 `publish_too_large`.
     */
    async compare(id: DraftId, siteOrigin: string | undefined): Promise<Compared> {
      // Fills an empty draft from its site, which changes its version.
      await drafts.config(id)
      const { version } = await drafts.head(id)
      const { content: baseline, otherSite } = await baselines.read(id, { siteOrigin })
      const siteConfig = await drafts.config(id, baseline?.siteConfig)
      const isKnown = ((await drafts.whyEmpty(id)) ?? otherSite) === undefined
      const published = isKnown && baseline ? bySlug(baseline.pages) : undefined
      const like = files.likeOn(() => [baseline])
      const read = new Map<string, { readonly page: Page; readonly tally: PageTally | undefined }>()
      let left = maxPublishBytes
      for await (const [slug, stored] of drafts.each(id)) {
        if (!stored) {
          read.delete(slug)
          continue
        }
        const { page, bytes } = stored
        if ((left -= bytes.byteLength) < 0) throw publishTooLarge(maxPublishBytes)
        keepPageBytes(page, bytes)
        read.set(slug, {
          page,
          tally:
            published && toTally(diffPage(like(page), published.get(slug), { registry: builtinRegistry })),
        })
      }
      const pages = homeFirst(await drafts.rows(id)).flatMap(({ slug }) => read.get(slug)?.page ?? [])
      const removed = [...(published ?? [])]
        .filter(([slug]) => !read.has(slug))
        .map(([, page]) => toTally(removedPage(page)))
      const tallies = [...[...read.values()].flatMap(({ tally }) => tally ?? []), ...removed].toSorted(
        byStatusAndSlug,
      )
      const configDiff = diffSiteConfig(baseline?.siteConfig, like(siteConfig))
      const diff = published
        ? {
            baselineAvailable: true,
            summary: summaryOf(tallies, configDiff),
            pages: tallies,
            siteConfig: configDiff,
          }
        : { ...nothingClaimed, pages: [] }
      return { draft: { pages, siteConfig }, version, baseline, diff, otherSite }
    },

    /**
     * Returns the `ContentDiff` of a draft as JSON in UTF-8; streams a large one from cached parts. Refuses a
     * site that may not be called with 400, and a diff over `maxDiffBytes` with 413 `diff_too_large`.
     */
    async diff(id: DraftId, siteOrigin: string | undefined): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
      const source = await baselines.find(id, { siteOrigin })
      return queue.run(draftKey(id), async () => {
        const { diff, siteConfig, notice } = await currentDiff(id, source)
        if (diff)
          return diff.size <= putTogether
            ? Buffer.concat(diff.toParts(siteConfig))
            : streamOf(diff.toParts(siteConfig))
        const { pages: _pages, ...nothing } = nothingClaimed
        return bytesWithPages([], { ...nothing, ...(notice !== undefined && { notice }) })
      })
    },
  }
}

async function* streamOf(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts
}

export type Comparison = ReturnType<typeof createComparison>
