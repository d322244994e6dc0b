import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { before, headingsIn, shared } from '../helpers/git-clones.ts'
import { fields, startWebsite } from '../helpers/publishing.ts'
import { bodyOf, refused } from '../helpers/stack.ts'

const hello = { '/': 'Hello', '/about': 'Hello', '/prices': 'Hello' }

t.test('what another clone has pushed is pulled, and a publish is merged onto it', async (t) => {
  const { repo, draft, other, live } = await shared(t)
  other.heading('/about', 'Pushed')
  other.file('notes.txt', 'new notes\n')
  other.push()
  await draft.heading('/', 'Published')
  t.equal((await draft.publish()).status, 200)
  t.strictSame(live(), { ...hello, '/': 'Published', '/about': 'Pushed' })
  t.equal(repo.inRemote('notes.txt'), 'new notes\n')
  t.equal(repo.git('status', '--porcelain'), '')
  t.equal(repo.git('log', '--format=%s').split('\n').length, 4, 'one commit on top, and no merge')

  other.git('pull', '--quiet', 'origin', 'main')
  other.heading('/', 'Pushed as well')
  other.push()
  await draft.heading('/', 'Mine')
  t.match(refused(await draft.publish()), { code: 'site_conflict', reason: /Pushed as well/ })
  t.equal((await draft.publish({ overwrite: true })).status, 200)
  t.match(live(), { '/': 'Mine' })
})

t.test('what only a checkout has is not published, and stays there', async (t) => {
  const { repo, draft, other, state, live } = await shared(t)
  const text = readFileSync(repo.contentPath, 'utf8')
  const staysBehind = async (name: string, edit: () => void) => {
    edit()
    const was = state()
    await draft.heading('/about', name)
    const answer = await draft.publish()
    t.match(
      [answer.status, answer.json()],
      [200, { notes: [/does not show this publish. Pull there/] }],
      name,
    )
    t.match(live(), { '/': 'Hello', '/about': name })
    t.equal(repo.inRemote('notes.txt'), 'theirs\n')
    t.strictSame(state(), was, name)
    t.match(await bodyOf(draft.get('/publish/diff')), { summary: { pagesModified: 0 } }, name)
  }
  other.file('notes.txt', 'theirs\n')
  other.push()
  const byHand = (): void => writeFileSync(repo.contentPath, text.replace('Hello', 'By hand'))
  await staysBehind('a change of the content file', byHand)
  await staysBehind('a commit', () => repo.git('commit', '--quiet', '--all', '-m', 'not pushed'))
  repo.git('reset', '--quiet', '--hard', 'HEAD~1')
  await staysBehind('a changed file that is pulled', () =>
    writeFileSync(join(repo.work, 'notes.txt'), 'ours\n'),
  )
  repo.git('commit', '--quiet', '--all', '-m', 'not pushed')
  t.throws(() => repo.git('merge', '--quiet', 'origin/main'))
  await staysBehind('a merge of a person', () => undefined)
  t.ok(repo.git('rev-parse', '--verify', '--quiet', 'MERGE_HEAD'), 'which goes on')
  repo.git('merge', '--abort')
  repo.git('reset', '--quiet', '--hard', 'HEAD~1')

  await draft.heading('/prices', 'Published')
  const answer = await draft.publish()
  t.match([answer.status, answer.json()], [200, { notes: undefined }])
  t.strictSame(
    headingsIn(readFileSync(repo.contentPath, 'utf8')),
    live(),
    'a checkout of the branch shows it',
  )
  t.equal(repo.git('status', '--porcelain'), '')
})

t.test('a publish that fails leaves nothing behind', async (t) => {
  const { repo, draft, state } = await shared(t)
  const was = state()
  repo.hook('pre-push', `git commit --quiet --allow-empty -m theirs; exit 1`)
  await draft.heading('/', 'Published')
  t.match(refused(await draft.publish()), { code: 'push_failed' })
  t.strictSame(state(), was)
  t.equal(repo.git('worktree', 'list').trim().split('\n').length, 1)
})

t.test('with a forced target, its storage is compared and not the site that shows it', async (t) => {
  const site = await startWebsite(t, { pages: before })
  const more = { PUBLISH_TARGET: 'git', ORCHESTRATOR_CORS_ORIGINS: site.origin }
  const { draft, other, live } = await shared(t, more)
  other.heading('/about', 'Pushed, not deployed')
  other.push()
  await draft.heading('/', 'Published')
  const named = { siteOrigin: site.origin }
  const { status } = fields(await draft.publish(named))
  t.equal(status, 'triggered')
  t.strictSame(live(), { ...hello, '/': 'Published', '/about': 'Pushed, not deployed' })
  t.match(await bodyOf(draft.get('/publish/diff', named)), { summary: { pagesModified: 0 } })
  t.equal(site.asked(), 0)
})
