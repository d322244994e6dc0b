import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { splitWords, toAllowed } from '../../../plugins/sites-agent/shell/allowed.ts'
import {
  createTree,
  findMarked,
  isAlive,
  markName,
  ownerOf,
  signalTo,
  startOf,
  writeMark,
  type Mark,
} from '../../../plugins/sites-agent/shell/processes.ts'
import { runCommand, type CommandRequest } from '../../../plugins/sites-agent/shell/run-command.ts'
import { createTracker, endLeftovers, findTracking } from '../../../plugins/sites-agent/shell/tracker.ts'
import {
  childVariables,
  findProgram,
  programFolders,
} from '../../../plugins/sites-agent/shell/environment.ts'
import { escaping, sleeping } from '../../helpers/sites-agent.ts'
import { temporaryFolder } from '../../helpers/stack.ts'

const owner = await ownerOf(process.pid)
const tree = await createTracker({ folder: temporaryFolder(t), owner, cgroup: undefined })
const cgroup = await findTracking()

t.test('a line is one command, without shell syntax', (t) => {
  t.strictSame(splitWords(`grep -n 'a "b" $c' "x y"  file`), ['grep', '-n', 'a "b" $c', 'x y', 'file'])
  t.strictSame(splitWords(`cat a''b "" 'it'"'"'s' app/[slug].ts`), ['cat', 'ab', '', "it's", 'app/[slug].ts'])
  for (const line of [
    'a | b',
    'a && b',
    'a; b',
    'a > b',
    'a < b',
    'a `b`',
    'a $(b)',
    'a $HOME',
    'a "$HOME"',
    'a "`b`"',
    'a \\ b',
    'a\nb',
    'a *',
    'a {b,c}',
    'a ~',
    'a #b',
    'a & b',
    "a 'b",
    'a "b',
    '[ a ]',
    'a "\\n"',
  ]) {
    t.throws(() => splitWords(line), { name: 'NotOneCommand' }, line)
  }
  t.end()
})

t.test('only listed programs run, with listed flags', (t) => {
  const allowed = (line: string) => toAllowed(splitWords(line))
  t.match(allowed('ls'), { program: 'ls', kind: 'files', paths: [], args: ['--'] })
  t.match(allowed('cp -r a b'), { args: ['--no-dereference', '-r', '--', 'a', 'b'], paths: ['a', 'b'] })
  t.match(allowed('grep -rn needle src'), { paths: ['src'] })
  t.notOk(allowed('grep -rn needle src').args.includes('--directories=skip'))
  t.ok(allowed('grep needle src').args.includes('--directories=skip'))
  t.match(allowed('git log --oneline -n3'), { program: 'git', kind: 'git', paths: [] })
  t.ok(allowed('git log -p').args.includes(':(exclude,icase,glob)**/.env*'))
  t.match(allowed('git diff HEAD -- src'), { paths: ['src'] })
  t.match(allowed("find src -name '*.ts' -not -type d"), { paths: ['src'] })
  t.match(allowed('find'), { args: ['-P', '.'], paths: [] })
  for (const line of ['node a.js', 'npm run build', 'npm test', 'pnpm run dev', 'yarn run typecheck'])
    t.equal(allowed(line).kind, 'project', line)
  t.match(allowed('npm install'), { kind: 'install', args: ['install'] })
  t.match(allowed('npm ci'), { kind: 'install' })
  const refused = [
    '',
    'curl x',
    'sh -c x',
    'bash',
    'env',
    'constructor',
    '__proto__ x',
    'cat',
    'rm',
    'grep x',
    'ln -s a b',
    'cp -L a b',
    'cp --dereference a b',
    'rm --no-preserve-root a',
    'ls --color=x',
    'grep -f a b',
    'grep -R a b',
    'grep --file=a b',
    'git push',
    'git -C / status',
    'git --git-dir=x log',
    'git diff --no-index a b',
    'git log --output=x',
    'git diff --ext-diff',
    'git diff -O x',
    'git log --outp=x',
    'git diff ../x',
    'git diff /x',
    'find . -exec a',
    'find . -delete',
    'find -L .',
    'find . -fprint x',
    'find . -ok a',
    'npm',
    'npm exec x',
    'npm run',
    'npm run -x',
    'npm run build x',
    'npm test x',
    'npm install x',
    'npm publish',
    'npx x',
    'npm run build --prefix=/',
  ]
  for (const line of refused) t.throws(() => allowed(line), { name: 'NotOneCommand' }, line)
  t.end()
})

t.test('a child gets listed variables, and programs from outside of the workspace', async (t) => {
  const folder = temporaryFolder(t)
  const folders = programFolders(
    `/usr/bin:bin:.:${folder}:${folder}/sites/bin:/usr/bin`,
    join(folder, 'sites'),
  )
  t.match(folders, [/node/, '/usr/bin', folder])
  writeFileSync(join(folder, 'tool'), '#!/bin/sh\n')
  t.equal(await findProgram('tool', folders), undefined, 'it may not be executed')
  chmodSync(join(folder, 'tool'), 0o755)
  t.equal(await findProgram('tool', folders), join(folder, 'tool'))
  const variables = childVariables(
    { folders, ceiling: '/w', home: '/h', lang: 'C', certificates: '/ca.pem' },
    { PORT: '1' },
  )
  t.match(variables, {
    HOME: '/h',
    GIT_CEILING_DIRECTORIES: '/w',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    PORT: '1',
    CI: '1',
  })
  t.notOk(Object.values(variables).some((value) => value === process.env['HOME']))
})

const onLinux = { skip: process.platform !== 'linux' && 'process variables are readable on Linux only' }

/** Runs a Node script as a command. */
function runner(t: Parameters<typeof temporaryFolder>[0], run: string) {
  const cwd = temporaryFolder(t)
  const mark: Mark = { workspace: 'w', owner, run }
  const isMeant = (found: Mark): boolean => found.run === run
  const script = (code: string, more: Partial<CommandRequest> = {}) =>
    runCommand({
      file: process.execPath,
      args: ['-e', code],
      cwd,
      variables: { PATH: '/usr/bin:/bin' },
      mark,
      tracker: tree,
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      limits: { outputBytes: 4096, processes: 20, countEveryMs: 20, graceMs: 50 },
      ...more,
    })
  return { script, mark, left: () => findMarked(isMeant) }
}

t.test('a command returns its output and exit code', async (t) => {
  const { script, mark } = runner(t, 'plain')
  t.match(await script('console.log("out"); console.error("err"); process.exitCode = 3'), {
    exitCode: 3,
    ended: 'exit',
    output: /out[^]*err|err[^]*out/,
  })
  process.env['A_SECRET_OF_THE_SERVICE'] = 'a-value'
  const shown = await script('console.log(Object.keys(process.env).sort().join())')
  // The test runner and the shell that starts a command add their own variables.
  t.strictSame(
    shown.output
      .trim()
      .split(',')
      .filter((name) => !/TAP|NODE_OPTIONS|^(?:PWD|OLDPWD|SHLVL|_)$/.test(name)),
    ['PATH', markName],
    'no variable of this process',
  )
  const flood = await script(
    'process.stdout.write("first"); process.stdout.write("x".repeat(1e6)); process.stdout.write("last")',
  )
  t.match(flood.output, /^first[^]*\d+ bytes left out[^]*last$/)
  t.ok(flood.output.length < 4096 + 50)
  t.match(flood.output.match(/(\d+) bytes/)?.[1], String(1e6 + 9 - 4096))
  t.match(await script('0', { cwd: '/nothing/here' }), { ended: 'not_started', exitCode: null })
  t.match(await script('0', { signal: AbortSignal.abort() }), { ended: 'canceled' })
  const lines: string[] = []
  await script('console.log("one\\ntwo"); process.stdout.write("x".repeat(2e6) + "\\nthree\\nfour")', {
    onLine: (line) => lines.push(line),
  })
  t.strictSame(lines, ['one', 'two', 'three', 'four'], 'a line that is too long is dropped')
  const open: string[] = []
  await script('process.stdout.write("x".repeat(2e6))', { onLine: (line) => open.push(line) })
  t.strictSame(open, [])
  t.equal(writeMark(mark), `w ${owner} plain`)
})

t.test('no process that a command started is left when it ends', onLinux, async (t) => {
  const child = (how: string) =>
    `const c = require('child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e3); console.log("up")'], ${how}); `
  await t.test('by itself', async (t) => {
    const { script, left } = runner(t, 'left')
    const result = await script(
      `${child("{ stdio: ['ignore', 'pipe', 'inherit'], detached: true }")} c.stdout.once('data', () => process.exit(0))`,
    )
    t.match(result, { ended: 'exit', exitCode: 0 })
    t.strictSame(await left(), [], 'not even in its own process group')
  })
  await t.test('by a timeout, even if it ignores SIGTERM', async (t) => {
    const { script, left } = runner(t, 'hangs')
    const result = await script(
      `process.on('SIGTERM', () => console.log('ignored')); ${child("{ stdio: 'inherit' }")} setInterval(() => {}, 1e3)`,
      { timeoutMs: 300 },
    )
    t.match(result, { ended: 'timeout', exitCode: null })
    t.strictSame(await left(), [])
  })
  await t.test('by cancel', async (t) => {
    const { script, left } = runner(t, 'canceled')
    const stopping = new AbortController()
    const running = script(
      `${child("{ stdio: ['ignore', 'pipe', 'inherit'], detached: true }")} c.stdout.pipe(process.stdout)`,
      { signal: stopping.signal, onLine: () => stopping.abort() },
    )
    t.match(await running, { ended: 'canceled' })
    t.strictSame(await left(), [])
  })
  await t.test('by a limit of processes', async (t) => {
    const { script, left } = runner(t, 'forks')
    const result = await script(
      `for (let i = 0; i < 40; i++) require('child_process').spawn('sleep', ['100'], { detached: true }); setInterval(() => {}, 1e3)`,
    )
    t.match(result, { ended: 'too_many_processes' })
    t.strictSame(await left(), [])
  })
})

for (const tracking of ['tree', 'cgroup'] as const) {
  const missing = tracking === 'cgroup' && cgroup === undefined && 'no cgroup can be made here'
  t.test(
    `processes that leave their group are found by ${tracking}`,
    { skip: onLinux.skip || missing },
    async (t) => {
      const folder = temporaryFolder(t)
      const tracker = await createTracker({
        folder,
        owner,
        cgroup: tracking === 'cgroup' ? cgroup : undefined,
      })
      t.equal(tracker.tracking, tracking)
      const name = `9${process.pid}${tracking.length}`
      const { script } = runner(t, `escapes-${tracking}`)
      const stopping = new AbortController()
      const running = script(escaping(name), { tracker, signal: stopping.signal })
      while (sleeping(name).length < 4) await wait(20)
      stopping.abort()
      t.match(await running, { ended: 'canceled' })
      t.strictSame(sleeping(name), [])

      // A service with this id has ended: its process id is in use again.
      const gone = `${process.pid}:1`
      const mark: Mark = { workspace: 'w', owner: gone, run: 'left' }
      const left = await (
        await createTracker({ folder, owner: gone, cgroup: tracking === 'cgroup' ? cgroup : undefined })
      ).track(mark)
      const [file = '', ...args] = left.words([process.execPath, '-e', escaping(name)])
      const child = spawn(file, args, { detached: true, stdio: 'ignore' })
      await left.started(child.pid ?? 0)
      while (sleeping(name).length < 4) await wait(20)
      t.ok((await endLeftovers(folder, 'w')) >= 1)
      t.strictSame(sleeping(name), [], 'the next service ends them')
      t.equal(await endLeftovers(folder, 'w'), 0)
    },
  )
}

t.test('a mark names the owner of a process, and whether it is alive', onLinux, async (t) => {
  const dead: Mark = { workspace: 'w', owner: `${process.pid}:1`, run: 'old' }
  const left = spawn('sh', ['-c', 'trap "" TERM; while :; do sleep 0.01; done'], {
    env: { PATH: '/usr/bin:/bin', [markName]: writeMark(dead) },
    detached: true,
    stdio: 'ignore',
  })
  const polite = spawn('sleep', ['100'], {
    env: { PATH: '/usr/bin:/bin', [markName]: writeMark(dead) },
    detached: true,
    stdio: 'ignore',
  })
  const other = spawn('sleep', ['100'], {
    env: { PATH: '/usr/bin:/bin', [markName]: 'garbled' },
    stdio: 'ignore',
  })
  t.teardown(() => other.kill('SIGKILL'))
  const gone = Promise.all([once(left, 'exit'), once(polite, 'exit')])
  t.equal(await isAlive(dead.owner), false, 'another process reused the pid')
  t.equal(await isAlive(owner), true)
  t.equal(await startOf(999_999_999), undefined)
  while ((await findMarked(({ run }) => run === 'old')).length < 2) await wait(5)
  t.ok((await createTree(({ run }) => run === 'old').end(200)) >= 2)
  t.match(await gone, [
    [null, 'SIGKILL'],
    [null, 'SIGTERM'],
  ])
  t.equal(other.exitCode, null)
  t.doesNotThrow(() => signalTo(999_999_999, 'SIGTERM'))
})

t.test('a command runs in the requested folder', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'here'))
  const { script } = runner(t, 'where')
  t.equal(
    (await script('console.log(process.cwd())', { cwd: join(folder, 'here') })).output,
    `${join(folder, 'here')}\n`,
  )
})
