import { type Clock, type Logger, Refusal } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import { shownOlder } from '../content/arrival.ts'
import { bySlug, slugsOf } from '../content/diff/index.ts'
import { samePage } from '../content/merge/index.ts'
import type { Page } from '../content/page.ts'
import type { DraftId } from '../scope/port.ts'
import { defineCollection, trusted, type Store } from '../store/port.ts'
import type { BaselineSource, KnownSource, ReadOptions, SentPublish, SiteReader } from './baselines.ts'
import { createEarlierAnswers } from './earlier-answers.ts'
import { failedRenames, type Reopen, reopenFailed } from './failed-deployments.ts'
import { afterPublish, meaningOf, withAnsweredAddresses, withoutEnded, withoutFormer } from './meaning.ts'
import { createSharedReads, createVolatile } from './reads.ts'
import {
  changesBetween,
  createSiteRecords,
  editionOf,
  endedIn,
  formsOf,
  type HasFailed,
  hasShrunk,
  type SiteFacts,
  sourceKey,
  type StoredBaseline,
} from './record.ts'
import { notShown, recordLaterIds } from './sent.ts'
import type { ChooseSource, ChosenSource } from './sources.ts'

interface ReaderContext {
  readonly choose: ChooseSource
  readonly store: Store
  readonly hasFailed: HasFailed
  /** Makes what a draft has published changes of it again. */
  readonly reopen: Reopen
  /** For how long an answer may show what a publish has replaced. */
  readonly graceMs: number
  /** For how long a read of a site is shared. */
  readonly sharedLookMs: number
  readonly clock: Clock
  readonly log: Logger
}

/** The site that was named first for a draft, under (site id, session). */
export const named = defineCollection('publish_named', trusted<{ readonly name: string }>(), { columns: {} })

/** What reads share: what this process has seen of each site, besides what is stored. */
type ReaderState = ReturnType<typeof readerOf>
const readerOf = (context: ReaderContext) => ({
  ...context,
  records: createSiteRecords(context.store),
  sharedReads: createSharedReads(context),
  volatile: createVolatile(),
  earlierAnswers: createEarlierAnswers(context),
})

/** How often a site is read if it is published to at the same time. */
const mostTries = 3

/** Creates the reader of sites. */
export function createSiteReader(context: ReaderContext): SiteReader {
  const reader = readerOf(context)
  const find: SiteReader['find'] = (id, options) => findSite(reader, id, options)
  return {
    find,
    async read(...args) {
      const { isOwn, load } = await find(...args)
      return { ...(await load()), isOwn }
    },
  }
}

/** Finds the source of a site; what it loads is what its answer means. */
async function findSite(reader: ReaderState, id: DraftId, options: ReadOptions): Promise<KnownSource> {
  const { records, sharedReads, earlierAnswers, reopen } = reader
  const { key, chosen, source, record } = await readSite(reader, id, options)
  let { edition } = record
  // With what differs at every read, an answer is not compared as a whole.
  const whole = source.volatile ? undefined : source.version
  const hasOrder = source.volatile?.hasOrder
  const load: BaselineSource['load'] = async () => {
    const answer = await source.load()
    if (!answer.content) return { ...answer, wasKnown: record.pageCount !== undefined }
    const known = earlierAnswers.standsFor(key, record.edition, whole)
    if (known) return { ...answer, content: await known(), isBehind: true }
    const asRead = await withAnsweredAddresses(record, answer.content, source.signed)
    const meant = await meaningOf(answer.content, asRead)
    const { content, isBehind, displaced } = meant
    for (const [session, pages] of Map.groupBy(displaced, ({ until }) => until.session))
      await reopen({ siteId: id.siteId, session }, pages)
    const { length } = isBehind ? content.pages : answer.content.pages
    const shrunk = hasShrunk(record.pageCount, length) && options.confirm !== true
    const facts = { ...meant.record, ...(shrunk && { pageCount: record.pageCount }) }
    edition = (await put(reader, key, asRead, facts)).edition
    sharedReads.moved(key, record.edition, edition)
    if (!shrunk && chosen.isShared)
      earlierAnswers.seen(key, {
        edition,
        version: whole,
        pageCount: content.pages.length,
        content: async () => content,
      })
    const marks = { ...(shrunk && { hasShrunk: true }), ...(isBehind && { isBehind }) }
    return { ...answer, content, ...marks }
  }
  return {
    ...source,
    isOwn: chosen.isOwn ?? (await isFirst(reader, id, chosen.name)),
    // The same answer means something else where it is compared in another way.
    version: source.version && [chosen.name, source.version, record.edition, hasOrder].join(' '),
    forms: async () => formsOf(await records.read(key)),
    load,
    isCurrent: async (tx) => (await editionOf(tx, key)) === edition,
    async mayHaveChanged() {
      const before = await records.read(key)
      const after = await records.write(key, before, before)
      if (after) earlierAnswers.moved(key, before.edition, after.edition)
    },
    sent: (publish) => noteSent(reader, { key, chosen }, publish),
  }
}

/** A chosen source with its answer, and what is known of its site, with the key of that. */
interface SiteRead {
  readonly key: string
  readonly chosen: ChosenSource
  readonly source: BaselineSource
  readonly record: StoredBaseline
}

/** Reads the answer of a site, and what is known of it; an answer from before a publish is read again. */
async function readSite(reader: ReaderState, id: DraftId, options: ReadOptions): Promise<SiteRead> {
  const { choose, store, records, sharedReads } = reader
  const chosen = await choose(id, options)
  const { sharing } = options
  const key = sourceKey(id.siteId, chosen.name)
  for (let tries = 1; ; tries++) {
    const edition = await editionOf(store, key)
    const open = () => openSite(reader, key, chosen)
    const source = chosen.isShared ? await sharedReads.at(key, edition, open, sharing) : await open()
    const record = await records.read(key)
    const read = { key, chosen, source, record }
    if (record.edition === edition)
      return { ...read, record: await knownNow(reader, id, read, options.confirm === true) }
    // Nothing follows what was read before the edition of now.
    if (tries === mostTries) return { ...read, record: { ...record, edition } }
  }
}

// Files, repositories and adapters are read as stored.
const openSite = ({ volatile }: ReaderState, key: string, chosen: ChosenSource): Promise<BaselineSource> =>
  chosen.isShared ? volatile.read(key, chosen.open) : chosen.open()

/** Stores the record, and returns it then; the one that was read if another process was faster. */
async function put(
  { records, log }: ReaderState,
  key: string,
  before: StoredBaseline,
  after: SiteFacts,
): Promise<StoredBaseline> {
  const changes = changesBetween(before, after)
  if (changes.length === 0) return before
  try {
    return (await records.write(key, before, after, changes)) ?? before
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    log.warn({ err }, 'what is known of a site could not be stored')
    return before
  }
}

/** Of several sites that are named in requests, a draft belongs to the first one. */
async function isFirst({ store }: ReaderState, { siteId, session }: DraftId, name: string): Promise<boolean> {
  const stored = (await store.of(named).get(siteId, session))?.body
  if (stored) return stored.name === name
  await store.transaction((tx) => tx.of(named).put(siteId, session, { body: { name }, columns: {} }))
  return true
}

/**
 * Returns what is known by now: with an answer of a site that could not be read when it was published to, and
 * without the forms of deployments that have ended and what no answer shows again.
 */
async function knownNow(
  reader: ReaderState,
  { siteId }: DraftId,
  { key, source, record }: SiteRead,
  isConfirmed: boolean,
): Promise<StoredBaseline> {
  const { store, records, hasFailed, reopen, earlierAnswers, clock, graceMs } = reader
  const { unseen, pageCount } = record
  const shown = unseen && (await source.load()).content
  const seen = unseen && shown ? { ...(await afterPublish(record, { ...unseen, shown })), pageCount } : record
  let known: StoredBaseline = seen
  // Where one has failed, the one before it may have failed as well.
  for (let ended = await endedIn(known, siteId, hasFailed); ended.size > 0;) {
    await recordLaterIds(store, siteId, ...failedRenames(known, ended))
    await reopenFailed(known, siteId, ended, reopen)
    known = withoutEnded(known, ended)
    ended = await endedIn(known, siteId, hasFailed)
  }
  const now = withoutFormer(known, isConfirmed ? Infinity : clock.now().getTime() - graceMs)
  if (isConfirmed) earlierAnswers.forget(key)
  if (now === record) return record
  const { edition } = await put(reader, key, record, now)
  // What publishes have replaced is not part of what is known.
  if (known === record) earlierAnswers.moved(key, record.edition, edition)
  return records.read(key)
}

/** Stores what was sent to a site, and what it shows instead. */
async function noteSent(
  reader: ReaderState,
  { key, chosen }: Pick<SiteRead, 'key' | 'chosen'>,
  publish: SentPublish,
): Promise<readonly string[]> {
  const { records, volatile, earlierAnswers, graceMs } = reader
  const { changed, content, before, until, at } = publish
  const source = await openSite(reader, key, chosen)
  const read = (await source.load()).content
  // What differs there already was changed since, and is seen at the next read.
  const seen = read && chosen.isExact ? withPagesOf(content, read) : read
  const sent = seen ? asShown(content, seen) : content
  // Files, repositories and adapters are read as stored.
  const isLate = chosen.isShared === true || until !== undefined
  for (;;) {
    const record = await records.read(key)
    const earlier = withoutFormer(record, Date.parse(at) - graceMs)
    const after = await afterSent(earlier, seen, { ...publish, content: sent }, isLate)
    // A site that never could be read has nothing that is known.
    if (!after) return []
    const sides = chosen.isShared && !until && before && seen && { sent: content, before, seen }
    const slugs = sides ? await notShown(record, sides, changed) : []
    const next = await records.write(key, record, after)
    if (!next) continue
    volatile.published(key, slugsOf(content))
    if (!isLate) return []
    earlierAnswers.published(key, {
      at,
      edition: next.edition,
      version: source.version,
      pageCount: content.pages.length,
      content: async () => (seen ? (await meaningOf(seen, next)).content : content),
    })
    return slugs.length > 0 ? [shownOlder(slugs)] : []
  }
}

/** Returns what was sent, with the pages that the site shows so as the same objects. */
function asShown(sent: SiteContent, { pages }: SiteContent): SiteContent {
  const shown = bySlug(pages)
  const asIs = (page: Page): Page => {
    const there = shown.get(page.slug)
    return there?.id === page.id && samePage(there, page) ? there : page
  }
  return { ...sent, pages: sent.pages.map(asIs) }
}

/** Returns what was read with the pages that were sent, in the order that was read. */
function withPagesOf({ pages: sent }: SiteContent, read: SiteContent): SiteContent {
  const places = new Map(read.pages.map(({ slug }, at) => [slug, at]))
  const placeOf = ({ slug }: SiteContent['pages'][number]): number => places.get(slug) ?? places.size
  return { ...read, pages: sent.toSorted((a, b) => placeOf(a) - placeOf(b)) }
}

/** Returns what is known after a publish; `undefined` of a site that never could be read. */
async function afterSent(
  record: StoredBaseline,
  seen: SiteContent | undefined,
  { content: sent, before, renames, until, at }: SentPublish,
  isLate: boolean,
): Promise<SiteFacts | undefined> {
  if (!seen && !before && until) return { ...record, unseen: { sent, until } }
  if (!seen && record.pageCount === undefined) return undefined
  const shown = seen ?? before ?? sent
  const publish = { until, at: isLate ? at : undefined, isUnseen: !seen }
  return afterPublish(record, { ...publish, sent, shown, before, renames })
}
