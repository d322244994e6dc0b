import { pageDelta } from '../content/delta.ts'
import { pageWithout, samePage } from '../content/merge/index.ts'
import type { PageChange } from '../content/model.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { sameJson } from '../content/plain-object.ts'
import { builtinRegistry } from '../content/registry.ts'
import { type FieldPath, touchedPaths } from '../content/touched-paths.ts'
import { type Base, type BaseRecord, pageBase, slugOfBase } from './collections.ts'
import { configEdit, configRecords, pathOf } from './config-records.ts'
import type { DraftTransaction } from './transaction.ts'

type Bases = ReadonlyMap<string, Base | undefined>
type Pages = ReadonlyMap<string, Page | undefined>

/** A side of the change of bases, with the content that is the base where none is stored. */
interface BaseSide {
  readonly bases: Bases
  readonly pages: Pages
  readonly config: SiteConfig | undefined
}

/** The base of a page; `from` is its slug in the base if it was renamed. */
interface PageBase {
  readonly page: Page | undefined
  readonly from: string | undefined
}

/**
 * Returns the records of bases that change, with those of pages that were added, removed or replaced by another one at
 * an address, which may have none stored on either side. The order of pages has no record.
 */
export function baseRecords(
  before: BaseSide,
  after: BaseSide,
  moved: readonly string[] = [],
): readonly BaseRecord[] {
  const records: BaseRecord[] = []
  for (const key of new Set([...after.bases.keys(), ...moved.map(pageBase)])) {
    if (key === 'config')
      records.push({ key, config: configRecords(before.config ?? {}, after.config ?? {}) })
    else if (key !== 'order') records.push(pageRecord(key, pageBaseIn(before, key), pageBaseIn(after, key)))
  }
  return records
}

const pageBaseIn = ({ bases, pages }: BaseSide, key: string): PageBase =>
  toPageBase(bases.get(key), pages.get(slugOfBase(key)))

const toPageBase = (base: Base | undefined, page: Page | undefined): PageBase =>
  base ? { page: base.page ?? undefined, from: base.from } : { page, from: undefined }

const pageRecord = (key: string, before: PageBase, after: PageBase): BaseRecord => ({
  key,
  ...((before.page ?? after.page) && { page: pageDelta(before.page, after.page) }),
  ...(before.from !== after.from && { from: { before: before.from, after: after.from } }),
})

/** The places that a change of bases touched, apart from those of the content. */
export const touchedBases = ({ key, page, from, config = [] }: BaseRecord): readonly FieldPath[] => [
  ...(page ? touchedPaths(page).map((path) => ['base', ...path]) : []),
  ...(from ? [['base', slugOfBase(key), 'slug']] : []),
  ...config.map((record) => ['base', key, ...pathOf(record)]),
]

/**
 * Returns the bases without the changes of decisions, given newest first, with the records of that; `undefined` if one
 * was changed again since. `pages` and `config` are the content after it; `to` is the side of the changes that returns.
 */
export async function withoutDecisions(
  draft: DraftTransaction,
  undone: readonly BaseRecord[],
  content: { readonly pages: ReadonlyMap<string, PageChange>; readonly config: SiteConfig },
  to: 'before' | 'after' = 'before',
): Promise<{ readonly bases: Bases; readonly records: readonly BaseRecord[] } | undefined> {
  if (undone.length === 0) return { bases: new Map(), records: [] }
  const pages = new Map<string, { readonly before: PageBase; readonly after: PageBase }>()
  const config = (await draft.bases.get('config'))?.config ?? (await draft.config())
  const edit = configEdit(config)
  for (const { key, ...record } of undone) {
    for (const setting of record.config ?? []) if (!edit.turn(setting, to)) return undefined
    if (record.config) continue
    const present = async () => toPageBase(await draft.bases.get(key), await draft.pages.get(slugOfBase(key)))
    const { before, after: now } = pages.get(key) ?? { before: await present(), after: undefined }
    const after = withoutRecord(now ?? before, record, to)
    if (!after) return undefined
    pages.set(key, { before, after })
  }
  const bases = new Map<string, Base | undefined>()
  for (const [key, { after }] of pages) {
    const slug = slugOfBase(key)
    const page = content.pages.has(slug) ? content.pages.get(slug)?.after : await draft.pages.get(slug)
    const isOwn = after.from === undefined && samePage(after.page, page)
    bases.set(key, isOwn ? undefined : { page: after.page ?? null, from: after.from })
  }
  const records = [...pages].flatMap(([key, { before, after }]) =>
    sameJson(before, after) ? [] : [pageRecord(key, before, after)],
  )
  const former = edit.result()
  if (sameJson(former, config)) return { bases, records }
  bases.set('config', sameJson(former, content.config) ? undefined : { config: former })
  return { bases, records: [...records, { key: 'config', config: configRecords(config, former) }] }
}

function withoutRecord(
  base: PageBase,
  { page: delta, from }: Pick<BaseRecord, 'page' | 'from'>,
  to: 'before' | 'after',
): PageBase | undefined {
  const result = delta ? pageWithout(base.page, delta, { registry: builtinRegistry }, to) : base
  if (!result || (from && ![from.before, from.after].includes(base.from))) return undefined
  return { page: result.page, from: from ? from[to] : base.from }
}
