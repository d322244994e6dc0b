import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { hash } from 'node:crypto'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { resolvePlugins } from '../../config/resolve.ts'
import { createAccessLog, createLogger, give, mount } from '../../kernel/index.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import { folderWith, orchestrator } from '../config/helpers.ts'
import { allRoutes, bodyRoutes } from './bodies.ts'
import { startService } from './service.ts'

/** What an operator keeps secret. Every one of them is long enough to be told from a word. */
const operators = {
  ORCHESTRATOR_ACCESS_TOKEN: 'canary-env-access-token', ACCESS_TOKEN_SECRET: 'canary-env-token-secret-0123456789', PUBLISH_TOKEN: 'canary-env-publish-token',
  DRAFT_MODE_SECRET: 'canary-env-draft-secret', VERCEL_TOKEN: 'canary-env-vercel-token', ANTHROPIC_API_KEY: 'canary-env-anthropic-key', JIRA_API_TOKEN: 'canary-env-jira-token', ACME_SECRET: 'canary-env-in-house',
}
const password = 'canary-password-right'
const passwordHash = hash('sha256', password)
const env = { ...operators, ACCESS_PASSWORD_HASH: passwordHash }

/** What strangers send in the hope that it is written down somewhere: nothing of it is known to the redactor. */
const strange = 'canary-stranger'
const headers = {
  'x-access-token': `${strange}-x-access-token`, authorization: `Bearer ${strange}-bearer`, 'x-publish-token': `${strange}-publish`, cookie: `session=${strange}-cookie`,
  'x-jira-webhook-secret': `${strange}-jira`, 'x-hub-signature': `${strange}-hub`, 'x-forwarded-for': `${strange}-for`, 'user-agent': `${strange}-agent`, referer: `https://x.test/?accessToken=${strange}-referer`,
}
const query = `accessToken=${strange}-query&access_token=${strange}-query-2&secret=${strange}-secret&sig=${strange}-sig`
const uninvited = { accessToken: `${strange}-body`, token: `${strange}-body`, secret: `${strange}-body-secret`, password: `${strange}-guess`, authorization: `${strange}-body` }

interface Wish {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** One of everything, right and wrong, with secrets wherever one can be put. */
const wishes: readonly Wish[] = [
  ...allRoutes.filter(({ spec }) => spec.path !== '/events').flatMap(({ spec: { method, path } }): readonly Wish[] => [
    { method, path: `${path}?session=dev&siteId=demo&slug=/&key=nothing&${query}`, headers },
    { method: 'HEAD', path: `${path}?${query}`, headers },
    { method, path: `${path}?session=1&session=2&${query}`, headers },
  ]),
  ...bodyRoutes.flatMap(({ method, path, example }): readonly Wish[] => [
    { method, path: `${path}?${query}`, headers, body: JSON.stringify({ ...uninvited, ...example }) },
    { method, path, headers, body: JSON.stringify({ ...uninvited, session: 7, siteId: [], ops: 7, config: 7, commit: 7 }) },
    { method, path, headers, body: `{"password":"${strange}-broken"` },
    { method, path, headers: { ...headers, 'content-type': `${strange}/type` }, body: `${strange}-text` },
    { method, path, headers: { ...headers, 'content-encoding': `${strange}-coding` }, body: '{}' },
    { method, path, headers: { ...headers, origin: `https://${strange}.test` }, body: '{}' },
    { method, path, headers: { ...headers, 'idempotency-key': 'one-key', 'if-match': `"${strange}-match"` }, body: JSON.stringify(example) },
  ]),
  { path: `/nowhere/at/all?${query}`, headers },
  { path: `/%6eowhere?${query}`, headers },
  { path: '/draft/pages?session=a::b&slug=/', headers },
  { method: 'OPTIONS', path: `/ops?${query}`, headers: { ...headers, origin: `https://${strange}.test`, 'access-control-request-method': 'POST', 'access-control-request-headers': strange } },
  { method: 'POST', path: '/auth/verify', body: JSON.stringify({ password: `${strange}-guess` }) },
  { method: 'POST', path: '/sites/register', body: JSON.stringify({ siteId: 'demo', name: 'Demo', secret: `${strange}-site-secret` }) },
]

const Verified = v.object({ accessToken: v.string() })

/** Sends everything, listens to the live stream meanwhile, and gives every answer and frame that came back. */
async function live(origin: string): Promise<{ readonly texts: readonly string[]; readonly issued: string }> {
  const texts: string[] = []
  const ask = async ({ method = 'GET', path, headers = {}, body }: Wish): Promise<string> => {
    const response = await fetch(origin + path, { method, redirect: 'manual', headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }, ...(body !== undefined && { body }) })
    const text = await response.text()
    texts.push(`${method} ${path.split('?')[0]} ${response.status} ${JSON.stringify([...response.headers])} ${text}`)
    return text
  }
  const { accessToken: issued } = v.parse(Verified, JSON.parse(await ask({ method: 'POST', path: '/auth/verify', body: JSON.stringify({ password }) })))
  // The caller's own token, in the caller's own answer: the one place where a secret belongs.
  texts.splice(0)
  const right = { 'x-access-token': issued, 'x-publish-token': operators.PUBLISH_TOKEN }
  const stop = new AbortController()
  const stream = await fetch(`${origin}/events?session=dev&siteId=demo&accessToken=${issued}`, { signal: stop.signal })
  let frames = ''
  const listening = (async () => {
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) frames += chunk
  })().catch(() => undefined)
  for (const wish of wishes) {
    await ask(wish)
    await ask({ ...wish, headers: { ...wish.headers, ...right } })
    if (wish.path.includes('accessToken=')) await ask({ ...wish, path: wish.path.replace(/accessToken=[\w-]+/, `accessToken=${issued}`), headers: { 'x-publish-token': operators.PUBLISH_TOKEN } })
  }
  stop.abort()
  await listening
  return { texts: [...texts, `/events ${frames}`], issued }
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => `${entry.name} ${readFileSync(join(entry.parentPath, entry.name), 'latin1')}`)

/** Asserts that no secret stands in any of these texts; shows where one does, not the whole text. */
function holdsNone(t: Test, what: string, texts: readonly string[], secrets: readonly string[]): void {
  const hits = texts.flatMap((text) => secrets.filter((secret) => text.includes(secret)).map((secret) => `${text.slice(0, 60)} ... ${text.slice(Math.max(0, text.indexOf(secret) - 60), text.indexOf(secret) + 60)}`))
  t.strictSame(hits.slice(0, 5), [], `${texts.length} ${what} hold no secret`)
}

t.test('a server of its own keeps every secret out of answers, frames, logs and files', async (t) => {
  const service = await startService(t, { env, demo: true })
  const { texts, issued } = await live(service.origin)
  const secrets = [strange, ...Object.values(operators), password, passwordHash, issued]
  t.ok(texts.length > 200)
  t.match(texts.at(-1), /"type":"draft"/, 'the stream was alive')
  await service.stop()
  holdsNone(t, 'answers', texts, secrets)
  holdsNone(t, 'log lines', service.written().split('\n'), secrets)
  t.match(service.written(), /"route":"\/draft\/pages","status":200/, 'requests were logged, by the pattern of their route')
  const files = filesIn(service.dataDir)
  t.ok(files.some((file) => file.startsWith('orchestrator.db ')))
  holdsNone(t, 'files', files, secrets)
})

t.test('a mount keeps them too, also where its logger knows of no secret', async (t) => {
  const dataDir = folderWith(t)
  let written = ''
  const write = (line: string): void => void (written += line)
  const adapter = { readContent: async () => ({ pages: [{ id: 'p', slug: '/', title: 'Home', updatedAt: '2026-01-01T00:00:00.000Z', blocks: [] }] }), writeContent: async () => undefined }
  const plugins = await resolvePlugins({ shape: 'library', plugins: [['store', { synchronous: 'normal' }]] })
  const mounted = mount({
    shape: 'library', plugins, seeds: [give(contentAdapter, adapter)], env: { ...env, ORCHESTRATOR_DATA_DIR: dataDir, ORCHESTRATOR_DEFAULT_SITE_ID: 'demo', NODE_ENV: 'production' },
    log: createLogger({ level: 'trace', destination: { write } }), access: createAccessLog(write, () => 0),
  })
  const server = createServer((request, response) => void mounted.node(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const { texts, issued } = await live(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  server.closeAllConnections()
  server.close()
  await mounted.close()
  t.ok(texts.filter((text) => /"error":"unauthorized"/.test(text)).length > 50, 'strangers were turned away')
  t.ok(texts.filter((text) => /^\w+ \S+ 200 /.test(text)).length > 50, 'and those who know a token were not')
  const secrets = [strange, ...Object.values(operators), password, passwordHash, issued]
  holdsNone(t, 'answers', texts, secrets)
  holdsNone(t, 'log lines', written.split('\n'), secrets)
  holdsNone(t, 'files', filesIn(dataDir), secrets)
})

t.test('no command of the command line prints a secret, and no mistake in one makes it', async (t) => {
  const folder = folderWith(t)
  const address = 'https://name:canary-env-in-address@origin.test'
  const outcomes = [
    await orchestrator(folder, ['config'], { env }), await orchestrator(folder, ['config', '--json'], { env }), await orchestrator(folder, ['doctor'], { env }), await orchestrator(folder, ['doctor', '--json'], { env }),
    await orchestrator(folder, ['routes'], { env }), await orchestrator(folder, ['plan'], { env }), await orchestrator(folder, ['openapi'], { env }),
    await orchestrator(folder, ['doctor'], { env: { ...env, ACCESS_PASSWORD_HASH: 'canary-env-no-hash' } }), await orchestrator(folder, ['serve', '--port', '0'], { env: { ...env, ACCESS_PASSWORD_HASH: 'canary-env-no-hash' } }),
    await orchestrator(folder, ['config'], { env: { ...env, ORCHESTRATOR_CORS_ORIGINS: address, VERCEL_DEPLOY_HOOK_URL: 'canary-env-hook' } }),
    await orchestrator(folder, ['doctor'], { env: { ...env, ORCHESTRATOR_PUBLIC_ORIGIN: address, AGENT_SURFACE: 'canary' } }),
  ]
  t.strictSame(outcomes.slice(0, 2).map(({ code }) => code), [0, 0])
  t.match(outcomes[0]?.out, /PUBLISH_TOKEN.*set \(masked\)/)
  t.strictSame(outcomes.slice(7).map(({ code }) => code), [1, 1, 1, 1])
  holdsNone(t, 'outcomes', outcomes.map(({ out, err }) => out + err), ['canary-env', password, passwordHash])
})
