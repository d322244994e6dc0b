import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import * as v from 'valibot'
import type { Fallback } from '../../kernel/fallback.ts'
import {
  createLogger,
  definePlugin,
  gates,
  mount,
  notFound,
  policies,
  use,
  type MountedRoute,
  type Policy,
} from '../../kernel/index.ts'

const routes = {
  read: {
    method: 'GET',
    path: '/known',
    gate: gates.public,
    summary: 'Reads.',
    replies: { 200: v.object({}) },
  },
} as const
const hidden: Policy = {
  on: () => undefined,
  unknown: ({ path }) => (path === '/hidden' ? notFound() : undefined),
}
const known = definePlugin({ name: 'known', tag: 'Test', routes, gives: { policies } }).setup(() => ({
  gives: { policies: hidden },
  handlers: { read: () => ({ status: 200, body: {} }) },
}))

async function* slowly(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a stream ')
  await wait(100)
  yield Buffer.from('to its end')
}

/** Takes every path outside `/known`; `/stream` is answered with a stream. */
function everythingElse(seen: MountedRoute[]): (routes: readonly MountedRoute[]) => Fallback {
  return (routes) => {
    seen.push(...routes)
    return {
      takes: (path) => !path.startsWith('/known'),
      precedes: ({ method, path, header }) =>
        method === 'GET' && path === '/known' && header('accept') === 'text/html',
      async answer({ method, path }) {
        if (path === '/broken') throw new Error('canary')
        const body = path === '/stream' ? slowly() : Buffer.from(`${method} ${path}`)
        return {
          status: 200,
          headers: { etag: '"1"', 'content-type': 'text/plain', 'content-security-policy': [] },
          body,
        }
      },
    }
  }
}

const mounted = (seen: MountedRoute[] = []) =>
  mount({
    shape: 'standalone',
    plugins: [use(known)],
    env: {},
    log: createLogger({ level: 'silent' }),
    origins: { origins: ['https://listed.example'], hosts: ['here.example'] },
    fallback: everythingElse(seen),
  })

t.test('a fallback answers paths without a route, after policies, Host and Origin', async (t) => {
  const seen: MountedRoute[] = []
  const { inject, close } = mounted(seen)
  t.teardown(close)
  const headers = { host: 'here.example' }
  const cases: readonly (readonly [
    request: Parameters<typeof inject>[0],
    status: number,
    body: string | RegExp,
  ])[] = [
    [{ url: '/known', headers }, 200, '{}'],
    [{ url: '/known', headers: { ...headers, accept: 'text/html' } }, 200, 'GET /known'],
    [{ url: '/known', headers: { host: 'evil.example', accept: 'text/html' } }, 403, /host_not_allowed/],
    [{ url: '/known/more', headers }, 404, /No route matches/],
    [{ url: '/known', method: 'POST', headers }, 404, /No route matches/],
    [{ url: '/else?accessToken=x', headers }, 200, 'GET /else'],
    [{ url: '/else', method: 'POST', headers }, 200, 'POST /else'],
    [{ url: '/else', method: 'OPTIONS', headers }, 200, 'OPTIONS /else'],
    [{ url: '/known', method: 'OPTIONS', headers }, 400, /preflight/],
    [{ url: '/hidden', headers }, 404, /No route matches/],
    [{ url: '/else', headers: { host: 'evil.example' } }, 403, /host_not_allowed/],
    [
      { url: '/else', method: 'POST', headers: { ...headers, origin: 'https://evil.example' } },
      403,
      /origin_not_allowed/,
    ],
    [{ url: '/broken', headers }, 500, /internal_error/],
    [{ url: '/else', headers: { ...headers, 'if-none-match': 'W/"1"' } }, 304, ''],
    [{ url: '/stream', headers }, 200, 'a stream to its end'],
  ]
  for (const [request, status, body] of cases) {
    const answer = await inject(request)
    t.equal(answer.status, status, request.url)
    t.match(answer.text, body, request.url)
    t.notMatch(answer.text, /canary/)
    t.ok(answer.headers.has('x-request-id'))
  }
  t.strictSame(
    seen.map(({ spec }) => spec.path),
    ['/known'],
  )
  const { headers: sent } = await inject({
    url: '/else',
    headers: { ...headers, origin: 'https://listed.example' },
  })
  t.strictSame(
    ['access-control-allow-origin', 'content-security-policy', 'x-content-type-options'].map((name) =>
      sent.get(name),
    ),
    ['https://listed.example', null, 'nosniff'],
  )
})

t.test('close waits for the streams of a fallback and refuses new requests', async (t) => {
  const { fetch, close } = mounted()
  const ask = (path: string): Promise<Response> =>
    fetch(new Request(`http://here.example${path}`, { headers: { host: 'here.example' } }))
  const response = await ask('/stream')
  let isClosed = false
  const text = response.text().then((text) => {
    t.notOk(isClosed, 'the stream ends before close resolves')
    return text
  })
  await wait(20)
  const closing = close().then(() => (isClosed = true))
  await wait(10)
  t.equal((await ask('/else')).status, 503)
  t.equal(await text, 'a stream to its end')
  await closing
})
