import t from 'tap'
import * as v from 'valibot'
import { give, randomIds, systemClock, use } from '../../../kernel/index.ts'
import { createMemoryBlobs } from '../../helpers/memory-blobs.ts'
import { blobs } from '../../../plugins/blobs/port.ts'
import { contentRules, defineRule } from '../../../plugins/checks/port.ts'
import { builtinRules, toActiveRules, Integration, Report, Rules } from '../../../plugins/checks/testing.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'
import { goodPage, hero, openChecks, text } from '../../helpers/checks.ts'
import { goneOrigin } from '../../helpers/publishing.ts'
import { refused } from '../../helpers/stack.ts'
import { startSite } from '../../helpers/upstream.ts'
import { giving, emptyList } from '../../helpers/plain.ts'

const broken = [
  goodPage('/', [
    hero('b_1', { imageAlt: 'Image of a wheel', ctaHref: '/prics' }),
    text('b_2', 'Words.', { headingLevel: 'h1' }),
  ]),
  goodPage('/prices', undefined, { meta: {} }),
]

t.test('a report counts, orders and filters findings', async (t) => {
  const { report, get } = await openChecks(t, broken)
  const complete = await report()
  t.equal(complete.status, 'failed')
  t.match(complete.summary, { error: 1, warning: 2, info: 3, dismissed: 0, fixable: 4, pages: 2 })
  const listed = complete.findings.map(({ rule, slug }) => `${slug} ${rule}`)
  t.strictSame(listed, [
    '/ links.internal-missing',
    '/ a11y.alt-redundant',
    '/ a11y.h1-multiple',
    '/prices seo.description-missing',
    '/prices seo.og-image-missing',
    '/prices seo.title-missing',
  ])
  for (const { id, fingerprint } of complete.findings)
    t.match([id, fingerprint], [/^chk_[0-9a-f]{16}$/, /^[0-9a-f]{12}$/])
  for (const [query, count] of [
    [{ slug: '/prices' }, 3],
    [{ severity: 'error' }, 1],
    [{ rule: 'a11y.h1-multiple' }, 1],
  ] as const) {
    const { findings } = await report(query)
    t.equal(findings.length, count)
    for (const finding of findings) t.match(finding, query)
  }
  for (const [query, status, code] of [
    [{ slug: '/nowhere' }, 404, 'page_not_found'],
    [{ rule: 'a11y.colour' }, 400, 'invalid_request'],
    [{ severity: 'bad' }, 400, 'invalid_request'],
  ] as const)
    t.match(refused(await get('/checks', query)), { status, code })
})

t.test('ids are stable when blocks and rows move and pages are renamed', async (t) => {
  const rows = [
    { id: 'itm_0000000001', title: 'Brakes', description: 'New.', ctaText: 'here', ctaHref: '/' },
    { id: 'itm_0000000002', title: 'Wheels', description: 'Round.', ctaText: 'All of them', ctaHref: '/' },
  ]
  const { findings, ops } = await openChecks(t, [
    goodPage('/', [hero('b_1')]),
    goodPage('/prices', [
      hero('b_2'),
      { id: 'b_3', type: 'CardGrid', props: { title: 'What we do', cards: rows } },
    ]),
  ])
  const [before] = await findings('a11y.link-text-generic')
  await ops([
    { op: 'move_item', pageSlug: '/prices', blockId: 'b_3', listKey: 'cards', index: 0, afterIndex: 1 },
    { op: 'move_block', pageSlug: '/prices', blockId: 'b_3' },
  ])
  const [after] = await findings('a11y.link-text-generic')
  t.equal(before?.path, 'cards[0].ctaText')
  t.equal(after?.path, 'cards[1].ctaText')
  t.equal(after?.id, before?.id)
  t.equal(after?.itemId, 'itm_0000000001')
})

t.test('fixes are applied as one change that can be undone', async (t) => {
  const { report, fix, findings, version, undo, page, get } = await openChecks(t, broken)
  const before = await version()
  const ids = (await findings())
    .filter(({ fix: how, slug }) => how?.kind === 'auto' && slug === '/')
    .map(({ id }) => id)
  const dry = await fix(ids, { dryRun: true })
  t.match(dry, { status: 'dry_run', applied: ids })
  t.equal(await version(), before)
  const fixed = await fix(ids)
  t.match(fixed, { status: 'applied', applied: ids, skipped: emptyList, previewVersion: before + 1 })
  t.equal(fixed.report.version, before + 1)
  t.equal((await report({ slug: '/' })).findings.length, 0)
  t.match((await get('/history/log')).json(), {
    entries: [{}, { source: 'checks', channel: 'checks', summary: 'Fixed 3 findings of the checks.' }],
  })
  t.match(await fix(ids), {
    status: 'no_effective_change',
    applied: emptyList,
    skipped: ids.map((id) => ({ id, reason: 'already_fixed' })),
  })
  await undo('/')
  t.equal((await page('/')).blocks[0]?.props['imageAlt'], 'Image of a wheel')
  t.equal((await report({ slug: '/' })).findings.length, 3)
})

t.test('fixes that cannot be applied say why', async (t) => {
  const { fix, findings, send, page } = await openChecks(t, [
    goodPage('/', [hero('b_1', { imageAlt: 'photo', ctaHref: 'http://10.0.0.1/' })]),
    goodPage('/two', [text('b', 'First words.')], { meta: {} }),
  ])
  const [alt] = await findings('a11y.alt-file-name')
  const [host] = await findings('links.private-host')
  const [description] = await findings('seo.description-missing')
  if (!alt || !host || !description) return t.fail('findings are missing')
  const noFix = { status: 400, code: 'no_auto_fix', error: /allowSuggested/ }
  const late = { baseVersion: 999, values: { [alt.id]: 'A bell' }, allowSuggested: true }
  for (const [body, expected] of [
    [{ findingIds: [host.id] }, noFix],
    [{ findingIds: [alt.id] }, noFix],
    [{ findingIds: [alt.id], allowSuggested: true }, noFix],
    [{ findingIds: ['chk_x'] }, { status: 400, code: 'invalid_request' }],
    [
      { findingIds: [alt.id], ...late },
      { status: 409, code: 'version_mismatch' },
    ],
  ] as const)
    t.match(refused(await send('/checks/fix', body)), expected)
  const fixed = await fix([host.id, alt.id, description.id], { allowSuggested: true })
  t.match(fixed, {
    status: 'applied',
    applied: [description.id],
    skipped: [
      { id: host.id, reason: 'not_fixable' },
      { id: alt.id, reason: 'needs_text' },
    ],
  })
  t.equal((await page('/two')).meta?.description, 'First words.')
})

t.test('a repeated fix with the same idempotency key returns the stored response', async (t) => {
  const { findings, send, version } = await openChecks(t, broken)
  const [found] = await findings('a11y.alt-redundant')
  const again = () => send('/checks/fix', { findingIds: [found?.id] }, { 'idempotency-key': 'once' })
  const first = (await again()).json()
  const after = await version()
  t.match((await again()).json(), { ...(first as object), report: Object })
  t.equal(await version(), after)
})

t.test('a dismissed finding is not counted until its value changes', async (t) => {
  const store = createMemoryStore()
  const { findings, report, send, ops } = await openChecks(t, broken, { store })
  const [found] = await findings('links.internal-missing')
  const dismiss = (more: object = {}) =>
    send('/checks/dismiss', { findingId: found?.id, note: 'It comes next week.', ...more })
  t.match((await dismiss()).json(), { ok: true, findingId: found?.id, dismissed: true })
  t.match(await report(), { status: 'warnings', summary: { error: 0, dismissed: 1 } })
  const listed = (await report({ includeDismissed: '1' })).findings.find(({ id }) => id === found?.id)
  t.match(listed, { dismissed: true, note: 'It comes next week.', dismissedAt: String })
  await dismiss({ dismissed: false })
  t.equal((await report()).summary.error, 1)
  await dismiss()
  await ops([{ op: 'update_props', pageSlug: '/', blockId: 'b_1', patch: { ctaHref: '/other-place' } }])
  t.equal((await report()).summary.error, 1)
  const unknown = await send('/checks/dismiss', { findingId: 'chk_0000000000000000' })
  t.match(refused(unknown), { status: 404, code: 'finding_not_found' })
})

t.test('only changed pages are checked again', async (t) => {
  const seen: string[] = []
  const about = { id: 'house.seen', title: 'A page that was looked at', severity: 'info', fix: null } as const
  const rule = defineRule({ ...about, page: ({ page }) => (seen.push(page.slug), []) })
  const pages = ['/', '/a', '/b', '/c'].map((slug) => goodPage(slug))
  const { report, retitle, ops } = await openChecks(t, pages, {
    plugins: [use(giving('house', contentRules, rule))],
  })
  await report()
  t.strictSame(seen.splice(0).toSorted(), ['/', '/a', '/b', '/c'])
  await report()
  t.strictSame(seen, [])
  await retitle('/b', 'Another title for this page')
  await ops([{ op: 'remove_page', pageSlug: '/c' }])
  t.equal((await report()).summary.pages, 3)
  t.strictSame(seen, ['/b'])
})

t.test('block types of the site are used, and stored for later checks', async (t) => {
  const store = createMemoryStore()
  const pages = [goodPage('/', [hero('b_1'), { id: 'b_2', type: 'Ribbon', props: { line: '', href: '/' } }])]
  const properties = { line: { type: 'string', minLength: 1 }, href: { type: 'string' } }
  const ribbon = { type: 'Ribbon', propsSchema: { type: 'object', properties, required: ['line'] } }
  const componentsManifest = { version: 1, blocks: [ribbon] }
  const first = await openChecks(t, pages, { store })
  t.match(await first.findings(), { length: 1, 0: { rule: 'content.block-unknown' } })
  const { findings } = v.parse(Report, (await first.send('/checks/run', { componentsManifest })).json())
  t.match(findings, { length: 1, 0: { rule: 'content.required-empty', path: 'line' } })
  t.equal((await first.findings())[0]?.rule, 'content.required-empty')
  await first.mounted.close()
  const second = await openChecks(t, [], { store })
  t.equal((await second.findings())[0]?.rule, 'content.required-empty')
  t.match(refused(await second.send('/checks/run', { componentsManifest: 'x' })), { status: 400 })
})

t.test('nested rows are checked and fixed in place, but those of a large block are not fixed', async (t) => {
  const list = (itemFields: object) => ({ kind: 'list', itemFields })
  const rows = (properties: object) => ({ type: 'array', items: { type: 'object', properties } })
  const [text, words] = [{ type: 'string' }, { words: { kind: 'text' } }]
  const deep = { words: text, deeper: rows({ words: text }) }
  const properties = { note: text, groups: rows({ name: text, entries: rows(deep) }) }
  const entries = list({ ...words, deeper: list(words) })
  const fields = { note: { kind: 'text' }, groups: list({ name: { kind: 'text' }, entries }) }
  const type = { type: 'Menu', propsSchema: { type: 'object', properties }, meta: { fields } }
  const menu = (id: string, note: string, entries: readonly object[]) => ({
    id,
    type: 'Menu',
    props: { note, groups: [{ name: 'A', entries }] },
  })
  const marked = [{ words: 'plain' }, { words: 'with <b>tags</b>', deeper: [{ words: '**bold** words' }] }]
  const { send, fix, page } = await openChecks(t, [
    goodPage('/', [
      hero('b_1'),
      menu('b_2', 'x', marked),
      menu('large', `<b>${'x'.repeat(20_000)}</b>`, [{ words: '<b>bold</b>' }]),
    ]),
  ])
  const componentsManifest = { version: 1, blocks: [type] }
  const found = async () =>
    v.parse(
      Report,
      (await send('/checks/run', { componentsManifest, rules: ['content.markup-in-text'] })).json(),
    ).findings
  const before = (await found()).map(({ blockId, path, fix }) => [blockId, path, fix?.kind])
  t.strictSame(before, [
    ['b_2', 'groups[0].entries[1].deeper[0].words', 'auto'],
    ['b_2', 'groups[0].entries[1].words', 'auto'],
    ['large', 'groups[0].entries[0].words', undefined],
    ['large', 'note', undefined],
  ])
  for (let [next] = await found(); next?.fix; [next] = await found()) await fix([next.id])
  const fixed = [{ words: 'plain' }, { words: 'with tags', deeper: [{ words: 'bold words' }] }]
  t.match((await page('/')).blocks[1], menu('b_2', 'x', fixed))
})

t.test('undecodable addresses and links in documents are checked unchanged', async (t) => {
  const body = [
    { type: 'p', children: [{ type: 'link', href: '/missing-page', children: ['x'] }, { href: '' }, 7] },
  ]
  const { send } = await openChecks(t, [
    goodPage('/', [hero('b_1', { ctaHref: '/%E0%A4%A' }), { id: 'b_2', type: 'Prose', props: { body } }]),
  ])
  const run = await send('/checks/run', { rules: ['links.internal-missing'] })
  const values = v.parse(Report, run.json()).findings.map(({ value }) => value)
  t.strictSame(values, ['/%E0%A4%A', '/missing-page'])
})

t.test('an existing file is not reported as missing', async (t) => {
  const bytes = createMemoryBlobs({ clock: systemClock, ids: randomIds })
  const { key } = await bytes.put(new Uint8Array([1, 2, 3]), { type: 'image/png', extension: 'png' })
  const { findings } = await openChecks(
    t,
    [goodPage('/', [hero('b_1', { imageUrl: `/generated-images/${key}` })])],
    { seeds: [give(blobs, bytes)] },
  )
  t.strictSame(await findings('media.file-missing'), [])
  t.strictSame(await findings('media.file-missing'), [])
})

t.test('rules are listed with their settings, which CHECKS_CONFIG overrides', async (t) => {
  const CHECKS_CONFIG = JSON.stringify({
    'seo.title-length': { severity: 'error', params: { max: 20, min: ['10'], length: 3 } },
    'pages.orphan': { off: true },
    'no.rule': {},
    'a11y.link-text-generic': { params: { words: 5 } },
  })
  const { get, findings } = await openChecks(t, [goodPage('/'), goodPage('/lonely')], {
    env: { CHECKS_CONFIG },
  })
  const wrong: string[] = []
  toActiveRules(builtinRules, JSON.parse(CHECKS_CONFIG), (setting) => wrong.push(setting))
  const others = ['seo.title-length params.min', 'seo.title-length params.length']
  t.strictSame(wrong, ['no.rule', 'a11y.link-text-generic params.words', ...others])
  const { rules } = v.parse(Rules, (await get('/checks/rules')).json())
  const titleLength = rules.find(({ id }) => id === 'seo.title-length')
  t.match(titleLength, { category: 'seo', severity: 'error', fix: null, params: { min: 10, max: 20 } })
  t.notOk(rules.some(({ id }) => id === 'pages.orphan'))
  t.equal((await findings('seo.title-length')).length, 2)
  t.equal((await findings('pages.orphan')).length, 0)
})

t.test('a draft with errors is published unless CHECKS_BLOCK_PUBLISH is set', async (t) => {
  const env = { PUBLISH_TARGET: 'shelf' }
  const free = await openChecks(t, broken, { env })
  t.equal((await free.send('/publish')).status, 200)
  const held = await openChecks(t, broken, { env: { ...env, CHECKS_BLOCK_PUBLISH: '1' } })
  const answer = await held.send('/publish')
  const reason = /an error, .*missing page\. \(\/\).*GET \/checks/
  t.match([answer.status, answer.json()], [409, { status: 'failed', code: 'checks_failed', reason }])
  const [found] = await held.findings('links.internal-missing')
  await held.send('/checks/dismiss', { findingId: found?.id })
  t.equal((await held.send('/publish')).status, 200)
})

t.test('links to other sites are requested only if enabled', async (t) => {
  const asked: string[] = []
  const answers: Readonly<Record<string, number>> = { '/gone': 404, '/head': 405, '/picky': 404 }
  const site = await startSite(t, ({ url = '', method }, response) => {
    asked.push(`${method} ${url}`)
    if (url === '/broken') return void response.destroy()
    response.writeHead(url === '/picky' && method === 'GET' ? 200 : (answers[url] ?? 200)).end('a page')
  })
  const body = ['gone', 'head', 'picky', 'broken', 'fine', 'fine#part']
    .map((path) => `[${path}](${site.origin}/${path})`)
    .join(' ')
  const blocks = [hero('b'), text('c', body), text('d', 'See [nothing](/nowhere).')]
  const { send, report } = await openChecks(t, [goodPage('/', blocks)], {
    env: { FETCH_ALLOWED_ORIGINS: site.origin },
  })
  await report()
  t.strictSame(asked, [])
  const rules = ['links.dead', 'links.internal-missing']
  const { findings } = v.parse(Report, (await send('/checks/run', { external: true, rules })).json())
  const found = findings.map(({ value }) => value)
  t.strictSame(found, [`${site.origin}/gone`, '/nowhere'], 'in the order of the page')
  const wanted = 'GET /gone|GET /head|GET /picky|HEAD /broken|HEAD /fine|HEAD /gone|HEAD /head|HEAD /picky'
  t.strictSame(asked.toSorted(), wanted.split('|'))
  t.equal((await send('/checks/dismiss', { findingId: findings[0]?.id })).status, 200)
  t.match((await send('/checks/run', { external: true, rules: ['links.dead'] })).json(), {
    findings: emptyList,
    summary: { dismissed: 1 },
  })
})

t.test('the integration check accepts a working website and reports a broken one', async (t) => {
  let isJson = true
  const site = await startSite(t, ({ url, headers }, response) => {
    if (headers.origin === 'http://localhost:4100')
      response.setHeader('access-control-allow-origin', headers.origin)
    const content = url === '/api/editor/pages' ? { pages: [] } : { version: 1, blocks: [] }
    response.setHeader('content-type', 'application/json').end(isJson ? JSON.stringify(content) : '<html>')
  })
  const { origin } = site
  const { send } = await openChecks(t, [goodPage('/')], {
    env: {
      DRAFT_MODE_SECRET: 'secret',
      ORCHESTRATOR_CORS_ORIGINS: `${origin},http://localhost:3000,http://localhost:4100`,
    },
  })
  t.match(refused(await send('/checks/integration')), { status: 404, code: 'site_not_found' })
  await send('/sites/register', { name: 'Shop', previewUrl: origin })
  const ids = 'site.reachable site.pages site.cors draft.secret-set publish.token-set origin.matches-preview'
  const verdicts = async () => {
    const { results } = v.parse(Integration, (await send('/checks/integration')).json())
    t.equal(results.map(({ id }) => id).join(' '), ids)
    return results.map(({ ok }) => ok)
  }
  t.strictSame(await verdicts(), [true, true, true, true, false, true])
  isJson = false
  t.strictSame(await verdicts(), [false, false, true, true, false, true])
  await send('/sites/register', { name: 'Shop', previewUrl: await goneOrigin() })
  t.strictSame(await verdicts(), [false, false, false, true, false, false])
})
