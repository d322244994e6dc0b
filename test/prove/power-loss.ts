import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createDisk, readJournal, type Survival } from './disk.ts'
import { acknowledgedIn, auditFile } from './ledger.ts'
import { compileDisk, prove, startWriter } from './processes.ts'

/**
 * Simulates power losses at random instants, and checks that no answered batch is lost or partial.
 *
 * The disk operations of a writing process are recorded. For each instant the files are reconstructed from the
 * synced writes, and none or some of the unsynced ones, complete or torn. With `synchronous=full` nothing may be
 * lost; with `normal` there must be losses, which validates the method.
 */
const { values } = parseArgs({
  options: { losses: { type: 'string', default: '100' }, batches: { type: 'string', default: '150' } },
})

await prove('power-loss', async (folder) => {
  const library = compileDisk(folder)
  if (library === undefined) return 'skipped, because it needs Linux and a C compiler (cc)'
  const full = await loseIn(folder, library, 'full')
  const normal = await loseIn(folder, library, 'normal')
  const wrong = [...full.wrong, ...normal.wrong]
  if (wrong.length > 0) throw new Error(wrong.join('; '))
  if (full.losses > 0)
    throw new Error(`with synchronous=full ${full.most} answered batches were lost in one power loss`)
  if (normal.losses === 0) throw new Error('synchronous=normal lost nothing, so the result proves nothing')
  return (
    `${full.instants} with synchronous=full: none of ${full.answered} answered batches lost, none half there; ` +
    `${normal.instants} with normal: batches lost in ${normal.losses}, up to ${normal.most}, none half there`
  )
})

async function loseIn(
  folder: string,
  library: string,
  synchronous: 'full' | 'normal',
): Promise<{
  readonly instants: number
  readonly answered: number
  readonly losses: number
  readonly most: number
  readonly wrong: readonly string[]
}> {
  const [place, journal] = [join(folder, synchronous), join(folder, `${synchronous}.journal`)]
  mkdirSync(place)
  const writer = startWriter(
    join(folder, 'output'),
    ['--file', join(place, 'store.db'), '--synchronous', synchronous, '--batches', values.batches],
    { LD_PRELOAD: library, DISK_FOLDER: `${place}/`, DISK_JOURNAL: journal },
  )
  if ((await writer.gone) !== 0) throw new Error(`the writer with synchronous=${synchronous} failed`)

  const events = [...readJournal(readFileSync(journal))]
  rmSync(journal)
  const instants = Array.from({ length: Number(values.losses) }, () =>
    Math.floor(Math.random() * events.length),
  )
  const lostAt: number[] = []
  const wrong: string[] = []
  const disk = createDisk()
  let happened = 0
  for (const [index, instant] of instants.toSorted((a, b) => a - b).entries()) {
    while (happened < instant) disk.apply(events[happened++])
    const survival: Survival = index % 2 === 0 ? 'nothing' : 'some'
    const after = join(folder, 'after')
    mkdirSync(after)
    for (const [path, bytes] of disk.afterPowerLoss(survival))
      writeFileSync(path.replace(place, after), bytes)
    const found = await auditFile(join(after, 'store.db'), acknowledgedIn(disk.output()))
    rmSync(after, { recursive: true })
    if (found.lost > 0) lostAt.push(found.lost)
    wrong.push(
      ...found.wrong.map((each) => `${synchronous}, instant ${instant}, ${survival} survived: ${each}`),
    )
  }
  const answered = disk.output().split('\n').length - 1
  return { instants: instants.length, answered, losses: lostAt.length, most: Math.max(0, ...lostAt), wrong }
}
