import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { acknowledgedIn, auditFile } from './ledger.ts'
import { prove, startWriter } from './processes.ts'

/** Rounds per file; each round continues with the recovered data of the one before. */
const roundsPerFile = 5

/** Kills writing processes at random moments, and checks that no answered batch is lost or partial. */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } })
const rounds = Number(values.rounds)

await prove('crash', async (folder) => {
  let answered = 0
  for (let round = 0; round < rounds; round++) {
    const file = join(folder, `${Math.floor(round / roundsPerFile)}.db`)
    // Every second round has two processes on one file; the second continues while the first is killed.
    const names = round % 2 === 0 ? ['a'] : ['a', 'b']
    const writers = names.map((name) =>
      startWriter(join(folder, `output-${name}`), ['--file', file, '--name', name]),
    )
    for (const writer of writers) {
      // Two of three are killed while they write, the third during or soon after its start.
      if (round % 3 !== 2) while (writer.output() === '' && writer.child.exitCode === null) await pause(5)
      await pause(Math.random() * 300)
      writer.child.kill('SIGKILL')
      if ((await writer.gone) !== null) throw new Error(`round ${round}: a writer exited early`)
    }
    const output = writers.map((writer) => writer.output())
    const { lost, wrong } = await auditFile(file, acknowledgedIn(output.join('')))
    if (lost > 0 || wrong.length > 0) {
      throw new Error(`round ${round}: ${lost} answered batches lost; ${wrong.join('; ')}`)
    }
    answered += output.join('').split('\n').length - 1
  }
  if (answered === 0) throw new Error('no batch was answered, so the result proves nothing')
  return `${rounds} kills, ${answered} answered batches, none lost, none half there`
})
