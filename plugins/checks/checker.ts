import { createPace } from '../../kernel/index.ts'
import type { Blobs } from '../blobs/port.ts'
import type { Page } from '../content/page.ts'
import { builtinRegistry } from '../content/registry.ts'
import { readManifest, type Drafts } from '../draft/port.ts'
import { toOrigin } from '../outbound/port.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'
import { byPlace, toFinding, withOwnIds, type Finding } from './finding.ts'
import type { ManifestShelf } from './manifest-shelf.ts'
import { viewPage, type Types } from './page-view.ts'
import { pageNotChecked } from './refusals.ts'
import type { Rule } from './rule.ts'
import { factsOf, viewSite, type PageFacts, type SiteView } from './site-view.ts'

/** What the rules find in one version of a draft. */
export interface Checked {
  readonly version: number
  /** Site-wide ones first, then page by page, home first. */
  readonly findings: readonly Finding[]
  readonly slugs: readonly string[]
  readonly site: SiteView
}

export interface Checker {
  /**
   * Checks a draft. Only pages that changed since the last time are read again. `componentsManifest` are the block types of
   * the site; they are kept for later checks that name none.
   *
   * Refuses with 413 `too_many_pages` a draft of more than `maxPages`, and with 400 a manifest that cannot be read.
   */
  check(id: DraftId, componentsManifest?: unknown): Promise<Checked>
}

export interface CheckerParts {
  readonly drafts: Drafts
  readonly sites: Sites
  readonly blobs: Blobs
  readonly rules: readonly Rule[]
  readonly shelf: ManifestShelf
  readonly maxPages: number
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
}

const mostDrafts = 50

export function createChecker({ drafts, sites, blobs, rules, shelf, maxPages }: CheckerParts): Checker {
  const known = new Map<string, Known>()
  const turns = new Map<string, Promise<unknown>>()

  const checkPage = (page: Page, types: Types): CheckedPage => {
    const view = viewPage(page, types)
    const findings = rules.flatMap((rule) => [...(rule.page?.(view, rule.params) ?? [])].map((found) => toFinding(rule.id, rule.severity, found)))
    return { facts: factsOf(view), findings: findings.toSorted(byPlace) }
  }

  /** What is known of a draft under these block types; whatever else was known is forgotten. */
  async function knownOf(id: DraftId, componentsManifest: unknown): Promise<Known> {
    const key = draftKey(id)
    const before = known.get(key)
    const text = componentsManifest === undefined ? undefined : JSON.stringify(componentsManifest)
    if (before && (text === undefined || text === before.manifestText)) {
      known.delete(key)
      known.set(key, before)
      return before
    }
    const manifest = readManifest(componentsManifest, builtinRegistry) ?? (await shelf.read(id))
    if (componentsManifest !== undefined) await shelf.keep(id, componentsManifest)
    const fresh: Known = { version: -1, manifestText: text, types: { registry: builtinRegistry, manifest }, pages: new Map(), files: new Set() }
    known.delete(key)
    known.set(key, fresh)
    for (const oldest of known.keys()) if (known.size > mostDrafts) known.delete(oldest)
    return fresh
  }

  async function refresh(id: DraftId, now: Known): Promise<void> {
    const { version, pageCount } = await drafts.head(id)
    if (pageCount > maxPages) throw pageNotChecked(maxPages)
    if (version === now.version && now.pages.size === pageCount) return
    const order = (await drafts.rows(id)).map(({ slug }) => slug)
    const later = now.version < 0 ? undefined : await drafts.changesAfter(id, now.version)
    const changed = later && new Set(later.flatMap(({ slugs, removedSlugs = [] }) => [...slugs, ...removedSlugs]))
    const pages = new Map(changed && now.pages)
    const pace = createPace()
    for await (const [slug, stored] of changed ? each(id, changed) : drafts.each(id)) {
      if (stored) pages.set(slug, checkPage(stored.page, now.types))
      else pages.delete(slug)
      await pace()
    }
    now.pages = new Map(order.map((slug) => [slug, pages.get(slug)] as const).filter((entry): entry is [string, CheckedPage] => entry[1] !== undefined))
    now.version = version
  }

  async function* each(id: DraftId, slugs: Iterable<string>) {
    for (const slug of slugs) yield [slug, await drafts.page(id, slug)] as const
  }

  /** Files that are not there. One that was there once stays. */
  async function missingFiles({ files, pages }: Known): Promise<ReadonlySet<string>> {
    const missing = new Set<string>()
    for (const { facts } of pages.values()) {
      for (const { name } of facts.files) {
        if (files.has(name) || missing.has(name)) continue
        const blob = await blobs.open(name)
        if (!blob) missing.add(name)
        else {
          files.add(name)
          await blob.bytes[Symbol.asyncIterator]().return?.()
        }
      }
    }
    return missing
  }

  async function check(id: DraftId, componentsManifest: unknown): Promise<Checked> {
    const now = await knownOf(id, componentsManifest)
    await refresh(id, now)
    const [config, previewUrl = '', missing] = await Promise.all([drafts.shownConfig(id), sites.previewUrl(id), missingFiles(now)])
    const facts = new Map([...now.pages].map(([slug, page]) => [slug, page.facts]))
    const site = viewSite(facts, { config, previewOrigin: toOrigin(previewUrl), missingFiles: missing })
    const bySlug = new Map<string | undefined, Finding[]>()
    const pace = createPace()
    for (const rule of rules) {
      for (const found of rule.site?.(site, rule.params) ?? []) {
        const list = bySlug.get(found.at.slug)
        if (list) list.push(toFinding(rule.id, rule.severity, found))
        else bySlug.set(found.at.slug, [toFinding(rule.id, rule.severity, found)])
      }
      await pace()
    }
    const slugs = site.pages.map(({ slug }) => slug)
    const findings = slugs.flatMap((slug) => {
      const own = now.pages.get(slug)?.findings ?? []
      const others = bySlug.get(slug)
      return others ? [...own, ...others].toSorted(byPlace) : own
    })
    return { version: now.version, findings: withOwnIds([...(bySlug.get(undefined) ?? []).toSorted(byPlace), ...findings]), slugs, site }
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
