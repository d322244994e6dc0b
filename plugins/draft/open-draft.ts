import { pace } from '../../kernel/index.ts'
import type { Draft, Reads } from '../content/model.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { pageBytes, pageSize } from '../content/page-bytes.ts'
import type { DraftId } from '../scope/port.ts'
import { siteConfigs } from '../sites/port.ts'
import type { ColumnValues, Store, Transaction, Writer } from '../store/port.ts'
import { type ChangeRecord, changes, draftSites, everySite, type Head, heads, type StoredSize, type Limits, oldestKept, pages, scopeOf, type Stack, stacks, type StoredChange, versionKey, withoutGone } from './collections.ts'
import { type DraftMemory, type CachedDraft, type Loaded, type Places, type Staged, toDraftHead, toLoaded } from './memory.ts'
import { LoadedDraft } from './loaded-draft.ts'
import type { Prepared } from './planned.ts'
import { ranksInOrder } from './rank.ts'

const noStack: Stack = { undo: [], redo: [] }
const none: ReadonlyMap<string, Page> = new Map()
/** The maximum number of cached slugs without a page per draft. */
const mostAbsent = 1_000

/** The dependencies of an open draft. */
export interface OpenContext {
  readonly store: Pick<Store, 'shared'>
  readonly memory: DraftMemory
  readonly limits: Pick<Limits, 'keptChangesPerDraft'>
  readonly initialPages: (id: DraftId) => ReadonlyMap<string, Page>
}

/**
 * A draft in one transaction. Reads only the pages that a change needs, and applies changes in order. Writes
 * pages, stacks and head once, in `close`, because several changes may modify them.
 *
 * A draft that was never changed starts with the initial pages of its site, which the first change stores.
 */
export class OpenDraft {
  readonly id: DraftId
  readonly scope: string
  readonly tx: Transaction
  readonly #cache: CachedDraft
  readonly #context: OpenContext
  readonly #records: Writer<ChangeRecord, (typeof changes)['columns']>
  #staged: Staged
  #initial: ReadonlyMap<string, Page>
  #config: SiteConfig | undefined
  /** The time of the last change; `undefined` before the first. */
  #changedAt: string | undefined
  /** The changed pages, and the slugs of pages and stacks not yet written. */
  readonly #changed = new Map<string, Loaded | undefined>()
  readonly #unwritten = { pages: new Set<string>(), stacks: new Set<string>() }

  private constructor(tx: Transaction, id: DraftId, cache: CachedDraft, state: Staged, context: OpenContext) {
    this.tx = tx
    this.#records = tx.of(changes)
    this.id = id
    this.scope = scopeOf(id)
    this.#staged = state
    this.#initial = state.head.version === 0 ? context.initialPages(id) : none
    this.#context = context
    this.#cache = cache
  }

  /** Opens a draft. Its head is read again only if another process may have changed it. */
  static async open(tx: Transaction, id: DraftId, context: OpenContext): Promise<OpenDraft> {
    const { store, memory, initialPages } = context
    const scope = scopeOf(id)
    const known = memory.of(scope)
    if (known.staged && !store.shared) return new OpenDraft(tx, id, known, known.staged, context)

    const stored = await tx.of(heads).get(id.siteId, id.session)
    if (known.staged && known.staged.head.version !== (stored?.body.version ?? 0)) memory.forget(scope)
    const cached = memory.of(scope)
    const staged = (cached.staged = stored
      ? { head: stored.body, pageCount: stored.columns.pages, kept: stored.body.kept ?? (await countStored(tx, scope)) }
      : { head: { version: 0 }, pageCount: initialPages(id).size, kept: nothingStored })
    return new OpenDraft(tx, id, cached, staged, context)
  }

  get head(): Head {
    return this.#staged.head
  }

  get pageCount(): number {
    return this.#staged.pageCount
  }

  /** The stored size; until `writePages`, the bytes of changed pages are an upper bound. */
  get kept(): StoredSize {
    return this.#staged.kept
  }

  /** Updates the sizes after pages were written or old change records deleted. */
  release(left: Partial<StoredSize>): void {
    this.#staged = { ...this.#staged, kept: { ...this.kept, ...left } }
  }

  /** The pages that the first change of this draft must store; empty afterwards. */
  get initial(): ReadonlyMap<string, Page> {
    return this.#initial
  }

  async page(slug: string): Promise<Page | undefined> {
    return (await this.loaded(slug))?.page
  }

  /** Returns a page with its rank; synchronous if it is cached. */
  loaded(slug: string): Loaded | undefined | Promise<Loaded | undefined> {
    if (this.#changed.has(slug)) return this.#changed.get(slug)
    if (this.#cache.absent.has(slug)) return undefined
    return this.#context.memory.page(this.#cache, slug)?.staged ?? this.#load(slug)
  }

  async #load(slug: string): Promise<Loaded | undefined> {
    const fresh = this.#initial.get(slug)
    if (fresh) return { page: fresh, rank: (await this.places()).ranks.get(slug) ?? '', size: pageSize(fresh) }
    const stored = await this.tx.of(pages).get(this.scope, slug)
    if (!stored) {
      if (this.#cache.absent.size >= mostAbsent) this.#cache.absent.clear()
      this.#cache.absent.add(slug)
      return undefined
    }
    const loaded = toLoaded(stored)
    this.#context.memory.keep(this.#cache, slug, { staged: loaded })
    return loaded
  }

  /** Returns the ranks of all pages. */
  async places(): Promise<Places> {
    if (this.#cache.places) return this.#cache.places
    const ranks = ranksInOrder(this.#initial.keys())
    if (this.#initial.size === 0) for (const { key, columns } of await this.#rows({ orderBy: 'rank' })) ranks.set(key, columns.rank)
    return (this.#cache.places = { ranks, order: [...ranks.keys()] })
  }

  /** Returns the stacks of a page; synchronous if they are cached. */
  stack(slug: string): Stack | Promise<Stack> {
    const known = this.#cache.stacks.get(slug)
    return known ? this.#withoutGone(known) : this.#loadStack(slug)
  }

  async #loadStack(slug: string): Promise<Stack> {
    const stack = (await this.tx.of(stacks).get(this.scope, slug))?.body ?? noStack
    this.#cache.stacks.set(slug, stack)
    return this.#withoutGone(stack)
  }

  #withoutGone(stack: Stack): Stack {
    const { head: { version }, kept: { oldest } } = this
    return withoutGone(stack, oldestKept({ version, oldest }, this.#context.limits.keptChangesPerDraft))
  }

  /** Returns a change record with its facts for the log. */
  async record(version: number): Promise<StoredChange | undefined> {
    return this.#records.get(this.scope, versionKey(version))
  }

  /** Returns the newest change, if it is a step of this run. */
  async newestOf(run: string): Promise<StoredChange | undefined> {
    return this.head.run === run ? this.record(this.head.version) : undefined
  }

  async config(): Promise<SiteConfig> {
    return (this.#config ??= (await this.tx.of(siteConfigs).get(this.id.siteId, this.id.session))?.body ?? {})
  }

  /** Preloads the reads of a batch; `below` has values for missing keys of the site config. */
  async view({ pages: wanted, order, config, blockIds, pageIds }: Reads, below?: SiteConfig): Promise<Draft> {
    const slugs = wanted === 'all' ? (await this.places()).order : [...wanted]
    const loaded = new Map<string, Page>()
    for (const slug of slugs) {
      await pace()
      const known = await this.loaded(slug)
      if (known) loaded.set(slug, known.page)
    }
    const ids = blockIds || pageIds ? await this.#ids() : []
    return new LoadedDraft({
      pages: loaded,
      order: order ? (await this.places()).order : undefined,
      config: config ? { ...below, ...(await this.config()) } : undefined,
      blockIds: blockIds ? ids.map((page) => page.blockIds).join('') : undefined,
      pageIds: pageIds ? ids.map((page) => page.pageId).join('') : undefined,
    })
  }

  /** Returns the ids of all pages and their blocks, from columns, or from pages that are not stored yet. */
  async #ids(): Promise<readonly Ids[]> {
    if (this.#initial.size > 0) return [...this.#initial.values()].map(idsOf)
    return (await this.#rows()).map(({ columns }) => columns)
  }

  /** Returns the rows of all pages after the applied changes. */
  async #rows(range?: { readonly orderBy: 'rank' }) {
    await this.writePages()
    return this.tx.of(pages).rows(this.scope, range)
  }

  /** Applies a change to the open draft. */
  async take({ head, pageCount, pageBytes, at, pages: changed, ranks, config, stacks: left, record, takenIn }: Prepared): Promise<void> {
    const records = this.kept.records + Buffer.byteLength(record.text) + (takenIn?.grows ?? 0)
    this.#staged = { head, pageCount, kept: { ...this.kept, pages: pageBytes, records } }
    this.#changedAt = at
    this.#initial = none
    const cached = this.#cache
    for (const [slug, loaded] of changed) {
      this.#changed.set(slug, loaded)
      this.#unwritten.pages.add(slug)
      cached.absent.delete(slug)
    }
    if (cached.places) cached.places = nextPlaces(cached.places, changed, ranks)
    for (const [slug, stack] of left) {
      cached.stacks.set(slug, stack)
      this.#unwritten.stacks.add(slug)
    }
    if (config) {
      this.#config = config
      await this.tx.of(siteConfigs).put(this.id.siteId, this.id.session, { body: config, columns: {} })
    }
    if (head.version === 1) await this.tx.of(draftSites).put(everySite, this.id.siteId, { body: {}, columns: {} })
    await this.#records.put(this.scope, versionKey(head.version), record, { expect: 0 })
    if (takenIn) await this.#records.put(this.scope, takenIn.key, takenIn.record)
  }

  /** Writes the result of the changes, and caches it for the next transaction. */
  async close(): Promise<void> {
    if (this.#changedAt === undefined) return
    await this.writePages()
    for (const slug of this.#unwritten.stacks) {
      await pace()
      await this.tx.of(stacks).put(this.scope, slug, { body: this.#cache.stacks.get(slug) ?? noStack, columns: {} })
    }
    const columns = { previewVersion: this.head.version, pages: this.pageCount, changedAt: this.#changedAt }
    const head = { ...this.head, kept: this.kept }
    await this.tx.of(heads).put(this.id.siteId, this.id.session, { body: head, columns })
    this.#cache.staged = { ...this.#staged, head }
    for (const [slug, loaded] of this.#changed) {
      await pace()
      this.#context.memory.keep(this.#cache, slug, { staged: loaded })
    }
  }

  /** Makes the changes visible to readers; call it once they are durable. */
  show(): void {
    if (this.#changedAt === undefined) return
    this.#cache.visible = toDraftHead({ ...this.head, kept: this.kept }, this.pageCount)
    const { memory } = this.#context
    for (const [slug, loaded] of this.#changed) memory.keep(this.#cache, slug, { visible: loaded })
  }

  /** Writes the changed pages; their bytes are exact afterwards. */
  async writePages(): Promise<void> {
    let { pages: total } = this.kept
    const writer = this.tx.of(pages)
    for (const slug of this.#unwritten.pages) {
      await pace()
      const loaded = this.#changed.get(slug)
      if (!loaded) {
        await writer.remove(this.scope, slug)
        continue
      }
      const { page, rank, size } = loaded
      const bytes = pageBytes(page)
      total += bytes.byteLength - size
      this.#changed.set(slug, { page, rank, size: bytes.byteLength })
      const columns = { rank, title: page.title, updatedAt: page.updatedAt, blocks: page.blocks.length, ...idsOf(page) }
      await writer.put(this.scope, slug, { body: page, bytes, columns })
    }
    this.#unwritten.pages.clear()
    this.release({ pages: total })
  }
}

const nothingStored: StoredSize = { pages: 0, records: 0, oldest: 1 }

/** Counts the stored bytes of a draft last changed by an earlier version of this service. */
async function countStored(tx: Transaction, scope: string): Promise<StoredSize> {
  const [oldest] = await tx.of(changes).rows(scope, { limit: 1 })
  return { pages: await tx.of(pages).bytes(scope), records: await tx.of(changes).bytes(scope), oldest: Number(oldest?.key ?? 1) }
}

function nextPlaces({ ranks: known, order }: Places, changed: Prepared['pages'], ranks: Prepared['ranks']): Places {
  const gone = [...changed].filter(([, loaded]) => !loaded).map(([slug]) => slug)
  if (gone.length === 0 && ranks.size === 0) return { ranks: known, order }
  for (const slug of gone) known.delete(slug)
  for (const [slug, rank] of ranks) known.set(slug, rank)
  const rankOfSlug = (slug: string): string => known.get(slug) ?? ''
  return { ranks: known, order: [...known.keys()].sort((a, b) => compare(rankOfSlug(a), rankOfSlug(b)) || compare(a, b)) }
}

/** Ids between line breaks. */
type Ids = Pick<ColumnValues<(typeof pages)['columns']>, 'pageId' | 'blockIds'>

const idsOf = ({ id, blocks }: Page): Ids => ({ pageId: `\n${id}\n`, blockIds: `\n${blocks.map((block) => block.id).join('\n')}\n` })

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
