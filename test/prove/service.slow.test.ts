import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'

/** Runs a proof of the complete service with fewer rounds and prints its result. */
async function proves(t: Test, script: string, ...args: readonly string[]): Promise<void> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args])
  t.comment(stdout.trim())
  t.match(stdout, /none lost|skipped/)
}

// Each mostly waits for processes.
t.jobs = 3

t.test('a killed service restarts with every answered change and no partial ones', { buffered: true }, (t) =>
  proves(t, 'crash-http.ts', '--rounds', '10'),
)
t.test(
  'a stopping service answers all clients, and its successor continues at once',
  { buffered: true },
  (t) => proves(t, 'stop.ts', '--requests', '300', '--rounds', '2'),
)
t.test('a full disk stops changes only, and no refused change is visible', { buffered: true }, (t) =>
  proves(t, 'disk-full-http.ts'),
)
