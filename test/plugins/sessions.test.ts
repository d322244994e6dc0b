import t from 'tap'
import { give, use, type Seed } from '../../kernel/index.ts'
import { everyWayIn, mountForTest, openGates } from '../../kernel/testing.ts'
import { drafts, type Drafts, type DraftSummary } from '../../plugins/draft/port.ts'
import { publishedPages } from '../../plugins/published/port.ts'
import scopePlugin from '../../plugins/scope/index.ts'
import sessions from '../../plugins/sessions/index.ts'

const draft = (
  siteId: string,
  session: string,
  version: number,
  lastMutatedAt: string | null,
): DraftSummary => ({ id: { siteId, session }, version, pageCount: version * 2, lastMutatedAt })
const stored = [
  draft('acme', 'dev', 3, '2026-01-02T00:00:00.000Z'),
  draft('acme', 'b', 0, null),
  draft('avocado-stories', 'dev', 5, '2026-01-03T00:00:00.000Z'),
  draft('avocado-stories', 'a', 0, null),
  draft('zoo', 'dev', 1, '2026-01-02T00:00:00.000Z'),
]

const unused = () => Promise.reject(new Error('not part of this test'))
const someDrafts: Drafts = {
  pageInMemory: () => undefined,
  head: unused,
  page: unused,
  rows: unused,
  pages: unused,
  read: unused,
  config: unused,
  shownConfig: unused,
  whyEmpty: unused,
  steps: unused,
  log: unused,
  pageAt: unused,
  changesAfter: unused,
  spendRestoredMark: unused,
  answered: unused,
  commit: unused,
  summary: async ({ siteId, session }) =>
    stored.find(({ id }) => id.siteId === siteId && id.session === session) ??
    draft(siteId, session, 0, null),
  list: async () => stored,
}
const setting = (
  env: Readonly<Record<string, string>> = {},
  seeds: readonly Seed[] = [give(publishedPages, { count: async (siteId) => siteId.length })],
) => ({
  plugins: [use(sessions), use(scopePlugin, {})],
  seeds: [...openGates, give(drafts, someDrafts), ...seeds],
  env,
})

t.test('whoami describes one session and is never 404', (t) =>
  everyWayIn(t, setting, async (t, ask) => {
    const shared = { publishedPageCount: 15, orchestratorUrl: 'http://localhost:4200' }
    const own = {
      sessionKey: 'dev',
      session: 'dev',
      siteId: 'avocado-stories',
      version: 5,
      draftPageCount: 10,
      lastMutatedAt: '2026-01-03T00:00:00.000Z',
    }
    const acme = {
      sessionKey: 'acme::dev',
      session: 'dev',
      siteId: 'acme',
      version: 3,
      draftPageCount: 6,
      lastMutatedAt: '2026-01-02T00:00:00.000Z',
    }
    const fresh = {
      sessionKey: 'new-site::mine',
      session: 'mine',
      siteId: 'new-site',
      version: 0,
      draftPageCount: 0,
      lastMutatedAt: null,
    }
    const table: readonly [string, object][] = [
      ['', own],
      ['?session=&siteId=', own],
      ['?siteId=default', own],
      ['?siteId=ACME', acme],
      ['?siteId=acme&session=acme::dev', acme],
      ['?siteId=New%20Site!&session=mine', fresh],
    ]
    for (const [query, summary] of table) {
      const answer = await ask({ url: `/whoami${query}` })
      t.equal(answer.status, 200, query)
      t.same(answer.json(), { ...summary, ...shared }, query)
    }
    for (const query of [
      '?session=acme::dev',
      '?session=a%00b',
      `?session=${'x'.repeat(201)}`,
      `?siteId=${'x'.repeat(65)}`,
    ]) {
      const answer = await ask({ url: `/whoami${query}` })
      t.equal(answer.status, 400, query)
      t.match(answer.json(), { code: 'invalid_request', error: /must be at most/ }, query)
    }
    t.equal((await ask({ url: '/whoami?session=a&session=b' })).status, 400)
  }),
)

t.test('the list has the latest change first, unchanged sessions last and sorted by key', (t) =>
  everyWayIn(t, setting, async (t, ask) => {
    const answer = await ask({ url: '/sessions' })
    t.equal(answer.status, 200)
    t.match(answer.json(), {
      sessions: [
        { sessionKey: 'dev' },
        { sessionKey: 'acme::dev' },
        { sessionKey: 'zoo::dev' },
        { sessionKey: 'a', lastMutatedAt: null },
        { sessionKey: 'acme::b' },
      ],
      publishedPageCount: 15,
    })
  }),
)

t.test('the address is the configured one and never taken from a header', async (t) => {
  const table: readonly [Readonly<Record<string, string>>, string][] = [
    [{}, 'http://localhost:4200'],
    [{ PORT: '5001' }, 'http://localhost:5001'],
    [{ PORT: ' ' }, 'http://localhost:4200'],
    [{ ORCHESTRATOR_PUBLIC_ORIGIN: 'https://edit.example/', PORT: '5001' }, 'https://edit.example'],
  ]
  for (const [env, orchestratorUrl] of table) {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    t.match(
      (await mountForTest(t, setting(env)).inject({ url: '/whoami', headers })).json(),
      { orchestratorUrl },
      JSON.stringify(env),
    )
  }
  await t.rejects(mountForTest(t, setting({ ORCHESTRATOR_PUBLIC_ORIGIN: 'edit.example' })).ready(), {
    message: /ORCHESTRATOR_PUBLIC_ORIGIN: must be/,
  })
  await t.rejects(mountForTest(t, setting({ PORT: 'http' })).ready(), {
    message: /PORT: must be a port number/,
  })
})

t.test('without a plugin that tracks publishes, the count is 0', async (t) => {
  const mounted = mountForTest(t, setting({}, []))
  t.match((await mounted.inject({ url: '/sessions' })).json(), { publishedPageCount: 0 })
  t.match((await mounted.inject({ url: '/whoami' })).json(), { publishedPageCount: 0 })
})
