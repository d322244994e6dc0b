import * as v from 'valibot'
import { freeBlockIds } from '../../../content/block-ids.ts'
import { toDraft } from '../../../content/draft-view.ts'
import { parseOperations } from '../../../content/operations/parse.ts'
import { findUnsafeKey, isPlainObject } from '../../../content/plain-object.ts'
import { canonicalSlug } from '../../../content/slugs.ts'
import type { PlanSource } from '../lookup.ts'
import { intents } from '../prompt/tool.ts'
import { newRows, valueRows } from './block-rows.ts'
import { readJson } from './json.ts'
import { keyRows } from './key-rows.ts'
import { replacementIn, replaceOps, replaceRows } from './replace.ts'
import {
  type Loose,
  mostOperations,
  nameKeys,
  operationName,
  type RowContext,
  type Corrections,
  without,
} from './row.ts'
import { targetRows } from './target-rows.ts'

const mostSuggestions = 5
const aroundKeys =
  'intent again planFirst translates summary summary_for_user change_log images suggested_next_actions'.split(
    ' ',
  )
/** Suggestions that no plan can fulfil, because the message would be refused. */
const outOfReach = /\b(?:forms?|analytics|tracking|pop-?ups?|checkout)\b|^(?:go to|open|visit|navigate to)\b/i

const Lines = v.pipe(
  v.union([v.pipe(v.string(), v.transform(linesOf)), v.array(v.unknown())]),
  v.transform((list: readonly unknown[]) => list.filter((each) => typeof each === 'string')),
)
const isSendable = (text: string): boolean => text.trim() !== '' && !outOfReach.test(text)
const suggestions = v.pipe(
  Lines,
  v.transform((texts) => [...new Set(texts.filter(isSendable))].slice(0, mostSuggestions)),
)

const Shape = v.object({
  intent: v.picklist(intents),
  again: v.fallback(v.optional(v.boolean(), false), false),
  planFirst: v.fallback(v.optional(v.boolean(), false), false),
  translates: v.fallback(v.optional(v.pipe(v.string(), v.trim()), ''), ''),
  summary_for_user: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  change_log: v.optional(v.fallback(Lines, []), []),
  images: v.optional(v.fallback(v.array(v.unknown()), []), []),
  ops: v.optional(v.array(v.unknown()), []),
  suggested_next_actions: v.optional(v.fallback(suggestions, []), []),
})

/** All corrections of model output. */
export const rows: Corrections = { ...keyRows, ...replaceRows, ...newRows, ...targetRows, ...valueRows }

/** Returns the context at the start of a plan. */
export function contextFor(source: PlanSource): RowContext {
  const draft = toDraft(source.input.draft)
  return { ...source, freeId: freeBlockIds((id) => draft.hasBlockId(id)), created: new Set() }
}

/** Normalises one operation of a model into none, one or several. */
export function normalised(raw: Loose, context: RowContext): readonly Loose[] {
  return Object.values(rows).reduce<readonly Loose[]>(
    (ops, row) => ops.flatMap((op) => row(op, context)),
    [raw],
  )
}

const unusable = (problem: string) => ({ kind: 'unusable', problem }) as const

/**
 * Reads the text of a plan: JSON, repairs, names, shapes. Never changes the meaning of an operation.
 *
 * `plan`: normalised, not yet applied; `mistaken`: a plan with an invalid operation; `unusable`: not a plan.
 */
export function readPlan(text: string, subject: PlanSource) {
  const json = readJson(text)
  if (!json || !isPlainObject(json.value)) return unusable('the answer is not a JSON object')
  const unsafe = findUnsafeKey(json.value)
  if (unsafe !== undefined) return unusable(`the answer has a key that is not allowed at ${unsafe}`)
  const shape = v.safeParse(Shape, withPlanKeys(json.value))
  if (!shape.success)
    return unusable(`the answer is not a plan: ${v.getDotPath(shape.issues[0]) ?? 'it'} is wrong or missing`)
  const {
    intent,
    again,
    planFirst,
    translates,
    summary_for_user: summary,
    change_log,
    images,
    ops,
  } = shape.output
  const complete = json.cut === 'inside' ? ops.slice(0, -1) : ops
  if (complete.length > mostOperations)
    return unusable(`the plan has ${complete.length} operations; at most ${mostOperations} are possible`)
  const isEdit = intent === 'edit_plan'
  const steps = isEdit ? stepsOf(complete, change_log, contextFor(subject)) : []
  const replacing = complete.filter(isPlainObject).flatMap((op) => (isEdit && replacementIn(op) ? [op] : []))
  if (steps.length > mostOperations)
    return unusable(`the plan comes to ${steps.length} operations; at most ${mostOperations} are possible`)
  const parsed =
    steps.length > 0 ? parseOperations(steps.map(({ op }) => op)) : ({ ok: true, ops: [] } as const)
  if (!parsed.ok) return { kind: 'mistaken', issues: parsed.issues, text } as const
  const plan = {
    intent,
    isAgain: again,
    isPlanFirst: planFirst,
    isTranslation: translates !== '',
    summary,
    /** One line for each operation, empty if the model wrote none. */
    changeLog: isEdit ? steps.map(({ line }) => line) : change_log,
    ops: parsed.ops,
    /** Unchecked; validated before the search. */
    images,
    suggestions: shape.output.suggested_next_actions,
    repairs: json.repairs,
    /** True if at least one operation was cut off and left out. */
    isCut: json.cut !== undefined,
    /** What is replaced wherever it is, whether that is all, and how many operations it takes beyond the limit. */
    replacements: replacing.flatMap((op) => replacementIn(op) ?? []),
    onlyReplaces: complete.length > 0 && replacing.length === complete.length,
    beyond: replacing.reduce((sum, op) => sum + beyondLimit(op, subject), 0),
    /** True if the plan had only updates that name no block. */
    isAimless: isEdit && steps.length === 0 && complete.some(isUpdate),
  }
  return { kind: 'plan', plan, text } as const
}

export type PlanReading = ReturnType<typeof readPlan>
export type ReadPlan = Extract<PlanReading, { kind: 'plan' }>['plan']

const beyondLimit = (op: Loose, subject: PlanSource): number =>
  Math.max(0, (replaceOps(op, subject)?.length ?? 0) - mostOperations)

const isUpdate = (raw: unknown): boolean =>
  isPlainObject(raw) && nameKeys.some((key) => operationName(raw[key]) === 'update_props')

/** Normalises the keys of a plan: operations in a list, a summary, an intent. */
function withPlanKeys(raw: Loose): Loose {
  const isInline = nameKeys.some((key) => operationName(raw[key]) !== undefined)
  const given = raw['ops'] ?? raw['operations'] ?? (isInline ? [without(raw, aroundKeys)] : [])
  const ops = isPlainObject(given) ? [given] : given
  const intent = raw['intent'] ?? (Array.isArray(ops) && ops.length > 0 ? 'edit_plan' : 'needs_clarification')
  return { ...raw, ops, intent, summary_for_user: raw['summary_for_user'] ?? raw['summary'] }
}

/** Returns operations with their lines, pages before their uses; if split, the first part has the line. */
function stepsOf(ops: readonly unknown[], lines: readonly string[], context: RowContext) {
  const steps = ops.flatMap((raw, at) => {
    const some: readonly Loose[] = isPlainObject(raw) ? normalised(raw, context) : [{ op: raw }]
    return some.map((op, n) => ({ op, line: (n === 0 ? lines[at] : undefined) ?? '' }))
  })
  const ordered: typeof steps = []
  for (const step of steps) {
    const { op, page } = step.op
    const slug = op === 'create_page' && isPlainObject(page) ? canonicalSlug(page['slug']) : undefined
    const needsIt = (other: Loose): boolean =>
      canonicalSlug(other['pageSlug'] ?? other['toPageSlug']) === slug
    const first = slug === undefined ? -1 : ordered.findIndex((other) => needsIt(other.op))
    ordered.splice(first < 0 ? ordered.length : first, 0, step)
  }
  return ordered
}

function linesOf(text: string): readonly unknown[] {
  return text
    .split('\n')
    .map((line) => line.trim().replace(/^(?:[-*•]|\d{1,3}[.)])[ \t]+/, ''))
    .filter(Boolean)
}
