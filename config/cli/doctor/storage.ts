import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemClock } from '../../../kernel/index.ts'
import { isLoopbackHost } from '../../../plugins/auth/port.ts'
import { loadSqlite, loadTransfer, newestBackup } from '../../../plugins/store/index.ts'
import type { Assembly } from '../../assemble.ts'
import type { Io } from '../shared/command.ts'
import { databaseOf } from '../shared/database.ts'
import { ok, unsafe, warn, type CheckResult, type Finding } from './finding.ts'

/** From here on a difference of clocks is a warning. */
const secondsApart = 5
const usualHours = 24
const hourMs = 3_600_000

/** Checks the database, the processes that share it, and the backups. Throws a BootError if it cannot be used. */
export async function* checkStorage(assembly: Assembly, io: Io): AsyncGenerator<Finding> {
  const { inHouse, url, file } = databaseOf(assembly)
  if (inHouse !== undefined) return
  if (url === undefined) {
    if (file === ':memory:') return
    const path = resolve(io.cwd, file)
    const { checkStart } = await loadSqlite()
    checkStart(path)
    yield { item: 'Backups', ...(await checkCopies(path, assembly.env)) }
    return
  }
  yield { item: 'Database', ...checkEncryption(url, assembly.env['PGSSLMODE']) }
  yield {
    item: 'Backups',
    ...warn(
      'The service makes no backups of PostgreSQL, and cannot see those of others: schedule the command backup, or check that the provider of the database makes them.',
    ),
  }
  yield* await checkProcesses(url)
}

/** Whether others between this machine and the database can read what is sent. */
export function checkEncryption(url: string, usualMode: string | undefined): CheckResult {
  const { host = '', searchParams } = URL.parse(url) ?? {}
  const name = searchParams?.get('host') ?? host
  if (name === '' || name.startsWith('/') || isLoopbackHost(name))
    return ok('The database is on this machine.')
  const mode = searchParams?.get('sslmode') ?? usualMode ?? 'disable'
  const isOn = mode !== 'disable' || ['1', 'true'].includes(searchParams?.get('ssl') ?? '')
  if (mode === 'no-verify')
    return warn(`The certificate of ${name} is not verified; use sslmode=verify-full and sslrootcert.`)
  if (isOn) return ok(`The connection to ${name} is encrypted.`)
  // A name without dots exists only in a network of containers.
  const judge = host.includes('.') || host.includes('[') ? unsafe : warn
  return judge(
    `The connection to ${name} is not encrypted; add sslmode=verify-full to the address of the database.`,
  )
}

async function checkProcesses(url: string): Promise<readonly Finding[]> {
  const { processesOf } = await loadTransfer()
  const processes = await processesOf(url)
  if (processes.length === 0)
    return [{ item: 'Processes', ...ok('No server reports that it uses the database.') }]
  const versions = [...new Set(processes.map(({ version }) => version))].sort().join(' and ')
  const count = `${processes.length} server${processes.length === 1 ? ' uses' : 's use'} the database`
  const apart = Math.max(...processes.map(({ aheadSeconds }) => Math.abs(aheadSeconds)))
  return [
    {
      item: 'Processes',
      ...(versions.includes(' and ')
        ? warn(`${count}, with the versions ${versions}; finish the update.`)
        : ok(`${count}, with version ${versions}.`)),
    },
    {
      item: 'Clocks',
      ...(apart >= secondsApart
        ? warn(
            `A server and the database are ${Math.round(apart)} seconds apart; set the clocks of both by NTP.`,
          )
        : ok('The clocks of the servers and of the database agree.')),
    },
  ]
}

async function checkCopies(file: string, env: Assembly['env']): Promise<CheckResult> {
  if (!existsSync(file)) return ok('There is no database yet. The service creates one and backs it up.')
  const hours = Number(env['ORCHESTRATOR_DB_BACKUP_INTERVAL_HOURS'] ?? usualHours)
  const newest = await newestBackup(file)
  if (newest === undefined)
    return warn(`${file} has no backup yet. The service makes the first one a minute after its start.`)
  const age = systemClock.now().getTime() - newest.getTime()
  const made = `The newest backup of ${file} was made at ${newest.toISOString()}`
  return age > 2 * hours * hourMs
    ? warn(`${made}. Check that the service is running, and its log for failed backups.`)
    : ok(`${made}.`)
}
