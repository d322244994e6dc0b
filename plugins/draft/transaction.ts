import type { Page, SiteConfig } from '../content/page.ts'
import { pageSize } from '../content/page-bytes.ts'
import { type DraftId, draftKey } from '../scope/port.ts'
import type { Transaction, Writer } from '../store/port.ts'
import { type CachedDraft, toDraftHead, toHead } from './cache.ts'
import type { ChangeSet } from './change-set.ts'
import {
  type ChangeRecord,
  changes,
  draftSites,
  everySite,
  type Head,
  heads,
  type SiteKnowledge,
  type Sizes,
  type StoredChange,
  type toDocument,
  versionKey,
} from './collections.ts'
import { type ConflictNotes, conflictNotes, noNotes, notesKey } from './conflicts.ts'
import type { DraftsContext } from './context.ts'
import { createStagedBases, type StagedBases } from './staged/bases.ts'
import { createStagedStacks, type StagedDraft, StagedPages, type StagedStacks } from './staged/pages.ts'

const none: ReadonlyMap<string, Page> = new Map()
/** The maximum number of writes whose answers a transaction waits for at once: they are all in memory. */
const mostSent = 512

/**
 * A draft in one transaction. Reads only the pages that a change needs, and applies changes in order. Writes
 * pages, stacks and head once, in `close`, because several changes may modify them.
 *
 * A draft that was never changed starts with the initial pages of its site, which the first change stores.
 */
export class DraftTransaction implements StagedDraft {
  readonly id: DraftId
  readonly scope: string
  readonly tx: Transaction
  readonly cached: CachedDraft
  readonly pages: StagedPages
  readonly stacks: StagedStacks
  /** The head after the applied changes. */
  head: Head
  readonly context: DraftsContext
  readonly log: {
    readonly records: Writer<ChangeRecord, (typeof changes)['columns']>
    readonly scope: string
  }
  readonly #opened: Head
  #config: SiteConfig | undefined
  readonly #sent: Promise<unknown>[] = []
  #bases: StagedBases | undefined

  private constructor(tx: Transaction, id: DraftId, scope: string, head: Head, context: DraftsContext) {
    this.tx = tx
    this.id = id
    this.scope = scope
    this.log = { records: tx.of(changes), scope: this.scope }
    this.#opened = this.head = head
    this.context = context
    this.cached = context.cache.of(scope)
    this.pages = new StagedPages(this, head.version === 0 ? context.initialPages(id) : none)
    this.stacks = createStagedStacks(this, context.limits.keptChangesPerDraft)
  }

  /** Opens a draft; its head is read if another process may write. */
  static async open(tx: Transaction, id: DraftId, context: DraftsContext): Promise<DraftTransaction> {
    const { store, cache, initialPages } = context
    const scope = draftKey(id)
    const previous = cache.of(scope)
    if (previous.staged && !store.shared) return new DraftTransaction(tx, id, scope, previous.staged, context)

    const staged = toHead(await tx.of(heads).get(id.siteId, id.session), initialPages(id))
    const { version, site } = staged
    const before = previous.staged
    // Without a new version, what was agreed on may have another one.
    if (before && (before.version !== version || before.site.rebased !== site.rebased)) cache.forget(scope)
    cache.of(scope).staged = staged
    return new DraftTransaction(tx, id, scope, staged, context)
  }

  get bases(): StagedBases {
    return (this.#bases ??= createStagedBases(this))
  }

  /** Updates the sizes of what is stored. */
  resize(changed: Partial<Sizes>): void {
    this.head = { ...this.head, sizes: { ...this.head.sizes, ...changed } }
  }

  /** Changes what is known of the site, without a new version. */
  note(changed: Partial<SiteKnowledge>): void {
    this.head = { ...this.head, site: { ...this.head.site, ...changed } }
  }

  /** Returns a change record with its facts for the log. */
  async change(version: number): Promise<StoredChange | undefined> {
    return this.log.records.get(this.scope, versionKey(version))
  }

  async newest(): Promise<StoredChange | undefined> {
    return this.change(this.head.version)
  }

  /** Whether it is known what the draft has changed; it begins with the pages of its site. */
  get agrees(): boolean {
    return this.head.site.agreed || this.pages.initial.size > 0
  }

  /** Returns what is known of the conflicts with the site; nothing is read where there never was one. */
  async conflictNotes(): Promise<ConflictNotes> {
    if (this.head.site.conflicts === undefined) return noNotes
    return (await this.tx.of(conflictNotes).get(this.scope, notesKey))?.body ?? noNotes
  }

  /**
   * Stores that draft and site have agreed on something else. What differs only in addresses that the site
   * has otherwise at every read is replaced as well.
   */
  async rebase({ bases, noted, leftOut, refreshed = none, refreshedConfig }: Agreement): Promise<void> {
    const { site } = this.head
    const conflicts = noted && Object.values(noted.pages).reduce((sum, count) => sum + count, 0)
    this.note({
      leftOut: leftOut ?? site.leftOut,
      agreed: true,
      rebased: site.rebased + 1,
      conflicts: conflicts ?? site.conflicts,
    })
    if (noted)
      await this.send(this.tx.of(conflictNotes).put(this.scope, notesKey, { body: noted, columns: {} }))
    if (bases) await this.bases.set(bases)
    if (refreshedConfig) await this.setConfig(refreshedConfig)
    for (const [slug, page] of refreshed) {
      const loaded = await this.pages.loaded(slug)
      if (!loaded) continue
      const size = pageSize(page)
      this.resize({ pages: this.head.sizes.pages + size - loaded.size })
      this.pages.replace(slug, { ...loaded, page, size })
    }
  }

  async config(): Promise<SiteConfig> {
    return (this.#config ??= (await this.context.sites.draftConfig(this.tx, this.id)) ?? {})
  }

  async setConfig(config: SiteConfig): Promise<void> {
    this.#config = config
    await this.send(this.context.sites.saveDraftConfig(this.tx, this.id, config))
  }

  /** Writes the record of a change, and the head after it; `grown` are the bytes that its pages have more. */
  async record(after: HeadAfter, grown: number, record: NewRecord): Promise<void> {
    const { sizes } = this.head
    const { version } = after
    const records = sizes.records + Buffer.byteLength(record.json)
    this.head = { ...this.head, ...after, sizes: { ...sizes, pages: sizes.pages + grown, records } }
    if (version === 1)
      await this.send(this.tx.of(draftSites).put(everySite, this.id.siteId, { body: {}, columns: {} }))
    return this.send(this.log.records.put(this.scope, versionKey(version), record, { expect: 0 }))
  }

  /** Replaces an earlier record. */
  async replaceRecord({ key, bytes }: StoredChange, record: NewRecord): Promise<void> {
    const { records } = this.head.sizes
    this.resize({ records: records + Buffer.byteLength(record.json) - bytes.byteLength })
    return this.send(this.log.records.put(this.scope, key, record))
  }

  /** Sends a write together with others, which saves round trips: later reads see it, and `flush` awaits it. */
  async send(write: Promise<unknown>): Promise<void> {
    write.catch(() => undefined)
    if (this.#sent.push(write) >= mostSent) await this.flush()
  }

  /** Awaits every write that was sent, and throws the first failure. */
  async flush(): Promise<void> {
    const results = await Promise.allSettled(this.#sent.splice(0))
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }

  /** Sends the result of the changes, and caches it for the next transaction; this one waits for its writes. */
  async close(): Promise<void> {
    if (this.head === this.#opened) return this.tx.leave(this.#sent)
    await this.pages.write()
    await this.stacks.write()
    const { pageCount, changedAt, ...body } = this.head
    const columns = { previewVersion: body.version, pages: pageCount, changedAt }
    this.#sent.push(this.tx.of(heads).put(this.id.siteId, this.id.session, { body, columns }))
    this.tx.leave(this.#sent)
    this.#bases?.keep()
    this.cached.staged = this.head
  }

  /** Makes the changes visible to readers; call it once they are durable. */
  show(): void {
    if (this.head === this.#opened) return
    this.cached.visible = toDraftHead(this.head)
    const [since, version] = [this.#opened.version, this.head.version]
    if (version > since) this.cached.newest = { since, version, slugs: this.pages.changed() }
  }
}

type Agreement = Pick<ChangeSet, 'bases' | 'noted' | 'leftOut' | 'refreshed' | 'refreshedConfig'>
type HeadAfter = Pick<Head, 'version' | 'pageCount' | 'changedAt'>
type NewRecord = ReturnType<typeof toDocument>
