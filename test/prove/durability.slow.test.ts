import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'

/** Runs a proof with fewer rounds and prints its result. */
async function proves(t: Test, script: string, ...args: readonly string[]): Promise<void> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args])
  t.comment(stdout.trim())
  t.match(stdout, /none lost|none of \d+ answered batches lost|skipped/)
}

t.test('no answered change is lost when the process is killed at any moment', (t) =>
  proves(t, 'crash.ts', '--rounds', '4'),
)
t.test('no answered change is lost in a power loss', (t) =>
  proves(t, 'power-loss.ts', '--losses', '10', '--batches', '40'),
)
t.test('writes to a full disk are refused until there is space again', (t) => proves(t, 'disk-full.ts'))
t.test('writes to a failing disk are refused until it works again', (t) => proves(t, 'io-error.ts'))
