import type { ChangeSet } from './change-set.ts'
import { basesBefore } from './copy-on-write.ts'
import { pace } from '../../kernel/index.ts'
import { arrivalOf, type PageDelta, pageDelta } from '../content/delta.ts'
import { type Locked, lockedOn } from '../content/locked.ts'
import type { PageChange } from '../content/model.ts'
import { pageSize, sizeAfter } from '../content/page-bytes.ts'
import { homeFirst } from '../content/slugs.ts'
import { lockedAfter } from './edits/skipped.ts'
import { isStorable, textNotStorable } from '../store/port.ts'
import {
  type ChangeMetadata,
  type ChangeRecord,
  draftSites,
  everySite,
  heads,
  type PageRecord,
  type Records,
  type Stack,
  stackDepth,
  toChangeEvent,
  toDocument,
} from './collections.ts'
import { configRecords } from './config-records.ts'
import { mergedStep, remainderOf } from './merge-steps.ts'
import type { RankedPage } from './cache.ts'
import type { DraftTransaction } from './transaction.ts'
import { labelOf } from './label.ts'
import { endOfPause, isTypedOn, typedRun } from './runs.ts'
import { effectiveOps } from './edits/operations.ts'
import { inSequence, movesIn } from './renames.ts'
import type { ChangeEvent, CommitRequest } from './port.ts'
import {
  configTooLarge,
  draftTooLarge,
  pageTooLarge,
  tooManyPages,
  tooManySessions,
  tooManySites,
} from './refusals.ts'

type Origin = Pick<CommitRequest, 'actor' | 'channel' | 'run' | 'continues'>

/** Computes what a change set writes, or refuses it; returns a function that writes, and returns the event. */
export async function prepare(
  draft: DraftTransaction,
  changeSet: ChangeSet,
  origin: Origin,
  now: Date,
): Promise<() => Promise<ChangeEvent>> {
  const { config, ranks } = changeSet
  const { agrees } = draft
  const { limits } = draft.context
  const version = draft.head.version + 1
  const at = now.toISOString()
  if (version === 1) await makeRoom(draft)
  if (config && Buffer.byteLength(JSON.stringify(config)) > limits.maxConfigBytes)
    throw configTooLarge(limits.maxConfigBytes)
  const { pages, records, grown, pageCount, locked } = await nextPages(draft, changeSet)
  const content = {
    pages: records,
    config: config ? configRecords({ ...changeSet.siteConfig, ...(await draft.config()) }, config) : [],
    base: changeSet.baseRecords,
    moves: movesIn(changeSet.log.ops),
  }
  const run = origin.run ?? (config && typedRun(changeSet, content, origin, draft.head.site.rebased))
  const body = { ...content, run }
  const text = JSON.stringify(body)
  if (escapes.test(text) || records.some(({ delta }) => delta && 'came' in delta))
    await refuseUnstorable(pages.values())

  const decided = changeSet.baseRecords && (await decidedPages(draft, changeSet.baseRecords))
  const metadata = { ...toMetadata(changeSet, body, { ...origin, at }), ...(decided && { decided }) }
  const newest = run === undefined ? undefined : await draft.newest()
  const isOfRun = newest?.body.run === run
  const earlier =
    newest && isOfRun && (origin.run !== undefined || isTypedOn(newest, now)) ? newest : undefined
  const merged = earlier && (await mergedStep(draft, earlier, { body, metadata }, changeSet))
  const stacks =
    earlier && merged
      ? await nextStacks(draft, { push: undoableIn(merged.body) }, version, slugsIn(earlier.body))
      : await nextStacks(draft, changeSet.stacks, version)
  const hasConfig = !config || Object.keys(await draft.config()).length > 0
  const { bases, hasOtherBases } = changeSet
  const needsBases = (agrees || config) && (!bases || hasOtherBases)
  const added = needsBases ? await basesBefore(draft, changeSet) : undefined
  const { site } = draft.head
  const known = {
    isFilled: site.isFilled || pageCount > 0,
    hasWholeConfig: changeSet.siteConfig !== undefined || (site.hasWholeConfig && hasConfig),
    agreed: agrees,
    leftOut: changeSet.leftOut ?? site.leftOut,
    ...(site.locked.length + locked.length > 0 && {
      locked: lockedAfter(site.locked, changeSet.pages, locked),
    }),
    ...(changeSet.marksRestored && { restoredAt: at }),
  }

  return async () => {
    draft.pages.set(pages, ranks)
    draft.stacks.set(stacks)
    if (config) await draft.setConfig(config)
    draft.note(known)
    const record = merged ? toDocument(merged) : toDocument({ body, metadata }, text)
    await draft.record({ version, pageCount, changedAt: at }, grown, record)
    if (added && added.size > 0) await draft.bases.set(added)
    if (bases) await draft.rebase(changeSet)
    if (earlier) await draft.replaceRecord(earlier, toDocument(remainderOf(earlier)))
    return toChangeEvent(draft.id, version, metadata)
  }
}

const slugsIn = ({ pages }: Pick<Records, 'pages'>) => pages.map(({ slug }) => slug)
const undoableIn = ({ pages }: ChangeRecord) => slugsIn({ pages: pages.filter(({ undo }) => undo !== false) })

/** Returns the pages of the draft on which a change set decides conflicts. */
async function decidedPages(draft: DraftTransaction, baseRecords: Records) {
  const slugs = new Set(slugsIn(baseRecords))
  return (await draft.pages.order()).order.filter((slug) => slugs.has(slug))
}

/** Returns the facts of a change for the log and the event. */
function toMetadata(
  { log, pages, config, labels, results, renames }: ChangeSet,
  body: ChangeRecord,
  { actor, channel, continues, at }: Origin & { readonly at: string },
): ChangeMetadata {
  const { manifest, ops = [], ...facts } = log
  const touched = slugsIn(body)
  const removed = touched.filter((slug) => pages.has(slug) && !pages.get(slug)?.after)
  const renamed = renames && pages.size > 1 ? inSequence(renames) : []
  const named = { ops: effectiveOps(ops, results), pages, config: body.config, manifest, labels }
  return {
    ...facts,
    summary: log.summary ?? labelOf(named),
    opTypes: [...new Set(ops.map(({ op }) => op))],
    opCount: ops.length,
    at,
    channel,
    actor: log.actor ?? actor,
    slugs: homeFirst(removed.length === 0 ? touched : touched.filter((slug) => !removed.includes(slug))),
    ...(removed.length > 0 && { removed }),
    ...(config && { config: true as const }),
    ...(renamed.length > 0 && { renamed }),
    ...(continues && { openUntil: endOfPause(at) }),
  }
}

/** Refuses a new draft if the maximum number of drafts is reached. */
async function makeRoom({ tx, id, context: { limits } }: DraftTransaction): Promise<void> {
  const sessions = await tx.of(heads).count(id.siteId)
  if (sessions >= limits.maxSessionsPerSite) throw tooManySessions(limits.maxSessionsPerSite)
  if (sessions === 0 && (await tx.of(draftSites).count(everySite)) >= limits.maxSites)
    throw tooManySites(limits.maxSites)
}

/** A site may bring thousands of pages at once, which no undo removes. */
const deltaOf = ({ before, after }: PageChange, undo: false | undefined): PageDelta =>
  after && !before && undo === false ? arrivalOf(after.slug) : pageDelta(before, after)

/**
 * Returns the pages to store, with the data that reverts them, and by how much the draft grows. Refuses a
 * draft that grows too large.
 */
async function nextPages(draft: DraftTransaction, { pages: changed, ranks, results, stacks }: ChangeSet) {
  const { maxPageBytes, maxBytesPerDraft, maxPagesPerDraft } = draft.context.limits
  const { sizes, site } = draft.head
  const undoable = 'push' in stacks ? new Set(stacks.push) : undefined
  // Operations add no blocks that cannot be read.
  const mayHaveLocked = !results || site.locked.length > 0
  const next = new Map<string, RankedPage | undefined>()
  const records: PageRecord[] = []
  const locked: Locked[] = []
  let grown = 0
  let { pageCount } = draft.head
  for (const slug of new Set([...changed.keys(), ...ranks.keys(), ...draft.pages.initial.keys()])) {
    await pace()
    const current = await draft.pages.loaded(slug)
    const change = changed.get(slug)
    const page = change ? change.after : current?.page
    const size = page && (current ? sizeAfter(current.page, current.size, page) : pageSize(page))
    if (size !== undefined && size > maxPageBytes) throw pageTooLarge(slug, maxPageBytes)
    if (mayHaveLocked && change?.after) locked.push(...lockedOn(change.after))
    const rank = page && (ranks.get(slug) ?? current?.rank)
    next.set(slug, page && { page, rank: rank ?? '', size: size ?? 0 })
    // Initial pages are stored by the first change only.
    grown += (size ?? 0) - (current && !draft.pages.initial.has(slug) ? current.size : 0)
    pageCount += Number(page !== undefined) - Number(current !== undefined)
    if (!change && !ranks.has(slug)) continue
    const undo = undoable && !undoable.has(slug) ? false : undefined
    const places = { before: current?.rank, after: rank }
    records.push({
      slug,
      delta: change && deltaOf(change, undo),
      rank: places.before === places.after ? undefined : places,
      undo,
    })
  }
  if (grown > Math.max(0, maxBytesPerDraft - sizes.pages)) throw draftTooLarge(maxBytesPerDraft)
  if (pageCount > maxPagesPerDraft) throw tooManyPages(maxPagesPerDraft)
  return { pages: next, records, grown, pageCount, locked }
}

/** The JSON form of characters that a column cannot store; new text is in the change record. */
const escapes = /\\u(?:0000|d[89a-f])/

/**
 * Refuses a page that has a text for a column which cannot store it: later, other changes would be written
 * too.
 */
async function refuseUnstorable(pages: Iterable<RankedPage | undefined>): Promise<void> {
  for (const each of pages) {
    await pace()
    if (!each) continue
    const { slug, id, title, updatedAt, blocks } = each.page
    if (![slug, id, title, updatedAt, ...blocks.map((block) => block.id)].every(isStorable))
      throw textNotStorable()
  }
}

/** Returns the undo stacks that a change sets; a step of a run replaces the step before it, `earlier`. */
async function nextStacks(
  draft: DraftTransaction,
  stacks: ChangeSet['stacks'],
  version: number,
  earlier?: readonly string[],
): Promise<ReadonlyMap<string, Stack>> {
  if ('set' in stacks) return stacks.set
  const next = new Map<string, Stack>()
  const pushed = new Set(stacks.push)
  for (const slug of new Set([...(earlier ?? []), ...pushed])) {
    await pace()
    const { undo } = await draft.stacks.get(slug)
    const below = earlier && undo.at(-1) === version - 1 ? undo.slice(0, -1) : undo
    next.set(slug, { undo: pushed.has(slug) ? [...below.slice(1 - stackDepth), version] : below, redo: [] })
  }
  for (const slug of draft.head.version === 0 ? [] : (stacks.drop ?? [])) {
    const { undo, redo } = await draft.stacks.get(slug)
    if (undo.length + redo.length > 0) next.set(slug, { undo: [], redo: [] })
  }
  return next
}
