import { pace } from '../../../kernel/index.ts'
import type { Draft, Reads } from '../../content/model.ts'
import type { Page } from '../../content/page.ts'
import { pageBytes, pageSize } from '../../content/page-bytes.ts'
import type { DraftId } from '../../scope/port.ts'
import type { ColumnValues, Transaction } from '../../store/port.ts'
import { type CachedDraft, type PageOrder, type RankedPage, toRankedPage } from '../cache.ts'
import type { Ranks } from '../change-set.ts'
import { type Head, oldestRetained, type Stack, stacks, withoutPruned } from '../collections.ts'
import { findPage, inParts, pageRows, partsOfDrafts, putParts } from '../stored-pages.ts'
import { compare, ranksInOrder } from '../rank.ts'

const none: ReadonlyMap<string, Page> = new Map()
/** The maximum number of cached slugs without a page per draft. */
const mostAbsent = 1_000
/** A transaction that writes more pages, as that of a fill, stores them in parts. */
const mostOwn = 256

/** A draft in a transaction, as its parts know it. */
export interface StagedDraft {
  readonly id: DraftId
  readonly tx: Transaction
  readonly scope: string
  readonly cached: CachedDraft
  /** The head after the applied changes. */
  readonly head: Head
  /** Sends a write together with others. */
  send(write: Promise<unknown>): Promise<void>
}

/** The pages of a draft in one transaction: what is cached, what is read, and what has changed. */
export class StagedPages {
  /** The pages that the first change of the draft must store; empty afterwards. */
  initial: ReadonlyMap<string, Page>
  readonly #draft: StagedDraft
  readonly #changed = new Map<string, RankedPage | undefined>()
  readonly #unwritten = new Set<string>()

  constructor(draft: StagedDraft, initial: ReadonlyMap<string, Page>) {
    this.#draft = draft
    this.initial = initial
  }

  async get(slug: string): Promise<Page | undefined> {
    return (await this.loaded(slug))?.page
  }

  /** Returns a page with its rank; synchronous if it is cached. */
  loaded(slug: string): RankedPage | undefined | Promise<RankedPage | undefined> {
    const { cached } = this.#draft
    if (this.#changed.has(slug)) return this.#changed.get(slug)
    if (cached.absent.has(slug)) return undefined
    return cached.page(slug) ?? this.#load(slug)
  }

  async #load(slug: string): Promise<RankedPage | undefined> {
    const { tx, id, cached, head } = this.#draft
    const fresh = this.initial.get(slug)
    if (fresh) return { page: fresh, rank: (await this.order()).ranks.get(slug) ?? '', size: pageSize(fresh) }
    const stored = await findPage(tx, id, slug)
    if (!stored) {
      if (cached.absent.size >= mostAbsent) cached.absent.clear()
      cached.absent.add(slug)
      return undefined
    }
    const loaded = toRankedPage(stored)
    cached.keep(slug, loaded, head.version)
    return loaded
  }

  /** Returns the ranks of all pages. */
  async order(): Promise<PageOrder> {
    const { cached } = this.#draft
    if (cached.pageOrder) return cached.pageOrder
    const ranks = ranksInOrder(this.initial.keys())
    if (this.initial.size === 0)
      for (const { key, columns } of await this.#rows({ orderBy: 'rank' })) ranks.set(key, columns.rank)
    return (cached.pageOrder = { ranks, order: [...ranks.keys()] })
  }

  /** Returns what a batch has declared to read, see `readsOf`, apart from the settings. */
  async view({ pages: wanted, order, blockIds, pageIds }: Reads): Promise<Omit<Draft, 'config'>> {
    const slugs = wanted === 'all' ? (await this.order()).order : [...wanted]
    const loaded = new Map<string, Page>()
    for (const slug of slugs) {
      await pace()
      const current = await this.loaded(slug)
      if (current) loaded.set(slug, current.page)
    }
    const ids = blockIds || pageIds ? await this.#ids() : []
    return {
      page: (slug) => loaded.get(slug),
      order: order ? (await this.order()).order : [],
      hasBlockId: blockIds ? among(ids.map((page) => page.blockIds)) : never,
      hasPageId: pageIds ? among(ids.map((page) => page.pageId)) : never,
    }
  }

  /** Returns the ids of all pages and their blocks, from columns, or from pages that are not stored yet. */
  async #ids(): Promise<readonly Ids[]> {
    if (this.initial.size > 0) return [...this.initial.values()].map(idsOf)
    return (await this.#rows()).map(({ columns }) => columns)
  }

  /** Returns the rows of all pages after the applied changes. */
  async #rows(range?: { readonly orderBy: 'rank' }) {
    const { tx, scope } = this.#draft
    await this.write()
    return tx.of(pageRows).rows(scope, range)
  }

  /** Changes pages (`undefined` removes one) and ranks; `write` sends them. */
  set(changed: ReadonlyMap<string, RankedPage | undefined>, ranks: Ranks): void {
    const { cached } = this.#draft
    this.initial = none
    for (const [slug, page] of changed) {
      this.replace(slug, page)
      cached.absent.delete(slug)
    }
    const gone = [...changed].flatMap(([slug, loaded]) => (loaded ? [] : [slug]))
    if (cached.pageOrder && gone.length + ranks.size > 0)
      cached.pageOrder = nextOrder(cached.pageOrder.ranks, gone, ranks)
  }

  /** Replaces a page at its place. */
  replace(slug: string, page: RankedPage | undefined): void {
    this.#changed.set(slug, page)
    this.#unwritten.add(slug)
  }

  /** Sends the changed pages, and caches them: readers see a version only once it is durable. */
  async write(): Promise<void> {
    const { tx, scope, cached, head } = this.#draft
    // From here on a reader caches no page of an earlier version over these.
    cached.staged = head
    const writer = tx.of(pageRows)
    const parts = this.#unwritten.size > mostOwn ? await this.#putInParts() : undefined
    for (const slug of this.#unwritten) {
      await pace()
      const loaded = this.#changed.get(slug)
      cached.keep(slug, loaded, head.version)
      if (!loaded) {
        await this.#draft.send(writer.remove(scope, slug))
        continue
      }
      const { page, rank } = loaded
      const { title, updatedAt, blocks } = page
      const part = parts?.get(slug) ?? ''
      const columns = { rank, title, updatedAt, blocks: blocks.length, ...idsOf(page), part }
      const document = parts ? { body: null, columns } : { body: page, json: pageBytes(page), columns }
      await this.#draft.send(writer.put(scope, slug, document))
    }
    this.#unwritten.clear()
    if (parts) await this.#notePartsInUse(new Set(parts.values()))
  }

  /** Stores the unwritten pages in parts, and returns the key of that of each. */
  async #putInParts(): Promise<ReadonlyMap<string, string>> {
    const { tx, id, head } = this.#draft
    const unwritten = [...this.#unwritten].flatMap((slug) => this.#changed.get(slug)?.page ?? [])
    const parts = await inParts(unwritten)
    await putParts(tx, id.siteId, parts, head.changedAt)
    return new Map(parts.flatMap(({ key, pages }) => pages.map(({ slug }) => [slug, key] as const)))
  }

  /** Stores which parts the draft has, with new ones. */
  async #notePartsInUse(added: ReadonlySet<string>): Promise<void> {
    const { tx, id, scope } = this.#draft
    const writer = tx.of(partsOfDrafts)
    const isFirst = !(await writer.get(id.siteId, id.session))
    const own = isFirst ? [] : (await tx.of(pageRows).rows(scope)).map(({ columns }) => columns.part)
    const used = new Set([...own, ...added])
    used.delete('')
    await this.#draft.send(writer.put(id.siteId, id.session, { body: { parts: [...used] }, columns: {} }))
  }

  /** The slugs of the changed pages. */
  changed(): readonly string[] {
    return [...this.#changed.keys()]
  }
}

const never = (): boolean => false

/** Looks ids up in texts with an id in each line; an id may itself have line breaks. */
function among(texts: readonly string[]): (id: string) => boolean {
  let lines: ReadonlySet<string> | undefined
  return (id) => {
    const present = (lines ??= new Set(texts.join('').split('\n')))
    return id.split('\n').every((line) => present.has(line))
  }
}

function nextOrder(currentRanks: PageOrder['ranks'], gone: readonly string[], ranks: Ranks): PageOrder {
  for (const slug of gone) currentRanks.delete(slug)
  for (const [slug, rank] of ranks) currentRanks.set(slug, rank)
  const rankOfSlug = (slug: string): string => currentRanks.get(slug) ?? ''
  return {
    ranks: currentRanks,
    order: [...currentRanks.keys()].sort((a, b) => compare(rankOfSlug(a), rankOfSlug(b)) || compare(a, b)),
  }
}

/** Ids between line breaks. */
type Ids = Pick<ColumnValues<(typeof pageRows)['columns']>, 'pageId' | 'blockIds'>

const idsOf = ({ id, blocks }: Page): Ids => ({
  pageId: `\n${id}\n`,
  blockIds: `\n${blocks.map((block) => block.id).join('\n')}\n`,
})

const noStack: Stack = { undo: [], redo: [] }
/** The most cached stacks of a draft: those of removed pages would stay. */
const mostStacks = 1_000

export type StagedStacks = ReturnType<typeof createStagedStacks>

/** Creates the undo stacks of pages in one transaction; of its changes, the newest ones are stored. */
export function createStagedStacks(draft: StagedDraft, keptChangesPerDraft: number) {
  const { tx, scope, cached } = draft
  const unwritten = new Set<string>()
  const retained = (stack: Stack): Stack => {
    const { version, sizes } = draft.head
    const oldest = oldestRetained({ version, oldest: sizes.oldest }, keptChangesPerDraft)
    return oldest > 1 ? withoutPruned(stack, oldest) : stack
  }
  const load = async (slug: string): Promise<Stack> => {
    const stack = (await tx.of(stacks).get(scope, slug))?.body ?? noStack
    cached.stacks.set(slug, stack)
    return retained(stack)
  }
  return {
    /** Returns the stacks of a page, without changes that were pruned; synchronous if they are cached. */
    get(slug: string): Stack | Promise<Stack> {
      const stack = cached.stacks.get(slug)
      return stack ? retained(stack) : load(slug)
    },
    /** Replaces stacks; `write` sends them. */
    set(changed: ReadonlyMap<string, Stack>): void {
      for (const [slug, stack] of changed) {
        cached.stacks.set(slug, stack)
        unwritten.add(slug)
      }
    },
    async write(): Promise<void> {
      for (const slug of unwritten) {
        await pace()
        const body = cached.stacks.get(slug) ?? noStack
        await draft.send(tx.of(stacks).put(scope, slug, { body, columns: {} }))
      }
      if (cached.stacks.size > mostStacks) cached.stacks.clear()
    },
  }
}
