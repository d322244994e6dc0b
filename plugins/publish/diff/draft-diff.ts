import { paced } from '../../../kernel/index.ts'
import type { SiteContent } from '../../content/adapter.ts'
import {
  diffPage,
  diffSiteConfig,
  nothingClaimed,
  removedPage,
  summaryOf,
  toTally,
  marked,
  type ContentDiff,
  type PageDiff,
  type PageTally,
  withConflicts,
} from '../../content/diff/index.ts'
import { omittedFrom, withoutEntries } from '../../content/carry.ts'
import { type Renames, sameAsRead, sideOf } from '../../content/merge/index.ts'
import type { Block, Page, SiteConfig } from '../../content/page.ts'
import type { Followed, OpenConflict, SiteState } from '../../draft/port.ts'
import { listed, type Unreadable } from '../../content/read-pages.ts'
import { sameJson } from '../../content/plain-object.ts'
import { redirectsAfter, redirectsKey, redirectsOf } from '../../content/redirects.ts'
import { partsWithPages } from '../../content/page-bytes.ts'
import { withShownText } from '../../content/shown-text.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { OwnFiles } from '../assets.ts'
import {
  type ComparedPage,
  countsOfChunk,
  differingIn,
  jsonOfChunk,
  packed,
  type DiffChunks,
  toChunks,
  usualPages,
  withoutPage,
  withPage,
} from './chunks.ts'

/** The changes of a publish, without the blocks. */
export type DiffOverview = Omit<ContentDiff, 'pages' | 'notice'> & {
  /** By slug: a renamed page is removed at its former slug, and added at the new one. */
  readonly pages: readonly PageTally[]
  /** As people see them: a renamed page is one page. */
  readonly shown: readonly PageTally[]
}

/** The JSON of a page of which none is asked for. */
const comma = ','

/** The bytes of the diff of a page, without its comma. */
const sizeOf = ({ json }: ComparedPage): number => Buffer.byteLength(json) - comma.length

/** The changes of a publish without a baseline. */
export const noOverview: DiffOverview = { ...nothingClaimed, pages: [], shown: [] }

/** The diff of a draft, page by page: after a change of one page, only that page is compared again. */
export class DraftDiff implements SiteState {
  siteConfig: SiteConfig | undefined
  unreadable: readonly Unreadable[] = []
  order: readonly string[] = []
  pages: ReadonlyMap<string, Page> = new Map()
  #skipped: readonly Unreadable[] | undefined
  /** Published pages that the draft had to leave out, by slug. */
  #omitted: ReadonlyMap<string, Unreadable> = new Map()
  readonly #pages = new Map<string, ComparedPage>()
  /** What is shown at the slugs that renamed pages have and had, in place of the comparison by slug. */
  #renamed: ReadonlyMap<string, ComparedPage | undefined> = new Map()
  #moves: Renames = new Map()
  /** The pages in the order of the answer, once they were asked for. */
  #inOrder: DiffChunks | undefined
  /** The pages that were compared since some were packed. */
  #unpacked: ComparedPage[] = []
  readonly #files: Pick<OwnFiles, 'likeOn'>
  readonly hasJson: boolean
  /** The slugs of pages that equal the published ones, as far as that was asked. */
  readonly #equal = new Set<string>()
  #like: ReturnType<OwnFiles['likeOn']> = (content) => content
  /** Whether the comparison of a page depends on the files that others name. */
  #comparesFiles = false
  /** Bytes of the diffs of all pages. */
  size = 0

  /** Without JSON, only an overview is asked for. */
  constructor(site: SiteContent, files: Pick<OwnFiles, 'likeOn'>, { hasJson = true } = {}) {
    this.#files = files
    this.hasJson = hasJson
    this.#take(site, sideOf(site).pages)
  }

  #take({ siteConfig, unreadable = [] }: SiteContent, pages: ReadonlyMap<string, Page>): void {
    this.siteConfig = siteConfig
    this.unreadable = listed(unreadable)
    this.pages = pages
    this.order = [...pages.keys()]
    this.#skipped = undefined
    this.#like = this.#files.likeOn(() => {
      this.#comparesFiles = true
      return [siteConfig, ...pages.values()]
    })
  }

  /**
   * Takes other content of the site. Returns the slugs of the pages that came, went or are other objects, which are
   * to be compared again; `undefined` without a change if all of them are.
   */
  update(site: SiteContent): readonly string[] | undefined {
    const now = sideOf(site).pages
    const all = [...new Set([...this.pages.keys(), ...now.keys()])]
    const others = all.filter((slug) => this.pages.get(slug) !== now.get(slug))
    if (this.#comparesFiles || others.length > now.size / 2) return undefined
    this.#take(site, now)
    for (const slug of others) this.#equal.delete(slug)
    return others
  }

  /** Compares the current page of a draft, `undefined` if the draft has none. */
  set(slug: string, page: Page | undefined): void {
    const compared = this.#compare(page, this.pages.get(slug))
    this.#forget(slug)
    if (!compared) return
    this.#pages.set(slug, compared)
    this.size += sizeOf(compared)
    this.#unpacked.push(compared)
    if (this.#unpacked.length === usualPages) packed(this.#unpacked.splice(0))
    if (this.#inOrder) this.#inOrder = withPage(this.#inOrder, compared)
  }

  /** Returns the published page if a page of the draft equals it, generated ids included: it is held once. */
  publishedAs(page: Page): Page | undefined {
    const published = this.pages.get(page.slug)
    if (!sameJson(page, published)) return undefined
    this.#equal.add(page.slug)
    return published
  }

  /** The same for the page at a slug as it was compared; `undefined` also if that was never asked. */
  publishedAt(slug: string): Page | undefined {
    return this.#equal.has(slug) ? this.pages.get(slug) : undefined
  }

  /** Shows pages as renamed, by their published slugs; `pages` are those of the draft at all of these. */
  setRenames(renames: Renames, pages: ReadonlyMap<string, Page>): void {
    this.#moves = renames
    const now = new Map(
      [...renames].filter(([from, slug]) => from !== slug && pages.has(slug) && this.pages.has(from)),
    )
    const former = new Map([...now].map(([from, slug]) => [slug, from]))
    // A page that replaces a published one is compared with that one.
    const replacing = [...former.keys()]
    for (const slug of replacing) {
      const from = former.get(slug)
      if (from === undefined || !this.pages.has(slug) || now.has(slug)) continue
      former.delete(slug)
      now.delete(from)
      replacing.push(from)
    }
    const shown = [...new Set([...former.keys(), ...now.keys()])].map((slug) => {
      const from = former.get(slug) ?? (now.has(slug) ? undefined : slug)
      const published = from === undefined ? undefined : this.pages.get(from)
      return [slug, this.#compare(pages.get(slug), published)] as const
    })
    this.#renamed = new Map(shown)
  }

  /** The site config with the redirects that follow from shown renames and new pages. */
  #siteConfigAfterMoves(): SiteConfig | undefined {
    const redirects = redirectsOf(this.siteConfig)
    if (!redirects) return this.siteConfig
    const added = this.#differing().flatMap(({ slug, status }) => (status === 'added' ? [slug] : []))
    const pages = new Set([...added, ...this.#moves.values()])
    const published = new Set(this.#moves.keys())
    return {
      ...this.siteConfig,
      [redirectsKey]: redirectsAfter(redirects, { moves: this.#moves, published, pages }),
    }
  }

  #compare(page: Page | undefined, published: Page | undefined): ComparedPage | undefined {
    const own = page && this.#like(page)
    const isSame = sameAsRead(own, published)
    const diff = own
      ? diffPage(own, isSame ? own : published, { registry: builtinRegistry })
      : published && removedPage(published)
    if (!diff) return undefined
    const isOther = !isSame && diff.status === 'unchanged'
    const json = this.hasJson ? jsonOf(diff) : comma
    return { ...toTally(diff), json, ...(isOther && { isOther: true as const }) }
  }

  #forget(slug: string): void {
    this.#equal.delete(slug)
    const before = this.#pages.get(slug)
    if (!before) return
    this.size -= sizeOf(before)
    this.#pages.delete(slug)
    if (this.#inOrder) this.#inOrder = withoutPage(this.#inOrder, before)
  }

  /** Counts the other published pages as removed, except those that the draft left out. */
  removeOthers(skipped: readonly Unreadable[]): void {
    if (this.#skipped && sameJson(this.#skipped, skipped)) return
    this.#skipped = skipped
    const draft = { has: (slug: string) => (this.#pages.get(slug)?.status ?? 'removed') !== 'removed' }
    this.#omitted = omittedFrom(draft, this.pages, skipped)
    for (const slug of this.pages.keys()) {
      if (this.#omitted.has(slug)) this.#forget(slug)
      else if (!this.#pages.has(slug)) this.set(slug, undefined)
    }
  }

  /** Takes over what a draft has after it has followed, or will have, besides pages with another version. */
  catchUp({ refreshed, ahead }: Pick<Followed, 'refreshed' | 'ahead'>, leftOut: readonly Unreadable[]): void {
    for (const [slug, page] of [...(refreshed ?? []), ...(ahead?.pages ?? [])]) this.set(slug, page)
    this.removeOthers(leftOut)
  }

  /** The slugs of the compared pages that differ. */
  get differing(): readonly string[] {
    return [...this.#differing().map(({ slug }) => slug), ...this.#omitted.keys()]
  }

  #differing(): readonly ComparedPage[] {
    return this.#all().flatMap(differingIn)
  }

  #all(): DiffChunks {
    return (this.#inOrder ??= toChunks(this.#pages.values()))
  }

  /** The page that is shown at a slug. */
  #shownAt(slug: string): ComparedPage | undefined {
    return this.#renamed.has(slug) ? this.#renamed.get(slug) : this.#pages.get(slug)
  }

  /** Returns the diff with this site config; entries of the site to be deleted are removed pages. */
  overview(draftConfig: SiteConfig | undefined): DiffOverview {
    const { shown, ...rest } = this.#overview(draftConfig)
    return { ...rest, pages: this.#all().flat(), shown: shown.flat() }
  }

  #overview(draftConfig: SiteConfig | undefined, remove: readonly string[] = []) {
    const { site, removed } = withoutEntries({ pages: [], unreadable: this.unreadable }, remove)
    let shown = this.#all()
    for (const slug of this.#renamed.keys()) {
      const page = this.#pages.get(slug)
      if (page) shown = withoutPage(shown, page)
    }
    const others = removed.filter(({ slug }) => !this.#renamed.has(slug)).map(gone)
    for (const page of [...this.#renamed.values(), ...others]) if (page) shown = withPage(shown, page)
    const siteConfig = diffSiteConfig(this.#siteConfigAfterMoves(), this.#like(draftConfig))
    const omitted = [...this.#omitted.values()].filter(({ slug }) => !this.#pages.has(slug))
    const unreadable = [...(site.unreadable ?? []), ...omitted]
    return {
      baselineAvailable: true,
      summary: summaryOf(shown.map(countsOfChunk), siteConfig),
      shown,
      siteConfig,
      ...(unreadable.length > 0 && { unreadable }),
    }
  }

  /**
   * Returns the `ContentDiff` as JSON in UTF-8, in parts; joins only chunks with changed pages again.
   * `drafted` are the pages of the draft with conflicts.
   */
  async toParts(
    draftConfig: SiteConfig | undefined,
    drafted: ReadonlyMap<string, Page>,
    details: {
      readonly [Key in 'previewVersion' | 'branch' | 'shrunk' | 'notice' | 'locked']?:
        ContentDiff[Key] | undefined
    } & { readonly conflicts: readonly OpenConflict[]; readonly notes?: readonly string[] | undefined },
    remove?: readonly string[],
  ): Promise<readonly Uint8Array[]> {
    const { shown, siteConfig, ...rest } = this.#overview(draftConfig, remove)
    const conflicts = Map.groupBy(details.conflicts, ({ slug }) => slug)
    let chunks = shown
    for await (const [slug, own] of paced(conflicts)) {
      const page = this.#shownAt(slug)
      if (page)
        chunks = withPage(
          withoutPage(chunks, page),
          namingConflicts(page, own, drafted.get(slug)?.blocks ?? []),
        )
    }
    const fieldDiffs = marked(siteConfig.fieldDiffs, conflicts.get('') ?? [])
    const joined = await Array.fromAsync(paced(chunks), jsonOfChunk)
    return partsWithPages(
      joined.map((json, at) => (at === 0 ? json.subarray(1) : json)),
      { ...rest, siteConfig: { ...siteConfig, fieldDiffs }, ...withShownText(details) },
    )
  }
}

const jsonOf = (diff: PageDiff): string => `,${JSON.stringify(diff)}`

/** Returns the diff of a page whose values name their conflicts; `blocks` are those of the draft. */
function namingConflicts(
  page: ComparedPage,
  conflicts: readonly OpenConflict[],
  blocks: readonly Block[],
): ComparedPage {
  const diff: PageDiff = JSON.parse(Buffer.from(page.json).toString().slice(1))
  return { ...page, json: jsonOf(withConflicts(diff, conflicts, blocks)) }
}

/** The diff of an entry that cannot be read and is deleted. */
function gone({ slug }: Unreadable): ComparedPage {
  const json = jsonOf({ slug, status: 'removed', blockDiffs: [] })
  return { slug, status: 'removed', changedFields: 0, json }
}
