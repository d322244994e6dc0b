import fc from 'fast-check'

/**
 * Property tests generate the same cases in every run, so that only a change can make a test fail.
 * `PROPERTY_SEED=random` generates others, and `PROPERTY_SEED=<number>` repeats those of a report. `PROPERTY_RUNS` is how
 * many cases there are, of the properties that ask for it.
 */
const { PROPERTY_SEED = '20261121', PROPERTY_RUNS } = process.env
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) })

/** Returns how many cases are generated: the usual number, unless another one is wanted. */
export const runs = (usual: number): number => Number(PROPERTY_RUNS ?? usual)

/** Generates one of some values. */
export const pick = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)

export default fc
