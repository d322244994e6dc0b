import { execFile } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import fc, { runs } from '../helpers/property.ts'
import t from 'tap'
import * as v from 'valibot'
import { SiteFilesError } from '../../plugins/agents/scaffold/port.ts'
import { mergeEnv } from '../../plugins/agents/scaffold/port.ts'
import { editorOriginsOf } from '../../config/site-environment.ts'
import { systemClock } from '../../kernel/index.ts'
import { readAccess } from '../../plugins/scope/port.ts'
import { isSiteId, toSiteId } from '../../plugins/sites/port.ts'
import { startStack } from '../helpers/stack.ts'
import { startRawSite, startSite } from '../helpers/upstream.ts'
import { folderWith, orchestrator, type Circumstances } from './helpers.ts'

const run = promisify(execFile)
const hasGit = await run('git', ['--version']).then(
  () => true,
  () => false,
)
const gitOnly = { skip: hasGit ? false : 'git is not installed' }
const secret = 'canary-draft-secret-1'
const token = 'canary-access-token-1'
const names = [
  'ORCHESTRATOR_URL',
  'DRAFT_MODE_SECRET',
  'NEXT_PUBLIC_DEFAULT_SITE_ID',
  'NEXT_PUBLIC_SITE_NAME',
  'NEXT_PUBLIC_EDITOR_ORIGIN',
]
const blog = {
  'package.json': JSON.stringify({
    name: '@acme/my-blog',
    scripts: { dev: 'next dev -p 3001' },
    dependencies: { next: '16' },
  }),
}
const accepted = JSON.stringify({ status: 'registered', siteId: 'my-blog', warnings: [] })

const register = (folder: string, args: readonly string[] = [], more: Circumstances = {}) =>
  orchestrator(folder, ['register', ...args], more)
const envOf = (folder: string): string => readFileSync(join(folder, '.env.local'), 'utf8')

/** The report of a dry run in a folder with this package.json. */
async function planned(
  t: Parameters<typeof folderWith>[0],
  content: string | undefined,
  args: readonly string[] = [],
) {
  const folder = folderWith(t, content === undefined ? {} : { 'package.json': content })
  const outcome = await register(folder, ['--dry-run', '--json', ...args])
  return outcome.code === 0 ? (JSON.parse(outcome.out) as unknown) : outcome
}

t.test('a site is registered with the service, and .env.local is completed with mode 0600', async (t) => {
  const { origin, ask } = await startStack(t, { env: { DRAFT_MODE_SECRET: 'something-else' } })
  const folder = folderWith(t, blog)
  const args = ['--orchestrator', origin, '--purpose=Stories']
  const { code, out, err } = await register(folder, [...args, 'register'])
  t.match({ code, err }, { code: 0, err: '' })
  for (const part of [
    /^The site is registered\.\n\nEdit the site in the studio: http:\/\/127\.0\.0\.1:\d+\/studio\?siteId=my-blog\n\n {2}Name +My Blog\n {2}Id +my-blog\n {2}Preview +http:\/\/localhost:3001\n/,
    /orchestrator doctor --site http:\/\/localhost:3001/,
  ])
    t.match(out, part)

  const written = parseEnv(envOf(folder))
  t.strictSame(Object.keys(written).toSorted(), names.toSorted())
  t.match(written, {
    ORCHESTRATOR_URL: origin,
    DRAFT_MODE_SECRET: /^[\da-f]{64}$/,
    NEXT_PUBLIC_DEFAULT_SITE_ID: 'my-blog',
    NEXT_PUBLIC_SITE_NAME: 'My Blog',
    NEXT_PUBLIC_EDITOR_ORIGIN: origin,
  })
  t.equal(statSync(join(folder, '.env.local')).mode & 0o777, 0o600)
  t.strictSame(readdirSync(folder).toSorted(), ['.env.local', 'package.json'], 'no temporary files are left')
  const made = written['DRAFT_MODE_SECRET'] ?? ''
  for (let at = 0; at + 8 <= made.length; at++) t.notOk(out.includes(made.slice(at, at + 8)))
  const previewUrl = 'http://localhost:3001'
  const site = { id: 'my-blog', name: 'My Blog', port: 3001, previewUrl, purpose: 'Stories' }
  t.match((await ask({ url: '/sites' })).json(), { sites: [site] })

  const before = envOf(folder)
  const again = await register(folder, args)
  t.equal(again.code, 0)
  t.match(again.out, /^The site was registered already.*\n[^]*Draft secret +the one in \.env\.local\n/)
  t.match(again.out, /\.env\.local +has all variables already/)
  t.equal(envOf(folder), before)
})

t.test('a site that is registered again keeps the id and the name that it was given', async (t) => {
  const site = await startSite(t, (_, response) => response.end(accepted))
  const folder = folderWith(t, blog)
  const args = ['--orchestrator', site.origin]
  t.equal((await register(folder, [...args, '--id', 'acme', '--name', 'Acme Bikes'])).code, 0)
  const before = envOf(folder)
  t.match(await register(folder, args), { code: 0, out: /Name +Acme Bikes\n +Id +acme\n/ })
  t.equal(envOf(folder), before)
  const sent = site.seen
    .filter(({ url }) => url?.endsWith('/sites/register'))
    .map(({ body }) => JSON.parse(body))
  t.match(
    sent,
    [1, 2].map(() => ({ siteId: 'acme', name: 'Acme Bikes' })),
  )

  writeFileSync(join(folder, '.env.local'), 'NEXT_PUBLIC_DEFAULT_SITE_ID=/no id\nNEXT_PUBLIC_SITE_NAME=Odd\n')
  t.match(await register(folder, args), { out: /Name +My Blog\n +Id +my-blog\n/ })
})

t.test('the request contains the given options and the token', async (t) => {
  const site = await startSite(t, (_, response) => response.end(accepted))
  const folder = folderWith(t, { ...blog, '.env.local': `DRAFT_MODE_SECRET="${secret}"\n` })
  const previewUrl = 'http://localhost:3001'
  const usual = { siteId: 'my-blog', name: 'My Blog', port: 3001, previewUrl, secret }
  const own = { siteId: 'blog', name: 'A Blog', port: 80, previewUrl: 'https://blog.example', secret }
  const flags = '--id blog --port=80 --session review --preview-url=https://blog.example/'.split(' ')
  const all = `--orchestrator ${site.origin}/base/ --access-token=other --secret=${secret} --purpose News`
  const env = { ORCHESTRATOR_URL: site.origin, ORCHESTRATOR_ACCESS_TOKEN: token }
  const elsewhere = { ...env, ORCHESTRATOR_URL: 'http://127.0.0.1:1' }
  const cases: readonly (readonly [args: readonly string[], env: object, body: object, token?: string])[] = [
    [['--orchestrator-url', `${site.origin}/`], {}, { ...usual, session: 'dev' }],
    [['--name=A Blog', ...flags], env, { ...own, session: 'review' }, token],
    [all.split(' '), elsewhere, { ...usual, purpose: 'News' }, 'other'],
  ]
  for (const [args, env, body, sent] of cases) {
    const { code, out, err } = await register(folder, args, { env: { ...env } })
    t.match({ code, err }, { code: 0, err: '' })
    t.notMatch(out, /canary/)
    const seen = site.seen.findLast(({ method }) => method !== 'OPTIONS')
    t.match(JSON.parse(seen?.body ?? ''), body)
    t.equal(seen?.headers['x-access-token'], sent)
  }
  t.strictSame(
    site.seen.map(({ method, url }) => `${method} ${url}`),
    ['POST /sites/register', 'POST /sites/register', 'OPTIONS /events', 'POST /base/sites/register'],
  )
})

t.test('name, id and port come from package.json', async (t) => {
  const site = (name: string, siteId: string) => ({ name, siteId, port: 3000 })
  const listening = (port: number) => ({ port, previewUrl: `http://localhost:${port}` })
  const ran = (dev: unknown) => ({ name: 'a', scripts: { dev } })
  const cases: readonly (readonly [manifest: object, expected: object])[] = [
    [{ name: 'my-site' }, site('My Site', 'my-site')],
    [{ name: '@acme/my_site.v2' }, site('My Site V2', 'my-site-v2')],
    [{ name: '@acme/a/b' }, site('A B', 'a-b')],
    [{ name: 'mySite' }, site('My Site', 'my-site')],
    [{ name: 'Café-Zürich' }, site('Cafe Zurich', 'cafe-zurich')],
    [ran('next dev -p 4001'), listening(4001)],
    [ran('next dev --port 4002 --turbo'), listening(4002)],
    [ran('vite --port=4003'), listening(4003)],
    [ran('next dev -p=4004'), listening(4004)],
    [ran('astro dev  -p   "4005"'), listening(4005)],
    ...['$PORT', '0', '65536', '4001.5'].map(
      (port) => [ran(`next dev -p ${port}`), listening(3000)] as const,
    ),
    [ran('next dev --support 4006'), listening(3000)],
    [ran(7), listening(3000)],
    [{ name: 'a', dependencies: { astro: '^7' } }, listening(4321)],
    [{ ...ran('astro dev --port 5000'), devDependencies: { astro: '^7' } }, listening(5000)],
    [{ name: 'a', dependencies: 'astro' }, listening(3000)],
  ]
  for (const [manifest, expected] of cases) {
    const text = JSON.stringify(manifest)
    t.match(await planned(t, text), expected, text)
  }
  t.match(await planned(t, undefined, ['--name', 'Über Uns']), { name: 'Über Uns', siteId: 'uber-uns' })
  t.match(await planned(t, `\uFEFF{"name":"a"}`), { siteId: 'a' })
})

t.test('a site id must be a portable folder name', (t) => {
  for (const id of ['a', '0', 'a-b', 'a'.repeat(40), 'com10', 'editors']) t.ok(isSiteId(id), id)
  const wrong = '-a a- A a_b a.b a/b .. a\n é editor orchestrator con nul com1 lpt9'.split(' ')
  for (const id of ['', 'a'.repeat(41), ...wrong]) t.notOk(isSiteId(id), id)
  const isId = (name: string) => /^(?:[a-z\d]+(?:-[a-z\d]+)*)?$/.test(toSiteId(name))
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), isId))
  t.end()
})

t.test('an invalid command line exits with 2, and nothing is called or written', async (t) => {
  const site = await startSite(t, (_, response) => response.end(accepted))
  const noPath = "'--preview-url' expects an origin such as http://localhost:3000, without a path"
  const cases: readonly (readonly [args: readonly string[], sentence: string])[] = [
    [['--prot', '1'], "unknown flag '--prot' for 'register'; did you mean '--port'?"],
    [['--secret', '--dry-run'], "'--secret' needs a value"],
    [['--secret='], "'--secret' expects a secret of one line"],
    [['--name', ' '], "'--name' expects a name"],
    [['--name', 'a\nB=1'], "'--name' expects a name of one line"],
    ...['x', '0', '65536', '1.5'].map(
      (port) => [[`--port=${port}`], "'--port' expects a port number"] as const,
    ),
    [['--port', '-1'], "'--port' needs a value"],
    [['--orchestrator', 'ftp://a.example'], "'--orchestrator' expects an address such as"],
    [['--orchestrator', `http://name:${secret}@a.example`], "'--orchestrator' expects"],
    [['--orchestrator-url', 'http://a.example?x=1'], "'--orchestrator-url' expects"],
    [['--preview-url', 'javascript:alert(1)'], "'--preview-url' expects"],
    [['--preview-url', 'https://blog.example/a'], noPath],
    [['--editor-origin', 'http://localhost:4100/path'], "'--editor-origin' expects an origin"],
    [['all', 'register'], "unexpected argument 'all'"],
  ]
  for (const [args, sentence] of cases) {
    const folder = folderWith(t, blog)
    const { code, out, err } = await register(folder, ['--orchestrator', site.origin, ...args])
    t.match({ code, out }, { code: 2, out: '' }, args.join(' '))
    t.ok(err.startsWith(sentence), err)
    t.notMatch(err, /canary/)
    t.notOk(existsSync(join(folder, '.env.local')))
  }
  t.equal(site.seen.length, 0)
})

t.test('problems of the folder exit with 1 before any request', async (t) => {
  const site = await startSite(t, (_, response) => response.end(accepted))
  const manifest = (text: string) => ({ 'package.json': text })
  const variables = (text: string) => ({ ...blog, '.env.local': text })
  const noName = /has no package\.json with a name; pass --name/
  const quotes = /\.env\.local: the value of NEXT_PUBLIC_SITE_NAME contains every kind of quotes/
  const cases: readonly (readonly [files: Record<string, string>, args: string[], sentence: RegExp])[] = [
    [{}, [], noName],
    [manifest('{"private":true}'), [], noName],
    [manifest('{'), [], /package\.json is not a JSON object/],
    [manifest('[]'), [], /package\.json is not a JSON object/],
    [blog, ['--cwd', 'gone'], /gone is not a folder; name the one of the site with --cwd/],
    [blog, ['--cwd', 'package.json'], /is not a folder/],
    [blog, ['--id', '../a'], /'\.\.\/a' is not a site id; pass --id with 1 to 40 lower case letters/],
    [manifest('{"name":"editor"}'), [], /'editor' is not a site id/],
    [manifest(`{"name":"${'a'.repeat(41)}"}`), [], /is not a site id/],
    [
      variables(`DRAFT_MODE_SECRET=${secret}\n`),
      ['--secret=canary-other'],
      /--secret differs from .*\.env\.local/,
    ],
    [variables('A="open\n'), ['--name=Two words'], /^\.env\.local: the file has an unclosed quote/],
    [{ ...blog, '.env.local/a': '' }, [], /\.env\.local cannot be read: EISDIR/],
    [blog, ['--name', `a"b'c\`d`], quotes],
  ]
  for (const [files, args, sentence] of cases) {
    const folder = folderWith(t, files)
    const { code, out, err } = await register(folder, ['--orchestrator', site.origin, ...args])
    t.match({ code, out, err }, { code: 1, out: '', err: sentence }, args.join(' '))
    t.notMatch(err, /canary/)
    if (typeof files['.env.local'] === 'string') t.equal(envOf(folder), files['.env.local'])
  }
  const odd = folderWith(t, blog)
  writeFileSync(join(odd, '.env.local'), Buffer.from([0x41, 0x3d, 0xff]))
  t.match(await register(odd, ['--orchestrator', site.origin]), { code: 1, err: /is not UTF-8 text/ })
  const env = { ORCHESTRATOR_URL: `http://a:${secret}@b.example` }
  const address = /^ORCHESTRATOR_URL: expected an address such as [^]*(?<!canary)/
  t.match(await register(folderWith(t, blog), [], { env }), { code: 1, err: address })
  t.equal(site.seen.length, 0)
})

t.test('a server that fails is reported on standard error, and nothing is written', async (t) => {
  const huge = 'x'.repeat(3 * 1024 * 1024)
  const echo = JSON.stringify({ reason: `no ${secret} and no ${token}\u001B[2J\n${huge}` })
  const elsewhere = await startSite(t, (_, response) => response.end(accepted))
  const noRoute = /It has no route to register at; check that --orchestrator names an orchestrator\.\n$/
  const noJson = /answered something that is not JSON; check that --orchestrator names/
  const noToken = /401: No token\.\nPass an access token with --access-token or in ORCHESTRATOR_ACCESS_TOKEN/
  const wrong = { status: 'registered', siteId: 'a', warnings: [1] }
  const cases: readonly (readonly [status: number, body: string, sentence: RegExp])[] = [
    [200, '<!doctype html><title>Hi</title>', noJson],
    [200, '['.repeat(500_000), noJson],
    [204, '', noJson],
    [200, '{}', /answered JSON that does not answer a registration/],
    [200, JSON.stringify(wrong), /answered JSON that does not answer/],
    [200, `"${huge}"`, /answered more than 1048576 bytes/],
    [302, '', /answered 302\nRedirects are not followed/],
    [400, '{"error":"invalid_request","reason":"port must be"}', /answered 400: port must be\n$/],
    [400, '{"error":"name is required"}', /answered 400: name is required\n$/],
    [401, '{"reason":"No token."}', noToken],
    ...[404, 405, 501].map((status) => [status, '', noRoute] as const),
    [500, huge, /answered 500\n$/],
    [503, echo.slice(0, 900 * 1024) + '"}', /answered 503: no \[.*\] and no \[.*\] \[2J x+…\n$/],
  ]
  for (const [status, body, sentence] of cases) {
    const headers = status === 302 ? { location: `${elsewhere.origin}/sites/register` } : {}
    const site = await startSite(t, (_, response) => response.writeHead(status, headers).end(body))
    const folder = folderWith(t, blog)
    const args = ['--orchestrator', site.origin, `--secret=${secret}`]
    const env = status === 401 ? {} : { ORCHESTRATOR_ACCESS_TOKEN: token }
    const { code, out, err } = await register(folder, args, { env })
    t.match({ code, out, err }, { code: 1, out: '', err: sentence }, `${status} ${body.slice(0, 20)}`)
    t.notMatch(err, /canary/)
    t.ok(err.length < 1000)
    t.notOk(existsSync(join(folder, '.env.local')))
    t.equal(site.seen.length, 1)
  }
  t.equal(elsewhere.seen.length, 0, 'a redirect is not followed')
  const guarded = await startSite(t, (_, response) => response.writeHead(401).end())
  const err = /answered 401\nIt does not accept the access token; check --access-token\.\n$/
  const args = ['--orchestrator', guarded.origin, '--access-token', token]
  t.match(await register(folderWith(t, blog), args), { code: 1, err })
})

t.test('a server that is unreachable, silent or endless is reported within the timeout', async (t) => {
  const begun = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{'
  const raw = await startRawSite(t, {
    'silent/sites/register': () => undefined,
    'endless/sites/register': (socket) => socket.write(begun),
    'cut/sites/register': (socket) => socket.end(begun),
    'garbage/sites/register': (socket) => socket.end('SSH-2.0-OpenSSH\r\n'),
  })
  const late = /gave no answer within 0\.3 seconds; start it, or name another with --orchestrator/
  const cases: readonly (readonly [address: string, sentence: RegExp])[] = [
    [`${raw.origin}/silent`, late],
    [`${raw.origin}/endless`, late],
    [`${raw.origin}/cut`, /cannot be reached \(.+\)/],
    [`${raw.origin}/garbage`, /cannot be reached \(.+\)/],
    ['http://127.0.0.1:1', /^http:\/\/127\.0\.0\.1:1 cannot be reached \(.+\); start it/],
    ['http://nowhere.invalid', /cannot be reached \(ENOTFOUND|EAI_AGAIN\)/],
  ]
  for (const [address, err] of cases) {
    const folder = folderWith(t, blog)
    const outcome = await register(folder, ['--orchestrator', address], { patience: 300 })
    t.match(outcome, { code: 1, out: '', err }, address)
    t.notOk(existsSync(join(folder, '.env.local')))
  }
  const gone = await startSite(t, () => undefined)
  const args = ['--orchestrator', gone.origin, '--access-token', `${token}é`]
  const err = /^the header x-access-token must be ASCII; choose another value for it\n$/
  t.match(await register(folderWith(t, blog), args), { code: 1, err })
  t.equal(gone.seen.length, 0)
})

t.test('a dry run calls and writes nothing; without writing, no secret is generated', async (t) => {
  const site = await startSite(t, (_, response) => response.end(accepted))
  const folder = folderWith(t, blog)
  const dry = await register(folder, ['--dry-run', '--orchestrator', site.origin])
  const out = /^Nothing was sent and nothing was written\. This is what would happen:\n/
  t.match(dry, { code: 0, err: '', out })
  t.match(dry.out, new RegExp(`would be created with ${names.join(', ')}\n`))
  t.equal(site.seen.length, 0)

  const args = ['--no-write', '--json', '--orchestrator', site.origin]
  const reported = async (...more: string[]): Promise<unknown> =>
    JSON.parse((await register(folder, [...args, ...more])).out)
  const missing = names.filter((name) => name !== 'DRAFT_MODE_SECRET')
  const none = { status: 'registered', secret: 'none', written: false, added: [], missing }
  t.match(await reported(), none)
  t.notMatch(JSON.parse(site.seen[0]?.body ?? ''), { secret: String })
  t.match(await reported('--secret', secret), { secret: 'given', missing: names })
  t.match(JSON.parse(site.seen[1]?.body ?? ''), { secret })
  t.notOk(existsSync(join(folder, '.env.local')))
})

t.test('existing content of the file stays: comments, order, values, line endings, mode', async (t) => {
  const site = await startSite(t, (_, response) => response.end(accepted))
  const draft = `DRAFT_MODE_SECRET=${secret}`
  const name = `NEXT_PUBLIC_SITE_NAME='Old # name'`
  for (const [before, start] of [
    [`# mine\n\n${name}\n${draft}\n`, ''],
    [`${draft}\n${name}`, '\n'],
    [`${draft}\r\n${name}`, '\r\n'],
    [`\uFEFF${draft}\nexport NEXT_PUBLIC_SITE_NAME="Old # name"\n`, ''],
  ] as const) {
    const folder = folderWith(t, { ...blog, '.env.local': before })
    chmodSync(join(folder, '.env.local'), 0o640)
    const { out } = await register(folder, ['--json', '--orchestrator', site.origin])
    const still = /^NEXT_PUBLIC_SITE_NAME is still Old # name in \.env\.local, instead of My Blog; edit the/
    const kept = [{ name: 'NEXT_PUBLIC_SITE_NAME', value: 'Old # name', wanted: 'My Blog' }]
    t.match(JSON.parse(out), { secret: 'reused', kept, warnings: [still] })
    t.notMatch(out, /canary/)
    const end = before.includes('\r') ? '\r\n' : '\n'
    const id = 'NEXT_PUBLIC_DEFAULT_SITE_ID=my-blog'
    const editor = `NEXT_PUBLIC_EDITOR_ORIGIN=${site.origin}`
    const added = [`ORCHESTRATOR_URL=${site.origin}`, id, editor].map((line) => line + end)
    t.equal(envOf(folder), before + start + added.join(''))
    t.equal(statSync(join(folder, '.env.local')).mode & 0o777, 0o640)
  }
  const blank = folderWith(t, { ...blog, '.env.local': 'DRAFT_MODE_SECRET=\n' })
  await register(blank, ['--orchestrator', site.origin])
  t.match(parseEnv(envOf(blank)), { DRAFT_MODE_SECRET: /^[\da-f]{64}$/ }, 'a blank variable is unset')
})

t.test('a file that cannot be written is reported after the registration, and stays unchanged', async (t) => {
  const files = { ...blog, '.env.local': 'A=1\n' }
  const [folder, edited] = [folderWith(t, files), folderWith(t, files)]
  const site = await startSite(t, (_, response) => {
    // During the request the file is replaced by a folder.
    const replace = 'mv .env.local kept && mkdir .env.local'
    execFile('sh', ['-c', replace], { cwd: folder }, () => response.end(accepted))
  })
  const err =
    /^The site is registered, but its variables are not written: .*EISDIR.* Then run this again\.\n$/
  const outcome = await register(folder, ['--orchestrator', site.origin])
  t.match(outcome, { code: 1, out: '', err })
  t.equal(readFileSync(join(folder, 'kept'), 'utf8'), 'A=1\n')
  const slow = await startSite(t, (_, response) => {
    writeFileSync(join(edited, '.env.local'), 'A=1\nB=2\n')
    response.end(accepted)
  })
  await register(edited, ['--orchestrator', slow.origin])
  t.match(envOf(edited), /^A=1\nB=2\nORCHESTRATOR_URL=/, 'a concurrent edit is preserved')
})

t.test('the link that opens the draft is requested, and printed without the secret', async (t) => {
  const orchestrates = await startSite(t, (_, response) => response.end(accepted))
  type Site = (response: ServerResponse, request: IncomingMessage, isEntering: boolean) => unknown
  let site: Site = () => undefined
  const shown = await startSite(t, (request, response) => {
    site(response, request, request.url?.startsWith('/api/editor/draft?') ?? false)
    response.end()
  })
  const enter = (response: ServerResponse, location = '/') =>
    response.writeHead(307, { location, 'set-cookie': ['editor_draft=x; Path=/', 'other=y'] })
  const open: Site = (response, { headers }, isEntering) =>
    isEntering
      ? enter(response)
      : response.writeHead(headers.cookie === 'editor_draft=x; other=y' ? 200 : 500)
  const broken: Site = (response, _, isEntering) => (isEntering ? enter(response) : response.writeHead(500))
  const answers =
    (status: number): Site =>
    (response) =>
      response.writeHead(status)
  const restart =
    /1\. Restart the site, so that it reads \.env\.local\.\n {2}2\. Open the draft within an hour: (\S+)\n/
  const remedy = 'dd the editor routes and a page with npx content-orchestrator init'
  const add = new RegExp(`1\\. A${remedy}, and run this again\\.\n`)
  const failed = new RegExp(
    `^The site is registered, but .* answers \\d{3} to the link to its draft; a${remedy}\\.\n$`,
  )
  const cases: readonly (readonly [state: string, site: Site, step: RegExp])[] = [
    ['open', open, /1\. Open the draft within an hour \(checked\): (\S+)\n/],
    ['locked', answers(401), restart],
    ['locked', answers(503), restart],
    ['failed', answers(404), add],
    ['failed', broken, add],
    ['failed', (response) => enter(response, 'https://elsewhere.example/'), add],
  ]
  const addresses = ['--orchestrator', orchestrates.origin, '--preview-url', shown.origin]
  const Report = v.looseObject({ draft: v.object({ state: v.string(), address: v.string() }) })
  for (const [state, handler, step] of cases) {
    site = handler
    const folder = folderWith(t, { ...blog, '.env.local': `DRAFT_MODE_SECRET=${secret}\n` })
    const { out, err, code } = await register(folder, addresses)
    t.match([code, out], [state === 'failed' ? 1 : 0, step], state)
    t.match(err, state === 'failed' ? failed : /^$/)
    t.notMatch(out, secret)
    const { draft } = v.parse(Report, JSON.parse((await register(folder, [...addresses, '--json'])).out))
    t.equal(draft.state, state)
    const { origin, pathname, searchParams: query } = new URL(draft.address)
    const found = [origin + pathname, query.get('redirect'), query.get('session')]
    t.strictSame(found, [`${shown.origin}/api/editor/draft`, '/', 'dev'])
    const reading = { secret, now: systemClock.now(), carrier: 'link' } as const
    t.match(readAccess(query.get('secret') ?? '', reading), { siteId: 'my-blog', session: 'dev' })
  }
  const elsewhere = ['--preview-url', 'http://127.0.0.1:1', '--port=8081']
  const down = await register(folderWith(t, blog), ['--orchestrator', orchestrates.origin, ...elsewhere])
  t.match(down.out, /1\. Start the site on port 8081\.\n {2}2\. Open the draft/)

  let asked = 0
  site = (response, _, isEntering) => {
    if (!isEntering) return undefined
    asked++
    if (asked <= 2) return response.writeHead(503)
    return asked === 3 ? response.destroy() : enter(response)
  }
  const { out } = await register(folderWith(t, blog), addresses)
  t.match(out, '(checked)', 'waits for a site that restarts with the new file')

  site = (response, { url = '' }, isEntering) => {
    if (!isEntering) return undefined
    const isRight = new URL(url, shown.origin).searchParams.get('secret') === secret
    return isRight ? enter(response) : response.writeHead(401)
  }
  const earlier = folderWith(t, { ...blog, '.env.local': `DRAFT_MODE_SECRET=${secret}\n` })
  const { draft } = v.parse(Report, JSON.parse((await register(earlier, [...addresses, '--json'])).out))
  t.equal(draft.state, 'open')
  t.equal(new URL(draft.address).searchParams.get('secret'), secret, 'a site that knows no signatures')
})

t.test('a site has a draft secret of its own, or the shared one of its environment', async (t) => {
  const env = { DRAFT_MODE_SECRET: secret }
  const { origin, ask } = await startStack(t, { env })
  const args = ['--orchestrator', origin, '--preview-url', 'http://127.0.0.1:1']
  for (const name of ['blog', 'shop']) {
    const folder = folderWith(t, { 'package.json': JSON.stringify({ name }) })
    const { code, out } = await register(folder, args, { env })
    t.match([code, out], [0, / {2}Draft secret +the one in the environment\n/])
    t.notMatch(out, 'Warnings:')
    t.equal(parseEnv(envOf(folder))['DRAFT_MODE_SECRET'], secret)
  }
  const opened = async (siteId: string, own: string) => {
    const entry = await ask({ method: 'POST', url: '/preview/entry', json: { siteId } })
    const { secret: signed } = v.parse(v.object({ secret: v.string() }), entry.json())
    return readAccess(signed, { secret: own, now: systemClock.now(), carrier: 'link' }) !== undefined
  }
  t.ok(await opened('shop', secret))
  const own = folderWith(t, blog)
  t.match(await register(own, args), { code: 0, out: / {2}Draft secret +a new one\n/ })
  t.ok(await opened('my-blog', parseEnv(envOf(own))['DRAFT_MODE_SECRET'] ?? ''), 'without a restart')
  const other = await register(own, [...args, '--secret', 'another-secret', '--no-write'])
  t.match(other, { code: 1 }, 'the file counts')
  const copy = await register(folderWith(t, blog), [...args, '--secret', 'another-secret'], { env })
  t.match(copy.out, /- This site had another draft secret/)
  t.ok(await opened('my-blog', 'another-secret'))
})

t.test('a site with pages that the orchestrator refuses causes a warning', async (t) => {
  const asked = async (answer: (response: ServerResponse) => unknown) => {
    const { origin, seen } = await startSite(t, ({ method }, response) =>
      method === 'OPTIONS' ? answer(response) : response.end(accepted),
    )
    const args = ['--orchestrator', origin, '--preview-url', 'https://blog.invalid', '--no-write']
    const { out } = await register(folderWith(t, blog), args)
    t.match(seen.at(-1), { method: 'OPTIONS', headers: { origin: 'https://blog.invalid' } })
    return out
  }
  t.match(
    await asked((response) => response.writeHead(403).end()),
    /The orchestrator refuses pages of https:\/\/blog\.invalid, .* add it to ORCHESTRATOR_CORS_ORIGINS of the orchestrator\./,
  )
  t.notMatch(await asked((response) => response.writeHead(204).end()), 'Warnings')
  t.notMatch(await asked((response) => response.destroy()), 'Warnings')
})

t.test('a file that git does not ignore causes a warning', gitOnly, async (t) => {
  const site = await startSite(t, (_, response) => response.end(accepted))
  const isWarned = async (folder: string, args: readonly string[] = [], env = {}) => {
    const { code, out } = await register(folder, ['--orchestrator', site.origin, ...args], { env })
    t.equal(code, 0)
    return out.includes('Git does not ignore .env.local')
  }
  const repository = async (ignored = '') => {
    const inner = { 'web/package.json': blog['package.json'] }
    const folder = folderWith(t, { ...blog, ...inner, '.gitignore': ignored })
    await run('git', ['init', '--quiet', folder])
    return folder
  }
  t.equal(await isWarned(await repository()), true)
  t.equal(await isWarned(await repository(), ['--no-write']), false, 'nothing was written')
  t.equal(await isWarned(await repository('.env*.local\n')), false)
  t.equal(await isWarned(folderWith(t, blog)), false, 'without a repository')
  t.equal(await isWarned(await repository(), [], { PATH: '/nowhere' }), false, 'without git')

  const folder = await repository()
  const env = { GIT_DIR: '/nowhere', PATH: process.env['PATH'] ?? '' }
  t.equal(await isWarned(folder, ['--cwd', 'web'], env), true)
  t.ok(existsSync(join(folder, 'web', '.env.local')))
  t.notOk(existsSync(join(folder, '.env.local')))
})

const name = fc.stringMatching(/^[A-Z][A-Z_]{0,6}$/)
const value = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((text) => !/[\p{Cc}\p{Zs}]/u.test(text) || /^\S.*\S$/u.test(text))
const line = fc.oneof(
  fc.constantFrom('', '# a comment = "x', '#', 'no sign', '  '),
  fc
    .tuple(
      name,
      fc.constantFrom('', 'b', '"c d"', "'e # f'", '`g"h`', 'i=j', '"two\nlines"', 'k # l', '"m\\nn"', '$O'),
    )
    .map((pair) => pair.join('=')),
  fc.tuple(name, fc.stringMatching(/^[^\n\r]{0,8}$/)).map((pair) => pair.join('=')),
)
const file = fc
  .tuple(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ''))

t.test('a merge preserves every line of any file, and every value can be read', (t) => {
  let refused = 0
  fc.assert(
    fc.property(file, fc.dictionary(name, value, { minKeys: 1 }), (before, wanted) => {
      const old = parseEnv(before)
      try {
        const { text, added, kept } = mergeEnv(before, wanted)
        const both = parseEnv(text)
        const isUntouched = text.startsWith(before)
        const hasOld = Object.entries(old).every(
          ([key, current]) => both[key] === current || !current?.trim(),
        )
        const hasNew = Object.entries(wanted).every(
          ([key, one]) => both[key] === (old[key]?.trim() ? old[key] : one),
        )
        const isTold = Object.keys(wanted).every((key) => added.includes(key) !== Boolean(old[key]?.trim()))
        const isKept = kept.every(
          ({ name: key, value: current }) => current === old[key] && current !== wanted[key],
        )
        return isUntouched && hasOld && hasNew && isTold && isKept
      } catch (error) {
        refused++
        return error instanceof SiteFilesError
      }
    }),
    { numRuns: runs(1000) },
  )
  t.ok(refused < 1500, `${refused} of 3000 were refused`)
  t.throws(() => mergeEnv('A="open\n', { B: 'two words' }), SiteFilesError)
  t.strictSame(mergeEnv('A="open\n', { B: 'word' }).added, ['B'], 'no value closes the open quote')
  t.end()
})

t.test('register names the file that makes a page itself, to its caller and to the studio', async (t) => {
  const { origin, ask } = await startStack(t, {})
  const args = ['--orchestrator', origin, '--preview-url', 'http://127.0.0.1:1']
  const site = async () => {
    const Listed = v.object({ sites: v.array(v.looseObject({ ownPages: v.unknown() })) })
    return v.parse(Listed, (await ask({ url: '/sites' })).json()).sites[0]?.ownPages
  }
  const files = { 'package.json': JSON.stringify({ name: 'acme', dependencies: { astro: '7' } }) }
  const home = 'src/pages/index.astro'
  const folder = folderWith(t, {
    ...files,
    [home]: '<h1>Acme</h1>',
    'src/pages/[...slug].astro': '<p>All</p>',
  })
  const { code, out } = await register(folder, args)
  t.equal(code, 0)
  t.match(out, `- / is made by ${home}; the content in content/pages.json is not shown there.`)
  t.match(out, '- src/pages/[...slug].astro makes all further addresses')
  t.strictSame(await site(), { '/': home })

  rmSync(join(folder, home))
  t.match((await register(folder, args)).out, '- / is made by src/pages/[...slug].astro;')
  rmSync(join(folder, 'src/pages/[...slug].astro'))
  t.notMatch((await register(folder, args)).out, 'is made by')
  t.strictSame(await site(), {}, 'the studio says so no longer')
})

t.test('the variables for the browser have the prefix of the framework', async (t) => {
  const site = await startSite(t, (_, response) => response.end(accepted))
  const args = ['--orchestrator', site.origin]
  for (const [dependencies, prefix] of [
    [{ next: '16' }, 'NEXT_PUBLIC_'],
    [{ astro: '7', vite: '8' }, 'PUBLIC_'],
    [{ vite: '8' }, 'VITE_'],
    [{ '@sveltejs/kit': '3', vite: '8' }, 'PUBLIC_'],
    [{ nuxt: '4', vite: '8' }, 'NUXT_PUBLIC_'],
    [{ express: '5' }, ''],
    [{ fastify: '5' }, ''],
    [{ hono: '4' }, ''],
    [{ '@11ty/eleventy': '3' }, ''],
    [{}, ''],
  ] as const) {
    const folder = folderWith(t, { 'package.json': JSON.stringify({ name: 'acme', dependencies }) })
    await register(folder, [...args, '--id', 'own-id', '--name', 'Own name'])
    const own = ['DEFAULT_SITE_ID', 'EDITOR_ORIGIN', 'SITE_NAME'].map((name) => prefix + name)
    t.strictSame(
      Object.keys(parseEnv(envOf(folder))).toSorted(),
      [...own, 'DRAFT_MODE_SECRET', 'ORCHESTRATOR_URL'].toSorted(),
    )
    t.strictSame(editorOriginsOf({ NODE_ENV: 'production', [`${prefix}EDITOR_ORIGIN`]: site.origin }), [
      site.origin,
    ])
    t.match(
      await register(folder, args),
      { code: 0, out: /Name +Own name\n +Id +own-id\n/ },
      'it is read again',
    )
  }
})
