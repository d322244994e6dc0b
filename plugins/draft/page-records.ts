import { paced } from '../../kernel/index.ts'
import { pageWithout } from '../content/merge/index.ts'
import type { AvailableTypes } from '../content/model.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { builtinRegistry } from '../content/registry.ts'
import { type FieldPath, touchedPaths } from '../content/touched-paths.ts'
import type { PageRecord, Records } from './collections.ts'
import { configEdit, pathOf } from './config-records.ts'

/** A page with its place in a draft, or of a base, with its slug there if that is another one. */
export interface PageState {
  readonly page: Page | undefined
  readonly rank?: string | undefined
  readonly from?: string | undefined
}

export interface Way extends Pick<AvailableTypes, 'manifest'> {
  /** The side of the records that returns. */
  readonly to: 'before' | 'after'
  /** Whether these are the newest changes: settings that were changed since stay, and so does no place. */
  readonly isNewest?: boolean
  /** Gives a former page what stays as it is now. */
  readonly settled?: (former: Page, now: Page | undefined) => Page
}

/**
 * Returns pages and settings without the effects of records, given newest first, or with them again. Values that
 * were changed elsewhere stay; if one of theirs was changed again, the result is the slug of its page, or '' for
 * the settings.
 */
export async function turned(
  undone: readonly Records[],
  present: { readonly config: SiteConfig; page(slug: string): Promise<PageState> },
  way: Way,
) {
  const pages = new Map<string, Readonly<Record<'before' | 'after', PageState>>>()
  const edit = configEdit(present.config)
  for (const record of undone) {
    for await (const each of paced(record.pages)) {
      const { slug } = each
      const known = pages.get(slug)
      const before = known?.before ?? (await present.page(slug))
      const after = pageTurned(known?.after ?? before, each, way)
      if (!after) return slug
      pages.set(slug, { before, after })
    }
    for (const setting of record.config) if (!edit.turn(setting, way.to) && !way.isNewest) return ''
  }
  return { pages, config: edit.result() }
}

function pageTurned(
  { page: now, ...state }: PageState,
  { delta, rank, from }: PageRecord,
  { to, isNewest = false, settled = (former) => former, manifest }: Way,
): PageState | undefined {
  const result = delta ? pageWithout(now, delta, { registry: builtinRegistry, manifest }, to) : { page: now }
  if (!result || (from && ![from.before, from.after].includes(state.from))) return undefined
  const isInPlace = isNewest || !now || state.rank === rank?.[to === 'before' ? 'after' : 'before']
  return {
    page: result.page && settled(result.page, now),
    rank: isInPlace ? (rank?.[to] ?? state.rank) : state.rank,
    from: from ? from[to] : state.from,
  }
}

/** Returns the places that records touched. */
export const placesOf = ({ pages, config }: Records): readonly FieldPath[] => [
  ...pages.flatMap(({ slug, delta, rank, from }) => [
    ...(delta ? touchedPaths(delta) : []),
    ...(rank ? [[slug, 'place']] : []),
    ...(from ? [[slug, 'slug']] : []),
  ]),
  ...config.map((record) => ['site config', ...pathOf(record)]),
]
