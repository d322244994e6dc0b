import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { temporaryFolder } from '../helpers/stack.ts'

/** In place of npm: tells of its call, works for a while alone in the folder, then has installed everything, or fails. */
const npm = `#!/bin/sh
echo "$*" >> calls
mkdir working || exit 9
sleep "$NPM_WORKS"
rmdir working
[ -n "$NPM_FAILS" ] && exit 7
mkdir -p node_modules && touch node_modules/.package-lock.json
`

/** A clone whose packages are missing, and what is run before the npm scripts in it. */
function clone(t: Test) {
  const folder = temporaryFolder(t)
  for (const name of ['config', 'bin']) mkdirSync(join(folder, name))
  copyFileSync(new URL('../../config/prepare.mjs', import.meta.url), join(folder, 'config', 'prepare.mjs'))
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  writeFileSync(join(folder, 'bin', 'npm'), npm)
  chmodSync(join(folder, 'bin', 'npm'), 0o755)
  const lock = join(folder, '.preparing')
  return {
    lock,
    async prepare({ works = '0', fails = '' } = {}) {
      const env = { PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter), NPM_WORKS: works, NPM_FAILS: fails }
      const child = spawn(process.execPath, ['config/prepare.mjs'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
      const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
      return { code: Number(code), err }
    },
    /** The calls of npm so far, and that nothing is locked after them. */
    calls: () => [existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : [], existsSync(lock)],
  }
}

t.test('several at once install once, and each goes on when everything is there', async (t) => {
  const { prepare, calls } = clone(t)
  const ended = await Promise.all([1, 2, 3].map(() => prepare({ works: '2' })))
  t.same(ended.map(({ code }) => code), [0, 0, 0])
  t.ok(ended.some(({ err }) => err.startsWith('Another process installs the packages of this folder')))
  t.same(calls(), [['ci'], false])
  t.same(await prepare(), { code: 0, err: '' })
  t.same(calls(), [['ci'], false], 'what is there is not installed again')
})

t.test('where npm fails, a process that waits tries it too', async (t) => {
  const { prepare, calls } = clone(t)
  const ended = await Promise.all([1, 2].map(() => prepare({ works: '0.5', fails: 'yes' })))
  t.same(ended.map(({ code }) => code), [7, 7])
  t.same(calls(), [['ci', 'ci'], false])
})

t.test('a lock that was left behind blocks no process', async (t) => {
  const { prepare, calls, lock } = clone(t)
  const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(gone, 'exit')
  writeFileSync(lock, String(gone.pid))
  t.same(await prepare(), { code: 0, err: '' })
  t.same(calls(), [['ci'], false])
})
