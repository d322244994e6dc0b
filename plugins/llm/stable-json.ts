import { isPlainObject } from '../content/plain-object.ts'

/**
 * Writes a value as JSON whose bytes depend on nothing but the value: keys are sorted.
 *
 * A prompt that is kept by the provider has to be the same to the byte the next time.
 */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (isPlainObject(part) ? sorted(part) : part))
}

function sorted(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
