import { createKeyedQueue, pace, paced } from '../../kernel/index.ts'
import type { Blobs } from '../blobs/port.ts'
import type { Manifest } from '../content/model.ts'
import { toOriginSet } from '../outbound/port.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import { type CheckedPages, createPageChecker, type PageCheckerOptions } from './page-checker.ts'
import { byPlace, uniqueIds, toFinding, type Finding } from './view/finding.ts'
import { type Rule, rulesFor } from './view/rule.ts'
import { viewSite, type SiteView } from './view/site-view.ts'

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

export interface CheckerOptions extends PageCheckerOptions {
  readonly blobs: Blobs
  /** The public address of this service, without a trailing slash. */
  readonly address: string
}

const max = {
  /** The maximum number of findings of one site-wide rule. */
  onSite: 5_000,
  /** The maximum number of missing files of a draft; further files are assumed to exist. */
  missingFiles: 2_000,
  /** The maximum number of Google Drive images whose copies are looked up. */
  driveImages: 500,
}
const copyExtensions = ['webp', 'png', 'jpg', 'gif']

export function createChecker(options: CheckerOptions) {
  const { drafts, sites, rules } = options
  const ownOrigins = toOriginSet([options.address])
  const checkPages = createPageChecker({ ...options, ownOrigins })
  const queue = createKeyedQueue()

  async function check(id: DraftId, componentsManifest: unknown): Promise<Checked> {
    const now = await checkPages(id, componentsManifest)
    const [config, redirects = {}, head, previewUrl = '', missingFiles, driveCopies] = await Promise.all([
      drafts.shownConfig(id),
      drafts.redirects(id),
      drafts.head(id),
      sites.previewUrl(id),
      missingFilesOf(now, options),
      copiesOf(now, options),
    ])
    const facts = new Map([...now.pages].map(([slug, page]) => [slug, page.facts]))
    await pace()
    const site = viewSite(facts, {
      config,
      redirects,
      leftOut: head.leftOut,
      locked: head.locked,
      siteOrigins: toOriginSet([previewUrl]),
      ownOrigins,
      missingFiles,
      driveCopies,
    })
    return {
      version: now.version,
      findings: await inOrder(site, now, await findOnSite(site, rules)),
      slugs: site.pages.map(({ slug }) => slug),
      site,
      manifest: now.types.manifest,
    }
  }

  return {
    /**
     * Checks a draft, and reads only pages changed since the last check. `componentsManifest` declares the
     * block types of the site and is stored for later checks.
     *
     * Refuses with 413 `too_many_pages` beyond `maxPages`, 413 `draft_too_large` beyond `maxDraftBytes` or
     * 400,000 links and findings, 429 `too_many_checks` if eight first checks wait, 400 for a bad manifest.
     */
    check: (id: DraftId, componentsManifest?: unknown): Promise<Checked> =>
      queue.run(draftKey(id), () => check(id, componentsManifest)),
  }
}

/** Returns findings of site-wide rules. */
async function findOnSite(site: SiteView, rules: readonly Rule[]): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const rule of rulesFor(site.pages[0]?.slug, rules)) {
    let remaining = max.onSite
    for await (const found of paced(rule.site?.(site, rule.params) ?? [])) {
      if (!found) continue
      findings.push(toFinding(rule.id, rule.severity, found))
      remaining -= 1
      if (remaining === 0) break
    }
  }
  return findings
}

/** Returns all findings: those of the site itself, then page by page. */
async function inOrder(site: SiteView, { pages }: CheckedPages, onSite: readonly Finding[]) {
  const others = Map.groupBy(onSite, ({ at }) => at.slug)
  // Finding ids are unique within a page, but pages may share an id.
  const withUniqueId = uniqueIds()
  const findings = (others.get(undefined) ?? []).toSorted(byPlace).map(withUniqueId)
  for await (const { slug } of paced(site.pages)) {
    const [own = [], more = []] = [pages.get(slug)?.findings, others.get(slug)]
    const all = more.length > 0 ? [...own, ...more].toSorted(byPlace) : own
    for (const finding of all) findings.push(withUniqueId(finding))
  }
  return findings
}

/** Returns files that do not exist. A file that was found once is assumed to stay. */
async function missingFilesOf(
  checked: CheckedPages,
  { blobs }: CheckerOptions,
): Promise<ReadonlySet<string>> {
  const [found, missing] = [new Set<string>(), new Set<string>()]
  for (const { facts } of checked.pages.values()) {
    for (const { name } of facts.files) {
      if (found.has(name) || missing.has(name) || missing.size === max.missingFiles) continue
      const isThere = checked.files.has(name) || (await blobs.open(name)) !== undefined
      const set = isThere ? found : missing
      set.add(name)
    }
  }
  checked.files = found
  return missing
}

async function copiesOf(
  { pages }: CheckedPages,
  { blobs, address }: CheckerOptions,
): Promise<ReadonlyMap<string, string>> {
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
