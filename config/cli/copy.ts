import { resolve } from 'node:path'
import { databaseUrl, type DatabaseAddress } from '../../plugins/store/index.ts'
import { defineCommand, UsageError } from './shared/command.ts'
import { databaseName, onDatabase, addressOf } from './shared/database.ts'
import { assembleFor, sharedFlags } from './shared/installation.ts'
import { transferAll } from './shared/transfer.ts'

const usage = "'copy' needs --from, --to or both, each a file or postgres://user@host/database"

export const copy = defineCommand({
  name: 'copy',
  summary:
    'Copies everything between an SQLite file and PostgreSQL while the service is stopped, and verifies it.',
  flags: {
    from: { value: 'FILE|URL', help: 'The source; the database of the installation without it.' },
    to: {
      value: 'FILE|URL',
      help: 'The target, which must be empty; the database of the installation without it.',
    },
    ...sharedFlags,
  },
  async run(given, io) {
    const assembly = await assembleFor(given, io)
    const read = (text: string | undefined): DatabaseAddress => {
      if (text === undefined) return addressOf(assembly, io)
      const url = databaseUrl({ options: { url: text }, env: {} })
      if (url !== undefined) return { url }
      if (text.includes('://')) throw new UsageError(usage)
      return { file: resolve(io.cwd, text) }
    }
    if (!given.has('from') && !given.has('to')) throw new UsageError(usage)
    const [from, to] = [read(given.get('from')), read(given.get('to'))]
    const copied = await onDatabase(() => transferAll(assembly, io, { from, to }))
    io.print(`Copied and verified ${copied}, from ${databaseName(from)} to ${databaseName(to)}.`)
  },
})
