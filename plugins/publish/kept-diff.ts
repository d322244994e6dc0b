import type { SiteContent } from '../content/adapter.ts'
import {
  byStatusAndSlug,
  bySlug,
  diffPage,
  diffSiteConfig,
  removedPage,
  toTally,
  type ContentDiff,
  type PageTally,
} from '../content/diff/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { betweenCommas, partsWithPages } from '../content/page-bytes.ts'
import { builtinRegistry } from '../content/registry.ts'
import type { OwnFiles } from './assets.ts'

/** The part of a diff for one page. */
interface Part extends PageTally {
  readonly json: Uint8Array
}

/** Consecutive parts of the answer, with their bytes once joined. */
interface Run {
  readonly parts: Part[]
  bytes: Uint8Array | undefined
}

/** The maximum number of parts to join again after a change of one page. */
const longestRun = 512

/**
 * The cached diff of a draft: after a change of one page, only that page is compared again.
 *
 * Published pages are stored as JSON, which takes a fraction of the memory of objects.
 */
export class KeptDiff {
  readonly siteConfig: SiteConfig | undefined
  readonly #published: Map<string, Page | Uint8Array>
  readonly #parts = new Map<string, Part>()
  readonly #like: ReturnType<OwnFiles['likeOn']>
  readonly #count = { added: 0, modified: 0, removed: 0, unchanged: 0, fields: 0 }
  /** In the order of the answer; `undefined` until first used. */
  #runs: Run[] | undefined
  /** Bytes of all parts. */
  size = 0
  /** Bytes of the published pages. */
  publishedSize = 0

  constructor({ pages, siteConfig }: SiteContent, files: Pick<OwnFiles, 'likeOn'>) {
    this.siteConfig = siteConfig
    this.#published = new Map(bySlug(pages))
    this.#like = files.likeOn(() => [siteConfig, ...[...this.#published.values()].map(toPage)])
  }

  /** Slugs of published pages that are not compared yet. */
  get missing(): readonly string[] {
    return [...this.#published.keys()].filter((slug) => !this.#parts.has(slug))
  }

  /** Compares the current page of a draft, `undefined` if the draft has none. */
  set(slug: string, page: Page | undefined): void {
    const published = this.#publishedPage(slug)
    const diff = page
      ? diffPage(this.#like(page), published, { registry: builtinRegistry })
      : published && removedPage(published)
    const before = this.#parts.get(slug)
    if (before) this.#remove(before)
    if (diff) this.#add({ ...toTally(diff), json: Buffer.from(JSON.stringify(diff)) })
  }

  /** Returns the `ContentDiff` with this site config of the draft, as JSON in UTF-8, in parts. */
  toParts(siteConfig: SiteConfig | undefined): readonly Uint8Array[] {
    this.#runs ??= toRuns([...this.#parts.values()].toSorted(byStatusAndSlug))
    const runs = this.#runs.map(
      (run) => (run.bytes ??= Buffer.concat(betweenCommas(run.parts.map(({ json }) => json)))),
    )
    const configDiff = diffSiteConfig(this.siteConfig, this.#like(siteConfig))
    const { added, modified, removed, unchanged, fields } = this.#count
    const summary: ContentDiff['summary'] = {
      pagesAdded: added,
      pagesRemoved: removed,
      pagesModified: modified,
      pagesUnchanged: unchanged,
      totalChangedFields: fields,
      siteConfigChangedFields: configDiff.fieldDiffs.length,
    }
    return partsWithPages(runs, { baselineAvailable: true, summary, siteConfig: configDiff })
  }

  #publishedPage(slug: string): Page | undefined {
    const published = this.#published.get(slug)
    if (!published || published instanceof Uint8Array) return published && toPage(published)
    const json = Buffer.from(JSON.stringify(published))
    this.#published.set(slug, json)
    this.publishedSize += json.byteLength
    return published
  }

  #remove(part: Part): void {
    this.#parts.delete(part.slug)
    this.#tally(part, -1)
    const runs = this.#runs
    const run = runs && runOf(runs, part)
    if (!run) return
    run.parts.splice(run.parts.indexOf(part), 1)
    run.bytes = undefined
    if (run.parts.length === 0) runs.splice(runs.indexOf(run), 1)
  }

  #add(part: Part): void {
    this.#parts.set(part.slug, part)
    this.#tally(part, 1)
    const runs = this.#runs
    if (!runs) return
    const run = runOf(runs, part) ?? runs.at(-1)
    if (!run) return void runs.push({ parts: [part], bytes: undefined })
    const at = run.parts.findIndex((other) => byStatusAndSlug(other, part) > 0)
    run.parts.splice(at === -1 ? run.parts.length : at, 0, part)
    run.bytes = undefined
    if (run.parts.length > longestRun) runs.splice(runs.indexOf(run), 1, ...toRuns(run.parts))
  }

  #tally({ status, changedFields, json }: Part, sign: 1 | -1): void {
    this.#count[status] += sign
    this.#count.fields += sign * changedFields
    this.size += sign * json.byteLength
  }
}

const toPage = (published: Page | Uint8Array): Page =>
  published instanceof Uint8Array ? JSON.parse(Buffer.from(published).toString()) : published

/** Returns the run of a known or new part; `undefined` for a part after all runs. */
const runOf = (runs: readonly Run[], part: PageTally): Run | undefined =>
  runs.find(({ parts }) => byStatusAndSlug(parts.at(-1) ?? part, part) >= 0)

function toRuns(parts: readonly Part[]): Run[] {
  const length = longestRun / 2
  return Array.from({ length: Math.ceil(parts.length / length) }, (_, at) => ({
    parts: parts.slice(at * length, (at + 1) * length),
    bytes: undefined,
  }))
}
