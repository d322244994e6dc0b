import t from 'tap'
import { goodPage, hero, openChecks, text } from '../../helpers/checks.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'

const meta = {
  title: 'The same title on both pages',
  description: 'Short.',
  ogImage: 'https://cdn.example/street.jpg',
}
const pages = [
  goodPage('/', [hero('b_1', { ctaHref: '/prices' }), hero('b_2', { ctaHref: '/work', headingLevel: 'h2' })]),
  goodPage('/work', [hero('b_3')], { meta }),
  goodPage('/prices', [hero('b_4', { imageAlt: 'Image of a wheel' }), text('b_4', 'Words.')], { meta }),
]
const rename = (pageSlug: string, newPageSlug: string) => ({ op: 'rename_page', pageSlug, newPageSlug })
const section = { id: 'b_5', type: 'RichText', props: { title: 'More', body: 'Words.', headingLevel: 'h2' } }

/** A published draft whose findings are all dismissed; `open` lists the findings that are not. */
async function openDismissed(t: Parameters<typeof openChecks>[0]) {
  const checks = await openChecks(t, pages, { store: createMemoryStore() })
  const listed = await checks.findings()
  for (const { id } of listed) await checks.send('/checks/dismiss', { findingId: id, note: 'It stays.' })
  await checks.send('/publish')
  const open = async (): Promise<readonly string[]> =>
    (await checks.findings()).map(({ slug, rule }) => `${slug} ${rule}`)
  return { ...checks, listed, open }
}

t.test('dismissals follow a renamed page, and back', async (t) => {
  const { send, ops, undo, redo, open, listed, report } = await openDismissed(t)
  const rules = new Set(listed.flatMap(({ slug, rule }) => (slug === '/prices' ? [rule] : [])))
  for (const rule of ['a11y.alt-redundant', 'seo.title-duplicate']) t.ok(rules.has(rule), rule)

  await ops([rename('/prices', '/costs')])
  t.strictSame(await open(), [], 'an operation')
  await undo('/costs')
  t.strictSame(await open(), [], 'undo')
  await redo('/prices')
  t.strictSame(await open(), [], 'redo')
  await ops([rename('/work', '/jobs')])
  t.strictSame(await open(), [], 'the other page that a finding names')

  const { findings } = await report({ includeDismissed: '1', rule: 'a11y.alt-redundant' })
  t.match(findings, [{ slug: '/costs', dismissed: true, note: 'It stays.' }])
  await send('/checks/dismiss', { findingId: findings[0]?.id, dismissed: false })
  t.match((await send('/history/discard')).json(), { status: 'applied' })
  t.strictSame(await open(), ['/prices a11y.alt-redundant'], 'discard, with what was decided since')
})

t.test('dismissals follow pages that one change renames and edits', async (t) => {
  const { ops, undo, open } = await openDismissed(t)
  await ops([
    rename('/prices', '/costs'),
    rename('/work', '/prices'),
    { op: 'add_block', pageSlug: '/costs', block: section },
  ])
  t.strictSame(await open(), [])
  await undo('/costs')
  t.strictSame(await open(), [])
})

t.test('a new page does not get the dismissals of the page that it replaces', async (t) => {
  const { ops, open } = await openDismissed(t)
  const page = {
    slug: '/costs',
    title: 'Costs',
    meta,
    blocks: [hero('b_6', { imageAlt: 'Image of a wheel' })],
  }
  await ops([
    { op: 'remove_page', pageSlug: '/prices' },
    { op: 'create_page', page },
  ])
  t.ok((await open()).includes('/costs a11y.alt-redundant'))
})
