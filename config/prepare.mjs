// Installs the packages for npm scripts: runs `npm ci` if node_modules is missing or outdated.
// Plain JavaScript, because the installed Node may be too old for TypeScript.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const changedAt = (path) => statSync(at(path), { throwIfNoEntry: false })?.mtimeMs ?? 0
const isOld = () => changedAt('../node_modules/.package-lock.json') < changedAt('../package-lock.json')

/** A lock with the process id, because concurrent runs of `npm ci` delete each other's files. */
const lock = at('../.preparing')

/** Returns false while another process holds the lock; removes a stale lock. */
function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isHeld()) rmSync(lock, { force: true })
    return false
  }
}

function isHeld() {
  try {
    return process.kill(Number(readFileSync(lock, 'utf8')), 0)
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

/** Runs `npm ci` and returns its exit code. */
function install() {
  return spawnSync('npm', ['ci'], { cwd: at('..'), stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' }).status ?? 1
}

for (let waits = 0; isOld(); waits += 1) {
  if (takeLock()) {
    // The previous holder of the lock may have installed everything.
    process.exitCode = isOld() ? install() : 0
    rmSync(lock, { force: true })
    break
  }
  if (waits === 1) console.error(`Another process installs the packages of this folder; this one goes on when that is done. If there is none, delete ${lock}.`)
  await pause(100)
}
