import * as v from 'valibot'

/** An option that is an integer from 1. */
export const countOption = (fallback: number) => v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), fallback)

/** An integer from 1 in a query, clamped to its limits; any other text is ignored. */
export const boundedCount = ({ most, otherwise }: { readonly most: number; readonly otherwise: number }, what: string) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((text) => (text.trim() === '' ? otherwise : Math.trunc(Number(text)))),
    v.transform((count) => (Number.isNaN(count) ? otherwise : Math.min(Math.max(count, 1), most))),
    v.description(`${what}, from 1 to ${most}; ${otherwise} without it.`),
  )

/** A variable that is a whole number within limits. */
export function countVariable(least: number, most = Number.MAX_SAFE_INTEGER) {
  const expected = `must be a whole number from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''}`
  const isCount = (text: string): boolean => /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most
  return v.pipe(v.string(), v.trim(), v.check(isCount, expected), v.transform(Number))
}

/** A variable that is one word, such as `on` or `off`. */
export const wordVariable = (fallback: string, effect: string) => v.pipe(v.optional(v.string(), fallback), v.description(effect))

const switches: ReadonlyMap<string, boolean> = new Map([
  ['1', true], ['true', true], ['yes', true], ['on', true],
  ['0', false], ['false', false], ['no', false], ['off', false],
])

/** Reads a switch; `undefined` for a word that is neither on nor off. */
export function toSwitch(word: string): boolean | undefined {
  return switches.get(word.trim().toLowerCase())
}

/** Reads a switch; for any other word, `warn` is called and the default is used. */
export function readSwitch(word: string, otherwise: boolean, warn: () => void): boolean {
  const on = toSwitch(word)
  if (on === undefined) warn()
  return on ?? otherwise
}
