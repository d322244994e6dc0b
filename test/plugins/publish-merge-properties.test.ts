import { join } from 'node:path'
import t from 'tap'
import fc, { runs } from '../helpers/property.ts'
import { openPlayground, steps, stepsBehind } from '../helpers/publish-by-chance.ts'
import { openSqlite } from '../helpers/sqlite.ts'
import { temporaryFolder } from '../helpers/stack.ts'

t.test('a publish brings what the draft changed, and nothing else', async (t) => {
  const { play, tally } = await openPlayground(t)
  await fc.assert(fc.asyncProperty(steps, play), { numRuns: runs(50) })
  t.ok(tally.published > 0 && tally.refused > 0 && tally.decided > 0, 'all of them happen')
})

t.test('a publish to a site that is behind brings what the draft changed, and nothing else', async (t) => {
  const { play, tally } = await openPlayground(t, { isBehind: true })
  await fc.assert(fc.asyncProperty(stepsBehind, play), { numRuns: runs(30) })
  t.ok(tally.published > 0 && tally.refused > 0, 'both happen')
})

t.test('a publish from a database brings what the draft changed, and nothing else', async (t) => {
  const storage = openSqlite(t, join(temporaryFolder(t), 'drafts.db'), { synchronous: 'normal' })
  const { play, tally } = await openPlayground(t, { storage })
  await fc.assert(fc.asyncProperty(steps, play), { numRuns: runs(10) })
  t.ok(tally.published > 0, 'some are published')
})
