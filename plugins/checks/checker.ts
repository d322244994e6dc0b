import { createKeyedQueue, Lru, pace } from '../../kernel/index.ts'
import type { Blobs } from '../blobs/port.ts'
import type { KnownTypes, Manifest } from '../content/model.ts'
import type { Page } from '../content/page.ts'
import { builtinRegistry } from '../content/registry.ts'
import { readManifest, type Drafts } from '../draft/port.ts'
import { toOrigin, toOriginSet } from '../outbound/port.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'
import { defineCollection, trusted, type Store } from '../store/port.ts'
import { byPlace, uniqueIds, toFinding, type Finding } from './view/finding.ts'
import { viewPage } from './view/page-view.ts'
import { draftNotChecked, pageNotChecked, tooManyChecks, tooMuchFound } from './refusals.ts'
import type { Rule } from './view/rule.ts'
import { factsOf, viewSite, type PageFacts, type SiteView } from './view/site-view.ts'

/** The findings of the rules in one version of a draft. */
export interface Checked {
  readonly version: number
  /** Site-wide findings first, then page by page, starting with the home page. */
  readonly findings: readonly Finding[]
  readonly slugs: readonly string[]
  readonly site: SiteView
  /** The block types declared by the site, if any. */
  readonly manifest: Manifest | undefined
}

export type Checker = ReturnType<typeof createChecker>

export interface CheckerOptions {
  readonly store: Store
  readonly drafts: Drafts
  readonly sites: Sites
  readonly blobs: Blobs
  readonly rules: readonly Rule[]
  /** The public address of this service, without a trailing slash. */
  readonly address: string
  readonly maxPages: number
  readonly maxDraftBytes: number
}

interface CheckedPage {
  readonly facts: PageFacts
  readonly findings: readonly Finding[]
}

/** The cached state of a draft: the findings and links of each page, without its content. */
interface DraftCache {
  version: number
  readonly manifestText: string | undefined
  /** The block types of the draft: those declared by its site, else the built-in ones. */
  readonly types: KnownTypes
  pages: ReadonlyMap<string, CheckedPage>
  /** Files known to exist. */
  readonly files: Set<string>
  /** The estimated size in bytes. */
  weight: number
}

const max = {
  /** The maximum number of findings of one rule on one page. */
  onPage: 200,
  /** The maximum number of findings of one site-wide rule. */
  onSite: 5_000,
  /** The maximum number of links and findings of a draft. */
  entries: 200_000,
  /** The maximum number of missing files of a draft; further files are assumed to exist. */
  missingFiles: 2_000,
  /** The maximum number of Google Drive images whose copies are looked up. */
  driveImages: 500,
  /** The maximum number of queued first checks, over all drafts. */
  waiting: 8,
  /** The size of the cache of all drafts, in bytes. */
  cacheBytes: 128 * 1024 * 1024,
}
const bytesOfEntry = 300
const copyExtensions = ['webp', 'png', 'jpg', 'gif']
/** The minimum size of a cached draft. */
const minBytes = 2_000

/** The last block types that a site declared, by (site id, session). */
const manifests = defineCollection('check_manifests', trusted<{ readonly manifest: unknown }>(), {
  columns: {},
})

export function createChecker({
  store,
  drafts,
  sites,
  blobs,
  rules,
  address,
  maxPages,
  maxDraftBytes,
}: CheckerOptions) {
  const ownOrigins = toOriginSet([address])
  const cache = new Lru<string, DraftCache>(max.cacheBytes)
  const queue = createKeyedQueue()
  const firsts = createKeyedQueue()
  let waiting = 0

  /** Checks a page one rule at a time, yielding to other requests in between. */
  async function checkPage(page: Page, types: KnownTypes): Promise<CheckedPage> {
    const view = viewPage(page, types)
    const findings: Finding[] = []
    await pace()
    for (const rule of rules) {
      const found = Iterator.from(rule.page?.(view, rule.params) ?? []).take(max.onPage)
      for (const each of found) findings.push(toFinding(rule.id, rule.severity, each))
      await pace()
    }
    return { facts: factsOf(view, ownOrigins), findings: findings.toSorted(byPlace).map(uniqueIds()) }
  }

  /** Returns the cached state of a draft for these block types; starts an empty one if the types changed. */
  async function cachedOf(id: DraftId, componentsManifest: unknown): Promise<DraftCache> {
    const before = cache.get(draftKey(id))
    const { siteId, session } = id
    const named = componentsManifest || (await sites.blocks(id))
    const text = named && JSON.stringify(named)
    if (before && (text === undefined || text === before.manifestText)) return before
    const stored = (await store.of(manifests).get(siteId, session))?.body.manifest
    const raw = named ?? stored
    await pace()
    const manifest = readManifest(raw, builtinRegistry)
    await pace()
    const manifestText = raw === undefined ? undefined : JSON.stringify(raw)
    if (componentsManifest && manifestText !== JSON.stringify(stored)) {
      const row = { body: { manifest: raw }, columns: {} }
      await store.transaction(async (tx) => void (await tx.of(manifests).put(siteId, session, row)))
    }
    const types = { registry: builtinRegistry, manifest }
    return { version: -1, manifestText, types, pages: new Map(), files: new Set(), weight: 0 }
  }

  async function refresh(id: DraftId, now: DraftCache): Promise<void> {
    const { version: latest, pageCount, pageBytes } = await drafts.head(id)
    if (pageCount > maxPages) throw pageNotChecked(maxPages)
    if (pageBytes > maxDraftBytes) throw draftNotChecked(maxDraftBytes)
    if (latest === now.version && now.pages.size === pageCount) return
    const since = now.version < 0 ? undefined : now.version
    const { version, isComplete, pages: read } = await drafts.read(id, since)
    const pages = new Map(isComplete ? [] : now.pages)
    let entries = [...pages.values()].reduce((sum, page) => sum + entriesOf(page), 0)
    for await (const [slug, stored] of read) {
      entries -= entriesOf(pages.get(slug))
      if (stored) pages.set(slug, await checkPage(stored.page, now.types))
      else pages.delete(slug)
      entries += entriesOf(pages.get(slug))
      if (entries > max.entries) throw tooMuchFound(max.entries)
    }
    now.pages = new Map(
      (await drafts.rows(id)).flatMap(({ slug }) => {
        const page = pages.get(slug)
        return page ? [[slug, page] as const] : []
      }),
    )
    now.version = version
    // A manifest is cached both as text and parsed.
    now.weight = minBytes + 2 * pageBytes + entries * bytesOfEntry + 6 * (now.manifestText?.length ?? 0)
  }

  /** Returns files that do not exist. A file that was found once is assumed to stay. */
  async function missingFilesOf({ files, pages }: DraftCache): Promise<ReadonlySet<string>> {
    const missing = new Set<string>()
    for (const { facts } of pages.values()) {
      for (const { name } of facts.files) {
        if (files.has(name) || missing.has(name) || missing.size === max.missingFiles) continue
        const set = (await blobs.open(name)) ? files : missing
        set.add(name)
      }
    }
    return missing
  }

  async function copiesOf({ pages }: DraftCache): Promise<ReadonlyMap<string, string>> {
    const copies = new Map<string, string>()
    const ids = new Set([...pages.values()].flatMap(({ facts }) => facts.drive.map(({ id }) => id)))
    for (const id of [...ids].slice(0, max.driveImages)) {
      for (const key of copyExtensions.map((extension) => `gdrive_${id}.${extension}`)) {
        if (copies.has(id) || !(await blobs.open(key))) continue
        copies.set(id, `${address}/generated-images/${key}`)
      }
    }
    return copies
  }

  /** Returns findings of site-wide rules by page; the key `undefined` is the site itself. */
  async function findOnSite(site: SiteView): Promise<ReadonlyMap<string | undefined, readonly Finding[]>> {
    const bySlug = new Map<string | undefined, Finding[]>()
    for (const rule of rules) {
      let left = max.onSite
      for (const found of rule.site?.(site, rule.params) ?? []) {
        await pace()
        if (!found) continue
        const finding = toFinding(rule.id, rule.severity, found)
        const list = bySlug.get(found.at.slug) ?? []
        bySlug.set(found.at.slug, list)
        list.push(finding)
        left -= 1
        if (left === 0) break
      }
    }
    return bySlug
  }

  async function check(id: DraftId, componentsManifest: unknown): Promise<Checked> {
    const now = await cachedOf(id, componentsManifest)
    if (now.version < 0) await firstInTurn(() => refresh(id, now))
    else await refresh(id, now)
    cache.set(draftKey(id), now, now.weight)
    const asked = [drafts.shownConfig(id), sites.previewUrl(id), missingFilesOf(now), copiesOf(now)] as const
    const [config, previewUrl = '', missingFiles, driveCopies] = await Promise.all(asked)
    const facts = new Map([...now.pages].map(([slug, page]) => [slug, page.facts]))
    const previewOrigin = toOrigin(previewUrl)
    const site = viewSite(facts, { config, previewOrigin, ownOrigins, missingFiles, driveCopies })
    const others = await findOnSite(site)
    // Finding ids are unique within a page, but pages may share an id.
    const withUniqueId = uniqueIds()
    const findings = (others.get(undefined) ?? []).toSorted(byPlace).map(withUniqueId)
    for (const { slug } of site.pages) {
      await pace()
      const [own = [], more = []] = [now.pages.get(slug)?.findings, others.get(slug)]
      const all = more.length > 0 ? [...own, ...more].toSorted(byPlace) : own
      for (const finding of all) findings.push(withUniqueId(finding))
    }
    return {
      version: now.version,
      findings,
      slugs: site.pages.map(({ slug }) => slug),
      site,
      manifest: now.types.manifest,
    }
  }

  /** First checks read complete drafts and therefore run one at a time. */
  async function firstInTurn(job: () => Promise<void>): Promise<void> {
    if (waiting === max.waiting) throw tooManyChecks()
    waiting += 1
    await firsts.run('', job).finally(() => (waiting -= 1))
  }

  return {
    /**
     * Checks a draft, and reads only pages changed since the last check. `componentsManifest` declares the
     * block types of the site and is stored for later checks.
     *
     * Refuses with 413 `too_many_pages` beyond `maxPages`, 413 `draft_too_large` beyond `maxDraftBytes` or
     * 200,000 links and findings, 429 `too_many_checks` if eight first checks wait, 400 for a bad manifest.
     */
    check: (id: DraftId, componentsManifest?: unknown): Promise<Checked> =>
      queue.run(draftKey(id), () => check(id, componentsManifest)),
  }
}

const entriesOf = (page: CheckedPage | undefined): number =>
  page ? page.facts.links.length + page.findings.length : 0
