import type { OwnFiles } from './assets.ts'
import { createKeyedQueue, LRUCache, pace } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import { nothingClaimed } from '../content/diff/index.ts'
import type { Page } from '../content/page.ts'
import { bytesWithPages, keepPageBytes } from '../content/page-bytes.ts'
import { homeFirst } from '../content/slugs.ts'
import type { Drafts } from '../draft/port.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import type { BaselineFinder, BaselineSource } from './baseline.ts'
import { DraftDiff, type DiffOverview } from './draft-diff.ts'
import type { DiffRequest } from './schemas.ts'
import { diffTooLarge, draftMovedOn, publishTooLarge } from './refusals.ts'

/** Content that does not change with its draft. */
export interface Pinned {
  readonly content: SiteContent
  /** The version of the draft that it was. */
  readonly version?: number | undefined
  /** The snapshot that it was. */
  readonly commit?: string | undefined
  /** The scheduled publish that it belongs to. */
  readonly scheduledId?: string | undefined
}

/** A draft and its baseline. */
export interface Compared {
  /** Home first; without a config if the draft never had one. */
  readonly draft: SiteContent
  /** A version of the draft; its content is at least as new. `undefined` for content that was no draft. */
  readonly version: number | undefined
  readonly baseline: SiteContent | undefined
  /** Empty without a baseline, and for a draft that was never filled. */
  readonly diff: DiffOverview
  /** A notice that the compared site is not the site of the draft. */
  readonly otherSite: string | undefined
}

/** The size in bytes of the largest diff that is not streamed. */
const mostBytesAtOnce = 256 * 1024
/** The size of the cache of diffs in bytes. */
const cacheBytes = 128 * 1024 * 1024
/** The size of a cached diff of two empty sites. */
const leastBytes = 1_000

interface ComparisonContext {
  readonly drafts: Drafts
  readonly baselines: BaselineFinder
  readonly files: OwnFiles
  /** The maximum size of the pages of a publish in bytes. */
  readonly maxPublishBytes: number
  /** The maximum size of a diff in bytes; it lists blocks without their content. */
  readonly maxDiffBytes: number
}

export type Compare = ReturnType<typeof createCompare>

/** Creates the function that compares what a publish sends with the published content. */
export function createCompare({ drafts, baselines, files, maxPublishBytes }: ComparisonContext) {
  const comparePinned = async (
    id: DraftId,
    siteOrigin: string | undefined,
    { content, version }: Pinned,
  ): Promise<Compared> => {
    const { content: baseline, otherSite } = await baselines.read(id, { siteOrigin })
    const diff = baseline && otherSite === undefined ? new DraftDiff(baseline, files) : undefined
    for (const page of content.pages) {
      diff?.set(page.slug, page)
      await pace()
    }
    diff?.removeOthers()
    const overview = diff?.overview(content.siteConfig) ?? { ...nothingClaimed, pages: [] }
    return { draft: content, version, baseline, diff: overview, otherSite }
  }

  /**
   * Reads a draft for a publish, and compares it with the published content. Refuses a site that may not be
   * called with 400, and pages of more than `maxPublishBytes` with 413 `publish_too_large`. Pinned content
   * takes the place of the draft.
   */
  return async (id: DraftId, siteOrigin: string | undefined, pinned?: Pinned): Promise<Compared> => {
    if (pinned) return comparePinned(id, siteOrigin, pinned)
    // Fills an empty draft from its site, which changes its version.
    await drafts.config(id)
    const { version } = await drafts.head(id)
    const { content: baseline, otherSite } = await baselines.read(id, { siteOrigin })
    const siteConfig = await drafts.config(id, baseline?.siteConfig)
    const isKnown = ((await drafts.whyEmpty(id)) ?? otherSite) === undefined
    const diff = isKnown && baseline ? new DraftDiff(baseline, files) : undefined
    const read = new Map<string, Page>()
    let left = maxPublishBytes
    for await (const [slug, stored] of (await drafts.read(id)).pages) {
      diff?.set(slug, stored?.page)
      read.delete(slug)
      if (!stored) continue
      if ((left -= stored.bytes.byteLength) < 0) throw publishTooLarge(maxPublishBytes)
      keepPageBytes(stored.page, stored.bytes)
      read.set(slug, stored.page)
    }
    diff?.removeOthers()
    const pages = homeFirst(await drafts.rows(id)).flatMap(({ slug }) => read.get(slug) ?? [])
    const overview = diff?.overview(siteConfig) ?? { ...nothingClaimed, pages: [] }
    return { draft: { pages, siteConfig }, version, baseline, diff: overview, otherSite }
  }
}

/** Creates the function that compares drafts with published content, page by page. */
export function createDiffs({ drafts, baselines, files, maxDiffBytes }: ComparisonContext) {
  /** Diffs by draft, with the versions of both sides. */
  const cache = new LRUCache<
    string,
    { readonly diff: DraftDiff; readonly baseline: string; readonly version: number }
  >({ maxSize: cacheBytes, sizeCalculation: ({ diff }) => leastBytes + diff.publishedSize + 3 * diff.size })
  const queue = createKeyedQueue()

  /** Returns the current diff and config of a draft; reads only pages that changed since the last call. */
  const currentDiff = async (id: DraftId, { version: baseline, load }: BaselineSource) => {
    const key = draftKey(id)
    const known = cache.get(key)
    cache.delete(key)
    const changes = known && known.baseline === baseline ? await drafts.read(id, known.version) : undefined
    const before = changes?.isComplete === false ? known?.diff : undefined
    const { content, otherSite } = before ? { content: undefined } : await load()
    const diff = before ?? (content && new DraftDiff(content, files))
    // The version first: what is read after it is at least as new, so that a publish of it sends nothing unseen.
    const { version, pages } = before && changes ? changes : await drafts.read(id)
    const siteConfig = await drafts.config(id, diff?.siteConfig)
    const notice = (await drafts.whyEmpty(id)) ?? otherSite
    if (!diff || notice !== undefined) return { notice, version }

    for await (const [slug, stored] of pages) {
      diff.set(slug, stored?.page)
      if (diff.size > maxDiffBytes) throw diffTooLarge(maxDiffBytes)
    }
    if (!before) diff.removeOthers()
    if (diff.size > maxDiffBytes) throw diffTooLarge(maxDiffBytes)
    if (baseline !== undefined) cache.set(key, { diff, baseline, version })
    return { diff, siteConfig, version }
  }

  /**
   * Returns the `ContentDiff` of a draft as JSON in UTF-8; streams a large one from cached parts. Refuses a
   * site that may not be called with 400, a draft past `baseVersion` with 409 `draft_changed`, and a diff
   * over `maxDiffBytes` with 413 `diff_too_large`.
   */
  return async (
    id: DraftId,
    { siteOrigin, baseVersion }: Pick<DiffRequest, 'siteOrigin' | 'baseVersion'>,
  ): Promise<Uint8Array | AsyncIterable<Uint8Array>> => {
    const source = await baselines.find(id, { siteOrigin })
    return queue.run(draftKey(id), async () => {
      const { diff, siteConfig, version, notice } = await currentDiff(id, source)
      const now = baseVersion === undefined ? undefined : (await drafts.head(id)).version
      if (now !== baseVersion) throw draftMovedOn(now ?? version)
      if (diff) {
        const parts = diff.toParts(siteConfig, version)
        return diff.size <= mostBytesAtOnce ? Buffer.concat(parts) : oneByOne(parts)
      }
      const { pages: _pages, ...nothing } = nothingClaimed
      return bytesWithPages([], {
        ...nothing,
        previewVersion: version,
        ...(notice !== undefined && { notice }),
      })
    })
  }
}

async function* oneByOne<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}
