import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import * as v from 'valibot'
import type { Fallback } from '../../kernel/fallback.ts'
import {
  createLogger,
  definePlugin,
  mount,
  notFound,
  policies,
  use,
  type MountedRoute,
  type Policy,
} from '../../kernel/index.ts'
import { plain } from '../helpers/plain.ts'

const unknown: Policy['unknown'] = ({ path }) => (path === '/hidden' ? notFound() : undefined)
const hiding = definePlugin({ name: 'hiding', tag: 'Test', gives: { policies } }).setup(() => ({
  gives: { policies: { on: () => undefined, unknown } },
}))
const known = plain({
  'GET /known': { replies: { 200: v.object({}) }, answer: () => ({ status: 200, body: {} }) },
})

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
    plugins: [known, use(hiding)],
    env: {},
    log: createLogger({ level: 'silent' }),
    origins: { origins: ['https://listed.example'], hosts: ['here.example'] },
    fallback: everythingElse(seen),
  })

t.test('a fallback answers paths without a route, after policies, Host and Origin', async (t) => {
  const seen: MountedRoute[] = []
  const { inject, close } = mounted(seen)
  t.teardown(close)
  const [accept, evil] = [{ accept: 'text/html' }, { host: 'evil.example' }]
  type Case = readonly [url: string, status: number, body: string | RegExp, headers?: object, method?: string]
  const cases: readonly Case[] = [
    ['/known', 200, '{}'],
    ['/known', 200, 'GET /known', accept],
    ['/known', 403, /host_not_allowed/, { ...evil, ...accept }],
    ['/known/more', 404, /No route matches/],
    ['/known', 404, /No route matches/, {}, 'POST'],
    ['/else?accessToken=x', 200, 'GET /else'],
    ['/else', 200, 'OPTIONS /else', {}, 'OPTIONS'],
    ['/known', 400, /preflight/, {}, 'OPTIONS'],
    ['/hidden', 404, /No route matches/],
    ['/else', 403, /host_not_allowed/, evil],
    ['/else', 403, /origin_not_allowed/, { origin: 'https://evil.example' }, 'POST'],
    ['/broken', 500, /internal_error/],
    ['/else', 304, '', { 'if-none-match': 'W/"1"' }],
    ['/stream', 200, 'a stream to its end'],
  ]
  for (const [url, status, body, headers, method = 'GET'] of cases) {
    const answer = await inject({ url, method, headers: { host: 'here.example', ...headers } })
    t.match([answer.status, answer.text], [status, body], url)
    t.notMatch(answer.text, /canary/)
    t.ok(answer.headers.has('x-request-id'))
  }
  t.strictSame(
    seen.map(({ spec }) => spec.path),
    ['/known'],
  )
  const origin = 'https://listed.example'
  const { headers: sent } = await inject({ url: '/else', headers: { host: 'here.example', origin } })
  const names = ['access-control-allow-origin', 'content-security-policy', 'x-content-type-options']
  t.strictSame(
    names.map((name) => sent.get(name)),
    [origin, null, 'nosniff'],
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
