import type { PlanningInput } from '../chat/port.ts'
import { applyBatch } from '../content/batch.ts'
import { draftAfter, toDraft } from '../content/draft-view.ts'
import type { Draft, Page } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import { perObject } from '../content/plain-object.ts'
import { sameJson } from '../content/same-json.ts'
import { type Names, namesOn } from './names.ts'
import { texts } from './texts.ts'
import type { Request } from './tokens.ts'

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
  {
    message,
    answers = {},
    verbs,
    end,
  }: Pick<Work, 'message' | 'verbs'> & Partial<Work> & Pick<Request, 'end'>,
): Work {
  const { draft, registry, manifest, selection } = input
  const names = namesOn(registry, manifest)
  return { input, names, message, end, verbs, answers, draft: toDraft(draft), slug: selection.slug, ops: [] }
}

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
