/** The draft during planning: the operations so far, and the pages, blocks and rows that words refer to. */
import * as v from 'valibot'
import type { PlanningInput } from '../port.ts'
import { applyBatch } from '../../content/batch.ts'
import { draftAfter, pagesIn, toDraft } from '../../content/draft-view.ts'
import { effectiveItemFields, isDeclaredList, labelOf } from '../../content/fields.ts'
import type { BlockType, Draft, FieldMeta, Fields, Page, Props } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { parseOperations } from '../../content/operations/parse.ts'
import { isPlainObject, ownValue, perObject, sameJson } from '../../content/plain-object.ts'
import { home } from '../../content/slugs.ts'
import { shortened } from '../../content/words.ts'
import { type Names, namesOn, pageFields, siteFields } from './names.ts'
import { texts } from './texts.ts'

const text = v.optional(v.string())

/** What may answer a question. */
export const Answerable = v.object({
  /** The reference that the choices are meanings of. */
  key: text,
  choices: v.optional(v.array(v.object({ id: v.string(), label: v.string() }))),
  /** Joins the message and the missing part. */
  joint: text,
  /** What is in front of a missing text; the answer is that text. */
  opening: text,
  /** A complete message, which "yes" stands for. */
  confirms: text,
})
type Answerable = Readonly<v.InferOutput<typeof Answerable>>

/** Thrown when an earlier answer chose another reading of the same words. */
export class NotMeant extends Error {
  override readonly name = 'NotMeant'
}

/** Thrown when a form is understood, but something is missing, ambiguous or not admissible. */
export class AskError extends Error {
  override readonly name = 'AskError'
  readonly answerable: Answerable

  constructor(question: string, answerable: Answerable = {}) {
    super(question)
    this.answerable = answerable
  }
}

export function ask(question: string, answerable?: Answerable): never {
  throw new AskError(question, answerable)
}

/** The state of planning one message: the draft with the operations so far. Immutable. */
export interface PlanState {
  readonly input: PlanningInput
  readonly names: Names
  readonly message: string
  /** The offset behind the last token of the message. */
  readonly end: number
  /** The offsets in the message at which another clause may begin. */
  readonly cuts: readonly number[]
  /** Answers to earlier questions about this message, by the words of the reference. */
  readonly answers: Readonly<Record<string, string>>
  /** The time of the latest change: plans are deterministic. */
  readonly now: Date
  readonly draft: Draft
  readonly slug: string
  readonly ops: readonly Operation[]
}

export function startWork(
  input: PlanningInput,
  message: string,
  end: number,
  answers: PlanState['answers'] = {},
): PlanState {
  const { draft, registry, manifest, selection } = input
  const names = namesOn(manifest ?? registry)
  const now = new Date(Math.max(0, ...draft.pages.map(({ updatedAt }) => Date.parse(updatedAt) || 0)))
  return {
    input,
    message,
    end,
    cuts: [],
    answers,
    names,
    now,
    draft: toDraft(draft),
    slug: selection.slug,
    ops: [],
  }
}

/**
 * The operations of a form, not yet parsed; `undefined` if the words mean something else. Asks if something
 * is missing.
 */
export type FormChange = readonly Props[] | undefined

/** Applies operations to the draft of the work; one without effect is left out. Asks if one is refused. */
export function perform(work: PlanState, change: readonly Props[]): PlanState {
  return change.reduce<PlanState>((before, raw) => {
    const { registry, manifest, maxOperations = Infinity } = before.input
    if (before.ops.length >= maxOperations) ask(texts.tooManyChanges(maxOperations))
    const parsed = parseOperations([raw])
    if (!parsed.ok) return ask(texts.refused(parsed.issues[0].message))
    const options = { source: 'planner', registry, manifest, now: work.now } as const
    const result = applyBatch(before.draft, parsed.ops, options)
    if (result.ok)
      return { ...before, draft: draftAfter(before.draft, result), ops: joined(before.ops, parsed.ops) }
    if (result.category === 'no_effective_change') return before
    // The reason, without the place before it and the remedy for callers of the API behind it.
    return ask(texts.refused(result.message.replace(/^ops\S*: |;.*$/gs, '')))
  }, work)
}

/** Adds an operation; two patches of one block, row or page in sequence become one. */
function joined(ops: readonly Operation[], [op]: readonly Operation[]): readonly Operation[] {
  const last = ops.at(-1)
  const isPatch = last && op && 'patch' in last && 'patch' in op && last.op !== 'update_site_config'
  if (!isPatch || !sameJson({ ...last, patch: 0 }, { ...op, patch: 0 })) return op ? [...ops, op] : ops
  const both = parseOperations([{ ...op, patch: { ...last.patch, ...op.patch } }])
  return both.ok ? [...ops.slice(0, -1), ...both.ops] : ops
}

/** What has a name and fields: the site, a page, a block, or a row of one of its lists. */
export interface Item {
  readonly kind: 'site' | 'page' | 'block' | 'row'
  /** Such as `/about`, `b_hero_1` or `b_cards_r.cards[2]`. */
  readonly id: string
  /** For people. */
  readonly name: string
  readonly slug: string
  readonly fields: Fields
  readonly props: Props
  /** The type of the block, also of a row. */
  readonly type?: BlockType | undefined
  /** Whether the words that lead to it only occur in it. */
  readonly isGuess?: boolean
  /** The place of a row. */
  readonly row?: { readonly blockId: string; readonly listKey: string; readonly index: number }
}

/** How operations name an item. */
export function targetOf({ kind, id, slug, row }: Item): Props {
  if (kind === 'site') return {}
  return { pageSlug: slug, ...(kind === 'block' ? { blockId: id } : row) }
}

/** How operations name the place right behind an item. */
export function placeBehind({ kind, id, slug, row }: Item): Props {
  if (kind === 'block') return { afterBlockId: id }
  if (row) return { afterIndex: row.index }
  // The home page is first, whatever operations name.
  return slug === home ? {} : { afterPageSlug: slug }
}

/** A field of an item. */
export interface ItemField {
  readonly id: string
  readonly item: Item
  readonly name: string
  readonly meta: FieldMeta
}

const pageItem = ({ slug, title: name, meta = {} }: Page): Item => ({
  kind: 'page',
  id: slug,
  name,
  slug,
  fields: pageFields,
  props: { pageTitle: name, pageSlug: slug, metaTitle: meta.title, metaDescription: meta.description },
})

export const pageAt = ({ draft }: PlanState, slug: string | undefined): Item | undefined => {
  const page = slug === undefined ? undefined : draft.page(slug)
  return page && pageItem(page)
}

export const pagesOf = ({ draft }: PlanState): readonly Item[] => pagesIn(draft).map(pageItem)

export const siteOf = ({ draft: { config } }: PlanState): Item => {
  const props = { site: config.name, logo: config.logo }
  return { kind: 'site', id: 'site', name: 'the site', slug: home, fields: siteFields, props }
}

export const blocksOn = ({ names, draft }: PlanState, slug: string): readonly Item[] => {
  const page = draft.page(slug)
  return page ? blocksOf(names)(page) : []
}

const blocksOf = perObject(({ types }: Names) =>
  perObject(({ slug, blocks }: Page) =>
    blocks.map(({ id, type: typeName, props }): Item => {
      const type = types.get(typeName)
      const { displayName: name = typeName, fields = {} } = type ?? {}
      return { kind: 'block', id, name, slug, type, fields, props }
    }),
  ),
)

export const allBlocks = (work: PlanState): readonly Item[] =>
  work.draft.order.flatMap((slug) => blocksOn(work, slug))

/**
 * The fields that an item has values for: a site may declare thousands, and its pages may have as many
 * blocks.
 */
export const filledFields = ({
  fields,
  props,
}: Item): readonly (readonly [name: string, meta: FieldMeta])[] =>
  Object.keys(props).flatMap((name) => {
    const meta = ownValue(fields, name)
    return meta ? [[name, meta] as const] : []
  })

/** The rows of a block, of one list or of all. */
export function itemsOf(block: Item, only?: string): readonly Item[] {
  return filledFields(block).flatMap(([listKey, list]) => {
    const rows = isDeclaredList(list) && (only ?? listKey) === listKey ? block.props[listKey] : undefined
    return (Array.isArray(rows) ? rows : []).flatMap((props: unknown, index): readonly Item[] => {
      if (!isPlainObject(props)) return []
      const named = { id: `${block.id}.${listKey}[${index}]`, name: `${labelOf(listKey, list)} ${index + 1}` }
      const row = { blockId: block.id, listKey, index }
      return [{ ...block, kind: 'row', ...named, fields: effectiveItemFields(list, props), props, row }]
    })
  })
}

/** An item with those beside it: the pages of the site, the blocks of its page, the rows of its list. */
export function siblingsOf(work: PlanState, { kind, id, slug }: Item): readonly Item[] {
  if (kind === 'page') return pagesOf(work)
  const blocks = blocksOn(work, slug)
  const list = id.slice(0, id.lastIndexOf('[') + 1)
  return kind === 'block'
    ? blocks
    : blocks.flatMap((block) => itemsOf(block)).filter((row) => row.id.startsWith(list))
}

/** Whether an item keeps its place: the home page, and blocks of a pinned type. */
export const isPinned = (item: Item): boolean =>
  item.kind === 'block' ? item.type?.chrome === true : item.id === home

/** A field by its prop name. */
export function fieldNamed(item: Item, name = ''): ItemField | undefined {
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
export function labelFor(named: Item | ItemField): string {
  if ('meta' in named) return texts.fieldOf(labelOf(named.name, named.meta), labelFor(named.item))
  const [title] = textsOf(named)
  return title === undefined ? named.name : texts.titled(named.name, shortened(title, 60))
}

/** The selected block, the selected row of it and the focused field. */
export function selected(work: PlanState) {
  const { blockId, path = '' } = work.input.selection
  const at = `${blockId}.${path}`
  const block = blocksOn(work, work.slug).find(({ id }) => id === blockId)
  const row = block && itemsOf(block).find(({ id }) => at.startsWith(id))
  const field = block && fieldNamed(row ?? block, path.split('.').at(-1))
  return { block, row, field: field?.id === at ? field : undefined }
}
