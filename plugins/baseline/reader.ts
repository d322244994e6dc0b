import { type Clock, type Logger, Refusal } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import { slugsOf } from '../content/diff/index.ts'
import { sameJson } from '../content/plain-object.ts'
import type { DraftId } from '../scope/port.ts'
import { defineCollection, trusted, type Store } from '../store/port.ts'
import type { BaselineSource, ReadOptions, SentPublish, SiteReader } from './baselines.ts'
import { endedIn, type PublishResults, reopenFailed, type Reopen } from './deployments.ts'
import { createEarlierAnswers } from './earlier-answers.ts'
import { afterPublish, meaningOf, withAnsweredAddresses, withoutEnded, withoutFormer } from './meaning.ts'
import {
  changesBetween,
  editionOf,
  formsOf,
  hasShrunk,
  readSiteRecord,
  type SiteFacts,
  sourceKey,
  type StoredBaseline,
  type Unshown,
  writeSiteRecord,
} from './record.ts'
import { createSharedReads } from './shared-reads.ts'
import type { ChooseSource, ChosenSource } from './sources.ts'
import { notesOf, notShown, unshownAfter, unshownWith } from './unshown.ts'
import { createVolatile } from './volatile.ts'

interface ReaderContext {
  readonly choose: ChooseSource
  readonly store: Store
  readonly results: PublishResults
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
type ReaderParts = ReturnType<typeof readerOf>
const readerOf = (context: ReaderContext) => ({
  ...context,
  sharedReads: createSharedReads(context),
  volatile: createVolatile(),
  earlierAnswers: createEarlierAnswers(context),
})

/** How often a site is read if it is published to at the same time. */
const mostTries = 3

/** Creates the reader of sites. */
export function createSiteReader(context: ReaderContext): SiteReader {
  const reader = readerOf(context)
  const { choose, store, earlierAnswers } = reader
  const find: SiteReader['find'] = (id, options) => findSite(reader, id, options)
  return {
    find,
    async read(...args) {
      const { isOwn, load } = await find(...args)
      return { ...(await load()), isOwn }
    },
    async mayHaveChanged(id, siteOrigin) {
      const key = keyOf(id, await choose(id, { siteOrigin }))
      const record = await readSiteRecord(store, key)
      const edition = await store.transaction((tx) => writeSiteRecord(tx, key, record, record))
      if (edition !== undefined) earlierAnswers.moved(key, record.edition, edition)
    },
    sent: (id, publish) => noteSent(reader, id, publish),
  }
}

const keyOf = ({ siteId }: DraftId, { name }: Pick<BaselineSource, 'name'>): string => sourceKey(siteId, name)

/** Finds the source of a site; what it loads is what its answer means. */
async function findSite(reader: ReaderParts, id: DraftId, options: ReadOptions): Promise<BaselineSource> {
  const { store, sharedReads, earlierAnswers, reopen, clock, graceMs } = reader
  const { key, source, record } = await readSite(reader, id, options)
  let { edition } = record
  // With what differs at every read, an answer is not compared as a whole.
  const whole = source.volatile ? undefined : source.version
  const load: BaselineSource['load'] = async () => {
    const answer = await source.load()
    if (!answer.content) return { ...answer, wasKnown: record.pageCount !== undefined }
    const known = earlierAnswers.standsFor(key, record.edition, whole)
    if (known) return { ...answer, content: known, isBehind: true }
    const asRead = await withAnsweredAddresses(record, answer.content, source.signed)
    const meant = await meaningOf(answer.content, asRead)
    const { isBehind, displaced } = meant
    const unshown = unshownWith(asRead, answer.content, clock.now().getTime() - graceMs)
    await noteUnshown(reader, id, record.unshown, unshown)
    for (const [session, pages] of Map.groupBy(displaced, ({ until }) => until.session))
      await reopen({ siteId: id.siteId, session }, pages)
    const { length } = isBehind ? meant.content.pages : answer.content.pages
    const shrunk = hasShrunk(record.pageCount, length) && options.confirm !== true
    edition = await put(reader, key, asRead, {
      ...meant.record,
      unshown,
      ...(shrunk && { pageCount: record.pageCount }),
    })
    sharedReads.moved(key, record.edition, edition)
    if (!shrunk && source.isLate) earlierAnswers.seen(key, { edition, version: whole, ...meant })
    const marks = { ...(shrunk && { hasShrunk: true }), ...(isBehind && { isBehind }) }
    return { ...answer, content: meant.content, ...marks }
  }
  return {
    ...source,
    isOwn: source.isOwn ?? (await isFirst(reader, id, source.name)),
    version: source.version && `${source.version} ${record.edition}`,
    forms: async () => formsOf(await readSiteRecord(store, key)),
    load,
    isCurrent: async (tx) => (await editionOf(tx, key)) === edition,
  }
}

/** An answer of a site, and what is known of it. */
interface SiteRead {
  readonly key: string
  readonly source: BaselineSource & { readonly isLate: boolean }
  readonly record: StoredBaseline
}

/** Reads the answer of a site, and what is known of it; an answer from before a publish is read again. */
async function readSite(reader: ReaderParts, id: DraftId, options: ReadOptions): Promise<SiteRead> {
  const { choose, store, sharedReads } = reader
  const chosen = await choose(id, options)
  const { sharing } = options
  const key = keyOf(id, chosen)
  for (let tries = 1; ; tries++) {
    const edition = await editionOf(store, key)
    const { isShared } = chosen
    const open = () => openSite(reader, key, chosen)
    const answer = isShared ? await sharedReads.at(key, edition, { open, sharing }) : await open()
    const source = { ...answer, isOwn: chosen.isOwn, isLate: isShared === true }
    const record = await readSiteRecord(store, key)
    const read = { key, source, record }
    if (record.edition === edition)
      return { ...read, record: await knownNow(reader, id, read, options.confirm === true) }
    // Nothing follows what was read before the edition of now.
    if (tries === mostTries) return { ...read, record: { ...record, edition } }
  }
}

// Files, repositories and adapters are read as stored.
const openSite = ({ volatile }: ReaderParts, key: string, chosen: ChosenSource): Promise<BaselineSource> =>
  chosen.isShared ? volatile.read(key, chosen.open) : chosen.open()

/** Stores the record; returns its edition, or that of the one that was read if another process was faster. */
async function put(
  { store, log }: ReaderParts,
  key: string,
  before: StoredBaseline,
  after: StoredBaseline,
): Promise<number> {
  if (changesBetween(before, after).length === 0) return before.edition
  try {
    return (await store.transaction((tx) => writeSiteRecord(tx, key, before, after))) ?? before.edition
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    log.warn({ err }, 'what is known of a site could not be stored')
    return before.edition
  }
}

/** Of several sites that are named in requests, a draft belongs to the first one. */
async function isFirst({ store }: ReaderParts, { siteId, session }: DraftId, name: string): Promise<boolean> {
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
  reader: ReaderParts,
  { siteId }: DraftId,
  { key, source, record }: SiteRead,
  isConfirmed: boolean,
): Promise<StoredBaseline> {
  const { store, results, reopen, earlierAnswers, clock, graceMs } = reader
  const { unseen, pageCount } = record
  const shown = unseen && (await source.load()).content
  const seen = unseen && shown ? { ...(await afterPublish(record, { ...unseen, shown })), pageCount } : record
  const ended = await endedIn(seen, siteId, results)
  if (ended.size > 0) await reopenFailed(seen, siteId, ended, reopen)
  const known = ended.size > 0 ? withoutEnded(seen, ended) : seen
  const now = withoutFormer(known, isConfirmed ? Infinity : clock.now().getTime() - graceMs)
  if (isConfirmed) earlierAnswers.forget(key)
  if (changesBetween(record, now).length === 0) return record
  const edition = await put(reader, key, record, now)
  // What publishes have replaced is no part of what is known.
  if (known === record) earlierAnswers.moved(key, record.edition, edition)
  return readSiteRecord(store, key)
}

/** Updates the log where a site shows more than before of what was published. */
async function noteUnshown(
  { results }: ReaderParts,
  { siteId }: DraftId,
  before: Unshown = {},
  after: Unshown,
): Promise<void> {
  for (const [publishId, { session, ...publish }] of Object.entries(before)) {
    const [was, is] = [notesOf(publish), notesOf(after[publishId])]
    if (!sameJson(was, is))
      await results.note({ siteId, session }, publishId, is.length > 0 ? [...is] : undefined)
  }
}

/** Stores what was sent to a site, and what it shows instead. */
async function noteSent(reader: ReaderParts, id: DraftId, publish: SentPublish): Promise<readonly string[]> {
  const { choose, store, volatile, earlierAnswers, graceMs } = reader
  const { siteOrigin, repaired, changed, publishId, content, before, until, at } = publish
  const chosen = await choose(id, { siteOrigin })
  const key = keyOf(id, chosen)
  const source = await openSite(reader, key, chosen)
  const read = (await source.load()).content
  // What differs there already was changed since, and is seen at the next look.
  const seen = read && chosen.isExact ? withPagesOf(content, read) : read
  // Files, repositories and adapters are read as stored.
  const isLate = chosen.isShared === true || until !== undefined
  for (;;) {
    const record = await readSiteRecord(store, key)
    const after = await afterSent(withoutFormer(record, Date.parse(at) - graceMs), seen, publish, isLate)
    // A site that never could be read has nothing that is known.
    if (!after) return []
    const sides = chosen.isShared && !until && before && seen && { sent: repaired, before, seen, changed }
    const slugs = sides ? await notShown(record, sides) : []
    const own = { session: id.session, at, slugs }
    const unshown = unshownAfter(record, { publishId, own, changed })
    const next = { ...after, unshown }
    const edition = await store.transaction((tx) => writeSiteRecord(tx, key, record, next))
    if (edition === undefined) continue
    volatile.published(key, slugsOf(content))
    await noteUnshown(reader, id, record.unshown, unshown)
    if (!isLate) return []
    const known = seen ? (await meaningOf(seen, { ...next, edition })).content : content
    earlierAnswers.published(key, { at, edition, version: source.version, content: known })
    return notesOf(own)
  }
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
