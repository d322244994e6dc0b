import * as v from 'valibot'
import type { Refusal } from './errors.ts'
import { nearest } from './nearest.ts'
import { refusals } from './refusals.ts'
import type { Schema } from './schema.ts'

export interface Issue {
  /** The path in dots and brackets, such as `ops[0].patch`; empty for the value itself. */
  readonly path: string
  readonly message: string
}

export type Validated<T> =
  | { readonly success: true; readonly output: T; readonly issues?: undefined }
  | { readonly success: false; readonly output?: undefined; readonly issues: readonly Issue[] }

/**
 * Parses a value; the first offending field comes first. Messages of valibot repeat the value, which may be
 * long or secret; these only name the expected type.
 */
export function validate<S extends v.GenericSchema>(schema: S, value: unknown): Validated<v.InferOutput<S>> {
  const { success, output, issues } = v.safeParse(schema, value, { message: toMessage })
  return success ? { success, output } : { success, issues: issues.map(toIssue) }
}

function toIssue(issue: v.BaseIssue<unknown>): Issue {
  const keys = (issue.path ?? []).map(({ key }) => key)
  const last = keys.at(-1)
  return {
    path: toPath(keys),
    message: isMissing(issue, last) ? `${String(last)} is required` : issue.message,
  }
}

/** The names of checks whose type does not name what they check. */
const checked: Readonly<Record<string, string>> = {
  check: 'input',
  raw_check: 'input',
  non_empty: 'length',
  regex: 'format',
  starts_with: 'start',
  ends_with: 'end',
  parse_json: 'JSON',
  url: 'URL',
}

function toMessage({ kind, type, expected }: v.BaseIssue<unknown>): string {
  if (kind === 'schema') return `expected ${expected}`
  const name = checked[type] ?? type.replace(/^(?:min|max|not|gt|lt|iso)_/, '').replaceAll('_', ' ')
  return expected === null ? `no valid ${name}` : `expected ${name} ${expected}`
}

/** Formats keys as a path in dots and brackets; a long key, which may come from a client, is cut. */
function toPath(keys: readonly unknown[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`
    const name = String(key).replace(/^(.{100}).+$/s, '$1…')
    return path === '' ? name : `${path}.${name}`
  }, '')
}

const isMissing = (issue: v.BaseIssue<unknown>, key: unknown): boolean =>
  issue.received === 'undefined' && issue.expected === JSON.stringify(key)

/** Describes the first issue in a sentence. */
function toSentence([first]: readonly Issue[], where: string): string {
  if (!first) return `The ${where} is not valid.`
  if (first.message.endsWith(' is required')) return first.message
  const sentence = `${first.path === '' ? `The ${where}` : `'${first.path}' of the ${where}`} is not valid: ${first.message}`
  return sentence.endsWith('?') ? sentence : `${sentence}.`
}

/** Builds the refusal of an invalid value: a sentence about the first problem, and `details` with all. */
export function invalidRequest(issues: readonly Issue[], where: string): Refusal {
  return refusals.invalidRequest(toSentence(issues, where), issues.slice(0, 20))
}

const objects = new Set(['object', 'loose_object', 'strict_object'])

/** True for an array where an object is expected: valibot would accept it as an object without keys. */
const isListForObject = (schema: Schema, value: unknown): boolean =>
  Array.isArray(value) && objects.has(schema.type) && !('fallback' in schema)

/** Validates one part of a request and drops undeclared fields, which a strict object refuses. Refuses with `invalid_request`. */
export function check(schema: Schema, value: unknown, where: 'path' | 'query' | 'body'): unknown {
  if (isListForObject(schema, value)) throw invalidRequest([{ path: '', message: 'expected Object' }], where)
  const parsed = v.safeParse(schema, value, { message: toMessage })
  if (parsed.success) return parsed.output
  throw invalidRequest(
    parsed.issues.map((issue) => toIssue(unknownField(schema, issue))),
    where,
  )
}

/** Names the declared fields in the issue of a field that a strict object does not declare. */
function unknownField(schema: Schema, issue: v.BaseIssue<unknown>): v.BaseIssue<unknown> {
  if (
    issue.type !== 'strict_object' ||
    issue.expected !== 'never' ||
    issue.path?.length !== 1 ||
    !('entries' in schema)
  )
    return issue
  const names = Object.keys(Object(schema.entries))
  const meant = nearest(String(issue.path[0].key), names)
  const remedy = meant === undefined ? `the fields are ${names.join(', ')}` : `did you mean '${meant}'?`
  return { ...issue, message: `unknown field; ${remedy}` }
}
