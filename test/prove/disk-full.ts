import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../kernel/index.ts'
import { audit, auditFile, openLedger, writeBatch } from './ledger.ts'
import { onSmallDisk, prove } from './processes.ts'

/** Fills the disk of a store: writes are refused, reads continue, and writes work again when there is space. */
await prove('disk-full', (folder) => onSmallDisk(folder, 10, fill))

async function fill(place: string): Promise<string> {
  const [file, ballast] = [join(place, 'store.db'), join(place, 'ballast')]
  const logged: string[] = []
  const log = {
    warn: (_: object, message: string) => void logged.push(message),
    error: (_: object, message: string) => void logged.push(message),
  }
  writeFileSync(ballast, Buffer.alloc(3_000_000))
  const store = openLedger(file, { log })
  const acknowledged = new Map<string, number>()
  const writers = ['writer0', 'writer1', 'writer2', 'writer3']

  /** Lets every writer write one batch, and returns the refusals. */
  async function writeOnce(): Promise<readonly unknown[]> {
    const refusals = await Promise.all(
      writers.map((writer) => {
        const batch = (acknowledged.get(writer) ?? 0) + 1
        return writeBatch(store, writer, batch).then(
          () => void acknowledged.set(writer, batch),
          (error: unknown) => error,
        )
      }),
    )
    return refusals.filter((refusal) => refusal !== undefined)
  }

  async function insist(when: string): Promise<void> {
    const { lost, wrong } = await audit(store, acknowledged)
    if (lost > 0 || wrong.length > 0)
      throw new Error(`${when}: ${lost} answered batches lost; ${wrong.join('; ')}`)
  }

  let refusals: readonly unknown[] = []
  for (let batches = 0; refusals.length === 0; batches++) {
    if (batches > 100_000) throw new Error('the disk never became full')
    refusals = await writeOnce()
  }
  for (let again = 0; again < 20; again++) refusals = [...refusals, ...(await writeOnce())]
  for (const refusal of refusals) {
    const fits =
      refusal instanceof Refusal &&
      refusal.status === 503 &&
      refusal.code === 'store_unavailable' &&
      /free some space|full/.test(refusal.reason)
    if (!fits) throw new Error('unexpected error of a full disk', { cause: refusal })
  }
  await insist('while the disk is full')
  const health = await store.health()
  if (health === 'ok') throw new Error('the store reports healthy on a full disk')

  rmSync(ballast)
  const before = [...acknowledged.values()].reduce((sum, batch) => sum + batch, 0)
  for (let batches = 0; batches < 50; batches++) {
    const [refusal] = await writeOnce()
    if (refusal !== undefined)
      throw new Error('there is space again, but writes are still refused', { cause: refusal })
  }
  await insist('after room was made')
  if ((await store.health()) !== 'ok') throw new Error('the store does not recover its health')
  if (logged.join() !== 'store cannot write,store can write again')
    throw new Error(`it was logged as ${logged.join()}`)
  await store.close()

  const { lost, wrong } = await auditFile(file, acknowledged)
  if (lost > 0 || wrong.length > 0) throw new Error(`after opening again: ${lost} lost; ${wrong.join('; ')}`)
  return (
    `${before} batches answered until the disk was full, ${refusals.length} refused, none lost; ` +
    'writing went on when there was room'
  )
}
