/** A process that works on jobs, and kills itself at a step of the first one. */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../../kernel/index.ts'
import { createPostgresStore, createSqliteStore } from '../../plugins/store/testing.ts'
import { leaseMs, Rows, scope, startJobs, startNoting } from './jobs.ts'
import { silent } from './sqlite.ts'

const string = { type: 'string', default: '' } as const
const { values } = parseArgs({ options: { file: string, url: string, step: string, out: string } })
const opened = { clock: systemClock, log: silent }
const store =
  values.url === ''
    ? createSqliteStore({ ...opened, file: values.file, shared: true, backups: false, synchronous: 'normal' })
    : await createPostgresStore({ ...opened, url: values.url })
const ended = await startJobs({ teardown: () => undefined }, store)

const queue = startNoting(ended, store, values.out, async (step) => {
  // Long enough for the claim to be prolonged.
  if (step === values.step && step === 'prolonged') await pause(2 * leaseMs)
  if (step === values.step) process.kill(process.pid, 'SIGKILL')
})
while ((await store.of(Rows).count(scope)) > 0) await pause(20)
await queue.close()
await ended.close()
await store.close()
