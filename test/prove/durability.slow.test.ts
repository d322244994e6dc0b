import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

/** The proofs with fewer rounds, by what they show. */
const proofs: Readonly<Record<string, readonly [script: string, ...args: string[]]>> = {
  'no answered change is lost when the process is killed at any moment': ['crash.ts', '--rounds', '4'],
  'no answered change is lost in a power loss': ['power-loss.ts', '--losses', '10', '--batches', '40'],
  'writes to a failing disk are refused until it works again': ['io-error.ts'],
  'a killed service restarts with every answered change and no partial ones': [
    'crash-http.ts',
    '--rounds',
    '10',
  ],
  'a stopping service answers all clients, and its successor continues at once': [
    'stop.ts',
    '--requests',
    '300',
    '--rounds',
    '2',
  ],
  'an editor and a developer who save at the same time lose nothing': ['together.ts', '--rounds', '5'],
  'everything is answered under a mixed load': ['soak.ts', '--seconds', '15'],
  'several processes on one database lose nothing when any of them, or the database, is killed': [
    'replicas.ts',
    '--changes',
    '300',
  ],
  'a full disk stops changes only, until there is space again, and no refused change is visible': [
    'disk-full-http.ts',
  ],
}

// Each mostly waits for processes.
t.jobs = 3

for (const [title, [script, ...args]] of Object.entries(proofs)) {
  t.test(title, { buffered: true }, async (t) => {
    const path = fileURLToPath(new URL(script, import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [path, ...args])
    t.comment(stdout.trim())
    t.match(stdout, /none lost|none of \d+ answered batches lost|no answer lost|none refused|skipped/)
  })
}
