import { pace } from '../../../kernel/index.ts'
import { pageWithout, togetherWith } from '../../content/merge/index.ts'
import type { PageChange, Registry } from '../../content/model.ts'
import { sameJson } from '../../content/plain-object.ts'
import { staysSame } from '../../content/stamp.ts'
import { touchedPaths } from '../../content/touched-paths.ts'
import {
  metadataOf,
  type ConfigRecord,
  type PageRecord,
  type Stack,
  stackDepth,
  type StoredChange,
} from '../collections.ts'
import { stepOver } from '../label.ts'
import type { DraftTransaction } from '../transaction.ts'
import {
  type ChangedPages,
  type ChangeSet,
  type EditOf,
  type FormerSlugs,
  type Ranks,
  restamped,
} from '../change-set.ts'
import { withoutDecisions } from '../base-records.ts'
import { settingAt, withSettings } from '../config-records.ts'
import { newestEntries } from '../log.ts'
import { changedOnSite, nothingToRedo, nothingToUndo, renamedSince } from '../refusals.ts'
import { formerSlugsOver } from '../renames.ts'
import { formerRanks } from './ranks.ts'

const ways = {
  undo: { from: 'undo', to: 'redo', side: 'before', other: 'after', none: nothingToUndo },
  redo: { from: 'redo', to: 'undo', side: 'after', other: 'before', none: nothingToRedo },
} as const
type UndoDirection = (typeof ways)['undo' | 'redo']

interface StepContext {
  readonly registry: Registry
  readonly now: Date
}

/** A step back or forward, with the stacks after it. */
type StackStep = ChangeSet & {
  readonly stacks: { readonly set: ReadonlyMap<string, Stack> }
  /** Whether the change of the step has changed nothing. */
  readonly isOfNothing: boolean
}

/**
 * Plans an undo or a redo of the newest change on a page's stack. Changes of older drafts that have changed nothing are
 * passed over; one whose effect is gone, as after following the site, is a step of its own.
 */
export async function planUndo(
  draft: DraftTransaction,
  edit: EditOf<'undo' | 'redo'>,
  context: StepContext,
): Promise<ChangeSet> {
  let step = await planStep(draft, edit, context)
  while (step.isOfNothing && !hasEffect(step)) step = await planStep(draft, edit, context, step.stacks.set)
  return step
}

/** Whether a step changes anything. */
export const hasEffect = ({ pages, ranks, config }: ChangeSet): boolean =>
  pages.size > 0 || ranks.size > 0 || config !== undefined

/**
 * Plans an undo or a redo of the newest change on a page's stack; `passed` are stacks without the changes before.
 *
 * The change is undone completely if it is the newest on every page it touched: pages, places and the keys of
 * the site config not written since. Otherwise only this page is reverted, with its rename, and a note.
 * Refuses with 409 `changed_since` if only one of the two addresses of a rename can be reverted.
 */
export async function planStep(
  draft: DraftTransaction,
  edit: EditOf<'undo' | 'redo'>,
  { registry, now }: StepContext,
  passed: ReadonlyMap<string, Stack> = new Map(),
): Promise<StackStep> {
  const { kind, slug } = edit
  const way = ways[kind]
  const stackOf = async (slug: string): Promise<Stack> => passed.get(slug) ?? (await draft.stacks.get(slug))
  const version = (await stackOf(slug))[way.from].at(-1)
  const record = version === undefined ? undefined : await draft.change(version)
  if (version === undefined || !record) throw way.none(slug, await pagesOfNewest(draft, way))

  const touched = record.body.pages.filter(({ undo }) => undo !== false)
  const isNewest = async ({ slug }: PageRecord) => (await stackOf(slug))[way.from].at(-1) === version
  const newest = await Promise.all(touched.map(isNewest))
  const complete = newest.every(Boolean)
  const step = stepOver(kind, { version, ...metadataOf(record) })
  const renames = await formerSlugsOver(draft, step)
  const own = complete ? undefined : togetherWith([slug], renames)
  const reverted = touched.filter((page, at) => newest[at] && (!own || own.has(page.slug)))
  refuseHalfRename(renames, { touched, reverted })

  const pages = new Map<string, PageChange>()
  const ranks = new Map<string, string>()
  const stacks = new Map<string, Stack>(passed)
  for (const page of reverted) {
    await pace()
    const before = await draft.pages.get(page.slug)
    const { delta } = page
    const result = delta ? pageWithout(before, delta, { registry }, way.side) : { page: before }
    // What came from the site since stays.
    if (!result) throw changedOnSite(page.slug)
    const { page: after } = result
    if (!staysSame(before, after)) pages.set(page.slug, restamped(before, after, now))
    const rank = page.rank?.[way.side]
    if (after && rank !== undefined) ranks.set(page.slug, rank)
    stacks.set(page.slug, moved(await stackOf(page.slug), way))
  }
  const config = complete ? await revertedConfig(draft, record.body.config, way) : undefined
  const decided = complete ? (record.body.bases ?? []) : []
  const content = { pages, config: config ?? (await draft.config()) }
  const decisions = await withoutDecisions(draft, decided, content, way.side)
  return {
    pages,
    renames,
    ranks: await changedRanks(draft, await formerRanks(draft, ranks, pages)),
    config,
    ...(decisions?.records.length && {
      bases: decisions.bases,
      hasOtherBases: true,
      baseRecords: decisions.records,
    }),
    stacks: { set: stacks },
    log: { slug, ...step },
    slug,
    navigateToSlug: whereToGo(slug, pages),
    notes: complete ? [] : [partialUndoNote(reverted, touched)],
    isOfNothing: hasChangedNothing(record),
  }
}

/** Without its other half, a rename that is undone would remove the page, or leave two of them. */
function refuseHalfRename(
  renames: FormerSlugs,
  { touched, reverted }: Readonly<Record<'touched' | 'reverted', readonly PageRecord[]>>,
): void {
  const slugsOf = (pages: readonly PageRecord[]): ReadonlySet<string | undefined> =>
    new Set(pages.map(({ slug }) => slug))
  const [there, undone] = [slugsOf(touched), slugsOf(reverted)]
  for (const pair of renames) {
    const newer = pair.find((slug) => there.has(slug) && !undone.has(slug))
    if (newer !== undefined && pair.some((slug) => undone.has(slug))) throw renamedSince(newer)
  }
}

const hasChangedNothing = ({ body: { pages, config } }: StoredChange): boolean =>
  config.every(({ before, after }) => sameJson(before, after)) &&
  pages.every(
    ({ delta, rank }) => (!delta || touchedPaths(delta).length === 0) && rank?.before === rank?.after,
  )

/** Returns the ranks that differ from those of the draft. */
async function changedRanks(draft: DraftTransaction, ranks: Ranks): Promise<Ranks> {
  if (ranks.size === 0) return ranks
  const { ranks: currentRanks } = await draft.pages.order()
  return new Map([...ranks].filter(([slug, rank]) => currentRanks.get(slug) !== rank))
}

/** Returns the pages on which the newest change that can be undone or redone is next. */
async function pagesOfNewest(draft: DraftTransaction, { from }: UndoDirection): Promise<readonly string[]> {
  for (const { version, removedSlugs = [], ...entry } of await newestEntries(draft.log)) {
    const slugs = [...entry.slugs, ...removedSlugs]
    const isNext = await Promise.all(
      slugs.map(async (slug) => (await draft.stacks.get(slug))[from].at(-1) === version),
    )
    if (isNext.includes(true)) return slugs.filter((_, index) => isNext[index])
  }
  return []
}

/** Returns a stack with the newest version of one side moved to the other side. */
function moved(stack: Stack, { from, to }: UndoDirection): Stack {
  const movedOver = [...stack[to], ...stack[from].slice(-1)].slice(-stackDepth)
  return { ...stack, [from]: stack[from].slice(0, -1), [to]: movedOver }
}

/** Returns the site config without these changes, newest first, except for keys written since. */
async function revertedConfig(
  draft: DraftTransaction,
  records: readonly ConfigRecord[],
  { side, other }: UndoDirection,
) {
  if (records.length === 0) return undefined
  const before = await draft.config()
  const own = records.filter((record) => sameJson(settingAt(before, record), record[other]))
  const config = withSettings(before, own, side)
  return sameJson(config, before) ? undefined : config
}

/** Returns the page that replaced a removed page, or home; the page itself if it was restored. */
export function whereToGo(slug: string, pages: ChangedPages): string | undefined {
  const change = pages.get(slug)
  if (change?.before && !change.after)
    return [...pages].find(([, { before, after }]) => !before && after)?.[0] ?? '/'
  return change && !change.before && change.after ? slug : undefined
}

function partialUndoNote(reverted: readonly PageRecord[], touched: readonly PageRecord[]): string {
  const slugsOf = (pages: readonly PageRecord[]) => pages.map(({ slug }) => slug).join(', ')
  const others = touched.filter((page) => !reverted.includes(page))
  return `Only ${slugsOf(reverted)} was changed back: the same change also touched ${slugsOf(others)}, which have newer changes.`
}
