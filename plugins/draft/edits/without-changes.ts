import { withLocksOf } from '../../content/locked.ts'
import type { PageChange } from '../../content/model.ts'
import { home } from '../../content/slugs.ts'
import { staysSame } from '../../content/stamp.ts'
import { withoutDecisions } from '../base-records.ts'
import { type ChangedPages, type ChangeSet, restamped } from '../change-set.ts'
import type { ChangeRecord } from '../collections.ts'
import { type PageState, turned, type Way } from '../page-records.ts'
import { type FormerSlugs, type Move, slugsBefore, slugsNow } from '../renames.ts'
import type { DraftTransaction } from '../transaction.ts'
import { formerRanks } from './ranks.ts'

/** What an undo or a redo changes in a draft. */
type Reversal = Pick<ChangeSet, 'pages' | 'ranks' | 'config' | 'bases' | 'hasOtherBases' | 'baseRecords'>

/**
 * Returns a draft without the effects of changes, given newest first, or with them again, as `turned` does. Of
 * the newest changes (`isNewest`), what the site has changed since stays, also in the state in which both agree.
 */
export async function withoutChanges(
  draft: DraftTransaction,
  undone: readonly Pick<ChangeRecord, 'pages' | 'config' | 'base'>[],
  { now, to = 'before', isNewest = false, manifest }: Partial<Way> & { readonly now: Date },
): Promise<Reversal | { readonly changedAgain: string }> {
  const config = await draft.config()
  const page = async (slug: string): Promise<PageState> =>
    (await draft.pages.loaded(slug)) ?? { page: undefined }
  const content = await turned(undone, { page, config }, { to, isNewest, settled: withLocksOf, manifest })
  if (typeof content === 'string') return { changedAgain: content }
  const pages = new Map<string, PageChange>()
  const ranks = new Map<string, string>()
  for (const [slug, { before, after }] of content.pages) {
    pages.set(slug, { before: before.page, after: after.page })
    if (after.page && after.rank !== undefined && after.rank !== before.rank) ranks.set(slug, after.rank)
  }
  const decided = undone.flatMap(({ base }) => base ?? [])
  const decisions = await withoutDecisions(
    draft,
    decided,
    { pages, config: content.config },
    { to, manifest },
  )
  if (!decisions && !isNewest) return { changedAgain: '' }
  const changed = [...pages].filter(([, { before, after }]) => !staysSame(before, after))
  return {
    pages: new Map(changed.map(([slug, { before, after }]) => [slug, restamped(before, after, now)])),
    ranks: await formerRanks(draft, ranks, pages),
    config: content.config === config ? undefined : content.config,
    ...decisions,
  }
}

/** Returns the renames of an undo or a redo of changes, from what the draft has now. */
export async function formerSlugsOver(
  draft: DraftTransaction,
  { source, of = [] }: { readonly source: 'undo' | 'redo'; readonly of?: readonly number[] | undefined },
): Promise<FormerSlugs> {
  const moves: Move[] = []
  for (const version of of.toSorted((a, b) => a - b))
    moves.push(...((await draft.change(version))?.body.moves ?? []))
  const former = slugsBefore(moves)
  return source === 'redo' ? former : slugsNow(former)
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
