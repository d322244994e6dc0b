import fc from 'fast-check'

/**
 * Property tests generate the same cases in every run, so that only a change can make a test fail.
 * `PROPERTY_SEED=random` generates others, and `PROPERTY_SEED=<number>` repeats those of a report. With
 * `PROPERTY_TIMES=3`, as in `npm run test:slow`, the properties that ask for it generate three times as many.
 */
const { PROPERTY_SEED = '20261121', PROPERTY_TIMES = '1' } = process.env
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) })

/** Returns how many cases are generated for the number that `npm test` generates. */
export const runs = (usual: number): number => usual * Number(PROPERTY_TIMES)

/** As `runs`, for a property that would take over a second: `npm test` generates a third of them. */
export const costlyRuns = (usual: number): number =>
  PROPERTY_TIMES === '1' ? Math.ceil(usual / 3) : runs(usual)

const surrogates = { first: 0xd8_00, count: 0x8_00 }
const anyCharacter = fc.nat(0x10_ff_ff - surrogates.count).map(
  (n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count),
  (text) => {
    const [character = '', ...rest] = String(text)
    if (character === '' || rest.length > 0) throw new Error('not one character')
    const code = Number(character.codePointAt(0))
    return code < surrogates.first ? code : code - surrogates.count
  },
)
/**
 * Generates texts of any characters, as the unit `binary` of fast-check does after it has listed the million
 * characters, which takes most of a second.
 */
export const anyText = fc.string({ unit: anyCharacter })

/** Generates one of some values. */
export const pick = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)

export default fc
