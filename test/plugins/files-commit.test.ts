import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import t from 'tap'
import { contentFiles } from '../../config/content-files.ts'
import { boats, files, linesOf, oars, repositoryOf } from '../helpers/file-repositories.ts'
import { emptyList } from '../helpers/plain.ts'
import { bodyOf, refused } from '../helpers/stack.ts'
import { serviceOn } from '../helpers/website-files.ts'

const anna = { client: { id: 'anna', name: 'Anna <a@b>' } }

t.test(
  'a publish as a commit has its own lines; unfinished and staged ones stay where they are',
  async (t) => {
    const { env, site, inRemote } = repositoryOf(t)
    const pushed = inRemote('rev-parse', 'main')
    site.edit('content/boats.md', '*  Elm', '*  Elm\n*  As')
    site.git('add', 'content/boats.md')
    site.edit('content/boats.md', 'They float.', 'They fl')
    site.edit('content/ropes.md', 'hemp', 'nylon')
    site.git('add', 'content/ropes.md')
    site.set({ 'content/new.md': 'Not in git.\n' })
    const unstaged = linesOf(site.git('diff'))
    const staged = linesOf(site.git('diff', '--cached'))
    const draft = await serviceOn(t, site.folder, { variables: env })
    await draft.retext(boats, 'We build boats.', 'We build fast boats.')
    await draft.send('/ops', {
      ...anna,
      ops: [
        {
          op: 'update_props',
          pageSlug: oars,
          blockId: await draft.idOf(oars, 'Made of ash.'),
          patch: { text: 'Made of pine.' },
        },
      ],
    })
    t.match(await bodyOf(draft.get('/publish/files')), { branch: 'main' })
    const answer = await draft.send('/publish', { asCommit: true })
    t.match(
      [answer.status, answer.json()],
      [200, { status: 'ready', branch: 'main', commitSha: site.git('rev-parse', 'HEAD').trim() }],
    )
    t.strictSame(linesOf(site.git('show', '--format=')), [
      '-We build boats.',
      '+We build fast boats.',
      '-Made of ash.',
      '+Made of pine.',
    ])
    const [subject, ...rest] = site.git('log', '-1', '--format=%B').trim().split('\n')
    t.equal(subject, 'content: updated Boats and Oars')
    t.match(rest.join('\n'), /- .*We build fast boats.*\n- .*Made of pine.*\n\nCo-authored-by: Anna a@b <>$/)
    t.match(site.text('content/boats.md'), /fast boats[^]*They fl\n/, 'the folder has both')
    t.strictSame(linesOf(site.git('diff')), unstaged)
    t.strictSame(linesOf(site.git('diff', '--cached')), staged)
    t.match(site.git('status', '--porcelain'), /\?\? content\/new.md/)
    t.equal(inRemote('rev-parse', 'main'), pushed, 'nothing is pushed')
  },
)

t.test('pages that come, go and move are files of the commit', async (t) => {
  const { env, site } = repositoryOf(t)
  site.edit('content/boats.md', 'They float.', 'They fl')
  const draft = await serviceOn(t, site.folder, { variables: env })
  await draft.texts(boats)
  await draft.ops([
    { op: 'remove_page', pageSlug: oars },
    { op: 'rename_page', pageSlug: boats, newPageSlug: '/~content/ships.md', newTitle: 'Boats' },
    { op: 'create_page', page: { slug: '/~content/sails.md', title: 'Sails', blocks: [] } },
  ])
  t.equal((await draft.send('/publish', { asCommit: true })).status, 200)
  t.strictSame(site.git('show', '--format=', '--name-status').trim().split('\n'), [
    'D\tcontent/oars.md',
    'A\tcontent/sails.md',
    'R100\tcontent/boats.md\tcontent/ships.md',
  ])
  t.strictSame(linesOf(site.git('diff')), ['-They float.', '+They fl'])
  t.equal(site.git('diff', '--cached'), '')
})

t.test(
  'what cannot be told apart from unfinished work is not committed, and nothing is written',
  async (t) => {
    const { env, site } = repositoryOf(t)
    site.edit('content/boats.md', 'We build boats.', 'We build many boats.')
    site.set({ 'content/new.md': 'Not in git.\n' })
    const draft = await serviceOn(t, site.folder, { variables: env })
    const state = () => [site.git('status', '--porcelain'), site.git('diff'), site.git('rev-parse', 'HEAD')]
    const was = state()
    await draft.retext(boats, 'We build many boats.', 'We build all boats.')
    const answer = await draft.send('/publish', { asCommit: true })
    t.match(
      [answer.status, refused(answer)],
      [409, { code: 'not_committable', reason: /boats.md: It has other changes at the same lines/ }],
    )
    t.strictSame(state(), was)
    t.equal((await draft.send('/publish', {})).status, 200, 'without a commit it is')
    const written = state()
    await draft.retext('/~content/new.md', 'Not in git.', 'New.')
    t.match(refused(await draft.send('/publish', { asCommit: true })), {
      reason: /new.md: Git does not have the file yet/,
    })
    t.strictSame(state(), written)
  },
)

t.test('a file that is moved or removed and not staged is as any other one', async (t) => {
  const { env, site } = repositoryOf(t, { ...files, 'static/oak.png': 'oak' })
  const adapter = contentFiles(site.folder)
  const draft = await serviceOn(t, site.folder, { variables: env, adapter })
  const { id } = await draft.page(boats)
  await draft.retext(boats, 'We build boats.', 'We build fast boats.')
  site.set({
    'content/ships.md': site.text('content/boats.md'),
    'content/boats.md': undefined,
    'static/oak.png': undefined,
  })
  await draft.get('/publish/diff')
  t.equal((await draft.page('/~content/ships.md')).id, id)
  t.match(await draft.publish(), { status: 'ready' })
  t.match(site.text('content/ships.md'), 'We build fast boats.')
  const query = { query: '', page: 1, limit: 9, signal: AbortSignal.timeout(10_000) }
  t.match(await adapter.listMedia?.(query), { items: emptyList })
})

t.test('while git is at work in the folder, it is not read and not written', async (t) => {
  const { env, site } = repositoryOf(t)
  const draft = await serviceOn(t, site.folder, { variables: env })
  await draft.retext(boats, 'We build boats.', 'We build fast boats.')
  site.git('checkout', '--quiet', '-b', 'other')
  site.edit('content/oars.md', 'ash', 'spruce')
  site.commit('theirs')
  site.git('checkout', '--quiet', 'main')
  site.edit('content/oars.md', 'ash', 'beech')
  site.commit('ours')
  await draft.get('/publish/diff')
  t.throws(() => site.git('merge', '--quiet', 'other'))
  const isRefused = async (reason: RegExp) => {
    for (const asCommit of [false, true]) {
      const answer = await draft.send('/publish', { asCommit })
      t.match([answer.status, refused(answer)], [409, { code: 'repository_busy', reason }])
    }
    t.match(await bodyOf(draft.get('/draft/slugs')), { unreadable: undefined })
    t.strictSame(await draft.texts(oars), ['Made of beech.'])
    t.match(site.text('content/boats.md'), /We build boats/)
  }
  await isRefused(/^A merge is under way/)
  site.git('merge', '--abort')
  const lock = join(site.folder, '.git', 'index.lock')
  writeFileSync(lock, '')
  await isRefused(/index.lock/)
  site.set({ '.git/index.lock': undefined })
  t.equal((await draft.send('/publish', { asCommit: true })).status, 200)
})

t.test('a publish that can be no commit says so', async (t) => {
  const { env, site } = repositoryOf(t)
  const draft = await serviceOn(t, site.folder, { variables: { ...env, PUBLISH_TARGET: 'git' } })
  await draft.retext(boats, 'We build boats.', 'We build fast boats.')
  t.match(await bodyOf(draft.get('/publish/files')), {
    branch: undefined,
    files: [{ path: 'content/boats.md' }],
  })
  t.match(refused(await draft.send('/publish', { asCommit: true })), { code: 'no_commit' })
  t.equal((await draft.send('/publish', { asCommit: true, at: '2026-01-02T12:00:00Z' })).status, 400)
  t.equal(site.text('content/boats.md'), files['content/boats.md'])
})
