import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { before, headingsIn, shared } from '../helpers/git-clones.ts'
import { fields, lastRow, page, repository, startWebsite, withDraft } from '../helpers/publishing.ts'
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

t.test('two services and a person who push at the same time lose nothing', async (t) => {
  const { repo, clone, draftIn, draft, other, live } = await shared(t)
  const second = await draftIn(clone('second').dir)
  const publishing = async (by: typeof draft, slug: string) => {
    for (let n = 1; n <= 2; n++) {
      await by.heading(slug, `Number ${n}`)
      for (let tries = 0; (await by.publish()).status !== 200; tries++) t.ok(tries < 20, 'it is published')
    }
  }
  const pushing = async () => {
    for (let n = 1; n <= 4; n++) {
      await new Promise((resolve) => setTimeout(resolve, 150))
      other.heading('/about', `Number ${n}`)
      other.file('notes.txt', `${n}\n`)
      other.push()
    }
  }
  await Promise.all([publishing(draft, '/'), publishing(second, '/prices'), pushing()])
  t.strictSame(live(), { '/': 'Number 2', '/about': 'Number 4', '/prices': 'Number 2' })
  t.equal(repo.inRemote('notes.txt'), '4\n')
  t.equal(repo.git('status', '--porcelain'), '')
})

t.test('git stores redirects in an object that lists them, and else says what is lost', async (t) => {
  const pages = [page('/'), page('/pricing')]
  const lost = [/takes no redirects, so visitors do not find \/pricing/]
  for (const content of [{ pages, redirects: [] }, { pages }, pages]) {
    const repo = repository(t, { content: JSON.stringify(content) })
    const beside = join(dirname(repo.contentPath), 'redirects.json')
    writeFileSync(beside, '[]')
    const draft = await withDraft(t, { env: repo.env }, pages)
    await draft.get('/publish/diff')
    await draft.ops([{ op: 'rename_page', pageSlug: '/pricing', newPageSlug: '/prices' }])
    const isListed = 'redirects' in content
    const answer = (await draft.publish()).json()
    t.match(answer, { status: 'triggered', notes: isListed ? undefined : lost })
    const stored: unknown = JSON.parse(repo.inRemote('content/pages.json'))
    const moved = { pages: [{ slug: '/' }, { slug: '/prices' }] }
    const redirects = [{ from: '/pricing', to: '/prices', at: /^\d{4}-/ }]
    t.match(stored, isListed ? { ...moved, redirects } : 'pages' in content ? moved : moved.pages)
    t.equal(readFileSync(beside, 'utf8'), '[]', 'a file beside is not used')
  }
})
