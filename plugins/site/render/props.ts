import { isPlainObject } from '../../content/plain-object.ts'
import type { Props } from '../../content/page.ts'

/** A prop as text; numbers are written out, anything else that is no text is empty. */
export function text(props: Props, key: string): string {
  const value = props[key]
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

/** The rows of a list prop. */
export function rows(props: Props, key: string): readonly Props[] {
  return list(props, key).filter(isPlainObject)
}

/** The texts of a list of texts. */
export function texts(props: Props, key: string): readonly string[] {
  return list(props, key).filter((value) => typeof value === 'string')
}

/** The elements of an array prop; none when it is no array. */
export function list(props: Props, key: string): readonly unknown[] {
  const value = props[key]
  return Array.isArray(value) ? value : []
}

/** A prop out of a closed set; the first of the set when it holds anything else. */
export function choice<const T extends string>(props: Props, key: string, options: readonly [T, ...T[]]): T {
  return options.find((option) => option === props[key]) ?? options[0]
}
