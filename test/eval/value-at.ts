import { isPlainObject, ownValue } from '../../plugins/content/plain-object.ts'

/** Reads the value at a path such as `cards[1].title`; `undefined` if there is none. */
export function valueAt(props: unknown, path: string): unknown {
  let value = props
  for (const [step] of path.matchAll(/[^.[\]]+/g)) {
    if (Array.isArray(value)) value = /^\d+$/.test(step) ? value[Number(step)] : undefined
    else value = isPlainObject(value) ? ownValue(value, step) : undefined
  }
  return value
}
