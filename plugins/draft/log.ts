import { paced } from '../../kernel/index.ts'
import { applyDelta } from '../content/delta.ts'
import type { PageChange } from '../content/model.ts'
import type { Page } from '../content/page.ts'
import type { Reader, Store, Transaction } from '../store/port.ts'
import { type Actor, decidesByEdits, isSameActor } from './actor.ts'
import {
  metadataOf,
  type ChangedParts,
  type ChangeMetadata,
  type ChangeRecord,
  changes,
  shownParts,
  type StoredChange,
  versionKey,
} from './collections.ts'
import { settingsIn } from './config-records.ts'
import type { LogEntry, PastChange } from './port.ts'
import { type PageRename, slugAfter, slugsBefore } from './renames.ts'

/** The number of newest changes in the log; only these can be restored. */
const logLength = 100

/** The stored changes of a draft. */
export interface ChangeLog {
  readonly records: Reader<ChangeRecord, (typeof changes)['columns']>
  readonly scope: string
}

export const logIn = (reader: Store | Transaction, scope: string): ChangeLog => ({
  records: reader.of(changes),
  scope,
})

/** A change with its facts for the log. */
interface Logged {
  readonly version: number
  readonly metadata: ChangeMetadata
}

/** Returns the newest log entries, newest first; the steps of a run form one entry, at the newest version. */
export const newestEntries = async (log: ChangeLog): Promise<readonly LogEntry[]> =>
  (await newestLogged(log)).map(toLogEntry)

/** Returns a change of the log; `undefined` for a version that the log does not have. */
export async function loggedChange(log: ChangeLog, version: number): Promise<StoredChange | undefined> {
  const isLogged = (await newestLogged(log)).some((logged) => logged.version === version)
  return isLogged ? log.records.get(log.scope, versionKey(version)) : undefined
}

/** Returns the pages that a change has changed or removed. */
const touchedBy = ({ slugs, removed = [] }: ChangedParts): readonly string[] => [...slugs, ...removed]

async function newestLogged(log: ChangeLog): Promise<readonly Logged[]> {
  const logged: Logged[] = []
  for await (const row of rowsBack(log, logLength)) {
    const metadata = metadataOf(row)
    if (!metadata.isExtended) logged.push({ version: Number(row.key), metadata })
    if (logged.length === logLength) break
  }
  return logged
}

/** Reads the changes without their records, newest first. */
export const rowsBack = ({ records, scope }: ChangeLog, atOnce: number) =>
  oneByOne((range) => records.rows(scope, { ...range, descending: true }), atOnce)

/** Reads what has keys in parts of `atOnce`, and yields to other requests between them. */
async function* oneByOne<T extends { readonly key: string }>(
  read: (range: { readonly limit: number; readonly after?: string }) => Promise<readonly T[]>,
  atOnce: number,
  after?: string,
): AsyncGenerator<T> {
  for (let last = after; ;) {
    const found = await read({ limit: atOnce, ...(last !== undefined && { after: last }) })
    for await (const each of paced(found)) {
      yield each
    }
    if (found.length < atOnce) return
    last = found.at(-1)?.key
  }
}

function toLogEntry({ version, metadata }: Logged): LogEntry {
  const {
    removed: _removed,
    config: _config,
    step: _step,
    openUntil: _openUntil,
    isExtended: _isExtended,
    decided = [],
    ...entry
  } = metadata
  return { version, ...entry, ...shownParts(metadata), slugs: [...new Set([...entry.slugs, ...decided])] }
}

/** Returns what an actor can undo of the changes on the undo stack of a page, and redo, newest first. */
export async function ownSteps(
  log: ChangeLog,
  { slug, undo, mine }: { readonly slug: string; readonly undo: readonly number[]; readonly mine: Actor },
) {
  const own = {
    /** Changes that have an effect, and redone ones. */
    undo: [] as LogEntry[],
    /** Undos since the last change. */
    redo: [] as LogEntry[],
  }
  /** The newest step over each change. */
  const steps = new Map<number, LogEntry['source']>()
  let isChanged = false
  for (const logged of await loggedWith(log, undo.at(-1))) {
    const { version, metadata } = logged
    const { source, of = [], actor } = metadata
    const entry = toLogEntry(logged)
    const last = steps.get(of[0] ?? version)
    for (const each of of) if (!steps.has(each)) steps.set(each, source)
    if (!isSameActor(actor, mine)) continue
    if (source === 'undo') {
      const isHere = metadata.slug === slug || touchedBy(metadata).includes(slug)
      if (isHere && last === undefined && !isChanged) own.redo.push(entry)
      continue
    }
    if (!undo.includes(version)) continue
    if (last !== 'undo') own.undo.push(entry)
    isChanged ||= source !== 'redo'
  }
  return own
}

/** Returns the changes of the newest log entries and the one of a version, which may be older. */
async function loggedWith(log: ChangeLog, version: number | undefined): Promise<readonly Logged[]> {
  const logged = await newestLogged(log)
  if (version === undefined || logged.some((each) => each.version === version)) return logged
  const older = await log.records.get(log.scope, versionKey(version))
  return older ? [...logged, { version, metadata: metadataOf(older) }] : logged
}

/** Returns the slugs at which a stored change has removed a page, or moved it from there. */
export async function removedSlugs({ records, scope }: ChangeLog): Promise<ReadonlySet<string>> {
  const slugs = new Set<string>()
  for await (const row of paced(await records.rows(scope))) {
    for (const slug of metadataOf(row).removed ?? []) slugs.add(slug)
  }
  return slugs
}

/** The changes that one query reads: a change of large pages has megabytes. */
const readAtOnce = 16

/** Reads the changes after a version, oldest first. */
export const changesAfter = ({ records, scope }: ChangeLog, version: number): AsyncGenerator<StoredChange> =>
  oneByOne((range) => records.list(scope, range), readAtOnce, versionKey(version))

/** Reads the changes back to a version, newest first. */
export async function* changesBackTo(
  { records, scope }: ChangeLog,
  version: number,
): AsyncGenerator<StoredChange> {
  for await (const change of oneByOne(
    (range) => records.list(scope, { ...range, descending: true }),
    readAtOnce,
  )) {
    if (Number(change.key) < version) return
    yield change
  }
}

/** Returns slugs with those that their pages had after a version. */
export async function withFormerSlugs(
  { records, scope }: ChangeLog,
  { since, slugs }: { readonly since: number; readonly slugs: Iterable<string> },
): Promise<ReadonlySet<string>> {
  const all = new Set(slugs)
  const rows = await records.rows(scope, { after: versionKey(since) })
  for (const row of rows.toReversed())
    for (const [to, from] of slugsBefore(renamedBy(metadataOf(row)))) if (all.has(to)) all.add(from)
  return all
}

/** Returns the renames of a change; of merged steps, the newest one. */
function renamedBy(metadata: ChangeMetadata): readonly PageRename[] {
  const { renamed = [] }: ChangedParts = metadata.step ?? metadata
  return renamed
}

/**
 * Shows the own changes after a version to `visit`, newest first, with some pages before and after each, until
 * that returns `true`. `pages` are as they are now, with the former slugs of renamed ones; a change names a
 * page by its slug of now.
 */
export async function visitBackwards(
  log: ChangeLog,
  { since, pages }: { readonly since: number; readonly pages: ReadonlyMap<string, Page | undefined> },
  visit: (change: PastChange) => boolean,
): Promise<void> {
  const current = new Map(pages)
  /** The slugs of now, by those at the time. */
  const slugs = new Map([...pages.keys()].map((slug) => [slug, slug]))
  for await (const change of changesBackTo(log, since + 1)) {
    const metadata = metadataOf(change)
    const former = slugsBefore(renamedBy(metadata))
    const after = new Map<string, Page | undefined>()
    for (const { slug, delta } of change.body.pages) {
      if (!delta || !current.has(slug)) continue
      const now = current.get(slug)
      after.set(slug, now)
      current.set(slug, applyDelta(now, delta, 'backward'))
    }
    const left = new Map([...former].map(([to, from]) => [from, slugs.get(to)]))
    const changed = new Map<string, PageChange>()
    for (const [slug, page] of after) {
      const slugNow = slugs.get(slug)
      // The page that has left a slug is shown where it has come to.
      if (slugNow === undefined || (!page && left.has(slug))) continue
      changed.set(slugNow, { before: current.get(former.get(slug) ?? slug), after: page })
    }
    for (const slug of former.keys()) slugs.delete(slug)
    for (const [slug, slugNow] of left) if (slugNow) slugs.set(slug, slugNow)
    const config = settingsIn(change.body.config)
    const { source, actor } = metadata
    const isTyped = source === 'direct' && decidesByEdits(actor)
    // What was taken over from the site is beside what is in conflict with it.
    if (source !== 'site' && visit({ isTyped, pages: changed, config })) return
  }
}

/**
 * Returns a page as it was right after a version, with its former place for a page that has none now.
 *
 * No copies are stored: later changes of the page are reverted on the current page, newest first.
 */
export async function asOf(
  log: ChangeLog,
  version: number,
  { slug, today }: { readonly slug: string; readonly today: Page | undefined },
): Promise<{ readonly page: Page | undefined; readonly rank: string | undefined }> {
  let page = today
  let rank: string | undefined
  for await (const { body } of changesBackTo(log, version + 1)) {
    const record = body.pages.find((each) => each.slug === slug)
    if (record?.delta) page = applyDelta(page, record.delta, 'backward')
    rank = record?.rank?.before ?? rank
  }
  return { page, rank }
}

/** Returns the entries, newest first, of the page that has an address now, and of that address. */
export function entriesOf(newest: readonly LogEntry[], slug: string): readonly LogEntry[] {
  let at = slug
  return newest.filter((entry) => {
    const after = at
    at = slugsBefore(entry.renamed ?? []).get(after) ?? after
    const touched = new Set([entry.slug, ...entry.slugs, ...(entry.removedSlugs ?? [])])
    return [slug, after, at].some((each) => touched.has(each))
  })
}

/** Returns the address to which the renames after a version have led the page that had an address then. */
export async function addressNow(
  { records, scope }: ChangeLog,
  version: number,
  slug: string,
): Promise<string> {
  const rows = await records.rows(scope, { after: versionKey(version) })
  return rows.reduce((now, row) => slugAfter(renamedBy(metadataOf(row)), now), slug)
}
