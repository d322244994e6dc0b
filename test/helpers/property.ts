import fc from 'fast-check'

/**
 * Property tests generate the same cases in every run, so that only a change can make a test fail.
 * `PROPERTY_SEED=random` generates others, and `PROPERTY_SEED=<number>` repeats those of a report.
 */
const { PROPERTY_SEED = '20261121' } = process.env
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) })

export default fc
