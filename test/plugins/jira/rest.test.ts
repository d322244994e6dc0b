import type { RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createRedactor, Refusal } from '../../../kernel/index.ts'
import {
  collectAttachments,
  createJira,
  createRest,
  JiraFailure,
  JiraVariables,
  readSettings,
} from '../../../plugins/agents/jira/testing.ts'
import { createOutbound } from '../../../plugins/outbound/testing.ts'
import { endless, htmlPage, redirecting } from '../../helpers/answers.ts'
import { jiraError, startJira, token, type StoredFile } from '../../helpers/jira-server.ts'
import { files } from '../../helpers/media-files.ts'
import { startSite } from '../../helpers/upstream.ts'

const settingsOf = (env: Readonly<Record<string, string>>) => readSettings(v.parse(JiraVariables, env))

async function connected(
  t: Test,
  deployment: 'cloud' | 'server' = 'cloud',
  { retryAfterMs = [1, 1], allowed = [] }: { retryAfterMs?: number[]; allowed?: string[] } = {},
) {
  const server = await startJira(t, { deployment })
  const { connection } = settingsOf(server.env)
  if (!connection) throw new Error('no connection')
  const outbound = createOutbound({ allowedOrigins: allowed })
  t.teardown(() => outbound.close())
  const stopping = new AbortController()
  const redact = createRedactor([token, connection.authorization])
  const parts = { connection, outbound, redact, retryAfterMs }
  const jira = createJira(createRest({ ...parts, signal: stopping.signal }), connection)
  return { server, connection, outbound, jira, stopping }
}

const failureIn = async (job: Promise<unknown>): Promise<JiraFailure> => {
  const error = await job.catch((reason: unknown) => reason)
  if (!(error instanceof JiraFailure)) throw new Error(`no failure of Jira, but ${String(error)}`)
  return error
}

t.test('the connection is built from the variables', async (t) => {
  const basic = `Basic ${Buffer.from('a@b:key').toString('base64')}`
  const rows: readonly (readonly [env: object, deployment: string, authorization: string])[] = [
    [{ JIRA_USER_EMAIL: 'a@b' }, 'cloud', basic],
    [{}, 'cloud', 'Bearer key'],
    [{ JIRA_BASE_URL: 'https://api.atlassian.com/ex/jira/1' }, 'cloud', 'Bearer key'],
    [{ JIRA_BASE_URL: 'https://jira.acme.example/jira', JIRA_USER_EMAIL: 'a@b' }, 'server', 'Bearer key'],
    [{ JIRA_BASE_URL: 'https://atlassian.net.evil.example' }, 'server', 'Bearer key'],
    [{ JIRA_DEPLOYMENT: 'server' }, 'server', 'Bearer key'],
  ]
  const base = { JIRA_BASE_URL: 'https://acme.atlassian.net/', JIRA_API_TOKEN: 'key' }
  for (const [env, deployment, authorization] of rows)
    t.match(settingsOf({ ...base, ...env }).connection, { deployment, authorization })
  t.equal(settingsOf(base).connection?.baseUrl, 'https://acme.atlassian.net')
  t.equal(settingsOf({ JIRA_BASE_URL: 'https://acme.atlassian.net' }).connection, undefined)
  for (const [review, env] of [
    ['To Do', {}],
    ['Old', { JIRA_TRIGGER_STATUS: 'Old' }],
    ['New', { JIRA_TRIGGER_STATUS: 'Old', JIRA_REVIEW_STATUS: 'New' }],
  ] as const)
    t.equal(settingsOf(env).statuses.review, review)
  const wrong = `JIRA_BASE_URL=acme JIRA_BASE_URL=https://u:p@acme.example JIRA_API_TOKEN=a\nb JIRA_DEPLOYMENT=mars
    JIRA_POLL_INTERVAL_MS=9999 JIRA_MAX_REVIEW_PASSES=0 JIRA_MAX_REVIEW_PASSES=1.5 JIRA_AUTO_PUBLISH=banana`
  for (const [name = '', value = ''] of wrong.split(/ +|\n +/).map((each) => each.split('=')))
    t.notOk(v.safeParse(JiraVariables, { [name]: value }).success, name)
})

for (const deployment of ['cloud', 'server'] as const) {
  t.test(`requests follow the API of Jira ${deployment}`, async (t) => {
    const { server, jira } = await connected(t, deployment)
    const picture = { filename: 'a.png', mimeType: 'image/png', bytes: files.png }
    const issue = server.open('WEB-1', { description: 'plain', files: [picture] })
    for (let at = 0; at < 230; at++) server.say('WEB-1', at === 0 ? undefined : 'ann', `comment ${at}`)
    t.equal((await jira.myself()).id, 'bot')
    const people = { reporter: { id: 'ann', name: 'ANN' }, assignee: undefined }
    const about = { summary: 'Change the title', status: { name: 'To Do' } }
    const fields = { ...about, ...people, attachment: [{ filename: 'a.png' }] }
    t.match(await jira.issue('WEB-1'), { key: 'WEB-1', fields })
    const comments = await jira.comments('WEB-1')
    t.equal(comments.length, 230)
    t.equal(comments[0]?.author, undefined)
    for (let at = 0; at < 1_270; at++) server.say('WEB-1', 'ann', `comment ${at}`)
    const newest = await jira.comments('WEB-1')
    t.equal(newest.length, 1_100, 'the first and the newest thousand')
    t.equal(newest.at(-1)?.id, issue.comments.at(-1)?.id)

    const written = await jira.comment('WEB-1', '**Site editor: plan**\n- one')
    const isListed = comments.some(({ id }) => id === written.id)
    t.equal(isListed, false)
    const stored = deployment === 'cloud' ? { type: 'doc', version: 1 } : '*Site editor: plan*\n* one'
    t.match(issue.comments.at(-1)?.body, stored)
    t.equal(await jira.move('WEB-1', ' in review '), true)
    t.equal(issue.status, 'In Review')
    t.equal(await jira.move('WEB-1', 'Go to Done'), true, 'by the name of the transition')
    t.equal(await jira.move('WEB-1', 'Nowhere'), false)
    await jira.assign('WEB-1', { id: 'ann', name: '' })
    t.equal(issue.assignee, 'ann')
    for (let at = 2; at < 252; at++) server.open(`WEB-${at}`)
    const found = await jira.search('status in ("To Do", "in review")')
    t.equal(found.length, 200)
    t.equal(found[0]?.key, 'WEB-2')
    t.equal(server.count(deployment === 'cloud' ? '/search/jql' : '/search'), 10)
    t.strictSame(await jira.search('status in ("None")'), [])
    t.strictSame(server.problems, [])
  })
}

t.test('reads are retried where that may help, and writes never', async (t) => {
  const { server, jira } = await connected(t)
  server.open('WEB-1')
  for (const status of [429, 502, 503, 504]) {
    let left = 2
    server.faults.set('GET ', (response) =>
      left-- > 0 ? jiraError(status, { 'retry-after': '0' })(response) : false,
    )
    t.equal((await jira.issue('WEB-1')).key, 'WEB-1', `${status}`)
    server.faults.set('GET ', jiraError(status))
    const before = server.seen.length
    const failure = await failureIn(jira.issue('WEB-1'))
    t.equal(failure.status, status)
    t.equal(server.seen.length - before, 3, 'three times in all')
    t.match(failure.detail, /marker: error/)
    t.notMatch(failure.detail, token)
    server.faults.clear()
    server.faults.set('POST ', jiraError(status))
    const sent = server.seen.length
    t.equal((await failureIn(jira.comment('WEB-1', 'x'))).status, status)
    t.equal(server.seen.length - sent, 1)
    server.faults.clear()
  }
  server.faults.set('GET ', jiraError(429, { 'retry-after': '3600' }))
  const before = server.seen.length
  t.match((await failureIn(jira.issue('WEB-1'))).message, /is limiting requests/)
  t.equal(server.seen.length - before, 1, 'no wait of an hour')
  server.faults.set('GET ', jiraError(500))
  t.match((await failureIn(jira.issue('WEB-1'))).message, /has an internal error/)
})

t.test('a failure says what to check, and contains nothing of the response', async (t) => {
  const { server, jira, stopping } = await connected(t, 'cloud', { retryAfterMs: [20_000] })
  server.open('WEB-1')
  const rows: readonly (readonly [number, RegExp])[] = [
    [400, /with status 400/],
    [401, /JIRA_API_TOKEN/],
    [403, /Check its permissions in the project/],
    [404, /does not exist in Jira/],
  ]
  for (const [status, reason] of rows) {
    server.faults.set('GET ', jiraError(status))
    const { message } = await failureIn(jira.issue('WEB-1'))
    t.match(message, reason)
    t.notMatch(message, 'marker')
  }
  server.faults.set('GET ', redirecting('https://evil.example/'))
  t.match((await failureIn(jira.issue('WEB-1'))).message, /redirect/)
  for (const [fault, code] of [
    [htmlPage(200), 'upstream_invalid_json'],
    [endless, 'upstream_too_large'],
  ] as const) {
    server.faults.set('GET ', fault)
    await t.rejects(jira.issue('WEB-1'), { code })
  }
  for (const [status, body, said] of [
    [200, '{"key":"WEB-1"}', 'fields'],
    [200, '[]', ''],
    [204, undefined, 'not an object'],
  ] as const) {
    server.faults.set('GET ', (response) => response.writeHead(status).end(body))
    t.match((await failureIn(jira.issue('WEB-1'))).detail, `unexpected answer: ${said}`)
  }
  server.faults.set('GET ', jiraError(503))
  const waiting = jira.issue('WEB-1')
  setTimeout(() => stopping.abort(new Error('stopped')), 20)
  await t.rejects(waiting, /stopped|abort/)
})

t.test('supported attachments are read, and the credential is sent to Jira only', async (t) => {
  const givePicture: RequestListener = (_, response) =>
    response.setHeader('content-type', 'image/png').end(files.png)
  const [host, hidden] = [await startSite(t, givePicture), await startSite(t, givePicture)]
  const { server, jira, connection, outbound } = await connected(t, 'cloud', { allowed: [host.origin] })
  const png = { mimeType: 'image/png' }
  const text = (filename: string, content: string | Uint8Array, mimeType = 'text/plain') => ({
    filename,
    mimeType,
    bytes: Buffer.from(content),
  })
  const list: readonly StoredFile[] = [
    { filename: 'here.png', ...png, bytes: files.png },
    { filename: 'there\u0000.png', mimeType: 'image/png; charset=x', location: `${host.origin}/binary` },
    { filename: 'private.png', ...png, location: `${hidden.origin}/binary` },
    { filename: 'elsewhere.png', ...png, content: `${host.origin}/elsewhere` },
    { filename: 'odd.png', ...png, content: 'no address' },
    text('page.png', '<html>', 'image/png'),
    text('logo.svg', '<svg/>', 'image/svg+xml'),
    text('notes.md', Buffer.from(`\ufeff# Ünï ${'x'.repeat(60_000)}`, 'utf16le'), 'application/octet-stream'),
    text('latin.txt', Uint8Array.from([0xff, 0xfe, 0x00])),
    text('brief.pdf', '%PDF-', 'application/pdf'),
    text('scan.pdf', '%PDF-scan', 'application/pdf'),
    { filename: 'huge.txt', mimeType: 'text/plain', size: 30_000_000 },
    { filename: 'gone.txt', mimeType: 'text/plain' },
    ...Array.from({ length: 10 }, (_, at) => text(`more-${at}.txt`, 'x')),
  ]
  server.open('WEB-1', { files: list })
  const { fields } = await jira.issue('WEB-1')
  let count = 0
  const stored = new Set<string>()
  const media = {
    async keep(bytes: Uint8Array, { prefix }: { readonly prefix: string }) {
      if (!files.png.equals(bytes)) throw new Refusal({ status: 415, code: 'content_mismatch', reason: 'x' })
      const url = `https://cms.example/generated-images/${prefix}_${++count}.png`
      stored.add(url)
      return { url, bytes: bytes.length, mimeType: 'image/png', fileName: '', sha256: '' }
    },
    open: async (url: string) => (stored.has(url) ? {} : undefined) as never,
    textOf: async (pdf: Uint8Array) => (Buffer.from(pdf).includes('scan') ? undefined : { text: 'a brief' }),
  }
  const signal = new AbortController().signal
  const collect = (known: ReadonlyMap<string, string> = new Map()) =>
    collectAttachments(fields.attachment, { connection, outbound, media, stored: known, signal })
  const { images, documents, skipped, stored: addresses } = await collect()
  t.strictSame(images, [
    { name: 'here.png', url: 'https://cms.example/generated-images/jira_1.png' },
    { name: 'there .png', url: 'https://cms.example/generated-images/jira_2.png' },
  ])
  t.strictSame(documents.map(({ name, text }) => [name, text.length]).slice(0, 3), [
    ['notes.md', 50_000],
    ['brief.pdf', 7],
    ['more-0.txt', 1],
  ])
  const reasons = skipped.map(({ name, why }) => `${name}: ${why}`)
  t.strictSame(reasons, [
    'private.png: fetch_refused',
    'elsewhere.png: not stored in Jira',
    'odd.png: not stored in Jira',
    'page.png: content_mismatch',
    'logo.svg: unsupported file type',
    'latin.txt: unreadable text',
    'scan.pdf: unreadable text',
    'huge.txt: too large',
    'gone.txt: Jira answered 404',
    'more-7.txt: only the first 20 files are read',
    'more-8.txt: only the first 20 files are read',
    'more-9.txt: only the first 20 files are read',
  ])
  t.equal(host.seen.length, 1)
  t.equal(host.seen[0]?.headers.authorization, undefined, 'the media host gets no credential')
  t.equal(hidden.seen.length, 0, 'no request to a private network')

  const before = server.count('/files/WEB-1/0')
  t.same((await collect(addresses)).images, images, 'a picture is stored once')
  t.equal(server.count('/files/WEB-1/0'), before)
  stored.clear()
  const [again] = (await collect(addresses)).images
  t.match(again?.url, /jira_3\.png$/, 'and again once it is deleted')

  const parts = { connection, outbound, media, stored: new Map<string, string>(), signal }
  const broken = { ...media, keep: () => Promise.reject(new Error('broken')) }
  for (const [message, more] of [
    ['stopped', { signal: AbortSignal.abort(new Error('stopped')) }],
    ['broken', { media: broken }],
  ] as const)
    await t.rejects(collectAttachments(fields.attachment, { ...parts, ...more }), { message })
})

t.test('the attachments of a ticket share a limit', async (t) => {
  const { server, jira, connection, outbound } = await connected(t)
  const large = Buffer.alloc(20 * 1024 * 1024, 'x')
  const file = { mimeType: 'text/plain', bytes: large, size: 1 }
  server.open('WEB-1', { files: [0, 1, 2, 3].map((at) => ({ filename: `${at}.txt`, ...file })) })
  const { fields } = await jira.issue('WEB-1')
  const media = {
    keep: () => Promise.reject(new Error()),
    open: async () => undefined,
    textOf: async () => undefined,
  }
  const context = { connection, outbound, media, stored: new Map(), signal: new AbortController().signal }
  const { documents, skipped } = await collectAttachments(fields.attachment, context)
  t.equal(documents.length, 2)
  const whys = skipped.map(({ why }) => why)
  t.strictSame(whys, ['upstream_too_large', 'upstream_too_large'], 'whatever the declared size')
})
