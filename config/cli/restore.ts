import { resolve } from 'node:path'
import { systemClock } from '../../kernel/index.ts'
import { defineCommand } from './shared/command.ts'
import { findDatabase, onDatabase } from './shared/database.ts'
import { assembleFor, sharedFlags } from './shared/flags.ts'

export const restore = defineCommand({
  name: 'restore',
  summary: 'Replaces the database of a stopped service with a backup, and keeps the old files.',
  operand: 'BACKUP',
  flags: sharedFlags,
  async run(given, io) {
    const file = findDatabase(await assembleFor(given, io), io.cwd)
    const { restore } = await import('../../plugins/store/restore.ts')
    const kept = await onDatabase(restore(file, resolve(io.cwd, String(given.operand)), systemClock.now()))
    io.print(`Restored ${file}`)
    for (const each of kept) io.print(`Kept the old file as ${each}`)
    return 0
  },
})
