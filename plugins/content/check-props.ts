import { checkArray, checkChoice, checkNumber, checkString, checkType, stepsOf } from './check-keywords.ts'
import { isGeneratedId } from './items.ts'
import type { Props, PropsSchema, ViolationKind } from './model.ts'
import { isPlainObject, ownValue } from './plain-object.ts'
import { isOneSchema } from './props-schema.ts'

/** A is structure: types, required props, closed sets. B is constraint: lengths, ranges, combinations. */
export type ViolationLevel = 'A' | 'B'

/** One violation of a schema. */
export interface Violation {
  readonly path: string
  readonly kind: ViolationKind
  /** The expectation as a predicate, such as `must be a string`; it follows the path. */
  readonly message: string
  readonly level: ViolationLevel
}

/** The remaining check steps: a value, a required prop or a choice takes one, a reported violation many. */
export interface Budget {
  steps: number
}

/** Creates the budget of all operations of a batch, or of a manifest: some tens of milliseconds. */
export const newBudget = (): Budget => ({ steps: 500_000 })

const reportSteps = 40
/** Deeper values are refused unread. Too many steps are refused too: a schema may come from any client. */
const deepest = 256
const tooMuch = 'must be smaller: it is too large or too deep to be checked'

/**
 * Lists all violations of `schema` by `value`, in document order.
 *
 * `path` is the position of the value: `''` for the props of a block, `title` for one prop, `items[2]` for a
 * row. The key of a row (`id`, `_key`) never counts as undeclared, and a generated key is not checked.
 * Patterns are never run. If no steps are left in the budget, the check is incomplete.
 */
export function violations(
  schema: PropsSchema,
  value: unknown,
  path: string,
  budget: Budget = newBudget(),
): readonly Violation[] {
  const found: Violation[] = []
  const walk: SchemaWalk = { budget, ended: false, report: (violation) => void found.push(violation) }
  check(walk, schema, { value, path, depth: 0, isRow: path.endsWith(']'), isAdvice: false })
  if (budget.steps === 0) found.push({ path, kind: 'unknown', message: tooMuch, level: 'A' })
  return found
}

/** Returns the violations in `after` that `before` lacks at the same path. */
export function newViolations(
  before: readonly Violation[],
  after: readonly Violation[],
): readonly Violation[] {
  const old = new Set(before.map(textOf))
  return after.filter((violation) => !old.has(textOf(violation)))
}

/** One traversal of a value. */
interface SchemaWalk {
  readonly budget: Budget
  readonly report: (violation: Violation) => void
  /** True if the rest can be skipped. */
  ended: boolean
}

/** A value that is checked, and its position. */
interface Checked {
  readonly value: unknown
  readonly path: string
  readonly depth: number
  /** True for an element of an array, whose key is not content. */
  readonly isRow: boolean
  /** True inside a constraint, where every violation has level B. */
  readonly isAdvice: boolean
}

/** Spends steps, and ends the traversal if none are left. */
function spend(walk: SchemaWalk, steps: number): void {
  walk.budget.steps = Math.max(0, walk.budget.steps - steps)
  if (walk.budget.steps === 0) walk.ended = true
}

function report(
  walk: SchemaWalk,
  { path, isAdvice }: Checked,
  level: ViolationLevel,
  kind: ViolationKind,
  message: string | undefined,
): void {
  if (message === undefined || walk.ended) return
  spend(walk, reportSteps + path.length / 8)
  walk.report({ path, kind, message, level: isAdvice ? 'B' : level })
}

function check(walk: SchemaWalk, schema: PropsSchema, at: Checked): void {
  const { value, depth } = at
  spend(walk, depth > deepest ? Infinity : stepsOf(schema, value))
  if (walk.ended) return
  const wrongType = checkType(schema, value)
  if (wrongType) return report(walk, at, 'A', 'type mismatch', wrongType)
  report(walk, at, 'A', 'invalid enum', checkChoice(schema, value))
  if (typeof value === 'string') report(walk, at, 'B', 'string constraint', checkString(schema, value))
  if (typeof value === 'number') report(walk, at, 'B', 'out of range', checkNumber(schema, value))
  if (Array.isArray(value)) {
    report(walk, at, 'B', 'out of range', checkArray(schema, value))
    checkElements(walk, schema, value, at)
  }
  if (isPlainObject(value)) checkProperties(walk, schema, value, at)
  checkCombinations(walk, schema, at)
}

function checkElements(
  walk: SchemaWalk,
  { items }: PropsSchema,
  elements: readonly unknown[],
  at: Checked,
): void {
  if (items === undefined) return
  const isTuple = !isOneSchema(items)
  const { path, depth, isAdvice } = at
  for (const [index, value] of elements.entries()) {
    const schema = isTuple ? items[index] : items
    if (!schema || walk.ended) return
    check(walk, schema, {
      value,
      path: `${path}[${index}]`,
      depth: depth + 1,
      isRow: true,
      isAdvice: isAdvice || isTuple,
    })
  }
}

function checkProperties(walk: SchemaWalk, schema: PropsSchema, object: Props, at: Checked): void {
  const { properties = {}, required = [], additionalProperties: more = true } = schema
  const { path, depth, isRow, isAdvice } = at
  const inside = (name: string, value?: unknown): Checked => ({
    value,
    path: path === '' ? name : `${path}.${name}`,
    depth: depth + 1,
    isRow: false,
    isAdvice,
  })
  const isKey = (name: string) => isRow && (name === 'id' || name === '_key')
  for (const name of required) {
    if (walk.ended) return
    const isMissing = ownValue(object, name) === undefined && !isKey(name)
    if (isMissing) report(walk, inside(name), 'A', 'missing required', 'is required')
  }
  for (const [name, value] of Object.entries(object)) {
    if (walk.ended) return
    const property = ownValue(properties, name)
    if (value === undefined || (isKey(name) && (!property || isGeneratedId(value)))) continue
    if (property) check(walk, property, inside(name, value))
    else if (more === false) report(walk, inside(name), 'B', 'unknown key', 'is not declared')
    else if (more !== true) check(walk, more, { ...inside(name, value), isAdvice: true })
  }
}

function checkCombinations(walk: SchemaWalk, { allOf = [], anyOf, oneOf }: PropsSchema, at: Checked): void {
  const inner = { ...at, depth: at.depth + 1, isAdvice: true }
  for (const schema of allOf) {
    if (walk.ended) return
    check(walk, schema, inner)
  }
  if (anyOf && matchesAmong(walk, anyOf, inner, 1) === 0) {
    report(walk, inner, 'B', 'unknown', 'must have one of the declared forms')
  }
  if (oneOf && matchesAmong(walk, oneOf, inner, 2) !== 1) {
    report(walk, inner, 'B', 'unknown', 'must have exactly one of the declared forms')
  }
}

/** Counts the schemas that a value satisfies, up to `enough`; stops each check at the first violation. */
function matchesAmong(
  walk: SchemaWalk,
  schemas: readonly PropsSchema[],
  at: Checked,
  enough: number,
): number {
  let matches = 0
  for (const schema of schemas) {
    const attempt: SchemaWalk = {
      budget: walk.budget,
      ended: walk.ended,
      report: () => void (attempt.ended = true),
    }
    check(attempt, schema, at)
    if (!attempt.ended) matches += 1
    if (matches === enough) break
  }
  if (walk.budget.steps === 0) walk.ended = true
  return matches
}

const textOf = ({ path, message }: Violation) => `${path}\n${message}`
