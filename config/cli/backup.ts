import { resolve } from 'node:path'
import { systemClock } from '../../kernel/index.ts'
import { backupOf, loadBackups } from '../../plugins/store/index.ts'
import { defineCommand } from './shared/command.ts'
import { findDatabase, onDatabase } from './shared/database.ts'
import { sharedFlags } from './shared/installation.ts'

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copies the database, also while the service runs, verifies the copy and prints its path.',
  operand: '[FILE]',
  flags: sharedFlags,
  async run(given, io, operand) {
    const file = await findDatabase(given, io)
    const to = operand === undefined ? backupOf(file, systemClock.now()) : resolve(io.cwd, operand)
    const { backUp } = await loadBackups()
    await onDatabase(() => backUp(file, to))
    io.print(to)
  },
})

export const restore = defineCommand({
  name: 'restore',
  summary: 'Replaces the database of a stopped service with a backup, and keeps the old files.',
  operand: 'BACKUP',
  flags: sharedFlags,
  async run(given, io, operand = '') {
    const file = await findDatabase(given, io)
    const { restore } = await loadBackups()
    const kept = await onDatabase(() => restore(file, resolve(io.cwd, operand), systemClock.now()))
    io.print([`Restored ${file}`, ...kept.map((each) => `Kept the old file as ${each}`)].join('\n'))
  },
})
