import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { pageOf } from '../helpers/content.ts'
import { largePng } from '../helpers/media-files.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { example, needs, proxies } from '../helpers/proxies.ts'
import { serveDemo } from '../helpers/serve-demo.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { startService } from '../prove/service.ts'

for (const [name, start] of Object.entries(proxies)) {
  t.test(`behind ${name}, with the example of the chapter`, needs(name), async (t) => {
    const { port } = await serveDemo(t, {
      TRUST_PROXY: '127.0.0.1',
      ACCESS_PASSWORD_HASH: hash('sha256', 'the password'),
      ORCHESTRATOR_ACCESS_TOKEN: 'a-token-for-this-test-only',
    })
    const proxy = await start(t, `127.0.0.1:${port}`)
    const headers = { 'x-access-token': 'a-token-for-this-test-only', 'content-type': 'application/json' }
    const at = { siteId: 'demo', session: 'dev' }

    const stop = new AbortController()
    t.teardown(() => stop.abort())
    const stream = await fetch(`${proxy}/events?siteId=demo&session=dev`, { headers, signal: stop.signal })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let heard = ''
    const hears = async (word: string): Promise<void> => {
      while (!heard.includes(word)) heard += (await reader?.read())?.value ?? ''
    }
    await hears('hello')
    const ops = [{ op: 'update_page_meta', pageSlug: '/', patch: { title: `Behind ${name}` } }]
    const edit = { method: 'POST', headers, body: JSON.stringify({ ...at, ops }) }
    t.equal((await fetch(`${proxy}/ops`, edit)).status, 200)
    await hears('previewVersion')
    t.pass('an event arrives while the stream is open')

    const picture = new FormData()
    const image = new Blob([Uint8Array.from(largePng(3 * 1024 * 1024))], { type: 'image/png' })
    picture.set('image', image, 'large.png')
    const credential = { 'x-access-token': headers['x-access-token'] }
    const sending = { method: 'POST', headers: credential, body: picture }
    const upload = await fetch(`${proxy}/image/upload`, sending)
    t.equal(upload.status, 200, 'an upload of 3 MB passes')

    const statuses = []
    for (let n = 0; n < 30; n += 1) {
      const body = JSON.stringify({ password: `wrong ${n}` })
      const forged = { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${n}` }
      statuses.push((await fetch(`${proxy}/auth/verify`, { method: 'POST', headers: forged, body })).status)
    }
    t.ok(statuses.includes(429), 'a forged address does not escape the limit of passwords')
  })
}

async function restartInTurn(t: Test, name: keyof typeof proxies) {
  const database = await (await startPostgres(t)).database()
  const open = async (folder: string, port = 0) => {
    const env = { DATABASE_URL: database, TRUST_PROXY: '127.0.0.1' }
    const service = startService(folder, { port, env })
    t.teardown(() => service.kill('SIGKILL'))
    return { folder, service, port: (await service.ready).port }
  }
  const running = await Promise.all([open(temporaryFolder(t)), open(temporaryFolder(t))])
  const proxy = await proxies[name](t, ...running.map(({ port }) => `127.0.0.1:${port}`))
  const over = new AbortController()
  const write = async (session: string): Promise<readonly number[]> => {
    const statuses: number[] = []
    while (!over.signal.aborted) {
      const pages = [{ ...pageOf('/'), title: `Title ${statuses.length}` }]
      const body = JSON.stringify({ siteId: 'acme', session, pages })
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${proxy}/draft/bootstrap`, { method: 'POST', headers, body })
      await answer.arrayBuffer()
      statuses.push(answer.status)
    }
    return statuses
  }
  const writers = Promise.all(['a', 'b', 'c', 'd'].map(write))
  for (const { folder, service, port } of running) {
    await pause(1000)
    service.kill('SIGTERM')
    await service.gone
    await open(folder, port)
  }
  over.abort()
  const statuses = (await writers).flat()
  t.ok(statuses.length > 50, `${statuses.length} writes`)
  t.strictSame(
    statuses.filter((status) => status !== 200),
    [],
  )
}

for (const name of ['nginx', 'caddy'] as const) {
  t.test(`behind ${name} a rolling restart of two processes refuses no request`, needs(name), (t) =>
    restartInTurn(t, name),
  )
}

t.test('behind caddy a request waits while the service restarts', needs('caddy'), async (t) => {
  const first = await serveDemo(t)
  const proxy = await proxies.caddy(t, `127.0.0.1:${first.port}`)
  await first.stop()
  const waiting = fetch(`${proxy}/draft/slugs?siteId=demo&session=dev`)
  await pause(500)
  await serveDemo(t, {}, first)
  t.equal((await waiting).status, 200)
})

t.test('the unit of systemd is valid', needs('systemd-analyze'), async (t) => {
  const unit = example('content-orchestrator.service').replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true')
  const file = join(temporaryFolder(t), 'content-orchestrator.service')
  writeFileSync(file, unit)
  t.equal(execFileSync('systemd-analyze', ['verify', file]).toString(), '')
})
