import { withoutGeneratedId } from '../items.ts'
import type { Page, SiteConfig } from '../model.ts'
import { isPlainObject, ownValue, type PlainObject, sameJson } from '../plain-object.ts'

/** A value in the state in which both sides last agreed, and on both sides. */
export interface Three<T> {
  readonly base: T
  readonly ours: T
  readonly theirs: T
}

/** What a publish of ours has changed on theirs, with what theirs had before; it may have got no answer. */
export interface SentContent {
  readonly pages: readonly { readonly before?: Page | undefined; readonly after?: Page | undefined }[]
  /** The slugs of all pages, where they are others than before. */
  readonly order?: readonly string[] | undefined
  readonly siteConfig?: Readonly<Record<'before' | 'after', SiteConfig | undefined>> | undefined
}

/** A merged value, and the value in which both sides agree afterwards. */
export interface MergedValue<T> {
  readonly merged: T
  readonly base: T
}

/** Whether two values are equal but for the order of keys and generated row ids. */
export const same = (a: unknown, b: unknown): boolean => sameJson(a, b, withoutGeneratedId)

/** Applies a function to all three values. */
export const each = <T, U>({ base, ours, theirs }: Three<T>, map: (value: T) => U): Three<U> => ({
  base: map(base),
  ours: map(ours),
  theirs: map(theirs),
})

/** Returns the first candidate that consists of the same values as the result, so that equal parts are shared. */
export function shared<T extends PlainObject | readonly unknown[]>(
  result: T,
  ...candidates: readonly T[]
): T {
  return candidates.find((candidate) => hasSameParts(result, candidate)) ?? result
}

function hasSameParts(a: PlainObject | readonly unknown[], b: PlainObject | readonly unknown[]): boolean {
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((part, at) => part === b[at])
    )
  if (!isPlainObject(a) || !isPlainObject(b)) return false
  return [...Object.keys(a), ...Object.keys(b)].every((key) => ownValue(a, key) === ownValue(b, key))
}
