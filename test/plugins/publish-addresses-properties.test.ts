import t from 'tap'
import { openAddresses, steps } from '../helpers/addresses-by-chance.ts'
import fc, { runs } from '../helpers/property.ts'

t.test('pages that change their addresses and places have the changes of all drafts', async (t) => {
  const { play, tally } = await openAddresses(t)
  await fc.assert(fc.asyncProperty(steps, play), { numRuns: runs(50) })
  t.ok(
    tally.published > 0 && tally.refused > 0 && tally.decided > 0 && tally.arrived > 0,
    'all of them happen',
  )
})
