import { resolve } from 'node:path'
import { systemClock } from '../../kernel/index.ts'
import { assemble } from '../assemble.ts'
import { defineCommand } from './shared/command.ts'
import { findDatabase, inSentences } from './shared/database.ts'
import { readShared, sharedFlags } from './shared/flags.ts'

export const restore = defineCommand({
  name: 'restore',
  summary: 'Puts a backup in the place of the database of a stopped service, and keeps what was there.',
  operand: 'BACKUP',
  flags: sharedFlags,
  async run(given, io) {
    const file = findDatabase(await assemble(io, readShared(given)), io.cwd)
    const { restore } = await import('../../plugins/store/restore.ts')
    const kept = await inSentences(restore(file, resolve(io.cwd, String(given.operand)), systemClock.now()))
    io.line(`Restored ${file}`)
    for (const each of kept) io.line(`Kept what was there as ${each}`)
    return 0
  },
})
