import { pace, paced } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import { applyDelta, pageDelta, type PageDelta } from '../content/delta.ts'
import { bySlug } from '../content/diff/index.ts'
import { ingestPage } from '../content/ingest.ts'
import {
  comparable,
  type Conflict,
  fingerprint,
  mergePage,
  mergeSettings,
  samePage,
  type Side,
  type Three,
} from '../content/merge/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { isPlainObject, sameJson } from '../content/plain-object.ts'
import { builtinRegistry } from '../content/registry.ts'
import type { OpenConflict, Published, SiteAuthors } from '../draft/port.ts'
import { defineCollection, trusted, type Store, type Transaction } from '../store/port.ts'

/** What a publish changed on a page: the fingerprint of the page after it, and the difference. */
interface PageChange extends Published {
  readonly after: string
  readonly delta: PageDelta
}

/**
 * The newest changes of a page, newest first, under (site id, slug); those of the site config have an empty
 * slug.
 */
export const pageChanges = defineCollection('publish_changes', trusted<readonly PageChange[]>(), {
  columns: {},
})
const authorKey = (slug: string): string => `page ${slug}`
const maxPerPage = 20
const types = { registry: builtinRegistry }

/** A publish: what the site had before it and has after it, and the pages that it has changed. */
interface Publish extends Published {
  readonly before: SiteContent
  readonly after: SiteContent
  readonly slugs: readonly string[]
}

export async function recordAuthors(
  store: Pick<Store, 'transaction'>,
  siteId: string,
  { before, after, slugs, at, actor }: Publish,
): Promise<void> {
  const [old, now] = [bySlug(before.pages), bySlug(after.pages)]
  const changes = new Map<string, PageChange>()
  for await (const slug of paced(['', ...slugs])) {
    const [from, to] =
      slug === '' ? [asPage(before.siteConfig), asPage(after.siteConfig)] : [old.get(slug), now.get(slug)]
    if (!samePage(from, to))
      changes.set(slug, { at, actor, ...differenceOf(comparableOf(from), comparableOf(to)) })
  }
  if (changes.size === 0) return
  await store.transaction(async (tx) => {
    for await (const [slug, change] of paced(changes)) {
      const earlier = (await tx.of(pageChanges).get(siteId, authorKey(slug)))?.body ?? []
      const body = [change, ...earlier].slice(0, maxPerPage)
      await tx.of(pageChanges).put(siteId, authorKey(slug), { body, columns: {} })
    }
  })
}

/** Finds out who published what a site has, by the publishes of this installation. */
export function authorsOf(siteId: string): SiteAuthors {
  return {
    async ofConflicts(reader, conflicts, sides) {
      const found = new Map<string, Published>()
      for (const [slug, some] of Map.groupBy(conflicts, (conflict) => conflict.slug)) {
        const [base, ours] = [pageOn(sides.base, slug), pageOn(sides.ours, slug)]
        let open: readonly Conflict[] = some
        const isStill = async (theirs: Page | undefined): Promise<boolean> => {
          const pages = { base, ours, theirs }
          const { manifest } = sides
          const merged = slug === '' ? mergeConfigs(pages) : mergePage(pages, { ...types, manifest })
          const versions = new Map(merged.conflicts.map(({ id, theirsVersion }) => [id, theirsVersion]))
          open = open.filter(({ id, theirsVersion }) => versions.get(id) === theirsVersion)
          return open.length > 0
        }
        const onFound = (publish: Published) => open.forEach(({ id }) => found.set(id, publish))
        const page = pageOn(sides.theirs, slug)
        const publishes = await publishesOf(reader, siteId, slug, { page, isStill, onFound })
        // A value that was there before the publishes that are known came from elsewhere.
        if (!publishes) open.forEach(({ id }) => found.delete(id))
      }
      return found
    },
    async ofPages(reader, slugs, { base, theirs }) {
      const found: Published[] = []
      for (const slug of slugs) {
        const then = pageOn(base, slug)
        const isStill = (page: Page | undefined): boolean => !samePage(page, then)
        const publishes = await publishesOf(reader, siteId, slug, { page: pageOn(theirs, slug), isStill })
        if (!publishes?.every(({ actor }) => sameJson(actor, (found[0] ?? publishes[0])?.actor)))
          return undefined
        found.push(...publishes)
      }
      return found[0]?.actor
    },
  }
}

/** Adds to conflicts who published the value of the site, and when; `at` is the time of the others. */
export async function withAuthors(
  store: Store,
  siteId: string,
  {
    conflicts,
    sides,
  }: { readonly conflicts: readonly Conflict[]; readonly sides: Parameters<SiteAuthors['ofConflicts']>[2] },
  at: string,
): Promise<readonly OpenConflict[]> {
  const authors = await authorsOf(siteId).ofConflicts(store, conflicts, sides)
  return conflicts.map((conflict) => ({ ...conflict, ...(authors.get(conflict.id) ?? { at }) }))
}

const differenceOf = (before: Page | undefined, after: Page | undefined) => ({
  after: fingerprint({ page: after }),
  delta: pageDelta(before, after),
})

/**
 * Returns the publishes since which something is the case on a page, newest first; `undefined` if it came
 * from elsewhere.
 */
async function publishesOf(
  reader: Store | Transaction,
  siteId: string,
  slug: string,
  search: {
    readonly page: Page | undefined
    readonly isStill: (page: Page | undefined) => boolean | Promise<boolean>
    readonly onFound?: (publish: Published) => void
  },
): Promise<readonly Published[] | undefined> {
  const { page, isStill, onFound } = search
  let remaining = (await reader.of(pageChanges).get(siteId, authorKey(slug)))?.body ?? []
  const found: Published[] = []
  for (let now = comparableOf(page); await isStill(now);) {
    await pace()
    const after = fingerprint({ page: now })
    const at = remaining.findIndex((change) => change.after === after)
    const change = remaining[at]
    if (!change) return undefined
    const publish = { at: change.at, actor: change.actor }
    found.push(publish)
    onFound?.(publish)
    remaining = remaining.slice(at + 1)
    now = applyDelta(now, change.delta, 'backward')
  }
  return found
}

const comparableOf = (page: Page | undefined): Page | undefined => page && comparable(ingestPage(page, types))

const mergeConfigs = ({ base, ours, theirs }: Three<Page | undefined>) =>
  mergeSettings({ base: configIn(base), ours: configIn(ours), theirs: configIn(theirs) }, types)

/** The site config as a page without blocks. */
const asPage = (config: SiteConfig | undefined): Page | undefined =>
  config && { id: '', slug: '', title: '', updatedAt: '', blocks: [], config }

const configIn = (page: Page | undefined): SiteConfig | undefined =>
  isPlainObject(page?.['config']) ? page['config'] : undefined

const pageOn = ({ pages, siteConfig }: Side, slug: string): Page | undefined =>
  slug === '' ? asPage(siteConfig) : pages.get(slug)
