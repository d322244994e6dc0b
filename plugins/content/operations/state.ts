import { freeBlockIds, pageIdFromSlug } from '../block-ids.ts'
import { newBudget, type Budget } from '../check-props.ts'
import type {
  Block,
  Draft,
  DraftChange,
  FuzzyMatch,
  AvailableTypes,
  Page,
  PageChange,
  PageCopy,
  SiteConfig,
  Source,
} from '../model.ts'
import { moveMenuEntries, noMoves, rewriteLinks, type SlugMoves } from '../links.ts'
import { sameSettings } from '../navigation.ts'
import { perObject, sameJson } from '../plain-object.ts'
import { stampAfter, staysSame } from '../stamp.ts'
import { shortened } from '../words.ts'
import { refuse } from './refuse.ts'

/** The operations and block types that a public demo allows. */
export interface Playground {
  readonly ops: ReadonlySet<string>
  readonly blockTypes: ReadonlySet<string>
}

/** The context of a batch in addition to the draft. */
export interface BatchContext extends AvailableTypes {
  readonly source: Source
  readonly playground?: Playground | undefined
  /** The hosts of the site: links to pages at these follow a rename. */
  readonly ownHosts?: ReadonlySet<string> | undefined
}

/** A page that the batch has changed, added or removed. */
interface ChangedPage {
  readonly before: Page | undefined
  after: Page | undefined
  /** The latest stamp of any earlier state of this page. */
  since: string
}

/** The draft after the operations so far: changes over the original. */
export interface BatchState {
  readonly draft: Draft
  readonly context: BatchContext
  readonly now: Date
  readonly touched: Map<string, ChangedPage>
  /** Pages with new slugs: links are rewritten when a page is read, or at the end. */
  moves: SlugMoves | undefined
  /** By slug: the number of moves applied to the links of the page; 0 if it is not listed. */
  readonly linked: Map<string, number>
  /** Slugs whose position was set here, including pages that were removed again. */
  readonly placed: string[]
  /** The stored order, once the batch has changed it. */
  order: readonly string[] | undefined
  /** The site config, once the batch has changed it. */
  config: SiteConfig | undefined
  readonly notes: string[]
  readonly fuzzyMatches: FuzzyMatch[]
  readonly copies: PageCopy[]
  /** The remaining steps of the checks of all operations. */
  readonly budget: Budget
  /** What the operations may still create. */
  readonly room: { blocks: number; bytes: number }
  /** The ids of created blocks. */
  readonly newIds: Set<string>
  /** Reserves an id that no block of the draft has; requests for the same id continue its numbering. */
  readonly freeId: (wanted: string) => string
  /** The block ids of each version of a page that was searched. */
  readonly idsOn: Map<Page, ReadonlySet<string>>
}

/** The size of the largest request, which brings pages in, and at least the blocks of the largest page. */
const mostCreated = { blocks: 30_000, bytes: 8 * 1024 * 1024 }

/** Starts a batch on a draft without reading it. */
export function startBatch(draft: Draft, context: BatchContext, now: Date): BatchState {
  const newIds = new Set<string>()
  let ids: ReturnType<typeof freeBlockIds> | undefined
  return {
    draft,
    context,
    now,
    touched: new Map(),
    placed: [],
    order: undefined,
    config: undefined,
    notes: [],
    fuzzyMatches: [],
    copies: [],
    budget: newBudget(),
    room: { ...mostCreated },
    newIds,
    freeId: (wanted) => (ids ??= freeBlockIds((id) => newIds.has(id) || draft.hasBlockId(id)))(wanted),
    idsOn: new Map(),
    moves: undefined,
    linked: new Map(),
  }
}

/** Takes steps from the budget shared by all operations; refuses the batch if there are none left. */
export function spend({ budget }: BatchState, steps: number): void {
  budget.steps = Math.max(0, budget.steps - steps)
  if (budget.steps === 0) refuse('operation_failed', tooMuchWork)
}

const tooMuchWork =
  'this batch takes too long to work out; ' +
  'send fewer operations at once, or a manifest with simpler propsSchemas'

/** The current site config. */
export const configOf = ({ config, draft }: BatchState): SiteConfig => config ?? draft.config

/** The current page. */
export function pageAt(state: BatchState, slug: string): Page | undefined {
  const { touched, moves, linked, draft, context } = state
  const change = touched.get(slug)
  const page = change ? change.after : draft.page(slug)
  const since = linked.get(slug) ?? 0
  if (!page || !moves || since === moves.list.length) return page
  linked.set(slug, moves.list.length)
  const rewritten = rewriteLinks(
    page,
    moves.rewriterSince(since, () => spend(state, 1)),
    context,
  )
  if (rewritten !== page) replacePage(state, page, rewritten)
  return rewritten
}

/** Whether a page has this slug. Reads no page that the batch did not change. */
export function hasSlug({ touched, draft }: BatchState, slug: string): boolean {
  const change = touched.get(slug)
  return change ? change.after !== undefined : slugsIn(draft.order).has(slug)
}

const slugsIn = perObject((order: readonly string[]) => new Set(order))

/** Registers a move of a page; links and menus follow it. */
export function followPage(state: BatchState, from: string, to: string): void {
  const order = orderOf(state)
  state.moves ??= noMoves()
  state.moves.add({ from, to, isOther: (slug) => slug !== to && slugsIn(order).has(slug) })
  const config = configOf(state)
  const { navLabels = {}, navGroups = {} } = config
  spend(state, Object.keys(navLabels).length + Object.values(navGroups).flat().length)
  const moved = moveMenuEntries(config, [[from, to]])
  if (moved !== config) state.config = moved
}

/** Rewrites all links to the current slugs. */
export function settleMoves(state: BatchState): void {
  for (const slug of orderOf(state)) pageAt(state, slug)
}

/** The current stored order. */
export function orderOf({ order, draft }: BatchState): readonly string[] {
  return order ?? draft.order
}

/** Replaces or removes a page; it is stamped at the end of the batch. */
export function replacePage(state: BatchState, before: Page, after: Page | undefined): void {
  const touched = state.touched.get(before.slug)
  if (touched) touched.after = after
  else state.touched.set(before.slug, { before, after, since: before.updatedAt })
}

export function replaceBlocks(state: BatchState, page: Page, blocks: readonly Block[]): void {
  replacePage(state, page, { ...page, blocks })
}

/** Adds a page under a free slug, in a new order. `since` is its latest stamp under another slug. */
export function addPage(state: BatchState, page: Page, order: readonly string[], since = ''): void {
  const gone = state.touched.get(page.slug)
  if (gone) Object.assign(gone, { after: page, since: later(gone.since, since) })
  else state.touched.set(page.slug, { before: undefined, after: page, since })
  state.order = order
  state.linked.set(page.slug, state.moves?.list.length ?? 0)
  state.placed.push(page.slug)
}

/** Removes a page, with the resulting order. */
export function removePage(state: BatchState, page: Page, order: readonly string[]): void {
  replacePage(state, page, undefined)
  state.order = order
}

/** Returns a unique id for a page with a new slug. */
export function newPageId({ draft, touched }: BatchState, slug: string): string {
  const pages = [...touched.values()]
  const before = new Set(pages.map((page) => page.before?.id))
  const now = new Set(pages.map(({ after }) => (after?.slug === slug ? undefined : after?.id)))
  return pageIdFromSlug(slug, (id) => now.has(id) || (!before.has(id) && draft.hasPageId(id)))
}

/** Registers blocks that an operation creates; refuses a batch that creates too many, or too much content. */
export function createBlocks({ room, newIds }: BatchState, blocks: readonly Block[], bytes: number): void {
  room.blocks -= blocks.length
  room.bytes -= bytes
  if (room.blocks < 0 || room.bytes < 0) refuse('operation_failed', tooMuchCreated)
  for (const { id } of blocks) newIds.add(id)
}

const tooMuchCreated =
  `this batch creates more than ${mostCreated.blocks} blocks, ` +
  `or more than ${mostCreated.bytes} bytes of content; send fewer operations at once`

/** Notes that a block id, new to the page `slug`, is used by another page too. */
export function noteIfElsewhere(state: BatchState, slug: string, id: string): void {
  const { draft, newIds, touched } = state
  const isInDraft = draft.hasBlockId(id)
  if (!isInDraft && !newIds.has(id)) return
  const isThere = touched
    .entries()
    .some(([other, { after }]) => other !== slug && idsOn(state, after).has(id))
  const wasThere = () => touched.values().some(({ before }) => idsOn(state, before).has(id))
  if (isThere || (isInDraft && !wasThere())) state.notes.push(`block id ${id} is used on another page too`)
}

const none: ReadonlySet<string> = new Set()

function idsOn(state: BatchState, page: Page | undefined): ReadonlySet<string> {
  if (!page) return none
  const cached = state.idsOn.get(page)
  if (cached) return cached
  spend(state, page.blocks.length)
  const ids = new Set(page.blocks.map(({ id }) => id))
  state.idsOn.set(page, ids)
  return ids
}

const mostNotes = 100
const longestNote = 500

/** Returns the notes of the batch, limited in number and length. */
export function notesOf({ notes }: BatchState): readonly string[] {
  const shown = notes.slice(0, mostNotes).map((note) => shortened(note, longestNote))
  return notes.length > mostNotes ? [...shown, `and ${notes.length - mostNotes} more`] : shown
}

/**
 * Returns the changes of the batch, with every changed page stamped; a page with the same content is none.
 */
export function changeOf(state: BatchState): DraftChange {
  const pages = new Map<string, PageChange>()
  for (const [slug, { before, after, since }] of state.touched) {
    if (staysSame(before, after)) continue
    pages.set(slug, { before, after: after && { ...after, updatedAt: stampAfter(since, state.now) } })
  }
  const { order, config, placed } = state
  return {
    pages,
    placed: placed.filter((slug, index) => pageAt(state, slug) && placed.indexOf(slug) === index),
    ...(order && !sameJson(order, state.draft.order) ? { order } : undefined),
    ...(config && !sameSettings(config, state.draft.config) ? { config } : undefined),
  }
}

const later = (a: string, b: string) => ((Date.parse(a) || 0) < (Date.parse(b) || 0) ? b : a)
