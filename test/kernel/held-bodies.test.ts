import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { bodyLimits, createHeldBodies, type HeldBody } from '../../kernel/http/held-bodies.ts'
import { createHttpServer } from '../../kernel/http/server.ts'
import type { Upload } from '../../kernel/index.ts'
import { everyWayIn, mountForTest } from '../../kernel/testing.ts'
import { plain } from '../helpers/plain.ts'
import { dial, exchange, listen, toAnswers } from '../helpers/raw.ts'
import { until } from '../helpers/until.ts'

const kibibyte = 1024
const common = { maxBytes: 1024 * kibibyte, replies: { 200: v.object({ size: v.number() }) } }
const upload = { fields: [], types: ['text/plain'], maxBytes: 1024 * kibibyte }
const bodies = { total: 1024 * kibibyte, perAddress: 512 * kibibyte }
const sized = (size: number) => ({ status: 200, body: { size } }) as const

/** Routes with bodies; the handlers of `/slow` and `/late` run until `finish` is called. */
function setting() {
  const finish: (() => void)[] = []
  const raw = { ...common, raw: true } as const
  const later = ({ body }: { body: Uint8Array }) =>
    new Promise((resolve) => finish.push(() => resolve(sized(body.byteLength))))
  const routes = plain({
    'POST /read': { ...common, body: v.string(), answer: ({ body }: { body: string }) => sized(body.length) },
    'POST /raw': { ...raw, answer: ({ body }: { body: Uint8Array }) => sized(body.byteLength) },
    'POST /upload': {
      ...common,
      upload,
      answer: async ({ body }: { body: Upload }) => {
        const { taken = [] } = await body.receive(({ bytes }) => Array.fromAsync(bytes))
        return sized(Buffer.concat(taken).byteLength)
      },
    },
    'POST /passing': {
      ...common,
      upload,
      answer: async ({ body }: { body: Upload }) => {
        let size = 0
        await body.receive(async ({ bytes, release }) => {
          for await (const part of bytes) {
            size += part.byteLength
            release(part)
          }
        })
        return sized(size)
      },
    },
    'POST /slow': { ...raw, answer: later },
    'POST /late': { ...raw, timeoutMs: 20, answer: later },
    'POST /failing': { ...common, body: v.number(), answer: () => sized(0) },
  })
  return { plugins: [routes], bodies, finish }
}

const large = 200 * kibibyte
const json = (size: number) => ({ 'content-type': 'application/json', 'content-length': String(size) })
const form = (size: number) => ({
  'content-type': 'multipart/form-data; boundary=b',
  'content-length': String(size),
})
const disposition = 'Content-Disposition: form-data; name="file"; filename="a.txt"'
const beginnings = {
  '/read': { headers: json, bytes: '"' },
  '/raw': { headers: (size: number) => ({ 'content-length': String(size) }), bytes: '' },
  '/upload': { headers: form, bytes: `--b\r\n${disposition}\r\nContent-Type: text/plain\r\n\r\n` },
} as const

/** Waits in turns of the loop, in which the server runs too, however busy the machine is. */
async function turns(ms: number): Promise<undefined> {
  for (let passed = 0; passed < ms; passed += 5) await wait(5)
  return undefined
}

/** Sends most of a body over a socket and then stalls. */
async function stall(t: Test, port: number, path: keyof typeof beginnings) {
  const { headers, bytes } = beginnings[path]
  const socket = await dial(t, port)
  let received = ''
  socket.on('data', (chunk: Buffer) => void (received += chunk.toString('latin1')))
  const lines = Object.entries(headers(large + 50 * kibibyte)).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n${bytes}${'x'.repeat(large)}`,
  )
  await turns(100)
  return { socket, answers: () => toAnswers(received) }
}

t.test('stalled bodies use no more than their share, small ones pass, and memory is released', async (t) => {
  const { plugins } = setting()
  const mounted = mountForTest(t, { plugins, bodies })
  await mounted.ready()
  const port = await listen(t, createHttpServer(mounted.node))
  for (const path of ['/read', '/raw', '/upload'] as const) {
    const first = await stall(t, port, path)
    t.strictSame(first.answers(), [], `${path}: the first stays open`)
    const second = await stall(t, port, path)
    const busy = { status: 503, body: /"code":"too_many_bodies".*Send the request again/ }
    t.match(second.answers(), [busy], path)
    t.equal(second.answers()[0]?.headers.get('retry-after'), '5')
    const small = 'POST /raw HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc'
    t.match((await exchange(t, port, small, 200)).answers, [{ status: 200 }], `${path}: a small body`)
    first.socket.destroy()
    await turns(50)
    const third = await stall(t, port, path)
    t.strictSame(third.answers(), [], `${path}: the bytes of a closed connection are released`)
    third.socket.destroy()
    await turns(50)
  }
})

t.test('bodies of web requests share one limit, because their sender is unknown', async (t) => {
  const { plugins } = setting()
  const mounted = mountForTest(t, { plugins, bodies })
  const send = (path: keyof typeof beginnings) => {
    const { headers, bytes } = beginnings[path]
    let end = (): void => undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(bytes + 'x'.repeat(large)))
        end = () => controller.error(new Error('gone'))
      },
    })
    const init = { method: 'POST', headers: headers(large), body, duplex: 'half' } as const
    const answer = mounted.fetch(new Request(`http://localhost${path}`, init)).catch(() => undefined)
    return { end, answer, status: async () => (await Promise.race([answer, turns(50)]))?.status }
  }
  for (const path of ['/read', '/raw', '/upload'] as const) {
    const stalled = [send(path), send(path), send(path)]
    for (const each of stalled) t.equal(await each.status(), undefined, path)
    t.equal(await send(path).status(), 503, path)
    for (const { end, answer } of stalled) {
      end()
      await answer
    }
    const again = send(path)
    t.equal(await again.status(), undefined, `${path}: released`)
    again.end()
    await again.answer
  }
})

t.test('a forwarded file is counted only while it is in transit', (t) =>
  everyWayIn(
    t,
    () => ({ plugins: setting().plugins, bodies: { total: 300 * kibibyte, perAddress: 300 * kibibyte } }),
    async (t, ask) => {
      const size = 200 * kibibyte
      const { headers, bytes } = beginnings['/upload']
      const post = (url: string, body: string, type: string) =>
        ask({ method: 'POST', url, body, headers: { 'content-type': type } })
      const passing = () =>
        post('/passing', `${bytes}${'x'.repeat(size)}\r\n--b--\r\n`, headers(0)['content-type'])
      for (let time = 0; time < 3; time++) {
        const answers = await Promise.all([passing(), passing()])
        t.match(answers.find(({ status }) => status === 200)?.json(), { size })
      }
      t.equal((await post('/raw', 'x'.repeat(size), 'text/plain')).status, 200, 'and is released once')
    },
  ),
)

t.test('a body is counted until its handler has ended, even after a timeout', (t) => {
  let finish: (() => void)[] = []
  return everyWayIn(
    t,
    () => {
      const made = setting()
      finish = made.finish
      return { plugins: made.plugins, bodies: { total: 400 * kibibyte, perAddress: 400 * kibibyte } }
    },
    async (t, ask) => {
      const post = (url: string, body = 'x'.repeat(large)) =>
        ask({ method: 'POST', url, body, headers: { 'content-type': 'application/json' } })
      const slow = post('/slow')
      await until(() => finish.length > 0, 'the handler')
      t.equal((await post('/raw')).status, 503)
      finish.pop()?.()
      t.equal((await slow).status, 200)
      t.equal((await post('/raw')).status, 200)

      t.match((await post('/late')).json(), { code: 'timed_out' })
      t.equal((await post('/raw')).status, 503, 'the handler still holds it')
      finish.pop()?.()
      await until(async () => (await post('/raw')).status === 200, 'the body to be released')

      for (let time = 0; time < 3; time++)
        t.equal((await post('/failing', `"${'x'.repeat(large)}"`)).status, 400)
      t.equal((await post('/raw')).status, 200, 'the bytes of a refused body are released')
    },
  )
})

t.test('every limit of bodies accepts its maximum and refuses one byte more', (t) => {
  const overhead = 256
  const add = (body: HeldBody, bytes: number): string => {
    try {
      body.add(bytes - overhead)
      return 'held'
    } catch (refusal) {
      return refusal instanceof Error && 'code' in refusal ? String(refusal.code) : ''
    }
  }
  const [total, perAddress, small] = [1_000_000, 400_000, 64 * kibibyte]
  const open = createHeldBodies({ total, perAddress })
  const [one, two] = [open('192.0.2.1'), open('192.0.2.1')]
  t.equal(add(one, 300_000), 'held', 'three quarters of the limit per address')
  t.equal(add(two, small + 1), 'too_many_bodies')
  t.equal(add(two, small), 'held', 'the last quarter is reserved for small bodies')
  t.equal(add(two, 1), 'too_many_bodies', 'no longer small')
  t.equal(add(open('192.0.2.1'), 400_000 - 300_000 - small), 'held')
  t.equal(add(open('192.0.2.1'), 1), 'too_many_bodies')
  one.release(undefined)
  two.release(undefined)
  t.equal(add(open('192.0.2.1'), 200_000), 'held', 'released')

  const unknown = open(undefined)
  t.equal(add(unknown, 750_000 - 200_000 - 34_464), 'held', 'three quarters of the total')
  t.equal(add(open('192.0.2.2'), small + 1), 'too_many_bodies')
  for (let at = 0; at < 3; at++) t.equal(add(open(`192.0.2.${at + 2}`), small), 'held')
  t.equal(add(open('192.0.2.9'), 250_000 - 3 * small), 'held')
  t.equal(add(open('192.0.2.9'), 1), 'too_many_bodies')
  t.ok(bodyLimits.perAddress * 0.75 > 64 * kibibyte * kibibyte, 'the largest body of a route fits')
  t.end()
})
