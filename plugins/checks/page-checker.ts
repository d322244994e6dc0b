import { limitConcurrency, LRUCache, pace } from '../../kernel/index.ts'
import type { AvailableTypes } from '../content/model.ts'
import type { Page } from '../content/page.ts'
import { builtinRegistry } from '../content/registry.ts'
import { readManifest, type Drafts } from '../draft/port.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'
import { defineCollection, trusted, type Store } from '../store/port.ts'
import { byPlace, uniqueIds, toFinding, type Finding } from './view/finding.ts'
import { createOwnTexts, type OwnTexts } from './view/own-texts.ts'
import { viewPage } from './view/page-view.ts'
import { draftNotChecked, pageNotChecked, tooManyChecks, tooMuchFound } from './refusals.ts'
import { type Rule, rulesFor } from './view/rule.ts'
import { factsOf, type PageFacts } from './view/site-view.ts'

interface CheckedPage {
  readonly facts: PageFacts
  readonly findings: readonly Finding[]
  /** The estimated size in bytes. */
  readonly weight: number
}

/** The cached state of a draft: the findings and links of each page, without its content. */
export interface CheckedPages {
  version: number
  readonly manifestText: string | undefined
  /** The block types of the draft: those declared by its site, else the built-in ones. */
  readonly types: AvailableTypes
  pages: ReadonlyMap<string, CheckedPage>
  /** Files of its pages that are known to exist. */
  files: ReadonlySet<string>
  /** The estimated size in bytes. */
  weight: number
}

export interface PageCheckerOptions {
  readonly store: Store
  readonly drafts: Drafts
  readonly sites: Sites
  readonly rules: readonly Rule[]
  readonly maxPages: number
  readonly maxDraftBytes: number
}

const max = {
  /** The maximum number of findings of one rule on one page. */
  onPage: 200,
  /** The maximum number of links and findings of a draft. */
  entries: 400_000,
  /** The maximum number of queued first checks, over all drafts. */
  waiting: 8,
  /** The size of the cache of all drafts, in bytes. */
  cacheBytes: 128 * 1024 * 1024,
}
/** The sizes of a cached link or finding, page and draft, besides their texts. */
const least = { entry: 150, page: 1_000, draft: 2_000 }

/** The last block types that a site declared, by (site id, session). */
export const manifests = defineCollection('check_manifests', trusted<{ readonly manifest: unknown }>(), {
  columns: {},
})

type Context = PageCheckerOptions & { readonly ownOrigins: ReadonlySet<string> }

/** Creates what checks the pages of drafts one by one, and reads only those changed since the last check. */
export function createPageChecker(context: Context) {
  const cache = new LRUCache<string, CheckedPages>({
    maxSize: max.cacheBytes,
    sizeCalculation: ({ weight }) => weight,
  })
  const oneAtATime = limitConcurrency(1)
  let waiting = 0

  /** First checks read complete drafts and therefore run one at a time. */
  async function firstInTurn(job: () => Promise<void>): Promise<void> {
    if (waiting === max.waiting) throw tooManyChecks()
    waiting += 1
    await oneAtATime(job).finally(() => (waiting -= 1))
  }

  return async (id: DraftId, componentsManifest: unknown): Promise<CheckedPages> => {
    const key = draftKey(id)
    const now = await withTypes(id, componentsManifest, cache.get(key), context)
    if (now.version < 0) await firstInTurn(() => refresh(id, now, context))
    else await refresh(id, now, context)
    // The cache weighs a value only when it is new to it.
    cache.delete(key)
    cache.set(key, now)
    return now
  }
}

/** Returns the state of a draft for these block types; an empty one if the types changed. */
async function withTypes(
  id: DraftId,
  componentsManifest: unknown,
  before: CheckedPages | undefined,
  { store, sites }: Context,
): Promise<CheckedPages> {
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

/** Checks what changed since the last check. */
async function refresh(id: DraftId, now: CheckedPages, context: Context): Promise<void> {
  const { drafts, maxPages, maxDraftBytes } = context
  const { version: latest, pageCount, pageBytes } = await drafts.head(id)
  if (pageCount > maxPages) throw pageNotChecked(maxPages)
  if (pageBytes > maxDraftBytes) throw draftNotChecked(maxDraftBytes)
  if (latest === now.version && now.pages.size === pageCount) return
  const since = now.version < 0 ? undefined : now.version
  const { version, isComplete, pages: read } = await drafts.read(id, since)
  const pages = new Map(isComplete ? [] : now.pages)
  const checkOne = createPageCheck(now.types, context)
  let entries = [...pages.values()].reduce((sum, page) => sum + entriesOf(page), 0)
  for await (const [slug, stored] of read) {
    entries -= entriesOf(pages.get(slug))
    if (stored) pages.set(slug, await checkOne(stored.page))
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
  now.weight = least.draft + 6 * (now.manifestText?.length ?? 0)
  for (const { weight } of pages.values()) now.weight += weight
}

/** Creates what checks a page one rule at a time, yielding to other requests in between. */
function createPageCheck(types: AvailableTypes, { rules, ownOrigins }: Context) {
  const own = createOwnTexts()
  return async (page: Page): Promise<CheckedPage> => {
    const view = viewPage(page, types)
    const all: Finding[] = []
    await pace()
    for (const rule of rulesFor(page.slug, rules)) {
      const found = Iterator.from(rule.page?.(view, rule.params) ?? []).take(max.onPage)
      for (const each of found) all.push(withOwnTexts(toFinding(rule.id, rule.severity, each), own))
      await pace()
    }
    const facts = factsOf(view, ownOrigins, own)
    const findings = all.toSorted(byPlace).map(uniqueIds())
    return { facts, findings, weight: weightOf({ facts, findings }) }
  }
}

const withOwnTexts = (finding: Finding, own: OwnTexts): Finding => ({
  ...finding,
  id: own(finding.id),
  message: own(finding.message),
  value: finding.value === undefined ? undefined : own(finding.value),
})

type Checks = Pick<CheckedPage, 'facts' | 'findings'>

const entriesOf = (page: Checks | undefined): number =>
  page ? page.facts.links.length + page.findings.length : 0

function weightOf(page: Checks): number {
  const { title, metaTitle, description, links, anchors = [] } = page.facts
  const fixes = JSON.stringify(page.findings.map(({ fix }) => fix))
  const texts = [title, metaTitle, description, fixes, ...links.map(({ target }) => target), ...anchors]
  return least.page + least.entry * entriesOf(page) + texts.join('').length
}
