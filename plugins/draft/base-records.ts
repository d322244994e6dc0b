import { pageDelta } from '../content/delta.ts'
import { samePage } from '../content/merge/index.ts'
import type { PageChange } from '../content/model.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { sameJson } from '../content/plain-object.ts'
import type { ChangeSet } from './change-set.ts'
import { type Base, pageBase, type PageRecord, type Records, slugOfBase } from './collections.ts'
import { configRecords } from './config-records.ts'
import { type PageState, turned, type Way } from './page-records.ts'
import type { DraftTransaction } from './transaction.ts'

type Bases = ReadonlyMap<string, Base | undefined>

/** A side of the change of bases, with the content that is the base where none is stored. */
interface BaseSide {
  readonly bases: Bases
  readonly pages: ReadonlyMap<string, Page | undefined>
  readonly config: SiteConfig | undefined
}

/**
 * Returns the records of bases that change, with those of pages that were added, removed or replaced by another one at
 * an address, which may have none stored on either side. The order of pages has no record.
 */
export function baseRecords(before: BaseSide, after: BaseSide, moved: readonly string[] = []): Records {
  const keys = new Set([...after.bases.keys(), ...moved.map(pageBase)])
  const config = keys.delete('config') ? configRecords(before.config ?? {}, after.config ?? {}) : []
  keys.delete('order')
  const stateIn = ({ bases, pages }: BaseSide, slug: string) =>
    toState(bases.get(pageBase(slug)), pages.get(slug))
  const slugs = [...keys].map(slugOfBase)
  return { pages: slugs.map((slug) => toRecord(slug, stateIn(before, slug), stateIn(after, slug))), config }
}

const toState = (base: Base | undefined, page: Page | undefined): PageState =>
  base ? { page: base.page ?? undefined, from: base.from } : { page }

const toRecord = (slug: string, before: PageState, after: PageState): PageRecord => ({
  slug,
  ...((before.page ?? after.page) && { delta: pageDelta(before.page, after.page) }),
  ...(before.from !== after.from && { from: { before: before.from, after: after.from } }),
})

/**
 * Returns the bases without the changes of decisions, given newest first, with the records of that; `undefined` if one
 * was changed again since. `pages` and `config` are the content after it.
 */
export async function withoutDecisions(
  draft: DraftTransaction,
  undone: readonly Records[],
  content: { readonly pages: ReadonlyMap<string, PageChange>; readonly config: SiteConfig },
  way: Way,
): Promise<Pick<ChangeSet, 'bases' | 'hasOtherBases' | 'baseRecords'> | undefined> {
  if (undone.length === 0) return {}
  const config = (await draft.bases.get('config'))?.config ?? (await draft.config())
  const page = async (slug: string) =>
    toState(await draft.bases.get(pageBase(slug)), await draft.pages.get(slug))
  const agreed = await turned(undone, { page, config }, way)
  if (typeof agreed === 'string') return undefined
  const bases = new Map<string, Base | undefined>()
  const records: PageRecord[] = []
  for (const [slug, { before, after }] of agreed.pages) {
    const now = content.pages.has(slug) ? content.pages.get(slug)?.after : await draft.pages.get(slug)
    const isOwn = after.from === undefined && after.page?.id === now?.id && samePage(after.page, now)
    bases.set(pageBase(slug), isOwn ? undefined : { page: after.page ?? null, from: after.from })
    if (!sameJson(before, after)) records.push(toRecord(slug, before, after))
  }
  const settings = configRecords(config, agreed.config)
  if (settings.length > 0)
    bases.set('config', sameJson(agreed.config, content.config) ? undefined : { config: agreed.config })
  if (records.length + settings.length === 0) return {}
  return { bases, hasOtherBases: true, baseRecords: { pages: records, config: settings } }
}
