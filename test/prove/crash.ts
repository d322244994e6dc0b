import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { acknowledgedIn, auditFile } from './ledger.ts'
import { prove, startWriter } from './processes.ts'

/** After so many rounds a fresh file is begun; until then, what was recovered is written on and killed again. */
const roundsPerFile = 5

/** Kills writing processes at random moments and looks whether anything answered is lost or half there. */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } })
const rounds = Number(values.rounds)

await prove('crash', async (folder) => {
  let answered = 0
  for (let round = 0; round < rounds; round++) {
    const file = join(folder, `${Math.floor(round / roundsPerFile)}.db`)
    // Every second round has two processes on one file, and the second goes on while the first is killed.
    const names = round % 2 === 0 ? ['a'] : ['a', 'b']
    const writers = names.map((name) =>
      startWriter(join(folder, `told-${name}`), ['--file', file, '--name', name]),
    )
    for (const writer of writers) {
      // Most are killed while they write, every third while it still starts or has just begun.
      if (round % 3 !== 2) while (writer.output() === '' && writer.child.exitCode === null) await pause(5)
      await pause(Math.random() * 300)
      writer.child.kill('SIGKILL')
      if ((await writer.gone) !== null) throw new Error(`round ${round}: a writer ended by itself`)
    }
    const output = writers.map((writer) => writer.output())
    const { lost, wrong } = await auditFile(file, acknowledgedIn(output.join('')))
    if (lost > 0 || wrong.length > 0) {
      throw new Error(`round ${round}: ${lost} answered batches lost; ${wrong.join('; ')}`)
    }
    answered += output.join('').split('\n').length - 1
  }
  if (answered === 0) throw new Error('nothing was written, so nothing is proved')
  return `${rounds} kills, ${answered} answered batches, none lost, none half there`
})
