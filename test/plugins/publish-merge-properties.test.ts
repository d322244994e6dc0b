/** The first cases of `publish-merge-properties.slow.test.ts`. */
import t from 'tap'
import { openPlay } from '../helpers/play.ts'
import { steps, stepsBehind } from '../helpers/play-steps.ts'
import fc, { costlyRuns } from '../helpers/property.ts'

t.test('a publish brings what the draft changed, and nothing else, in few cases', async (t) => {
  const { play, tally } = await openPlay(t)
  await fc.assert(fc.asyncProperty(steps, play), { numRuns: costlyRuns(15) })
  t.ok(tally['published'], 'some are published')
})

t.test('so does a publish to a site that is behind, in few cases', async (t) => {
  const { play, tally } = await openPlay(t, { isBehind: true })
  await fc.assert(fc.asyncProperty(stepsBehind, play), { numRuns: costlyRuns(10) })
  t.ok(tally['published'], 'some are published')
})

t.test(
  'an order in which a publish has moved nothing may come back after a change of the site',
  async (t) => {
    const { play } = await openPlay(t)
    await play([
      { kind: 'edit', draft: 'dev', edit: { what: 'copy', page: 'home' } },
      { kind: 'publish', draft: 'dev', overwrite: false },
      { kind: 'site', edit: { what: 'page place', page: 'a', after: 'b' } },
      { kind: 'diff', draft: 'dev' },
      { kind: 'site', edit: { what: 'page place', page: 'b', after: 'a' } },
      { kind: 'diff', draft: 'dev' },
    ])
  },
)

t.test('a part meets the label of the address that its page has once the draft has followed', async (t) => {
  const { play } = await openPlay(t)
  await play([
    { kind: 'edit', draft: 'dev', edit: { what: 'title', page: 'a', value: 'one' } },
    { kind: 'publish', draft: 'dev', overwrite: false },
    { kind: 'diff', draft: 'review' },
    { kind: 'edit', draft: 'review', edit: { what: 'title', page: 'a', value: 'two' } },
    { kind: 'edit', draft: 'dev', edit: { what: 'slug', page: 'a', slug: '/x' } },
    { kind: 'publish', draft: 'dev', overwrite: false },
    { kind: 'part', draft: 'review', which: 0, overwrite: false, siteConfig: false },
  ])
})
