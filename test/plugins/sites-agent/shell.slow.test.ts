import { chmodSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import {
  splitWords,
  toAllowed,
  childVariables,
  programFolders,
  findBox,
} from '../../../plugins/agents/onboarding/testing.ts'
import {
  findProgram,
  canFind,
  isAlive,
  ownerOf,
  type Mark,
  runCommand,
  type CommandRequest,
  endLeftovers,
  markTracker,
  namespaceTracker,
  type Tracker,
} from '../../../plugins/processes/port.ts'
import {
  findMarked,
  killAll,
  markName,
  startOf,
  writeMark,
  cgroupTracker,
  findCgroups,
  findNamespace,
  recordOf,
} from '../../../plugins/processes/testing.ts'
import { environment } from '../../helpers/environment.ts'
import { escaping, leaving, sleeping } from '../../helpers/sites-agent.ts'
import { runs } from '../../helpers/property.ts'
import { temporaryFolder } from '../../helpers/stack.ts'
import { emptyList } from '../../helpers/plain.ts'
import { until } from '../../helpers/until.ts'

const owner = await ownerOf(process.pid)
const folders = programFolders(process.env['PATH'] ?? '', '/nowhere')
const [namespace, cgroups, box] = [
  await findNamespace(folders),
  await findCgroups(folders),
  await findBox(folders, temporaryFolder(t)),
]

/** The trackers of a service; `undefined` if this machine does not allow them. */
const trackersOf = (folder: string, service = owner): Readonly<Record<string, Tracker | undefined>> => ({
  box: box && namespaceTracker((words) => box({ folder }, { folders, variables: {} }, words)),
  namespace: namespace && namespaceTracker(namespace),
  cgroup: cgroups && cgroupTracker(cgroups, recordOf(folder, service)),
  mark: markTracker,
})
const own = trackersOf(temporaryFolder(t))
/** Runs a test once for each way to hold processes that this machine allows; skips it if there is none. */
function eachWay(name: string, ways: readonly string[], test: (t: Test, way: string) => Promise<void>): void {
  const found = ways.filter((way) => own[way] !== undefined)
  const skip = found.length === 0 && `this machine allows no ${ways.join(', ')}`
  t.test(name, { skip }, async (t) => {
    for (const way of ways) {
      const missing = !found.includes(way) && `this machine allows no ${way}`
      await t.test(way, { skip: missing }, (t) => test(t, way))
    }
  })
}
const outside = canFind ? ['namespace', 'cgroup', 'mark'] : ['mark']

const notOne = /The command was not run: /

t.test('a line is one command, without shell syntax', (t) => {
  t.strictSame(splitWords(`grep -n 'a "b" $c' "x y"  file`), ['grep', '-n', 'a "b" $c', 'x y', 'file'])
  t.strictSame(splitWords(`cat a''b "" 'it'"'"'s' app/[slug].ts`), ['cat', 'ab', '', "it's", 'app/[slug].ts'])
  const operators = '| && ; > < `b` $(b) $HOME * {b,c} ~ #b & \\ "$HOME" "`b`" \'b "b "\\n"'.split(' ')
  for (const each of [...operators, '\n', '[ a ]']) t.throws(() => splitWords(`a ${each} b`), notOne, each)
  t.end()
})

t.test('only listed programs run, with listed flags', (t) => {
  const allowed = (line: string) => toAllowed(splitWords(line))
  t.match(allowed('ls'), { program: 'ls', kind: 'files', paths: emptyList, args: ['--'] })
  t.match(allowed('cp -r a b'), { args: ['--no-dereference', '-r', '--', 'a', 'b'], paths: ['a', 'b'] })
  t.match(allowed('grep -rn needle src'), { paths: ['src'] })
  t.notOk(allowed('grep -rn needle src').args.includes('--directories=skip'))
  t.ok(allowed('grep needle src').args.includes('--directories=skip'))
  t.match(allowed('git log --oneline -n3'), { program: 'git', kind: 'git', paths: emptyList })
  t.ok(allowed('git log -p').args.includes(':(exclude,icase,glob)**/.env*'))
  t.match(allowed('git diff HEAD -- src'), { paths: ['src'] })
  t.match(allowed("find src -name '*.ts' -not -type d"), { paths: ['src'] })
  t.match(allowed('find'), { args: ['-P', '.'], paths: emptyList })
  for (const line of ['node a.js', 'npm run build', 'npm test', 'pnpm run dev', 'yarn run typecheck'])
    t.equal(allowed(line).kind, 'project', line)
  for (const command of ['install', 'ci'])
    t.match(allowed(`npm ${command}`), { kind: 'install', args: [command] })
  const refused: Readonly<Record<string, readonly string[]>> = {
    '': ['', 'curl x', 'sh -c x', 'bash', 'env', 'constructor', '__proto__ x', 'npx x', 'ln -s a b'],
    'cp ': ['-L a b', '--dereference a b'],
    'grep ': ['x', '-f a b', '-R a b', '--file=a b'],
    'git ': ['push', '-C / status', '--git-dir=x log', 'diff --no-index a b', 'log --output=x'],
    'git diff ': ['--ext-diff', '-O x', '../x', '/x', '--outp=x'],
    'find ': ['. -exec a', '. -delete', '-L .', '. -fprint x', '. -ok a'],
    'npm ': '|exec x|run|run -x|run build x|test x|install x|publish|run a --prefix=/'.split('|'),
    'rm ': ['', '--no-preserve-root a'],
    'cat ': [''],
    'ls ': ['--color=x'],
  }
  for (const [program, all] of Object.entries(refused))
    for (const args of all) t.throws(() => allowed(program + args), notOne, program + args)
  t.end()
})

t.test('a child gets listed variables, and programs from outside of the workspace', async (t) => {
  const folder = temporaryFolder(t)
  const path = `/usr/bin:bin:.:${folder}:${folder}/sites/bin:/usr/bin`
  const found = programFolders(path, join(folder, 'sites'))
  t.match(found, [/node/, '/usr/bin', folder])
  writeFileSync(join(folder, 'tool'), '#!/bin/sh\n')
  t.equal(await findProgram('tool', found), undefined, 'it may not be executed')
  chmodSync(join(folder, 'tool'), 0o755)
  t.equal(await findProgram('tool', found), join(folder, 'tool'))
  const about = { folders: found, ceiling: '/w', home: '/h', lang: 'C', certificates: '/ca.pem' }
  const variables = childVariables(about, { PORT: '1' })
  const wanted = { HOME: '/h', GIT_CEILING_DIRECTORIES: '/w', NODE_EXTRA_CA_CERTS: '/ca.pem', PORT: '1' }
  t.match(variables, wanted)
  t.notOk(Object.values(variables).some((value) => value === process.env['HOME']))
})

const onLinux = { skip: process.platform !== 'linux' && 'process variables are readable on Linux only' }

/** Runs a Node script as a command. */
function runner(t: Parameters<typeof temporaryFolder>[0], run: string, tracker = own[run] ?? markTracker) {
  const cwd = temporaryFolder(t)
  const mark: Mark = { workspace: 'w', owner, run }
  const script = (code: string, more: Partial<CommandRequest> = {}) =>
    runCommand({
      words: [process.execPath, '-e', code],
      cwd,
      variables: { PATH: '/usr/bin:/bin' },
      mark,
      tracker,
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      limits: { outputBytes: 4096, processes: 20, countEveryMs: 100, graceMs: 50 },
      ...more,
    })
  return { cwd, script, left: () => findMarked((found) => found.run === run) }
}

eachWay('a command returns its output and exit code', outside, async (t, way) => {
  const { cwd, script } = runner(t, way)
  t.match(await script('console.log("out"); console.error("err"); process.exitCode = 3'), {
    exitCode: 3,
    ended: 'exit',
    output: /out[^]*err|err[^]*out/,
  })
  t.match(await script('process.kill(process.pid, "SIGTERM")'), { exitCode: 143, ended: 'exit' })
  const stopping = new AbortController()
  const asked = await script(
    'process.on("SIGTERM", () => process.exit(4)); setInterval(() => {}, 1e3); console.log("up")',
    {
      signal: stopping.signal,
      onLine: () => stopping.abort(),
      limits: { outputBytes: 4096, processes: 20, countEveryMs: 100, graceMs: 60_000 },
    },
  )
  t.match(asked, { exitCode: 4, ended: 'canceled' }, 'it is asked to end, and may')
  environment(t, { A_SECRET_OF_THE_SERVICE: 'a-value' })
  const { output } = await script('console.log([process.cwd(), ...Object.keys(process.env).sort()].join())')
  // The test runner and the shell that starts a command add their own variables.
  const isOwn = (name: string): boolean => !/TAP|NODE_OPTIONS|^(?:PWD|OLDPWD|SHLVL|_)$/.test(name)
  t.strictSame(output.trim().split(',').filter(isOwn), [cwd, 'PATH', markName], 'no variable of this process')
  const flood = await script(
    '["first", "x".repeat(1e6), "last"].forEach((each) => process.stdout.write(each))',
  )
  t.match(flood.output, /^first[^]*\d+ bytes left out[^]*last$/)
  t.ok(flood.output.length < 4096 + 50)
  t.equal(flood.output.match(/(\d+) bytes/)?.[1], String(1e6 + 9 - 4096))
  t.match(await script('0', { cwd: '/nothing/here' }), { ended: 'not_started', exitCode: null })
  t.match(await script('0', { signal: AbortSignal.abort() }), { ended: 'canceled' })
  const linesOf = async (code: string) => {
    const lines: string[] = []
    await script(code, { onLine: (line) => lines.push(line) })
    return lines
  }
  const long = 'process.stdout.write("x".repeat(2e6)'
  // A line that is too long is dropped.
  const all = await linesOf(`console.log("one\\ntwo"); ${long} + "\\nthree\\nfour")`)
  t.strictSame(all, ['one', 'two', 'three', 'four'])
  t.strictSame(await linesOf(`${long})`), [])
})

eachWay('no process that a command started is left when it ends', canFind ? outside : [], async (t, way) => {
  const child = (how: string) =>
    `const c = require('child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e3); console.log("up")'], ${how}); `
  const detached = child("{ stdio: ['ignore', 'pipe', 'inherit'], detached: true }")
  const forever = 'setInterval(() => {}, 1e3)'
  const stopping = new AbortController()
  const cases: readonly (readonly [ended: string, code: string, more?: Partial<CommandRequest>])[] = [
    ['exit', `${detached} c.stdout.once('data', () => process.exit(0))`],
    [
      'timeout',
      `process.on('SIGTERM', () => {}); ${child("{ stdio: 'inherit' }")} ${forever}`,
      { timeoutMs: 300 },
    ],
    [
      'canceled',
      `${detached} c.stdout.pipe(process.stdout)`,
      { signal: stopping.signal, onLine: () => stopping.abort() },
    ],
    [
      'too_many_processes',
      `for (let i = 0; i < 40; i++) require('child_process').spawn('sleep', ['100'], { detached: true }); ${forever}`,
    ],
  ]
  for (const [ended, code, more] of cases) {
    const { script, left } = runner(t, `left-${way}-${ended}`, own[way])
    t.match(await script(code, more), { ended }, ended)
    t.strictSame(await left(), [], `${ended}: not even in its own process group`)
  }
})

eachWay('no process leaves its command', ['box', 'namespace', 'cgroup'], async (t, way) => {
  const name = `9${process.pid}${way.length}`
  const { script } = runner(t, `leaves-${way}`, own[way])
  for (const attack of leaving(name))
    for (let round = 0; round < runs(2); round++)
      t.match(await script(attack), { exitCode: 0, ended: 'exit' })
  t.strictSame(sleeping(name), [])
  // A chain of processes would not be at its end yet.
  await wait(2_000)
  t.strictSame(sleeping(name), [])
})

eachWay(
  'processes end with a canceled command, and those of a killed service with the next',
  ['namespace', 'cgroup'],
  async (t, way) => {
    const folder = temporaryFolder(t)
    const name = `8${process.pid}${way.length}`
    const stopping = new AbortController()
    const running = runner(t, `escapes-${way}`, own[way]).script(escaping(name), { signal: stopping.signal })
    await until(() => sleeping(name).length >= 4, 'four processes')
    stopping.abort()
    t.match(await running, { ended: 'canceled' })
    t.strictSame(sleeping(name), [])

    // A service with this id has ended: its process id is in use again.
    const mark = { workspace: way, owner: `${process.pid}:1`, run: 'left' }
    const left = await trackersOf(folder, mark.owner)[way]?.track(mark)
    const [file = '', ...args] = left?.words([process.execPath, '-e', escaping(name)]) ?? []
    const env = { PATH: '/usr/bin:/bin', [markName]: writeMark(mark) }
    spawn(file, args, { detached: true, stdio: 'ignore', env })
    await until(() => sleeping(name).length >= 4, 'four processes')
    t.ok((await endLeftovers(folder, way)) >= 1)
    t.strictSame(sleeping(name), [], 'the next service ends them')
    t.equal(await endLeftovers(folder, way), 0)
  },
)

t.test('a mark names the owner of a process, and whether it is alive', onLinux, async (t) => {
  const dead: Mark = { workspace: 'w', owner: `${process.pid}:1`, run: 'old' }
  const start = (mark: string, ...words: readonly string[]) => {
    const env = { PATH: '/usr/bin:/bin', [markName]: mark }
    return spawn('env', [...words], { env, detached: true, stdio: 'ignore' })
  }
  const left = start(writeMark(dead), 'sh', '-c', 'trap "" TERM; while :; do sleep 0.01; done')
  const polite = start(writeMark(dead), 'sleep', '100')
  const living = start(writeMark({ ...dead, owner }), 'sleep', '100')
  const other = start('garbled', 'sleep', '100')
  t.teardown(() => [living, other].map((each) => each.kill('SIGKILL')))
  const gone = Promise.all([once(left, 'exit'), once(polite, 'exit')])
  t.equal(await isAlive(dead.owner), false, 'another process reused the pid')
  t.equal(await isAlive(owner), true)
  t.equal(await startOf(999_999_999), undefined)
  await until(async () => (await findMarked(({ run }) => run === 'old')).length >= 3, 'three processes')
  t.ok((await killAll(() => findMarked((mark) => mark.owner === dead.owner))) >= 2)
  t.strictSame((await gone).flat(), [null, 'SIGKILL', null, 'SIGKILL'])
  t.strictSame([other.exitCode, living.exitCode], [null, null])
})
