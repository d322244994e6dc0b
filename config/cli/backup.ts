import { resolve } from 'node:path'
import { systemClock } from '../../kernel/index.ts'
import { backupOf } from '../../plugins/store/backups.ts'
import { type Command, defineCommand, type Io } from './shared/command.ts'
import { findDatabase, onDatabase } from './shared/database.ts'
import { assembleFor, sharedFlags } from './shared/installation.ts'

/** A command on the database file, with the path of a backup as its argument; it prints the lines that `work` resolves with. */
const onBackups = (
  about: Pick<Command, 'name' | 'summary' | 'operand'>,
  work: (file: string, backup: string | undefined) => Promise<readonly string[]>,
) => defineCommand({
  ...about,
  flags: sharedFlags,
  async run(given, io: Io) {
    const file = findDatabase(await assembleFor(given, io), io.cwd)
    const lines = await onDatabase(work(file, given.operand === undefined ? undefined : resolve(io.cwd, given.operand)))
    for (const line of lines) io.print(line)
  },
})

export const backup = onBackups(
  { name: 'backup', summary: 'Copies the database, also while the service runs, verifies the copy and prints its path.', operand: '[FILE]' },
  async (file, to = backupOf(file, systemClock.now())) => {
    const { backUp } = await import('../../plugins/store/restore.ts')
    await backUp(file, to)
    return [to]
  },
)

export const restore = onBackups(
  { name: 'restore', summary: 'Replaces the database of a stopped service with a backup, and keeps the old files.', operand: 'BACKUP' },
  async (file, from = '') => {
    const { restore } = await import('../../plugins/store/restore.ts')
    const kept = await restore(file, from, systemClock.now())
    return [`Restored ${file}`, ...kept.map((each) => `Kept the old file as ${each}`)]
  },
)
