import type { OwnFiles } from './assets.ts'
import { createKeyedQueue, Lru } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import {
  byStatusAndSlug,
  bySlug,
  diffPage,
  diffSiteConfig,
  nothingClaimed,
  removedPage,
  summaryOf,
  toTally,
  type ContentDiff,
  type PageTally,
} from '../content/diff/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { bytesWithPages, keepPageBytes, partsWithPages } from '../content/page-bytes.ts'
import { builtinRegistry } from '../content/registry.ts'
import { homeFirst } from '../content/slugs.ts'
import type { Drafts } from '../draft/port.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import type { BaselineFinder, BaselineSource } from './baseline.ts'
import type { DiffRequest } from './schemas.ts'
import { diffTooLarge, draftMovedOn, publishTooLarge } from './refusals.ts'

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

/** The diff of one page, with its JSON. */
type ComparedPage = PageTally & { readonly json: Uint8Array }

/** The diff of a draft, page by page: after a change of one page, only that page is compared again. */
class DraftDiff {
  readonly siteConfig: SiteConfig | undefined
  /** JSON once compared, which takes a fraction of the memory of objects. */
  readonly #published: Map<string, Page | Uint8Array>
  readonly #pages = new Map<string, ComparedPage>()
  readonly #like: ReturnType<OwnFiles['likeOn']>
  /** Bytes of the diffs of all pages. */
  size = 0
  /** Bytes of the compared published pages. */
  publishedSize = 0

  constructor({ pages, siteConfig }: SiteContent, files: Pick<OwnFiles, 'likeOn'>) {
    this.siteConfig = siteConfig
    this.#published = new Map(bySlug(pages))
    this.#like = files.likeOn(() => [siteConfig, ...[...this.#published.values()].map(toPage)])
  }

  /** Compares the current page of a draft, `undefined` if the draft has none. */
  set(slug: string, page: Page | undefined): void {
    const published = this.#publishedPage(slug)
    const diff = page
      ? diffPage(this.#like(page), published, { registry: builtinRegistry })
      : published && removedPage(published)
    this.size -= this.#pages.get(slug)?.json.byteLength ?? 0
    this.#pages.delete(slug)
    if (!diff) return
    const json = Buffer.from(JSON.stringify(diff))
    this.#pages.set(slug, { ...toTally(diff), json })
    this.size += json.byteLength
  }

  /** Counts the published pages that were not compared as removed. */
  removeOthers(): void {
    for (const slug of this.#published.keys()) if (!this.#pages.has(slug)) this.set(slug, undefined)
  }

  /** Returns the diff with this site config of the draft. */
  overview(draftConfig: SiteConfig | undefined) {
    const pages = [...this.#pages.values()].toSorted(byStatusAndSlug)
    const siteConfig = diffSiteConfig(this.siteConfig, this.#like(draftConfig))
    return { baselineAvailable: true, summary: summaryOf(pages, siteConfig), pages, siteConfig }
  }

  /** Returns the `ContentDiff` as JSON in UTF-8, in parts. */
  toParts(draftConfig: SiteConfig | undefined, previewVersion: number): readonly Uint8Array[] {
    const { pages, ...rest } = this.overview(draftConfig)
    return partsWithPages(
      pages.map(({ json }) => json),
      { ...rest, previewVersion },
    )
  }

  #publishedPage(slug: string): Page | undefined {
    const published = this.#published.get(slug)
    if (!published || published instanceof Uint8Array) return published && toPage(published)
    const json = Buffer.from(JSON.stringify(published))
    this.#published.set(slug, json)
    this.publishedSize += json.byteLength
    return published
  }
}

const toPage = (published: Page | Uint8Array): Page =>
  published instanceof Uint8Array ? JSON.parse(Buffer.from(published).toString()) : published

/** The size of a chunk of an answer in bytes; a larger diff is streamed. */
const chunkBytes = 256 * 1024
/** The size of the cache of diffs in bytes. */
const cacheBytes = 128 * 1024 * 1024

/** Compares drafts with published content, page by page. */
export function createComparison(context: {
  readonly drafts: Drafts
  readonly baselines: BaselineFinder
  readonly files: OwnFiles
  /** The maximum size of the pages of a publish in bytes. */
  readonly maxPublishBytes: number
  /** The maximum size of a diff in bytes; it lists blocks without their content. */
  readonly maxDiffBytes: number
}) {
  const { drafts, baselines, files, maxPublishBytes, maxDiffBytes } = context
  /** Diffs by draft, with the versions of both sides. */
  const cache = new Lru<
    string,
    { readonly diff: DraftDiff; readonly baseline: string; readonly version: number }
  >(cacheBytes)
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
    if (baseline !== undefined)
      cache.set(key, { diff, baseline, version }, diff.publishedSize + 2 * diff.size)
    return { diff, siteConfig, version }
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
    },

    /**
     * Returns the `ContentDiff` of a draft as JSON in UTF-8; streams a large one from cached parts. Refuses a
     * site that may not be called with 400, a draft past `baseVersion` with 409 `draft_changed`, and a diff
     * over `maxDiffBytes` with 413 `diff_too_large`.
     */
    async diff(
      id: DraftId,
      { siteOrigin, baseVersion }: Pick<DiffRequest, 'siteOrigin' | 'baseVersion'>,
    ): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
      const source = await baselines.find(id, { siteOrigin })
      return queue.run(draftKey(id), async () => {
        const { diff, siteConfig, version, notice } = await currentDiff(id, source)
        const now = baseVersion === undefined ? undefined : (await drafts.head(id)).version
        if (now !== baseVersion) throw draftMovedOn(now ?? version)
        if (diff) {
          const parts = diff.toParts(siteConfig, version)
          return diff.size <= chunkBytes ? Buffer.concat(parts) : inChunks(parts)
        }
        const { pages: _pages, ...nothing } = nothingClaimed
        return bytesWithPages([], {
          ...nothing,
          previewVersion: version,
          ...(notice !== undefined && { notice }),
        })
      })
    },
  }
}

async function* inChunks(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  let chunk: Uint8Array[] = []
  let size = 0
  for (const part of parts) {
    chunk.push(part)
    if ((size += part.byteLength) < chunkBytes) continue
    yield Buffer.concat(chunk)
    ;[chunk, size] = [[], 0]
  }
  yield Buffer.concat(chunk)
}

export type Comparison = ReturnType<typeof createComparison>
