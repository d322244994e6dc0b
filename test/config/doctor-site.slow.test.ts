import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createSiteEditor, type SiteEditorOptions } from '../../config/create-site-editor.ts'
import { capturedLog } from '../../kernel/testing.ts'
import type { ContentAdapter } from '../../plugins/content/adapter.ts'
import { demoPages } from '../../plugins/demo-site/pages/index.ts'
import { generateManifest } from '../../plugins/content/manifest.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { listen } from '../helpers/raw.ts'
import { startRawSite, testCertificate, testKey } from '../helpers/upstream.ts'
import { folderWith, orchestrator, smallConfig } from './helpers.ts'

const editorOrigin = 'https://editor.example'
const secrets = { PUBLISH_TOKEN: 'canary-publish-token-1234', DRAFT_MODE_SECRET: 'canary-draft-secret-1234' }
const adapter: ContentAdapter = { readContent: async () => ({ pages: demoPages }) }
/** Publishes caused by the check; must stay empty. */
const published: unknown[] = []

/** The environment of the process while a site is created in it. */
function environment(t: Test, variables: Readonly<Record<string, string>>): void {
  const before = { ...process.env }
  for (const name of ['NODE_ENV', 'NEXT_PUBLIC_SITE_URL', ...Object.keys(secrets)]) delete process.env[name]
  Object.assign(process.env, variables)
  t.teardown(() => {
    for (const name of Object.keys(variables)) delete process.env[name]
    Object.assign(process.env, before)
  })
}

/** The listener of a correct site, except for these options. */
function siteOf(t: Test, options: Partial<SiteEditorOptions> = {}): RequestListener {
  const mounted = createSiteEditor({
    adapter,
    publish: (publication) => {
      published.push(publication)
      return { ok: true, slugs: [] }
    },
    publishSecret: secrets.PUBLISH_TOKEN,
    draftSecret: secrets.DRAFT_MODE_SECRET,
    editorOrigins: [editorOrigin],
    logger: capturedLog('silent').log,
    ...options,
  })
  t.teardown(() => mounted.close())
  return (request, response) => void mounted.node(request, response)
}

const startAt = async (t: Test, listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(t, createServer(listener))}`

type Said = Readonly<Record<string, string>>
const Findings = v.array(v.object({ item: v.string(), state: v.string(), says: v.string() }))

interface Outcome {
  readonly code: number
  readonly out: string
  /** The findings about the site by item, as state and message. */
  readonly site: Said
}

/** Runs doctor on a site, in an installation that matches it except for these variables. */
async function diagnose(
  t: Test,
  origin: string,
  more: Readonly<Record<string, string | undefined>> = {},
  patience = 2_000,
): Promise<Outcome> {
  const folder = folderWith(t, { 'orchestrator.config.json': smallConfig() })
  const all: Record<string, string | undefined> = {
    ...secrets,
    NEXT_PUBLIC_SITE_URL: origin,
    ORCHESTRATOR_CORS_ORIGINS: `${origin},${editorOrigin}`,
    ...more,
  }
  const env = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const { code, out, err } = await orchestrator(folder, ['doctor', '--json', '--site', origin], {
    env,
    patience,
  })
  t.equal(err, '')
  t.notMatch(out, /canary/)
  const findings = v.parse(Findings, JSON.parse(out)).filter(({ item }) => item.startsWith('Site: '))
  return {
    code,
    out,
    site: Object.fromEntries(findings.map(({ item, state, says }) => [item.slice(6), `${state} ${says}`])),
  }
}

const fine: Said = {
  pages: `ok It answers with ${demoPages.length} published pages.`,
  manifest: `ok It declares ${generateManifest(builtinRegistry).blocks.length} block types.`,
  'block types': 'ok Every block on a published page has a declared type.',
  'draft secret': 'ok It accepts DRAFT_MODE_SECRET.',
  'draft cookie': 'ok The signed cookie has the required attributes.',
  'wrong secret': 'ok It refuses a wrong secret, and sets no cookie.',
  redirects: 'ok Its redirects stay on the site.',
  'publish secret': 'ok It accepts PUBLISH_TOKEN, and refuses requests without it.',
  editors: `ok Pages of ${editorOrigin} may call it.`,
  strangers: 'ok Pages of unlisted origins may not call it.',
  origin: 'ok Its origin is among those that may call here and that content is published to.',
  address: 'ok NEXT_PUBLIC_SITE_URL is the address that was checked.',
}

t.test('a correct site passes every check, and nothing is published', async (t) => {
  environment(t, { NODE_ENV: 'production' })
  const origin = await startAt(t, siteOf(t))
  t.strictSame((await diagnose(t, origin)).site, fine)
  const twin = origin.replace('127.0.0.1', 'localhost')
  const { site } = await diagnose(t, origin, {
    NEXT_PUBLIC_SITE_URL: twin,
    ORCHESTRATOR_CORS_ORIGINS: `${twin},${editorOrigin}`,
  })
  t.strictSame(site, fine, 'localhost and 127.0.0.1 are equivalent')
  t.strictSame(published, [])
})

t.test('each mismatch is reported, and nothing else', async (t) => {
  environment(t, {})
  const block = (type: string) => ({ id: `b_${type}`, type, props: {} })
  const page = { id: 'p', slug: '/', title: 'P', updatedAt: '2026-01-01T12:00:00.000Z' }
  const pagesWith = (...types: readonly string[]): Partial<SiteEditorOptions> => ({
    adapter: {
      readContent: async () => ({ pages: types.length === 0 ? [] : [{ ...page, blocks: types.map(block) }] }),
    },
  })
  const many = Array.from({ length: 12 }, (_, at) => `T${at}`)
  const cases: readonly (readonly [
    options: Partial<SiteEditorOptions>,
    env: (origin: string) => Readonly<Record<string, string | undefined>>,
    expected: Readonly<Record<string, RegExp>>,
    gone?: readonly string[],
  ])[] = [
    [
      pagesWith('Hero', 'Gone', 'Lost', 'Gone'),
      () => ({}),
      {
        pages: /^ok .* 1 published page\.$/,
        'block types': /^warn Published pages contain Gone, Lost, which the manifest/,
      },
    ],
    [pagesWith(...many), () => ({}), { pages: /^ok /, 'block types': /T0, T1, .*, T9 and 2 more, which/ }],
    [pagesWith(), () => ({}), { pages: /^warn It has no published page/ }],
    [
      { blocks: {} },
      () => ({}),
      { manifest: /^warn It declares no block types; pass blocks/ },
      ['block types'],
    ],
    [
      { adapter: { readContent: () => Promise.reject(new Error('gone')) } },
      () => ({}),
      {
        pages:
          /^unsafe GET \/api\/editor\/pages answered 503: The content of this site cannot be read now\..*; see the log of the site\./,
      },
      ['block types'],
    ],
    [
      {},
      () => ({ DRAFT_MODE_SECRET: 'canary-other-secret' }),
      { 'draft secret': /^unsafe DRAFT_MODE_SECRET differs; set DRAFT_MODE_SECRET there and here/ },
      ['draft cookie'],
    ],
    [
      {},
      () => ({ DRAFT_MODE_SECRET: undefined }),
      { 'draft secret': /^warn DRAFT_MODE_SECRET is not set here/ },
      ['draft cookie'],
    ],
    [
      { draftSecret: '' },
      () => ({}),
      {
        'draft secret': /^unsafe The site has no draft secret; set/,
        'wrong secret': /^unsafe The site has no draft secret/,
      },
      ['draft cookie'],
    ],
    [
      { secure: true },
      () => ({}),
      {
        'draft cookie':
          /^warn It sets __Host-editor_draft, which browsers drop over http; name its https address/,
      },
    ],
    [
      {},
      () => ({ PUBLISH_TOKEN: 'canary-other-token' }),
      { 'publish secret': /^unsafe PUBLISH_TOKEN differs, or the site has none; set/ },
    ],
    [
      {},
      () => ({ PUBLISH_TOKEN: undefined }),
      { 'publish secret': /^unsafe The site requires a publish secret, or is closed; set PUBLISH_TOKEN/ },
    ],
    [
      {},
      () => ({ PUBLISH_TOKEN: 'canary-é' }),
      { 'publish secret': /^unsafe Nothing was sent: the header x-publish-token must be ASCII/ },
    ],
    [
      { publishSecret: '' },
      () => ({}),
      { 'publish secret': /^warn Everyone may publish to the site; set PUBLISH_TOKEN/ },
    ],
    [
      { publishSecret: '' },
      () => ({ NODE_ENV: 'production' }),
      { 'publish secret': /^unsafe Everyone may publish to the site/ },
    ],
    [
      { editorOrigins: [] },
      () => ({}),
      {
        editors:
          /^unsafe It refuses pages of https:\/\/editor\.example; list the editor in EDITOR_CORS_ORIGINS/,
      },
    ],
    [
      {},
      (origin) => ({ ORCHESTRATOR_CORS_ORIGINS: `${origin},${editorOrigin},https://other.example` }),
      {
        editors:
          /^warn Pages of https:\/\/editor\.example may call it, those of https:\/\/other\.example may not/,
      },
    ],
    [
      {},
      (origin) => ({
        ORCHESTRATOR_CORS_ORIGINS: `${origin},https://other.example`,
        NEXT_PUBLIC_EDITOR_ORIGIN: editorOrigin,
      }),
      {},
    ],
    [
      {},
      (origin) => ({ ORCHESTRATOR_CORS_ORIGINS: origin }),
      { editors: /^warn No editor is known here; set NEXT_PUBLIC_EDITOR_ORIGIN/ },
    ],
    [
      {},
      () => ({ ORCHESTRATOR_CORS_ORIGINS: editorOrigin }),
      {
        origin:
          /^warn Add http:\/\/127\.0\.0\.1:\d+ to ORCHESTRATOR_CORS_ORIGINS for production; until then a registered site/,
      },
    ],
    [
      {},
      () => ({ ORCHESTRATOR_CORS_ORIGINS: editorOrigin, NODE_ENV: 'production' }),
      {
        origin:
          /^unsafe Add http:\/\/127\.0\.0\.1:\d+ to ORCHESTRATOR_CORS_ORIGINS; in production an unlisted site/,
      },
    ],
    [
      {},
      () => ({ NEXT_PUBLIC_SITE_URL: 'https://www.example.com' }),
      { address: /^unsafe NEXT_PUBLIC_SITE_URL is https:\/\/www\.example\.com; set it to http:\/\/127/ },
    ],
    [
      {},
      () => ({ NEXT_PUBLIC_SITE_URL: 'https://name:canary@www.example.com' }),
      { address: /^unsafe NEXT_PUBLIC_SITE_URL is not an origin; set it to/ },
    ],
    [
      {},
      () => ({ NEXT_PUBLIC_SITE_URL: undefined }),
      { address: /^warn Set NEXT_PUBLIC_SITE_URL to http:\/\/127/ },
    ],
  ]
  for (const [options, env, expected, gone = []] of cases) {
    const origin = await startAt(t, siteOf(t, options))
    const { site, code } = await diagnose(t, origin, env(origin))
    const others = Object.fromEntries(Object.entries(site).filter(([item]) => !(item in expected)))
    const rest = Object.entries(fine).filter(([item]) => !(item in expected) && !gone.includes(item))
    const wanted = 'pages' in expected ? rest.filter(([item]) => item !== 'pages') : rest
    t.strictSame(others, Object.fromEntries(wanted), `nothing but ${Object.keys(expected).join(', ')}`)
    for (const [item, sentence] of Object.entries(expected)) t.match(site[item], sentence)
    if (Object.values(site).some((says) => says.startsWith('unsafe'))) t.equal(code, 1)
  }
  t.strictSame(published, [])
})

t.test('in production a site without a publish secret is reported as closed', async (t) => {
  environment(t, { NODE_ENV: 'production' })
  const origin = await startAt(t, siteOf(t, { publishSecret: '' }))
  t.match((await diagnose(t, origin)).site, {
    'publish secret': /^unsafe PUBLISH_TOKEN differs, or the site has none/,
  })
})

/** A correct site, except for these answers by path. */
function but(
  t: Test,
  answers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>>,
): RequestListener {
  const right = siteOf(t)
  return (request, response) => {
    const path = new URL(request.url ?? '', 'http://a').pathname.slice('/api/editor'.length)
    const answer = answers[`${request.method} ${path}`] ?? answers[path]
    if (answer) answer(request, response)
    else right(request, response)
  }
}

const json =
  (value: unknown, status = 200) =>
  (_: unknown, response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const html = (_: unknown, response: ServerResponse) =>
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<!doctype html><title>canary-publish-token-1234</title>')
const sends =
  (status: number, headers: Record<string, string | string[]> = {}) =>
  (_: unknown, response: ServerResponse) =>
    response.writeHead(status, headers).end()

t.test('an unexpected answer of a route is reported exactly', async (t) => {
  environment(t, {})
  const page = { id: 'p', slug: '/', title: 'P', updatedAt: '2026-01-01T12:00:00.000Z', blocks: [] }
  const signed = (attributes: string) =>
    sends(307, { location: '/', 'set-cookie': [`editor_draft=a.b; ${attributes}`] })
  const hidden = { 'access-control-allow-origin': editorOrigin }
  const allowed = { 'access-control-allow-headers': 'x-publish-token' }
  const cases: readonly (readonly [answers: Parameters<typeof but>[1], item: string, sentence: RegExp])[] = [
    [
      { '/pages': html },
      'pages',
      /^unsafe GET \/api\/editor\/pages answered HTML; mount the editor routes before the pages/,
    ],
    [{ '/pages': sends(200) }, 'pages', /answered something that is not JSON/],
    [
      { '/pages': sends(404) },
      'pages',
      /answered 404; mount the editor routes there, see createSiteEditor\.$/,
    ],
    [
      { '/pages': sends(308, { location: 'https://www.example.com/' }) },
      'pages',
      /answered 308; redirects are not followed: use the final address/,
    ],
    [
      { '/pages': json({ reason: `no ${secrets.DRAFT_MODE_SECRET}\u001B[2J\n!` }, 500) },
      'pages',
      /answered 500: no \[.*\] \[2J !; see the log/,
    ],
    [{ '/pages': json({ pages: 'x'.repeat(9 * 1024 * 1024) }) }, 'pages', /answered more than 8 MiB/],
    [{ '/pages': json({ page: [] }) }, 'pages', /\/pages is invalid at pages; each page has/],
    [{ '/pages': json('pages') }, 'pages', /\/pages has no list named pages/],
    [
      { '/pages': json({ pages: [page, { ...page, title: 7 }] }) },
      'pages',
      /\/pages is invalid at pages\.1\.title; each page has id, slug, title/,
    ],
    [
      { '/pages': (_, response) => response.end('{"pages":[{"__proto__":{}}]}') },
      'pages',
      /cannot be used\. The body holds the key '__proto__'/,
    ],
    [
      { '/pages': (_, response) => response.end('['.repeat(100_000)) },
      'pages',
      /answered something that is not JSON/,
    ],
    [{ '/pages': json([page]) }, 'pages', /^ok It answers with 1 published page\.$/],
    [{ '/blocks': html }, 'manifest', /^unsafe GET \/api\/editor\/blocks answered HTML/],
    [
      { '/blocks': json({ version: 1, blocks: [{ type: 'A' }] }) },
      'manifest',
      /^unsafe The manifest is invalid at blocks\.0\.propsSchema: .*\. Fix it on the site/,
    ],
    [
      { '/blocks': json([]) },
      'manifest',
      /^unsafe The manifest is invalid at version: .*\. Fix it on the site\.$/,
    ],
    [
      { '/draft': sends(307, { location: '/' }) },
      'draft cookie',
      /^unsafe It sets neither __Host-editor_draft nor editor_draft/,
    ],
    [{ '/draft': sends(307, { location: '/' }) }, 'wrong secret', /^unsafe It admits everyone to its drafts/],
    [
      { '/draft': signed('Path=/; SameSite=Lax') },
      'draft cookie',
      /^unsafe The signed cookie lacks HttpOnly; update the site/,
    ],
    [{ '/draft': signed('HttpOnly; Path=/api') }, 'draft cookie', /lacks Path=\/;/],
    [
      { '/draft': sends(401, { 'set-cookie': 'editor_draft=a' }) },
      'wrong secret',
      /^unsafe It refuses a wrong secret and sets cookies all the same/,
    ],
    [
      { '/draft': sends(500) },
      'draft secret',
      /^unsafe With DRAFT_MODE_SECRET, it answered 500 instead of 307/,
    ],
    [{ '/draft': sends(404) }, 'wrong secret', /^unsafe With a wrong secret, it answered 404 instead of 401/],
    [
      { '/draft': sends(307, { location: '//evil.example', 'set-cookie': 'editor_draft=a' }) },
      'redirects',
      /^unsafe A link to it redirects to http:\/\/evil\.example; redirect only to paths/,
    ],
    [
      {
        '/draft/disable': (request, response) =>
          response
            .writeHead(307, {
              location: new URL(request.url ?? '', 'http://a').searchParams.get('redirect') ?? '',
            })
            .end(),
      },
      'redirects',
      /^unsafe A link to it redirects to http:\/\/evil\.example/,
    ],
    [
      { '/publish': json({ ok: true }) },
      'publish secret',
      /^unsafe Without a secret, it accepted a publish without pages/,
    ],
    [
      { '/publish': sends(404) },
      'publish secret',
      /^unsafe Without a secret, POST \/api\/editor\/publish answered 404; mount the editor routes/,
    ],
    [
      {
        '/publish': ({ headers }, response) =>
          response.writeHead(headers['x-publish-token'] ? 500 : 401).end(),
      },
      'publish secret',
      /^unsafe With PUBLISH_TOKEN, POST \/api\/editor\/publish answered 500; see the log/,
    ],
    [
      { 'OPTIONS /pages': sends(204, { ...hidden }) },
      'editors',
      /^unsafe Its preflight does not allow x-publish-token; add it/,
    ],
    [
      { 'OPTIONS /pages': sends(405, { ...hidden, ...allowed }) },
      'editors',
      /^unsafe It refuses pages of https:\/\/editor\.example/,
    ],
    [
      { 'OPTIONS /pages': sends(204, { ...allowed, 'access-control-allow-origin': '*' }) },
      'editors',
      /^unsafe It refuses pages of/,
    ],
    [
      { 'OPTIONS /pages': sends(204, { ...allowed, 'access-control-allow-origin': '*' }) },
      'strangers',
      /^unsafe It lets pages of every origin call/,
    ],
    [
      {
        'OPTIONS /pages': ({ headers }, response) =>
          response.writeHead(204, { ...allowed, 'access-control-allow-origin': headers.origin ?? '' }).end(),
      },
      'strangers',
      /^unsafe It lets pages of every origin call/,
    ],
  ]
  for (const [answers, item, sentence] of cases) {
    const origin = await startAt(t, but(t, answers))
    t.match((await diagnose(t, origin)).site[item], sentence, `${Object.keys(answers).join()} ${item}`)
  }
  t.strictSame(published, [])
})

t.test('a server that does not answer like a site gets no secret', async (t) => {
  const received: string[] = []
  const parked: RequestListener = (request, response) =>
    void text(request).then((body) => {
      received.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`)
      html(request, response)
    })
  const { site, code } = await diagnose(t, await startAt(t, parked))
  t.equal(code, 1)
  t.match(site, {
    pages: /^unsafe .* answered HTML/,
    manifest: /answered HTML/,
    secrets: /^warn No secret was sent, because/,
  })
  t.strictSame(Object.keys(site).toSorted(), ['address', 'manifest', 'origin', 'pages', 'secrets'])
  t.equal(received.length, 2)
  t.notMatch(received.join(), /canary/)
})

t.test('a site that is unreachable, silent or endless is reported within the timeout', async (t) => {
  const never = await startRawSite(t, {
    'api/editor/pages': () => undefined,
    'api/editor/blocks': (socket) => socket.end('SSH-2.0\r\n'),
  })
  const slow = (await diagnose(t, never.origin, {}, 300)).site
  t.match(
    slow['pages'],
    /^unsafe The site gave no answer within 0\.3 seconds; start it, or check the address/,
  )
  t.match(slow['manifest'], /^unsafe The site cannot be reached \(.+\); start it/)
  t.match((await diagnose(t, 'http://127.0.0.1:1', {}, 300)).site, {
    pages: /cannot be reached/,
    secrets: /No secret/,
  })

  environment(t, {})
  const late = await startAt(
    t,
    but(t, { '/publish': () => undefined, '/blocks': (_, response) => response.write('{') }),
  )
  const { site } = await diagnose(t, late, {}, 400)
  t.match(site, {
    pages: /^ok/,
    manifest: /gave no answer within 0\.4/,
    'publish secret': /gave no answer within 0\.4/,
    editors: /^ok/,
  })
})

/** Serves over TLS, with a certificate that is trusted during the test. */
async function startSecure(t: Test, listener: RequestListener): Promise<string> {
  const trusted = getCACertificates()
  setDefaultCACertificates([...trusted, testCertificate])
  t.teardown(() => setDefaultCACertificates(trusted))
  const server = createSecureServer({ key: testKey, cert: testCertificate }, listener)
  return `https://127.0.0.1:${await listen(t, server)}`
}

t.test('over https the signed cookie must be sent in a cross-site frame', async (t) => {
  environment(t, { NODE_ENV: 'production' })
  t.strictSame((await diagnose(t, await startSecure(t, siteOf(t)))).site, fine)
  const set = (line: string) => ({ '/draft': sends(307, { location: '/', 'set-cookie': ['a=b', line] }) })
  const cases: readonly (readonly [line: string, sentence: RegExp])[] = [
    [
      '__Host-editor_draft=a; Path=/; HttpOnly; Secure; SameSite=Lax',
      /^unsafe The signed cookie lacks SameSite=None, Partitioned; update/,
    ],
    ['__Host-editor_draft=a', /lacks HttpOnly, Path=\/, Secure, SameSite=None, Partitioned;/],
    [
      '__Host-editor_draft=a; path=/; httponly; secure; samesite=none; partitioned; domain=a.example',
      /^unsafe The signed cookie has a Domain/,
    ],
    ['__Host-editor_draft=a; path=/; httponly; secure; samesite=none; partitioned', /^ok /],
    [
      'editor_draft=a; Path=/; HttpOnly; Secure; SameSite=None; Partitioned',
      /^unsafe It sets editor_draft over https; set NEXT_PUBLIC_SITE_URL there/,
    ],
  ]
  for (const [line, sentence] of cases) {
    t.match((await diagnose(t, await startSecure(t, but(t, set(line))))).site['draft cookie'], sentence, line)
  }
})

t.test(
  'an invalid origin exits with 2, and an invalid configuration is reported without other checks',
  async (t) => {
    const folder = folderWith(t, { 'orchestrator.config.json': smallConfig() })
    for (const address of [
      'www.example.com',
      'ftp://a.example',
      'https://a.example/path',
      'https://a:canary@a.example',
      '',
      'https://a.example?x',
    ]) {
      t.match(await orchestrator(folder, ['doctor', `--site=${address}`]), {
        code: 2,
        out: '',
        err: /^'--site' expects an origin such as https:\/\/www\.example\.com, without a path\n/,
      })
    }
    t.match(await orchestrator(folder, ['doctor', '--site']), {
      code: 2,
      err: /'--site' needs a value: --site URL/,
    })
    const { out, code } = await orchestrator(folder, ['doctor', '--site', 'http://127.0.0.1:1'], {
      env: { PORT: 'x' },
    })
    t.equal(code, 1)
    t.notMatch(out, /Site: /)
  },
)

t.test('doctor and register run as processes and exit at once', async (t) => {
  environment(t, {})
  const origin = await startAt(t, siteOf(t))
  const cli = fileURLToPath(new URL('../../config/cli/bin.ts', import.meta.url))
  const run = async (...args: readonly string[]) => {
    const { PATH = '' } = process.env
    const env = {
      PATH,
      ...secrets,
      NEXT_PUBLIC_SITE_URL: origin,
      ORCHESTRATOR_CORS_ORIGINS: `${origin},${editorOrigin}`,
    }
    const child = spawn(process.execPath, [cli, ...args], {
      cwd: folderWith(t, { 'orchestrator.config.json': smallConfig() }),
      env,
    })
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ])
    return { out, err, code: Number(code) }
  }
  const doctor = await run('doctor', '--site', origin)
  t.match(
    doctor.out,
    /^ok +Site: publish secret +It accepts PUBLISH_TOKEN, and refuses requests without it\.$/m,
  )
  t.equal(doctor.code, 1, 'there is no credential')
  const register = await run(
    'register',
    '--name=A',
    '--orchestrator',
    origin,
    `--secret=${secrets.DRAFT_MODE_SECRET}`,
  )
  t.match(register, { code: 1, out: '', err: /answered 404.*\nIt has no route to register at/ })
  t.notMatch(doctor.out + register.err, /canary/)
})
