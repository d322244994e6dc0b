import type { ServerResponse } from 'node:http'
import t from 'tap'
import { systemClock } from '../../../kernel/index.ts'
import { createChecker, type CheckerOptions } from '../../../plugins/checks/testing.ts'
import { createDismissals } from '../../../plugins/checks/dismissals/service.ts'
import { checks } from '../../../plugins/checks/port.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'
import { goodPage, hero, openChecks, text } from '../../helpers/checks.ts'
import { refused } from '../../helpers/stack.ts'
import { startSite } from '../../helpers/upstream.ts'
import { until } from '../../helpers/until.ts'

t.test('a draft that is too large to be checked is refused', async (t) => {
  const pages = [goodPage('/'), goodPage('/a')]
  const many = await openChecks(t, pages, { limits: { maxPages: 1 } })
  t.match(refused(await many.get('/checks')), { status: 413, code: 'too_many_pages', error: /maxPages/ })
  const large = await openChecks(t, pages, { limits: { maxDraftBytes: 1_000 } })
  const error = /1000 bytes.*maxDraftBytes/
  t.match(refused(await large.get('/checks')), { status: 413, code: 'draft_too_large', error })
})

t.test('a draft with too many links is refused, and checked again when it has fewer', async (t) => {
  const isShared = (slug: string) =>
    goodPage(slug, [
      hero('b'),
      text('c', Array.from({ length: 3_000 }, (_, index) => `[a](/${index})`).join(' ')),
    ])
  const { get, report, ops, bootstrap } = await openChecks(t, [goodPage('/')])
  for (let from = 0; from < 201; from += 20)
    await bootstrap(
      Array.from({ length: Math.min(20, 201 - from) }, (_, index) => isShared(`/page-${from + index}`)),
      { overwrite: true },
    )
  const error = /400000 links and findings/
  t.match(refused(await get('/checks')), { status: 413, code: 'draft_too_large', error })
  await ops(Array.from({ length: 50 }, (_, index) => ({ op: 'remove_page', pageSlug: `/page-${index}` })))
  const { findings } = await report({ rule: 'content.page-large' })
  t.equal(findings.length, 151, '2,000 links are read per page')
})

t.test('a rule has at most 200 findings on a page', async (t) => {
  const images = Array.from({ length: 300 }, (_, index) =>
    hero(`b${index}`, { imageAlt: 'photo', headingLevel: 'h2' }),
  )
  const { findings } = await openChecks(t, [goodPage('/', images)])
  t.equal((await findings('a11y.alt-file-name')).length, 200)
})

t.test('an error beyond the listed findings blocks a publish and can be fixed', async (t) => {
  const images = Array.from({ length: 200 }, (_, index) =>
    hero(`b${index}`, { imageAlt: 'photo', headingLevel: 'h2' }),
  )
  const pages = [
    ...Array.from({ length: 11 }, (_, index) => goodPage(index === 0 ? '/' : `/${index}`, images)),
    goodPage('/Last', [hero('b', { ctaHref: '/nowhere' })]),
  ]
  const { send, report, mounted } = await openChecks(t, pages, {
    env: { PUBLISH_TARGET: 'shelf', CHECKS_BLOCK_PUBLISH: '1' },
  })
  t.match(await report(), { status: 'failed', truncated: true })
  t.match(refused(await send('/publish')), { code: 'checks_failed' })
  const { ops } = await (await mounted.get(checks)).fixes({ siteId: 'acme', session: 'dev' })
  const renames = ops.filter(({ op }) => op === 'rename_page')
  t.match(renames, [{ pageSlug: '/Last', newPageSlug: '/last' }])
})

t.test('concurrent checks of external links are limited', async (t) => {
  const held: ServerResponse[] = []
  const site = await startSite(t, (_, response) => void held.push(response))
  const { send } = await openChecks(t, [goodPage('/', [hero('b'), text('c', `[x](${site.origin}/)`)])], {
    env: { FETCH_ALLOWED_ORIGINS: site.origin },
  })
  const run = () => send('/checks/run', { external: true, rules: ['links.dead'] })
  const four = [run(), run(), run(), run()]
  await until(() => held.length === 4, 'four requests')
  t.match(refused(await run()), { status: 429, code: 'too_many_checks' })
  for (const response of held.splice(0)) response.end()
  const statuses = (await Promise.all(four)).map(({ status }) => status)
  t.strictSame(statuses, [200, 200, 200, 200])
  const again = run()
  await until(() => held.length === 1, 'one more request')
  held[0]?.end()
  t.equal((await again).status, 200)
})

const undeclared = { blocks: () => Promise.resolve(undefined), previewUrl: () => Promise.resolve('') }

t.test('first checks are queued, up to a limit', async (t) => {
  const first = Promise.withResolvers<never>()
  const asked: string[] = []
  const head = ({ session }: { readonly session: string }) => {
    asked.push(session)
    return first.promise
  }
  const parts = { drafts: { head }, store: createMemoryStore(), sites: undeclared, rules: [], address: '' }
  const checker = createChecker(parts as unknown as CheckerOptions)
  const checkOf = (session: number) => checker.check({ siteId: 'demo', session: `s${session}` })
  const waiting = Array.from({ length: 8 }, (_, session) => t.rejects(checkOf(session), /the store is gone/))
  await t.rejects(checkOf(9), { code: 'too_many_checks', status: 429 })
  t.strictSame(asked, ['s0'])
  first.reject(new Error('the store is gone'))
  await Promise.all(waiting)
  t.equal(asked.length, 8)
  await t.rejects(checkOf(9), /the store is gone/)
})

t.test('drafts with large block types are evicted, and small ones are not', async (t) => {
  const read: string[] = []
  const drafts = {
    head: () => Promise.resolve({ version: 1, pageCount: 0, pageBytes: 0 }),
    read({ session }: { readonly session: string }) {
      read.push(session)
      return { version: 1, isComplete: true, pages: [] }
    },
    rows: () => Promise.resolve([]),
    shownConfig: () => Promise.resolve({}),
    redirects: () => Promise.resolve(undefined),
  }
  const limits = { maxPages: 1, maxDraftBytes: 1 }
  const parts = { drafts, store: createMemoryStore(), sites: undeclared, rules: [], address: '', ...limits }
  const { check } = createChecker(parts as unknown as CheckerOptions)
  const id = (session: string) => ({ siteId: 'demo', session })
  const large = { version: 1, blocks: [], note: 'x'.repeat(8 * 1024 * 1024) }
  for (const session of ['small', 'a', 'small', 'b', 'small', 'c', 'small', 'd', 'small'])
    await check(id(session), session === 'small' ? undefined : large)
  t.strictSame(read, ['small', 'a', 'b', 'c', 'd'])
  await check(id('d'))
  t.equal(read.length, 5)
  await check(id('a'))
  t.strictSame(read.slice(5), ['a'])
})

t.test('a draft that has grown is weighed again, and evicts others', async (t) => {
  const read: (readonly [string, number | undefined])[] = []
  const [versions, mebibytes] = [new Map<string, number>(), new Map<string, number>()]
  const versionOf = (session: string): number => versions.get(session) ?? 0
  const drafts = {
    head: async ({ session }: { readonly session: string }) => ({
      version: versionOf(session),
      pageCount: 1,
      pageBytes: 0,
    }),
    async read({ session }: { readonly session: string }, since: number | undefined) {
      read.push([session, since])
      const description = 'x'.repeat((mebibytes.get(session) ?? 0) * 1024 * 1024)
      const page = goodPage('/', [], { meta: { description } })
      return { version: versionOf(session), isComplete: since === undefined, pages: [['/', { page }]] }
    },
    rows: async () => [{ slug: '/' }],
    shownConfig: async () => ({}),
    redirects: async () => undefined,
  }
  const limits = { maxPages: 1, maxDraftBytes: 2 ** 30 }
  const parts = { drafts, store: createMemoryStore(), sites: undeclared, rules: [], address: '', ...limits }
  const { check } = createChecker(parts as unknown as CheckerOptions)
  const checkAt = (session: string, version: number, size: number) => {
    versions.set(session, version)
    mebibytes.set(session, size)
    return check({ siteId: 'demo', session })
  }
  for (const session of ['a', 'b']) await checkAt(session, 1, 0)
  for (const session of ['a', 'b']) await checkAt(session, 2, 80)
  await checkAt('b', 3, 80)
  await checkAt('a', 3, 80)
  const first = undefined
  t.strictSame(read, [
    ['a', first],
    ['b', first],
    ['a', 1],
    ['b', 1],
    ['b', 2],
    ['a', first],
  ])
})

t.test('dismissals of a draft are limited; one more is rejected unless some have lapsed', async (t) => {
  const marks = createDismissals(createMemoryStore(), systemClock, 20)
  const id = { siteId: 'demo', session: 'dev' }
  let findings = Array.from({ length: 30 }, (_, number) => ({ id: `chk_${number}`, fingerprint: 'f' }))
  const parts = { rule: 'a', pageId: '', blockId: '', path: '', of: '' }
  const dismiss = (number: number, dismissed = true) =>
    marks.set(id, { id: `chk_${number}`, fingerprint: 'f', parts }, { dismissed }, findings)
  for (let number = 0; number < 20; number += 1) await dismiss(number)
  await t.rejects(dismiss(20), { code: 'too_many_dismissals', status: 409 })
  await dismiss(19)
  await dismiss(0, false)
  await dismiss(20)
  t.equal((await marks.of(id)).size, 20)
  findings = findings
    .filter((_, number) => number !== 1)
    .map((each) => (each.id === 'chk_2' ? { ...each, fingerprint: 'other' } : each))
  await dismiss(21)
  const lapsed = [...(await marks.of(id)).keys()].filter((key) => key === 'chk_1' || key === 'chk_2')
  t.strictSame(lapsed, [])
  t.equal((await marks.of(id)).size, 19)
})

t.test('long names and keys are handled', async (t) => {
  const cards = {
    id: 'c',
    type: 'CardGrid',
    props: { title: 'x', cards: [{ id: 'k'.repeat(300), title: '<b>x</b>', ['n'.repeat(300)]: '<b>x</b>' }] },
  }
  const { findings } = await openChecks(t, [goodPage('/', [hero('a'), cards])])
  const places = (await findings('content.markup-in-text')).map(({ path, itemId }) => [path, itemId])
  t.strictSame(places, [['cards[0].title', undefined]])
})
