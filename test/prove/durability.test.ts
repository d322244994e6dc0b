import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'

/** Runs a proof as a person would, with fewer rounds, and shows what it found. */
async function proves(t: Test, script: string, ...args: readonly string[]): Promise<void> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args])
  t.comment(stdout.trim())
  t.match(stdout, /none lost|none of \d+ answered batches lost|skipped/)
}

t.test('a process that is killed at any moment loses nothing it has answered', (t) =>
  proves(t, 'crash.ts', '--rounds', '4'),
)
t.test('a power loss takes nothing that was answered', (t) =>
  proves(t, 'power-loss.ts', '--losses', '10', '--batches', '40'),
)
t.test('a full disk refuses writing until there is room again', (t) => proves(t, 'disk-full.ts'))
t.test('a failing disk refuses writing until it works again', (t) => proves(t, 'io-error.ts'))
