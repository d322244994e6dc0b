import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { acknowledgedIn, auditFile } from './ledger.ts'
import { compileDisk, prove, startWriter, type WriterProcess } from './processes.ts'

/** How often the disk of one process fails and recovers. */
const faults = 5

/** Lets writes and syncs fail with EIO: writes are refused, reads continue, no answered batch is lost. */
await prove('io-error', async (folder) => {
  const library = compileDisk(folder)
  if (library === undefined) return 'skipped, because it needs Linux and a C compiler (cc)'
  const [place, fault] = [join(folder, 'disk'), join(folder, 'fault')]
  mkdirSync(place)
  const file = join(place, 'store.db')
  const writer = startWriter(join(folder, 'output'), ['--file', file], {
    LD_PRELOAD: library,
    DISK_FOLDER: `${place}/`,
    DISK_FAULT: fault,
  })
  await more(writer, /^writer/)
  for (let i = 0; i < faults; i++) {
    writeFileSync(fault, '')
    await more(writer, /^refused store_unavailable$/)
    await more(writer, /^read while refused$/)
    rmSync(fault)
    await more(writer, /^writer/)
  }
  writeFileSync(fault, '')
  await more(writer, /^refused store_unavailable$/)
  writer.child.kill('SIGKILL')
  await writer.gone

  const lines = writer.output().split('\n')
  const { lost, wrong } = await auditFile(file, acknowledgedIn(writer.output()))
  if (lost > 0 || wrong.length > 0) throw new Error(`${lost} answered batches lost; ${wrong.join('; ')}`)
  const [answered, refused] = [/^writer/, /^refused/].map(
    (kind) => lines.filter((line) => kind.test(line)).length,
  )
  return `${faults + 1} faults: ${answered} batches answered, ${refused} refused, none lost, none half there`
})

/** Waits until the process has printed three more matching lines. */
async function more(writer: WriterProcess, kind: RegExp): Promise<void> {
  const lines = () => writer.output().split('\n')
  const count = () => lines().filter((line) => kind.test(line)).length
  const wanted = count() + 3
  for (let turns = 0; count() < wanted; turns++) {
    const over = turns > 1000 || writer.child.exitCode !== null
    if (over) throw new Error(`timeout waiting for output ${kind.source}`)
    await pause(10)
  }
}
