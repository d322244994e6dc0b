/** The first cases of `npm run prove:merge -- --files`. */
import t from 'tap'
import { playFiles } from '../helpers/file-play.ts'
import { fileSteps } from '../helpers/file-play-steps.ts'
import type { Tally } from '../helpers/play-world.ts'
import fc, { costlyRuns } from '../helpers/property.ts'

t.test('drafts and a developer who edit the same files lose nothing, in few cases', async (t) => {
  const tally: Tally = {}
  await fc.assert(
    fc.asyncProperty(fileSteps, (list) => playFiles(list, tally)),
    { numRuns: costlyRuns(20) },
  )
  t.ok(tally['published'], 'some are published')
})

t.test('what is scheduled with a page at the path of an unreadable file is refused', async (t) => {
  const tally: Tally = {}
  await playFiles(
    [
      { kind: 'site', edit: { what: 'break', page: 'alpha' } },
      { kind: 'edit', draft: 'dev', edit: { what: 'title', page: 'alpha', value: 'two' } },
      { kind: 'schedule', draft: 'dev', overwrite: true },
    ],
    tally,
  )
  t.equal(tally['slug_unreadable'], 1)
})

t.test('a copy with source text is not published while the file that it is of cannot be read', async () => {
  await playFiles(
    [
      { kind: 'edit', draft: 'dev', edit: { what: 'copy', page: 'alpha' } },
      { kind: 'site', edit: { what: 'break', page: 'alpha' } },
      { kind: 'publish', draft: 'dev', overwrite: false },
    ],
    {},
  )
})

t.test('a developer moves no file with most of it edited, which would be another page', async (t) => {
  const tally: Tally = {}
  await playFiles(
    [
      { kind: 'site', edit: { what: 'remove', page: 'beta', which: 0 } },
      { kind: 'site', edit: { what: 'rename edited', page: 'beta', which: 0, value: 'two' } },
      { kind: 'edit', draft: 'dev', edit: { what: 'title', page: 'alpha', value: 'one' } },
      { kind: 'edit', draft: 'dev', edit: { what: 'heading', page: 'beta', value: 'two' } },
      { kind: 'redo', draft: 'dev', which: 0 },
    ],
    tally,
  )
  t.notOk(tally['developer rename edited'])
})
