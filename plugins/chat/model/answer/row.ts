import type { Props } from '../../../content/model.ts'
import { operations } from '../../../content/operations/index.ts'
import { isPlainObject, picked } from '../../../content/plain-object.ts'
import { coerceSlug, home } from '../../../content/slugs.ts'
import type { PlanSource, SiteInput } from '../lookup.ts'

/** The maximum number of operations of a plan. */
export const mostOperations = 200

/** An operation, or a part of one, as a model wrote it. */
export type Loose = Props

/** The context for reading an operation. */
export interface RowContext extends PlanSource {
  /** Returns the id of a new block: the wanted one if it is free in the draft and the plan so far. */
  readonly freeId: (wanted: string) => string
  /** Slugs of pages that the plan so far creates. */
  readonly created: Set<string>
}

/** Corrects an operation; returns none, one or several, or the same one if there is nothing to correct. */
export type Correction = (op: Loose, context: RowContext) => Loose | readonly Loose[]

/** Corrections, in the order in which they are applied. None changes the meaning of an operation. */
export type Corrections = Readonly<Record<string, Correction>>

/** The name of an operation; empty if it is not a string. */
export const opOf = ({ op }: Loose): string => (typeof op === 'string' ? op : '')

/** Whether an operation is one of these. */
export const isOp = (op: Loose, ...names: readonly string[]): boolean => names.includes(opOf(op))

/** Returns an object as is, and an empty object for any other value. */
export const objectIn = (value: unknown): Loose => (isPlainObject(value) ? value : {})

/** The first string under one of these keys. */
export const firstText = (object: Loose, keys: readonly string[]): string | undefined =>
  keys.map((key) => object[key]).find((value) => typeof value === 'string')

/** Returns a copy without some keys, in linear time: a model may write as many keys as it likes. */
export function without(object: Loose, names: readonly string[]): Loose {
  const gone = new Set(names)
  return picked(object, (_, name) => !gone.has(name))
}

/** Resolves a page name to a slug: a page id, the word home, or a slug without its slash. */
export function slugFor({ draft }: SiteInput, name: unknown): string | undefined {
  if (typeof name !== 'string' || name.trim() === '') return undefined
  const text = name.trim()
  if (text.toLowerCase() === 'home') return home
  return draft.pages.find(({ id }) => id === text)?.slug ?? coerceSlug(text)
}

/** Keys under which models write the name of an operation. */
export const nameKeys = ['op', 'operation', 'action', 'kind']
/** Other verbs that models use for operations. */
const verbs: Readonly<Record<string, string>> = {
  insert: 'add',
  append: 'add',
  edit: 'update',
  change: 'update',
  delete: 'remove',
  reorder: 'move',
  copy: 'duplicate',
  clone: 'duplicate',
}
const short: Readonly<Record<string, string>> = {
  create: 'create_page',
  rename: 'rename_page',
  updateblock: 'update_props',
}
const flat = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '')
const byFlatName: ReadonlyMap<string, string> = new Map([
  ...[...operations.keys()].map((name) => [flat(name), name] as const),
  ...Object.entries(short),
])
const loose =
  /^(add|insert|append|update|edit|change|remove|delete|move|reorder|duplicate|copy|clone)(block|props|item|page)?$/

/** Resolves an operation name in any spelling; returns `undefined` if it is unknown. */
export function operationName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const wanted = flat(name)
  const [, verb = '', noun = 'block'] = loose.exec(wanted) ?? []
  return byFlatName.get(wanted) ?? byFlatName.get(`${verbs[verb] ?? verb}${noun}`)
}
