import { hash } from 'node:crypto'
import t, { type Test } from 'tap'
import { createSiteEditor } from '../../config/create-site-editor.ts'
import { defineRoutes, definePlugin, gates } from '../../kernel/index.ts'
import { allowedHeaders } from '../../kernel/http/headers.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { storeUnavailable } from '../../plugins/store/testing.ts'
import { environment } from '../helpers/environment.ts'
import { startLibrary } from '../helpers/library.ts'
import { serve } from '../helpers/raw.ts'
import { startService } from '../security/service.ts'

const editor = 'http://localhost:4100'
const twin = 'http://127.0.0.1:4100'
const stranger = 'https://evil.example'
const password = 'the password of the owner'
const secrets = {
  ACCESS_PASSWORD_HASH: hash('sha256', password),
  ORCHESTRATOR_ACCESS_TOKEN: 'an-access-token-of-32-characters',
  PUBLISH_TOKEN: 'a-publish-secret-of-32-characters',
}

type Variables = Readonly<Record<string, string>>

const { log } = capturedLog('silent')

/** A route that fails on demand. */
const failing = definePlugin({
  name: 'failing',
  tag: 'Test',
  routes: defineRoutes({
    read: { method: 'GET', path: '/failing', gate: gates.access, summary: 'Fails.', replies: {} },
  }),
}).setup(() => ({
  handlers: {
    read: () => {
      throw storeUnavailable('the disk is gone')
    },
  },
}))

/** Starts each shape on a real socket with these variables; returns the base URL of its routes. */
const shapes: Readonly<Record<string, (t: Test, env: Variables) => Promise<string>>> = {
  standalone: async (t, env) => (await startService(t, { env, plugins: [failing] })).origin,
  async library(t, env) {
    const { mounted, origin } = await startLibrary(
      t,
      { ...env, ORCHESTRATOR_DB_FILE: ':memory:' },
      { plugins: [failing] },
    )
    await mounted.ready()
    return origin
  },
  async site(t, { ORCHESTRATOR_CORS_ORIGINS: origins, ...env }) {
    environment(t, { ...env, ...(origins !== undefined && { EDITOR_CORS_ORIGINS: origins }) })
    const page = { id: 'p', slug: '/', title: 'Home', updatedAt: '2026-01-01T00:00:00.000Z', blocks: [] }
    let reads = 0
    const readContent = async () => {
      if (reads++ > 0) throw new Error('the disk is gone')
      return { pages: [page] }
    }
    const mounted = createSiteEditor({ adapter: { readContent }, logger: log })
    t.teardown(() => mounted.close())
    return `${await serve(t, (request, response) => void mounted.node(request, response))}/api/editor`
  },
}

const allowedTo = ({ headers }: Response): string | null => headers.get('access-control-allow-origin')

/** A request from a page of this origin. */
const fromPage = (
  base: string,
  path: string,
  origin: string,
  { headers, ...init }: RequestInit & { readonly headers?: Variables } = {},
) => fetch(base + path, { ...init, headers: { ...headers, origin } })
const post = (body: unknown, headers: Variables = {}) =>
  ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  }) as const

const open = (shape: string): string => (shape === 'site' ? '/blocks' : '/health')

/** Runs assertions over shapes, each started with these variables. */
async function over(
  t: Test,
  names: readonly string[],
  env: Variables,
  body: (t: Test, base: string, shape: string) => Promise<void>,
): Promise<void> {
  for (const name of names)
    await t.test(name, async (t) => body(t, (await shapes[name]?.(t, env)) ?? '', name))
}
const all = Object.keys(shapes)
const orchestrators = ['standalone', 'library']

const aliases: readonly (readonly [configured: string, origin: string, isAllowed: boolean])[] = [
  [editor, editor, true],
  [editor, twin, true],
  [twin, twin, true],
  [twin, editor, true],
  [editor, 'http://localhost:4101', false],
  [editor, 'https://localhost:4100', false],
  [editor, 'http://127.0.0.2:4100', false],
  [editor, 'http://[::1]:4100', false],
  ['http://[::1]:4100', editor, false],
  ['http://127.0.0.2:4100', editor, false],
  ['https://editor.example', editor, false],
  ['https://editor.example', 'https://editor.example', true],
  ['https://editor.example', 'https://www.editor.example', false],
]

t.test('in every shape localhost and 127.0.0.1 are equivalent, and no other names are', async (t) => {
  for (const [configured, rows] of Map.groupBy(aliases, ([each]) => each)) {
    await over(t, all, { ORCHESTRATOR_CORS_ORIGINS: configured }, async (t, base, shape) => {
      for (const [, origin, isAllowed] of rows) {
        const allowed = allowedTo(await fromPage(base, open(shape), origin))
        t.equal(allowed, isAllowed ? origin : null, `${origin} where ${configured} is listed`)
      }
    })
  }
})

t.test('in every shape, in production no page may read while no origin is configured', (t) =>
  over(t, all, { NODE_ENV: 'production' }, async (t, base, shape) => {
    for (const origin of [editor, twin, 'http://localhost:3000', stranger]) {
      const answer = await fromPage(base, open(shape), origin)
      t.strictSame([answer.status, allowedTo(answer)], [200, null], origin)
      const preflight = await fromPage(base, '/publish', origin, {
        method: 'OPTIONS',
        headers: { 'access-control-request-method': 'POST' },
      })
      t.strictSame([preflight.status, allowedTo(preflight)], [403, null], origin)
    }
  }),
)

t.test('in every shape a preflight names the headers of one list', (t) =>
  over(t, all, { ...secrets, ORCHESTRATOR_CORS_ORIGINS: editor }, async (t, base) => {
    const headers = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-evil' }
    for (const path of ['/publish', '/nowhere']) {
      const answer = await fromPage(base, path, twin, { method: 'OPTIONS', headers })
      t.strictSame([answer.status, allowedTo(answer)], [204, twin], path)
      const names = answer.headers.get('access-control-allow-headers')?.split(', ')
      t.strictSame(names, allowedHeaders, path)
      t.ok(names?.includes('x-access-token') && names.includes('x-publish-token'))
    }
  }),
)

const guess = post({ password: 'a guess' })
const asOwner = {
  'x-access-token': secrets.ORCHESTRATOR_ACCESS_TOKEN,
  'x-publish-token': secrets.PUBLISH_TOKEN,
}
const draft = { session: 'dev', siteId: 'demo' }

type Refused = readonly (readonly [
  status: number,
  path: string,
  init: ReturnType<typeof post> | { readonly headers?: Variables },
])[]

const ofOrchestrators: Refused = [
  [401, '/publish', post(draft)],
  [404, '/draft/pages?session=dev&siteId=demo&slug=/nowhere', { headers: asOwner }],
  [409, '/history/discard', post(draft, asOwner)],
  [413, '/auth/verify', post({ password: 'x'.repeat(17_000) })],
  ...Array.from({ length: 10 }, () => [401, '/auth/verify', guess] as const),
  [429, '/auth/verify', guess],
  [503, '/failing', { headers: asOwner }],
]

const refused: Readonly<Record<string, Refused>> = {
  standalone: [...ofOrchestrators, [404, '/nowhere', {}]],
  library: [...ofOrchestrators, [401, '/sites', {}], [405, '/nowhere', {}]],
  site: [
    [401, '/publish', post({ pages: [] })],
    [401, '/draft?secret=wrong', {}],
    [404, '/nowhere', {}],
    [409, '/publish', post({ pages: [] }, asOwner)],
    [400, '/publish', post({ pages: 'all' }, asOwner)],
    [413, '/publish', post({ pages: 'x'.repeat(64 * 1024 * 1024) }, asOwner)],
    [503, '/pages', {}],
  ],
}

t.test('in every shape, a page of a listed origin can read every refusal, and no other page can', (t) =>
  over(
    t,
    all,
    { ...secrets, DRAFT_MODE_SECRET: 'a-draft-secret', ORCHESTRATOR_CORS_ORIGINS: editor },
    async (t, base, shape) => {
      for (const [status, path, init] of refused[shape] ?? []) {
        const answer = await fromPage(base, path, twin, init)
        t.strictSame([answer.status, allowedTo(answer)], [status, twin], path)
        t.match(answer.headers.get('vary'), /Origin/)
        t.match(answer.headers.get('access-control-expose-headers'), 'retry-after')
        t.equal(allowedTo(await fromPage(base, path, stranger, init)), null, path)
      }
    },
  ),
)

t.test('a page of a listed origin can read why a mount is closed', (t) =>
  over(t, ['library'], { NODE_ENV: 'production', ORCHESTRATOR_CORS_ORIGINS: editor }, async (t, base) => {
    for (const [status, path, init] of [
      [503, '/auth/verify', guess],
      [401, '/sites', {}],
    ] as const) {
      const answer = await fromPage(base, path, editor, init)
      t.strictSame([answer.status, allowedTo(answer)], [status, editor], path)
    }
  }),
)

t.test('a page of a listed origin can read the event stream, with its token in the query', (t) =>
  over(t, orchestrators, { ...secrets, ORCHESTRATOR_CORS_ORIGINS: editor }, async (t, base) => {
    const path = `/events?session=dev&siteId=demo&accessToken=${secrets.ORCHESTRATOR_ACCESS_TOKEN}`
    for (const [origin, allowed] of [
      [twin, twin],
      [stranger, null],
    ] as const) {
      const stream = await fromPage(base, path, origin)
      const type = stream.headers.get('content-type')
      t.strictSame([stream.status, type, allowedTo(stream)], [200, 'text/event-stream', allowed])
      await stream.body?.cancel()
    }
  }),
)
