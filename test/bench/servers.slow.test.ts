import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { startServer } from './harness.ts'

// The benchmarks do not run in CI; this shows that their servers start.
for (const name of [
  'bare',
  'standalone',
  'chat',
  'ticking',
  'expressMount',
  'expressAlone',
  'honoMount',
  'honoAlone',
  'plain',
  'fastify',
  'hono',
  'express',
]) {
  void t.test(`the measured server '${name}' starts and answers`, async (t) => {
    const starting = startServer(name, {
      dataDir: t.testdir(),
      token: 'for-the-measurement',
      file: import.meta.filename,
    })
    const server = await Promise.race([starting, setTimeout(30_000, undefined, { ref: false })])
    if (!server) return t.fail('it did not start')
    t.equal((await fetch(`${server.url}/health`)).status, 200)
    await server.stop()
  })
}
