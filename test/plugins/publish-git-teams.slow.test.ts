import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { headingsIn, shared } from '../helpers/git-clones.ts'
import { fields, readable } from '../helpers/publishing.ts'
import { bodyOf } from '../helpers/stack.ts'

type Shared = Awaited<ReturnType<typeof shared>>

const commit = ({ repo }: Shared, what = 'by a developer'): void => {
  repo.git('add', '--all')
  repo.git('commit', '--quiet', '-m', what)
}
const push = (team: Shared): void => {
  commit(team)
  team.repo.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main')
}
const publishing = async ({ draft }: Shared, text: string) => {
  await draft.heading('/', text)
  return draft.publish()
}
/** Only the checkout is there, and no folder of a publish. */
const isClean = (t: Test, { repo }: Shared): void => {
  t.equal(repo.git('worktree', 'list').trim().split('\n').length, 1)
  t.strictSame(readdirSync(join(repo.work, '.git', 'content-orchestrator')), [])
}

t.test('a content file behind links is published where it is', async (t) => {
  const links: Readonly<Record<string, (work: string) => void>> = {
    'a link to the file': (work) => {
      renameSync(join(work, 'content', 'pages.json'), join(work, 'content', 'real.json'))
      symlinkSync('real.json', join(work, 'content', 'pages.json'))
    },
    'a link to its folder': (work) => {
      mkdirSync(join(work, 'packages'))
      renameSync(join(work, 'content'), join(work, 'packages', 'texts'))
      symlinkSync('packages/texts', join(work, 'content'))
    },
  }
  const places = ['content/real.json', 'packages/texts/pages.json']
  for (const [n, [name, link]] of Object.entries(links).entries()) {
    const team = await shared(t)
    link(team.repo.work)
    push(team)
    const answer = await publishing(team, name)
    t.match([answer.status, answer.json()], [200, { status: 'triggered', notes: undefined }], name)
    t.match(headingsIn(team.repo.inRemote(String(places[n]))), { '/': name })
    t.equal(team.repo.git('status', '--porcelain'), '')
    t.match(headingsIn(readFileSync(team.repo.contentPath, 'utf8')), { '/': name }, 'seen through the link')

    team.repo.git('checkout', '--quiet', '-b', 'before-links', 'HEAD~2')
    t.equal((await publishing(team, `${name} again`)).status, 200, 'also if the checkout has none')
    t.match(headingsIn(team.repo.inRemote(String(places[n]))), { '/': `${name} again` })
  }

  const team = await shared(t)
  renameSync(team.repo.contentPath, join(team.repo.dir, 'pages.json'))
  symlinkSync(join(team.repo.dir, 'pages.json'), team.repo.contentPath)
  push(team)
  const out = await publishing(team, 'Outside')
  t.match([out.status, out.json()], [400, { code: 'commit_failed', error: /in no work tree of git/ }])
})

t.test('a content file that git ignores is refused, and one that it has is published', async (t) => {
  const team = await shared(t)
  const { repo, live } = team
  writeFileSync(join(repo.work, '.gitignore'), 'pages.json\n')
  push(team)
  t.equal((await publishing(team, 'Has it')).status, 200)
  t.match(live(), { '/': 'Has it' })

  repo.git('rm', '--quiet', '--cached', 'content/pages.json')
  push(team)
  const answer = await publishing(team, 'Ignored')
  t.match([answer.status, answer.json()], [400, { code: 'commit_failed', error: /git ignores the file/ }])
  t.match(answer.json(), { error: readable })
})

t.test('a content file in a submodule goes to the remote of that', async (t) => {
  const team = await shared(t)
  const { repo, draftIn } = team
  const outer = join(repo.dir, 'outer')
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', outer, '-c', 'protocol.file.allow=always', ...args], {
      env: repo.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  mkdirSync(outer)
  git('init', '--quiet')
  git('submodule', '--quiet', 'add', repo.remote, 'site')
  git('commit', '--quiet', '-m', 'with a submodule')
  symlinkSync('site/content', join(outer, 'content'))
  for (const [name, work] of Object.entries({ named: join(outer, 'site'), linked: outer })) {
    const draft = await draftIn(work)
    const answer = await publishing({ ...team, draft }, name)
    t.match([answer.status, fields(answer)['branch']], [200, 'main'], name)
    t.match(team.live(), { '/': name })
  }
  git('submodule', '--quiet', 'deinit', '--force', 'site')
  execFileSync('git', ['init', '--quiet', '--bare', join(repo.dir, 'outer.git')], { env: repo.env })
  git('remote', 'add', 'origin', join(repo.dir, 'outer.git'))
  git('push', '--quiet', 'origin', 'main')
  const draft = await draftIn(join(outer, 'site'))
  t.match(fields(await draft.publish({ overwrite: true })), { error: /leads into a submodule/ })
})

t.test('what is checked out is neither published nor changed', async (t) => {
  const checkouts: Readonly<Record<string, (team: Shared) => void>> = {
    'another branch': ({ repo }) => repo.git('checkout', '--quiet', '-b', 'feature'),
    'no branch': ({ repo }) => repo.git('checkout', '--quiet', '--detach'),
    'a branch without the file': (team) => {
      team.repo.git('checkout', '--quiet', '-b', 'empty')
      team.repo.git('rm', '--quiet', '-r', 'content')
      commit(team)
    },
  }
  for (const [name, checkout] of Object.entries(checkouts)) {
    const team = await shared(t)
    const { repo, other, live } = team
    checkout(team)
    writeFileSync(join(repo.work, 'unfinished.txt'), 'x')
    commit(team, 'unfinished')
    writeFileSync(join(repo.work, 'notes.txt'), 'unfinished too')
    const state = () => ['rev-parse HEAD', 'status --porcelain'].map((each) => repo.git(...each.split(' ')))
    const was = state()
    other.heading('/about', 'Pushed')
    other.push()
    const answer = await publishing(team, name)
    t.match([answer.status, answer.json()], [200, { status: 'triggered', notes: undefined }], name)
    t.match(live(), { '/': name, '/about': 'Pushed' })
    t.equal(repo.git('ls-tree', '--name-only', 'origin/main', 'unfinished.txt'), '', name)
    t.strictSame(state(), was, name)
    const diff = await bodyOf(team.draft.get('/publish/diff'))
    t.match(diff, { summary: { pagesModified: 0 } }, 'drafts are compared with the branch')
    isClean(t, team)
  }
})

t.test('line ends and filters of git are no changes', async (t) => {
  const settings: Readonly<Record<string, (team: Shared) => void>> = {
    'eol=crlf': ({ repo }) => writeFileSync(join(repo.work, '.gitattributes'), '*.json text eol=crlf\n'),
    autocrlf: ({ repo }) => {
      repo.git('config', 'core.autocrlf', 'true')
      writeFileSync(join(repo.work, 'other.txt'), 'x\r\n')
    },
    'a filter': ({ repo }) => {
      repo.git('config', 'filter.indent.clean', "sed 's/^ *//'")
      repo.git('config', 'filter.indent.smudge', "sed 's/^/  /'")
      writeFileSync(join(repo.work, '.gitattributes'), '*.json filter=indent\n')
    },
  }
  for (const [name, set] of Object.entries(settings)) {
    const team = await shared(t)
    const { repo, other, live } = team
    set(team)
    push(team)
    t.equal((await publishing(team, 'First')).status, 200, name)
    other.git('pull', '--quiet', 'origin', 'main')
    other.heading('/about', 'Pushed')
    other.push()
    const answer = await publishing(team, 'Second')
    t.match([answer.status, answer.json()], [200, { notes: undefined }], name)
    t.match(live(), { '/': 'Second', '/about': 'Pushed' })
    t.equal(repo.git('status', '--porcelain'), '', name)
    other.git('pull', '--quiet', 'origin', 'main')
    other.heading('/', 'Theirs')
    other.push()
    t.match(fields(await publishing(team, 'Mine')), { code: 'site_conflict' }, name)
  }
})

const failures: readonly (readonly [
  name: string,
  prepare: (team: Shared) => void,
  code: string,
  error: RegExp,
  details?: RegExp,
])[] = [
  [
    'a hook',
    ({ repo }) => repo.hook('pre-commit', 'echo "line 3: no tabs" >&2; echo BOT_TOKEN=canary; exit 1'),
    'commit_failed',
    /a hook .* refused.*line 3: no tabs/,
  ],
  [
    'a hook for the message',
    ({ repo }) => repo.hook('commit-msg', 'exit 1'),
    'commit_failed',
    /a hook .* refused/,
  ],
  [
    'a hook before the push',
    ({ repo }) => repo.hook('pre-push', 'echo fatal: tests; exit 3'),
    'push_failed',
    /hook/,
  ],
  [
    'a rule of the remote',
    ({ repo }) => {
      mkdirSync(join(repo.remote, 'hooks'))
      writeFileSync(join(repo.remote, 'hooks', 'pre-receive'), '#!/bin/sh\necho no bots; exit 1\n', {
        mode: 0o755,
      })
    },
    'push_failed',
    /rule of the remote/,
    /no bots/,
  ],
  [
    'a lock of the checkout',
    ({ repo }) => writeFileSync(join(repo.work, '.git', 'index.lock'), ''),
    'commit_failed',
    /a lock.*index\.lock/,
  ],
  [
    'a lock of the branch',
    ({ repo, other }) => {
      other.heading('/about', 'Pushed')
      other.push()
      mkdirSync(join(repo.work, '.git/refs/remotes/origin'), { recursive: true })
      writeFileSync(join(repo.work, '.git/refs/remotes/origin/main.lock'), '')
    },
    'push_failed',
    /a lock/,
  ],
  [
    'a signature',
    ({ repo }) => {
      repo.git('config', 'commit.gpgsign', 'true')
      repo.git('config', 'user.signingkey', 'NONE')
    },
    'commit_failed',
    /could not be signed/,
  ],
  [
    'no name',
    ({ repo }) => {
      writeFileSync(join(repo.dir, 'home', '.gitconfig'), '[user]\n\tuseConfigOnly = true\n')
    },
    'commit_failed',
    /no name and address/,
  ],
  [
    'a folder of git in which nothing can be written',
    ({ repo }) =>
      symlinkSync(
        process.platform === 'linux' ? '/sys' : '/System',
        join(repo.work, '.git', 'content-orchestrator'),
      ),
    'commit_failed',
    /access was denied/,
  ],
  [
    'no remote',
    ({ repo }) => renameSync(repo.remote, `${repo.remote}.gone`),
    'push_failed',
    /could not be reached.*remote\.git/,
  ],
  [
    'an address with a login',
    ({ repo }) => repo.git('remote', 'set-url', 'origin', 'http://bot:canary@127.0.0.1:1/site.git'),
    'push_failed',
    /could not be reached.*127\.0\.0\.1/,
  ],
]

t.test('a failure names its cause, with the last lines of git, and changes nothing', async (t) => {
  for (const [name, prepare, code, error, details = /^/] of failures) {
    const team = await shared(t)
    const { repo, draft } = team
    prepare(team)
    const head = repo.git('rev-parse', 'HEAD')
    const text = readFileSync(repo.contentPath, 'utf8')
    const answer = await publishing(team, name)
    t.match([answer.status, answer.json()], [400, { status: 'failed', code, reason: code, error }], name)
    t.match(answer.json(), { error: readable }, name)
    t.match(JSON.stringify(fields(answer)['details']), details, name)
    t.notOk(answer.text.includes(repo.dir) || answer.text.includes('canary'), name)
    t.strictSame([repo.git('rev-parse', 'HEAD'), readFileSync(repo.contentPath, 'utf8')], [head, text], name)
    t.match(await bodyOf(draft.get('/publish/diff')), { summary: { pagesModified: 1 } }, name)
  }
})

t.test('a hook that formats the file leaves the checkout clean', async (t) => {
  const team = await shared(t)
  team.repo.hook('pre-commit', `sed -i 's/^  /    /' content/pages.json && git add content/pages.json`)
  t.equal((await publishing(team, 'Formatted')).status, 200)
  t.equal(team.repo.git('status', '--porcelain'), '')
  t.match(team.repo.inRemote('content/pages.json'), /^ {4}\{$/m)
  isClean(t, team)
})

t.test('hooks find their folder, the packages of the checkout and all files', async (t) => {
  const team = await shared(t)
  const { repo } = team
  const [bin, hooks] = [join(repo.work, 'node_modules', '.bin'), join(repo.work, '.husky', '_')]
  for (const folder of [bin, hooks]) mkdirSync(folder, { recursive: true })
  const script = (path: string, text: string): void =>
    writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  writeFileSync(join(repo.work, '.gitignore'), 'node_modules\n.husky/_\n')
  push(team)
  script(join(bin, 'our-linter'), `grep -q notes notes.txt && echo "$PWD" > ${join(repo.dir, 'linted')}`)
  script(join(hooks, 'pre-commit'), 'our-linter')
  repo.git('config', 'core.hooksPath', '.husky/_')
  const answer = await publishing(team, 'Linted')
  t.match([answer.status, answer.json()], [200, { notes: undefined }])
  t.match(readFileSync(join(repo.dir, 'linted'), 'utf8'), /content-orchestrator/)
})

t.test('a work tree that a killed process has left is removed, and a newer one is not', async (t) => {
  const team = await shared(t)
  const { repo } = team
  const folder = join(repo.work, '.git', 'content-orchestrator')
  for (const name of ['publish-left', 'publish-running'])
    repo.git('worktree', 'add', '--quiet', '--detach', join(folder, name))
  utimesSync(join(folder, 'publish-left'), 0, 0)
  t.equal((await publishing(team, 'Again')).status, 200)
  t.strictSame(readdirSync(folder), ['publish-running'])
  t.equal(repo.git('worktree', 'list').trim().split('\n').length, 2)
})

t.test('a shallow clone, an own first branch and a first file are published', async (t) => {
  const team = await shared(t)
  const { repo, draftIn, other } = team
  other.file('notes.txt', 'more\n')
  other.push()
  const shallow = join(repo.dir, 'shallow')
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${repo.remote}`, shallow], {
    env: repo.env,
  })
  const draft = await draftIn(shallow)
  t.equal((await publishing({ ...team, draft }, 'Shallow')).status, 200)
  t.match(team.live(), { '/': 'Shallow' })

  const first = await shared(t, { PUBLISH_GIT_BRANCH: 'texts' })
  first.repo.git('checkout', '--quiet', '-b', 'feature')
  writeFileSync(join(first.repo.work, 'unfinished.txt'), 'x')
  commit(first)
  t.match(fields(await publishing(first, 'None')), { code: 'commit_failed', error: /no such branch/ })
  first.repo.git('branch', 'texts', 'main')
  t.match(fields(await publishing(first, 'First')), { status: 'triggered', branch: 'texts' })

  const added = await shared(t)
  added.repo.git('rm', '--quiet', '--cached', 'content/pages.json')
  added.repo.git('commit', '--quiet', '-m', 'without the file')
  added.repo.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main')
  t.match((await publishing(added, 'Added')).json(), { status: 'triggered', notes: undefined })
  t.match(added.live(), { '/': 'Added' })
  t.equal(added.repo.git('status', '--porcelain'), '')
})
