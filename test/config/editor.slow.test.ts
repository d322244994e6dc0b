import { once } from 'node:events'
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { assemble } from '../../config/assemble.ts'
import { openEditorFolder } from '../../config/cli/serve/editor/files.ts'
import { isHashed } from '../../config/cli/serve/editor/headers.ts'
import { withSettings } from '../../config/cli/serve/editor/index.ts'
import { serve } from '../../config/cli/serve/start.ts'
import { exchange, type WireAnswer } from '../helpers/raw.ts'
import { outputTo } from '../helpers/serve-demo.ts'
import { folderWith, inHouse, orchestrator, problemsOf, smallConfig } from './helpers.ts'
import { start } from './process.ts'

const page = '<!doctype html><html><head><title>Editor</title></head><body><main></main></body></html>'
const movie = Array.from({ length: 1000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join('')
const app = 'console.log(1)\n'
const build = {
  'editor/index.html': page,
  'editor/assets/index-DiwrgTda.js': app,
  'editor/assets/index-4f2a9c1b.css': 'body { color: red }',
  'editor/plain.js': app,
  'editor/movie.mp4': movie,
  'editor/empty.txt': '',
  'editor/release.x1': 'bytes',
  'editor/with space/ümlaut.txt': 'hello',
  'editor/help/index.html': '<p>Help</p>',
  'editor/bare/inner.txt': 'inner',
  'editor/.env': 'SECRET=canary',
  'editor/.git/config': 'canary',
  'editor/.well-known/known.txt': 'known',
  'editor-other/secret.txt': 'canary',
  'outside.txt': 'canary',
}

interface Circumstances {
  readonly env?: Readonly<Record<string, string>>
  readonly plugins?: readonly unknown[]
  readonly without?: readonly string[]
  readonly files?: Readonly<Record<string, string>>
}

/** Serves a built editor with a small API in this process. */
async function serveEditor(
  t: Test,
  { env = {}, plugins = ['docs'], without, files = {} }: Circumstances = {},
) {
  const config = { 'orchestrator.config.json': smallConfig({ plugins, ...(without && { without }) }) }
  const cwd = folderWith(t, { ...build, ...files, ...config })
  symlinkSync(join(cwd, 'outside.txt'), join(cwd, 'editor/leaving.txt'))
  symlinkSync(join(cwd, 'editor-other'), join(cwd, 'editor/leaving'))
  symlinkSync('.env', join(cwd, 'editor/hidden.txt'))
  symlinkSync('plain.js', join(cwd, 'editor/staying.js'))
  const io = outputTo(() => undefined)
  const variables = { ORCHESTRATOR_DB_FILE: ':memory:', ...env }
  const assembled = await assemble({ isTerminal: false, cwd, environment: () => variables }, { port: '0' })
  const editor = await openEditorFolder(cwd, 'editor')
  const { port, stop } = await serve({ ...assembled, editor, io })
  t.teardown(stop)
  const ask = async (
    path: string,
    { method = 'GET', host = `127.0.0.1:${port}`, lines = [], body = '' }: RequestOptions = {},
  ): Promise<WireAnswer> => {
    const head = [`${method} ${path} HTTP/1.1`, `host: ${host}`, 'connection: close', ...lines]
    const { answers } = await exchange(t, port, `${head.join('\r\n')}\r\n\r\n${body}`)
    if (answers.length !== 1 || !answers[0])
      throw new Error(`${answers.length} answers for ${method} ${path}`)
    return answers[0]
  }
  return { cwd, port, ask }
}

interface RequestOptions {
  readonly method?: string
  readonly host?: string
  readonly lines?: readonly string[]
  readonly body?: string
}

const isPageOf = ({ status, headers, body }: WireAnswer): boolean =>
  status === 200 &&
  headers.get('content-type') === 'text/html; charset=utf-8' &&
  body.includes('<main></main>')

t.test('every path is answered with its file, the page or a refusal', async (t) => {
  const { ask } = await serveEditor(t)
  const [script, words] = ['text/javascript; charset=utf-8', 'text/plain; charset=utf-8']
  const markup = 'text/html; charset=utf-8'
  const forever = 'public, max-age=31536000, immutable'
  const style = build['editor/assets/index-4f2a9c1b.css']
  const files: readonly (readonly [path: string, type: string, body: string, cache?: string])[] = [
    ['/plain.js', script, app],
    ['/plain.js?v=1', script, app],
    ['/staying.js', script, app],
    ['/assets/index-DiwrgTda.js', script, app, forever],
    ['/assets/index-4f2a9c1b.css', 'text/css; charset=utf-8', style, forever],
    ['/with%20space/%C3%BCmlaut.txt', words, 'hello'],
    ['/help', markup, '<p>Help</p>'],
    ['/help/', markup, '<p>Help</p>'],
    ['/release.x1', 'application/octet-stream', 'bytes'],
    ['/empty.txt', words, ''],
    ['/.well-known/known.txt', words, 'known'],
  ]
  for (const [path, type, body, cache = 'no-cache'] of files) {
    const answer = await ask(path)
    t.strictSame([answer.status, answer.body], [200, body], path)
    const sent = ['content-type', 'cache-control', 'content-length', 'x-content-type-options']
    t.strictSame(
      sent.map((name) => answer.headers.get(name)),
      [type, cache, String(body.length), 'nosniff'],
      path,
    )
    t.match(answer.headers.get('etag'), /^"[\w.-]+"$/, path)
    t.notOk(answer.headers.has('content-security-policy'), path)
    t.ok(answer.headers.has('x-request-id'), path)
  }

  const views = '/ /index.html /sites-of-mine/7 /a/b/c /?x=1 /bare /bare/ /.well-known/x /%252e%252e/x /x.'
  for (const path of `${views} /name.with-dash /plain.js/`.split(' ')) {
    const answer = await ask(path)
    t.ok(isPageOf(answer), `${path} is the page`)
    const sent = ['x-frame-options', 'referrer-policy', 'x-content-type-options', 'cache-control']
    t.strictSame(
      sent.map((name) => answer.headers.get(name)),
      ['SAMEORIGIN', 'same-origin', 'nosniff', 'no-cache'],
      path,
    )
  }

  const missing =
    '/gone.js /a/b/gone.woff2 /v1.2 /.env /.git/config /.git/none /hidden.txt /leaving.txt ' +
    `/leaving/secret.txt /leaving/none /leaving /${'a'.repeat(300)}.js`
  const wrong =
    '/%2egit/config /%70lain.js /%zz /docs/%zz /%64ocs/nothing /%c3%28 /a%00.js /a%5cb /a\\b ' +
    '/../outside.txt /a/../../outside.txt /%2e%2e/outside.txt /..%2foutside.txt //evil.example/x'
  for (const [paths, status, code] of [
    [missing, 404, 'not_found'],
    [wrong, 400, 'bad_request'],
  ] as const) {
    for (const path of paths.split(' ')) {
      const answer = await ask(path)
      t.match([answer.status, JSON.parse(answer.body)], [status, { code, reason: /\.$/ }], path)
      t.equal(answer.headers.get('cache-control'), 'no-store', path)
      t.notMatch(answer.body, /canary|\/tmp/, path)
    }
  }
})

t.test('a missing file is reported in the requested format, never with the page', async (t) => {
  const { ask } = await serveEditor(t)
  const forms: readonly (readonly [accept: string, type: string])[] = [
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/plain; charset=utf-8'],
    ['text/css,*/*;q=0.1', 'text/plain; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/json, text/plain, */*', 'application/json; charset=utf-8'],
  ]
  for (const [accept, type] of forms) {
    const answer = await ask('/gone.js', { lines: [`accept: ${accept}`] })
    t.strictSame([answer.status, answer.headers.get('content-type')], [404, type], accept)
    t.match(answer.body, /The editor has no such file/)
  }
})

t.test('paths of the API are answered by the API', async (t) => {
  const plugins = ['docs', inHouse('slow.ts'), './parameter.mjs']
  const { ask } = await serveEditor(t, { plugins, files: { 'parameter.mjs': parameter } })
  t.strictSame(JSON.parse((await ask('/health')).body), { ok: true })
  t.match((await ask('/docs')).body, /openapi/i)
  t.equal((await ask('/favicon.ico')).headers.get('cache-control'), 'public, max-age=86400')
  const post = { method: 'POST', lines: ['content-length: 0'] }
  const reason = /^No route matches this method and path;/
  const unknown = async (path: string, options?: RequestOptions) => {
    const { status, body } = await ask(path, options)
    t.match([status, JSON.parse(body)], [404, { code: 'not_found', reason }], path)
  }
  const read = '/health/x /docs/nothing /docs/%C3%A4 /auth/nothing.js /agent /agent/start /sites-agent/x'
  for (const path of read.split(' ')) await unknown(path)
  for (const path of ['/docs', '/quick/', '/acme/hello']) await unknown(path, post)
  const typed = { ...post, lines: ['content-type: text/plain', 'content-length: 1'], body: 'x' }
  t.equal((await ask('/auth/verify', typed)).status, 415)
  t.strictSame(JSON.parse((await ask('/acme/hello')).body), { who: 'acme' })
  for (const path of ['/agents', '/healthy', '/acme/other', '/hello']) t.ok(isPageOf(await ask(path)), path)
  const preflight = ['origin: http://localhost:3000', 'access-control-request-method: POST']
  for (const path of ['/acme/hello', '/docs'])
    t.equal((await ask(path, { method: 'OPTIONS', lines: preflight })).status, 204)
})

t.test('a path of both the app and the API is the app on navigation, and the API for JSON', async (t) => {
  const { ask } = await serveEditor(t, {
    plugins: ['docs', './parameter.mjs'],
    without: ['blobs', 'bus', 'outbound', 'draft', 'draft-ops'],
    files: { 'parameter.mjs': parameter },
  })
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const asked = (path: string, accept = browser, method = 'GET') =>
    ask(path, { method, lines: [`accept: ${accept}`, 'content-length: 0'] })
  const json = async (...asking: Parameters<typeof asked>) => JSON.parse((await asked(...asking)).body)
  for (const path of ['/sites', '/sites?session=dev', '/sites/acme', '/acme/hello', '/agent']) {
    const answer = await asked(path)
    t.ok(isPageOf(answer), path)
    t.match(answer.headers.get('vary'), 'Accept', path)
    t.match((await asked(path, browser, 'HEAD')).headers.get('content-type'), /^text\/html/, path)
  }
  for (const accept of [
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'text/html, application/json;q=0.9',
    'text/event-stream',
  ]) {
    t.strictSame(await json('/sites', accept), { sites: [] }, accept)
    t.strictSame(await json('/health', accept), { ok: true }, accept)
    t.match(await json('/sites/acme', accept), { code: 'not_found' }, accept)
  }
  t.match(await json('/sites', browser, 'POST'), { code: 'not_found' })
  const alsoInBrowsers = {
    '/health': { ok: true },
    '/readyz': { checks: {} },
    '/auth/status': { gateEnabled: false },
    '/metrics': { code: 'not_found' },
    '/docs/json': { openapi: '3.1.0' },
    '/openapi.json': { openapi: '3.1.0' },
  }
  for (const [path, answer] of Object.entries(alsoInBrowsers)) t.match(await json(path), answer, path)
  t.match((await asked('/docs')).body, /openapi/i, 'the API has pages too')
  t.equal((await asked('/favicon.ico')).headers.get('cache-control'), 'public, max-age=86400')
})

const parameter = `
import { definePlugin, gates } from '${new URL('../../kernel/index.ts', import.meta.url).href}'
import * as v from '${import.meta.resolve('valibot')}'
const who = { method: 'GET', path: '/:who/hello', gate: gates.access, summary: 'Greets.', replies: { 200: v.object({ who: v.string() }) } }
export default definePlugin({ name: 'parameter', tag: 'In-house', routes: { who } })
  .setup(() => ({ handlers: { who: ({ params }) => ({ status: 200, body: { who: params.who } }) } }))
`

t.test('files are read with GET and HEAD only', async (t) => {
  const { ask } = await serveEditor(t)
  for (const method of ['POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    const { status, headers, body } = await ask('/plain.js', { method, lines: ['content-length: 0'] })
    t.strictSame([status, headers.get('allow')], [405, 'GET, HEAD'], method)
    t.match(JSON.parse(body), { code: 'method_not_allowed', reason: /GET or HEAD/ })
  }
})

t.test('a cached file is answered 304 until it changes', async (t) => {
  const { ask, cwd } = await serveEditor(t)
  for (const path of ['/', '/plain.js', '/assets/index-DiwrgTda.js', '/movie.mp4']) {
    const tag = (await ask(path)).headers.get('etag') ?? ''
    const known = (tags: string) => ask(path, { lines: [`if-none-match: ${tags}`] })
    for (const tags of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, headers, body } = await known(tags)
      const found = [status, body, headers.get('etag'), headers.has('content-length')]
      t.strictSame(found, [304, '', tag, false], `${path} ${tags}`)
    }
    t.equal((await known('"other"')).status, 200)
    const file = join(cwd, 'editor', path === '/' ? 'index.html' : path)
    writeFileSync(file, `${path === '/' ? page : 'new'}<!-- new -->`)
    utimesSync(file, 1, 1)
    t.match(await known(tag), { status: 200, body: /<!-- new -->$/ }, `${path} after a change`)
  }
})

const settingsIn = (body: string): unknown =>
  JSON.parse(
    /<script type="application\/json" id="orchestrator-settings">(.*?)<\/script>/.exec(body)?.[1] ?? '',
  )

t.test('the page gets the address of the service, and may call it under both loopback names', async (t) => {
  const env = {
    ORCHESTRATOR_ACCESS_TOKEN: 'canary-token-canary',
    DRAFT_MODE_SECRET: 'canary-secret-canary',
    PUBLISH_TOKEN: 'canary-publish',
  }
  const { ask, port } = await serveEditor(t, { env, plugins: ['docs', inHouse('greeting.ts')] })
  const { body } = await ask('/')
  t.strictSame(settingsIn(body), { orchestratorUrl: `http://localhost:${port}`, version: '0.13.1' })
  t.ok(body.includes('</script></head><body>'), 'at the end of the head')
  t.notMatch(body, /canary/)
  for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
    const answer = await ask('/health', { host: `localhost:${port}`, lines: [`origin: ${origin}`] })
    t.equal(answer.headers.get('access-control-allow-origin'), origin)
  }
  const elsewhere = await serveEditor(t, { env: { ORCHESTRATOR_PUBLIC_ORIGIN: 'https://edit.example' } })
  t.match(settingsIn((await elsewhere.ask('/')).body), { orchestratorUrl: 'https://edit.example' })
})

t.test('settings are inserted into the page safely', async (t) => {
  const orchestratorUrl = 'https://x.example/</script><script>alert(1)</script><!--'
  const settings = { orchestratorUrl, version: '1' }
  const block = /^([^]*)<script type="application\/json" id="orchestrator-settings">([^<]*)<\/script>([^]*)$/
  for (const [before, after] of [
    ['<!doctype html><html><head><title>é</title>', '</head><body></body></html>'],
    ['<HEAD>', '</HEAD ><BODY>'],
    ['<html><body class="a">', '<p></p></body>'],
    ['<body>', ''],
    ['<!DOCTYPE html>', '<p>bare</p>'],
    ['', '<p>bare</p>'],
    ['', ''],
  ] as const) {
    const page = Buffer.from(withSettings(Buffer.from(before + after), settings)).toString()
    const [, head, json = '', rest] = block.exec(page) ?? []
    t.strictSame([head, rest, JSON.parse(json)], [before, after, settings], before + after)
  }
  const bytes = Buffer.from([0xff, 0xfe, 0x80])
  t.ok(Buffer.from(withSettings(bytes, settings)).includes(bytes), 'bytes that are not UTF-8 are unchanged')
})

t.test('only names with a digest are cached immutably', (t) => {
  const hashed =
    'assets/index-DiwrgTda.js assets/index-B3x_9-aQ.css assets/index-DiwrgTda.js.map main-5LVVX4UF.js main.3f2a9c1b.js a/b/app.0123456789abcdef0123456789abcdef.woff2'
  const plain =
    'index.html plain.js assets/some-component.js assets/page-Overview.js report-20240101.pdf index-DiwrgTda.js inter-latin400.woff2 main-deadbeef.js v1.2'
  for (const path of hashed.split(' ')) t.ok(isHashed(path), path)
  for (const path of plain.split(' ')) t.notOk(isHashed(path), path)
  t.end()
})

t.test('media are read in ranges, and HEAD answers without the body', async (t) => {
  const { ask } = await serveEditor(t)
  const range = 'range: bytes=10-19'
  const part = await ask('/movie.mp4', { lines: [range] })
  const sent = ['content-range', 'content-length'].map((name) => part.headers.get(name))
  t.strictSame([part.status, ...sent, part.body], [206, 'bytes 10-19/1000', '10', movie.slice(10, 20)])
  const statusOf = async (path: string, ...lines: string[]) => (await ask(path, { lines })).status
  t.equal(await statusOf('/movie.mp4', range, `if-range: ${part.headers.get('etag')}`), 206)
  t.equal(await statusOf('/movie.mp4', range, 'if-range: "old"'), 200)
  t.equal(await statusOf('/movie.mp4', 'range: bytes=1000-'), 416)
  t.equal(await statusOf('/plain.js', range), 200, 'other files are sent whole')
  t.match(await ask('/gone.js', { method: 'HEAD' }), { status: 404, body: '' })
})

t.test('a folder without an editor is reported in a sentence', async (t) => {
  const files = { 'empty/readme.txt': '', 'file.html': '', 'odd/index.html/x': '', 'outside.html': '' }
  const cwd = folderWith(t, files)
  mkdirSync(join(cwd, 'linked'))
  symlinkSync(join(cwd, 'outside.html'), join(cwd, 'linked/index.html'))
  const remedy =
    /^--editor: 'gone' is not a folder; name the output folder of the editor's build, such as dist$/
  const cases = {
    gone: remedy,
    'file.html': /^--editor: 'file\.html' is not a folder/,
    ' ': /^--editor: ' ' is not a folder/,
    empty: /^--editor: .*\/empty has no readable index\.html; build the editor/,
    odd: /has no readable index\.html/,
    linked: /has no readable index\.html/,
  }
  for (const [folder, sentence] of Object.entries(cases))
    t.match(await problemsOf(() => openEditorFolder(cwd, folder)), [sentence], folder)
  const { code, err } = await orchestrator(cwd, ['serve', '--editor', 'gone'])
  t.match([code, err], [1, /^The orchestrator cannot start:\n {2}- --editor: 'gone' is not a folder/])
})

t.test('a default port in use is replaced with a message; an explicit port in use is an error', async (t) => {
  const files = { ...build, 'orchestrator.config.json': smallConfig() }
  // Another process on the port has the same effect.
  const taken = createServer().listen(4200, '127.0.0.1')
  await Promise.race([once(taken, 'listening'), once(taken, 'error')]).catch(() => undefined)
  t.teardown(() => taken.close())
  const child = await start(t, files, ['--editor', 'editor'])
  const said = await child.logged('the default port is in use, listening on the next free one')
  const moved = Number(said['port'])
  t.ok(said['wanted'] === 4200 && moved > 4200)
  await child.logged('listening')
  const served = await (await fetch(`http://127.0.0.1:${moved}/any/page`)).text()
  t.match(settingsIn(served), { orchestratorUrl: `http://localhost:${moved}` })
  for (const args of [['--editor', 'editor', '--port', '4200'], []]) {
    const refused = await start(t, files, args)
    t.equal(await refused.ended, 1)
    t.match(refused.stderr(), /port 4200 of 127\.0\.0\.1 is in use; stop what listens there/, args.join(' '))
  }
})

t.test('with ORCHESTRATOR_GATE=all the editor is public, and the API asks for a token', async (t) => {
  const token = 'token-of-the-test-itself'
  const { ask } = await serveEditor(t, {
    env: { ORCHESTRATOR_GATE: 'all', ORCHESTRATOR_ACCESS_TOKEN: token },
  })
  for (const path of ['/', '/any/view', '/plain.js', '/help', '/auth/status', '/health'])
    t.equal((await ask(path)).status, 200, path)
  t.equal((await ask('/docs/json')).status, 401)
  t.equal((await ask('/docs/json', { lines: [`x-access-token: ${token}`] })).status, 200)
})
