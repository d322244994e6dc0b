import { togetherWith } from '../../content/merge/index.ts'
import { metadataOf, type PageRecord, type Stack, stackDepth } from '../collections.ts'
import { stepOver } from '../label.ts'
import type { DraftTransaction } from '../transaction.ts'
import type { ChangeSet, EditOf } from '../change-set.ts'
import { newestEntries } from '../log.ts'
import { changedOnSite, nothingToRedo, nothingToUndo, renamedSince } from '../refusals.ts'
import type { FormerSlugs } from '../renames.ts'
import { formerSlugsOver, whereToGo, withoutChanges } from './without-changes.ts'

const ways = {
  undo: { from: 'undo', to: 'redo', side: 'before', none: nothingToUndo },
  redo: { from: 'redo', to: 'undo', side: 'after', none: nothingToRedo },
} as const
type UndoDirection = (typeof ways)['undo' | 'redo']

/** A step back or forward, with the stacks after it. */
type StackStep = ChangeSet & { readonly stacks: { readonly set: ReadonlyMap<string, Stack> } }

/**
 * Plans an undo or a redo of the newest change on a page's stack; `passed` are stacks without the changes
 * before. One whose effect is gone, as after following the site, is a step as well.
 *
 * The change is undone completely if it is the newest on every page it touched: pages, places and the keys of
 * the site config not written since. Otherwise only this page is reverted, with its rename, and a note.
 * Refuses with 409 `changed_since` if only one of the two addresses of a rename can be reverted.
 */
export async function planUndo(
  draft: DraftTransaction,
  edit: EditOf<'undo' | 'redo'>,
  now: Date,
  passed: ReadonlyMap<string, Stack> = new Map(),
): Promise<StackStep> {
  const { kind, slug, manifest } = edit
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

  const { config, base } = record.body
  const parts = { pages: reverted, config: complete ? config : [], base: complete ? base : undefined }
  const undone = await withoutChanges(draft, [parts], { now, to: way.side, isNewest: true, manifest })
  // What came from the site since stays.
  if ('changedAgain' in undone) throw changedOnSite(undone.changedAgain)
  const stacks = new Map<string, Stack>(passed)
  for (const page of reverted) stacks.set(page.slug, moved(await stackOf(page.slug), way))
  return {
    ...undone,
    renames,
    stacks: { set: stacks },
    log: { slug, ...step },
    slug,
    navigateToSlug: whereToGo(slug, undone.pages),
    notes: complete ? [] : [partialUndoNote(reverted, touched)],
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

function partialUndoNote(reverted: readonly PageRecord[], touched: readonly PageRecord[]): string {
  const slugsOf = (pages: readonly PageRecord[]) => pages.map(({ slug }) => slug).join(', ')
  const others = touched.filter((page) => !reverted.includes(page))
  return `Only ${slugsOf(reverted)} was changed back: the same change also touched ${slugsOf(others)}, which have newer changes.`
}
