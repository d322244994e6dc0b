import { createKeyedQueue, pace, Lru, Refusal } from '../../kernel/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { pageBytes } from '../content/page-bytes.ts'
import type { DraftId } from '../scope/port.ts'
import { siteConfigs } from '../sites/port.ts'
import type { ColumnValues } from '../store/port.ts'
import { asOf, newestEntries } from './log.ts'
import { aboutOf, answers, changes, heads, oldestKept, pages, scopeOf, stacks, versionKey, withoutGone } from './collections.ts'
import { toDraftHead, toLoaded, type Visible } from './memory.ts'
import { answerTo, createCommit, type CommitContext } from './commit.ts'
import type { Filling } from './filling.ts'
import type { EditOf, Ranks } from './planned.ts'
import type { CommitRequest, Drafts, DraftSummary, Edit, StoredPage } from './port.ts'
import { toChangeEvent } from './prepare.ts'
import { ranksInOrder } from './rank.ts'

/** Milliseconds during which a restored snapshot is protected from the next overwriting bootstrap. */
const shieldedFor = 10 * 60 * 1000

/** The maximum bytes that reading a complete draft adds to the cache: pages of other drafts must stay. */
const rememberedAtOnce = 4 * 1024 * 1024
const draftsLastRead = 500

/** Creates the drafts service. Reads see durable state; a draft without changes has its initial pages. */
export function createDrafts(context: CommitContext & { readonly filling: Filling }): Drafts {
  const { store, clock, memory, limits, initialPages, filling } = context
  const commit = createCommit(context)
  const reads = { heads: store.of(heads), pages: store.of(pages), changes: store.of(changes), stacks: store.of(stacks), answers: store.of(answers), configs: store.of(siteConfigs) }

  const head = async (id: DraftId): Promise<Visible> => {
    const cached = memory.of(scopeOf(id))
    if (cached.visible && !store.shared) return cached.visible
    const stored = await reads.heads.get(id.siteId, id.session)
    const fresh = stored ? toDraftHead(stored.body, stored.columns.pages) : toDraftHead({ version: 0 }, initialPages(id).size)
    if (stored && (!cached.visible || store.shared)) cached.visible = fresh
    return fresh
  }

  /** Returns the head of a draft. A never filled draft is first filled from its site, if possible. */
  const filledHead = async (id: DraftId, from: 'anywhere' | 'adapter' = 'anywhere'): Promise<Visible> => {
    const before = await head(id)
    if (!before.isUnfilled) return before
    await filling.ensure(id, { head, commit }, from)
    return head(id)
  }

  const storedConfig = async ({ siteId, session }: DraftId): Promise<SiteConfig | undefined> => (await reads.configs.get(siteId, session))?.body

  const whyEmpty = async (id: DraftId): Promise<string | undefined> => ((await head(id)).isUnfilled ? filling.notice(id) : undefined)

  /** Changes that wait until their draft is filled; later changes wait as well, to keep the order. */
  const readying = createKeyedQueue()

  /** Prepares a change: fills the draft from its site, and adds the site's config to a config edit. */
  const ready = async ({ id, edit }: CommitRequest): Promise<Edit> => {
    const { hasWholeConfig } = await filledHead(id, edit.kind === 'pages' ? 'adapter' : 'anywhere')
    if (!changesConfig(edit) || (hasWholeConfig && (await storedConfig(id)))) return edit
    return { ...edit, siteConfig: await filling.siteConfig(id) }
  }

  /** Adds the reason why a draft is empty to the 404 refusal of a change. */
  const explained = async (error: unknown, id: DraftId): Promise<unknown> => {
    if (!(error instanceof Refusal && error.status === 404)) return error
    const notice = await whyEmpty(id)
    if (notice === undefined) return error
    const reason = `${error.reason.replace(/(?<![.!?])$/, '.')} ${notice}`
    return new Refusal({ ...error, reason, error: reason })
  }

  const isKnownFilled = (id: DraftId): boolean => !store.shared && (memory.known(scopeOf(id))?.visible?.pageCount ?? 0) > 0

  const page = async (id: DraftId, slug: string, isRemembered: boolean): Promise<StoredPage | undefined> => {
    const scope = scopeOf(id)
    const before = await filledHead(id)
    const cached = memory.of(scope)
    if (before.version === 0) {
      const fresh = initialPages(id).get(slug)
      return fresh && { page: fresh, rank: (await ranksNow(id)).get(slug) ?? '', bytes: pageBytes(fresh), previewVersion: 0 }
    }
    const stored = await reads.pages.get(scope, slug)
    if (!stored) return undefined
    if (isRemembered && cached.visible === before) memory.keep(cached, slug, { visible: toLoaded(stored) })
    return { page: stored.body, rank: stored.columns.rank, bytes: stored.bytes, previewVersion: before.version }
  }

  const pageInMemory = (id: DraftId, slug: string): StoredPage | undefined => {
    if (store.shared) return undefined
    const cached = memory.known(scopeOf(id))
    const shown = cached?.visible && memory.page(cached, slug)?.visible
    return shown && cached?.visible && { page: shown.page, rank: shown.rank, bytes: pageBytes(shown.page), previewVersion: cached.visible.version }
  }

  /** Returns the rank of each page by its slug, in stored order. */
  const ranksNow = async (id: DraftId): Promise<Ranks> =>
    new Map((await service.rows(id)).map(({ slug, rank }) => [slug, rank]))

  /** Returns the pages changed after a version; `undefined` if the records are gone. */
  const changedAfter = async (id: DraftId, version: number): Promise<readonly string[] | undefined> => {
    const later = await service.changesAfter(id, version)
    return later && [...new Set(later.flatMap(({ slugs, removedSlugs = [] }) => [...slugs, ...removedSlugs]))]
  }

  /** Reads pages, and rereads pages that change meanwhile; the last reads belong to one version. */
  async function* eachOf(id: DraftId, slugs: readonly string[], version: number): ReturnType<Drafts['each']> {
    let bytes = 0
    do {
      for (const slug of slugs) {
        const stored = await service.page(id, slug, bytes < rememberedAtOnce)
        bytes += stored?.bytes.byteLength ?? 0
        await pace()
        yield [slug, stored]
      }
      const now = (await head(id)).version
      slugs = (await changedAfter(id, version)) ?? [...(await ranksNow(id)).keys()]
      version = now
    } while (slugs.length > 0)
  }

  /** The last complete read of each draft, weakly referenced. */
  const lastRead = new Lru<string, { readonly version: number; readonly pages: WeakRef<readonly Page[]> }>(draftsLastRead)
  const ranksOf = new WeakMap<readonly Page[], Ranks>()

  /** Reads all pages; reuses the last read, and reads only the pages changed since. */
  const everyPage = async (id: DraftId): Promise<readonly Page[]> => {
    const before = lastRead.get(scopeOf(id))
    const known = before?.pages.deref()
    const { version, isComplete, pages: read } = await service.read(id, known && before?.version)
    const changed = new Map<string, StoredPage | undefined>()
    for await (const [slug, stored] of read) changed.set(slug, stored)
    const base = isComplete ? undefined : known
    if (base && changed.size === 0) return base
    const ranksBefore = base && ranksOf.get(base)
    const isInOrder = ranksBefore && changed.entries().every(([slug, stored]) => stored && stored.rank === ranksBefore.get(slug))
    const ranks = isInOrder ? ranksBefore : await ranksNow(id)
    const fresh = isInOrder ? base.map((page) => changed.get(page.slug)?.page ?? page) : inOrder(ranks.keys(), base, changed)
    ranksOf.set(fresh, ranks)
    lastRead.set(scopeOf(id), { version, pages: new WeakRef(fresh) })
    return fresh
  }

  const service: Drafts & { page(id: DraftId, slug: string, isRemembered?: boolean): Promise<StoredPage | undefined> } = {
    head: (id) => filledHead(id, 'adapter'),
    pageInMemory,
    page: async (id: DraftId, slug: string, isRemembered: boolean = true) => pageInMemory(id, slug) ?? page(id, slug, isRemembered),
    async rows(id) {
      if ((await filledHead(id)).version === 0) {
        const initial = initialPages(id)
        const ranks = ranksInOrder(initial.keys())
        return [...initial.values()].map(({ slug, title, updatedAt, blocks }) =>
          ({ slug, title, updatedAt, blockCount: blocks.length, rank: ranks.get(slug) ?? '' }))
      }
      const rows = await reads.pages.rows(scopeOf(id), { orderBy: 'rank' })
      return rows.map(({ key: slug, columns: { title, updatedAt, blocks, rank } }) =>
        ({ slug, title, updatedAt, blockCount: blocks, rank }))
    },
    pages: everyPage,
    async *each(id) {
      yield* (await service.read(id)).pages
    },
    async read(id, since) {
      const { version } = await filledHead(id)
      const changed = since === undefined ? undefined : await changedAfter(id, since)
      return { version, isComplete: !changed, pages: eachOf(id, changed ?? [...(await ranksNow(id)).keys()], version) }
    },
    async config(id, published) {
      const { hasWholeConfig } = await filledHead(id)
      const config = await storedConfig(id)
      if (hasWholeConfig || !config) return config
      return Object.keys(config).length > 0 ? { ...published, ...config } : undefined
    },
    async shownConfig(id) {
      const { hasWholeConfig } = await filledHead(id)
      if (!hasWholeConfig) await filling.ensure(id, { head, commit }, 'anywhere')
      return (await storedConfig(id)) ?? {}
    },
    whyEmpty,
    async steps(id, slug) {
      const stored = (await reads.stacks.get(scopeOf(id), slug))?.body
      const stack = stored && withoutGone(stored, oldestKept(await head(id), limits.keptChangesPerDraft))
      return { canUndo: (stack?.undo.length ?? 0) > 0, canRedo: (stack?.redo.length ?? 0) > 0 }
    },
    async log(id, { slug, limit }) {
      const newest = await newestEntries(reads.changes, scopeOf(id))
      return newest.filter((entry) => slug === undefined || entry.slug === slug).slice(0, limit).toReversed()
    },
    pageAt: (id, slug, version) =>
      store.transaction(async (tx) => {
        const [scope, records] = [scopeOf(id), tx.of(changes)]
        const logged = (await newestEntries(records, scope)).find((entry) => entry.version === version)
        if (!logged) return undefined
        const today = (await tx.of(pages).get(scope, slug))?.body
        return { page: (await asOf(records, scope, { slug, today, version })).page, entry: logged }
      }),
    async changesAfter(id, version) {
      const now = await head(id)
      if (version === now.version) return []
      if (version > now.version || version < oldestKept(now, limits.keptChangesPerDraft) - 1) return undefined
      const rows = await reads.changes.rows(scopeOf(id), { after: versionKey(version) })
      return rows.map((row) => toChangeEvent(id, Number(row.key), aboutOf(row)))
    },
    async summary(id) {
      const stored = await reads.heads.get(id.siteId, id.session)
      const unchanged = { previewVersion: 0, pages: initialPages(id).size, changedAt: '' }
      return toSummary(id, stored?.columns ?? unchanged)
    },
    async list() {
      const rows = await reads.heads.everywhere()
      return rows.map(({ scope, key, columns }) => toSummary({ siteId: scope, session: key }, columns))
    },
    spendRestoredMark: (id) =>
      store.transaction(async (tx) => {
        const stored = await tx.of(heads).get(id.siteId, id.session)
        if (stored?.body.restoredAt === undefined) return false
        const { restoredAt, ...rest } = stored.body
        await tx.of(heads).put(id.siteId, id.session, { body: rest, columns: stored.columns })
        memory.forget(scopeOf(id))
        return Date.parse(restoredAt) + shieldedFor > clock.now().getTime()
      }),
    answered: async ({ id, idempotency }) => idempotency && answerTo(idempotency, reads.answers, scopeOf(id), clock.now()),
    async commit(request, toAnswer) {
      const scope = scopeOf(request.id)
      if (!readying.has(scope) && isKnownFilled(request.id) && !changesConfig(request.edit)) return commit(request, toAnswer)
      return readying
        .run(scope, () => ready(request))
        .then((edit) => commit({ ...request, edit }, toAnswer))
        .catch(async (error: unknown) => {
          throw await explained(error, request.id)
        })
    },
  }
  return service
}

const changesConfig = (edit: Edit): edit is EditOf<'config' | 'operations'> =>
  (edit.kind === 'config' && Object.keys(edit.patch).length > 0) || (edit.kind === 'operations' && edit.ops.some(({ op }) => op === 'update_site_config'))

/** Returns the existing pages in a new order: the changed ones, and the others as before. */
function inOrder(slugs: Iterable<string>, before: readonly Page[] = [], changed: ReadonlyMap<string, StoredPage | undefined>): readonly Page[] {
  const pages = new Map(before.map((page) => [page.slug, page]))
  for (const [slug, stored] of changed) {
    if (stored) pages.set(slug, stored.page)
    else pages.delete(slug)
  }
  return [...slugs].flatMap((slug) => pages.get(slug) ?? [])
}

type HeadColumns = ColumnValues<(typeof heads)['columns']>

const toSummary = (id: DraftId, { previewVersion, pages, changedAt }: HeadColumns): DraftSummary =>
  ({ id, version: previewVersion, pageCount: pages, lastMutatedAt: changedAt === '' ? null : changedAt })
