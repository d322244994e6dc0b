import t from 'tap'
import * as v from 'valibot'
import { give, use, type Injected } from '../../../kernel/index.ts'
import chat from '../../../plugins/chat/index.ts'
import chatRules from '../../../plugins/chat/rules/index.ts'
import { toPlainHash } from '../../../plugins/auth/testing.ts'
import { scopedTokens } from '../../../plugins/auth/port.ts'
import { readEditorPage, draftsAt } from '../../../plugins/site/testing.ts'
import { readAccess } from '../../../plugins/scope/port.ts'
import { mountPath } from '../../../plugins/sites/port.ts'
import preview from '../../../plugins/preview/index.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'
import { goodPage, hero, text } from '../../helpers/checks.ts'
import { startService } from '../../security/service.ts'
import { openDrafts, refused, startStack, editor, type SmallOptions } from '../../helpers/stack.ts'

const Link = v.object({ url: v.string(), expiresAt: v.string() })
const Plans = v.object({ plans: v.tuple([v.object({ id: v.string() })]) })
const Snapshots = v.object({ snapshots: v.tupleWithRest([v.object({ commit: v.string() })], v.unknown()) })
const linkIn = (answer: Injected): URL => new URL(v.parse(Link, answer.json()).url, 'http://x')

const pages = [goodPage('/', [hero('b_hero'), text('b_text', 'Words.')]), goodPage('/prices')]
const headline = (heading: string) => [
  { op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch: { heading } },
]

/** A draft with chat and previews and a controllable clock. */
async function openPreviews(
  t: Parameters<typeof openDrafts>[0],
  options: SmallOptions = {},
  chatOptions: { readonly maxDraftBytes?: number } = {},
) {
  let now = Date.parse('2026-01-31T12:00:00.000Z')
  const clock = { now: () => new Date(now) }
  const plugins = [use(chat, chatOptions), use(chatRules), use(preview, {})]
  const opened = openDrafts(t, { clock, ...options, plugins })
  await opened.bootstrap(pages, { siteConfig: { name: 'Fern & Spoke' } })
  const link = async (what: object): Promise<URL> => linkIn(await opened.send('/preview/links', what))
  const open = (url: URL): Promise<Injected> => opened.ask({ url: `${url.pathname}${url.search}` })
  const show = async (what: object): Promise<Injected> => open(await link(what))
  const plan = async (message: string): Promise<string> => {
    await opened.send('/chat', { slug: '/', message, executionMode: 'plan_only' })
    return v.parse(Plans, (await opened.get('/chat/plans')).json()).plans[0].id
  }
  return { ...opened, link, open, show, plan, pass: (ms: number) => void (now += ms) }
}

const frames = ({ text: page }: Injected): readonly URL[] =>
  [...page.matchAll(/<iframe src="([^"]+)"/g)].map(
    ([, address = '']) => new URL(address.replaceAll('&amp;', '&'), 'http://x/preview/'),
  )

t.test('a link shows a page with a pending plan next to the unchanged draft', async (t) => {
  const { plan, show, open, page, version } = await openPreviews(t)
  const before = await version()
  const planId = await plan('Change the headline to "A <new> headline"')
  const shown = await show({ what: 'plan', planId })
  t.equal(shown.status, 200)
  t.match(shown.text, /<h1>A &lt;new&gt; headline<\/h1>/)
  const request = 'Change the headline to &quot;A &lt;new&gt; headline&quot;'
  t.ok(shown.text.includes(`A pending plan, which has not changed anything yet: “${request}”`))

  const compared = await show({ what: 'compare', after: { what: 'plan', planId } })
  for (const part of [
    '<h1>Draft and Plan of /</h1>',
    '<h3>Hero <code>b_hero</code>: modified',
    'heading</th><td class="before" data-side="Draft">We repair bicycles</td>',
    '<td class="after" data-side="Plan">A &lt;new&gt; headline</td>',
  ])
    t.ok(compared.text.includes(part), part)
  t.notMatch(compared.text, /b_text/, 'unchanged pages are not listed')
  const [left, right] = await Promise.all(frames(compared).map(open))
  t.match(left?.text, /<h1>We repair bicycles<\/h1>/)
  t.match(right?.text, /<h1>A &lt;new&gt; headline<\/h1>/)

  t.equal(await version(), before)
  t.equal((await page('/')).blocks[0]?.props['heading'], 'We repair bicycles')
})

t.test('the menu next to a pending plan has the order and the addresses of its pages', async (t) => {
  const { plan, show, ops } = await openPreviews(t)
  await ops([{ op: 'create_page', page: { slug: '/team', title: 'Team' } }])
  const menu = async (planId: string): Promise<readonly string[]> => {
    const { text: page } = await show({ what: 'plan', planId })
    return ['Prices', 'Team', 'Crew']
      .filter((name) => page.includes(`>${name}<`))
      .toSorted((a, b) => page.indexOf(`>${a}<`) - page.indexOf(`>${b}<`))
  }
  t.strictSame(await menu(await plan('Change the headline to "New"')), ['Prices', 'Team'])
  t.strictSame(await menu(await plan('Move the Team page to the first position')), ['Team', 'Prices'])
  t.strictSame(
    await menu(await plan('Rename the prices page to "Crew"')),
    ['Crew', 'Team'],
    'a page with a new address keeps its position',
  )
})

t.test('a link shows a page at a version, and the published page', async (t) => {
  const { ops, send, get, show, retitle, version, config } = await openPreviews(t)
  await ops(headline('The second'))
  const second = await version()
  await ops(headline('The third'))
  await ops([{ op: 'remove_page', pageSlug: '/prices' }])
  const old = { what: 'version', version: second }
  const draft = { what: 'draft' }
  const shows = async (what: object, ...parts: readonly RegExp[]) => {
    const { text } = await show(what)
    for (const part of parts) t.match(text, part, JSON.stringify(what))
  }
  const since = /version 2 of 2026-01-31 12:00 UTC, with the current menu\. The change: “.+”/
  await shows(old, /<h1>The second<\/h1>/, since)
  await shows({ ...old, slug: '/prices' }, /<h1>/)
  await shows(draft, /<h1>The third<\/h1>/)
  const removed = /The page is removed\.[^]*Hero <code>b_hero<\/code>: removed/
  await shows({ what: 'compare', slug: '/prices', before: old, after: draft }, removed)
  await shows({ what: 'compare', slug: '/prices', before: draft, after: old }, /The page is new/)

  await send('/publish')
  const { snapshots } = v.parse(Snapshots, (await get('/restore/snapshots')).json())
  const snapshot = { what: 'snapshot', commit: snapshots[0].commit }
  await ops([{ op: 'move_block', pageSlug: '/', blockId: 'b_text' }, ...headline('The fourth')])
  await ops([{ op: 'update_page_meta', pageSlug: '/', patch: { description: 'Other words' } }])
  await retitle('/', 'Another title')
  await config({ name: 'Fern' })
  await shows(snapshot, /<h1>The third<\/h1>/)
  const settings =
    /<h3>Title and description<\/h3>[^]*title<\/th>[^]*Another title[^]*description<\/th>[^]*Other words/
  await shows({ what: 'compare', before: snapshot, after: draft }, settings, /: moved/)
  const same = /The page is the same in both\.[^]*Nothing visible to visitors/
  await shows({ what: 'compare', before: draft, after: draft }, same)
})

t.test('no link is created for a missing target', async (t) => {
  const { send, as } = await openPreviews(t)
  const draft = { what: 'draft' }
  for (const what of [
    { what: 'plan', planId: 'none' },
    { what: 'version', version: 99 },
    { what: 'snapshot', commit: '0123456' },
    { ...draft, slug: '/nowhere' },
    { what: 'compare', slug: '/nowhere', after: draft },
    { what: 'compare', after: { what: 'version', version: 99 } },
  ]) {
    const answer = refused(await send('/preview/links', what))
    t.match(answer, { status: 404, code: 'not_found' }, JSON.stringify(what))
  }
  const wrong = [{}, { what: 'all' }, { what: 'version', version: 0 }, { what: 'snapshot', commit: '../x' }]
  for (const what of [...wrong, { ...draft, slug: 'x'.repeat(1001) }])
    t.match(refused(await send('/preview/links', what)), { status: 400, code: 'invalid_request' })
  await send('/publish')
  const own = await as({ siteId: 'acme' }).get('/restore/snapshots')
  const { commit } = v.parse(Snapshots, own.json()).snapshots[0]
  const other = as({ siteId: 'other', session: 'dev' })
  await other.bootstrap(pages)
  const foreign = await other.send('/preview/links', { what: 'snapshot', commit })
  t.equal(foreign.status, 404, 'the snapshot of another site')
})

t.test('a link is valid for its target and lifetime only', async (t) => {
  const { link, open, plan, send, ask, pass, version, ops } = await openPreviews(t)
  const draft = await link({ what: 'draft' })
  const given = draft.searchParams.get('link') ?? ''
  t.equal((await open(draft)).status, 200)
  const [claims = '', signature = ''] = given.split('.')
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const forged = Buffer.from(JSON.stringify({ ...read, slug: '/prices' })).toString('base64url')
  const cut = [`${claims}.`, claims, `.${signature}`, `${given}.x`, `${given}x`, given.slice(0, -1), 'x']
  const changed = [0, 7, 30].map((at) => `${given.slice(0, at)}_${given.slice(at + 1)}`)
  const altered = [`${forged}.${signature}`, cut, changed].flat()
  for (const each of altered) {
    const answer = await ask({ url: `/preview/show?${new URLSearchParams({ link: each })}` })
    t.match([answer.status, answer.text], [403, /<h1>This link is not valid<\/h1>/])
    t.match(answer.headers.get('content-type'), /^text\/html/)
    t.notMatch(answer.text, /bicycles/)
  }
  t.match(refused(await ask({ url: '/preview/show' })), { status: 400, code: 'invalid_request' })

  const planId = await plan('Change the headline to "New"')
  const pending = { what: 'plan', planId }
  const links = [
    await link(pending),
    await link({ what: 'compare', after: pending }),
    await link({ what: 'compare', before: pending, after: { what: 'draft' } }),
  ]
  await send('/chat', { slug: '/', executionMode: 'discard_pending_plan', pendingPlanId: planId })
  for (const each of links) {
    const answer = await open(each)
    t.match([answer.status, answer.text], [410, /The plan is no longer pending/])
  }
  const stale = await plan('Remove the second block')
  const toBeStale = await link({ what: 'plan', planId: stale })
  await ops([{ op: 'remove_block', pageSlug: '/', blockId: 'b_text' }])
  t.match((await open(toBeStale)).text, /no longer fits|no longer pending/)

  const versioned = await link({ what: 'version', version: await version(), slug: '/prices' })
  await ops([{ op: 'remove_page', pageSlug: '/prices' }])
  t.equal((await open(versioned)).status, 200)
  const before = { what: 'version', version: (await version()) - 1 }
  const empty = await link({ what: 'compare', slug: '/prices', before, after: { what: 'draft' } })
  const sides = await Promise.all(frames(await open(empty)).map(open))
  t.match(sides, [{ status: 200 }, { status: 410 }])

  pass(59 * 60 * 1000)
  t.equal((await open(draft)).status, 200)
  pass(60 * 1000)
  const ended = await open(draft)
  t.equal(ended.status, 410)
  t.match(ended.text, /<h1>This link has expired<\/h1>[^]*valid for an hour/)
})

t.test('links are valid after a restart, and not on another installation', async (t) => {
  const store = createMemoryStore()
  const first = await openPreviews(t, { store })
  const link = await first.link({ what: 'draft' })
  t.equal((await (await openPreviews(t, { store })).open(link)).status, 200)
  t.equal((await (await openPreviews(t)).open(link)).status, 403)
})

t.test('previews run no scripts, and no other origin can frame them', async (t) => {
  const hostile = goodPage(
    '/',
    [hero('b_hero', { heading: '<script>alert(1)</script>', ctaHref: 'javascript:alert(1)' })],
    { title: '</title><script>' },
  )
  const { bootstrap, show } = await openPreviews(t)
  await bootstrap([hostile], { overwrite: true })
  for (const what of [{ what: 'draft' }, { what: 'compare', after: { what: 'version', version: 1 } }]) {
    const { text: page, headers } = await show(what)
    t.notMatch(page, /<script|="javascript:/)
    t.match(Object.fromEntries(headers), {
      'content-security-policy': /^default-src 'none';.*; frame-ancestors 'self'; sandbox allow-same-origin$/,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
  }
})

t.test('images of a page are loaded from its site, if known', async (t) => {
  const { show, send } = await openPreviews(t)
  const unknown = await show({ what: 'draft' })
  t.match(unknown.text, '<base target="_blank">')
  t.match(unknown.headers.get('content-security-policy'), "base-uri 'none'")
  await send('/sites/register', { name: 'Acme', previewUrl: 'http://localhost:3000/' })
  const known = await show({ what: 'draft' })
  t.match(known.text, '<base href="http://localhost:3000" target="_blank">')
  t.match(known.headers.get('content-security-policy'), 'base-uri http://localhost:3000;')
})

t.test('an address is built from the configuration, and opens without a token over a socket', async (t) => {
  const token = 'a-token-of-the-test'
  const gate = { ORCHESTRATOR_ACCESS_TOKEN: token, ORCHESTRATOR_GATE: 'all' }
  const env = { ...gate, ORCHESTRATOR_PUBLIC_ORIGIN: 'https://cms.example/' }
  const { ask } = await startStack(t, { env })
  const { bootstrap, send } = editor((request) => ask({ ...request, headers: { 'x-access-token': token } }))
  await bootstrap(pages)
  const { origin, pathname, search } = linkIn(await send('/preview/links', { what: 'draft' }))
  t.equal(origin, 'https://cms.example')
  t.equal((await ask({ method: 'POST', url: '/preview/links', json: { what: 'draft' } })).status, 401)
  t.equal((await ask({ url: '/preview/show' })).status, 401, 'without a link the gate applies')
  const shown = await ask({ url: `${pathname}${search}` })
  t.match([shown.status, shown.text], [200, /We repair bicycles/])

  const seeds = [give(mountPath, '/api/orchestrator')]
  const { link } = await openPreviews(t, { seeds, env: { PORT: '4300' } })
  const inside = (await link({ what: 'draft' })).href
  t.match(inside, /^http:\/\/localhost:4300\/api\/orchestrator\/preview\/show\?link=/)
})

t.test('a link and an entry end with the token that asked for them, and name it', async (t) => {
  const secret = 'draft-secret-of-the-test'
  const fixed = 'a-token-of-the-test'
  const env = { ORCHESTRATOR_ACCESS_TOKEN: fixed, ORCHESTRATOR_GATE: 'all', DRAFT_MODE_SECRET: secret }
  const { ask, get } = await startStack(t, { env })
  const by = (token: string) =>
    editor((request) => ask({ ...request, headers: { ...request.headers, 'x-access-token': token } }))
  await by(fixed).bootstrap(pages)
  const tokens = await get(scopedTokens)
  const expires = new Date(Date.now() + 60_000).toISOString()
  const { token, text } = await tokens.create({ name: 'guest', can: ['read', 'edit', 'plan'], expires })
  const { send } = by(text)
  const made = await send('/preview/links', { what: 'draft' })
  t.equal(v.parse(Link, made.json()).expiresAt, expires)
  const entry = v.parse(v.object({ secret: v.string() }), (await send('/preview/entry')).json()).secret
  const claims = readAccess(entry, { secret, now: new Date(), carrier: 'link' })
  t.match(claims, { until: Date.parse(expires), by: token.id })
  const { pathname, search } = linkIn(made)
  t.equal((await ask({ url: `${pathname}${search}` })).status, 200)
  await tokens.remove(token.id)
  const ended = await ask({ url: `${pathname}${search}` })
  t.match([ended.status, ended.text], [410, /no longer than the token/])
})

t.test('what a token has signed ends when it is revoked or replaced, also at the site', async (t) => {
  const secret = 'draft-secret-of-the-test'
  const env = {
    ORCHESTRATOR_ACCESS_TOKEN: 'a-token-of-the-test',
    ACCESS_PASSWORD_HASH: toPlainHash('right'),
    ORCHESTRATOR_GATE: 'all',
    DRAFT_MODE_SECRET: secret,
  }
  const { ask, get, origin, restart } = await startStack(t, { env })
  const as = (token: string) =>
    editor((request) => ask({ ...request, headers: { ...request.headers, 'x-access-token': token } }))
  await as(env.ORCHESTRATOR_ACCESS_TOKEN).bootstrap(pages)
  const scoped = await get(scopedTokens)
  const guest = await scoped.create({ name: 'guest', can: ['read', 'plan'] })
  const verified = await ask({ method: 'POST', url: '/auth/verify', json: { password: 'right' } })
  const { accessToken } = v.parse(v.looseObject({ accessToken: v.string() }), verified.json())
  const made = await Promise.all(
    [guest.text, env.ORCHESTRATOR_ACCESS_TOKEN, accessToken].map(async (token) => {
      const { send } = as(token)
      const { pathname, search } = linkIn(await send('/preview/links', { what: 'draft' }))
      const { secret } = v.parse(v.object({ secret: v.string() }), (await send('/preview/entry')).json())
      return { entry: secret, link: `${pathname}${search}` }
    }),
  )
  /** What a page of the site shows with each entry, and the status of each link. */
  const states = () =>
    Promise.all(
      made.map(async ({ entry, link }) => {
        const visit = { url: `/?__editor=1&secret=${entry}`, headers: {} }
        const { source, access, notice } = await readEditorPage('/', visit, {
          adapter: { readContent: async () => ({ pages: [] }) },
          drafts: draftsAt(origin, env.ORCHESTRATOR_ACCESS_TOKEN),
          orchestrator: origin,
          secret,
          siteId: 'acme',
          editorOrigins: [],
        })
        const isExplained = /token that made it possible/.test(notice ?? '')
        return [source, access !== undefined, isExplained, (await ask({ url: link })).status]
      }),
    )
  const [open, ended] = [
    ['draft', true, false, 200],
    ['published', false, true, 410],
  ]
  t.strictSame(await states(), [open, open, open])
  await scoped.remove(guest.token.id)
  t.strictSame(await states(), [ended, open, open], 'a scoped token')
  env.ORCHESTRATOR_ACCESS_TOKEN = 'another-token-of-the-test'
  await restart()
  t.strictSame(await states(), [ended, ended, open], 'the fixed token')
  env.ACCESS_PASSWORD_HASH = toPlainHash('changed')
  await restart()
  t.strictSame(await states(), [ended, ended, ended], 'a token for the password')
})

t.test('no log line contains a link', async (t) => {
  const { send, written, stop } = await startService(t)
  const headers = { 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    send({ method: 'POST', path, headers, body: JSON.stringify(body) })
  await post('/draft/bootstrap', { pages })
  const url = new URL(v.parse(Link, JSON.parse((await post('/preview/links', { what: 'draft' })).text)).url)
  const link = url.searchParams.get('link') ?? ''
  t.equal((await send({ path: `${url.pathname}${url.search}` })).status, 200)
  t.equal((await send({ path: `${url.pathname}${url.search}x` })).status, 403)
  await stop()
  t.match(written(), '/preview/show')
  t.notOk(written().includes(link.slice(0, 40)))
})

t.test('a draft that cannot be read is answered with a page that says why', async (t) => {
  const { plan, link, bootstrap, open } = await openPreviews(t, {}, { maxDraftBytes: 10_000 })
  const toPlan = await link({ what: 'plan', planId: await plan('Change the headline to "New"') })
  await bootstrap([...pages, goodPage('/large', [text('b_large', 'x'.repeat(10_000))])], { overwrite: true })
  const answer = await open(toPlan)
  t.equal(answer.status, 503)
  t.match(answer.text, /<h1>This cannot be shown now<\/h1><p>.*large/)
})
