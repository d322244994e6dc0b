import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { boats, files, oars } from '../helpers/file-repositories.ts'
import { filesIn, serviceOn } from '../helpers/website-files.ts'

/** A file with spellings that a new one would not have, and blocks that are only copied. */
const odd =
  '---\n# Ask Ida first.\ntitle:   "Hulls"   # of ships\ntags: [oak,   elm]\n---\n\nHulls\n=====\n\n<div class="note">Raw</div>\n\n+ one\n+ two\n\nA __strong__ hull.  \nTwo lines.\n'
const Snapshots = v.object({ snapshots: v.array(v.looseObject({ commit: v.string() })) })
const hulls = '/~content/hulls.md'

async function setup(t: Test) {
  const site = filesIn(t, { ...files, 'content/hulls.md': odd })
  const draft = await serviceOn(t, site.folder)
  await draft.texts(hulls)
  const publish = async () => t.equal((await draft.send('/publish', {})).status, 200)
  const undo = async (slug = hulls) => t.equal((await draft.send('/history/undo', { slug })).status, 200)
  return { site, draft, publish, undo }
}

t.test('a page that is removed, published and brought back has the bytes of before', async (t) => {
  const { site, draft, publish, undo } = await setup(t)
  await draft.ops([{ op: 'remove_page', pageSlug: hulls }])
  await publish()
  t.throws(() => site.text('content/hulls.md'))
  const again = await serviceOn(t, site.folder)
  await undo()
  await publish()
  t.equal(site.text('content/hulls.md'), odd)
  t.strictSame(await again.texts(hulls), await draft.texts(hulls), 'also for another draft')
})

t.test('blocks and values that an undo brings back after a publish are spelled as before', async (t) => {
  const { site, draft, publish, undo } = await setup(t)
  const { blocks } = await draft.page(hulls)
  for (const { id, type, props } of blocks) {
    const op =
      type === 'Details'
        ? { op: 'update_props', pageSlug: hulls, blockId: id, patch: { tags: ['ash'] } }
        : { op: 'remove_block', pageSlug: hulls, blockId: id }
    t.equal((await draft.ops([op])).status, 200, `${type} ${JSON.stringify(props)}`)
    await publish()
    t.not(site.text('content/hulls.md'), odd)
    await undo()
    await publish()
    t.equal(site.text('content/hulls.md'), odd, type)
  }
})

t.test('what a developer has changed since stays beside what an undo brings back', async (t) => {
  const { site, draft, publish, undo } = await setup(t)
  await draft.retext(oars, 'Made of ash.', 'Made of pine.')
  await draft.retext(hulls, 'A __strong__ hull.  \nTwo lines.', 'A hull.')
  await publish()
  site.edit('content/hulls.md', '# Ask Ida first.', '# Ask Ben.')
  site.edit('content/hulls.md', '+ two', '+ 2')
  await undo()
  await publish()
  t.equal(
    site.text('content/hulls.md'),
    odd.replace('# Ask Ida first.', '# Ask Ben.').replace('+ two', '+ 2'),
  )
})

t.test('an earlier publish again has the bytes of that time', async (t) => {
  const { site, draft, publish } = await setup(t)
  await draft.retext(oars, 'Made of ash.', 'Made of pine.')
  await publish()
  await draft.ops([{ op: 'remove_page', pageSlug: hulls }])
  await publish()
  const { snapshots } = v.parse(Snapshots, (await draft.get('/restore/snapshots')).json())
  const { commit } = snapshots[1] ?? {}
  t.equal((await draft.send('/publish', { commit })).status, 200)
  t.equal(site.text('content/hulls.md'), odd)
})

t.test(
  'of one page no more than a text for each of its states is stored, below the own folder',
  async (t) => {
    const { site, draft, publish, undo } = await setup(t)
    const stored = () => readdirSync(join(site.folder, '.orchestrator', 'texts')).length
    for (let round = 0; round < 3; round += 1) {
      await draft.retext(boats, 'They float.', 'They sink.')
      await publish()
      await undo(boats)
      await publish()
    }
    t.equal(stored(), 2)
  },
)
