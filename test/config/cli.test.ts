import { hash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { PasswordHash } from '../../plugins/auth/testing.ts'
import { limitMemory } from '../../config/cli/memory-limits.ts'
import { folderWith, inHouse, orchestrator, smallConfig, terminal } from './helpers.ts'

const names = 'serve init register routes plan config doctor backup restore openapi hash-password'
const commands = names.split(' ')
const withGreeting = {
  'orchestrator.config.json': smallConfig({ plugins: [[inHouse('greeting.ts'), { salute: 'Good day' }]] }),
}

t.test('help and version are answered everywhere, on standard output and with exit code 0', async (t) => {
  const folder = folderWith(t)
  const run = (words: string) => orchestrator(folder, words.split(' ').filter(Boolean))
  const { code, out, err } = await run('--help')
  t.match({ code, err }, { code: 0, err: '' })
  const isNarrow = (text: string) => text.split('\n').every((line) => line.length <= 80)
  t.ok(isNarrow(out))
  for (const command of commands) {
    t.match(out, new RegExp(`^  ${command} +[A-Z].*(?:\n {10,}.*)*\\.$`, 'm'), command)
    const help = await run(`${command} --help`)
    const usage = `^Usage: npx content-orchestrator ${command}(?: \\[FILE\\]| BACKUP)? \\[flags\\]\n\n`
    const flags = 'Flags:\n(  (?:--.+|    +\\S.*)\n)*  --help +Prints.*\n$'
    t.match(help, { code: 0, out: new RegExp(`${usage}(?:.+\n)*.*\\.\n\n${flags}`), err: '' })
    t.ok(isNarrow(help.out), command)
    for (const words of [`${command} -h`, `help ${command}`]) t.equal((await run(words)).out, help.out)
    t.strictSame(await run(`${command} --version`), { code: 0, out: '0.13.1\n', err: '' })
  }
  const group = /^Usage: [^]* {2}token create +\S[^]* {2}token revoke +\S/
  for (const words of ['token --help', 'token -h', 'help token'])
    t.match(await run(words), { code: 0, out: group, err: '' }, words)
  for (const words of ['', 'help', 'help --help']) t.equal((await run(words)).out, out)
  t.equal((await run('--version')).out, '0.13.1\n')
  const port = /^ {2}--port PORT +Listens on this port; PORT, else 4200\./m
  t.match((await run('serve --help')).out, port)
})

t.test('an invalid command line exits with 2 and a hint on standard error', async (t) => {
  const cases = {
    rutes: "unknown command 'rutes'; did you mean 'routes'?",
    'help rutes': "unknown command 'rutes'; did you mean 'routes'?",
    fly: "unknown command 'fly'",
    'serve --prot 1': "unknown flag '--prot' for 'serve'; did you mean '--port'?",
    'serve -x': "unknown flag '-x' for 'serve'",
    'serve --port': "'--port' needs a value: --port PORT",
    'routes --json=yes': "'--json' takes no value",
    'serve --port --demo': "'--port' needs a value: --port PORT",
    'plan all': "unexpected argument 'all' for 'plan'",
  }
  for (const [words, sentence] of Object.entries(cases)) {
    const err = `${sentence}\nSee npx content-orchestrator --help.\n`
    t.strictSame(await orchestrator(folderWith(t), words.split(' ')), { code: 2, out: '', err })
  }
})

t.test('redirects are printed as hosts of static sites read them', async (t) => {
  const redirects = [
    { from: '/über', to: '/about?from=old#team', at: '2026-01-01T00:00:00.000Z' },
    { from: '/caf%C3%A9', to: '/日本' },
  ]
  const content = JSON.stringify({ pages: [], redirects })
  const folder = folderWith(t, { 'site.json': content })
  const lines = '/%C3%BCber /about?from=old#team 308\n/caf%C3%A9 /%E6%97%A5%E6%9C%AC 308\n'
  t.strictSame(await orchestrator(folder, ['redirects', 'site.json']), { code: 0, out: lines, err: '' })
  const { out } = await orchestrator(folder, ['redirects', 'site.json', '--format', 'vercel.json'])
  t.strictSame(JSON.parse(out), {
    redirects: [
      { source: '/%C3%BCber', destination: '/about?from=old#team', permanent: true },
      { source: '/caf%C3%A9', destination: '/%E6%97%A5%E6%9C%AC', permanent: true },
    ],
  })
  t.match(await orchestrator(folder, ['redirects']), { code: 1, err: 'no content file content/pages.json' })
  t.match(await orchestrator(folder, ['redirects', '--format', 'x']), { code: 2, err: "unknown format 'x'" })
})

t.test('everything that prevents a start is reported at once, with exit code 1', async (t) => {
  const wrong = { plugins: ['./gone.mjs'], listen: { host: 'a b' } }
  const folder = folderWith(t, { 'orchestrator.config.json': smallConfig(wrong) })
  for (const command of ['serve', 'routes', 'plan', 'config', 'openapi']) {
    const { code, out, err } = await orchestrator(folder, [command, '--port', 'x'])
    t.match({ code, out }, { code: 1, out: '' }, command)
    t.match(
      err.replaceAll(folder, '.'),
      /^The orchestrator .*:\n {2}- listen\.host of .*\n {2}- --port: .*\n {2}- '\.\/gone\.mjs' does not exist in \.\n$/,
      command,
    )
  }
  const plugins = [
    7,
    './gone.mjs',
    ['draft', { maxPageBytes: 'much' }],
    ['store', { synchronous: 'often' }],
    [inHouse('greeting.ts'), { salute: 1 }],
  ]
  const everyKind = { shape: 'standalon', logLevle: 'info', without: ['evnts'], plugins }
  const { err } = await orchestrator(
    folderWith(t, { 'orchestrator.config.json': JSON.stringify(everyKind) }),
    ['serve', '--host', 'a b'],
    { env: { AUTO_BOOTSTRAP_SITE_ORIGIN: 'nowhere', PORT: 'abc' } },
  )
  const [head, ...problems] = err.trimEnd().split('\n')
  t.equal(head, 'The orchestrator cannot start:')
  const expected = [
    /'logLevle' is not a setting; did you mean 'logLevel'/,
    /'shape': expected 'standalone' or 'library'/,
    /'without\[0\]': 'evnts' is not a built-in plugin; did you mean 'events'/,
    /'plugins\[0\]': expected a name/,
    /--host/,
    /PORT: /,
    /'\.\/gone\.mjs' does not exist in /,
    /draft: option 'maxPageBytes': expected number/,
    /store: option 'synchronous': expected ."full"/,
    /environment variable AUTO_BOOTSTRAP_SITE_ORIGIN/,
    /greeting: option 'salute'/,
  ]
  for (const one of expected) t.equal(problems.filter((problem) => one.test(problem)).length, 1, String(one))
  t.equal(problems.length, expected.length, problems.join('\n'))
  const missing = /the configuration file .*nope\.json does not exist/
  t.match(await orchestrator(folder, ['plan', '--config', 'nope.json']), { code: 1, err: missing })
  const library = folderWith(t, { 'orchestrator.config.json': smallConfig({ shape: 'library' }) })
  const remedy = /is for a website: mount it with createOrchestrator, or set shape: 'standalone'/
  t.match(await orchestrator(library, ['serve']), { code: 1, err: remedy })
})

t.test('routes shows method, path, gate, tag and plugin, and why a route is not mounted', async (t) => {
  const folder = folderWith(t, withGreeting)
  const { code, out } = await orchestrator(folder, ['routes'], { env: { NODE_ENV: 'production' } })
  t.equal(code, 0)
  for (const line of [
    /^GET +\/greeting +access +In-house +greeting +Greets\.$/m,
    /^GET +\/greeting\/agent +agent +In-house +greeting +left out: AGENT_SURFACE is not on$/m,
    /^POST +\/auth\/verify +public +Auth +auth +/m,
  ])
    t.match(out, line)
  const status = { method: 'GET', path: '/auth/status', gate: 'public', tag: 'Auth', plugin: 'auth' }
  const rows: unknown = JSON.parse((await orchestrator(folder, ['routes', '--json'])).out)
  t.match(rows, [{ ...status, internal: false, leftOut: null }])
  t.notOk(existsSync(join(folder, '.orchestrator')), 'the command creates no files')
})

t.test('plan shows the setup order, and openapi describes in-house routes too', async (t) => {
  const folder = folderWith(t, withGreeting)
  const { code, out } = await orchestrator(folder, ['plan'])
  t.match([code, out], [0, /^1 {2}store\n[^]*^\d {2}auth +after store\n[^]*^\d {2}greeting$/m])
  const [store, jobs, auth] = [
    { plugin: 'store', needs: [] },
    { plugin: 'jobs', needs: ['store'] },
    { plugin: 'auth', needs: ['store'] },
  ]
  t.match(JSON.parse((await orchestrator(folder, ['plan', '--json'])).out), [store, jobs, auth])
  const described = JSON.parse((await orchestrator(folder, ['openapi'])).out)
  const paths = { '/greeting': { get: { summary: 'Greets.' } } }
  t.match(described, { openapi: '3.1.0', info: { version: '0.11.1' }, paths })
})

t.test('config prints every setting with its source, and never a secret', async (t) => {
  const folder = folderWith(t, { ...withGreeting, '.env': 'PORT=4444\nPUBLISH_TOKEN=from-the-file\n' })
  const secrets = {
    ACCESS_PASSWORD_HASH: hash('sha256', 'a'),
    ORCHESTRATOR_ACCESS_TOKEN: 'canary-access',
    ACCESS_TOKEN_SECRET: 'canary-signing-and-signing-and-signing',
    GREETING_API_KEY: 'canary-greeting',
  }
  const env = { ...secrets, HOST: '0.0.0.0', GREETING_NAME: 'Ada' }
  const run = (...flags: string[]) =>
    orchestrator(folder, ['config', '--log-level', 'debug', ...flags], { env })
  const [{ code, out }, json] = [await run(), await run('--json')]
  t.strictSame([code, json.code], [0, 0])
  for (const text of [out, json.out]) {
    for (const secret of [...Object.values(secrets), 'from-the-file']) t.notOk(text.includes(secret))
    t.match(text, /set \(masked\)/)
    t.match(text, /Ada/)
  }
  t.match(out, new RegExp(`^Configuration: ${join(folder, 'orchestrator.config.json')}\nShape: standalone\n`))
  for (const line of [
    /^ {2}host +environment \(HOST\) +0\.0\.0\.0$/m,
    /^ {2}port +environment \(PORT\) +4444$/m,
    /^ {2}logLevel +flag \(--log-level\) +debug$/m,
    /^ {2}publicOrigin +default \(ORCHESTRATOR_PUBLIC_ORIGIN\) +http:\/\/localhost:4444$/m,
    /^ {2}greeting +\/.*greeting\.ts +options: salute$/m,
    /^ {2}PUBLISH_TOKEN +set \(masked\)$/m,
  ])
    t.match(out, line)
})

t.test(
  'a mistyped DATABASE_URL is refused by a server and its commands; a mount does not read it',
  async (t) => {
    const small = { 'orchestrator.config.json': smallConfig() }
    const commands = [['config'], ['migrate', '--check'], ['backup'], ['token', 'list'], ['doctor']]
    for (const DATABASE_URL of [
      'mysql://u:canary@h/d',
      'postgre://h/d',
      '"postgres://h/d"',
      ' postgres://h/d',
      'h/d',
    ]) {
      const folder = folderWith(t, small)
      for (const args of [['serve', '--port', '0'], ...commands]) {
        const { code, out, err } = await orchestrator(folder, args, { env: { DATABASE_URL } })
        t.equal(code, 1, `${args.join(' ')} with ${DATABASE_URL}`)
        t.match(out + err, /DATABASE_URL must begin with postgres:\/\/.*unset it to keep .* SQLite/)
        t.notMatch(out + err, 'canary')
      }
      t.notOk(existsSync(join(folder, '.orchestrator', 'orchestrator.db')))
    }
    const env = { DATABASE_URL: 'mysql://h/d' }
    const mount = folderWith(t, { 'orchestrator.config.json': smallConfig({ shape: 'library' }) })
    t.match(await orchestrator(mount, ['config'], { env }), { code: 0 })
    t.match(await orchestrator(mount, ['backup'], { env }), {
      code: 1,
      err: /orchestrator\.db does not exist/,
    })
    const named = { ...env, ORCHESTRATOR_DB_FILE: 'named.db' }
    t.match(await orchestrator(folderWith(t, small), ['config'], { env: named }), { code: 0 })
  },
)

t.test('a data folder that has no effect on what a command writes is refused', async (t) => {
  const env = { DATABASE_URL: 'postgres://u:canary@127.0.0.1:1/d' }
  for (const args of [['restore', 'a.db'], ['copy', '--from', 'a.db'], ['migrate'], ['token', 'list']]) {
    const { code, err } = await orchestrator(folderWith(t), [...args, '--data-dir', 'x'], { env })
    t.equal(code, 1, args.join(' '))
    t.match(
      err,
      /--data-dir has no effect on PostgreSQL at 127\.0\.0\.1:1\/d: leave it out, or unset DATABASE_URL/,
    )
    t.notMatch(err, 'canary')
  }
})

t.test('doctor calls an installation without credentials unsafe, and names each remedy', async (t) => {
  const { code, out } = await orchestrator(folderWith(t, withGreeting), ['doctor'])
  t.equal(code, 1)
  for (const line of [
    /^unsafe {2}Credential +Set ACCESS_PASSWORD_HASH \(for people\) or ORCHESTRATOR_ACCESS_TOKEN/m,
    /^unsafe {2}Publish secret +Set PUBLISH_TOKEN here and the same value on the site/m,
    /^warn +Draft secret +DRAFT_MODE_SECRET is not set, so only sites that registered a secret of their own show/m,
    /^warn +NODE_ENV +NODE_ENV is not set/m,
    /^ok +Start +It starts, with \d+ routes\.$/m,
  ])
    t.match(out, line)
})

t.test('doctor reports no problem in an installation that follows the checklist', async (t) => {
  const folder = folderWith(t, { 'orchestrator.config.json': smallConfig() })
  const { out: hashed } = await orchestrator(folder, ['hash-password'], { stdin: 'correct horse' })
  const env = {
    NODE_ENV: 'production',
    ACCESS_PASSWORD_HASH: hashed.trim(),
    PUBLISH_TOKEN: 'x'.repeat(24),
    DRAFT_MODE_SECRET: 'y'.repeat(24),
    NEXT_PUBLIC_SITE_URL: 'https://www.example.com',
    ORCHESTRATOR_CORS_ORIGINS: 'https://edit.example.com',
    ORCHESTRATOR_PUBLIC_ORIGIN: 'https://api.example.com',
    ORCHESTRATOR_GATE: 'all',
  }
  /** The exit code, and the first problem, with these variables and this configuration. */
  const diagnose = async (more: Readonly<Record<string, string>>, config = smallConfig()) => {
    const cwd = folderWith(t, { 'orchestrator.config.json': config })
    const { code, out } = await orchestrator(cwd, ['doctor', '--json'], { env: { ...env, ...more } })
    const Findings = v.array(v.object({ item: v.string(), state: v.string(), says: v.string() }))
    const bad = v.parse(Findings, JSON.parse(out)).filter(({ state }) => state !== 'ok')
    t.strictSame(
      readdirSync(cwd).filter((name) => name.includes('doctor')),
      [],
      'nothing is left',
    )
    return [code, ...bad.map(({ item, state, says }) => `${state} ${item}: ${says}`)]
  }
  const reachable = { HOST: '0.0.0.0', ORCHESTRATOR_ALLOWED_HOSTS: 'edit' }
  const gated = { ORCHESTRATOR_GATE: 'all' }
  /** Nobody else reaches the server, so that it may be open. */
  const alone = { ORCHESTRATOR_GATE: 'agent', ORCHESTRATOR_PUBLIC_ORIGIN: 'http://localhost:4200' }
  const standalone = JSON.stringify({ shape: 'standalone' })
  const fine: readonly Parameters<typeof diagnose>[] = [
    [{}],
    [{ HOST: '::ffff:127.0.0.1' }],
    [{ ...reachable, ...gated }],
    [gated, standalone],
    [{ ORCHESTRATOR_GATE: 'agent' }, JSON.stringify({ shape: 'library' })],
  ]
  for (const given of fine) t.strictSame(await diagnose(...given), [0], JSON.stringify(given))

  const warnings: readonly (readonly [
    env: Readonly<Record<string, string>>,
    problem: RegExp,
    config?: string,
  ])[] = [
    [{ ACCESS_PASSWORD_HASH: hash('sha256', 'a') }, /Credential: .*plain SHA-256.*without --sha256/],
    [{ ORCHESTRATOR_ACCESS_TOKEN: 'short' }, /Credential: ORCHESTRATOR_ACCESS_TOKEN is easy to guess/],
    [{ PUBLISH_TOKEN: 'short' }, /Publish secret: PUBLISH_TOKEN is easy to guess/],
    [{ NEXT_PUBLIC_SITE_URL: 'http://www.example.com' }, /Site address: .*not https/],
    [{ NEXT_PUBLIC_SITE_URL: '', SITE_URL: 'http://www.example.com' }, /Site address: SITE_URL is not https/],
    [{ AGENT_SURFACE: 'on' }, /Agent surface: /],
    [{ AGENT_CLI: '1' }, /Agent surface: /],
    [{ AGENT_SHELL: 'full' }, /Agent surface: AGENT_SHELL=full lets .* run any shell command/],
    [{ NODE_ENV: 'development' }, /NODE_ENV: NODE_ENV is 'development'; set it to production/],
    [{ HOST: '0.0.0.0', ...gated }, /Address: List the host names .*ORCHESTRATOR_ALLOWED_HOSTS/],
    [{ ORCHESTRATOR_CORS_ORIGINS: 'http://127.0.0.1:4100' }, /Editor origins: .*lists http:\/\/127\.0/],
    [{ ORCHESTRATOR_PUBLIC_ORIGIN: 'http://[::1]:4200' }, /Public address: /],
    [{ ORCHESTRATOR_ALOWED_HOSTS: 'a' }, /Variables: .*ORCHESTRATOR_ALOWED_HOSTS; did you mean '.*ALLOWED/],
    [{}, /Public routes: .* are public: GET \/quick,/, smallConfig({ plugins: [inHouse('slow.ts')] })],
  ]
  for (const [more, problem, config] of warnings) {
    const [code, first, ...others] = await diagnose(more, config)
    t.match([code, first], [0, problem], JSON.stringify(more))
    t.match(first, /^warn/)
    t.strictSame(others, [])
  }
  const local = /^warn Public address: /
  for (const [more, ...problems] of [
    [{ HOST: '0.0.0.0' }, /^warn Address: .*ORCHESTRATOR_GATE=all.* reach 0\.0\.0\.0.*ALLOWED_HOSTS/, local],
    [reachable, /^warn Address: .*ORCHESTRATOR_GATE=all.* reach 0\.0\.0\.0\.$/, local],
  ] as const)
    t.match(await diagnose({ ...alone, ...more }), [0, ...problems])
  const messages = /^warn Telemetry: Chat messages can be read .*TELEMETRY_HTTP=off/
  t.match(await diagnose(alone, standalone), [0, local, messages])
  const dangers: typeof warnings = [
    [{ ORCHESTRATOR_GATE: 'agent' }, /Gate mode: Others reach .*PUBLIC_ORIGIN says.*ORCHESTRATOR_GATE=all/],
    [{ ...alone, TRUST_PROXY: '127.0.0.1' }, /Gate mode: Others reach this server, as TRUST_PROXY says/],
    [{ ACCESS_PASSWORD_HASH: 'secret' }, /Credential: ACCESS_PASSWORD_HASH must be/],
    [{ NEXT_PUBLIC_SITE_URL: 'http://localhost:3000' }, /Site address: .*an address of this machine/],
    [{ NEXT_PUBLIC_SITE_URL: 'www.example.com' }, /Site address: .*is not an origin/],
    [{ NEXT_PUBLIC_SITE_URL: '', PUBLIC_SITE_URL: 'a' }, /Site address: PUBLIC_SITE_URL is not an origin/],
    [{ NODE_ENV: 'prod' }, /Configuration: NODE_ENV: expected production/],
    [{ ORCHESTRATOR_DATA_DIR: '/proc/orchestrator' }, /Data folder: \/proc\/orchestrator is not writable/],
    [{ PORT: 'x' }, /Configuration: PORT: expected a port/],
  ]
  for (const [more, problem] of dangers) {
    const [code, first] = await diagnose(more)
    t.match([code, first], [1, problem], JSON.stringify(more))
    t.match(first, /^unsafe/)
  }
  for (const more of [{}, { ORCHESTRATOR_DB_FILE: '/tmp/elsewhere.db' }]) {
    const [, , ...others] = await diagnose({ ORCHESTRATOR_DATA_DIR: '/proc/orchestrator', ...more })
    const expected =
      'ORCHESTRATOR_DB_FILE' in more ? [] : ['unsafe Start: It does not start, see Data folder.']
    t.strictSame(others, expected, 'it does not start without its database')
  }
  const modes: readonly (readonly [config: string, out: RegExp])[] = [
    [smallConfig(), /unsafe {2}Gate mode +The server will be closed: set a credential\./],
    [smallConfig({ plugins: [inHouse('hook.ts')] }), /ok +Gate mode +The server will be in mode 'hook'/],
    [smallConfig({ shape: 'library' }), /unsafe {2}Gate mode +The mount will be closed/],
  ]
  for (const [config, out] of modes) {
    const cwd = folderWith(t, { 'orchestrator.config.json': config })
    t.match((await orchestrator(cwd, ['doctor'], { env: gated })).out, out)
  }
})

t.test('hash-password reads standard input, and refuses a password that no login accepts', async (t) => {
  const run = (args: readonly string[], stdin: string) =>
    orchestrator(folderWith(t), ['hash-password', ...args], { stdin })
  const hashed = { code: 0, out: `${hash('sha256', 'correct horse')}\n`, err: '' }
  for (const end of ['\n', '\r\n']) t.strictSame(await run(['--sha256'], `correct horse${end}`), hashed)
  t.match(await run([], ''), { code: 1, out: '', err: /^standard input has no password/ })
  t.match(await run([], ' padded '), { code: 1, out: '', err: /begins or ends with white space/ })

  const { out } = await run([], 'correct horse')
  const password = v.parse(PasswordHash, out)
  t.match(out, /^scrypt:32768:8:1:[\w-]+:[\w-]+\n$/, 'a slow hash without shell variables')
  t.ok(await password.matches('correct horse'))
  t.notOk(await password.matches('battery staple'))
})

t.test('hash-password generates a password of 128 bits, printed separately from the hash', async (t) => {
  const made = new Set<string>()
  for (let at = 0; at < 3; at++) {
    const { code, out, err } = await orchestrator(folderWith(t), ['hash-password', '--generate'])
    const [, password = ''] = /^The password, shown this once: ([\w-]{22})\n$/.exec(err) ?? []
    t.equal(code, 0)
    t.ok(await v.parse(PasswordHash, out).matches(password))
    made.add(password)
  }
  t.equal(made.size, 3)
})

t.test('on a terminal the password is prompted for twice and never echoed', async (t) => {
  const type = async (...keys: readonly string[]) => {
    const { stdin, wasShown } = terminal(keys)
    const words = ['hash-password', '--sha256']
    const outcome = await orchestrator(folderWith(t), words, { stdin, isTerminal: true })
    t.notOk(wasShown())
    return outcome
  }
  const out = `${hash('sha256', 'horsé')}\n`
  const typed = await type('horsé', 's', '\u007F', '\r', 'h', 'orsé', '\r')
  t.match(typed, { code: 0, out, err: /not shown/ })
  t.match(await type('one', '\r', 'two', '\r'), { code: 1, out: '', err: /the passwords do not match/ })
  t.match(await type('on', '\u0003'), { code: 1, out: '', err: /stopped by Ctrl\+C/ })
})

t.test('serve begins again with limits for memory, unless it has them or cannot', async (t) => {
  const begun: unknown[] = []
  const running = {
    execPath: '/node',
    execArgv: ['--enable-source-maps'],
    argv: ['/node', '/bin.js', 'serve', '--port', '1'],
    env: {},
    connected: false,
    execve(...words: unknown[]): never {
      begun.push(words)
      throw new Error('this system cannot replace a process')
    },
  }
  const rest = ['--enable-source-maps', '/bin.js', 'serve', '--port', '1']
  limitMemory(running)
  const both = ['--max-semi-space-size=16', '--heap-growing-percent=35']
  t.strictSame(begun.splice(0), [['/node', ['/node', ...both, ...rest]]])
  limitMemory({ ...running, env: { NODE_OPTIONS: '--no-warnings --max_semi_space_size=8' } })
  t.strictSame(begun.splice(0), [['/node', ['/node', '--heap-growing-percent=35', ...rest]]])
  limitMemory({ ...running, execArgv: ['--heap-growing-percent=0', '--max-semi-space-size=8'] })
  limitMemory({ ...running, connected: true })
  t.strictSame(begun, [])
})
