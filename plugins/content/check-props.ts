import { isDeepStrictEqual } from 'node:util'
import { isGeneratedId } from './items.ts'
import type { Props, PropsSchema, ViolationKind } from './model.ts'
import { isPlainObject, ownValue, perObject } from './plain-object.ts'
import { admits, isOneSchema } from './props-schema.ts'
import { shortened } from './words.ts'

/** A is structure: types, required props, closed sets. B is constraint: lengths, ranges, combinations. */
type ViolationLevel = 'A' | 'B'

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
  const old = new Set(before.map(violationText))
  return after.filter((violation) => !old.has(violationText(violation)))
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
  const wrongType = typeFault(schema, value)
  if (wrongType) return report(walk, at, 'A', 'type mismatch', wrongType)
  report(walk, at, 'A', 'invalid enum', choiceFault(schema, value))
  if (typeof value === 'string') report(walk, at, 'B', 'string constraint', lengthFault(schema, value))
  if (typeof value === 'number') report(walk, at, 'B', 'out of range', numberFault(schema, value))
  if (Array.isArray(value)) {
    const { minItems = 0, maxItems = Infinity } = schema
    report(walk, at, 'B', 'out of range', boundFault(value.length, minItems, maxItems, 'have', ' entries'))
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

const violationText = ({ path, message }: Violation) => `${path}\n${message}`

const jsonTypes: Readonly<Record<string, readonly [name: string, holds: (value: unknown) => boolean]>> = {
  string: ['a string', (value) => typeof value === 'string'],
  number: ['a number', Number.isFinite],
  integer: ['a number', Number.isFinite],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  array: ['an array', Array.isArray],
  object: ['an object', isPlainObject],
  null: ['null', (value) => value === null],
}

/** Returns the steps taken by keywords whose cost grows with the schema. */
function stepsOf({ type, required = [], enum: members, const: only }: PropsSchema, value: unknown): number {
  const types = typeof type === 'object' ? type.length : 0
  const isCompound = typeof value === 'object' && value !== null
  const names = isPlainObject(value) ? required.length : 0
  return 1 + types + names + (isCompound ? valuesIn(members) + valuesIn(only) : 0)
}

/** The number of values inside a value; 0 for a scalar. */
const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null ? countIn(value) : 0

const countIn = perObject((value: object) =>
  Object.values(value).reduce<number>((sum, one: unknown) => sum + 1 + valuesIn(one), 0),
)

/** Checks the JSON type; an unknown type accepts anything. */
function typeFault({ type = [] }: PropsSchema, value: unknown): string | undefined {
  const wanted = [...new Set(typeof type === 'string' ? [type] : type)].map((name) =>
    ownValue(jsonTypes, name),
  )
  if (wanted.length === 0 || wanted.some((one) => !one || one[1](value))) return undefined
  return `must be ${wanted.map((one) => one?.[0]).join(' or ')}`
}

/** Checks closed sets of values. */
function choiceFault(schema: PropsSchema, value: unknown): string | undefined {
  if (schema.enum) {
    const { scalars, others, message } = choicesIn(schema.enum)
    if (!scalars.has(value) && !others.some((one) => isDeepStrictEqual(one, value))) return message
  }
  if (!('const' in schema) || isDeepStrictEqual(schema.const, value)) return undefined
  return `must be ${shown([schema.const])}`
}

/** A closed set, prepared for repeated lookups. */
const choicesIn = perObject((members: readonly unknown[]) => ({
  scalars: new Set(members),
  others: members.filter((one) => typeof one === 'object' && one !== null),
  message: `must be one of ${shown(members.slice(0, 20))}${members.length > 20 ? ', …' : ''}`,
}))

/** Checks the length of a text in characters, which are not counted if its code units decide. */
function lengthFault({ minLength = 0, maxLength = Infinity }: PropsSchema, text: string): string | undefined {
  if (minLength <= 1 && text.length < minLength) return 'must not be empty'
  if (minLength <= 1 && text.length <= maxLength) return undefined
  return boundFault(lengthOf(text), minLength, maxLength, 'have', ' characters')
}

/** Checks the range and the step of a number, and whether it is an integer. */
function numberFault(schema: PropsSchema, value: number): string | undefined {
  const { minimum = -Infinity, maximum = Infinity, multipleOf = 0 } = schema
  const isWhole = admits(schema, 'integer') && !admits(schema, 'number')
  if (isWhole && !Number.isInteger(value)) return 'must be a whole number'
  const steps = value / multipleOf
  const rest = Math.abs(steps - Math.round(steps))
  const isBetween = multipleOf > 0 && rest > 1e-9 * Math.max(1, Math.abs(steps))
  return (
    boundFault(value, minimum, maximum, 'be') ??
    (isBetween ? `must be a multiple of ${multipleOf}` : undefined)
  )
}

function boundFault(size: number, least: number, most: number, verb: string, unit = ''): string | undefined {
  const counted = (limit: number) => `${limit}${limit === 1 && unit === ' entries' ? ' entry' : unit}`
  if (size < least) return `must ${verb} at least ${counted(least)}`
  return size > most ? `must ${verb} at most ${counted(most)}` : undefined
}

/** Returns the length of a text in Unicode code points. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _character of text) length += 1
  return length
}

const longestShown = 100

const shown = (values: readonly unknown[]) => values.map(shownValue).join(', ')

/** Formats a value as text, truncated if long. Objects and arrays are serialized once. */
function shownValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return serialized(value)
  return shortened((typeof value === 'string' && value) || JSON.stringify(value), longestShown)
}

const serialized = perObject((value: object) => shortened(JSON.stringify(value), longestShown))
