import fc from 'fast-check'

/**
 * Property tests draw the same cases in every run, so that a test turns red by a change and not by chance.
 * `PROPERTY_SEED=random` draws others, and `PROPERTY_SEED=<number>` repeats those of a report.
 */
const { PROPERTY_SEED = '20261121' } = process.env
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) })

export default fc
