import t from 'tap'
import { editorOriginsOf } from '../../config/site-environment.ts'
import * as v from 'valibot'
import { createKernel, definePlugin, use } from '../../kernel/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { isWithin, whyTooOld } from '../../kernel/package-info.ts'
import { isSecretVariable, secretValues, toShown, withoutSecrets } from '../../config/secrets.ts'
import {
  publicOriginOf,
  readSettings,
  toEnvironment,
  toOriginRules,
  toServerEnvironment,
  type SettingSources,
} from '../../config/settings.ts'
import { problemsOf } from './helpers.ts'

const sources = (more: Partial<SettingSources> = {}): SettingSources => ({
  env: {},
  config: { shape: 'standalone' },
  cwd: '/srv',
  ...more,
})
const read = (more: Partial<SettingSources> = {}) => readSettings(sources(more))

t.test('a mistyped production in NODE_ENV stops the start', async (t) => {
  const words =
    'Production PRODUCTION prod Prod prd prodution poduction produktion productions production1 prod-eu'
  for (const word of [...words.split(' '), ' production', 'production ', '"production"']) {
    const problem = {
      message: `The orchestrator cannot start:\n  - NODE_ENV: expected production, or another word than '${word}', which looks like it`,
    }
    const env = { NODE_ENV: word }
    t.throws(() => read({ env }), problem, word)
    t.throws(() => editorOriginsOf(env), problem, word)
    const { log } = capturedLog('silent')
    await t.rejects(createKernel({ shape: 'library', env, plugins: [], log }), problem, word)
  }
  for (const env of [{}, { NODE_ENV: '' }, { NODE_ENV: 'development' }, { NODE_ENV: 'test' }])
    t.equal(read({ env }).origins.value.length, 4)
  t.equal(read({ env: { NODE_ENV: 'production' } }).origins.value.length, 0)
})

t.test('the kernel reports a mistyped NODE_ENV together with the variables of its plugins', async (t) => {
  const { log } = capturedLog('silent')
  const number = definePlugin({
    name: 'number',
    tag: 'Test',
    env: v.object({ COUNT: v.pipe(v.string(), v.digits('digits')) }),
  })
  const plugins = [use(number.setup(() => ({})))]
  const env = { NODE_ENV: 'prod', COUNT: 'many' }
  t.match(await problemsOf(() => createKernel({ shape: 'library', env, plugins, log })), [
    /^NODE_ENV: expected production/,
    /COUNT.*digits/,
  ])
})

t.test('another word in NODE_ENV is not production, with a warning', async (t) => {
  const warningsWith = async (word: string): Promise<readonly unknown[]> => {
    const { log, lines } = capturedLog()
    await (await createKernel({ shape: 'library', env: { NODE_ENV: word }, plugins: [], log })).close()
    return lines.map((line) => JSON.parse(line))
  }
  const words =
    'staging preview qa local ci e2e uat dev stage preprod pre-production non-production __proto__'
  for (const word of words.split(' ')) {
    const env = { NODE_ENV: word }
    t.equal(read({ env }).origins.value.length, 4, word)
    t.equal(editorOriginsOf(env).length > 0, true, word)
    t.match(
      await warningsWith(word),
      [{ level: 40, variable: 'NODE_ENV', msg: /development rules apply/ }],
      word,
    )
  }
  for (const word of ['', 'development', 'test', 'production']) t.same(await warningsWith(word), [], word)
})

t.test('precedence of settings: flag, variable, file, default', async (t) => {
  const listen = { host: '10.0.0.1', port: 1 }
  const file = { shape: 'standalone', listen, dataDir: 'kept', logLevel: 'error', base: '/etc/it' } as const
  const env = { HOST: '10.0.0.2', PORT: '2', ORCHESTRATOR_DATA_DIR: 'kept', ORCHESTRATOR_LOG_LEVEL: 'warn' }
  const flags = { host: '10.0.0.3', port: '3', 'data-dir': '/var/kept', 'log-level': 'debug' }
  const names = 'HOST PORT ORCHESTRATOR_DATA_DIR ORCHESTRATOR_LOG_LEVEL'
  for (const [more, source, values, by] of [
    [{}, 'default', '127.0.0.1 4200 /srv/.orchestrator info', names],
    [{ config: file }, 'file', '10.0.0.1 1 /etc/it/kept error', 'listen.host listen.port dataDir logLevel'],
    [{ config: file, env }, 'environment', '10.0.0.2 2 /srv/kept warn', names],
    [
      { config: file, env, flags },
      'flag',
      '10.0.0.3 3 /var/kept debug',
      '--host --port --data-dir --log-level',
    ],
  ] as const) {
    const { host, port, dataDir, logLevel } = read(more)
    const shown = [host, port, dataDir, logLevel]
    t.equal(shown.map(({ value }) => value).join(' '), values)
    t.equal(shown.map(({ by }) => by).join(' '), by)
    t.ok(shown.every((each) => each.source === source))
  }
  t.equal(read({ isTerminal: true }).logLevel.value, 'warn', 'the default level on a terminal is warn')
})

t.test('all invalid values are reported at once, with their sources', async (t) => {
  const config = { shape: 'standalone', listen: { host: 'http://x' }, origins: ['example.com'] } as const
  const env = {
    NODE_ENV: 'prod',
    PORT: '42OO',
    HOST: 'local host',
    ORCHESTRATOR_CORS_ORIGINS: 'https://a.example, *',
    ORCHESTRATOR_PUBLIC_ORIGIN: 'https://a.example/path',
    ORCHESTRATOR_ALLOWED_HOSTS: 'a.example:4200',
    ORCHESTRATOR_LOG_LEVEL: 'loud',
    TRUST_PROXY: 'true',
    ORCHESTRATOR_DRAIN_SECONDS: '61',
  }
  t.match(await problemsOf(() => read({ config, env, flags: { port: '', 'data-dir': '' } })), [
    /^NODE_ENV: expected production/,
    /^HOST: expected an address such as 127\.0\.0\.1, or a host name/,
    /^listen\.host of the configuration file: expected an address/,
    /^--port: expected a port number from 0 to 65535$/,
    /^PORT: expected a port number from 0 to 65535$/,
    /^--data-dir: expected a folder$/,
    /^ORCHESTRATOR_LOG_LEVEL: expected trace, debug/,
    /^ORCHESTRATOR_CORS_ORIGINS: expected an origin such as https:\/\/editor\.example, without a path, instead of '\*'$/,
    /^origins of the configuration file: .* instead of 'example\.com'$/,
    /^ORCHESTRATOR_ALLOWED_HOSTS: expected host names without scheme and port, instead of 'a\.example:4200'$/,
    /^ORCHESTRATOR_PUBLIC_ORIGIN: .* instead of 'https:\/\/a\.example\/path'$/,
    /^TRUST_PROXY: .*addresses/,
    /^ORCHESTRATOR_DRAIN_SECONDS: expected whole seconds from 0 to 60$/,
  ])
  for (const port of ['65536', '-1', '1.5', '0x10', '100000', ' '])
    t.strictSame(
      await problemsOf(() => read({ flags: { port } })),
      ['--port: expected a port number from 0 to 65535'],
      port,
    )
})

t.test('origins are normalised, and local ones are allowed outside production only', async (t) => {
  const origins = (env: Readonly<Record<string, string>>) => read({ env }).origins.value.join(' ')
  const local = [3000, 4100].flatMap((port) => [`http://localhost:${port}`, `http://127.0.0.1:${port}`])
  t.equal(origins({}), local.join(' '))
  t.equal(origins({ NODE_ENV: 'production' }), '')
  const listed = ' https://A.example// ,http://localhost:3000,, https://a.example:443'
  t.equal(origins({ ORCHESTRATOR_CORS_ORIGINS: listed }), 'https://a.example http://localhost:3000')
  const none = read({ config: { shape: 'standalone', origins: [] } }).origins
  t.strictSame(none, { value: [], source: 'file', by: 'origins' })
  t.equal(publicOriginOf(read(), 4300), 'http://localhost:4300')
  const env = { ORCHESTRATOR_PUBLIC_ORIGIN: 'https://edit.example/' }
  t.equal(publicOriginOf(read({ env }), 4300), 'https://edit.example')
})

t.test('a server on a loopback address answers to its own names only', (t) => {
  const hosts = (env: Readonly<Record<string, string>>) => toOriginRules(read({ env }), 4200).hosts
  t.strictSame(hosts({}), ['localhost'])
  const [origin, more] = ['https://edit.example', 'Orchestrator, b.example']
  t.strictSame(hosts({ HOST: '::1', ORCHESTRATOR_PUBLIC_ORIGIN: origin, ORCHESTRATOR_ALLOWED_HOSTS: more }), [
    'edit.example',
    'orchestrator',
    'b.example',
  ])
  for (const HOST of ['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:0:0:1', '127.1.2.3', 'LOCALHOST'])
    t.strictSame(hosts({ HOST }), ['localhost'], HOST)
  const far = { HOST: '0.0.0.0' }
  t.equal(hosts(far), undefined, 'operators choose the names of containers')
  t.strictSame(hosts({ ...far, ORCHESTRATOR_ALLOWED_HOSTS: 'mine' }), ['localhost', 'mine'])
  t.end()
})

t.test('plugins see the effective settings, and the data folder only if it is configured', (t) => {
  const settings = read({ flags: { port: '0', 'data-dir': 'here' }, env: { NODE_ENV: 'production' } })
  t.match(toServerEnvironment({ A: 'b' }, settings, 4321), {
    A: 'b',
    PORT: '4321',
    HOST: '127.0.0.1',
    ORCHESTRATOR_PUBLIC_ORIGIN: 'http://localhost:4321',
    ORCHESTRATOR_CORS_ORIGINS: '',
    ORCHESTRATOR_DATA_DIR: '/srv/here',
  })
  t.notOk('ORCHESTRATOR_DATA_DIR' in toEnvironment({}, read()))
  t.notOk('ORCHESTRATOR_PUBLIC_ORIGIN' in toEnvironment({}, read()), 'only the website knows its address')
  t.end()
})

t.test('secrets are recognized by name or form, and shown as set', (t) => {
  const env = {
    PUBLISH_TOKEN: 'p-token',
    OPENAI_API_KEY: 'o-key',
    ACME_SECRET: 'a-secret',
    PEER: 'https://me:pass@peer.example',
    FEED: 'https://feed.example/?page=1&apiKey=f-key',
    NESTED: 'https://feed.example/?next=/a?token?x=n-token',
    HOST: '127.0.0.1',
    AGENT_MAX_TOKENS: '4096',
    LIST: 'https://list.example/keys?page=1',
  }
  const secrets = Object.values(env).slice(0, 6)
  t.strictSame(secretValues(env), secrets)
  t.strictSame(
    Object.entries(env).map(([name, value]) => toShown(name, value)),
    [...secrets.map(() => 'set (masked)'), '127.0.0.1', '4096', 'https://list.example/keys?page=1'],
  )
  const listed =
    'ACCESS_PASSWORD_HASH ORCHESTRATOR_ACCESS_TOKEN ACCESS_TOKEN_SECRET DRAFT_MODE_SECRET VERCEL_TOKEN ' +
    'VERCEL_DEPLOY_HOOK_URL GOOGLE_SERVICE_ACCOUNT_KEY_JSON DATABASE_URL'
  t.ok(listed.split(' ').every(isSecretVariable))
  const read = ['HOST', 'OPENAI_API_KEY', 'DATABASE_URL', 'NONE']
  t.strictSame(
    withoutSecrets(
      { HOST: 'a', OPENAI_API_KEY: 'a', DATABASE_URL: 'a', SHOP_API_KEY: 'a', NONE: undefined },
      read,
    ),
    { HOST: 'a', SHOP_API_KEY: 'a' },
    'a website may have secrets of its own',
  )
  t.end()
})

t.test('the Node version is checked against the range of package.json', (t) => {
  const range = '^22.22.3 || >=24.15'
  t.ok(['22.22.3', '22.23.0', '24.15.0', '24.21.0', '25.0.0'].every((version) => isWithin(version, range)))
  t.notOk(['20.20.2', '22.22.2', '23.11.0', '24.14.1'].some((version) => isWithin(version, range)))
  t.equal(
    whyTooOld('20.20.2'),
    `content-orchestrator needs Node ${range}, and this is 20.20.2. Get one at https://nodejs.org.`,
  )
  t.equal(whyTooOld(), undefined)
  t.end()
})
