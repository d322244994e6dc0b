import { resolve } from 'node:path'
import { systemClock } from '../../kernel/index.ts'
import { backupOf } from '../../plugins/store/backups.ts'
import { defineCommand } from './shared/command.ts'
import { findDatabase, onDatabase } from './shared/database.ts'
import { assembleFor, sharedFlags } from './shared/flags.ts'

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copies the database, also while the service runs, verifies the copy and prints its path.',
  operand: '[FILE]',
  flags: sharedFlags,
  async run(given, io) {
    const file = findDatabase(await assembleFor(given, io), io.cwd)
    const to = given.operand === undefined ? backupOf(file, systemClock.now()) : resolve(io.cwd, given.operand)
    const { backUp } = await import('../../plugins/store/restore.ts')
    await onDatabase(backUp(file, to))
    io.print(to)
    return 0
  },
})
