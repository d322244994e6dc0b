import t from 'tap'
import { give, use, type Seed } from '../../kernel/index.ts'
import { everyWayIn, oneWayIn, mountForTest, openGates } from '../../kernel/testing.ts'
import { drafts, type Drafts, type DraftSummary } from '../../plugins/draft/port.ts'
import { publishedPages } from '../../plugins/publish/published/port.ts'
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

/** The drafts of the table; nothing else of a draft is read. */
const someDrafts = {
  summary: async ({ siteId, session }) =>
    stored.find(({ id }) => id.siteId === siteId && id.session === session) ??
    draft(siteId, session, 0, null),
  list: async () => stored,
} satisfies Partial<Drafts> as unknown as Drafts
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
    const toSummary = (siteId: string, session: string, version: number, lastMutatedAt: string | null) => ({
      sessionKey: siteId === 'avocado-stories' ? session : `${siteId}::${session}`,
      session,
      siteId,
      version,
      draftPageCount: version * 2,
      lastMutatedAt,
    })
    const own = toSummary('avocado-stories', 'dev', 5, '2026-01-03T00:00:00.000Z')
    const acme = toSummary('acme', 'dev', 3, '2026-01-02T00:00:00.000Z')
    const fresh = toSummary('new-site', 'mine', 0, null)
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
    const long = [`?session=${'x'.repeat(201)}`, `?siteId=${'x'.repeat(65)}`]
    for (const query of ['?session=acme::dev', '?session=a%00b', ...long]) {
      const answer = await ask({ url: `/whoami${query}` })
      t.equal(answer.status, 400, query)
      t.match(answer.json(), { code: 'invalid_request', error: /must be at most/ }, query)
    }
    t.equal((await ask({ url: '/whoami?session=a&session=b' })).status, 400)
  }),
)

t.test('the list has the latest change first, unchanged sessions last and sorted by key', (t) =>
  oneWayIn(t, setting, async (t, ask) => {
    const sessions = ['dev', 'acme::dev', 'zoo::dev', 'a', 'acme::b'].map((sessionKey) => ({ sessionKey }))
    t.match((await ask({ url: '/sessions' })).json(), { sessions, publishedPageCount: 15 })
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
    const answer = await mountForTest(t, setting(env)).inject({ url: '/whoami', headers })
    t.match(answer.json(), { orchestratorUrl }, JSON.stringify(env))
  }
  for (const [env, message] of [
    [{ ORCHESTRATOR_PUBLIC_ORIGIN: 'edit.example' }, /ORCHESTRATOR_PUBLIC_ORIGIN: must be/],
    [{ PORT: 'http' }, /PORT: must be a port number/],
  ] as const)
    await t.rejects(mountForTest(t, setting(env)).ready(), { message })
})

t.test('without a plugin that tracks publishes, the count is 0', async (t) => {
  const mounted = mountForTest(t, setting({}, []))
  t.match((await mounted.inject({ url: '/sessions' })).json(), { publishedPageCount: 0 })
  t.match((await mounted.inject({ url: '/whoami' })).json(), { publishedPageCount: 0 })
})
