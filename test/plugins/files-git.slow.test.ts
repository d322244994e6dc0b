import { chmodSync } from 'node:fs'
import t from 'tap'
import { boats, linesOf, oars, repositoryOf } from '../helpers/file-repositories.ts'
import { emptyList } from '../helpers/plain.ts'
import { bodyOf, refused } from '../helpers/stack.ts'
import { serviceOn } from '../helpers/website-files.ts'

const byGit = { PUBLISH_TARGET: 'git' }

t.test(
  'a publish by git is one commit of the lines that were changed, on what developers have pushed',
  async (t) => {
    const { env, site, developer, inRemote } = repositoryOf(t)
    const draft = await serviceOn(t, site.folder, { variables: { ...env, ...byGit } })
    await draft.retext(boats, 'We build boats.', 'We build fast boats.')
    developer.edit('content/boats.md', 'They float.', 'They float well.')
    developer.edit('content/oars.md', 'ash', 'spruce')
    developer.push('by a developer')
    const answer = await draft.send('/publish', {})
    t.match(
      [answer.status, answer.json()],
      [200, { status: 'triggered', branch: 'main', commitSha: /^[0-9a-f]{40}$/ }],
    )
    t.strictSame(linesOf(inRemote('show', '--format=', 'main')), [
      '-We build boats.',
      '+We build fast boats.',
    ])
    t.match(
      inRemote('show', '--stat', '--format=%s', 'main'),
      /^publish: .*\n\n content\/boats.md \| 2 \+-\n/,
    )
    t.equal(inRemote('log', '--format=%s', 'main').trim().split('\n').length, 3, 'one commit, and no merge')
    t.match(
      inRemote('show', 'main:content/boats.md'),
      /# Ask Ida first.\ntitle: {3}"Boats"[^]*\* {2}Oak[^]*float well/,
    )
    t.equal(site.git('rev-parse', 'HEAD'), inRemote('rev-parse', 'main'), 'the folder has it')
    t.equal(site.git('status', '--porcelain'), '')
    t.match(await bodyOf(draft.get('/publish/diff')), { summary: { pagesModified: 0 }, conflicts: emptyList })
    t.strictSame(await draft.texts(oars), ['Made of spruce.'], 'and the draft what was pushed')

    await draft.retext(oars, 'Made of spruce.', 'Made of pine.')
    developer.git('pull', '--quiet', 'origin', 'main')
    developer.edit('content/oars.md', 'spruce', 'beech')
    developer.push('the same line')
    t.match(refused(await draft.send('/publish', {})), { code: 'site_conflict' })
    t.equal(inRemote('show', 'main:content/oars.md'), 'Made of beech.\n')
  },
)

t.test('pages that come, go and move are files of one commit by git', async (t) => {
  const { env, site, inRemote } = repositoryOf(t)
  const draft = await serviceOn(t, site.folder, { variables: { ...env, ...byGit } })
  await draft.texts(boats)
  await draft.ops([
    { op: 'remove_page', pageSlug: oars },
    { op: 'rename_page', pageSlug: boats, newPageSlug: '/~content/ships.md', newTitle: 'Boats' },
    { op: 'create_page', page: { slug: '/~content/sails.md', title: 'Sails', blocks: [] } },
  ])
  t.equal((await draft.send('/publish', {})).status, 200)
  t.strictSame(inRemote('show', '--format=', '--name-status', 'main').trim().split('\n'), [
    'D\tcontent/oars.md',
    'A\tcontent/sails.md',
    'R100\tcontent/boats.md\tcontent/ships.md',
  ])
  t.equal(site.git('status', '--porcelain'), '')
})

t.test('a folder with work of its own is not published by git, and stays as it is', async (t) => {
  const { env, site, inRemote } = repositoryOf(t)
  const draft = await serviceOn(t, site.folder, { variables: { ...env, ...byGit } })
  await draft.retext(boats, 'We build boats.', 'We build fast boats.')
  const was = inRemote('rev-parse', 'main')
  const refuses = async (code: string, reason: RegExp) => {
    const state = () => [
      site.text('content/boats.md'),
      site.git('status', '--porcelain'),
      site.git('rev-parse', 'HEAD'),
    ]
    const before = state()
    t.match((await draft.send('/publish', {})).json(), { status: 'failed', error: reason }, code)
    t.strictSame(state(), before, code)
    t.equal(inRemote('rev-parse', 'main'), was, code)
  }
  site.edit('content/boats.md', 'They float.', 'They fl')
  await refuses('a change', /changes of its own. Push, commit or remove them/)
  site.commit('not pushed')
  await refuses('a commit', /changes of its own. Push, commit or remove them/)
  site.git('reset', '--quiet', '--hard', 'HEAD~1')
  site.git('checkout', '--quiet', '-b', 'other')
  await refuses('a branch', /another branch. Check out PUBLISH_GIT_BRANCH/)
  site.git('checkout', '--quiet', 'main')
  t.equal((await draft.send('/publish', {})).status, 200)
})

t.test('a push that comes in between is pulled, and the publish is made on it', async (t) => {
  const { env, site, developer, inRemote } = repositoryOf(t)
  const draft = await serviceOn(t, site.folder, { variables: { ...env, PUBLISH_MODE: 'git' } })
  await draft.retext(boats, 'We build boats.', 'We build fast boats.')
  developer.edit('content/boats.md', 'They float.', 'They float well.')
  developer.commit('in between')
  const script = `#!/bin/sh\nunset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX\ngit -C ${developer.folder} push --quiet origin HEAD:refs/heads/main\n`
  site.set({ '.git/hooks/pre-push': script })
  chmodSync(`${site.folder}/.git/hooks/pre-push`, 0o755)
  t.equal((await draft.send('/publish', {})).status, 200)
  t.strictSame(linesOf(inRemote('show', '--format=', 'main')), ['-We build boats.', '+We build fast boats.'])
  t.match(inRemote('show', 'main:content/boats.md'), /float well/)
})
