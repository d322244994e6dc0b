import { dirname, join, resolve } from 'node:path'
import { systemClock } from '../../kernel/index.ts'
import { backupOf, loadBackups, loadTransfer } from '../../plugins/store/index.ts'
import { defineCommand } from './shared/command.ts'
import { databaseName, onDatabase, addressOf } from './shared/database.ts'
import { assembleFor, sharedFlags } from './shared/installation.ts'
import { transferAll } from './shared/transfer.ts'

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copies the database, also while the service runs, verifies the copy and prints its path.',
  operand: '[FILE]',
  flags: sharedFlags,
  async run(given, io, operand) {
    const assembly = await assembleFor(given, io)
    const from = addressOf(assembly, io, { usesFolder: true })
    const own =
      'file' in from ? from.file : join(resolve(io.cwd, assembly.settings.dataDir.value), 'postgres')
    const to = operand === undefined ? backupOf(own, systemClock.now()) : resolve(io.cwd, operand)
    await onDatabase(async () => {
      if ('file' in from) return (await loadBackups()).backUp(from.file, to)
      const copied = await transferAll(assembly, io, { from, to: { file: to }, mayBeUsed: true })
      io.printError(`Copied ${copied}. The files are in ${join(dirname(to), 'generated-images')}.`)
    })
    io.print(to)
  },
})

export const restore = defineCommand({
  name: 'restore',
  summary: 'Replaces the database of a stopped service with a backup, and keeps the old content.',
  operand: 'BACKUP',
  flags: sharedFlags,
  async run(given, io, operand = '') {
    const assembly = await assembleFor(given, io)
    const to = addressOf(assembly, io)
    const [from, now] = [resolve(io.cwd, operand), systemClock.now()]
    const lines = await onDatabase(async () => {
      if ('file' in to) {
        const { restore } = await loadBackups()
        return (await restore(to.file, from, now)).map((each) => `Kept the old file as ${each}`)
      }
      const { restorePostgres } = await loadTransfer()
      const fill = () => transferAll(assembly, io, { from: { file: from }, to, mayBeUsed: true })
      const schema = await restorePostgres(to.url, from, { now, fill })
      return schema === undefined
        ? []
        : [`Kept the old content as the schema ${schema}; drop it when you need it no more`]
    })
    io.print([`Restored ${databaseName(to)}`, ...lines].join('\n'))
  },
})
