import { pace } from '../../../kernel/index.ts'
import { applyDelta } from '../../content/delta.ts'
import type { PageChange } from '../../content/model.ts'
import { sameJson } from '../../content/same-json.ts'
import { aboutOf, changes, type ConfigRecord, type PageRecord, type Stack, stackDepth, versionKey } from '../collections.ts'
import { stepLabel } from '../label.ts'
import type { DraftTransaction } from '../transaction.ts'
import {
  unchanged, type ChangedPages, type EditOf, type Unchanged, type ChangeSet, restamped, withKeys,
} from '../change-set.ts'
import { nothingToRedo, nothingToUndo } from '../refusals.ts'
import { formerRanks } from './ranks.ts'

const ways = {
  undo: {
    from: 'undo', to: 'redo', delta: 'backward', side: 'before', other: 'after',
    none: nothingToUndo, name: 'Undo',
  },
  redo: {
    from: 'redo', to: 'undo', delta: 'forward', side: 'after', other: 'before',
    none: nothingToRedo, name: 'Redo',
  },
} as const
type Way = (typeof ways)['undo' | 'redo']

/**
 * Plans an undo or a redo of the newest change on a page's stack.
 *
 * The change is undone completely if it is the newest on every page it touched: pages, places and the keys of
 * the site config not written since. Otherwise only this page is reverted, with a note.
 */
export async function planUndo(draft: DraftTransaction, edit: EditOf<'undo' | 'redo'>, now: Date): Promise<ChangeSet> {
  const { kind, slug } = edit
  const way = ways[kind]
  const version = (await draft.stack(slug))[way.from].at(-1)
  const record = version === undefined ? undefined : await draft.change(version)
  if (version === undefined || !record) throw way.none(slug)

  const touched = record.body.pages.filter(({ undo }) => undo !== false)
  const isNewest = async ({ slug }: PageRecord) => (await draft.stack(slug))[way.from].at(-1) === version
  const complete = (await Promise.all(touched.map(isNewest))).every(Boolean)
  const reverted = complete ? touched : touched.filter((page) => page.slug === slug)

  const pages = new Map<string, PageChange>()
  const ranks = new Map<string, string>()
  const stacks = new Map<string, Stack>()
  for (const page of reverted) {
    await pace()
    const before = await draft.page(page.slug)
    const after = page.delta ? applyDelta(before, page.delta, way.delta) : before
    if (page.delta) pages.set(page.slug, restamped(before, after, now))
    const rank = page.rank?.[way.side]
    if (after && rank !== undefined) ranks.set(page.slug, rank)
    stacks.set(page.slug, moved(await draft.stack(page.slug), way))
  }
  return {
    pages,
    ranks: await formerRanks(draft, ranks, pages),
    config: complete ? await revertedConfig(draft, record.body.config, way) : undefined,
    stacks: { set: stacks },
    log: { source: kind, slug, summary: stepLabel(way.name, aboutOf(record).summary) },
    slug,
    navigateToSlug: whereToGo(slug, pages),
    notes: complete ? [] : [leftAlone(slug, touched)],
  }
}

/** Returns a stack with the newest version of one side moved to the other side. */
function moved(stack: Stack, { from, to }: Way): Stack {
  const movedOver = [...stack[to], ...stack[from].slice(-1)].slice(-stackDepth)
  return { ...stack, [from]: stack[from].slice(0, -1), [to]: movedOver }
}

/** Returns the site config without these changes, newest first, except for keys written since. */
async function revertedConfig(draft: DraftTransaction, records: readonly ConfigRecord[], { side, other }: Way) {
  if (records.length === 0) return undefined
  let config = await draft.config()
  for (const record of records) {
    if (sameJson(config[record.key], record[other])) config = withKeys(config, [[record.key, record[side]]])
  }
  return config
}

/** Returns the page that replaced a removed page, or home; the page itself if it was restored. */
function whereToGo(slug: string, pages: ChangedPages): string | undefined {
  const change = pages.get(slug)
  if (change?.before && !change.after)
    return [...pages].find(([, { before, after }]) => !before && after)?.[0] ?? '/'
  return change && !change.before && change.after ? slug : undefined
}

function leftAlone(slug: string, touched: readonly PageRecord[]): string {
  const others = touched.map((page) => page.slug).filter((other) => other !== slug)
  return `Only ${slug} was changed back: the same change also touched ${others.join(', ')}, which have newer changes.`
}

/**
 * Plans the rollback of the changes of a run after a version, newest first.
 *
 * A page with a newer change, by any caller, is unchanged, and listed in `kept`. A rollback cannot be redone:
 * no user has seen the changes complete.
 */
export async function planRollback(draft: DraftTransaction, edit: EditOf<'rollback'>, now: Date): Promise<ChangeSet | Unchanged> {
  const { run, since, summary } = edit
  const later = await draft.tx.of(changes).list(draft.scope, { after: versionKey(since) })
  const own = later.filter(({ body }) => body.run === run).toReversed()
  const pages = new Map<string, PageChange>()
  const ranks = new Map<string, string>()
  const stacks = new Map<string, Stack>()
  const kept = new Set<string>()
  for (const { key, body } of own) {
    for (const { slug, delta, rank, redo = [] } of body.pages) {
      const stack = stacks.get(slug) ?? (await draft.stack(slug))
      if (stack.undo.at(-1) !== Number(key)) {
        kept.add(slug)
        continue
      }
      stacks.set(slug, { undo: stack.undo.slice(0, -1), redo })
      const stored = await draft.page(slug)
      const newer = pages.has(slug) ? pages.get(slug)?.after : stored
      const after = delta ? applyDelta(newer, delta, 'backward') : newer
      if (delta) pages.set(slug, restamped(stored, after, now))
      if (after && rank?.before !== undefined) ranks.set(slug, rank.before)
    }
  }
  const config = await revertedConfig(draft, own.flatMap(({ body }) => body.config), ways.undo)
  const [newest] = own
  if (!newest || (stacks.size === 0 && !config)) return { ...unchanged, kept: [...kept] }
  return {
    pages,
    ranks: await formerRanks(draft, ranks, pages),
    config,
    stacks: { set: stacks },
    log: { source: 'chat', slug: aboutOf(newest).slug, summary },
    kept: [...kept],
  }
}
