import { join } from 'node:path'
import t from 'tap'
import { openPlay, type Tally } from '../helpers/play.ts'
import type { Edit } from '../helpers/play-edits.ts'
import { type PlayStep, steps, stepsBehind, stepsOfMenus } from '../helpers/play-steps.ts'
import fc from '../helpers/property.ts'
import { openSqlite } from '../helpers/sqlite.ts'
import { temporaryFolder } from '../helpers/stack.ts'

const happened = (tally: Tally, kinds: readonly string[]) => kinds.filter((kind) => !tally[kind])

t.test('a publish brings what the draft changed, and nothing else', async (t) => {
  const { play, tally } = await openPlay(t)
  await fc.assert(fc.asyncProperty(steps, play), { numRuns: 110 })
  const kinds = [
    'published',
    'refused',
    'decided',
    'typed again',
    'volatile',
    'arrived',
    'undo',
    'part',
    'run',
    'edit slug',
    'edit label',
  ]
  t.strictSame(happened(tally, kinds), [], 'all of them happen')
})

t.test('what a draft has in the menu goes with its pages, whichever side renames them', async (t) => {
  const { play, tally } = await openPlay(t)
  await fc.assert(fc.asyncProperty(stepsOfMenus, play), { numRuns: 60 })
  t.strictSame(
    happened(tally, ['published', 'edit slug', 'edit label', 'edit group']),
    [],
    'all of them happen',
  )
})

t.test('an address at which both had added a page meets the one that a draft moves there', async (t) => {
  const { play } = await openPlay(t)
  await play([
    { kind: 'edit', draft: 'review', edit: { what: 'create', slug: '/n', value: 'one' } },
    { kind: 'edit', draft: 'dev', edit: { what: 'create', slug: '/n', value: 'three' } },
    { kind: 'publish', draft: 'dev', overwrite: false },
    { kind: 'diff', draft: 'review' },
    { kind: 'undo change', draft: 'review', which: 0 },
    { kind: 'edit', draft: 'review', edit: { what: 'slug', page: 'a', slug: '/n' } },
    { kind: 'diff', draft: 'review' },
  ])
})

t.test('what is scheduled leads where a redirect of the site leads on', async (t) => {
  const { play } = await openPlay(t)
  await play([
    { kind: 'edit', draft: 'dev', edit: { what: 'slug', page: 'a', slug: '/x' } },
    { kind: 'publish', draft: 'dev', overwrite: false },
    { kind: 'edit', draft: 'review', edit: { what: 'redirect', from: '/old', to: '/a' } },
    { kind: 'schedule', draft: 'review', overwrite: false },
    { kind: 'publish', draft: 'review', overwrite: false },
    { kind: 'due', draft: 'review', which: 0 },
  ])
})

t.test('what is typed stays decided where the draft takes over what is around it', async (t) => {
  const { play } = await openPlay(t)
  const typed = (draft: 'dev' | 'review', edit: Edit): PlayStep => ({ kind: 'edit', draft, edit })
  const row = (row: 'r1' | 'r3', value?: 'one' | 'two' | 'three'): Edit => ({
    what: 'row',
    page: 'home',
    row,
    value,
  })
  const bare = (row: 'p' | 'r' | 't', isIn: boolean): Edit => ({ what: 'bare', page: 'a', row, isIn })
  const publish: PlayStep = { kind: 'publish', draft: 'dev', overwrite: false }
  const shown: PlayStep = { kind: 'diff', draft: 'review' }
  const inRow = [typed('review', row('r3', 'two')), typed('dev', row('r3', 'three')), publish, shown]
  const moved = [typed('dev', row('r1')), typed('dev', row('r1', 'three')), publish]
  await play([...inRow, typed('review', row('r3', 'one')), ...moved])
  const inRun = [typed('review', bare('r', true)), typed('dev', bare('t', true)), publish, shown]
  const removed = [typed('dev', bare('p', false)), publish]
  await play([...inRun, ...removed, typed('review', bare('t', true))])
  await play([...inRun, typed('review', bare('t', true)), ...removed])
})

t.test('a renamed page comes back to its place by a discard, beside a new one at its address', async (t) => {
  const { play } = await openPlay(t)
  const typed = (edit: Edit): PlayStep => ({ kind: 'edit', draft: 'dev', edit })
  const slug = (page: 'home' | 'a', slug: '/a' | '/x') => typed({ what: 'slug', page, slug })
  const added = [slug('a', '/x'), typed({ what: 'create', slug: '/a', value: 'one' })]
  const discard: PlayStep = { kind: 'discard', draft: 'dev', which: 0, isAll: false }
  await play([...added, discard, slug('home', '/a')])
})

t.test('a publish to a site that is behind brings what the draft changed, and nothing else', async (t) => {
  const { play, tally } = await openPlay(t, { isBehind: true })
  await fc.assert(fc.asyncProperty(stepsBehind, play), { numRuns: 70 })
  t.strictSame(happened(tally, ['published', 'refused', 'arrived']), [], 'all of them happen')
})

t.test('a publish from a database brings what the draft changed, and nothing else', async (t) => {
  const storage = openSqlite(t, join(temporaryFolder(t), 'drafts.db'), { synchronous: 'normal' })
  const { play, tally } = await openPlay(t, { storage })
  await fc.assert(fc.asyncProperty(steps, play), { numRuns: 20 })
  t.strictSame(happened(tally, ['published']), [], 'some are published')
})
