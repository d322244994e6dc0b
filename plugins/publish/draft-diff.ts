import type { SiteContent } from '../content/adapter.ts'
import {
  byStatusAndSlug,
  bySlug,
  diffPage,
  diffSiteConfig,
  removedPage,
  summaryOf,
  toTally,
  type ContentDiff,
  type PageTally,
} from '../content/diff/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { partsWithPages } from '../content/page-bytes.ts'
import { builtinRegistry } from '../content/registry.ts'
import type { OwnFiles } from './assets.ts'

/** The changes of a publish, without the blocks. */
export type DiffOverview = Omit<ContentDiff, 'pages' | 'notice'> & { readonly pages: readonly PageTally[] }

/** The diff of one page, with its JSON. */
type ComparedPage = PageTally & { readonly json: Uint8Array }

/** The diff of a draft, page by page: after a change of one page, only that page is compared again. */
export class DraftDiff {
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
