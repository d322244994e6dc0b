import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import * as v from 'valibot'
import { capturedLog } from '../../kernel/testing.ts'
import type { Publication } from '../../plugins/publish/port.ts'
import {
  at,
  checking,
  done,
  inHouse,
  lastRow,
  log,
  page,
  readable,
  startWebsite,
  withDraft,
} from '../helpers/publishing.ts'
import { bodyOf, editor, startStack } from '../helpers/stack.ts'

const headingOf = ({ pages }: Pick<Publication, 'pages'>): unknown => pages[0]?.blocks[0]?.props['heading']
const setHeading = (heading: string) => [
  { op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { heading } },
]

/** A target that notes the first heading of what it gets. */
function archive() {
  const published: unknown[] = []
  const publish = async (publication: Publication) => (published.push(headingOf(publication)), done)
  return { published, target: inHouse({ name: 'archive', publish }) }
}

t.test('checks run in order on what would be published, until one refuses it with a sentence', async (t) => {
  const asked: [name: string, publication: Publication][] = []
  const named = (name: string) =>
    checking(async (publication) => {
      asked.push([name, publication])
      return name === 'strict' && headingOf(publication) === 'Sale!'
        ? 'The legal department has to see a sale first.'
        : undefined
    }, name)
  const site = await startWebsite(t)
  const setup = await withDraft(t, {
    plugins: ['first', 'strict', 'last'].map(named),
    env: { ORCHESTRATOR_CORS_ORIGINS: site.origin },
  })
  t.equal((await setup.publish({ siteOrigin: site.origin })).status, 200)
  t.strictSame(Object.keys(Object.fromEntries(asked)), ['first', 'strict', 'last'])
  t.match(asked[0]?.[1], { id: at, pages: [{ slug: '/' }, { slug: '/about' }], siteOrigin: site.origin })

  await setup.ops(setHeading('Sale!'))
  const answer = await setup.publish({ siteOrigin: site.origin })
  const reason = 'The legal department has to see a sale first.'
  const refused = { ok: false, error: 'refused', code: 'check_refused', reason, status: 'failed' }
  t.equal(answer.status, 409)
  t.strictSame(answer.json(), { ...refused, session: 'dev', slugs: ['/', '/about'] })
  t.equal(asked.length, 5, 'the last one is not called')
  t.equal(site.sent().length, 1, 'nothing was sent')
  t.match(await lastRow(setup), { status: 'failed', target: 'site-contract', summary: reason, error: reason })
  const forced = await setup.publish({ siteOrigin: site.origin, allowDelete: true })
  t.equal(forced.status, 409, 'allowDelete does not skip a check')
})

t.test(
  'a check that throws, times out or returns no sentence refuses the publish, and the cause is logged',
  async (t) => {
    const { log: logger, lines } = capturedLog()
    let act: () => unknown = () => undefined
    const published: Publication[] = []
    const setup = await withDraft(t, {
      plugins: [
        checking(async () => (await act()) as undefined, 'policy'),
        inHouse({ name: 'archive', publish: async (publication) => (published.push(publication), done) }),
      ],
      publish: { longestCheckMs: 50 },
      more: { log: logger },
    })
    const cases: readonly [name: string, act: () => unknown, why: RegExp][] = [
      [
        'rejects',
        () => Promise.reject(new Error('canary: no connection')),
        /'policy' failed, so nothing was/,
      ],
      ['gives false', () => false, /failed/],
      ['gives an empty text', () => ' ', /failed/],
      [
        'never ends',
        () => new Promise(() => {}),
        /'policy' took longer than 0\.05 s, so nothing was published\./,
      ],
    ]
    for (const [name, action, why] of cases) {
      act = action
      const answer = await setup.publish()
      const refusal = { status: 'failed', code: 'check_failed', error: why, reason: readable }
      t.match([answer.status, answer.json()], [500, refusal], name)
      t.notMatch(answer.text, /canary/)
      t.match(await lastRow(setup), { status: 'failed', error: why }, name)
    }
    t.match(lines.join(''), /canary: no connection/)
    t.match(lines.join(''), /publish check 'policy' gave neither a sentence nor undefined/)
    t.strictSame(published, [])
    act = () => undefined
    t.equal((await setup.publish()).status, 200)
  },
)

t.test('a draft that changes while it is checked is not published', async (t) => {
  let whileChecking: () => Promise<unknown> = async () => undefined
  const { target, published } = archive()
  const setup = await withDraft(t, { plugins: [checking(async () => void (await whileChecking())), target] })
  for (const change of [
    () => setup.ops(setHeading('Changed')),
    () => setup.config({ name: 'Acme' }),
    () => setup.ops([{ op: 'remove_page', pageSlug: '/about' }]),
  ]) {
    whileChecking = change
    const answer = await setup.publish()
    t.equal(answer.status, 409)
    const reason = /changed while it was checked.*Publish again/
    t.match(answer.json(), { ok: false, error: 'refused', code: 'draft_changed', reason })
    t.match(await lastRow(setup), { status: 'failed', error: /changed while it was checked/ })
  }
  t.strictSame(published, [])
  whileChecking = () =>
    editor((request) => setup.mounted.inject(request), { ...at, session: 'other' }).bootstrap([page('/')])
  t.equal((await setup.publish()).status, 200, 'a change of another draft does not count')
})

t.test('a publish of a version sends that version or nothing', async (t) => {
  const { target, published } = archive()
  const setup = await withDraft(t, { plugins: [target] })
  const compared = async (query = {}): Promise<number> =>
    v.parse(v.object({ previewVersion: v.number() }), (await setup.get('/publish/diff', query)).json())
      .previewVersion
  t.equal((await setup.ops(setHeading('Reviewed'))).status, 200)
  const baseVersion = await compared()
  await setup.ops(setHeading('Unseen'))
  const changed = { code: 'draft_changed', currentVersion: baseVersion + 1 }
  const reason = /changed after this version/
  t.match(await bodyOf(setup.publish({ baseVersion })), { ok: false, ...changed, reason })
  t.match(await bodyOf(setup.get('/publish/diff', { baseVersion: String(baseVersion) })), changed)
  t.match(await bodyOf(setup.send('/publish/diff', { baseVersion })), changed)
  await setup.config({ name: 'A change of the settings is one, too' })
  t.equal((await setup.publish({ baseVersion: baseVersion + 1 })).status, 409)
  t.strictSame(published, [])
  const now = await compared({ baseVersion: String(baseVersion + 2) })
  t.equal((await setup.publish({ baseVersion: now })).status, 200)
  t.strictSame(published, ['Unseen'])
  t.equal((await setup.publish({ baseVersion: 'x' })).status, 400)
  t.equal((await setup.get('/publish/diff', { baseVersion: 'x' })).status, 400)
})

t.test('with concurrent publishes and changes, only what was checked is published', async (t) => {
  const checked = new Set<string>()
  const published: string[] = []
  const seen = (publication: Publication): string => `${publication.key} ${JSON.stringify(publication.pages)}`
  const slow = checking(async (publication) => {
    await sleep(40)
    if (String(headingOf(publication)).endsWith('3')) return 'The number three is not published here.'
    checked.add(seen(publication))
    return undefined
  })
  const target = inHouse({
    name: 'archive',
    async publish(publication) {
      published.push(seen(publication))
      return done
    },
  })
  const { ask } = await startStack(t, { plugins: [slow, target] })
  const sessions = ['anna', 'bert', 'cleo'].map((session) => editor(ask, { siteId: 'acme', session }))
  for (const [n, { bootstrap }] of sessions.entries()) await bootstrap([page('/', `session ${n} round 0`)])
  const answers = await Promise.all(
    sessions.flatMap((edit, n) =>
      [1, 2, 3, 4, 5].map(async (round) => {
        await sleep(30 * round)
        await edit.ops(setHeading(`session ${n} round ${round}`))
        return edit.send('/publish')
      }),
    ),
  )
  const codes = answers.map((answer) => (answer.json() as { readonly code?: string }).code ?? 'published')
  for (const [n, { status }] of answers.entries()) t.equal(status === 200, codes[n] === 'published')
  // All three drafts change one heading, which may meet on the site.
  const possible = new Set(['published', 'check_refused', 'draft_changed', 'site_conflict'])
  t.strictSame(new Set(codes).difference(possible), new Set())
  t.equal(published.length, codes.filter((code) => code === 'published').length)
  t.ok(published.every((each) => checked.has(each)))
  t.notMatch(published.join(), /round 3/)
  t.equal((await log({ get: editor(ask, { siteId: 'acme', session: 'anna' }).get })).length, 5)
})
