import { pace } from '../../kernel/index.ts'
import { applyDelta } from '../content/delta.ts'
import type { Page } from '../content/page.ts'
import type { Reader, Row } from '../store/port.ts'
import { type Actor, isSameActor } from './change.ts'
import {
  metadataOf,
  type ChangeMetadata,
  type ChangeRecord,
  type changes,
  type PageRecord,
  type StoredChange,
  versionKey,
} from './collections.ts'
import type { LogEntry } from './port.ts'

/** The number of newest changes in the log; only these can be restored. */
const logLength = 100

type Columns = (typeof changes)['columns']

/** Returns the newest log entries, newest first; the steps of a run form one entry, at the newest version. */
export async function newestEntries(
  changes: Reader<ChangeRecord, Columns>,
  scope: string,
): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = []
  for (let after: string | undefined; ;) {
    const rows: readonly Row<Columns>[] = await changes.rows(scope, {
      descending: true,
      limit: logLength,
      ...(after !== undefined && { after }),
    })
    const shown = rows
      .map((row) => ({ version: Number(row.key), metadata: metadataOf(row) }))
      .filter(({ metadata }) => !metadata.isExtended)
    entries.push(...shown.slice(0, logLength - entries.length).map(toLogEntry))
    if (rows.length < logLength || entries.length === logLength) return entries
    after = rows.at(-1)?.key
  }
}

function toLogEntry({
  version,
  metadata,
}: {
  readonly version: number
  readonly metadata: ChangeMetadata
}): LogEntry {
  const {
    removed: _removed,
    config: _config,
    step: _step,
    isExtended: _isExtended,
    decided = [],
    ...entry
  } = metadata
  return { version, ...entry, slugs: [...new Set([...entry.slugs, ...decided])] }
}

interface OwnSteps {
  /** Changes that have an effect, and redone ones. */
  readonly undo: readonly LogEntry[]
  /** Undos since the last change. */
  readonly redo: readonly LogEntry[]
}

/** Returns what an actor can undo of the changes on the undo stack of a page, and redo, newest first. */
export async function ownSteps(
  changes: Reader<ChangeRecord, Columns>,
  scope: string,
  { slug, undo, mine }: { readonly slug: string; readonly undo: readonly number[]; readonly mine: Actor },
): Promise<OwnSteps> {
  const own = { undo: [] as LogEntry[], redo: [] as LogEntry[] }
  /** The newest step over each change. */
  const steps = new Map<number, LogEntry['source']>()
  let isChanged = false
  for (const entry of await entriesWith(changes, scope, undo.at(-1))) {
    const { version, source, of = [], slugs, actor } = entry
    const last = steps.get(of[0] ?? version)
    for (const each of of) if (!steps.has(each)) steps.set(each, source)
    if (!isSameActor(actor, mine)) continue
    if (source === 'undo') {
      const isHere = entry.slug === slug || slugs.includes(slug)
      if (isHere && last === undefined && !isChanged) own.redo.push(entry)
      continue
    }
    if (!undo.includes(version)) continue
    if (last !== 'undo') own.undo.push(entry)
    isChanged ||= source !== 'redo'
  }
  return own
}

/** Returns the newest log entries and the one of a version, which may be older. */
async function entriesWith(
  changes: Reader<ChangeRecord, Columns>,
  scope: string,
  version: number | undefined,
): Promise<readonly LogEntry[]> {
  const entries = await newestEntries(changes, scope)
  if (version === undefined || entries.some((entry) => entry.version === version)) return entries
  const older = await changes.get(scope, versionKey(version))
  return older ? [...entries, toLogEntry({ version, metadata: metadataOf(older) })] : entries
}

/** The changes that one query reads: a change of large pages has megabytes. */
const readAtOnce = 16

/** Reads the changes after a version, oldest first, and yields to other requests between them. */
export async function* changesAfter(
  records: Reader<ChangeRecord, Columns>,
  scope: string,
  version: number,
): AsyncGenerator<StoredChange> {
  let after = versionKey(version)
  for (;;) {
    const found = await records.list(scope, { after, limit: readAtOnce })
    for (const change of found) {
      await pace()
      yield change
    }
    if (found.length < readAtOnce) return
    after = found.at(-1)?.key ?? after
  }
}

/** Returns what changed at some pages after a version, by slug, oldest first. */
export async function pageRecordsAfter(
  records: Reader<ChangeRecord, Columns>,
  scope: string,
  version: number,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, readonly PageRecord[]>> {
  const found = new Map<string, PageRecord[]>(slugs.map((slug) => [slug, []]))
  for await (const { body } of changesAfter(records, scope, version))
    for (const record of body.pages) found.get(record.slug)?.push(record)
  return found
}

/**
 * Returns a page as it was right after a version, with its former place for a page that has none now.
 *
 * No copies are stored: later changes of the page are reverted on the current page, newest first.
 */
export async function asOf(
  records: Reader<ChangeRecord, Columns>,
  scope: string,
  {
    slug,
    today,
    version,
  }: { readonly slug: string; readonly today: Page | undefined; readonly version: number },
): Promise<{ readonly page: Page | undefined; readonly rank: string | undefined }> {
  const later = (await pageRecordsAfter(records, scope, version, [slug])).get(slug) ?? []
  let page = today
  let rank: string | undefined
  for (const record of later.toReversed()) {
    await pace()
    if (record.delta) page = applyDelta(page, record.delta, 'backward')
    rank = record.rank?.before ?? rank
  }
  return { page, rank }
}
