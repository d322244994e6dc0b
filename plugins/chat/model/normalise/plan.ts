import * as v from 'valibot'
import type { Operation } from '../../../content/operations/index.ts'
import { parseOperations, type ShapeIssue } from '../../../content/operations/parse.ts'
import { isPlainObject } from '../../../content/plain-object.ts'
import { findUnsafeKey } from '../../../content/unsafe-keys.ts'
import { operationName } from './names.ts'
import { normaliseOperation } from './operation.ts'
import { pagesFirst } from './order.ts'
import type { Loose, Place } from './place.ts'
import { planRows } from './plan-rows.ts'
import { readJson, type Repair } from './read-json.ts'

/** The intents of a plan. */
export const intents = ['edit_plan', 'needs_clarification', 'content_answer'] as const

const texts = v.pipe(v.array(v.unknown()), v.transform((list) => list.filter((each) => typeof each === 'string')))

const Shape = v.object({
  intent: v.picklist(intents),
  summary_for_user: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  change_log: texts,
  images: v.optional(v.fallback(v.array(v.unknown()), []), []),
  ops: v.optional(v.array(v.unknown()), []),
  suggested_next_actions: v.optional(v.fallback(texts, []), []),
})

/** A plan as a model meant it, its operations not yet applied to anything. */
export interface ReadPlan {
  readonly intent: (typeof intents)[number]
  readonly summary: string
  /** One line for each operation, empty where the model wrote none. */
  readonly changeLog: readonly string[]
  readonly ops: readonly Operation[]
  /** As they were written; whoever looks for them holds them to their rules. */
  readonly images: readonly unknown[]
  readonly suggestions: readonly string[]
  readonly repairs: readonly Repair[]
  /** How many operations, at least, were there in part only and are left out. */
  readonly dropped: number
  /** It had updates, and none of them says of what. */
  readonly isAimless?: boolean
}

export type PlanReading =
  | { readonly kind: 'plan'; readonly plan: ReadPlan }
  /** It is no plan: nothing of it can be used. */
  | { readonly kind: 'unusable'; readonly problem: string }
  /** It is a plan, and one of its operations has mistakes. */
  | { readonly kind: 'mistaken'; readonly issues: readonly ShapeIssue[] }

const mostOperations = 200

/** Reads the text of a plan: JSON, repairs, names, shapes. It never changes what an operation means. */
export function readPlan(text: string, place: Omit<Place, 'given' | 'created'>): PlanReading {
  const json = readJson(text)
  if (!json) return { kind: 'unusable', problem: 'the answer is not JSON' }
  if (!isPlainObject(json.value)) return { kind: 'unusable', problem: 'the answer is JSON, but not an object' }
  const unsafe = findUnsafeKey(json.value)
  if (unsafe !== undefined) return { kind: 'unusable', problem: `the answer has a key that is not allowed at ${unsafe}` }
  const raw = planRows.reduce((plan, { apply }) => apply(plan), json.value)
  const shape = v.safeParse(Shape, raw)
  if (!shape.success) return { kind: 'unusable', problem: `the answer is not a plan: ${v.getDotPath(shape.issues[0]) ?? 'it'} is wrong or missing` }
  const { intent, summary_for_user: summary, change_log, images, suggested_next_actions: suggestions } = shape.output
  const whole = json.cut === 'inside' ? shape.output.ops.slice(0, -1) : shape.output.ops
  const dropped = json.cut === undefined ? 0 : 1
  if (whole.length > mostOperations) return { kind: 'unusable', problem: `the plan has ${whole.length} operations; at most ${mostOperations} are possible` }

  const known = { intent, summary, images, suggestions, repairs: json.repairs, dropped }
  if (intent !== 'edit_plan') return { kind: 'plan', plan: { ...known, changeLog: change_log, ops: [] } }
  const steps = stepsOf(whole, change_log, place)
  if (steps.length > mostOperations) return { kind: 'unusable', problem: `the plan comes to ${steps.length} operations; at most ${mostOperations} are possible` }
  const changeLog = steps.map(({ line }) => line)
  if (steps.length === 0) return { kind: 'plan', plan: { ...known, changeLog: [], ops: [], isAimless: whole.some(isUpdate) } }
  const parsed = parseOperations(steps.map(({ op }) => op))
  if (!parsed.ok) return { kind: 'mistaken', issues: parsed.issues }
  return { kind: 'plan', plan: { ...known, changeLog, ops: parsed.ops } }
}

const isUpdate = (raw: unknown): boolean =>
  isPlainObject(raw) && ['op', 'operation', 'action', 'kind'].some((key) => operationName(raw[key]) === 'update_props')

interface Step {
  readonly op: Loose
  readonly line: string
}

/** The operations with their lines; of what comes of one operation, the first has its line. */
function stepsOf(ops: readonly unknown[], lines: readonly string[], place: Omit<Place, 'given' | 'created'>): readonly Step[] {
  const handout = { given: new Set<string>(), created: new Set<string>() }
  const steps = ops.flatMap((raw, at) => {
    const some = isPlainObject(raw) ? normaliseOperation(raw, place, handout) : [{ op: raw }]
    return some.map((op, n): Step => ({ op, line: (n === 0 ? lines[at] : undefined) ?? '' }))
  })
  return pagesFirst(steps, ({ op }) => op)
}
