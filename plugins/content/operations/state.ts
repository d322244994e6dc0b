import { newBudget, type Budget } from '../check-props.ts'
import type {
  Block, Draft, DraftChange, FuzzyMatch, Manifest, Page, PageChange, PageCopy, Registry, SiteConfig, Source,
} from '../model.ts'
import { sameJson } from '../same-json.ts'
import { stamperFor } from './stamp-all.ts'

/** What a public demo lets through. */
export interface Playground {
  readonly ops: ReadonlySet<string>
  readonly blockTypes: ReadonlySet<string>
}

/** What a batch knows beside the draft. */
export interface BatchContext {
  readonly source: Source
  readonly registry: Registry
  readonly manifest: Manifest | undefined
  readonly playground: Playground | undefined
}

/** A page that the batch has changed, added or removed. */
interface Touched {
  readonly before: Page | undefined
  after: Page | undefined
  /** The latest time that any earlier state of this page was stamped with. */
  since: string
}

/** The draft as the batch has made it so far: what it changed, over what it found. */
export interface BatchState {
  readonly draft: Draft
  readonly context: BatchContext
  readonly now: Date
  readonly touched: Map<string, Touched>
  /** Slugs whose place was chosen here, among them some of pages that are gone again. */
  readonly placed: string[]
  /** The stored order, before and as it is now; read from the draft when it is first asked for. */
  order: { readonly before: readonly string[]; now: readonly string[] } | undefined
  /** The site config, once the batch has changed it. */
  config: SiteConfig | undefined
  readonly notes: string[]
  readonly fuzzyMatches: FuzzyMatch[]
  readonly copies: PageCopy[]
  /** What the checks of all operations may still cost together. */
  readonly budget: Budget
}

/** Starts a batch on a draft. Reads nothing of it. */
export function startBatch(draft: Draft, context: BatchContext, now: Date): BatchState {
  return {
    draft, context, now, touched: new Map(), placed: [], order: undefined, config: undefined,
    notes: [], fuzzyMatches: [], copies: [], budget: newBudget(),
  }
}

/** The site config as it is now. */
export function configOf({ config, draft }: BatchState): SiteConfig {
  return config ?? draft.config
}

/** The page as it is now. */
export function pageAt(state: BatchState, slug: string): Page | undefined {
  const touched = state.touched.get(slug)
  return touched ? touched.after : state.draft.page(slug)
}

/** The stored order as it is now. */
export function orderOf(state: BatchState): readonly string[] {
  return readOrder(state).now
}

/** Puts another order in the place of the stored one. */
export function reorder(state: BatchState, order: readonly string[]): void {
  readOrder(state).now = order
}

/** Puts a new version in the place of a page; its time is set when the batch is through. */
export function replacePage(state: BatchState, before: Page, after: Page): void {
  const touched = state.touched.get(before.slug)
  if (touched) touched.after = after
  else state.touched.set(before.slug, { before, after, since: before.updatedAt })
}

/** Puts blocks in the place of those that a page has. */
export function replaceBlocks(state: BatchState, page: Page, blocks: readonly Block[]): void {
  replacePage(state, page, { ...page, blocks })
}

/** Adds a page under a free slug, in a new order. `since` is the latest time it had under another slug. */
export function addPage(state: BatchState, page: Page, order: readonly string[], since = ''): void {
  const gone = state.touched.get(page.slug)
  if (gone) Object.assign(gone, { after: page, since: later(gone.since, since) })
  else state.touched.set(page.slug, { before: undefined, after: page, since })
  reorder(state, order)
  state.placed.push(page.slug)
}

/** Takes a page out, which leaves this order. */
export function removePage(state: BatchState, page: Page, order: readonly string[]): void {
  const touched = state.touched.get(page.slug)
  if (touched) touched.after = undefined
  else state.touched.set(page.slug, { before: page, after: undefined, since: page.updatedAt })
  reorder(state, order)
}

/** The latest time that a page was stamped with, before this batch. */
export function stampedAt(state: BatchState, page: Page): string {
  return state.touched.get(page.slug)?.since ?? page.updatedAt
}

/**
 * Tells whether a block id is used anywhere in the draft.
 *
 * An id that this batch took away counts as used: another page, which nobody loaded, may have it too.
 */
export function isBlockIdUsed(state: BatchState, id: string): boolean {
  if (state.draft.hasBlockId(id)) return true
  for (const { after } of state.touched.values()) if (after && hasBlock(after, id)) return true
  return false
}

/** Notes that a block id, new to the page `slug`, is used by another page, as far as is known. */
export function noteIfElsewhere(state: BatchState, id: string, slug: string): void {
  const others = [...state.touched].filter(([other]) => other !== slug)
  const isThere = others.some(([, { after }]) => after && hasBlock(after, id))
  const wasThere = [...state.touched.values()].some(({ before }) => before && hasBlock(before, id))
  if (isThere || (!wasThere && state.draft.hasBlockId(id))) {
    state.notes.push(`block id ${id} is used on another page too`)
  }
}

const mostNotes = 500
const longestNote = 500

/** The notes of the batch, as many and as long as people read. */
export function notesOf({ notes }: BatchState): readonly string[] {
  const shown = notes.slice(0, mostNotes).map((note) => (note.length > longestNote ? `${note.slice(0, longestNote)}…` : note))
  return notes.length > mostNotes ? [...shown, `and ${notes.length - mostNotes} more`] : shown
}

/** What the batch changed, with every changed page stamped. */
export function changeOf(state: BatchState): DraftChange {
  const pages = new Map<string, PageChange>()
  const stampAfter = stamperFor(state.now)
  for (const [slug, { before, after, since }] of state.touched) {
    if (after === before) continue
    pages.set(slug, { before, after: after && { ...after, updatedAt: stampAfter(since) } })
  }
  const { order, config, placed } = state
  return {
    pages,
    placed: placed.filter((slug, index) => pageAt(state, slug) && placed.indexOf(slug) === index),
    ...(order && !sameJson(order.now, order.before) ? { order: order.now } : undefined),
    ...(config && !sameJson(config, state.draft.config) ? { config } : undefined),
  }
}

function readOrder(state: BatchState): NonNullable<BatchState['order']> {
  if (!state.order) {
    const { order } = state.draft
    state.order = { before: order, now: order }
  }
  return state.order
}

const hasBlock = (page: Page, id: string) => page.blocks.some((block) => block.id === id)
const later = (a: string, b: string) => ((Date.parse(a) || 0) < (Date.parse(b) || 0) ? b : a)
