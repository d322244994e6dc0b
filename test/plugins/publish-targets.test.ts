import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createSiteEditor } from '../../config/create-site-editor.ts'
import { BootError, give, mount, randomIds } from '../../kernel/index.ts'
import { capturedLog, mountForTest, stillClock } from '../../kernel/testing.ts'
import { createMemoryBlobs } from '../helpers/memory-blobs.ts'
import { contentAdapter, type ContentAdapter, type SiteContent } from '../../plugins/content/adapter.ts'
import { UpstreamFailure } from '../../plugins/outbound/port.ts'
import { type Publication, type PublishOutcome } from '../../plugins/publish/port.ts'
import {
  type Answering,
  at,
  done,
  fields,
  goneOrigin,
  inHouse,
  lastRow,
  log,
  noon,
  page,
  publishing,
  type PublishingOptions,
  readable,
  repository,
  type Setup,
  twoPages,
  startWebsite,
  status,
  withDraft,
} from '../helpers/publishing.ts'
import { serve } from '../helpers/raw.ts'
import { bodyOf, editor, refused } from '../helpers/stack.ts'
import { startSite } from '../helpers/upstream.ts'
import { emptyList } from '../helpers/plain.ts'

t.test('a site is published to through its editor routes', async (t) => {
  const site = await startWebsite(t)
  const env = { ORCHESTRATOR_CORS_ORIGINS: site.origin, PUBLISH_TOKEN: ' the-token ' }
  const setup = await withDraft(t, { env })
  await setup.send('/sites/register', { name: 'Acme', previewUrl: 'https://www.acme.test', port: 3000 })
  const answer = await setup.publish({ siteOrigin: `${site.origin}///`, allowDelete: 'true' })
  const slugs = ['/', '/about']
  const message = 'Republished with no content changes.'
  t.strictSame(answer.json(), { message, status: 'ready', session: 'dev', slugs })
  const [sent] = site.sent()
  t.match(sent?.headers, { 'x-publish-token': 'the-token', 'content-type': 'application/json' })
  const { pages, ...rest } = sent?.body ?? {}
  t.match(pages, [{ slug: '/' }, { slug: '/about' }])
  t.strictSame(rest, { siteId: 'acme', session: 'acme::dev', publishedAt: noon }, 'and only what is set')
  const times = { startedAt: noon, updatedAt: noon }
  const deployed = { deployStatus: 200, deployResponse: 'site_contract' }
  t.strictSame(await status(setup), { session: 'dev', status: 'ready', ...times, slugs, ...deployed })
  const row = { session: 'acme::dev', siteId: 'acme', target: 'site-contract', status: 'success', at: noon }
  const what = { pageCount: 2, slugs, diffSummary: { added: 0, removed: 0, changed: 0 }, error: undefined }
  t.match(await lastRow(setup), { ...row, ...what, updatedAt: noon, commit: /^[0-9a-f]{40}$/ })
  await setup.config({ name: 'Acme & Sons', tone: 'dry' })
  await setup.publish({ siteOrigin: site.origin, allowDelete: true })
  t.match(site.sent()[1]?.body, { allowDelete: true })
  t.strictSame(site.sent()[1]?.body['siteConfig'], { name: 'Acme & Sons' })
  t.equal(await setup.version(), 2, 'a publish changes no draft')
})

t.test('the answer of a site is returned in the format of the editors', async (t) => {
  const site = await startWebsite(t)
  const setup = await withDraft(t, { env: { ORCHESTRATOR_CORS_ORIGINS: site.origin } })
  const failed = { status: 'failed', session: 'dev', slugs: ['/', '/about'] }
  const because = (reason: unknown) => ({ ...failed, error: reason, reason, code: 'publish_failed' })
  const notes = { notes: ['Two images are large.'], unsupported: ['Video'] }
  const refused = { ok: false, error: 'refused', reason: 'It would remove 3 pages.', ...notes }
  const unwritten = { ok: false, error: 'write_failed', reason: 'The file could not be written.' }
  const away = { location: 'http://127.0.0.2:1/' }
  const unusable = because(/gave no usable answer/)
  const ready = { status: 'ready', slugs: ['/', '/about'] }
  const all = ['/', '/about', '/live']
  /** Status and body of the site, then status and body of the answer. */
  const cases: readonly [status: number, said: unknown, answered: number, body: object][] = [
    [200, { ok: true, slugs: all, ...notes }, 200, { status: 'ready', slugs: all, ...notes }],
    [201, {}, 200, ready],
    [200, { ok: true, slugs: '/', notes: [1], unsupported: {} }, 200, { ...ready, notes: undefined }],
    [404, '<h1>Not found</h1>', 400, because(/no \/api\/editor\/publish/)],
    [500, { error: 'The disk is full.', ...notes }, 400, { ...because('The disk is full.'), ...notes }],
    [500, unwritten, 400, because(unwritten.reason)],
    [503, {}, 400, because(/status 503/)],
    [401, { error: 'unauthorized', reason: 'Set it.' }, 400, because('Set it.')],
    [401, { ok: false, error: 'Unauthorized' }, 400, because(/PUBLISH_TOKEN/)],
    [409, refused, 409, { ...failed, ...refused }],
    [409, {}, 409, { ...failed, ok: false, error: 'refused', reason: readable }],
    [200, '<h1>Welcome</h1>', 502, unusable],
    [200, null, 502, unusable],
    [307, {}, 400, { ...because(/may not be fetched/), code: 'fetch_refused' }],
  ]
  for (const [code, said, expected, body] of cases) {
    site.answers.publish = { status: code, body: said, ...(code === 307 && { headers: away }) }
    const name = `${code} ${JSON.stringify(said)}`
    const got = await setup.publish({ siteOrigin: site.origin })
    t.equal(got.status, expected, name)
    t.match(got.json(), body, name)
    const words = fields(got)
    t.not(words['error'], 'unauthorized', 'the code on which editors ask for the password')
    const succeeded = expected === 200
    const shown = { status: succeeded ? 'ready' : 'failed', slugs: words['slugs'] }
    t.match(await status(setup), shown, `${name}: tracker`)
    const why = succeeded ? {} : { error: words['reason'], summary: words['reason'] }
    const row = { status: succeeded ? 'success' : 'failed', target: 'site-contract', slugs: words['slugs'] }
    t.match(await lastRow(setup), { ...row, ...why }, `${name}: row`)
  }
  const gone = await goneOrigin()
  const lost = await withDraft(t, { env: { ORCHESTRATOR_CORS_ORIGINS: gone } })
  const answer = await lost.publish({ siteOrigin: gone })
  t.equal(answer.status, 502)
  t.match(answer.json(), because(/gave no usable answer/))
  t.match(await status(lost), { status: 'failed', deployStatus: 502, deployResponse: 'site_contract' })
})

t.test('the refusal of a site is passed unchanged to the caller of the publish', async (t) => {
  const adapter = { readContent: async () => ({ pages: [page('/'), page('/a'), page('/b'), page('/c')] }) }
  const publish = () => t.fail('nothing is stored') as never
  const site = createSiteEditor({ adapter, publish, maxPagesRemoved: 1, logger: capturedLog().log })
  t.teardown(() => site.close())
  const origin = await serve(t, (request, response) => void site.node(request, response))
  const direct = await site.inject({ method: 'POST', url: '/api/editor/publish', json: { pages: twoPages } })
  const refusal = { ok: false, error: 'refused', reason: /: 3; maxPagesRemoved allows 1.*allowDelete/ }
  t.match([direct.status, direct.json()], [409, refusal])
  const setup = await withDraft(t, { env: { ORCHESTRATOR_CORS_ORIGINS: origin } })
  const answer = await setup.publish({ siteOrigin: origin })
  t.equal(answer.status, 409)
  const { ok, error, reason } = fields(answer)
  t.strictSame({ ok, error, reason }, direct.json())
})

t.test('without a target nothing is published; a forced one needs its site', async (t) => {
  const setup = await withDraft(t)
  const answer = await setup.publish()
  const error = /nowhere to publish.*PUBLISH_MODE/
  t.match([answer.status, answer.json()], [400, { error, code: 'no_publish_target', reason: /siteOrigin/ }])
  t.strictSame(await log(setup), [])
  t.equal((await setup.get('/publish/status')).status, 404)
  const forced = await withDraft(t, { env: { PUBLISH_TARGET: 'site-contract' } })
  const failed = { status: 'failed', session: 'dev', slugs: ['/', '/about'], code: 'publish_failed' }
  t.match((await forced.publish()).json(), { ...failed, error: /siteOrigin/, reason: /siteOrigin/ })
  t.match(await lastRow(forced), { status: 'failed', target: 'site-contract' })
})

t.test('a publish never deletes a page that could not be used, whatever became of it', async (t) => {
  const odd = { ...page('/odd'), title: '' }
  const site = await startWebsite(t, {
    pages: [page('/'), odd, page('/last'), page('/last', 'Second'), { meta: 1 }],
  })
  const sent = () => site.sent().at(-1)?.body['pages']
  const { get, slugs, ops, publish } = await siteDraft(t, site.origin)
  t.same(await slugs(), ['/', '/last'], 'the others are loaded')
  const listed = [
    { slug: '/odd', reason: 'title is missing or of the wrong type' },
    { slug: '/last', reason: 'another page has the same slug', repeated: true },
    { slug: 'pages[4]', reason: /^id is missing/ },
  ]
  t.match(await bodyOf(get('/draft/slugs')), { unreadable: listed })
  await ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'Edited' }])
  t.match(await bodyOf(get('/draft/slugs')), { unreadable: listed }, 'also after a change')

  site.answers.pages.body = { pages: [page('/'), page('/odd'), page('/last')] }
  t.equal((await publish()).status, 200)
  t.match(
    sent(),
    [{ slug: '/', title: 'Edited' }, page('/odd'), page('/last')],
    'corrected: the draft has followed',
  )
  t.same(await slugs(), ['/', '/odd', '/last'])
  await ops([{ op: 'rename_page', pageSlug: '/odd', newTitle: 'Odd' }])
  t.equal((await publish()).status, 200)
  t.match(
    sent(),
    [{ slug: '/' }, { slug: '/odd', title: 'Odd' }, { slug: '/last' }],
    'once it is in the draft',
  )
  await ops([{ op: 'remove_page', pageSlug: '/odd' }])
  t.equal((await publish()).status, 200)
  t.match(sent(), [{ slug: '/' }, { slug: '/last' }], 'and it can be removed')
  t.equal(v.parse(v.array(v.unknown()), sent()).length, 2)

  const gone = await siteDraft(t, site.origin, 'gone')
  site.answers.pages.body = { pages: [page('/'), odd] }
  t.same(await gone.slugs(), ['/'])
  site.answers.pages.body = { pages: [page('/')] }
  t.equal((await gone.publish()).status, 200)
  t.strictSame(sent(), [page('/')], 'a page that the site no longer has is not missed')

  const told = await siteDraft(t, site.origin, 'told')
  const unreadable = [{ slug: '/old', reason: 'the site says why' }]
  site.answers.pages.body = { pages: [page('/')], unreadable }
  t.equal((await told.publish()).status, 200)
  t.strictSame(sent(), [page('/')], 'a site that only names it carries it itself')
  t.match(await lastRow(told), { carried: 1 })
  t.match(await bodyOf(told.get('/publish/diff')), { unreadable })

  site.answers.pages = { status: 500, body: {} }
  t.match(refused(await told.publish()), { code: 'refused', reason: /'\/old'/ }, 'while the site is away')
  const away = { code: 'site_unavailable', reason: /overwrite/ }
  t.match(refused(await told.publish({ allowDelete: true })), away, 'deletions are another question')
  t.equal((await told.publish({ allowDelete: true, overwrite: true })).status, 200)
})

/** A draft of a registered site, which it fills itself. */
async function siteDraft(t: Test, origin: string, session = 'dev') {
  const setup = await withDraft(t, { env: { ORCHESTRATOR_CORS_ORIGINS: origin } }, [])
  await setup.send('/sites/register', { name: 'Acme', previewUrl: origin })
  const edit = editor((request) => setup.mounted.inject(request), { session, siteId: 'acme' })
  return { ...edit, publish: (body: object = {}) => edit.send('/publish', body) }
}

t.test(
  'an empty draft is refused before the site is called, unless the site is empty or allowDelete is set',
  async (t) => {
    const site = await startWebsite(t)
    const env = { ORCHESTRATOR_CORS_ORIGINS: site.origin, AUTO_BOOTSTRAP_SITE_ORIGIN: site.origin }
    const setup = await withDraft(t, { env }, [])
    const publish = (more = {}) => setup.publish({ siteOrigin: site.origin, ...more })
    const reason = /every published page \(2\).*allowDelete/
    const refusal = { ok: false, error: 'refused', code: 'refused', reason, status: 'failed', slugs: [] }
    for (const allowDelete of [undefined, false, 'true', 1, {}]) {
      const answer = await publish({ allowDelete })
      t.match([answer.status, answer.json()], [409, refusal])
    }
    t.strictSame(site.sent(), [])
    const logged = 'This publish would remove every published page (2).'
    t.match(await lastRow(setup), { status: 'failed', pageCount: 0, error: logged, summary: logged })
    site.answers.pages = { status: 500, body: {} }
    t.match((await publish()).json(), { error: 'refused', reason: /could not be read.*allowDelete/ })
    site.answers.pages = { status: 200, body: { pages: [] } }
    t.equal((await publish()).status, 200, 'nothing is removed from an empty site')
    site.answers.pages = { status: 500, body: {} }
    t.match((await publish({ allowDelete: true })).json(), { code: 'site_unavailable' })
    t.equal((await publish({ allowDelete: true, overwrite: true })).status, 200)
    t.equal(site.sent().at(-1)?.body['allowDelete'], true)
  },
)

t.test('git commits only the content file and pushes it', async (t) => {
  const repo = repository(t, { branch: 'live' })
  const secrets = 'PUBLISH_TOKEN VERCEL_TOKEN ORCHESTRATOR_ACCESS_TOKEN DRAFT_MODE_SECRET'.split(' ')
  const canaries = Object.fromEntries(secrets.map((name) => [name, 'canary']))
  const setup = await withDraft(t, { env: { ...repo.env, ...canaries, PUBLISH_GIT_BRANCH: 'live' } })
  repo.hook('pre-push', `env > ${join(repo.dir, 'seen-by-hook')}`)
  writeFileSync(join(repo.work, 'notes.txt'), 'staged by somebody else\n')
  repo.git('add', 'notes.txt')
  const answer = await setup.publish()
  const { commitSha } = fields(answer)
  const slugs = ['/', '/about']
  t.strictSame(answer.json(), { status: 'triggered', session: 'dev', slugs, branch: 'live', commitSha })
  t.equal(commitSha, repo.git('rev-parse', 'origin/live').trim())
  t.match(JSON.parse(repo.inRemote('content/pages.json')), [{ slug: '/' }, { slug: '/about' }])
  t.equal(repo.inRemote('notes.txt'), 'notes\n')
  t.equal(repo.git('diff', '--cached', '--name-only').trim(), 'notes.txt', 'it stays staged')
  t.match(await lastRow(setup), { target: 'git', status: 'triggered', commit: commitSha })
  t.match(await status(setup), { status: 'triggered', deployStatus: 200, deployResponse: 'git_publish' })
  const seen = readFileSync(join(repo.dir, 'seen-by-hook'), 'utf8')
  t.match(seen, /^HOME=/m)
  t.notMatch(seen, /canary/)

  t.match((await setup.publish()).json(), { status: 'ready', branch: 'live', message: /nothing new/i })
  t.match(await lastRow(setup), { status: 'success' })

  const wrapped = repository(t, { content: '{"pages":[],"siteConfig":{"name":"Old"}}' })
  const wrapper = await withDraft(t, { env: wrapped.env })
  const written = async (body = {}) => {
    await wrapper.publish(body)
    const { pages, ...rest } = v.parse(v.looseObject({}), JSON.parse(wrapped.inRemote('content/pages.json')))
    t.match(pages, [{ slug: '/' }, { slug: '/about' }])
    return rest
  }
  t.strictSame(await written(), { siteConfig: { name: 'Old' } }, 'without a config that of the file stays')
  wrapped.pushed('{ broken')
  t.equal((await wrapper.publish()).status, 409, 'an unreadable file is unknown content')
  t.strictSame(await written({ overwrite: true }), {}, 'and replaced on purpose')
  await wrapper.config({ name: 'New' })
  t.strictSame(await written(), { siteConfig: { name: 'New' } })
})

t.test('git commits the changed lines of a content file, whose form stays', async (t) => {
  const reversed = twoPages.toReversed().map((each) => Object.fromEntries(Object.entries(each).toReversed()))
  const content = `\uFEFF${JSON.stringify(reversed, null, '\t').replaceAll('\n', '\r\n')}`
  const repo = repository(t, { content })
  const setup = await withDraft(t, { env: repo.env })
  await setup.ops([{ op: 'rename_page', pageSlug: '/about', newTitle: 'New words' }])
  await setup.publish()
  const lines = repo.inRemote('content/pages.json').split('\n')
  const before = content.split('\n')
  t.equal(lines.length, before.length)
  t.match(
    lines.filter((line, n) => line !== before[n]),
    [/^\t\t"updatedAt": ".*",\r$/, /^\t\t"title": "New words",\r$/],
  )
})

t.test('git failures state their kind in at most twelve lines, without a path', async (t) => {
  const repo = repository(t)
  const failures = async (setup: Setup, reason: string, details: unknown) => {
    const answer = await setup.publish()
    const error = fields(answer)['error']
    t.match(error, readable)
    const facts = { status: 'failed', session: 'dev', slugs: ['/', '/about'], code: reason, reason, details }
    t.match([answer.status, answer.json()], [400, facts])
    t.notOk(answer.text.includes(repo.dir), 'no path of the server')
    t.match(await status(setup), { status: 'failed', deployStatus: 500, deployResponse: 'git_publish' })
    t.match(await lastRow(setup), { status: 'failed', target: 'git', error, summary: error })
  }
  const strict = await withDraft(t, { env: { ...repo.env, PUBLISH_GIT_STRICT: '1' } })
  for (let n = 0; n < 15; n++) writeFileSync(join(repo.work, 'content', `other-${n}-pages.json`), '')
  await failures(strict, 'working_tree_not_clean', [/other-0-pages\.json/])
  t.equal(v.parse(v.array(v.string()), fields(await strict.publish())['details']).length, 12)
  t.equal(readFileSync(repo.contentPath, 'utf8'), '[]\n', 'nothing is written into a dirty working tree')
  repo.git('clean', '-fdq')
  repo.hook('pre-commit', 'env >&2; exit 1')
  await failures(strict, 'commit_failed', [])
  repo.hook('pre-commit', 'exit 0')
  repo.hook('pre-push', 'env >&2; exit 1')
  await failures(strict, 'push_failed', [])
  await failures(strict, 'push_failed', [])
  repo.hook('pre-push', 'exit 0')
  t.equal(readFileSync(repo.contentPath, 'utf8'), '[]\n', 'a failed publish leaves the work tree as it was')
  t.equal(repo.git('status', '--porcelain'), '')
  const { status: how, commitSha } = fields(await strict.publish())
  t.strictSame([how, commitSha], ['triggered', repo.git('rev-parse', 'HEAD').trim()])
  t.match(JSON.parse(repo.inRemote('content/pages.json')), [{ slug: '/' }, { slug: '/about' }])
  const PUBLISHED_CONTENT_PATH = join(repo.dir, 'home', 'pages.json')
  const nowhere = await withDraft(t, { env: { ...repo.env, PUBLISHED_CONTENT_PATH } })
  await failures(nowhere, 'commit_failed', [])
})

t.test('a deploy hook is called with the published slugs, and its response is returned', async (t) => {
  const job = { id: 'job_1', state: 'pending', inspectorUrl: 'https://vercel.test/x' }
  const answers: Answering = { status: 201, body: { job } }
  const hook = await startSite(t, (_, response) => {
    response.writeHead(answers.status, { 'content-type': 'application/json', ...answers.headers })
    response.end(typeof answers.body === 'string' ? answers.body : JSON.stringify(answers.body))
  })
  const hookAt = (origin: string) => ({
    PUBLISH_MODE: 'deploy_hook',
    VERCEL_DEPLOY_HOOK_URL: `${origin}/hook/canary`,
  })
  const setup = await withDraft(t, { env: hookAt(hook.origin) })
  const answer = await setup.publish()
  const [slugs, named] = [['/', '/about'], { inspectUrl: 'https://vercel.test/x', deploymentId: 'job_1' }]
  const known = { deployStatus: 201, ...named, vercelState: 'PENDING' }
  const deployResponse = JSON.stringify(answers.body)
  t.match(answer.json(), { status: 'triggered', session: 'dev', slugs, deployResponse, ...known })
  t.notMatch(answer.text, /canary/)
  const publication = (await lastRow(setup))?.id
  const sent = { source: 'orchestrator', session: 'acme::dev', slugs, publishedAt: noon, publication }
  t.strictSame(JSON.parse(hook.seen[0]?.body ?? ''), sent)
  t.match(await lastRow(setup), { target: 'deploy-hook', status: 'triggered', ...named })
  t.match(await status(setup), { status: 'triggered', ...known })

  const after = async (status: number, body: unknown) => {
    Object.assign(answers, { status, body })
    return fields(await setup.publish())
  }
  const deep = [
    { url: 'javascript:alert(1)', status: 200 },
    { deploymentId: '../../x', state: { no: 1 } },
  ]
  const odd = await after(201, { deep, long: 'é'.repeat(900) })
  t.equal(String(odd['deployResponse']).length, 500)
  const nothing = { vercelState: 'TRIGGERED', inspectUrl: undefined, deploymentId: undefined }
  t.match(odd, nothing, 'invalid addresses and ids are omitted')
  const text = { status: 'triggered', deployResponse: 'plain text', vercelState: 'TRIGGERED' }
  t.match(await after(201, 'plain text'), text)
  await after(201, { state: 'error' })
  t.match(await lastRow(setup), { status: 'failed' }, 'failed from the start if the deployment failed')
  const why = { error: /answered 500/, reason: /answered 500/, code: 'publish_failed' }
  const refused = {
    status: 'failed',
    deployStatus: 500,
    deployResponse: 'no such hook',
    vercelState: 'ERROR',
  }
  t.match(await after(500, 'no such hook'), { ...refused, ...why })
  t.equal((await setup.publish()).status, 200, 'the hook was called')
  t.match(await status(setup), { status: 'failed', deployStatus: 500 })
  t.match(await lastRow(setup), { status: 'failed', error: /answered 500/ })

  for (const [env, code, error] of [
    [{ PUBLISH_MODE: 'deploy_hook' }, 400, /VERCEL_DEPLOY_HOOK_URL/],
    [hookAt(await goneOrigin()), 502, /could not be reached.*VERCEL_DEPLOY_HOOK_URL/],
  ] as const) {
    const failed = await (await withDraft(t, { env })).publish()
    t.match([failed.status, failed.json()], [code, { error, reason: error, status: 'failed' }])
    t.notMatch(failed.text, /canary/)
  }
})

t.test('a mount publishes to its adapter if that is writable', async (t) => {
  const site = await startWebsite(t)
  const written: SiteContent[] = []
  const answers = [{ notes: ['Settings were dropped.'] }, {}]
  const reading: ContentAdapter = { readContent: async () => written.at(-1) ?? { pages: [] } }
  const writing: ContentAdapter = {
    ...reading,
    writeContent: async (content) => (written.push(content), answers.shift()),
  }
  const env = {
    ORCHESTRATOR_DEFAULT_SITE_ID: 'acme',
    ORCHESTRATOR_CORS_ORIGINS: site.origin,
    PUBLISH_MODE: 'deploy_hook',
  }
  const setup = await withDraft(t, { env, seeds: [give(contentAdapter, writing)] })
  const published = { status: 'ready', session: 'dev', slugs: ['/', '/about'], vercelState: undefined }
  t.match((await setup.publish()).json(), { ...published, notes: ['Settings were dropped.'] })
  t.match(written, [{ pages: [{ slug: '/' }, { slug: '/about' }], siteConfig: undefined }])
  t.match(await lastRow(setup), { target: 'adapter', status: 'success', session: 'dev' })
  const plain = { status: 'ready', message: 'Republished with no content changes.', notes: undefined }
  for (const _ of [{}, undefined]) t.match((await setup.publish()).json(), plain)
  await setup.publish({ siteOrigin: site.origin })
  t.match(await lastRow(setup), { target: 'site-contract' }, 'a site in the request comes first')

  const readOnly = await withDraft(t, { env, seeds: [give(contentAdapter, reading)] })
  const refused = await readOnly.publish()
  t.equal(refused.status, 400)
  const reason = /writeOnPublish.*writeContent/
  t.match(refused.json(), { status: 'failed', error: reason, reason })

  const forced = mountForTest(
    t,
    publishing({ env: { ...env, PUBLISH_TARGET: 'adapter' }, seeds: [give(contentAdapter, writing)] }),
  )
  const other = editor((injection) => forced.inject(injection), { session: 'dev', siteId: 'other' })
  await other.bootstrap([page('/', 'Of another site')])
  const foreign = await other.send('/publish')
  t.equal(foreign.status, 400, 'drafts of other sites are never written to this one')
  t.match(foreign.json(), { status: 'failed', error: /acme/ })
  t.equal(written.length, 3)
})

t.test('what changes in an adapter while it is published to is merged', async (t) => {
  let content: SiteContent = { pages: [page('/'), page('/about')] }
  let changes: readonly SiteContent[] = []
  const adapter: ContentAdapter = {
    async readContent() {
      const now = content
      const [next, ...later] = changes
      if (next) [content, changes] = [next, later]
      return now
    },
    writeContent: async (next) => void (content = next),
  }
  const env = { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' }
  const setup = await withDraft(t, { env, seeds: [give(contentAdapter, adapter)] }, [])
  await setup.get('/draft/slugs')
  const heading = (text: string) =>
    setup.ops([{ op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { heading: text } }])
  const about = (text: string): SiteContent => ({
    pages: [content.pages[0] ?? page('/'), page('/about', text)],
  })
  const headings = () => content.pages.map(({ blocks }) => blocks[0]?.props['heading'])
  await heading('Mine')
  changes = [about('One'), about('Two')]
  const answer = await setup.publish({ baseVersion: await setup.version() })
  t.equal(answer.status, 200)
  t.strictSame(headings(), ['Mine', 'Two'])

  await heading('Late')
  changes = Array.from({ length: 9 }, (_, n) => about(`Number ${n}`))
  const late = await setup.publish()
  t.equal(late.status, 409)
  t.match(late.json(), { status: 'failed', code: 'site_changed', reason: /several times/ })
  t.match(headings(), ['Mine', /^Number/], 'nothing was written')
})

t.test('content that an adapter cannot read is replaced only if that is meant', async (t) => {
  const reason = /could not be read.*log of the service.*allowDelete/
  const unread: readonly ContentAdapter['readContent'][] = [
    () => Promise.reject(new Error('canary at /srv/content')),
  ]
  for (const readContent of unread) {
    const written: SiteContent[] = []
    const writeContent = async (content: SiteContent) => void written.push(content)
    const { log: logger, lines } = capturedLog()
    const options = {
      env: { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' },
      seeds: [give(contentAdapter, { readContent, writeContent })],
      more: { log: logger },
    }
    const empty = await withDraft(t, options, [])
    t.match(fields(await empty.get('/draft/slugs')), { slugs: emptyList, notice: /content adapter/ })
    t.equal((await empty.publish()).status, 409, 'nothing of it is in the draft')

    const setup = await withDraft(t, options)
    const answer = await setup.publish()
    t.equal(answer.status, 409)
    t.match(answer.json(), { ok: false, error: 'refused', status: 'failed', reason })
    t.notMatch(answer.text, /canary|srv/)
    t.match(await lastRow(setup), { status: 'failed', target: 'adapter', error: reason })
    t.match(lines.join(''), /canary/, 'the log says why')
    t.match(lines.at(-2), /canary.*content of the site not read before a publish/, 'also of the last read')
    t.same(written, [])

    t.equal((await setup.publish({ allowDelete: true })).status, 200)
    t.match(written, [{ pages: [{ slug: '/' }, { slug: '/about' }] }])
  }
})

t.test('targets of in-house plugins claim publishes, or are forced by name', async (t) => {
  const seen: Publication[] = []
  const custom = inHouse({
    name: 'custom',
    claims: ({ siteOrigin, id }) => siteOrigin === undefined && id.siteId === 'acme',
    publish: async (publication) => (
      seen.push(publication),
      { ...done, slugs: ['/custom'], body: { message: 'Done.' } }
    ),
  })
  const quiet = inHouse({
    name: 'quiet',
    claims: () => false,
    publish: async () => ({ ...done, status: 'triggered', tracker: { vercelState: 'queued' } }),
  })
  const setup = await withDraft(t, { plugins: [custom, quiet] })
  const answer = { status: 'ready', session: 'dev', slugs: ['/custom'], message: 'Done.' }
  t.strictSame(fields(await setup.publish()), answer)
  const pages = [{ slug: '/' }, { slug: '/about' }]
  const given = { siteConfig: undefined, siteOrigin: undefined, allowDelete: false, assets: {} }
  t.match(seen, [{ id: at, key: 'acme::dev', pages, publishedAt: noon, ...given }])
  t.match(await lastRow(setup), { target: 'custom', slugs: ['/custom'] })

  const forced = await withDraft(t, { plugins: [custom, quiet], env: { PUBLISH_TARGET: 'quiet' } })
  t.match((await forced.publish()).json(), { status: 'triggered' })
  t.match(await lastRow(forced), { target: 'quiet', status: 'triggered' })

  const failsToBoot = async (options: PublishingOptions, message: RegExp) => {
    const mounted = mount({
      shape: 'standalone',
      log: capturedLog().log,
      ...publishing(options),
      env: options.env ?? {},
    })
    const problem = await mounted.ready().catch((error: unknown) => error)
    t.ok(problem instanceof BootError)
    t.match(problem, { problems: [message] })
    await mounted.close()
  }
  const unknown = /'custm' is not a publish target; there are custom, site-contract, deploy-hook/
  const twice = [inHouse({ name: 'git' }), inHouse({ name: 'site-contract' })]
  await failsToBoot({ plugins: [custom], env: { PUBLISH_TARGET: 'custm' } }, unknown)
  await failsToBoot({ plugins: twice }, /'site-contract' is given twice/)
  await failsToBoot({ env: { PUBLISH_MODE: 'git' } }, /PUBLISHED_CONTENT_PATH/)
  await failsToBoot({ env: { PUBLISH_TARGET: 'git' } }, /PUBLISHED_CONTENT_PATH/)
  for (const [name, value] of Object.entries({
    PUBLISH_MODE: 'ftp',
    PUBLISH_GRACE_SECONDS: '-1',
    PUBLISH_GIT_STRICT: 'yes',
    PUBLISH_GIT_BRANCH: '--force',
    VERCEL_DEPLOY_HOOK_URL: 'nope',
    VERCEL_BASE_URL: 'x',
  }))
    await failsToBoot({ env: { [name]: value } }, new RegExp(`environment variable ${name}: must`))
  const git = inHouse({ name: 'git', claims: () => false })
  const own = await withDraft(t, { plugins: [git], env: { PUBLISH_TARGET: 'git' } })
  t.match((await own.publish()).json(), { status: 'ready' }, 'a target of a plugin needs no git settings')
})

t.test('with any result of a target, the publish is answered, tracked and logged', async (t) => {
  const { log: logger, lines } = capturedLog()
  let act: () => Promise<PublishOutcome> = async () => done
  const setup = await withDraft(t, {
    plugins: [inHouse({ name: 'moody', publish: () => act() })],
    more: { log: logger },
  })
  const odd = (outcome: object) => async () => JSON.parse(JSON.stringify(outcome)) as PublishOutcome
  const failing = { ...done, ok: false, httpStatus: 400, status: 'failed' }
  const sentence = { error: readable, reason: readable, code: 'publish_failed' }
  const fault = () => {
    throw new Error('canary-path /srv/secret')
  }
  const cases: readonly [name: string, act: () => Promise<PublishOutcome>, status: number, body: object][] = [
    ['throws', fault, 500, sentence],
    ['rejects', () => Promise.reject(new TypeError('canary-path')), 500, sentence],
    ['no server', () => Promise.reject(new UpstreamFailure('timeout')), 502, { code: 'upstream_timeout' }],
    ['answers nothing', odd([]), 500, sentence],
    ['answers another shape', odd({ ...done, body: { message: 7 } }), 500, sentence],
    ['no message', odd(failing), 400, sentence],
    ['a reason', odd({ ...failing, body: { reason: 'It is shut.' } }), 400, { error: 'It is shut.' }],
  ]
  for (const [name, does, expected, body] of cases) {
    act = does
    const answer = await setup.publish()
    t.equal(answer.status, expected, name)
    t.match(answer.json(), { status: 'failed', session: 'dev', slugs: ['/', '/about'], ...body }, name)
    t.notMatch(answer.text, /canary|Error/)
    t.match(await status(setup), { status: 'failed' }, name)
    t.match(await lastRow(setup), { status: 'failed', target: 'moody', error: fields(answer)['error'] }, name)
  }
  t.equal((await log(setup)).length, cases.length)
  t.equal(lines.filter((line) => line.includes('canary-path')).length, 2, 'the log of the server says why')
})

t.test('uploaded images are sent with a publish and refer to the site afterwards', async (t) => {
  const files = createMemoryBlobs({ clock: stillClock(noon), ids: randomIds })
  const put = (key: string, text: string, type = 'image/png', extension = 'png') =>
    files.put(Buffer.from(text), { type, extension, key })
  await put('upload_1.png', 'one')
  await put('upload_2.JPG', 'two', 'image/jpeg', 'JPG')
  await put('gdrive_abc-1.webp', 'drive', 'image/webp', 'webp')
  const site = await startWebsite(t)
  const env = { ORCHESTRATOR_CORS_ORIGINS: site.origin, ORCHESTRATOR_PUBLIC_ORIGIN: 'http://localhost:4200/' }
  const own = 'http://localhost:4200'
  const props = {
    imageUrl: `${own}/generated-images/upload_1.png`,
    twin: 'http://127.0.0.1:4200/generated-images/upload_2.JPG',
    drive: `${own}/gdrive/images/abc-1`,
    nested: [{ src: `${own}/generated-images/upload_1.png` }],
    markup: `<p><img src="${own}/generated-images/upload_1.png"> and ${own}/generated-images/upload_1.png.</p>`,
    missing: `${own}/generated-images/gone.png`,
    foreign: 'http://localhost:9999/generated-images/upload_1.png',
    lookalike: 'http://localhost:42000/generated-images/upload_1.png',
    other: `${own}/generated-images/../secret.png`,
    '"quote\\': 'kept "as\\ it" is',
  }
  const setup = await withDraft(t, { env, files }, [page('/', 'Hello', props)])
  await setup.config({ logo: `${own}/generated-images/upload_2.JPG` })
  t.equal((await setup.publish({ siteOrigin: site.origin })).status, 200)
  const [sent] = site.sent()
  const asset = (text: string, mimeType: string, fileName: string) => ({
    data: Buffer.from(text).toString('base64'),
    mimeType,
    fileName,
  })
  const png = asset('one', 'image/png', 'upload_1.png')
  const jpg = asset('two', 'image/jpeg', 'upload_2.JPG')
  t.strictSame(sent?.body['assets'], {
    [`${own}/generated-images/upload_1.png`]: png,
    'http://127.0.0.1:4200/generated-images/upload_2.JPG': jpg,
    [`${own}/gdrive/images/abc-1`]: asset('drive', 'image/webp', 'gdrive_abc-1.webp'),
    [`${own}/generated-images/upload_2.JPG`]: jpg,
  })
  const rewritten = {
    ...props,
    imageUrl: '/generated-images/upload_1.png',
    twin: '/generated-images/upload_2.JPG',
    drive: '/generated-images/gdrive_abc-1.webp',
    nested: [{ src: '/generated-images/upload_1.png' }],
    markup: '<p><img src="/generated-images/upload_1.png"> and /generated-images/upload_1.png.</p>',
  }
  const siteConfig = { logo: '/generated-images/upload_2.JPG' }
  t.match(sent?.body, { pages: [{ blocks: [{ props: rewritten }] }], siteConfig })
  t.match((await setup.page('/')).blocks[0]?.props, props, 'the draft is unchanged')

  const { pages, siteConfig: published } = sent?.body ?? {}
  site.answers.pages = { status: 200, body: { pages, siteConfig: published } }
  const diff = async () => (await setup.get('/publish/diff', { siteOrigin: site.origin })).json()
  const same = { pagesModified: 0, pagesUnchanged: 1, siteConfigChangedFields: 0 }
  t.match(await diff(), { summary: same }, 'another storage location of an image is not a change')
  await put('upload_3.png', 'three')
  const imageUrl = `${own}/generated-images/upload_3.png`
  await setup.ops([{ op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { imageUrl } }])
  const before = '/generated-images/upload_1.png'
  const fieldDiffs = [{ path: 'imageUrl', before, after: imageUrl, kind: 'image' }]
  t.match(await diff(), { pages: [{ blockDiffs: [{ fieldDiffs }] }] }, 'an editor can load a new one')

  const bare: Publication[] = []
  const target = inHouse({ name: 'bare', publish: async (publication) => (bare.push(publication), done) })
  const draft = [page('/', 'Hello', props)]
  await (await withDraft(t, { env, files, plugins: [target] }, draft)).publish()
  const unchanged = [{ blocks: [{ props: { imageUrl: props.imageUrl } }] }]
  t.match(bare, [{ assets: {}, pages: unchanged }], 'a target without file support gets absolute addresses')

  const repo = repository(t)
  await (await withDraft(t, { env: { ...env, ...repo.env }, files }, draft)).publish()
  t.match(JSON.parse(repo.inRemote('content/pages.json')), [{ blocks: [{ props: { imageUrl: before } }] }])
  t.equal(repo.inRemote('content/generated-images/upload_1.png'), 'one', 'next to the content file')
})
