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

const coded =
  '---\ntitle: Hulls\nlayout: plain\nnote: <b>old</b>\n---\n\nA hull.\n\n<!-- Ask *Ida*. -->\n\nOf {{ wood }}.\n'

/** A website with code in a file, as it was published once. */
async function setupCode(t: Test) {
  const { site, draft, publish, undo } = await setup(t)
  site.set({ 'content/hulls.md': coded })
  await draft.retext(oars, 'Made of ash.', 'Made of pine.')
  await publish()
  const { snapshots } = v.parse(Snapshots, (await draft.get('/restore/snapshots')).json())
  const again = async () => {
    const answer = await draft.send('/publish', { commit: snapshots[0]?.commit })
    t.equal(answer.status, 200, answer.text)
  }
  return { site, draft, publish, undo, again }
}

t.test(
  'an earlier publish brings back code that a developer has changed, in a file that moved',
  async (t) => {
    const { site, again } = await setupCode(t)
    const changed = coded.replace('*Ida*', '*Ben*')
    site.set({
      'content/hulls.md': undefined,
      'content/ships.md': changed.replace('<b>old</b>', '<i>new</i>'),
    })
    await again()
    t.equal(site.text('content/hulls.md'), coded)
  },
)

t.test('an earlier publish brings back code that a developer has removed', async (t) => {
  const { site, draft, again } = await setupCode(t)
  site.set({ 'content/hulls.md': '---\ntitle: Hulls\n---\n\nA hull.\n' })
  await draft.texts(hulls)
  await again()
  t.same(site.text('content/hulls.md').split('\n').toSorted(), coded.split('\n').toSorted())
})

t.test('an undo brings back code beside what a developer has changed, and no edit does', async (t) => {
  const { site, draft, publish, undo } = await setupCode(t)
  const blockId = await draft.idOf(hulls, '<!-- Ask *Ida*. -->')
  await draft.ops([{ op: 'remove_block', pageSlug: hulls, blockId }])
  await publish()
  site.edit('content/hulls.md', 'A hull.', 'Two hulls.')
  await draft.send('/draft/follow')
  const props = { text: '<!-- Ask *Ida*. -->' }
  const added = { op: 'add_block', pageSlug: hulls, block: { id: 'b_new', type: 'Source', props } }
  t.equal((await draft.ops([added])).status, 400)
  t.equal((await draft.retext(hulls, 'Two hulls.', props.text)).status, 400)
  await undo()
  t.equal((await draft.retext(hulls, 'Two hulls.', 'Three hulls.')).status, 200)
  t.equal((await draft.retext(hulls, 'Three hulls.', 'Hulls <b>.')).status, 400)
  await publish()
  t.equal(site.text('content/hulls.md'), coded.replace('A hull.', 'Three hulls.'))
})

t.test('a copy has its front matter, whatever a developer makes of its file', async (t) => {
  const { site, draft, publish } = await setup(t)
  const plain = '---\ntitle: Hulls\n---\n\nA hull.\n'
  const fronts = ['tags: [oak]\n', 'tags: [oak]\nlayout: wide\n', 'layout: wide # all\n']
  for (const [n, front] of fronts.entries()) {
    site.set({ 'content/hulls.md': plain })
    await draft.send('/draft/follow')
    const newPageSlug = `/~content/copy${n}.md`
    const duplicate = { op: 'duplicate_page', pageSlug: hulls, newPageSlug, newTitle: `Copy ${n}` }
    t.equal((await draft.ops([duplicate])).status, 200)
    site.edit('content/hulls.md', '---\n\n', `${front}---\n\n`)
    await draft.send('/draft/follow')
    t.equal((await draft.retext(newPageSlug, 'A hull.', 'Its hull.')).status, 200)
    await publish()
    const wanted = plain.replace('Hulls', `Copy ${n}`).replace('A hull', 'Its hull')
    t.equal(site.text(`content/copy${n}.md`), wanted)
    t.equal(site.text('content/hulls.md'), plain.replace('---\n\n', `${front}---\n\n`))
  }
  const newPageSlug = '/~content/last.md'
  await draft.ops([{ op: 'duplicate_page', pageSlug: hulls, newPageSlug }])
  const [copied] = (await draft.page(newPageSlug)).blocks
  t.equal(copied?.type, 'Details')
  const removal = { op: 'remove_block', pageSlug: newPageSlug, blockId: copied?.id }
  t.equal((await draft.ops([removal])).status, 400, 'no edit takes it from a copy')
})

const text = '# Hulls\n\nA hull.\n'
const titled = "---\ntitle: 'Hulls'\n---\n\n"
const tagged = titled.replace('\n---\n', '\ntags:\n  - oak\n---\n')
/** Front matter, what a developer makes of it, and what an earlier publish makes of that, if not the first. */
const fronts: readonly (readonly [was: string, is: string, again?: string])[] = [
  [titled, tagged],
  [titled, titled.replace('\n---\n', '\nlayout: wide\n---\n')],
  ['', '---\ntags: [oak]\n---\n\n', '---\n{}\n---\n\n'],
  ['', '+++\ntags = ["oak"]\n+++\n\n', '+++\n+++\n\n'],
  [tagged, ''],
  [tagged.replace('\n---\n', '\nlayout: plain\n---\n'), ''],
  [tagged.replaceAll('\n', '\r\n'), ''],
]

t.test('an earlier publish again has the front matter that a file had then', async (t) => {
  for (const [was, is, again = was] of fronts) {
    const { site, draft, publish } = await setup(t)
    const withText = (front: string) => front + text.replaceAll('\n', was.includes('\r\n') ? '\r\n' : '\n')
    site.set({ 'content/hulls.md': withText(was) })
    await draft.retext(oars, 'Made of ash.', 'Made of pine.')
    await publish()
    const { snapshots } = v.parse(Snapshots, (await draft.get('/restore/snapshots')).json())
    site.set({ 'content/hulls.md': withText(is) })
    const answer = await draft.send('/publish', { commit: snapshots[0]?.commit })
    t.equal(answer.status, 200, answer.text)
    t.equal(site.text('content/hulls.md'), withText(again))
  }
})

t.test('an earlier publish again leaves out a title that the file itself has by its name', async (t) => {
  const { site, draft, publish } = await setup(t)
  site.set({ 'content/hulls.md': `${titled}A hull.\n` })
  await draft.retext(oars, 'Made of ash.', 'Made of pine.')
  await publish()
  const { snapshots } = v.parse(Snapshots, (await draft.get('/restore/snapshots')).json())
  site.set({ 'content/hulls.md': 'A hull.\n' })
  const answer = await draft.send('/publish', { commit: snapshots[0]?.commit })
  t.equal(answer.status, 200, answer.text)
  t.equal(site.text('content/hulls.md'), 'A hull.\n')
})
