import { loadTransfer } from '../../plugins/store/index.ts'
import { collectionsOf } from '../../plugins/store/port.ts'
import { CommandError, defineCommand } from './shared/command.ts'
import { databaseName, onDatabase, addressOf } from './shared/database.ts'
import { assembleFor, sharedFlags } from './shared/installation.ts'

export const migrate = defineCommand({
  name: 'migrate',
  summary: 'Completes the tables in PostgreSQL under a lock, as a start does when it needs one.',
  flags: {
    check: { help: 'Changes nothing: prints what would be done, with exit code 1 if there is anything.' },
    ...sharedFlags,
  },
  async run(given, io) {
    const assembly = await assembleFor(given, io)
    const place = addressOf(assembly, io)
    if ('file' in place) return io.print(`${place.file} completes its tables by itself.`)
    const check = given.has('check')
    const collections = collectionsOf(assembly.plugins.map(({ plugin }) => plugin))
    const { migrateDatabase } = await loadTransfer()
    const statements = await onDatabase(() =>
      migrateDatabase(place.url, collections, { check }).catch((error: unknown) => {
        throw error instanceof TypeError ? new CommandError(error.message) : error
      }),
    )
    if (statements.length === 0) return io.print(`${databaseName(place)} has every table.`)
    io.print(
      [
        `${databaseName(place)}: ${check ? 'pending' : 'done'}`,
        ...statements.map((each) => `  ${each}`),
      ].join('\n'),
    )
    return check ? 1 : 0
  },
})
