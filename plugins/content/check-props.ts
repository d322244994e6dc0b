import { checkArray, checkChoice, checkNumber, checkString, checkType } from './check-keywords.ts'
import { isGeneratedId } from './items.ts'
import type { Props, PropsSchema } from './model.ts'
import { isPlainObject, ownValue } from './plain-object.ts'

/** A is structure: types, required props, closed sets. B is constraint: lengths, ranges, combinations. */
export type ViolationLevel = 'A' | 'B'

/** What is wrong, for whoever mends it without reading the message. */
export type ViolationKind = 'unknown key' | 'missing required' | 'type mismatch' | 'invalid enum' | 'out of range' | 'string constraint' | 'unknown'

/** One way in which a value is not what its schema wants. */
export interface Violation {
  readonly path: string
  readonly kind: ViolationKind
  /** What was expected, such as `must be a string`; it reads on from the path. */
  readonly message: string
  readonly level: ViolationLevel
}

/** What is deeper, or takes more steps to check, is refused unread: a schema may come from a stranger. */
const deepest = 256
const mostSteps = 1_000_000
const tooMuch = 'is too large or too deep to be checked; make it smaller'

/**
 * Lists everything in which `value` violates `schema`, in reading order.
 *
 * `path` is where the value stands: `''` for the props of a block, `title` for one prop, `items[2]` for a
 * row. The key of a row (`id`, `_key`) is never counted as undeclared, nor is a generated one checked.
 * Patterns are never run.
 */
export function violations(schema: PropsSchema, value: unknown, path: string): readonly Violation[] {
  const found: Violation[] = []
  const budget = { steps: mostSteps }
  check({ budget, report: (violation) => found.push(violation) }, schema, { value, path, depth: 0 })
  if (budget.steps === 0) found.push({ path, kind: 'unknown', message: tooMuch, level: 'A' })
  return found
}

/** Picks the violations that an earlier state, the same paths of it, did not have already. */
export function newViolations(
  before: readonly Violation[],
  after: readonly Violation[],
): readonly Violation[] {
  const old = new Set(before.map(textOf))
  return after.filter((violation) => !old.has(textOf(violation)))
}

/** One walk over a value: the steps it may still take, and where it tells what it finds. */
interface Walk {
  readonly budget: { steps: number }
  readonly report: (violation: Violation) => void
}

/** A value, and where it stands. */
interface At {
  readonly value: unknown
  readonly path: string
  readonly depth: number
}

function check(walk: Walk, schema: PropsSchema, at: At): void {
  const { value, path, depth } = at
  const { budget } = walk
  budget.steps = depth > deepest ? 0 : Math.max(0, budget.steps - 1 - (schema.enum?.length ?? 0))
  if (budget.steps === 0) return
  const report = (level: ViolationLevel, kind: ViolationKind, message: string | undefined) => {
    if (message !== undefined) walk.report({ path, kind, message, level })
  }
  const wrongType = checkType(schema, value)
  if (wrongType) return report('A', 'type mismatch', wrongType)
  report('A', 'invalid enum', checkChoice(schema, value))
  if (typeof value === 'string') report('B', 'string constraint', checkString(schema, value))
  if (typeof value === 'number') report('B', 'out of range', checkNumber(schema, value))
  if (Array.isArray(value)) {
    report('B', 'out of range', checkArray(schema, value))
    checkElements(walk, schema, value, at)
  }
  if (isPlainObject(value)) checkProperties(walk, schema, value, at)
  checkCombinations(walk, schema, at)
}

function checkElements(walk: Walk, { items }: PropsSchema, elements: readonly unknown[], at: At): void {
  if (items === undefined) return
  const tuple = isTuple(items)
  const inner = tuple ? constraintsOnly(walk) : walk
  elements.forEach((value, index) => {
    const schema = tuple ? items[index] : items
    if (schema) check(inner, schema, { value, path: `${at.path}[${index}]`, depth: at.depth + 1 })
  })
}

function checkProperties(walk: Walk, schema: PropsSchema, object: Props, { path, depth }: At): void {
  const { properties = {}, required = [], additionalProperties: more = true } = schema
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const isKey = (name: string) => path.endsWith(']') && (name === 'id' || name === '_key')
  for (const name of required) {
    const isMissing = ownValue(object, name) === undefined && !isKey(name)
    if (isMissing) walk.report({ path: at(name), kind: 'missing required', message: 'is required', level: 'A' })
  }
  for (const [name, value] of Object.entries(object)) {
    const property = ownValue(properties, name)
    if (value === undefined || (isKey(name) && (!property || isGeneratedId(value)))) continue
    const inner: At = { value, path: at(name), depth: depth + 1 }
    if (property) check(walk, property, inner)
    else if (more === false) walk.report({ path: inner.path, kind: 'unknown key', message: 'is not declared', level: 'B' })
    else if (more !== true) check(constraintsOnly(walk), more, inner)
  }
}

function checkCombinations(walk: Walk, { allOf = [], anyOf, oneOf }: PropsSchema, at: At): void {
  const inner = { ...at, depth: at.depth + 1 }
  const matches = (schema: PropsSchema) => isMatch(walk, schema, inner)
  const report = (message: string) => walk.report({ path: at.path, kind: 'unknown', message, level: 'B' })
  for (const schema of allOf) check(constraintsOnly(walk), schema, inner)
  if (anyOf && anyOf.filter(matches).length === 0) report('must have one of the declared forms')
  if (oneOf && oneOf.filter(matches).length !== 1) report('must have exactly one of the declared forms')
}

function isMatch({ budget }: Walk, schema: PropsSchema, at: At): boolean {
  let matches = true
  check({ budget, report: () => void (matches = false) }, schema, at)
  return matches
}

/** Inside a constraint, whatever is wrong is a matter of constraint. */
const constraintsOnly = ({ budget, report }: Walk): Walk =>
  ({ budget, report: (violation) => report({ ...violation, level: 'B' }) })

const textOf = ({ path, message }: Violation) => `${path}\n${message}`

const isTuple = (items: PropsSchema | readonly PropsSchema[]): items is readonly PropsSchema[] =>
  Array.isArray(items)
