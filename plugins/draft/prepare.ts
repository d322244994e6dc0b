import type { Planned, Prepared } from './planned.ts'
import { pace } from '../../kernel/index.ts'
import { pageDelta } from '../content/delta.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { pageSize } from '../content/page-bytes.ts'
import { sameJson } from '../content/same-json.ts'
import { homeFirst } from '../content/slugs.ts'
import { toStamp } from '../content/stamp.ts'
import type { DraftId } from '../scope/port.ts'
import { isStorable, textNotStorable } from '../store/port.ts'
import {
  aboutOf, type ChangeAbout, type ChangedParts, type ChangeRecord, type ConfigRecord, draftSites, everySite, heads,
  type Limits, type PageRecord, type Stack, stackDepth, type StoredChange,
} from './collections.ts'
import { extended, takenIn, toConfigRecord, type Entry } from './extend.ts'
import type { Loaded, Places } from './memory.ts'
import type { OpenDraft } from './open-draft.ts'
import { labelOf } from './label.ts'
import type { Actor, ChangeEvent, CommitRequest } from './port.ts'
import { configTooLarge, draftTooLarge, pageTooLarge, tooManyPages, tooManySessions, tooManySites } from './refusals.ts'

/** Computes the writes of a planned change: pages, places, site config, stacks, the change record and the head of the draft. */
export async function prepare(
  draft: OpenDraft,
  planned: Planned,
  { actor, channel, requestId, run }: Pick<CommitRequest, 'actor' | 'channel' | 'requestId' | 'run'>,
  { limits, now }: { readonly limits: Limits; readonly now: Date },
): Promise<Prepared> {
  const { id } = draft
  const version = draft.head.version + 1
  const at = toStamp(now)
  if (version === 1) await makeRoom(draft, limits)
  if (planned.config && Buffer.byteLength(JSON.stringify(planned.config)) > limits.maxConfigBytes) throw configTooLarge(limits.maxConfigBytes)
  // Pages whose document or place changes.
  const touched = [...new Set([...planned.pages.keys(), ...planned.ranks.keys()])]
  const body: ChangeRecord = {
    pages: await recordPages(draft, planned, { touched, hasRun: run !== undefined }),
    config: planned.config ? configRecords({ ...planned.siteConfig, ...(await draft.config()) }, planned.config) : [],
    ...(planned.log.ops && { ops: planned.log.ops }),
    ...(requestId !== undefined && { requestId }),
    ...(run !== undefined && { run }),
  }
  const text = JSON.stringify(body)
  const { pages, bytes } = await fittingPages(draft, planned, limits, text.length * bytesPerCharacter)
  if (escapes.test(text)) refuseUnstorable(pages)
  const pageCount = nextCount(draft.pageCount, planned)
  if (pageCount > limits.maxPagesPerDraft) throw tooManyPages(limits.maxPagesPerDraft)

  const { log, config, ranks, results } = planned
  const skipped = new Set(results?.skippedOps.map(({ index }) => index - 1))
  const ops = (log.ops ?? []).filter((_, index) => !skipped.has(index))
  const label = (records: readonly ConfigRecord[]): string => labelOf({ ops, pages: planned.pages, config: records, manifest: log.manifest })
  const removed = touched.filter((slug) => planned.pages.has(slug) && !planned.pages.get(slug)?.after)
  const about: ChangeAbout = {
    slug: log.slug,
    summary: log.summary ?? label(body.config),
    opTypes: [...new Set(log.ops?.map(({ op }) => op))],
    opCount: log.ops?.length ?? 0,
    at,
    source: log.source,
    channel,
    actor,
    slugs: homeFirst(removed.length === 0 ? touched : touched.filter((slug) => !removed.includes(slug))),
    ...(removed.length > 0 && { removed }),
    ...(config && { config: true as const }),
  }
  const isSettings = run === undefined && config !== undefined && touched.length === 0 && log.source === 'direct'
  const earlier = run !== undefined ? await draft.newestOf(run) : isSettings ? await recentSettings(draft, actor, now) : undefined
  const joined = earlier ? extended(earlier, { body, about }, planned.pages) : { body, about }
  const entry = isSettings && earlier ? { ...joined, about: { ...joined.about, summary: label(joined.body.config) } } : joined
  const { filled, wholeConfig } = draft.head
  const staysWhole = async () => wholeConfig && (!config || Object.keys(await draft.config()).length > 0)
  const isWhole = planned.siteConfig !== undefined || (await staysWhole())
  const restoredAt = planned.marksRestored ? at : draft.head.restoredAt
  return {
    head: {
      version,
      ...((filled || pageCount > 0) && { filled: true }),
      ...(isWhole && { wholeConfig: true }),
      ...(restoredAt !== undefined && { restoredAt }),
      ...(run !== undefined && { run }),
    },
    pageCount,
    pageBytes: bytes,
    at,
    pages,
    ranks,
    config,
    stacks: earlier ? await extendedStacks(draft, earlier.body, entry.body) : await nextStacks(draft, planned, version),
    record: earlier ? toRecord(entry) : toRecord(entry, text),
    ...(earlier && { takenIn: toTakenIn(earlier) }),
    event: toChangeEvent(id, version, about),
  }
}

/** Milliseconds during which changes of the site settings by one caller form one entry: editors send one per field. */
const settingsPause = 5_000

/** Returns the newest change, if the caller has changed only site settings in it just now. */
async function recentSettings(draft: OpenDraft, actor: Actor, now: Date): Promise<StoredChange | undefined> {
  const newest = await draft.record(draft.head.version)
  if (!newest || newest.body.pages.length > 0 || newest.body.config.length === 0 || newest.body.run !== undefined) return undefined
  const { source, at, actor: by } = aboutOf(newest)
  const isRecent = now.getTime() - Date.parse(at) <= settingsPause
  return source === 'direct' && isRecent && sameJson(by, actor) ? newest : undefined
}

const toRecord = ({ body, about }: Entry, text = JSON.stringify(body)): Prepared['record'] =>
  ({ body, text, columns: { about: JSON.stringify(about) } })

function toTakenIn(earlier: StoredChange): Prepared['takenIn'] {
  const record = toRecord(takenIn(earlier))
  return { key: earlier.key, record, grows: Buffer.byteLength(record.text) - earlier.bytes.byteLength }
}

/** Refuses a new draft if the maximum number of drafts is reached. */
async function makeRoom({ tx, id }: OpenDraft, limits: Limits): Promise<void> {
  const sessions = await tx.of(heads).count(id.siteId)
  if (sessions >= limits.maxSessionsPerSite) throw tooManySessions(limits.maxSessionsPerSite)
  if (sessions === 0 && (await tx.of(draftSites).count(everySite)) >= limits.maxSites) throw tooManySites(limits.maxSites)
}

/** Returns the event of a change; for merged steps, the event of the newest step. */
export function toChangeEvent({ siteId, session }: DraftId, version: number, about: ChangeAbout): ChangeEvent {
  const { source, channel, at } = about
  const { slugs, removed, config }: ChangedParts = about.step ?? about
  return {
    siteId,
    session,
    previewVersion: version,
    source,
    channel,
    slugs: [...slugs],
    ...(removed && { removedSlugs: [...removed] }),
    ...(config && { configChanged: true }),
    at,
  }
}

/** Returns the data that reverts a change: the delta of each page, and its places if they changed. */
async function recordPages(
  draft: OpenDraft,
  { pages: changed, ranks, stacks }: Planned,
  { touched, hasRun }: { readonly touched: readonly string[]; readonly hasRun: boolean },
): Promise<readonly PageRecord[]> {
  const comesOrGoes = [...changed.values()].some(({ before, after }) => !before || !after)
  const known: Places | undefined = comesOrGoes || ranks.size > 0 ? await draft.places() : undefined
  const recorded = 'push' in stacks ? new Set(stacks.push) : undefined
  const records: PageRecord[] = []
  for (const slug of touched) {
    await pace()
    const change = changed.get(slug)
    const before = known?.ranks.get(slug)
    const after = change && !change.after ? undefined : (ranks.get(slug) ?? before)
    records.push({
      slug,
      delta: change && pageDelta(change.before, change.after),
      rank: before === after ? undefined : { before, after },
      undo: recorded && !recorded.has(slug) ? false : undefined,
      redo: hasRun ? (await draft.stack(slug)).redo : undefined,
    })
  }
  return records
}

/** The maximum number of UTF-8 bytes of one character of a string. */
const bytesPerCharacter = 3

/**
 * Returns the pages after a change whose record has at most `recorded` bytes. Refuses a change that makes the
 * draft too large; a draft over the limit may shrink.
 */
async function fittingPages(draft: OpenDraft, planned: Planned, limits: Limits, recorded: number) {
  const next = await nextPages(draft, planned, limits, recorded)
  if (next.bytes <= limits.maxBytesPerDraft) return next
  // The upper bound is over the limit, so the exact size is counted.
  await draft.writePages()
  const exact = await nextPages(draft, planned, limits, Infinity)
  if (exact.bytes > Math.max(limits.maxBytesPerDraft, draft.kept.pages)) throw draftTooLarge(limits.maxBytesPerDraft)
  return exact
}

/**
 * Returns the changed pages, moved pages, and initial pages that were never stored, with an upper bound of
 * the `bytes` of all pages of the draft. Content added to a page is also in the change record, so a page
 * grows by at most `recorded` bytes.
 */
async function nextPages(draft: OpenDraft, planned: Planned, limits: Limits, recorded: number) {
  const { pages: changed, ranks } = planned
  const next = new Map<string, Loaded | undefined>()
  let bytes = draft.kept.pages
  const put = (slug: string, known: Loaded | undefined, loaded: Loaded | undefined): void => {
    next.set(slug, loaded)
    // Initial pages are stored by the first change only.
    bytes += (loaded?.size ?? 0) - (known && !draft.initial.has(slug) ? known.size : 0)
  }
  for (const [slug, { after }] of changed) {
    await pace()
    const known = await draft.loaded(slug)
    const rank = ranks.get(slug) ?? known?.rank ?? ''
    put(slug, known, after && { page: after, rank, size: sizeOf(after, (known?.size ?? 0) + recorded) })
  }
  for (const slug of [...draft.initial.keys(), ...ranks.keys()]) {
    const known = next.has(slug) ? undefined : await draft.loaded(slug)
    if (known) put(slug, known, { ...known, rank: ranks.get(slug) ?? known.rank, size: sizeOf(known.page, known.size) })
  }
  return { pages: next, bytes }

  /** Counting a long page takes longer than a small edit of it, and an upper bound is nearly always enough. */
  function sizeOf(page: Page, atMost: number): number {
    const size = atMost <= limits.maxPageBytes ? atMost : pageSize(page)
    if (size > limits.maxPageBytes) throw pageTooLarge(page.slug, limits.maxPageBytes)
    return size
  }
}

/** The JSON form of characters that a column cannot store. New text is in the change record, so most pages need no check. */
const escapes = /\\u(?:0000|d[89a-f])/

/** Refuses texts that cannot be stored, before the pages are written: other changes share that write. */
function refuseUnstorable(pages: Prepared['pages']): void {
  for (const [slug, loaded] of pages) {
    if (!loaded) continue
    const { id, title, updatedAt, blocks } = loaded.page
    if (![slug, id, title, updatedAt, ...blocks.map((block) => block.id)].every(isStorable)) throw textNotStorable()
  }
}

function nextCount(count: number, { pages }: Planned): number {
  for (const { before, after } of pages.values()) count += Number(after !== undefined) - Number(before !== undefined)
  return count
}

function configRecords(before: SiteConfig, after: SiteConfig): readonly ConfigRecord[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !sameJson(before[key], after[key]))
    .map((key) => toConfigRecord(key, before[key], after[key]))
}

async function nextStacks(draft: OpenDraft, { stacks }: Planned, version: number): Promise<ReadonlyMap<string, Stack>> {
  if ('set' in stacks) return stacks.set
  const next = new Map<string, Stack>()
  for (const slug of stacks.push) {
    await pace()
    const { undo } = await draft.stack(slug)
    next.set(slug, { undo: [...undo.slice(1 - stackDepth), version], redo: [] })
  }
  for (const slug of draft.head.version === 0 ? [] : (stacks.drop ?? [])) {
    const { undo, redo } = await draft.stack(slug)
    if (undo.length + redo.length > 0) next.set(slug, { undo: [], redo: [] })
  }
  return next
}

/** Returns the stacks of all pages of a run: its newest record replaces the previous one. */
async function extendedStacks(draft: OpenDraft, earlier: ChangeRecord, entry: ChangeRecord): Promise<ReadonlyMap<string, Stack>> {
  const { version } = draft.head
  const stays = new Set(entry.pages.map(({ slug }) => slug))
  const next = new Map<string, Stack>()
  for (const { slug } of [...earlier.pages, ...entry.pages]) {
    const { undo } = await draft.stack(slug)
    const below = undo.at(-1) === version ? undo.slice(0, -1) : undo
    next.set(slug, { undo: stays.has(slug) ? [...below.slice(1 - stackDepth), version + 1] : below, redo: [] })
  }
  return next
}
