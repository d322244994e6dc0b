import type { Page } from '../content/page.ts'
import { pageBytes } from '../content/page-bytes.ts'
import type { DraftId } from '../scope/port.ts'
import { aboutOf, answers, changes, heads, pages, scopeOf, stacks, toLoaded, versionKey } from './collections.ts'
import { answerTo, createCommit, type CommitContext } from './commit.ts'
import type { Filling } from './filling.ts'
import { newestEntries, type Logged } from './log.ts'
import type { DraftHead, Drafts, DraftSummary, LogEntry, PageRow, StoredPage } from './port.ts'
import { toChangeEvent } from './prepare.ts'
import { withoutGone } from './prune.ts'

/** Milliseconds for which a restored snapshot is shielded from the next overwriting bootstrap. */
const shieldedFor = 10 * 60 * 1000

/** Makes the drafts service. Reads see what is durable; a draft that was never changed shows its initial pages and stores nothing. */
export function createDrafts(context: CommitContext & { readonly filling: Filling }): Drafts {
  const { store, clock, memory, limits, initialPages, filling } = context
  const commit = createCommit(context)
  const reads = { heads: store.of(heads), pages: store.of(pages), changes: store.of(changes), stacks: store.of(stacks), answers: store.of(answers) }

  const head = async (id: DraftId): Promise<DraftHead> => {
    const hot = memory.of(scopeOf(id))
    if (hot.visible && !store.shared) return hot.visible
    const stored = await reads.heads.get(id.siteId, id.session)
    const fresh = stored ? { version: stored.body.version, pageCount: stored.columns.pages } : { version: 0, pageCount: initialPages(id).size }
    if (stored && (!hot.visible || store.shared)) hot.visible = fresh
    return fresh
  }

  /** The head of a draft that somebody wants to see: an empty one is filled from its site first, where that is possible. */
  const filledHead = async (id: DraftId, by: 'read' | 'change'): Promise<DraftHead> => {
    const before = await head(id)
    if (before.pageCount > 0) return before
    await filling.ensure(id, { head, commit }, by)
    return head(id)
  }

  const isKnownFilled = (id: DraftId): boolean => !store.shared && (memory.known(scopeOf(id))?.visible?.pageCount ?? 0) > 0

  const page = async (id: DraftId, slug: string): Promise<StoredPage | undefined> => {
    const scope = scopeOf(id)
    const before = await filledHead(id, 'read')
    const hot = memory.of(scope)
    if (before.version === 0) {
      const fresh = initialPages(id).get(slug)
      return fresh && { page: fresh, bytes: pageBytes(fresh), previewVersion: 0 }
    }
    const stored = await reads.pages.get(scope, slug)
    if (!stored) return undefined
    const loaded = toLoaded(stored)
    if (hot.visible === before) memory.show(hot, slug, loaded)
    return { page: loaded.page, bytes: stored.bytes, previewVersion: before.version }
  }

  const pageInMemory = (id: DraftId, slug: string): StoredPage | undefined => {
    if (store.shared) return undefined
    const hot = memory.known(scopeOf(id))
    const shown = hot?.visible && memory.visible(hot, slug)
    return shown && hot?.visible && { page: shown.page, bytes: pageBytes(shown.page), previewVersion: hot.visible.version }
  }

  /** Those that are in memory are not parsed again; their order is read, because a change may have moved them. */
  const everyPage = async (id: DraftId): Promise<readonly Page[]> => {
    const scope = scopeOf(id)
    const before = await filledHead(id, 'read')
    if (before.version === 0) return [...initialPages(id).values()]
    const hot = memory.of(scope)
    const rows = store.shared ? undefined : await reads.pages.rows(scope, { orderBy: 'rank' })
    const known = rows?.map(({ key }) => memory.visible(hot, key)?.page)
    if (known?.every((page) => page !== undefined)) return known
    const documents = await reads.pages.list(scope, { orderBy: 'rank' })
    return documents.map((stored) => {
      const loaded = toLoaded(stored)
      if (hot.visible === before) memory.show(hot, stored.key, loaded)
      return loaded.page
    })
  }

  const summaryOf = (id: DraftId, version: number, pageCount: number, changedAt: string): DraftSummary => ({ id, version, pageCount, lastMutatedAt: changedAt === '' ? null : changedAt })

  const service: Drafts = {
    head: (id) => filledHead(id, 'change'),
    pageInMemory,
    page: async (id, slug) => pageInMemory(id, slug) ?? page(id, slug),
    async rows(id) {
      if ((await filledHead(id, 'read')).version === 0) return [...initialPages(id).values()].map(toRow)
      const rows = await reads.pages.rows(scopeOf(id), { orderBy: 'rank' })
      return rows.map(({ key, columns }): PageRow => ({ slug: key, title: columns.title, updatedAt: columns.updatedAt, blockCount: columns.blocks }))
    },
    pages: everyPage,
    async steps(id, slug) {
      const stored = (await reads.stacks.get(scopeOf(id), slug))?.body
      const stack = stored && withoutGone(stored, (await head(id)).version, limits.changesPerDraft)
      return { canUndo: (stack?.undo.length ?? 0) > 0, canRedo: (stack?.redo.length ?? 0) > 0 }
    },
    async log(id, { slug, limit }) {
      const newest = (await newestEntries(reads.changes, scopeOf(id))).map(toLogEntry)
      return newest.filter((entry) => slug === undefined || entry.slug === slug).slice(0, limit).toReversed()
    },
    async changesAfter(id, version) {
      const now = (await head(id)).version
      if (version > now || version < now - limits.changesPerDraft) return undefined
      const rows = await reads.changes.rows(scopeOf(id), { after: versionKey(version) })
      return rows.map((row) => toChangeEvent(id, Number(row.key), aboutOf(row)))
    },
    async summary(id) {
      const { previewVersion, pages, changedAt } = (await reads.heads.get(id.siteId, id.session))?.columns ?? { previewVersion: 0, pages: initialPages(id).size, changedAt: '' }
      return summaryOf(id, previewVersion, pages, changedAt)
    },
    async list() {
      const rows = await reads.heads.everywhere()
      return rows.map(({ scope, key, columns }) => summaryOf({ siteId: scope, session: key }, columns.previewVersion, columns.pages, columns.changedAt))
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
    commit: async (request, toAnswer) =>
      request.channel === 'site' || isKnownFilled(request.id)
        ? commit(request, toAnswer)
        : filledHead(request.id, 'change').then(() => commit(request, toAnswer)),
  }
  return service
}

const toRow = ({ slug, title, updatedAt, blocks }: Page): PageRow => ({ slug, title, updatedAt, blockCount: blocks.length })

function toLogEntry({ version, about }: Logged): LogEntry {
  const { removed: _removed, config: _config, step: _step, isExtended: _isExtended, ...entry } = about
  return { version, ...entry }
}
