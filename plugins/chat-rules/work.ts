/** The draft during planning: the operations so far, and the pages, blocks and rows that words refer to. */
import type { PlanningInput } from '../chat/port.ts'
import { applyBatch } from '../content/batch.ts'
import { draftAfter, pagesIn, toDraft } from '../content/draft-view.ts'
import { effectiveItemFields, isDeclaredList, labelOf } from '../content/fields.ts'
import type { BlockType, Draft, FieldMeta, Fields, Page, Props } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import { isPlainObject, ownValue, perObject } from '../content/plain-object.ts'
import { sameJson } from '../content/same-json.ts'
import { home } from '../content/slugs.ts'
import { shortened } from '../content/words.ts'
import { type Names, namesOn, pageFields, siteFields } from './names.ts'
import { texts } from './texts.ts'

/** One of several meanings of an ambiguous reference. */
export interface Choice {
  readonly id: string
  readonly label: string
}

/** What may answer a question. */
export interface Answerable {
  /** The reference that the choices are meanings of. */
  readonly key?: string
  readonly choices?: readonly Choice[]
  /** Joins the message and the missing part. */
  readonly joint?: string
  /** A complete message, which "yes" stands for. */
  readonly confirms?: string
}

/** Thrown when a form is understood, but something is missing, ambiguous or not admissible. */
export class Ask extends Error {
  override readonly name = 'Ask'
  readonly answerable: Answerable

  constructor(question: string, answerable: Answerable = {}) {
    super(question)
    this.answerable = answerable
  }
}

export function ask(question: string, answerable?: Answerable): never {
  throw new Ask(question, answerable)
}

/** The state of planning one message: the draft with the operations so far. Immutable. */
export interface Work {
  readonly input: PlanningInput
  readonly names: Names
  readonly message: string
  /** The offset behind the last token of the message. */
  readonly end: number
  /** Answers to earlier questions about this message, by the words of the reference. */
  readonly answers: Readonly<Record<string, string>>
  readonly draft: Draft
  readonly slug: string
  readonly ops: readonly Operation[]
}

export function startWork(
  input: PlanningInput,
  message: string,
  end: number,
  answers: Work['answers'] = {},
): Work {
  const { draft, registry, manifest, selection } = input
  const names = namesOn(manifest ?? registry)
  return { input, message, end, answers, names, draft: toDraft(draft), slug: selection.slug, ops: [] }
}

/** The operations of a form; `undefined` if the words mean something else. Asks if something is missing. */
export type Change = readonly Operation[] | undefined

/** The time of the latest change: plans are deterministic. */
export const latestChange = perObject(
  (pages: readonly Page[]) =>
    new Date(pages.reduce((last, { updatedAt }) => Math.max(last, Date.parse(updatedAt) || 0), 0)),
)

/** Applies operations to the draft of the work; one without effect is left out. Asks if one is refused. */
export function perform(work: Work, ops: readonly Operation[]): Work {
  return ops.reduce((before, op) => {
    const { registry, manifest, maxOperations = Infinity, draft } = before.input
    if (before.ops.length >= maxOperations) ask(texts.tooManyChanges(maxOperations))
    const options = { source: 'planner', registry, manifest, now: latestChange(draft.pages) } as const
    const result = applyBatch(before.draft, [op], options)
    if (result.ok) return { ...before, draft: draftAfter(before.draft, result), ops: joined(before.ops, op) }
    if (result.category === 'no_effective_change') return before
    return ask(texts.refused(result.message.replace(/^ops\S*: /, '')))
  }, work)
}

/** Adds an operation; two patches of one block, row or page in sequence become one. */
function joined(ops: readonly Operation[], op: Operation): readonly Operation[] {
  const last = ops.at(-1)
  const isPatch = last?.op === op.op && 'patch' in last && 'patch' in op && op.op !== 'update_site_config'
  if (!isPatch || !sameJson({ ...last, patch: undefined }, { ...op, patch: undefined })) return [...ops, op]
  return [...ops.slice(0, -1), { ...op, patch: { ...last.patch, ...op.patch } } as Operation]
}

interface Named<Kind extends string, Target extends object> {
  readonly kind: Kind
  /** Such as `/about`, `b_hero_1` or `b_cards_r.cards[2]`. */
  readonly id: string
  /** For people. */
  readonly name: string
  readonly slug: string
  readonly fields: Fields
  readonly props: Props
  /** The type of the block, also of a row. */
  readonly type?: BlockType | undefined
  /** How operations name the item. */
  readonly target: Readonly<Target>
}

/** What has a name and fields: the site, a page, a block, or a row of one of its lists. */
export type Item = SiteItem | PageItem | BlockItem | RowItem
type SiteItem = Named<'site', {}>
export type PageItem = Named<'page', { pageSlug: string }>
export type BlockItem = Named<'block', { pageSlug: string; blockId: string }>
export type RowItem = Named<'row', { pageSlug: string; blockId: string; listKey: string; index: number }>

/** A field of an item. */
export interface Field {
  readonly id: string
  readonly item: Item
  readonly name: string
  readonly meta: FieldMeta
}

const pageItem = perObject(({ slug, title: name }: Page): PageItem => {
  return { kind: 'page', id: slug, name, slug, fields: pageFields, props: {}, target: { pageSlug: slug } }
})

export const pageAt = ({ draft }: Work, slug: string | undefined): PageItem | undefined => {
  const page = slug === undefined ? undefined : draft.page(slug)
  return page && pageItem(page)
}

export const pagesOf = ({ draft }: Work): readonly PageItem[] => pagesIn(draft).map(pageItem)

export const siteOf = ({ draft: { config } }: Work): SiteItem => ({
  kind: 'site',
  id: 'site',
  name: 'the site',
  slug: home,
  fields: siteFields,
  props: { site: config.name, logo: config.logo },
  target: {},
})

export const blocksOn = ({ names, draft }: Work, slug: string): readonly BlockItem[] => {
  const page = draft.page(slug)
  return page ? blocksOf(names)(page) : []
}

const blocksOf = perObject(({ types }: Names) =>
  perObject(({ slug, blocks }: Page) =>
    blocks.map((block): BlockItem => {
      const type = types.get(block.type)
      const { displayName: name = block.type, fields = {} } = type ?? {}
      const target = { pageSlug: slug, blockId: block.id }
      return { kind: 'block', id: block.id, name, slug, type, fields, props: block.props, target }
    }),
  ),
)

export const allBlocks = (work: Work): readonly BlockItem[] =>
  work.draft.order.flatMap((slug) => blocksOn(work, slug))

/** The rows of a block, of one list or of all. */
export function rowsOf(block: BlockItem, only?: string): readonly RowItem[] {
  const { id: blockId, fields: lists, props, type, slug } = block
  return Object.entries(lists).flatMap(([listKey, list]) => {
    const rows = isDeclaredList(list) && (only ?? listKey) === listKey ? props[listKey] : undefined
    return (Array.isArray(rows) ? rows : []).flatMap((row: unknown, index): readonly RowItem[] => {
      if (!isPlainObject(row)) return []
      const named = { id: `${blockId}.${listKey}[${index}]`, name: `${labelOf(listKey, list)} ${index + 1}` }
      const target = { pageSlug: slug, blockId, listKey, index }
      return [
        { kind: 'row', ...named, slug, type, fields: effectiveItemFields(list, row), props: row, target },
      ]
    })
  })
}

/** An item with those beside it: the pages of the site, the blocks of its page, the rows of its list. */
export function siblingsOf(work: Work, item: Item): readonly Item[] {
  if (item.kind === 'page' || item.kind === 'site') return pagesOf(work)
  const blocks = blocksOn(work, item.slug)
  if (item.kind === 'block') return blocks
  const { blockId, listKey } = item.target
  return blocks.filter(({ id }) => id === blockId).flatMap((block) => rowsOf(block, listKey))
}

/** Whether an item keeps its place: the home page, and blocks of a pinned type. */
export const isPinned = (item: Item): boolean =>
  item.kind === 'block' ? item.type?.chrome === true : item.id === home

/** A field by its prop name. */
export function fieldNamed(item: Item, name = ''): Field | undefined {
  const meta = ownValue(item.fields, name)
  return meta && !isDeclaredList(meta) ? { id: `${item.id}.${name}`, item, name, meta } : undefined
}

/** The main fields of blocks and rows, in order. */
export const mainFields = ['heading', 'title', 'text', 'quote', 'q', 'question', 'label'] as const

/** The texts of the main fields of an item, each of which may identify it. */
export const textsOf = ({ props }: Item): readonly string[] =>
  mainFields
    .map((name) => props[name])
    .filter((value) => typeof value === 'string')
    .filter((text) => text.trim() !== '')

/** The name of an item or field for people, as in `Button text of Hero “Paddle the fjord”`. */
export function labelFor(named: Item | Field): string {
  if ('meta' in named) return texts.fieldOf(labelOf(named.name, named.meta), labelFor(named.item))
  const [title] = textsOf(named)
  return title === undefined ? named.name : texts.titled(named.name, shortened(title, 60))
}

/** The selected block, the selected row of it and the focused field. */
export function selected(work: Work) {
  const { blockId, path = '' } = work.input.selection
  const at = `${blockId}.${path}`
  const block = blocksOn(work, work.slug).find(({ id }) => id === blockId)
  const row = block && rowsOf(block).find(({ id }) => at.startsWith(id))
  const field = block && fieldNamed(row ?? block, path.split('.').at(-1))
  return { block, row, field: field?.id === at ? field : undefined }
}
