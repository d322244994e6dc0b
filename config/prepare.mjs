// Brings what the npm scripts need: runs `npm ci` when node_modules is missing or older than the lock file.
// Plain JavaScript, because the Node that is installed on the machine may be too old for the rest.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

const changedAt = (path) => statSync(new URL(path, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0

if (changedAt('../node_modules/.package-lock.json') < changedAt('../package-lock.json')) {
  const { status } = spawnSync('npm', ['ci'], { cwd: new URL('..', import.meta.url), stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' })
  process.exitCode = status ?? 1
}
