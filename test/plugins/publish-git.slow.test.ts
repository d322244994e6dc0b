import t from 'tap'
import { headingsIn, shared } from '../helpers/git-clones.ts'
import { lastRow } from '../helpers/publishing.ts'
import { bodyOf, refused } from '../helpers/stack.ts'

const hello = { '/': 'Hello', '/about': 'Hello', '/prices': 'Hello' }

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
