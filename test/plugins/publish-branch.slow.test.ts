/** Another branch in the folder of a website: a draft with changes follows it only if that is confirmed. */
import t, { type Test } from 'tap'
import { boats, linesOf, oars, repositoryOf } from '../helpers/file-repositories.ts'
import { bodyOf, refused } from '../helpers/stack.ts'
import { serviceOn } from '../helpers/website-files.ts'

/** A draft of a folder that has the branches `main` and `spring`, of which the second has another text. */
async function onMain(t: Test) {
  const { site } = repositoryOf(t)
  site.git('checkout', '--quiet', '-b', 'spring')
  site.edit('content/oars.md', 'ash', 'spruce')
  site.commit('spring')
  site.git('checkout', '--quiet', 'main')
  const draft = await serviceOn(t, site.folder)
  t.strictSame(await draft.texts(oars), ['Made of ash.'])
  t.match(await draft.follow(), { status: 'unchanged' })
  return { site, draft }
}

t.test('a draft with changes waits, and loses nothing until a person has chosen', async (t) => {
  const { site, draft } = await onMain(t)
  await draft.retext(boats, 'We build boats.', 'We build fast boats.')
  site.git('checkout', '--quiet', 'spring')
  const notice = /branch spring now, and this draft has changes that were made on main/
  t.match(await draft.follow(), { status: 'confirm', message: notice })
  t.match(await bodyOf(draft.get('/publish/diff')), { branch: { from: 'main', to: 'spring' }, notice })
  t.strictSame(await draft.texts(oars), ['Made of ash.'])
  t.match(refused(await draft.send('/publish', {})), { code: 'branch_changed' })
  t.equal(site.git('status', '--porcelain'), '')

  site.git('checkout', '--quiet', 'main')
  t.match(await draft.follow(), { status: 'unchanged', message: undefined }, 'the branch that it was made on')
  site.git('checkout', '--quiet', 'spring')
  t.match(await draft.follow(), { status: 'confirm' })
  t.match(await draft.follow({ confirm: true }), { status: 'followed' })
  t.strictSame(await draft.texts(oars), ['Made of spruce.'])
  t.match(await draft.follow(), { status: 'unchanged' }, 'it is asked once')
  t.equal((await draft.send('/publish', {})).status, 200)
  t.strictSame(linesOf(site.git('diff', '--unified=0')), ['-We build boats.', '+We build fast boats.'])
})

t.test('a draft without changes follows at once', async (t) => {
  const { site, draft } = await onMain(t)
  site.git('checkout', '--quiet', 'spring')
  t.match(await draft.follow(), { status: 'followed', message: undefined })
  t.strictSame(await draft.texts(oars), ['Made of spruce.'])
})

t.test('a branch with the same content asks nothing, and another draft is asked by itself', async (t) => {
  const { site, draft } = await onMain(t)
  const other = draft.as('other')
  t.match(await other.follow(), { status: 'unchanged' })
  await draft.retext(boats, 'We build boats.', 'We build fast boats.')
  site.git('checkout', '--quiet', '-b', 'same')
  t.match(await draft.follow(), { status: 'unchanged', message: undefined })
  site.edit('content/oars.md', 'ash', 'beech')
  t.match(await other.follow(), { status: 'followed' })
  t.match(
    await draft.follow(),
    { status: 'confirm', message: /made on main/ },
    'its content is another one now',
  )
})

t.test(
  'a draft that was published follows another branch at once, a changed or partly published one asks',
  async (t) => {
    const { site, draft } = await onMain(t)
    const commit = () => site.commit('boats')
    await draft.retext(boats, 'We build boats.', 'We build fast boats.')
    await draft.retext(oars, 'Made of ash.', 'Made of oak.')
    t.equal((await draft.send('/publish', { pages: [boats] })).status, 200)
    commit()
    site.git('checkout', '--quiet', 'spring')
    t.match(await draft.follow(), { status: 'confirm' }, 'a part was published')
    site.git('checkout', '--quiet', 'main')
    t.equal((await draft.send('/publish', {})).status, 200)
    commit()
    await draft.retext(boats, 'We build fast boats.', 'We build slow boats.')
    site.git('checkout', '--quiet', 'spring')
    t.match(await draft.follow(), { status: 'confirm' }, 'it was changed since')
    site.git('checkout', '--quiet', 'main')
    t.equal((await draft.send('/publish', {})).status, 200)
    commit()
    site.git('checkout', '--quiet', 'spring')
    t.match(await draft.follow(), { status: 'followed' })
    t.strictSame(await draft.texts(oars), ['Made of spruce.'])
  },
)
