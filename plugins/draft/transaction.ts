import { pace } from '../../kernel/index.ts'
import type { Draft, Reads } from '../content/model.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { pageBytes, pageSize } from '../content/page-bytes.ts'
import { type DraftId, draftKey } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'
import type { ColumnValues, Store, Transaction, Writer } from '../store/port.ts'
import {
  answers,
  type Base,
  bases,
  type ChangeRecord,
  changes,
  draftSites,
  everySite,
  firstHead,
  type Head,
  heads,
  type Limits,
  oldestRetained,
  pages,
  type Stack,
  stacks,
  type StoredAnswer,
  type StoredChange,
  type StoredSize,
  versionKey,
  withoutPruned,
} from './collections.ts'
import {
  type CachedDraft,
  type DraftCache,
  type PageOrder,
  type RankedPage,
  type StagedHead,
  toDraftHead,
  toRankedPage,
} from './cache.ts'
import type { Ranks } from './change-set.ts'
import { type ConflictNotes, conflictNotes, noNotes, notesKey } from './conflicts.ts'
import { ranksInOrder } from './rank.ts'

const noStack: Stack = { undo: [], redo: [] }
const none: ReadonlyMap<string, Page> = new Map()
/** The maximum number of cached slugs without a page per draft. */
const mostAbsent = 1_000
/**
 * The number of slugs per draft beyond which cached stacks are dropped: those of removed pages would stay.
 */
const mostStacks = 1_000
/** The number of known bases per draft beyond which they are read again. */
const mostBased = 1_000
/** The maximum number of writes whose answers a transaction waits for at once: they are all in memory. */
const mostSent = 64

/** The dependencies of an open draft. */
export interface TransactionContext {
  readonly store: Pick<Store, 'shared'>
  readonly cache: DraftCache
  readonly sites: Pick<Sites, 'draftConfig' | 'saveDraftConfig' | 'previewUrl'>
  readonly limits: Pick<Limits, 'keptChangesPerDraft'>
  readonly initialPages: (id: DraftId) => ReadonlyMap<string, Page>
}

/**
 * A draft in one transaction. Reads only the pages that a change needs, and applies changes in order. Writes
 * pages, stacks and head once, in `close`, because several changes may modify them.
 *
 * A draft that was never changed starts with the initial pages of its site, which the first change stores.
 */
export class DraftTransaction {
  readonly id: DraftId
  readonly scope: string
  readonly tx: Transaction
  readonly #cached: CachedDraft
  readonly #context: TransactionContext
  readonly #records: Writer<ChangeRecord, (typeof changes)['columns']>
  readonly #since: number
  state: StagedHead
  /** The pages that the first change of this draft must store; empty afterwards. */
  initial: ReadonlyMap<string, Page>
  #config: SiteConfig | undefined
  /** The time of the last change; `undefined` before the first. */
  #changedAt: string | undefined
  /** The changed pages, and the slugs of pages and stacks not yet written. */
  readonly #changed = new Map<string, RankedPage | undefined>()
  readonly #unwritten = { pages: new Set<string>(), stacks: new Set<string>() }
  readonly #sent: Promise<unknown>[] = []
  readonly #answers = new Map<string, StoredAnswer | undefined>()
  readonly #bases = new Map<string, Base | undefined>()
  #isRebased = false

  private constructor(
    tx: Transaction,
    { id, scope }: { readonly id: DraftId; readonly scope: string },
    cached: CachedDraft,
    state: StagedHead,
    context: TransactionContext,
  ) {
    this.tx = tx
    this.#records = tx.of(changes)
    this.id = id
    this.scope = scope
    this.#since = state.head.version
    this.state = state
    this.initial = state.head.version === 0 ? context.initialPages(id) : none
    this.#context = context
    this.#cached = cached
  }

  /**
   * Opens a draft. Its head is read again only if another process may have changed it, together with the
   * answers stored under `keys`.
   */
  static async open(
    tx: Transaction,
    id: DraftId,
    context: TransactionContext,
    keys: readonly string[],
  ): Promise<DraftTransaction> {
    const { store, cache, initialPages } = context
    const scope = draftKey(id)
    const previous = cache.of(scope)
    if (previous.staged && !store.shared)
      return new DraftTransaction(tx, { id, scope }, previous, previous.staged, context)

    const [stored, answered] = await Promise.all([
      tx.of(heads).get(id.siteId, id.session),
      Promise.all(keys.map((key) => tx.of(answers).get(scope, key))),
    ])
    // Without a new version, what was agreed on may have another one.
    const isSame = (a: Head | undefined, b: Head | undefined): boolean =>
      (a?.version ?? 0) === (b?.version ?? 0) && a?.rebased === b?.rebased
    if (previous.staged && !isSame(previous.staged.head, stored?.body)) cache.forget(scope)
    const cached = cache.of(scope)
    const staged = (cached.staged = stored
      ? { head: stored.body, pageCount: stored.columns.pages }
      : { head: firstHead, pageCount: initialPages(id).size })
    const draft = new DraftTransaction(tx, { id, scope }, cached, staged, context)
    keys.forEach((key, at) => draft.#answers.set(key, answered[at]))
    return draft
  }

  /** Returns the answer stored under a key; an earlier change of this transaction may have stored it. */
  async answer(key: string): Promise<StoredAnswer | undefined> {
    if (!this.#answers.has(key)) return this.tx.of(answers).get(this.scope, key)
    const read = this.#answers.get(key)
    this.#answers.delete(key)
    return read
  }

  /** Updates the sizes of what is stored. */
  resize(changed: Partial<StoredSize>): void {
    const { head, pageCount } = this.state
    this.state = { head: { ...head, kept: { ...head.kept, ...changed } }, pageCount }
  }

  async page(slug: string): Promise<Page | undefined> {
    return (await this.loaded(slug))?.page
  }

  /** Returns a page with its rank; synchronous if it is cached. */
  loaded(slug: string): RankedPage | undefined | Promise<RankedPage | undefined> {
    if (this.#changed.has(slug)) return this.#changed.get(slug)
    if (this.#cached.absent.has(slug)) return undefined
    return this.#cached.page(slug) ?? this.#load(slug)
  }

  async #load(slug: string): Promise<RankedPage | undefined> {
    const fresh = this.initial.get(slug)
    if (fresh)
      return { page: fresh, rank: (await this.pageOrder()).ranks.get(slug) ?? '', size: pageSize(fresh) }
    const stored = await this.tx.of(pages).get(this.scope, slug)
    if (!stored) {
      if (this.#cached.absent.size >= mostAbsent) this.#cached.absent.clear()
      this.#cached.absent.add(slug)
      return undefined
    }
    const loaded = toRankedPage(stored)
    this.#cached.keep(slug, loaded, this.state.head.version)
    return loaded
  }

  /** Returns the ranks of all pages. */
  async pageOrder(): Promise<PageOrder> {
    if (this.#cached.pageOrder) return this.#cached.pageOrder
    const ranks = ranksInOrder(this.initial.keys())
    if (this.initial.size === 0)
      for (const { key, columns } of await this.#rows({ orderBy: 'rank' })) ranks.set(key, columns.rank)
    return (this.#cached.pageOrder = { ranks, order: [...ranks.keys()] })
  }

  /** Returns the stacks of a page; synchronous if they are cached. */
  stack(slug: string): Stack | Promise<Stack> {
    const cached = this.#cached.stacks.get(slug)
    return cached ? this.#withoutPruned(cached) : this.#loadStack(slug)
  }

  async #loadStack(slug: string): Promise<Stack> {
    const stack = (await this.tx.of(stacks).get(this.scope, slug))?.body ?? noStack
    this.#cached.stacks.set(slug, stack)
    return this.#withoutPruned(stack)
  }

  #withoutPruned(stack: Stack): Stack {
    const { version, kept } = this.state.head
    const { keptChangesPerDraft } = this.#context.limits
    return withoutPruned(stack, oldestRetained({ version, oldest: kept.oldest }, keptChangesPerDraft))
  }

  /** Returns a change record with its facts for the log. */
  async change(version: number): Promise<StoredChange | undefined> {
    return this.#records.get(this.scope, versionKey(version))
  }

  /** Returns the newest change, if it is a step of this run. */
  async newestOf(run: string): Promise<StoredChange | undefined> {
    const { head } = this.state
    return head.run === run ? this.change(head.version) : undefined
  }

  /**
   * Whether it is known what the draft has changed, see `bases`. A draft begins with the pages of its site.
   */
  get agrees(): boolean {
    return this.state.head.agreed === true || this.initial.size > 0
  }

  /** Whether a base is stored under a key. */
  async hasBase(key: string): Promise<boolean> {
    const { based } = this.#cached
    if (this.#bases.has(key)) return this.#bases.get(key) !== undefined
    if (based.at === (this.state.head.rebased ?? 0) && based.keys.has(key)) return true
    return (await this.base(key)) !== undefined
  }

  async base(key: string): Promise<Base | undefined> {
    if (!this.#bases.has(key)) this.#bases.set(key, (await this.tx.of(bases).get(this.scope, key))?.body)
    return this.#bases.get(key)
  }

  /** Returns every stored base. */
  async bases(): Promise<ReadonlyMap<string, Base>> {
    await this.flush()
    const stored = await this.tx.of(bases).list(this.scope)
    return new Map(stored.map(({ key, body }) => [key, body]))
  }

  /** Stores bases of what changes now. */
  async addBases(added: ReadonlyMap<string, Base>): Promise<void> {
    for (const [key, body] of added) {
      this.#bases.set(key, body)
      await this.send(this.tx.of(bases).put(this.scope, key, { body, columns: {} }))
    }
  }

  /** Returns what is known of the conflicts with the site; nothing is read where there never was one. */
  async conflictNotes(): Promise<ConflictNotes> {
    if (this.state.head.conflicts === undefined) return noNotes
    await this.flush()
    return (await this.tx.of(conflictNotes).get(this.scope, notesKey))?.body ?? noNotes
  }

  /** Ends the run of the newest change. */
  endRun(): void {
    const { head, pageCount } = this.state
    const { openUntil: _ended, ...rest } = head
    this.state = { head: rest, pageCount }
    this.#isRebased = true
  }

  /** Replaces bases, or removes them (`undefined`): draft and site have agreed on something else. */
  async rebase(
    changed: ReadonlyMap<string, Base | undefined>,
    notes?: ConflictNotes,
    leftOut = this.state.head.leftOut,
  ): Promise<void> {
    const { head, pageCount } = this.state
    const conflicts = notes && Object.values(notes.pages).reduce((sum, count) => sum + count, 0)
    const counts = { rebased: (head.rebased ?? 0) + 1, conflicts: conflicts ?? head.conflicts }
    this.state = { head: { ...head, leftOut, agreed: true, ...counts }, pageCount }
    this.#isRebased = true
    if (notes)
      await this.send(this.tx.of(conflictNotes).put(this.scope, notesKey, { body: notes, columns: {} }))
    for (const [key, body] of changed) {
      await pace()
      this.#bases.set(key, body)
      const writer = this.tx.of(bases)
      await this.send(
        body ? writer.put(this.scope, key, { body, columns: {} }) : writer.remove(this.scope, key),
      )
    }
  }

  /** Marks the draft as restored, without a change. */
  markRestored(restoredAt: string): void {
    const { head, pageCount } = this.state
    this.state = { head: { ...head, restoredAt }, pageCount }
    this.#isRebased = true
  }

  async config(): Promise<SiteConfig> {
    return (this.#config ??= (await this.#context.sites.draftConfig(this.tx, this.id)) ?? {})
  }

  /**
   * Loads what a batch has declared to read, see `readsOf`; `below` has values for missing keys of the site
   * config.
   */
  async view({ pages: wanted, order, config, blockIds, pageIds }: Reads, below?: SiteConfig): Promise<Draft> {
    const slugs = wanted === 'all' ? (await this.pageOrder()).order : [...wanted]
    const loaded = new Map<string, Page>()
    for (const slug of slugs) {
      await pace()
      const current = await this.loaded(slug)
      if (current) loaded.set(slug, current.page)
    }
    const ids = blockIds || pageIds ? await this.#ids() : []
    return {
      page: (slug) => loaded.get(slug),
      order: order ? (await this.pageOrder()).order : [],
      config: config ? { ...below, ...(await this.config()) } : {},
      hasBlockId: among(blockIds ? ids.map((page) => page.blockIds) : []),
      hasPageId: among(pageIds ? ids.map((page) => page.pageId) : []),
    }
  }

  /** Returns the ids of all pages and their blocks, from columns, or from pages that are not stored yet. */
  async #ids(): Promise<readonly Ids[]> {
    if (this.initial.size > 0) return [...this.initial.values()].map(idsOf)
    return (await this.#rows()).map(({ columns }) => columns)
  }

  /** Returns the rows of all pages after the applied changes. */
  async #rows(range?: { readonly orderBy: 'rank' }) {
    await this.writePages()
    return this.tx.of(pages).rows(this.scope, range)
  }

  /** Changes pages (`undefined` removes one) and ranks; `writePages` sends them. */
  setPages(pages: ReadonlyMap<string, RankedPage | undefined>, ranks: Ranks): void {
    this.initial = none
    const { absent, pageOrder } = this.#cached
    for (const [slug, page] of pages) {
      this.#changed.set(slug, page)
      this.#unwritten.pages.add(slug)
      absent.delete(slug)
    }
    if (pageOrder) this.#cached.pageOrder = nextPageOrder(pageOrder, pages, ranks)
  }

  /** Replaces what differs only in addresses that its site has otherwise at every read: the version stays. */
  async refresh(changed: ReadonlyMap<string, Page>, config?: SiteConfig): Promise<void> {
    if (config) await this.setConfig(config)
    for (const [slug, page] of changed) {
      const loaded = await this.loaded(slug)
      if (!loaded) continue
      const size = pageSize(page)
      this.resize({ pages: this.state.head.kept.pages + size - loaded.size })
      this.#changed.set(slug, { ...loaded, page, size })
      this.#unwritten.pages.add(slug)
    }
  }

  setStacks(changed: ReadonlyMap<string, Stack>): void {
    for (const [slug, stack] of changed) {
      this.#cached.stacks.set(slug, stack)
      this.#unwritten.stacks.add(slug)
    }
  }

  async setConfig(config: SiteConfig): Promise<void> {
    this.#config = config
    await this.send(this.#context.sites.saveDraftConfig(this.tx, this.id, config))
  }

  /** Writes the record of a change, and the head after it. */
  async record(state: StagedHead, at: string, record: NewRecord): Promise<void> {
    const { version, kept } = state.head
    const records = kept.records + Buffer.byteLength(record.json)
    this.state = { ...state, head: { ...state.head, kept: { ...kept, records } } }
    this.#changedAt = at
    if (version === 1)
      await this.send(this.tx.of(draftSites).put(everySite, this.id.siteId, { body: {}, columns: {} }))
    await this.send(this.#records.put(this.scope, versionKey(version), record, { expect: 0 }))
  }

  /** Replaces an earlier record. */
  async replaceRecord({ key, bytes }: StoredChange, record: NewRecord): Promise<void> {
    const { records } = this.state.head.kept
    this.resize({ records: records + Buffer.byteLength(record.json) - bytes.byteLength })
    await this.send(this.#records.put(this.scope, key, record))
  }

  /**
   * Sends a write together with others, because each answer of a database takes a round trip; `flush`
   * awaits them.
   */
  async send(write: Promise<unknown>): Promise<void> {
    write.catch(() => undefined)
    if (this.#sent.push(write) >= mostSent) await this.flush()
  }

  /** Awaits every write that was sent, and throws the first failure. */
  async flush(): Promise<void> {
    const results = await Promise.allSettled(this.#sent.splice(0))
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }

  /** Writes the result of the changes, and caches it for the next transaction. */
  async close(): Promise<void> {
    const isChanged = this.#changedAt !== undefined
    if (!isChanged && !this.#isRebased) return this.flush()
    await this.writePages()
    for (const slug of this.#unwritten.stacks) {
      await pace()
      const body = this.#cached.stacks.get(slug) ?? noStack
      await this.send(this.tx.of(stacks).put(this.scope, slug, { body, columns: {} }))
    }
    const { head, pageCount } = this.state
    const changedAt = this.#changedAt ?? (await this.#lastChangedAt())
    const columns = { previewVersion: head.version, pages: pageCount, changedAt }
    await this.send(this.tx.of(heads).put(this.id.siteId, this.id.session, { body: head, columns }))
    await this.flush()
    if (this.#cached.stacks.size > mostStacks) this.#cached.stacks.clear()
    this.#keepBased()
    this.#cached.staged = this.state
  }

  async #lastChangedAt(): Promise<string> {
    const { siteId, session } = this.id
    return (await this.tx.of(heads).get(siteId, session))?.columns.changedAt ?? ''
  }

  #keepBased(): void {
    const { head } = this.state
    const cached = this.#cached.based
    const isStale = cached.at !== (head.rebased ?? 0) || cached.keys.size > mostBased
    const keys = isStale ? new Set<string>() : cached.keys
    for (const [key, base] of this.#bases) if (base) keys.add(key)
    this.#cached.based = { at: head.rebased ?? 0, keys }
  }

  /** Makes the changes visible to readers; call it once they are durable. */
  show(): void {
    if (this.#changedAt === undefined && !this.#isRebased) return
    const { head, pageCount } = this.state
    this.#cached.visible = toDraftHead(head, pageCount)
    if (this.#changedAt === undefined) return
    this.#cached.newest = { since: this.#since, version: head.version, slugs: [...this.#changed.keys()] }
  }

  /** Sends the changed pages, and caches them: readers see a version only once it is durable. */
  async writePages(): Promise<void> {
    // From here on a reader caches no page of an earlier version over these.
    this.#cached.staged = this.state
    const writer = this.tx.of(pages)
    for (const slug of this.#unwritten.pages) {
      await pace()
      const loaded = this.#changed.get(slug)
      this.#cached.keep(slug, loaded, this.state.head.version)
      if (!loaded) {
        await this.send(writer.remove(this.scope, slug))
        continue
      }
      const { page, rank } = loaded
      const { title, updatedAt, blocks } = page
      const columns = { rank, title, updatedAt, blocks: blocks.length, ...idsOf(page) }
      await this.send(writer.put(this.scope, slug, { body: page, json: pageBytes(page), columns }))
    }
    this.#unwritten.pages.clear()
  }
}

/** A change record to store. */
export interface NewRecord extends Pick<StoredChange, 'body' | 'columns'> {
  readonly json: string
}

/** Looks ids up in texts with an id in each line; an id may itself have line breaks. */
function among(texts: readonly string[]): (id: string) => boolean {
  let lines: ReadonlySet<string> | undefined
  return (id) => {
    const present = (lines ??= new Set(texts.join('').split('\n')))
    return id.split('\n').every((line) => present.has(line))
  }
}

function nextPageOrder(
  { ranks: currentRanks, order }: PageOrder,
  changed: ReadonlyMap<string, RankedPage | undefined>,
  ranks: Ranks,
): PageOrder {
  const gone = [...changed].filter(([, loaded]) => !loaded).map(([slug]) => slug)
  if (gone.length === 0 && ranks.size === 0) return { ranks: currentRanks, order }
  for (const slug of gone) currentRanks.delete(slug)
  for (const [slug, rank] of ranks) currentRanks.set(slug, rank)
  const rankOfSlug = (slug: string): string => currentRanks.get(slug) ?? ''
  return {
    ranks: currentRanks,
    order: [...currentRanks.keys()].sort((a, b) => compare(rankOfSlug(a), rankOfSlug(b)) || compare(a, b)),
  }
}

/** Ids between line breaks. */
type Ids = Pick<ColumnValues<(typeof pages)['columns']>, 'pageId' | 'blockIds'>

const idsOf = ({ id, blocks }: Page): Ids => ({
  pageId: `\n${id}\n`,
  blockIds: `\n${blocks.map((block) => block.id).join('\n')}\n`,
})

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
