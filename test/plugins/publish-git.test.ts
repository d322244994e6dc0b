import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { before, headingsIn, shared } from '../helpers/git-clones.ts'
import { fields, lastRow, startWebsite } from '../helpers/publishing.ts'
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

t.test('a push that comes in between is pulled, merged, and pushed again', async (t) => {
  const { repo, draft, other, live, state } = await shared(t)
  const git = `git -C ${other.dir}`
  const inBetween = (times: number) =>
    repo.hook(
      'pre-push',
      `unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX\n` +
        `n=$(cat ${repo.dir}/times 2>/dev/null || echo 0); echo $((n + 1)) > ${repo.dir}/times\n` +
        `[ $n -ge ${times} ] && exit 0\n` +
        `${git} pull --quiet --rebase origin main\n` +
        `sed -i "s/\\"title\\": \\"prices[^,]*\\"/\\"title\\": \\"prices $n\\"/" ${other.path}\n` +
        `echo $n >> ${other.dir}/notes.txt; ${git} commit --quiet --all -m $n; ${git} push --quiet origin HEAD:main`,
    )
  inBetween(2)
  await draft.heading('/', 'Published')
  const answer = await draft.publish({ baseVersion: await draft.version() })
  t.match([answer.status, answer.json()], [200, { commitSha: repo.git('rev-parse', 'HEAD').trim() }])
  t.strictSame(live(), { ...hello, '/': 'Published' })
  t.match(repo.inRemote('content/pages.json'), /"prices 1"/)
  t.equal(repo.inRemote('notes.txt'), 'notes\n0\n1\n')
  t.equal(repo.git('status', '--porcelain'), '')

  inBetween(9)
  await draft.heading('/', 'Late')
  const late = await draft.publish()
  t.match(refused(late), { code: 'site_changed', reason: /several times/ })
  t.equal(late.status, 409)
  t.match(await lastRow(draft), { status: 'failed', target: 'git' })
  t.match(live(), { '/': 'Published' })
  t.equal(repo.inRemote('notes.txt'), 'notes\n0\n1\n3\n4\n5\n')
  t.match(headingsIn(String(state()[0])), { '/': 'Published' }, 'the work tree has nothing of it')
  t.equal(state()[2], '')
  t.match(await bodyOf(draft.get('/publish/diff')), { summary: { pagesModified: 1 } }, 'and the draft all')
  inBetween(0)
  t.equal((await draft.publish()).status, 200)
  t.match(live(), { '/': 'Late' })
})

t.test('what only the work tree has is merged with what is pulled', async (t) => {
  const { repo, draft, other, live } = await shared(t)
  const edited = (title: string, text: string) =>
    writeFileSync(
      repo.contentPath,
      readFileSync(repo.contentPath, 'utf8').replace(`"title": "${title}"`, `"title": "${text}"`),
    )
  edited('about', 'by-hand')
  other.file('notes.txt', 'other\n')
  other.push()
  t.equal((await draft.publish()).status, 200, 'a change of another file')
  t.match(repo.inRemote('content/pages.json'), /"by-hand"/)

  other.git('pull', '--quiet', 'origin', 'main')
  edited('prices', 'by-hand-too')
  other.heading('/', 'Pushed')
  other.push()
  t.equal((await draft.publish()).status, 200, 'a change of the same file')
  t.match(live(), { '/': 'Pushed' })
  t.match(repo.inRemote('content/pages.json'), /"by-hand-too"/)

  other.git('pull', '--quiet', 'origin', 'main')
  edited('Start', 'committed')
  repo.git('commit', '--quiet', '--all', '-m', 'not pushed')
  other.heading('/about', 'Pushed')
  other.push()
  await draft.heading('/prices', 'Published')
  t.equal((await draft.publish()).status, 200, 'a commit that was not pushed')
  t.match(live(), { '/': 'Pushed', '/about': 'Pushed', '/prices': 'Published' })
  t.match(repo.inRemote('content/pages.json'), /"committed"/)
  t.equal(repo.git('status', '--porcelain'), '')
})

t.test('what cannot be merged is refused, and the work tree stays as it is', async (t) => {
  const { repo, draft, other, state, live } = await shared(t)
  const fails = async (name: string) => {
    const was = state()
    const answer = await draft.publish()
    t.match([answer.status, answer.json()], [400, { code: 'pull_failed', error: /merge there/ }], name)
    t.notOk(answer.text.includes(repo.dir), 'no path of the server')
    t.strictSame(state(), was, name)
  }
  const text = readFileSync(repo.contentPath, 'utf8')
  other.heading('/', 'Pushed')
  other.push()
  writeFileSync(repo.contentPath, text.replace('Hello', 'By hand'))
  await fails('the same value, not committed')
  repo.git('commit', '--quiet', '--all', '-m', 'not pushed')
  await fails('the same value, not pushed')
  repo.git('reset', '--quiet', '--hard', 'HEAD~1')

  writeFileSync(join(repo.work, 'notes.txt'), 'ours\n')
  repo.git('commit', '--quiet', '--all', '-m', 'not pushed')
  other.file('notes.txt', 'theirs\n')
  other.push()
  await fails('another file')
  t.throws(() => repo.git('rev-parse', '--verify', '--quiet', 'MERGE_HEAD'))
  t.throws(() => repo.git('merge', '--quiet', 'origin/main', 'FETCH_HEAD'))
  await fails('a merge of a person')
  t.ok(repo.git('rev-parse', '--verify', '--quiet', 'MERGE_HEAD'), 'which goes on')
  repo.git('merge', '--abort')
  repo.git('reset', '--quiet', '--hard', 'HEAD~1')
  writeFileSync(join(repo.work, 'notes.txt'), 'not committed\n')
  await fails('a changed file that is pulled')
  repo.git('checkout', '--quiet', '.')

  await draft.heading('/about', 'Published')
  t.equal((await draft.publish()).status, 200)
  t.match(live(), { '/': 'Pushed', '/about': 'Published' })
})

t.test('a publish that fails leaves commits of others alone', async (t) => {
  const { repo, draft } = await shared(t)
  repo.hook('pre-push', `git commit --quiet --allow-empty -m theirs; exit 1`)
  await draft.heading('/', 'Published')
  t.match(refused(await draft.publish()), { code: 'commit_failed' })
  t.match(repo.git('log', '--format=%s', '-2'), /^theirs\npublish: /)
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
