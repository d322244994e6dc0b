import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { json as toJson } from 'node:stream/consumers'
import fc, { runs } from '../helpers/property.ts'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import type { Fallback } from '../../kernel/fallback.ts'
import { createHttpServer } from '../../kernel/http/server.ts'
import {
  definePlugin,
  defineRoutes,
  gate,
  mount,
  notFound,
  policies,
  use,
  type Gate,
  type Policy,
} from '../../kernel/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { listen } from '../helpers/raw.ts'

const hooked = gate('hooked')
const open = { gate: hooked, summary: '' } as const
const routes = defineRoutes({
  ops: { ...open, method: 'POST', path: '/ops', replies: { 200: v.object({}) } },
  one: { ...open, method: 'POST', path: '/x/:id', replies: { 200: v.object({ id: v.string() }) } },
})

/** The path that each component saw in the last request. */
interface SeenPaths {
  hook?: string
  policy?: string
  fallback?: string
}

/** A mount whose gate decides by path, like an auth hook; it never admits to `/ops`. */
function watched(t: Test, basePath: string) {
  let saw: SeenPaths = {}
  const asHook: Gate = {
    mounting: () => ({ mount: true }),
    admit({ path }) {
      const url = new URL('http://localhost')
      url.pathname = path
      saw.hook = url.pathname
      return url.pathname === '/ops'
        ? { admit: false, status: 401, error: 'unauthorized' }
        : { admit: true, caller: { via: 'hook' } }
    },
  }
  const noting: Policy = {
    on: () => ({ refuse: ({ path }) => void (saw.policy = path) }),
    unknown: ({ path }) => void (saw.policy = path),
  }
  const fallback = (): Fallback => ({
    takes: (path) => ((saw.fallback = path), path.startsWith('/files')),
    answer: () => Promise.reject(notFound()),
  })
  const plugin = definePlugin({ name: 'p', tag: 'P', gives: { hooked, policies }, routes }).setup(() => ({
    gives: { hooked: asHook, policies: noting },
    handlers: {
      ops: () => ({ status: 200, body: {} }),
      one: ({ params }) => ({ status: 200, body: params }),
    },
  }))
  const { log } = capturedLog('silent')
  const mounted = mount({ shape: 'library', env: {}, log, plugins: [use(plugin)], fallback }, { basePath })
  t.teardown(() => mounted.close())
  return { mounted, seenPaths: () => saw, forget: () => void (saw = {}) }
}

interface PathAnswer {
  readonly status: number
  readonly body: unknown
}

const letters = fc.constantFrom(...'opsx0-._~ä /\\#?%;@+$[|"^')
const spellings = [
  (letter: string) => letter,
  encodeURIComponent,
  (letter: string) =>
    [...Buffer.from(letter)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  (letter: string) =>
    [...Buffer.from(letter)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
]
const spelled = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  text.chain((letters) =>
    fc
      .tuple(...[...letters].map((letter) => fc.constantFrom(...spellings).map((spell) => spell(letter))))
      .map((parts) => parts.join('')),
  )
const anyPath = fc.oneof(
  spelled(fc.constantFrom(...'ops x/ops x/../ops ./ops /ops ops/ ops# ops? x\\..\\ops files/a'.split(' '))),
  spelled(fc.array(letters, { maxLength: 8 }).map((parts) => parts.join(''))).map((id) => `x/${id}`),
  fc
    .array(
      fc.constantFrom('', ...'ops x . .. % %2 %zz %C3 %c3%A4 %E0%80%AF %2e %25 %2561 %00 %7F'.split(' ')),
    )
    .map((parts) => parts.join('/')),
)

t.test('the auth hook, policies, router and fallback see the same path, or the answer is 400', async (t) => {
  for (const basePath of ['', '/api/orchestrator']) {
    const { mounted, seenPaths, forget } = watched(t, basePath)
    const port = await listen(t, createHttpServer(mounted.node))
    const overNode = async (path: string): Promise<PathAnswer> => {
      const sent = request({ port, path, method: 'POST' }).end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      return { status: response.statusCode ?? 0, body: await toJson(response) }
    }
    const overWeb = async (path: string): Promise<PathAnswer> => {
      const response = await mounted.fetch(new Request(`http://localhost${path}`, { method: 'POST' }))
      return { status: response.status, body: await response.json() }
    }
    for (const [face, ask] of Object.entries({ node: overNode, web: overWeb })) {
      const check = async (path: string): Promise<void> => {
        forget()
        const { status, body } = await ask(`${basePath}/${path}`)
        const saw = seenPaths()
        if (status === 400) {
          t.match(body, { code: 'bad_request', reason: /\.$/ }, path)
          t.strictSame(saw, {}, `${path}: refused before any other check`)
        } else if (status === 200) {
          const { id } = v.parse(v.object({ id: v.string() }), body)
          t.strictSame(saw.hook, saw.policy, path)
          t.equal(decodeURIComponent(saw.hook ?? ''), `/x/${id}`, path)
        } else if (status === 401) t.strictSame([saw.hook, saw.policy], ['/ops', '/ops'], path)
        else if (saw.policy !== undefined) t.equal(saw.fallback, saw.policy, path)
      }
      await t.test(`${face} below '${basePath}'`, () =>
        fc.assert(
          fc.asyncProperty(
            anyPath.filter((path) => !/[ ä"]/.test(path) || face === 'web'),
            check,
          ),
          { numRuns: runs(140) },
        ),
      )
    }
  }
})

t.test('legitimate characters in a path stay allowed, and have one spelling', async (t) => {
  const { mounted } = watched(t, '')
  const port = await listen(t, createHttpServer(mounted.node))
  const statusOf = async (path: string): Promise<number> => {
    const sent = request({ port, path, method: 'POST' }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode ?? 0
  }
  const fine = "a a.b .a ... ~ a%20b %C3%A4 %25 %2561 a@b %40 !$&'()*+,;=: %3B [a] a|b %22 a?b#c"
  const refused =
    '%61 %41 %30 %2D %2E %5F %7E %2F %5C %23 %3F %00 %0A %1F %7F a#b a\\b " ^ ` {} . .. ../x/a ./a /a ' +
    '%c3%a4 %zz % %4 %C3%28 %C0%AE %ED%A0%80 a%2Fb %2561%61'
  for (const path of fine.split(' ')) t.equal(await statusOf(`/x/${path}`), 200, path)
  for (const path of refused.split(' ')) t.equal(await statusOf(`/x/${path}`), 400, path)
  for (const path of ['/%6fps', '/%6Fps', '/ops#', '/./ops', '/x/../ops', '//ops', '/%2Fops'])
    t.equal(await statusOf(path), 400, path)
  t.equal(await statusOf('/ops'), 401)
})

t.test('a path outside the mount is passed to the host, in any spelling', async (t) => {
  const { mounted } = watched(t, '/api')
  const port = await listen(
    t,
    createHttpServer((request, response) =>
      mounted.node(request, response, () => void response.end('{"host":true}')),
    ),
  )
  const outside = [
    '/%61pi/ops',
    '//api/ops',
    '/x/../api/ops',
    '/a%2Fb',
    '/a\\b',
    '/api',
    `/${'a'.repeat(9000)}`,
  ]
  for (const path of outside) {
    const sent = request({ port, path, method: 'POST' }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    t.strictSame([response.statusCode, await toJson(response)], [200, { host: true }], path.slice(0, 20))
  }
})
