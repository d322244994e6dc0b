import * as v from 'valibot'

/** The maximum delay of a timer in milliseconds; a longer one fires at once. */
export const longestTimer = 2 ** 31 - 1

/** An option with an integer of at least 1, which may be the delay of a timer. */
export const countOption = (fallback: number) =>
  v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.check((count) => count <= longestTimer, `must be at most ${longestTimer}`),
    ),
    fallback,
  )

/** An integer of at least 1 in a query, clamped to its limits; other text is ignored. */
export const boundedCount = (
  { most, otherwise }: { readonly most: number; readonly otherwise: number },
  what: string,
) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((text) => (text.trim() === '' ? otherwise : Math.trunc(Number(text)))),
    v.transform((count) => (Number.isNaN(count) ? otherwise : Math.min(Math.max(count, 1), most))),
    v.description(`${what}, from 1 to ${most}; ${otherwise} without it.`),
  )

/** An environment variable with a whole number within limits. */
export function countVariable(least: number, most = Number.MAX_SAFE_INTEGER) {
  const expected = `must be a whole number from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''}`
  const isCount = (text: string): boolean =>
    /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most
  return v.pipe(v.string(), v.trim(), v.check(isCount, expected), v.transform(Number))
}

/** An environment variable with entries separated by commas; blank ones are left out. */
export const listVariable = v.pipe(
  v.string(),
  v.transform((list) =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  ),
)

/** An environment variable with one word, such as `on` or `off`. */
export const wordVariable = (fallback: string, effect: string) =>
  v.pipe(v.optional(v.string(), fallback), v.description(effect))

const switches: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['yes', true],
  ['on', true],
  ['0', false],
  ['false', false],
  ['no', false],
  ['off', false],
])

/** Parses a switch; `undefined` for a word that is neither on nor off. */
export function toSwitch(word: string): boolean | undefined {
  return switches.get(word.trim().toLowerCase())
}

/** Parses a switch; for any other word, calls `warn` and returns the default. */
export function readSwitch(word: string, otherwise: boolean, warn: () => void): boolean {
  const on = toSwitch(word)
  if (on === undefined) warn()
  return on ?? otherwise
}
