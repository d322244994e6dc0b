import { type Clock, type Logger, Refusal } from '../../../kernel/index.ts'
import type { SiteContent } from '../../content/adapter.ts'
import type { Renames } from '../../content/merge/index.ts'
import { sameJson } from '../../content/plain-object.ts'
import type { DraftId } from '../../scope/port.ts'
import { defineCollection, trusted, type Store } from '../../store/port.ts'
import type { Answers, BaselineFinder, BaselineSource } from '../baseline.ts'
import { graceOf, type PublishEnvironment } from '../environment.ts'
import type { Reopen } from './following.ts'
import type { PublishLog } from '../log.ts'
import { createSharedReads } from './shared-reads.ts'
import type { createPublishStatus } from '../status.ts'
import {
  type Deployment,
  type Unshown,
  editionOf,
  formsOf,
  hasShrunk,
  isSameRecord,
  type StoredBaseline,
  readSiteRecord,
  sourceKey,
  writeSiteRecord,
} from './site-record.ts'
import { unshownAfter, unshownWith, notesOf, notShown } from './unshown.ts'
import { createEarlierAnswers } from './earlier-answers.ts'
import {
  afterPublish,
  meaningOf,
  slugsOf,
  withAnsweredAddresses,
  withoutEnded,
  withoutFormer,
} from './meaning.ts'
import { createVolatile } from './volatile.ts'
import type { PublishedPart } from './meant-part.ts'

/** Reads what the answers of sites mean, with what is known of the sites. */
export interface SiteReader extends BaselineFinder {
  /**
   * Stores what was sent to a site, and what it shows instead; returns notes on pages of which it shows nothing.
   */
  sent(
    id: DraftId,
    publish: {
      readonly siteOrigin: string | undefined
      readonly content: SiteContent
      /** The content with what was only repaired when it was read. */
      readonly repaired: SiteContent
      /** The slugs of the pages that it changed. */
      readonly changed: readonly string[]
      readonly publishId: string
      /** What the site meant before. */
      readonly before: SiteContent | undefined
      /** The renames from what the site meant before to what was sent. */
      readonly renames: Renames
      /** The publish, if it only started a deployment. */
      readonly until: Deployment | undefined
      /** ISO time of the publish. */
      readonly at: string
    },
  ): Promise<readonly string[]>
  /**
   * Notes that a site may have been changed by a publish, also one that failed: what was read before is out
   * of date.
   */
  mayHaveChanged(id: DraftId, siteOrigin: string | undefined): Promise<void>
}

interface ReaderContext {
  readonly answers: Answers
  readonly store: Store
  readonly publishLog: PublishLog
  readonly status: ReturnType<typeof createPublishStatus>
  /** Makes what a draft has published changes of it again. */
  readonly reopen: Reopen
  readonly env: Pick<PublishEnvironment, 'PUBLISH_GRACE_SECONDS'>
  /** For how long a read of a site is shared. */
  readonly sharedLookMs: number
  readonly clock: Clock
  readonly log: Logger
}

/** How a deployment of a session has ended. */
interface EndedDeployment {
  readonly session: string
  readonly hasFailed: boolean
}

/** The site that was named first for a draft, under (site id, session). */
export const named = defineCollection('publish_named', trusted<{ readonly name: string }>(), { columns: {} })

type Chosen = Awaited<ReturnType<Answers['choose']>>

/** How often a site is read if it is published to at the same time. */
const mostTries = 3
/** The number of publishes of a draft among which a deployment is searched. */
const searched = 50

/** Returns what is known after a publish; `undefined` of a site that never could be read. */
async function afterSent(
  record: StoredBaseline,
  {
    sent,
    seen,
    before,
    ...publish
  }: Record<'seen' | 'before', SiteContent | undefined> &
    Pick<PublishedPart, 'until' | 'at'> & { readonly sent: SiteContent; readonly renames: Renames },
): Promise<Omit<StoredBaseline, 'edition'> | undefined> {
  const { until } = publish
  if (!seen && !before && until) return { ...record, unseen: { sent, until } }
  if (!seen && record.pageCount === undefined) return undefined
  const shown = seen ?? before ?? sent
  return afterPublish(record, { ...publish, sent, shown, before, isUnseen: !seen })
}

/** Creates the reader of sites. */
export function createSiteReader(context: ReaderContext): SiteReader {
  const { answers, store, publishLog, status, reopen, env, clock, log } = context
  const sharedReads = createSharedReads(context)
  const { deploymentMs, answerMs: graceMs } = graceOf(env)
  const volatile = createVolatile()
  const earlierAnswers = createEarlierAnswers({ clock, graceMs })
  const keyOf = ({ siteId }: DraftId, { name }: Pick<BaselineSource, 'name'>): string =>
    sourceKey(siteId, name)

  // Files, repositories and adapters are read as stored.
  const read = async (id: DraftId, chosen: Chosen): Promise<BaselineSource> =>
    chosen.isShared ? volatile.read(keyOf(id, chosen), chosen.open) : chosen.open()

  /**
   * Stores the record; returns its edition, or that of the one that was read if another process was faster.
   */
  const put = async (key: string, before: StoredBaseline, after: StoredBaseline): Promise<number> => {
    if (isSameRecord(before, after)) return before.edition
    try {
      return (await store.transaction((tx) => writeSiteRecord(tx, key, before, after))) ?? before.edition
    } catch (err) {
      if (!(err instanceof Refusal)) throw err
      log.warn({ err }, 'what is known of a site could not be stored')
      return before.edition
    }
  }

  /** Returns the deployments of a record that have ended, with their results; asks for their state. */
  const endedOf = async (
    { siteId }: DraftId,
    record: StoredBaseline,
  ): Promise<ReadonlyMap<string, EndedDeployment>> => {
    const rows = [...record.pages.values(), record.config, record.order]
    const open = new Map(
      rows.flatMap((row) => (row?.until ? [[row.until.publishId, row.until] as const] : [])),
    )
    const ended = new Map<string, EndedDeployment>()
    for (const { session, publishId, at: publishedAt } of open.values()) {
      await status({ siteId, session })
      const logged = await publishLog.list({ siteId, session }, searched)
      const at = logged.findIndex((row) => row.id === publishId)
      const [row, ...later] = at === -1 ? [] : logged.slice(at)
      // Only the newest publish is followed; a later one that was refused says nothing about it. One that is not in the
      // log is about to be.
      const isOver = clock.now().getTime() - Date.parse(publishedAt) >= deploymentMs
      const isFollowed = row !== undefined && later.length === 0
      const isSettled = row !== undefined && row.status !== 'triggered'
      if (isSettled || (isOver && !isFollowed) || later.some((each) => each.status === 'success'))
        ended.set(publishId, { session, hasFailed: row?.status === 'failed' })
    }
    return ended
  }

  /** The changes of a deployment that failed are changes of its draft again. */
  const giveBack = async (
    { siteId }: DraftId,
    [publishId, { session }]: readonly [string, EndedDeployment],
    record: StoredBaseline,
  ): Promise<void> => {
    const isOfIt = ({ until }: { readonly until?: Deployment | undefined }): boolean =>
      until?.publishId === publishId
    const rows = [...record.pages].filter(([, row]) => isOfIt(row))
    const pages = rows.map(([, { known, before }]) => ({ sent: known?.slug, page: before ?? undefined }))
    const config = record.config && isOfIt(record.config) ? record.config.before : undefined
    const names = record.order && isOfIt(record.order) ? record.order.before : undefined
    const former = new Map(rows.map(([name, { before }]) => [name, before?.slug]))
    const order = names?.flatMap((name) => (former.has(name) ? (former.get(name) ?? []) : [name]))
    await reopen({ siteId, session }, pages, { config, order })
  }

  /** Of several sites that are named in requests, a draft belongs to the first one. */
  const isFirst = async ({ siteId, session }: DraftId, name: string): Promise<boolean> => {
    const stored = (await store.of(named).get(siteId, session))?.body
    if (stored) return stored.name === name
    await store.transaction((tx) => tx.of(named).put(siteId, session, { body: { name }, columns: {} }))
    return true
  }

  /** Returns what is known, without the forms of deployments that have ended. */
  const withoutThoseEnded = async (
    id: DraftId,
    key: string,
    record: StoredBaseline,
  ): Promise<StoredBaseline> => {
    const ended = await endedOf(id, record)
    if (ended.size === 0) return record
    const rest = withoutEnded(record, ended)
    const failed = [...ended].filter(([, { hasFailed }]) => hasFailed)
    for (const each of failed) await giveBack(id, each, record)
    await put(key, record, rest)
    return readSiteRecord(store, key)
  }

  /** Returns what is known, with an answer of a site that could not be read when it was published to. */
  const withFirstAnswer = async (
    key: string,
    { source, record }: { readonly source: BaselineSource; readonly record: StoredBaseline },
  ): Promise<StoredBaseline> => {
    const { unseen, pageCount } = record
    const shown = unseen && (await source.load()).content
    if (!unseen || !shown) return record
    await put(key, record, { ...(await afterPublish(record, { ...unseen, shown })), pageCount })
    return readSiteRecord(store, key)
  }

  /**
   * Returns what is known, without what publishes have replaced so long ago that no answer shows it again.
   */
  const withoutPast = async (
    key: string,
    record: StoredBaseline,
    isConfirmed: boolean,
  ): Promise<StoredBaseline> => {
    const rest = withoutFormer(record, isConfirmed ? Infinity : clock.now().getTime() - graceMs)
    if (isConfirmed) earlierAnswers.forget(key)
    if (isSameRecord(record, rest)) return record
    const edition = await put(key, record, rest)
    earlierAnswers.moved(key, record.edition, edition)
    return readSiteRecord(store, key)
  }

  /** Reads the answer of a site, and what is known of it; an answer from before a publish is read again. */
  const readSite = async (id: DraftId, options: Parameters<BaselineFinder['find']>[1]) => {
    const chosen = await answers.choose(id, options)
    const { sharing } = options
    const key = keyOf(id, chosen)
    for (let tries = 1; ; tries++) {
      const edition = await editionOf(store, key)
      const { isShared } = chosen
      const open = () => read(id, chosen)
      const answer = isShared ? await sharedReads.at(key, edition, { open, sharing }) : await open()
      const source = { ...answer, isOwn: chosen.isOwn, isLate: isShared === true }
      let record = await readSiteRecord(store, key)
      if (record.edition === edition) {
        record = await withFirstAnswer(key, { source, record })
        record = await withoutThoseEnded(id, key, record)
        return { key, source, record: await withoutPast(key, record, options.confirm === true) }
      }
      // Nothing follows what was read before the edition of now.
      if (tries === mostTries) return { key, source, record: { ...record, edition } }
    }
  }

  /** Updates the log where a site shows more than before of what was published. */
  const noteUnshown = async ({ siteId }: DraftId, before: Unshown = {}, after: Unshown): Promise<void> => {
    for (const [publishId, { session, ...publish }] of Object.entries(before)) {
      const [was, is] = [notesOf(publish), notesOf(after[publishId])]
      if (!sameJson(was, is))
        await publishLog.note({ siteId, session }, publishId, is.length > 0 ? [...is] : undefined)
    }
  }

  const find: BaselineFinder['find'] = async (id, options) => {
    const { key, source, record } = await readSite(id, options)
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
      await noteUnshown(id, record.unshown, unshown)
      for (const [session, pages] of Map.groupBy(displaced, ({ until }) => until.session))
        await reopen({ siteId: id.siteId, session }, pages)
      const { length } = isBehind ? meant.content.pages : answer.content.pages
      const shrunk = hasShrunk(record.pageCount, length) && options.confirm !== true
      edition = await put(key, asRead, {
        ...meant.record,
        unshown,
        ...(shrunk && { pageCount: record.pageCount }),
      })
      sharedReads.moved(key, record.edition, edition)
      if (!shrunk && source.isLate) earlierAnswers.seen(key, { edition, version: whole, ...meant })
      const marks = { ...(shrunk && { hasShrunk: true }), ...(isBehind && { isBehind }) }
      return { ...answer, content: meant.content, ...marks }
    }
    const version = source.version && `${source.version} ${record.edition}`
    const isOwn = source.isOwn ?? (await isFirst(id, source.name))
    return {
      ...source,
      isOwn,
      version,
      forms: async () => formsOf(await readSiteRecord(store, key)),
      load,
      isCurrent: async (tx) => (await editionOf(tx, key)) === edition,
    }
  }

  return {
    find,
    async read(...args) {
      const { isOwn, load } = await find(...args)
      return { ...(await load()), isOwn }
    },
    async mayHaveChanged(id, siteOrigin) {
      const key = keyOf(id, await answers.choose(id, { siteOrigin }))
      const record = await readSiteRecord(store, key)
      const edition = await store.transaction((tx) => writeSiteRecord(tx, key, record, record))
      if (edition !== undefined) earlierAnswers.moved(key, record.edition, edition)
    },
    async sent(id, { siteOrigin, content, repaired, changed, publishId, before, renames, until, at }) {
      const chosen = await answers.choose(id, { siteOrigin })
      const source = await read(id, chosen)
      const seen = (await source.load()).content
      const key = keyOf(id, source)
      // Files, repositories and adapters are read as stored.
      const isLate = chosen.isShared === true || until !== undefined
      for (;;) {
        const record = await readSiteRecord(store, key)
        const publish = { sent: content, seen, before, renames, until, at: isLate ? at : undefined }
        const after = await afterSent(withoutFormer(record, Date.parse(at) - graceMs), publish)
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
        await noteUnshown(id, record.unshown, unshown)
        if (!isLate) return []
        const known = seen ? (await meaningOf(seen, { ...next, edition })).content : content
        earlierAnswers.published(key, { at, edition, version: source.version, content: known })
        return notesOf(own)
      }
    },
  }
}
