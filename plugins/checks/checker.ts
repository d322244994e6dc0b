import { createPace } from '../../kernel/index.ts'
import type { Blobs } from '../blobs/port.ts'
import type { Manifest } from '../content/model.ts'
import type { Page } from '../content/page.ts'
import { builtinRegistry } from '../content/registry.ts'
import { readManifest, type Drafts } from '../draft/port.ts'
import { toOrigin, toOriginSet } from '../outbound/port.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'
import { defineCollection, trusted, type Store } from '../store/port.ts'
import { byPlace, ownIds, toFinding, type Finding } from './view/finding.ts'
import { viewPage, type Types } from './view/page-view.ts'
import { draftNotChecked, pageNotChecked, tooManyChecks, tooMuchFound } from './refusals.ts'
import type { Rule } from './view/rule.ts'
import { factsOf, viewSite, type PageFacts, type SiteView } from './view/site-view.ts'

/** What the rules find in one version of a draft. */
export interface Checked {
  readonly version: number
  /** Site-wide ones first, then page by page, home first. */
  readonly findings: readonly Finding[]
  readonly slugs: readonly string[]
  readonly site: SiteView
  /** The block types of the site, where it has said so. */
  readonly manifest: Manifest | undefined
}

export interface Checker {
  /**
   * Checks a draft. Only pages that changed since the last time are read again. `componentsManifest` are the block types of
   * the site; they are kept for later checks that name none.
   *
   * Refuses with 413 `too_many_pages` a draft of more than `maxPages`, with 413 `draft_too_large` one of more than
   * `maxDraftBytes` or with more than 200,000 links and findings, with 429 `too_many_checks` the first check of a draft
   * while eight others wait for theirs, and with 400 a manifest that cannot be read.
   */
  check(id: DraftId, componentsManifest?: unknown): Promise<Checked>
}

export interface CheckerParts {
  readonly store: Store
  readonly drafts: Drafts
  readonly sites: Sites
  readonly blobs: Blobs
  readonly rules: readonly Rule[]
  /** Of this service, as browsers have it, without a slash at its end. */
  readonly address: string
  readonly maxPages: number
  readonly maxDraftBytes: number
}

interface CheckedPage {
  readonly facts: PageFacts
  readonly findings: readonly Finding[]
}

/** What is kept of a draft: what the rules found on each page, and nothing of the pages themselves but their links. */
interface Known {
  version: number
  readonly manifestText: string | undefined
  readonly types: Types
  pages: ReadonlyMap<string, CheckedPage>
  readonly files: Set<string>
  /** An estimate of its bytes. */
  weight: number
}

const most = {
  /** Findings of one rule on one page. */
  onPage: 200,
  /** Findings of one rule that looks at the whole site. */
  onSite: 5_000,
  /** Links and findings of a draft. */
  entries: 200_000,
  /** Missing files of a draft; those after them count as present. */
  missingFiles: 2_000,
  /** Pictures of Google Drive whose copies are looked for. */
  driveImages: 500,
  /** First checks that wait, of all drafts together. */
  waiting: 8,
  /** Bytes that are kept of all drafts together. */
  keptBytes: 128 * 1024 * 1024,
}
const bytesOfEntry = 300
const copyExtensions = ['webp', 'png', 'jpg', 'gif']
/** Of a draft of which hardly anything is known. */
const leastBytes = 2_000

/** The block types that a site declared last, under (site id, session). */
const manifests = defineCollection('check_manifests', trusted<{ readonly manifest: unknown }>(), { columns: {} })

export function createChecker({ store, drafts, sites, blobs, rules, address, maxPages, maxDraftBytes }: CheckerParts): Checker {
  const ownOrigins = toOriginSet([address])
  const known = new Map<string, Known>()
  const turns = new Map<string, Promise<unknown>>()
  let firsts: Promise<unknown> = Promise.resolve()
  let waiting = 0

  /** One rule of one page at a time, with other requests in between. */
  async function checkPage(page: Page, types: Types, pace: Pace): Promise<CheckedPage> {
    const view = viewPage(page, types)
    const findings: Finding[] = []
    await pace()
    for (const rule of rules) {
      let left = most.onPage
      for (const found of rule.page?.(view, rule.params) ?? []) {
        findings.push(toFinding(rule.id, rule.severity, found))
        left -= 1
        if (left === 0) break
      }
      await pace()
    }
    return { facts: factsOf(view, ownOrigins), findings: findings.toSorted(byPlace).map(ownIds()) }
  }

  /** What is known of a draft under these block types; anything else that was known is forgotten. */
  async function knownOf(id: DraftId, componentsManifest: unknown): Promise<Known> {
    const before = known.get(draftKey(id))
    const given = componentsManifest === undefined ? undefined : JSON.stringify(componentsManifest)
    if (before && (given === undefined || given === before.manifestText)) return before
    const { siteId, session } = id
    const kept = (await store.of(manifests).get(siteId, session))?.body.manifest
    const raw = componentsManifest ?? kept
    const manifest = readManifest(raw, builtinRegistry)
    const manifestText = raw === undefined ? undefined : JSON.stringify(raw)
    if (given !== undefined && given !== JSON.stringify(kept))
      await store.transaction(async (tx) => void (await tx.of(manifests).put(siteId, session, { body: { manifest: raw }, columns: {} })))
    return { version: -1, manifestText, types: { registry: builtinRegistry, manifest }, pages: new Map(), files: new Set(), weight: 0 }
  }

  /** Keeps what is known of a draft, and of the others as many as there is room for. */
  function keep(id: DraftId, now: Known): void {
    known.delete(draftKey(id))
    known.set(draftKey(id), now)
    let kept = [...known.values()].reduce((sum, { weight }) => sum + weight, 0)
    for (const [key, { weight }] of known) {
      if (kept <= most.keptBytes) break
      known.delete(key)
      kept -= weight
    }
  }

  async function refresh(id: DraftId, now: Known): Promise<void> {
    const { version, pageCount, pageBytes } = await drafts.head(id)
    if (pageCount > maxPages) throw pageNotChecked(maxPages)
    if (pageBytes > maxDraftBytes) throw draftNotChecked(maxDraftBytes)
    if (version === now.version && now.pages.size === pageCount) return
    const later = now.version < 0 ? undefined : await drafts.changesAfter(id, now.version)
    const changed = later && new Set(later.flatMap(({ slugs, removedSlugs = [] }) => [...slugs, ...removedSlugs]))
    const pages = new Map(changed && now.pages)
    let entries = [...pages.values()].reduce((sum, page) => sum + entriesOf(page), 0)
    const pace = createPace()
    for await (const [slug, stored] of changed ? each(id, changed) : drafts.each(id)) {
      entries -= entriesOf(pages.get(slug))
      if (stored) pages.set(slug, await checkPage(stored.page, now.types, pace))
      else pages.delete(slug)
      entries += entriesOf(pages.get(slug))
      if (entries > most.entries) throw tooMuchFound(most.entries)
    }
    const order = (await drafts.rows(id)).map(({ slug }) => slug)
    now.pages = new Map(order.map((slug) => [slug, pages.get(slug)] as const).filter((entry): entry is [string, CheckedPage] => entry[1] !== undefined))
    now.version = version
    // A manifest is kept as a text and as what it says.
    now.weight = leastBytes + 2 * pageBytes + entries * bytesOfEntry + 6 * (now.manifestText?.length ?? 0)
  }

  async function* each(id: DraftId, slugs: Iterable<string>) {
    for (const slug of slugs) yield [slug, await drafts.page(id, slug)] as const
  }

  /** Files that are not there. One that was there once stays. */
  async function missingFiles({ files, pages }: Known): Promise<ReadonlySet<string>> {
    const missing = new Set<string>()
    for (const { facts } of pages.values()) {
      for (const { name } of facts.files) {
        if (files.has(name) || missing.has(name) || missing.size === most.missingFiles) continue
        const set = (await blobs.open(name)) ? files : missing
        set.add(name)
      }
    }
    return missing
  }

  async function copiesOf({ pages }: Known): Promise<ReadonlyMap<string, string>> {
    const copies = new Map<string, string>()
    const ids = new Set([...pages.values()].flatMap(({ facts }) => facts.drive.map(({ id }) => id)))
    for (const id of [...ids].slice(0, most.driveImages)) {
      for (const key of copyExtensions.map((extension) => `gdrive_${id}.${extension}`)) {
        if (copies.has(id) || !(await blobs.open(key))) continue
        copies.set(id, `${address}/generated-images/${key}`)
      }
    }
    return copies
  }

  /** Findings of rules over the whole site, by page; `undefined` is the site itself. */
  async function findOnSite(site: SiteView, pace: Pace): Promise<ReadonlyMap<string | undefined, readonly Finding[]>> {
    const bySlug = new Map<string | undefined, Finding[]>()
    for (const rule of rules) {
      let left = most.onSite
      for (const found of rule.site?.(site, rule.params) ?? []) {
        await pace()
        if (!found) continue
        const finding = toFinding(rule.id, rule.severity, found)
        const list = bySlug.get(found.at.slug)
        if (list) list.push(finding)
        else bySlug.set(found.at.slug, [finding])
        left -= 1
        if (left === 0) break
      }
    }
    return bySlug
  }

  async function check(id: DraftId, componentsManifest: unknown): Promise<Checked> {
    const now = await knownOf(id, componentsManifest)
    if (now.version < 0) await inTurn(() => refresh(id, now))
    else await refresh(id, now)
    keep(id, now)
    const [config, previewUrl = '', missing, driveCopies] = await Promise.all([drafts.shownConfig(id), sites.previewUrl(id), missingFiles(now), copiesOf(now)])
    const facts = new Map([...now.pages].map(([slug, page]) => [slug, page.facts]))
    const site = viewSite(facts, { config, previewOrigin: toOrigin(previewUrl), ownOrigins, missingFiles: missing, driveCopies })
    const pace = createPace()
    const others = await findOnSite(site, pace)
    // The findings of one page have ids of their own already; pages may share an id.
    const withOwnId = ownIds()
    const hasCopies = new Set(site.pages.map(({ at }) => at.pageId)).size < site.pages.length
    const findings = (others.get(undefined) ?? []).toSorted(byPlace).map(withOwnId)
    for (const { slug } of site.pages) {
      await pace()
      const own = now.pages.get(slug)?.findings ?? []
      const more = others.get(slug)?.toSorted(byPlace).map(hasCopies ? (finding) => finding : withOwnId)
      for (const finding of more ? [...own, ...more].toSorted(byPlace) : own) findings.push(hasCopies ? withOwnId(finding) : finding)
    }
    return { version: now.version, findings, slugs: site.pages.map(({ slug }) => slug), site, manifest: now.types.manifest }
  }

  /** First checks read whole drafts; one at a time has to do. */
  async function inTurn<T>(job: () => Promise<T>): Promise<T> {
    if (waiting === most.waiting) throw tooManyChecks()
    waiting += 1
    const turn = firsts.then(job, job)
    firsts = turn
    try {
      return await turn
    } finally {
      waiting -= 1
    }
  }

  return {
    async check(id, componentsManifest) {
      const key = draftKey(id)
      const next = (): Promise<Checked> => check(id, componentsManifest)
      const turn = (turns.get(key) ?? Promise.resolve()).then(next, next)
      turns.set(key, turn)
      try {
        return await turn
      } finally {
        if (turns.get(key) === turn) turns.delete(key)
      }
    },
  }
}

type Pace = ReturnType<typeof createPace>

const entriesOf = (page: CheckedPage | undefined): number => (page ? page.facts.links.length + page.findings.length : 0)
