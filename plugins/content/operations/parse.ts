import * as v from 'valibot'
import { described, findUnsafeKey, isPlainObject } from '../plain-object.ts'
import { shortened } from '../words.ts'
import { definitions, operations, type Incoming, type Operation } from './index.ts'
import { object } from './shapes.ts'

/** Any operation, for the API description; `parseOperations` is faster and has better messages. */
export const AnyOperation = described(
  'Operation',
  'One typed change to a draft; `op` says which.',
  v.variant(
    'op',
    definitions.map(({ name, summary, schema }) => described(name, summary, schema)),
  ),
)

/** The operations of a batch, for the API description. */
export const Operations = v.pipe(
  v.array(AnyOperation),
  v.minLength(1),
  v.description('Operations, applied one after another; all of them or none.'),
)

/** One shape error in a batch. */
export interface ShapeIssue {
  /** Such as `ops[2].patch.title`. */
  readonly path: string
  /** The expected and the actual value. */
  readonly message: string
}

/** The operations, or the issues of the first invalid one; `message` is the first issue as a sentence. */
type ParsedOperations =
  | { readonly ok: true; readonly ops: readonly Operation[] }
  | { readonly ok: false; readonly issues: readonly [ShapeIssue, ...ShapeIssue[]]; readonly message: string }

/**
 * Checks only the shape of the operations of a batch: drops unknown fields, reads `null` in an optional field
 * as absent, and refuses keys that could reach a prototype, at any depth.
 */
export function parseOperations(value: unknown): ParsedOperations {
  const found = Array.isArray(value) ? value : undefined
  if (!found) return failed([{ path: 'ops', message: `wanted a list of operations, got ${shown(value)}` }])
  if (found.length === 0) {
    return failed([{ path: 'ops', message: 'wanted at least one operation, got an empty list' }])
  }
  const unsafe = findUnsafeKey(found, 'ops')
  if (unsafe !== undefined) {
    return failed([{ path: unsafe, message: 'this key is not allowed in content; rename it' }])
  }
  const ops: Incoming[] = []
  for (const [index, op] of found.entries()) {
    const schema = schemaOf(op)
    const { issues, output } = v.safeParse(schema, op, { abortEarly: true })
    if (issues) {
      const [first, ...more] = (isShort(op) ? v.safeParse(schema, op).issues : undefined) ?? issues
      const toIssue = (issue: v.BaseIssue<unknown>) => toShapeIssue(`ops[${index}]`, issue)
      return failed([toIssue(first), ...more.map(toIssue)])
    }
    ops.push(output)
  }
  return { ok: true, ops }
}

/** For an operation with more values, only the first error is listed: there may be as many errors. */
const mostValues = 1_000

function isShort(op: unknown, counted = { values: 0 }): boolean {
  counted.values += 1
  if (counted.values > mostValues) return false
  return typeof op !== 'object' || op === null || Object.values(op).every((inner) => isShort(inner, counted))
}

const names = [...operations.keys()]
const anyName = `one of ${names.join(', ')}`
const noOperation = v.pipe(
  object({ op: v.pipe(v.picklist(names, `wanted ${anyName}`), v.description(anyName)) }, 'an operation'),
  v.never(),
)

/** Looks the schema up by name: a variant would try the schemas one after another. */
function schemaOf(value: unknown): v.GenericSchema<unknown, Incoming> {
  const name = isPlainObject(value) ? value['op'] : undefined
  return (typeof name === 'string' ? operations.get(name)?.schema : undefined) ?? noOperation
}

function toShapeIssue(root: string, { path: items, message, input }: v.BaseIssue<unknown>): ShapeIssue {
  const steps: readonly v.IssuePathItem[] = items ?? []
  const path = steps.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  const last = steps.at(-1)
  const came = last?.origin === 'key' ? '' : `, got ${shown(last ? last.value : input)}`
  return { path: root + path, message: message + came }
}

function failed(issues: readonly [ShapeIssue, ...ShapeIssue[]]): ParsedOperations {
  const [{ path, message }] = issues
  return { ok: false, issues, message: `${path}: ${message}` }
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === '') return 'an empty text'
  if (typeof value === 'string') return `'${shortened(value, 40)}'`
  return Array.isArray(value) ? (value.length === 0 ? 'an empty list' : 'a list') : 'an object'
}
