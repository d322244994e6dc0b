import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'

/** Runs a proof of the whole service as a person would, with fewer rounds, and shows what it found. */
async function proves(t: Test, script: string, ...args: readonly string[]): Promise<void> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args])
  t.comment(stdout.trim())
  t.match(stdout, /none lost|skipped/)
}

// Each waits for processes most of the time.
t.jobs = 3

t.test('a killed service comes back with everything it answered, and nothing by half', { buffered: true }, (t) =>
  proves(t, 'crash-http.ts', '--rounds', '10'),
)
t.test('a service that stops answers all clients, and the next one goes on at once', { buffered: true }, (t) =>
  proves(t, 'stop.ts', '--requests', '300', '--rounds', '2'),
)
t.test('a full disk stops changes only, and none of them seems to have happened', { buffered: true }, (t) =>
  proves(t, 'disk-full-http.ts'),
)
