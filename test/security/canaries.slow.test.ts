import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { resolvePlugins } from '../helpers/resolve-plugins.ts'
import { createHttpServer } from '../../kernel/http/server.ts'
import { createAccessLog, createLogger, give, mount } from '../../kernel/index.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import { folderWith, orchestrator } from '../config/helpers.ts'
import { listen } from '../helpers/raw.ts'
import { allRoutes, bodyRoutes, isStream } from './bodies.ts'
import { startService } from './service.ts'

/** Secrets of the operator. */
const operators = {
  ORCHESTRATOR_ACCESS_TOKEN: 'canary-env-access-token',
  ACCESS_TOKEN_SECRET: 'canary-env-token-secret-0123456789',
  PUBLISH_TOKEN: 'canary-env-publish-token',
  DRAFT_MODE_SECRET: 'canary-env-draft-secret',
  VERCEL_TOKEN: 'canary-env-vercel-token',
  ANTHROPIC_API_KEY: 'canary-env-anthropic-key',
  OPENAI_API_KEY: 'canary-env-openai-key',
  MCP_BEARER_TOKEN: 'canary-env-mcp-bearer-0123456789abcdef',
  JIRA_API_TOKEN: 'canary-env-jira-token',
  JIRA_WEBHOOK_SECRET: 'canary-env-jira-secret',
  WEBHOOK_SECRET: 'whsec_canaryEnvWebhookSecret0123456789abcdefgh',
  ACME_SECRET: 'canary-env-in-house',
}
const password = 'canary-password-right'
const passwordHash = hash('sha256', password)
/** Part of a webhook address where nothing listens, so that failures are logged. */
const webhookPath = 'canary-env-webhook-path'
const env = {
  ...operators,
  WEBHOOK_URL: `http://127.0.0.1:1/${webhookPath}`,
  ACCESS_PASSWORD_HASH: passwordHash,
}

/** Sent by unauthenticated clients wherever a secret could be; the redaction of logs does not know these values. */
const strangerMarker = 'canary-stranger'
const mark = (name: string): string => `${strangerMarker}-${name}`
const headers = {
  'x-access-token': mark('x-access-token'),
  authorization: `Bearer ${mark('bearer')}`,
  'x-publish-token': mark('publish'),
  cookie: `session=${mark('cookie')}`,
  'x-jira-webhook-secret': mark('jira'),
  'x-hub-signature': mark('hub'),
  'x-forwarded-for': mark('for'),
  'user-agent': mark('agent'),
  referer: `https://x.test/?accessToken=${mark('referer')}`,
  traceparent: mark('trace'),
  tracestate: `vendor=${mark('state')}`,
  baggage: `user=${mark('baggage')}`,
}
const query = ['accessToken', 'access_token', 'secret', 'sig']
  .map((name) => `${name}=${mark(name)}`)
  .join('&')
const [inField, guess] = [mark('body'), mark('guess')]
const inBody = { accessToken: inField, token: inField, secret: inField, password: guess }
const misfits = { session: 7, siteId: [], ops: 7, config: 7, commit: 7 }

interface CanaryRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const asJson = (value: unknown): { readonly body: string } => ({ body: JSON.stringify(value) })
/** A form whose names and values are secrets, with a file of an unsupported type. */
const form = [
  `name="${strangerMarker}-name"`,
  `name="${strangerMarker}-file"; filename="${strangerMarker}-file-name"\r\ncontent-type: ${strangerMarker}/type`,
].map((line) => `--b\r\ncontent-disposition: form-data; ${line}\r\n\r\n${strangerMarker}-value\r\n`)
const asForm = {
  headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
  body: `${form.join('')}--b--\r\n`,
}
const preflight = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': strangerMarker,
}
const conditions = { 'idempotency-key': 'one-key', 'if-match': `"${mark('match')}"` }
const stranger = { ...headers, origin: `https://${strangerMarker}.test` }

/** Valid and invalid requests for every route, with secrets wherever possible. */
const requests: readonly CanaryRequest[] = [
  ...allRoutes
    .filter((route) => !isStream(route))
    .flatMap(({ spec: { method, path } }): readonly CanaryRequest[] => [
      { method, path: `${path}?session=dev&siteId=demo&slug=/&key=nothing&${query}`, headers },
      { method: 'HEAD', path: `${path}?${query}`, headers },
      { method, path: `${path}?session=1&session=2&${query}`, headers },
    ]),
  ...bodyRoutes.flatMap(({ method, path, example }): readonly CanaryRequest[] => [
    { method, path: `${path}?${query}`, headers, ...asJson({ ...inBody, ...example }) },
    { method, path, headers, ...asJson({ ...inBody, ...misfits }) },
    { method, path, headers, body: `{"password":"${strangerMarker}-broken"` },
    { method, path, headers: { ...headers, 'content-type': `${strangerMarker}/type` }, body: mark('text') },
    { method, path, headers: { ...headers, 'content-encoding': mark('coding') }, body: '{}' },
    { method, path, headers: stranger, body: '{}' },
    { method, path, headers: { ...headers, ...conditions }, ...asJson(example) },
  ]),
  { method: 'POST', path: `/image/upload?${query}`, ...asForm },
  { method: 'POST', path: `/attachment/upload?${query}`, ...asForm },
  { path: `/nowhere/at/all?${query}`, headers },
  { path: '/draft/pages?session=a::b&slug=/', headers },
  { method: 'OPTIONS', path: `/ops?${query}`, headers: { ...stranger, ...preflight } },
  { method: 'POST', path: '/auth/verify', ...asJson({ password: `${strangerMarker}-guess` }) },
  {
    method: 'POST',
    path: '/sites/register',
    ...asJson({ siteId: 'demo', name: 'Demo', secret: mark('site') }),
  },
]

const Verified = v.object({ accessToken: v.string() })

/** All answers, and the token that was issued. */
interface CanaryAnswers {
  readonly texts: readonly string[]
  readonly issued: string
}

/** Sends all requests without and with valid tokens, while it follows the event stream. */
async function sendAll(origin: string): Promise<CanaryAnswers> {
  const texts: string[] = []
  const ask = async ({ method = 'GET', path, headers = {}, body }: CanaryRequest): Promise<string> => {
    const sent =
      body === undefined ? { headers } : { headers: { 'content-type': 'application/json', ...headers }, body }
    const response = await fetch(origin + path, { method, redirect: 'manual', ...sent })
    const text = await response.text()
    const [plainPath] = path.split('?')
    texts.push(`${method} ${plainPath} ${response.status} ${JSON.stringify([...response.headers])} ${text}`)
    return text
  }
  const verified = await ask({ method: 'POST', path: '/auth/verify', ...asJson({ password }) })
  const { accessToken: issued } = v.parse(Verified, JSON.parse(verified))
  // The caller's own token in the caller's own answer: the one place where a secret belongs.
  texts.splice(0)

  const stop = new AbortController()
  const stream = await fetch(`${origin}/events?session=dev&siteId=demo&accessToken=${issued}`, {
    signal: stop.signal,
  })
  let frames = ''
  const listening = (async () => {
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) frames += chunk
  })().catch(() => undefined)
  const publisher = { 'x-publish-token': operators.PUBLISH_TOKEN }
  for (const request of requests) {
    await ask(request)
    await ask({ ...request, headers: { ...request.headers, ...publisher, 'x-access-token': issued } })
    const path = request.path.replace(/accessToken=[\w-]+/, `accessToken=${issued}`)
    if (path !== request.path) await ask({ ...request, path, headers: publisher })
  }
  stop.abort()
  await listening
  return { texts: [...texts, `/events ${frames}`], issued }
}

const secretsOf = ({ issued }: CanaryAnswers): readonly string[] => [
  strangerMarker,
  ...Object.values(operators),
  webhookPath,
  password,
  passwordHash,
  issued,
]

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name} ${readFileSync(join(entry.parentPath, entry.name), 'latin1')}`)

/** Asserts that none of these texts contains a secret; shows only the place of a hit. */
function containNone(t: Test, what: string, texts: readonly string[], secrets: readonly string[]): void {
  const hits = texts.flatMap((text) => {
    const places = secrets.map((secret) => text.indexOf(secret)).filter((at) => at >= 0)
    return places.map((at) => `${text.slice(0, 60)} ... ${text.slice(Math.max(0, at - 60), at + 60)}`)
  })
  t.strictSame(hits.slice(0, 5), [], `${texts.length} ${what} hold no secret`)
}

t.test('a standalone server keeps every secret out of answers, frames, logs and files', async (t) => {
  const service = await startService(t, { env, demo: true })
  const outcome = await sendAll(service.origin)
  await service.stop()
  t.ok(outcome.texts.length > 200)
  t.match(outcome.texts.at(-1), /"type":"draft"/, 'the stream was alive')
  containNone(t, 'answers', outcome.texts, secretsOf(outcome))
  containNone(t, 'log lines', service.written().split('\n'), secretsOf(outcome))
  t.match(service.written(), /"route":"\/draft\/pages","status":200/, 'requests were logged')
  const files = filesIn(service.dataDir)
  t.ok(files.some((file) => file.startsWith('orchestrator.db ')))
  containNone(t, 'files', files, secretsOf(outcome))
})

const home = { id: 'p', slug: '/', title: 'Home', updatedAt: '2026-01-01T00:00:00.000Z', blocks: [] }

t.test('a mount keeps every secret out of answers, logs and files', async (t) => {
  const dataDir = folderWith(t)
  let written = ''
  const write = (line: string): void => void (written += line)
  const mounted = mount({
    shape: 'library',
    plugins: await resolvePlugins({ shape: 'library', plugins: [['store', { synchronous: 'normal' }]] }),
    seeds: [give(contentAdapter, { readContent: async () => ({ pages: [home] }) })],
    env: {
      ...env,
      NODE_ENV: 'production',
      ORCHESTRATOR_DATA_DIR: dataDir,
      ORCHESTRATOR_DEFAULT_SITE_ID: 'demo',
    },
    log: createLogger({ level: 'trace', destination: { write } }),
    access: createAccessLog(write, () => 0),
  })
  const outcome = await sendAll(`http://127.0.0.1:${await listen(t, createHttpServer(mounted.node))}`)
  await mounted.close()
  for (const part of [/"error":"unauthorized"/, /^\w+ \S+ 200 /])
    t.ok(outcome.texts.filter((text) => part.test(text)).length > 50, 'without and with a token')
  containNone(t, 'answers', outcome.texts, secretsOf(outcome))
  containNone(t, 'log lines', written.split('\n'), secretsOf(outcome))
  containNone(t, 'files', filesIn(dataDir), secretsOf(outcome))
})

t.test('no CLI command prints a secret, not even in an error about wrong settings', async (t) => {
  const folder = folderWith(t)
  const run = (command: string, more: Readonly<Record<string, string>> = {}) =>
    orchestrator(folder, command.split(' '), { env: { ...env, ...more } })
  const address = 'https://name:canary-env-in-address@origin.test'
  const commands = 'config|config --json|doctor|doctor --json|routes|plan|openapi|config --all'.split('|')
  const mistakes = [
    await run('doctor', { ACCESS_PASSWORD_HASH: 'canary-env-no-hash' }),
    await run('serve --port 0', { ACCESS_PASSWORD_HASH: 'canary-env-no-hash' }),
    await run('config', { ORCHESTRATOR_CORS_ORIGINS: address, VERCEL_DEPLOY_HOOK_URL: 'canary-env-hook' }),
    await run('mcp', {
      MCP_BEARER_TOKEN: 'canary-env-short',
      ORCHESTRATOR_URL: address,
      MCP_ALLOWED_ORIGINS: address,
      MCP_PORT: 'canary-env',
    }),
    await run('doctor', { ORCHESTRATOR_PUBLIC_ORIGIN: address, AGENT_SURFACE: 'canary' }),
  ]
  const codes = mistakes.map(({ code }) => code)
  t.strictSame(codes, [1, 1, 1, 1, 1])
  const outcomes = [...mistakes]
  for (const command of commands) outcomes.push(await run(command))
  t.match(outcomes[mistakes.length]?.out, /PUBLISH_TOKEN.*set \(masked\)/)
  containNone(
    t,
    'outcomes',
    outcomes.map(({ out, err }) => out + err),
    ['canary-env', operators.WEBHOOK_SECRET, password, passwordHash],
  )
})
