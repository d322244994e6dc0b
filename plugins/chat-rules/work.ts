import type { PlanningInput } from '../chat/port.ts'
import { applyBatch } from '../content/batch.ts'
import { draftAfter, pagesIn, toDraft } from '../content/draft-view.ts'
import type { Block, BlockType, Draft, FieldMeta, Page, Props } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import { perObject } from '../content/plain-object.ts'
import { sameJson } from '../content/same-json.ts'
import { type Names, namesOn } from './names.ts'
import { texts } from './texts.ts'

export interface BlockAt {
  readonly slug: string
  readonly block: Block
  readonly type: BlockType | undefined
}

export interface RowAt extends BlockAt {
  readonly listKey: string
  readonly index: number
  readonly row: Props
  readonly list: FieldMeta
}

/** A field of a block, or of a row of it. */
export interface FieldAt {
  readonly at: BlockAt | RowAt
  readonly name: string
  readonly meta: FieldMeta
  readonly value: unknown
}

/** One of several meanings of an ambiguous reference. */
export interface Choice {
  readonly id: string
  readonly label: string
}

/** A question to the person. */
export interface Inquiry {
  readonly question: string
  /** The reference that the choices are meanings of. */
  readonly key?: string
  readonly choices?: readonly Choice[]
  /** Joins the message and a quoted answer. */
  readonly joint?: string
  /** A complete message, which "yes" stands for. */
  readonly confirms?: string
}

/** Thrown when a form is understood, but something is missing, ambiguous or not admissible. */
export class Ask extends Error {
  override readonly name = 'Ask'
  readonly inquiry: Inquiry

  constructor(inquiry: Inquiry) {
    super(inquiry.question)
    this.inquiry = inquiry
  }
}

export function ask(question: string, more: Omit<Inquiry, 'question'> = {}): never {
  throw new Ask({ question, ...more })
}

/** The state of planning one message: the draft with the operations so far. Immutable. */
export interface Work {
  readonly input: PlanningInput
  readonly names: Names
  readonly message: string
  /** The offset behind the last token of the message. */
  readonly end: number
  /** The words that clauses begin with. */
  readonly verbs: ReadonlySet<string>
  /** Answers to earlier questions about this message, by the words of the reference. */
  readonly answers: Readonly<Record<string, string>>
  readonly draft: Draft
  readonly slug: string
  readonly ops: readonly Operation[]
}

export function startWork(
  input: PlanningInput,
  message: string,
  answers: Work['answers'],
  { verbs, end }: Pick<Work, 'verbs' | 'end'>,
): Work {
  const { draft, registry, manifest, selection } = input
  const names = namesOn(registry, manifest)
  return { input, names, message, end, verbs, answers, draft: toDraft(draft), slug: selection.slug, ops: [] }
}

export const pageAt = ({ draft }: Work, slug: string): Page | undefined => draft.page(slug)

export function blocksOn(work: Work, slug: string): readonly BlockAt[] {
  const blocks = work.draft.page(slug)?.blocks ?? []
  return blocks.map((block) => ({ slug, block, type: work.names.types.get(block.type) }))
}

export const allBlocks = (work: Work): readonly BlockAt[] =>
  pagesIn(work.draft).flatMap(({ slug }) => blocksOn(work, slug))

/** The time of the latest change: plans are deterministic. */
export const latestChange = perObject(
  (pages: readonly Page[]) =>
    new Date(pages.reduce((last, { updatedAt }) => Math.max(last, Date.parse(updatedAt) || 0), 0)),
)

/** Applies operations to the draft of the work; one without effect is left out. Asks if one is refused. */
export function perform(work: Work, ops: readonly Operation[]): Work {
  return ops.reduce((before, op) => {
    const { registry, manifest, maxOperations, draft } = before.input
    if (maxOperations !== undefined && before.ops.length >= maxOperations)
      ask(texts.tooManyChanges(maxOperations))
    const options = { source: 'planner', registry, manifest, now: latestChange(draft.pages) } as const
    const result = applyBatch(before.draft, [op], options)
    if (result.ok) return { ...before, draft: draftAfter(before.draft, result), ops: joined(before.ops, op) }
    return result.category === 'no_effective_change' ? before : ask(texts.refused)
  }, work)
}

/** Adds an operation; two patches of one block, row or page in sequence become one. */
function joined(ops: readonly Operation[], op: Operation): readonly Operation[] {
  const last = ops.at(-1)
  const isPatch = last?.op === op.op && 'patch' in last && 'patch' in op && op.op !== 'update_site_config'
  if (!isPatch || !sameJson({ ...last, patch: undefined }, { ...op, patch: undefined })) return [...ops, op]
  return [...ops.slice(0, -1), { ...op, patch: { ...last.patch, ...op.patch } } as Operation]
}
