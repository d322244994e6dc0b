import t, { type Test } from 'tap'
import { stillClock } from '../../kernel/testing.ts'
import { defineBlock, list, text } from '../../plugins/content/blocks/define.ts'
import { generateManifest } from '../../plugins/content/manifest.ts'
import type { Page } from '../../plugins/content/page.ts'
import { createRegistry } from '../../plugins/content/registry.ts'
import { emptyList } from '../helpers/plain.ts'
import { noon, page } from '../helpers/publishing.ts'
import { until } from '../helpers/until.ts'
import { filesIn, serviceOn } from '../helpers/website-files.ts'
import { withWebsite } from '../helpers/website.ts'

/** A block type that only the website has. */
const crew = defineBlock('Crew', 'The people of a ship.', {
  props: { people: list({ name: text, task: text }) },
  starter: { people: [{ name: 'Ida', task: 'Rows' }] },
})
const crewOf = (...names: readonly string[]): Page => ({
  ...page('/'),
  blocks: [{ id: 'b/', type: 'Crew', props: { people: names.map((name) => ({ name, task: 'Rows' })) } }],
})

const row = { pageSlug: '/', blockId: 'b/', listKey: 'people' }

/** A website with its own block type, and a draft that has renamed the first row. */
async function withCrew(t: Test) {
  const time = stillClock(noon)
  const { website, draft } = await withWebsite(t, { time, publish: { lookEveryMs: 10 } }, [
    crewOf('Ida', 'Ben', 'Cas'),
  ])
  website.blocks = generateManifest(createRegistry([crew]))
  const dev = draft('dev')
  await dev.fill()
  const answer = await dev.ops([{ op: 'update_item', ...row, index: 0, patch: { name: 'Ada' } }])
  t.equal(answer.status, 200, answer.text)
  const names = () => JSON.stringify(website.pages[0]?.blocks[0]?.props['people'])
  return { website, dev, time, names }
}

t.test('rows of a type that a website declares are merged one by one', async (t) => {
  const { website, dev, names } = await withCrew(t)
  website.pages = [crewOf('Ida', 'Ben', 'Kim')]
  t.match(await dev.diff(), { conflicts: emptyList })
  t.match(await dev.publish(), { status: 'ready' })
  t.match(names(), /Ada.*Ben.*Kim/)
})

t.test('a scheduled publish merges rows of a type that its website declares', async (t) => {
  const { website, dev, time, names } = await withCrew(t)
  t.match(await dev.publish({ at: '2026-01-01T13:00:00.000Z' }), { status: 'scheduled' })
  website.pages = [crewOf('Ida', 'Ben', 'Kim')]
  const listed = await dev.get('/publish/scheduled', { conflicts: '1' })
  t.match(listed.json(), { scheduled: [{ conflicts: emptyList }] })
  time.advance(61 * 60_000)
  await until(() => names().includes('Ada'), 'the scheduled publish')
  t.match(names(), /Ada.*Ben.*Kim/)
})

t.test('a change of a row is undone beneath later changes of other rows', async (t) => {
  const { website, dev, names } = await withCrew(t)
  await dev.ops([{ op: 'update_item', ...row, index: 2, patch: { name: 'Kim' } }])
  const undone = await dev.send('/history/undo-change', { version: 2 })
  t.equal(undone.status, 200, undone.text)
  t.match(await dev.publish(), { status: 'ready' })
  t.match(names(), /Ida.*Ben.*Kim/)
  t.equal(website.pages.length, 1)
})

t.test('a copy of the site with one other row leaves the rows that the draft has changed', async (t) => {
  const { dev, names } = await withCrew(t)
  const copy = { pages: [crewOf('Ida', 'Ben', 'Kim')], overwrite: true }
  t.match((await dev.send('/draft/bootstrap', copy)).json(), { status: 'bootstrapped' })
  t.match(await dev.publish(), { status: 'ready' })
  t.match(names(), /Ada.*Ben.*Kim/)
})

t.test('texts of one template that two people change are merged one by one', async (t) => {
  const site = filesIn(t, {
    'package.json': '{}\n',
    'index.html': '<h1>Boats</h1>\n<p>Of oak.</p>\n<p>Of ash.</p>\n<p>Of elm.</p>\n',
  })
  const draft = await serviceOn(t, site.folder)
  const slug = '/~index.html'
  const [block] = (await draft.page(slug)).blocks
  const at = { op: 'update_item', pageSlug: slug, blockId: block?.id, listKey: 'texts' }
  t.equal((await draft.ops([{ ...at, index: 1, patch: { text: 'Of pine.' } }])).status, 200)
  site.edit('index.html', 'Of elm.', 'Of yew.')
  t.match(await draft.diff(), { conflicts: emptyList })
  // One line that a developer adds is no change of the others.
  site.edit('index.html', '<p>Of ash.</p>', '<p>Of ash.</p>\n<p>And teak.</p>')
  t.match(await draft.diff(), { conflicts: emptyList })
  t.match(await draft.publish(), { status: 'ready' })
  t.match(site.text('index.html'), /Of pine.*Of ash.*And teak.*Of yew/s)
})

t.test('a row that a person types on decides no conflict of another row', async (t) => {
  const { website, dev } = await withCrew(t)
  website.pages = [crewOf('Ira', 'Ben', 'Cas')]
  t.match((await dev.diff()).conflicts, [{ slug: '/', blockId: 'b/' }])
  await dev.ops([{ op: 'update_item', ...row, index: 2, patch: { name: 'Kim' } }])
  t.match((await dev.diff()).conflicts, [{ slug: '/', blockId: 'b/' }])
  await dev.ops([{ op: 'update_item', ...row, index: 0, patch: { name: 'Adam' } }])
  t.strictSame((await dev.diff()).conflicts, [])
})
