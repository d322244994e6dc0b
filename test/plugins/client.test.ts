import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { request as forward } from 'node:http'
import { build } from 'rolldown'
import t, { type Test } from 'tap'
import { ApiError, createClient } from '../../plugins/client/client.ts'
import { png } from '../helpers/media-files.ts'
import { serve } from '../helpers/raw.ts'
import { startStack, textBlock } from '../helpers/stack.ts'
import { startSite } from '../helpers/upstream.ts'
import { pathOf } from '../surface/doors.ts'

const at = { session: 'dev', siteId: 'acme' }
const page = {
  id: 'p_home',
  slug: '/',
  title: 'Home',
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: [textBlock('b_1', 'First words')],
}
const retitle = (newTitle: string) => ({
  body: { ...at, ops: [{ op: 'rename_page' as const, pageSlug: '/', newTitle }] },
})

/** The error that the client throws for a refusal. */
async function refusalOf(answer: Promise<unknown>): Promise<ApiError> {
  return answer.then(
    () => Promise.reject(new Error('it was answered')),
    (error: unknown) => (error instanceof ApiError ? error : Promise.reject(error)),
  )
}

/**
 * A proxy to the service that cuts every event stream after so many events, like a bad network; with `status`, it refuses the
 * next one, as for a process that is replaced.
 */
async function cuttingProxy(t: Test, to: number, after: number, status?: number) {
  const asked: (string | undefined)[] = []
  let isCut = false
  const origin = await serve(t, (incoming, response) => {
    const { method, url, headers } = incoming
    if (isCut && status !== undefined) {
      isCut = false
      return void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No process</h1>')
    }
    incoming.pipe(
      forward({ port: to, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        if (answer.headers['content-type'] !== 'text/event-stream') return void answer.pipe(response)
        asked.push(headers['last-event-id']?.toString())
        let events = 0
        answer.on('data', (part: Buffer) => {
          response.write(part)
          events += part.toString().split('data:').length - 1
          if (events >= after) {
            isCut = true
            answer.destroy()
            setImmediate(() => response.destroy())
          }
        })
      }),
    )
  })
  return { url: `${origin}/`, asked }
}

/** A client of a service with a page, and a proxy that cuts its event streams. */
async function interrupted(t: Test, after: number, status?: number) {
  const { origin, port } = await startStack(t)
  const direct = createClient({ url: origin })
  await direct.call('POST /draft/bootstrap', { body: { ...at, pages: [page] } })
  return { direct, proxy: await cuttingProxy(t, port, after, status) }
}

t.test('the bundle of the client, with its dependencies, is smaller than 6 KB', async (t) => {
  const { output } = await build({
    input: pathOf('plugins/client/client.ts'),
    platform: 'browser',
    write: false,
    output: { format: 'esm', minify: true },
    logLevel: 'silent',
  })
  const [{ code }] = output
  t.ok(Buffer.byteLength(code) < 6 * 1024, `${Buffer.byteLength(code)} bytes`)
  t.notMatch(code, /from ?["']node:|import ?["']node:/)
})

t.test('the client has the routes of every plugin except those of websites and of the studio', async (t) => {
  const text = await readFile(pathOf('plugins/client/service-routes.ts'), 'utf8')
  const known = [...text.matchAll(/\.\.\/([\w/-]+)\/routes\.ts/g)].map(
    ([, room]) => `plugins/${room}/routes.ts`,
  )
  const others = ['plugins/site/routes.ts', 'plugins/studio/routes.ts']
  const tables = globSync('plugins/**/routes.ts', { cwd: pathOf('.') })
  t.strictSame(known.toSorted(), tables.filter((path) => !others.includes(path)).toSorted())
})

t.test('the client edits, reads, uploads and downloads over a socket', async (t) => {
  const { origin } = await startStack(t)
  const client = createClient({ url: `${origin}/` })
  await client.call('POST /draft/bootstrap', { body: { ...at, pages: [page] } })
  const { previewVersion, appliedCount } = await client.call('POST /ops', retitle('Welcome'))
  t.same([previewVersion, appliedCount], [2, 1])
  t.equal((await client.call('GET /draft/pages', { query: { ...at, slug: '/' } })).title, 'Welcome')
  t.same(await client.call('GET /draft/slugs', { query: at }).then(({ slugs }) => slugs), ['/'])

  const dot = png(2, 2)
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(dot)], { type: 'image/png' }), 'dot.png')
  const { fileName } = await client.call('POST /image/upload', { form })
  const file = await client.call('GET /generated-images/:fileName', { params: { fileName } })
  t.same([file.type, Buffer.from(await file.arrayBuffer())], ['image/png', dot])
  t.match(await client.call('GET /metrics'), /^# HELP/)
})

t.test('a refusal is thrown as an error with the status, code and reason of the service', async (t) => {
  const token = 'fixed-token-of-the-test'
  const { origin } = await startStack(t, {
    env: { ORCHESTRATOR_ACCESS_TOKEN: token, ORCHESTRATOR_GATE: 'all' },
  })
  const client = createClient({ url: origin, token })
  await client.call('POST /draft/bootstrap', { body: { ...at, pages: [page] } })
  const late = { ...retitle('Late'), headers: { 'if-match': '"7"' } }
  t.match(await refusalOf(client.call('POST /ops', late)), {
    status: 409,
    code: 'version_mismatch',
    message: /^POST \/ops was refused with 409: .{10,}/,
    body: { code: 'version_mismatch' },
  })
  const stranger = await refusalOf(createClient({ url: origin }).call('GET /draft/slugs', { query: at }))
  t.match(stranger, { status: 401, code: 'unauthorized' })
  let status = 502
  const bad = await startSite(t, (_, response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  )
  t.match(await refusalOf(createClient({ url: bad.origin }).call('GET /health')), {
    status: 502,
    code: /^$/,
    message: 'GET /health was refused with 502: no reason given',
    body: '<h1>Bad gateway</h1>',
  })
  status = 404
  const message = /was refused with 404: the answer is not from the service; 'url' needs the base path/
  t.match(await refusalOf(createClient({ url: bad.origin }).call('GET /health')), { message })
  await t.rejects(createClient({ url: 'http://127.0.0.1:1' }).call('GET /health'), TypeError)
})

for (const status of [undefined, 502, 503])
  t.test(
    `a stream resumes after the last event, without loss, ${status ? `past a ${status}` : 'at once'}`,
    async (t) => {
      const { direct, proxy } = await interrupted(t, 3, status)
      const seen: number[] = []
      let title = 0
      const { signal } = new AbortController()
      const client = createClient({ url: proxy.url })
      for await (const { id, data } of client.stream('GET /events', { query: at, signal })) {
        if (data.type === 'hello') t.ok(id === undefined || /^\S+$/.test(id))
        if (data.type === 'draft') seen.push(data.previewVersion)
        if (seen.length === 5) break
        await direct.call('POST /ops', retitle(`Title ${(title += 1)}`))
      }
      t.same(seen, [2, 3, 4, 5, 6])
      const [first, ...later] = proxy.asked
      t.ok(first === undefined && later.length > 0 && later.every((id) => id !== undefined))
    },
  )

t.test('with resume: false an interruption ends a stream, and the next one goes on after it', async (t) => {
  const { direct, proxy } = await interrupted(t, 2)
  const client = createClient({ url: proxy.url })
  let lastEventId: string | undefined
  const types: string[] = []
  for (let round = 0; round < 2; round += 1) {
    const follow = async (): Promise<void> => {
      const events = client.stream('GET /events', { query: at, lastEventId, resume: false })
      for await (const { id, data } of events) {
        lastEventId = id ?? lastEventId
        types.push(data.type)
        await direct.call('POST /ops', retitle(`Title ${types.length}`))
      }
    }
    await t.rejects(follow(), TypeError)
  }
  t.same(types, ['hello', 'draft', 'hello', 'draft'])
  t.equal(lastEventId, '3')
})

t.test('a chat stream is followed to its end, and not reopened', async (t) => {
  const { origin } = await startStack(t)
  const client = createClient({ url: origin })
  await client.call('POST /draft/bootstrap', { body: { ...at, pages: [page] } })
  const { streamId } = await client.call('POST /chat/start', {
    body: { ...at, slug: '/', message: 'Rename this page to "Hello"' },
  })
  const types: string[] = []
  for await (const { data } of client.stream('GET /chat/stream', { query: { ...at, streamId } }))
    types.push(data.type)
  t.equal(types.at(-1), 'final')
  await t.rejects(client.stream('GET /chat/stream', { query: { ...at, streamId: 'unknown' } }).next(), {
    name: 'ApiError',
    status: 410,
  })
})

t.test('an aborted stream throws the reason, also during the reconnect delay', async (t) => {
  const gone = await startSite(t, (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end('data: {"type":"hello","previewVersion":1}\n\n'),
  )
  const leaving = new AbortController()
  const stream = createClient({ url: gone.origin }).stream('GET /events', { signal: leaving.signal })
  t.match((await stream.next()).value, { data: { type: 'hello' }, id: undefined })
  const next = stream.next()
  setImmediate(() => leaving.abort(new Error('left')))
  await t.rejects(next, { message: 'left' })
})

t.test('a POST that answers with a stream is not retried', async (t) => {
  const type = { 'content-type': 'text/event-stream' }
  const cut = await startSite(t, (_, response) =>
    response.writeHead(200, type).end('event: partial\nid: 4\ndata: {"type":"partial"}\n\n'),
  )
  const client = createClient({ url: cut.origin, headers: { 'x-publish-token': 'kept' } })
  const asked = client.stream('POST /image/generate/chat', { body: { prompt: 'A red bicycle' } })
  t.same(await Array.fromAsync(asked), [{ id: '4', event: 'partial', data: { type: 'partial' } }])
  const headers = { 'x-publish-token': 'kept', 'content-type': 'application/json' }
  t.match(cut.seen, [{ method: 'POST', body: '{"prompt":"A red bicycle"}', headers }])
  t.equal(cut.seen.length, 1)
})
