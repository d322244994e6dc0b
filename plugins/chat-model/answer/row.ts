import type { Props } from '../../content/model.ts'
import { coerceSlug, home } from '../../content/slugs.ts'
import type { Words } from '../../content/words.ts'
import type { SiteInput } from '../lookup.ts'

/** An operation, or a part of one, as a model wrote it. */
export type Loose = Props

/** Where an operation is read. */
export interface Place {
  readonly input: SiteInput
  readonly words: Words
  readonly now: Date
  /** Block ids that the plan so far has given away. */
  readonly given: Set<string>
  /** Slugs of pages that the plan so far creates. */
  readonly created: Set<string>
}

/** One thing that models write otherwise than they should, and what it becomes. It never changes what an operation means. */
export interface Row {
  readonly what: string
  when(op: Loose, place: Place): boolean
  becomes(op: Loose, place: Place): Loose | readonly Loose[]
}

/** The name of an operation; empty where it has none, whatever else stands there. */
export const opOf = ({ op }: Loose): string => (typeof op === 'string' ? op : '')

/** Whether an operation is one of these. */
export const isOp = (op: Loose, ...names: readonly string[]): boolean => names.includes(opOf(op))

/** A copy without some keys, in time in proportion to both: a model may write as many keys as it likes. */
export function without(object: Loose, names: readonly string[]): Loose {
  const gone = new Set(names)
  return Object.fromEntries(Object.entries(object).filter(([name]) => !gone.has(name)))
}

/** The slug that a name of a page means: its id, the word home, or a slug without its slash. */
export function slugFor({ draft }: SiteInput, name: unknown): string | undefined {
  if (typeof name !== 'string' || name.trim() === '') return undefined
  const text = name.trim()
  if (text.toLowerCase() === 'home') return home
  return draft.pages.find(({ id }) => id === text)?.slug ?? coerceSlug(text)
}
