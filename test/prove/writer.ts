import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Refusal } from '../../kernel/index.ts'
import { lastBatch, openLedger, writeBatch, writeGhost } from './ledger.ts'

/**
 * Writes batches from several concurrent writers and acknowledges each on standard output, for a parent that
 * kills the process or injects disk faults. A refused batch is reported and retried.
 */
const { values } = parseArgs({
  options: {
    file: { type: 'string', default: '' },
    synchronous: { type: 'string', default: 'full' },
    name: { type: 'string', default: '' },
    batches: { type: 'string', default: '1000000' },
  },
})
const store = openLedger(values.file, { synchronous: values.synchronous === 'normal' ? 'normal' : 'full' })
const print = (line: string) => writeSync(1, `${line}\n`)

async function write(writer: string): Promise<void> {
  const end = Number(values.batches)
  for (let batch = (await lastBatch(store, writer)) + 1; batch <= end;) {
    try {
      await writeBatch(store, writer, batch)
      print(`${writer} ${batch}`)
      batch++
      if (Math.random() < 0.1) await writeGhost(store, writer)
      if (Math.random() < 0.5) await pause(Math.random() * 4)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      print(`refused ${error.code}`)
      await lastBatch(store, writer)
      print('read while refused')
      await pause(5)
    }
  }
}

await Promise.all(Array.from({ length: 8 }, (_, index) => write(`writer${values.name}${index}`)))
await store.close()
