import { pace } from '../../../kernel/index.ts'
import { withLocksOf } from '../../content/locked.ts'
import { pageWithout } from '../../content/merge/index.ts'
import type { PageChange } from '../../content/model.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { home } from '../../content/slugs.ts'
import { staysSame } from '../../content/stamp.ts'
import { withoutDecisions } from '../base-records.ts'
import { type ChangedPages, type ChangeSet, type Ranks, restamped } from '../change-set.ts'
import type { ChangeRecord } from '../collections.ts'
import { configEdit } from '../config-records.ts'
import type { DraftTransaction } from '../transaction.ts'
import { formerRanks } from './ranks.ts'

/** What an undo or a redo changes in a draft. */
type Reversal = Pick<ChangeSet, 'pages' | 'ranks' | 'config' | 'bases' | 'hasOtherBases' | 'baseRecords'>

interface Way {
  readonly now: Date
  /** The side of the changes that returns. */
  readonly to?: 'before' | 'after'
  /** Whether these are the newest changes: what the site has changed since stays, and so does no place. */
  readonly isNewest?: boolean
}

/**
 * Returns a draft without the effects of changes, given newest first, or with them again. Values that were changed
 * elsewhere stay; if one of theirs was changed again, the result names its page instead, or '' for the site config.
 */
export async function withoutChanges(
  draft: DraftTransaction,
  undone: readonly Pick<ChangeRecord, 'pages' | 'config' | 'bases'>[],
  { now: time, to = 'before', isNewest = false }: Way,
): Promise<Reversal | { readonly changedAgain: string }> {
  const from = to === 'before' ? 'after' : 'before'
  const pages = new Map<string, PageChange>()
  const wanted = new Map<string, string>()
  const config = await draft.config()
  const edit = configEdit(config)
  for (const record of undone) {
    for (const { slug, delta, rank } of record.pages) {
      await pace()
      const current = await draft.pages.loaded(slug)
      const { before, after: now } = pages.get(slug) ?? { before: current?.page, after: current?.page }
      const result = delta ? pageWithout(now, delta, { registry: builtinRegistry }, to) : { page: now }
      if (!result) return { changedAgain: slug }
      pages.set(slug, { before, after: result.page && withLocksOf(result.page, now) })
      const isInPlace = isNewest || !now || (wanted.get(slug) ?? current?.rank) === rank?.[from]
      const place = rank?.[to]
      if (place !== undefined && isInPlace) wanted.set(slug, place)
    }
    for (const setting of record.config) if (!edit.turn(setting, to) && !isNewest) return { changedAgain: '' }
  }
  for (const [slug, { after }] of pages) if (!after) wanted.delete(slug)
  const records = undone.flatMap(({ bases = [] }) => bases)
  const decisions = await withoutDecisions(draft, records, { pages, config: edit.result() }, to)
  if (!decisions && !isNewest) return { changedAgain: '' }
  const changed = [...pages].filter(([, { before, after }]) => !staysSame(before, after))
  return {
    pages: new Map(changed.map(([slug, { before, after }]) => [slug, restamped(before, after, time)])),
    ranks: await ranksAfter(draft, wanted, pages),
    config: edit.result() === config ? undefined : edit.result(),
    ...(decisions?.records.length && {
      bases: decisions.bases,
      hasOtherBases: true,
      baseRecords: decisions.records,
    }),
  }
}

/** Returns the ranks that differ from those of the draft. */
async function ranksAfter(draft: DraftTransaction, wanted: Ranks, pages: ChangedPages): Promise<Ranks> {
  if (wanted.size === 0) return wanted
  const { ranks: currentRanks } = await draft.pages.order()
  const ranks = await formerRanks(draft, wanted, pages)
  return new Map([...ranks].filter(([slug, rank]) => currentRanks.get(slug) !== rank))
}

/** Whether a change set changes anything. */
export const hasEffect = ({ pages, ranks, config, baseRecords }: Reversal): boolean =>
  pages.size > 0 || ranks.size > 0 || config !== undefined || baseRecords !== undefined

/** Returns the page that replaced a removed page, or home; the page itself if it was restored. */
export function whereToGo(slug: string, pages: ChangedPages): string | undefined {
  const change = pages.get(slug)
  if (change?.before && !change.after)
    return [...pages].find(([, { before, after }]) => !before && after)?.[0] ?? home
  return change && !change.before && change.after ? slug : undefined
}
