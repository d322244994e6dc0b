import { globSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { defineConfig, definePlugin, use, type OrchestratorConfig } from '../../config/index.ts'
import { builtinNames, formerNames, importBuiltin, presets } from '../../config/builtins.ts'
import { resolvePlugins } from '../helpers/resolve-plugins.ts'
import { BootError } from '../../kernel/index.ts'
import { checkConfig } from '../../config/schema.ts'
import { mountForTest, openGates } from '../../kernel/testing.ts'
import greeting from '../fixtures/inhouse/greeting.ts'
import { folderWith, inHouse, problemsOf } from './helpers.ts'

const base = fileURLToPath(new URL('../fixtures/inhouse/', import.meta.url))
const plugins = fileURLToPath(new URL('../../plugins/', import.meta.url))
const bare = {
  shape: 'standalone',
  preset: 'minimal',
  without: [...presets.minimal],
  base,
} as const satisfies OrchestratorConfig

/** A configuration as in a file without types. */
function fromFile(given: object): OrchestratorConfig {
  const { config, problems } = checkConfig(given, 'config')
  if (problems.length > 0) throw new BootError(problems)
  return config
}
const problemsIn = (config: OrchestratorConfig): Promise<readonly string[]> =>
  problemsOf(() => resolvePlugins(config))

/** A folder with an installed package. */
function withPackage(t: Test, manifest: object, files: Readonly<Record<string, string>>): string {
  const inPackage = Object.entries({
    ...files,
    'package.json': JSON.stringify({ name: '@acme/audit', type: 'module', ...manifest }),
  })
  return folderWith(
    t,
    Object.fromEntries(inPackage.map(([name, text]) => [`node_modules/@acme/audit/${name}`, text])),
  )
}

const auditSource = `
import { definePlugin, gates } from '${new URL('../../kernel/index.ts', import.meta.url).href}'
import * as v from '${import.meta.resolve('valibot')}'

export default definePlugin({
  name: 'audit',
  tag: 'In-house',
  options: v.object({ level: v.picklist(['some', 'full']) }),
  env: v.object({ AUDIT_TARGET: v.string() }),
  routes: {
    audit: {
      method: 'GET',
      path: '/audit',
      gate: gates.access,
      summary: 'Tells the level.',
      replies: { 200: v.object({ text: v.string() }) },
    },
  },
}).setup(({ options, env }) => ({
  handlers: { audit: () => ({ status: 200, body: { text: options.level + ' to ' + env.AUDIT_TARGET } }) },
}))
`

t.test('a preset is the base: without removes plugins, plugins adds them and sets options', async (t) => {
  const entries = async (config: OrchestratorConfig) =>
    (await resolvePlugins(config)).map(({ entry }) => entry)
  const without = presets.minimal.filter((name) => name !== 'store' && name !== 'auth' && name !== 'health')
  t.strictSame(await entries({ ...bare, without }), ['store', 'auth', 'health'])
  t.strictSame(await entries({ ...bare, without, plugins: ['docs', './greeting.ts'] }), [
    'store',
    'auth',
    'health',
    'docs',
    './greeting.ts',
  ])
  const [store] = await resolvePlugins({ ...bare, without, plugins: [['store', { file: ':memory:' }]] })
  t.match(store, {
    entry: 'store',
    isBuiltin: true,
    plugin: { name: 'store' },
    options: { file: ':memory:' },
  })
  t.strictSame(await entries(bare), [])
})

t.test('an in-house plugin is loaded from a file, a package and a value, with its options', async (t) => {
  const folder = withPackage(t, { exports: { import: './audit.js' } }, { 'audit.js': auditSource })
  const plugins = await resolvePlugins(
    fromFile({
      ...bare,
      base: folder,
      plugins: [
        ['@acme/audit', { level: 'full' }],
        [inHouse('greeting.ts'), { salute: 'Good day' }],
      ],
    }),
  )
  t.match(plugins, [{ entry: '@acme/audit', isBuiltin: false }, { isBuiltin: false }])
  const mounted = mountForTest(t, {
    plugins,
    seeds: openGates,
    env: { AUDIT_TARGET: 'a file', GREETING_NAME: 'Ada' },
  })
  t.strictSame((await mounted.inject({ url: '/audit' })).json(), { text: 'full to a file' })
  t.strictSame((await mounted.inject({ url: '/greeting' })).json(), { text: 'Good day, Ada' })

  const asValues = await resolvePlugins({ ...bare, plugins: [use(greeting, { salute: 'Good day' })] })
  t.match(asValues, [{ entry: 'plugins[0]', isBuiltin: false, options: { salute: 'Good day' } }])
  const asPlugin = mountForTest(t, {
    plugins: await resolvePlugins({ ...bare, plugins: [greeting] }),
    seeds: openGates,
  })
  t.strictSame((await asPlugin.inject({ url: '/greeting' })).json(), { text: 'Hello, nobody' })
})

t.test('an unknown option is refused with the nearest known one', async (t) => {
  const most = v.object({ most: v.optional(v.number()) })
  const limit = v.pipe(
    most,
    v.check(() => true),
  )
  const fields = v.object({ limits: v.array(limit), any: v.optional(v.looseObject({})) })
  const nested = definePlugin({ name: 'nested', tag: 'T', options: v.optional(fields) }).setup(() => ({}))
  const open = definePlugin({
    name: 'open',
    tag: 'T',
    options: v.looseObject({ known: v.optional(v.string()) }),
  }).setup(() => ({}))
  const plugins: readonly unknown[] = [
    ['store', { shraed: true, fiel: undefined }],
    [inHouse('greeting.ts'), { salut: 'Hello', zzzzz: 1 }],
    { plugin: nested, options: { limits: [{ most: 1 }, { mots: 1 }], any: { thing: 1 } } },
    { plugin: open, options: { unknown: 1 } },
  ]
  const without = presets.minimal.filter((name) => name !== 'store')
  t.strictSame(await problemsIn(fromFile({ ...bare, without, plugins })), [
    "the plugin 'store' has no option 'shraed'; did you mean 'shared'?",
    "the plugin 'store' has no option 'fiel'; did you mean 'file'?",
    "the plugin 'greeting' has no option 'salut'; did you mean 'salute'?",
    "the plugin 'greeting' has no option 'zzzzz'",
    "the plugin 'nested' has no option 'limits[1].mots'; did you mean 'most'?",
  ])
})

t.test('a plugin that fails in setup or ready is named by its entry', async (t) => {
  const fails = (): never => {
    throw new Error('the licence has run out')
  }
  const made = definePlugin({ name: 'late', tag: 'X' })
  for (const plugin of [made.setup(fails), made.setup(() => ({ ready: fails }))]) {
    const plugins = await resolvePlugins({ ...bare, plugins: [plugin] })
    t.match(await problemsOf(() => mountForTest(t, { plugins }).ready()), [
      /^'late' \(plugins\[0\]\) does not start: the licence has run out/,
    ])
  }
})

t.test('a plugin whose gate no plugin provides does not start', async (t) => {
  const plugins = await resolvePlugins({ ...bare, plugins: ['./greeting.ts'] })
  t.match(await problemsOf(() => mountForTest(t, { plugins }).ready()), [
    /route 'greeting\.greet' uses the gate 'gate\.access', but no loaded plugin provides it/,
    /'gate\.agent'/,
  ])
})

t.test('each kind of broken plugin is reported in one sentence, all at once', async (t) => {
  const none = ' has no default export made by definePlugin\\(\\.\\.\\.\\)\\.setup\\(\\.\\.\\.\\)$'
  const unknown = ' is neither a built-in plugin nor a package seen from .*inhouse'
  const cases: readonly (readonly [entry: string, sentence: string])[] = [
    ...['./no-plugin.mjs', './hand-made.mjs', './no-default.mjs'].map((entry) => [entry, none] as const),
    ['./throws.mjs', ' cannot be loaded: the licence is missing \\(.*throws\\.mjs, line 1\\)$'],
    ['./broken-import.mjs', " cannot be loaded: Cannot find module '.*not-there\\.mjs'"],
    ['./missing.mjs', ' does not exist in .*inhouse'],
    ['@acme/nowhere', unknown],
    ['stroe', `${unknown}.*; did you mean 'store'\\?$`],
    ['Not A Name', unknown],
  ]
  const problems = await problemsIn(fromFile({ ...bare, plugins: cases.map(([entry]) => entry) }))
  for (const [at, [entry, sentence]] of cases.entries())
    t.match(problems[at], new RegExp(`^'${entry}'${sentence}`), entry)
  t.equal(problems.length, cases.length)
})

t.test('a package that fails to load is distinguished from a missing one', async (t) => {
  const folder = withPackage(t, { exports: './audit.js' }, { 'audit.js': "import '@acme/helper'\n" })
  t.match(await problemsIn({ ...bare, base: folder, plugins: ['@acme/audit'] }), [
    /^'@acme\/audit' cannot be loaded: Cannot find package '@acme\/helper'/,
  ])
  const closed = withPackage(t, { exports: { './other': './audit.js' } }, { 'audit.js': '' })
  t.match(await problemsIn({ ...bare, base: closed, plugins: ['@acme/audit'] }), [
    /^'@acme\/audit' cannot be loaded: No "exports" main defined/,
  ])
})

t.test('contradictory entries are refused', async (t) => {
  const anonymous = definePlugin({ name: 'twin', tag: 'X' }).setup(() => ({}))
  const without = presets.minimal.filter((name) => name !== 'auth')
  const listed = ['auth', 'auth', 'store', './greeting.ts', './greeting.ts']
  t.strictSame(
    await problemsIn(
      fromFile({
        ...bare,
        without,
        plugins: [...listed, { name: 'x' }, { plugin: {} }, anonymous, use(anonymous), './named-auth.mjs'],
      }),
    ),
    [
      "'auth' is listed twice in plugins",
      "'store' is listed in plugins and in without; keep one of them",
      "'./greeting.ts' is listed twice in plugins",
      'plugins[5] is neither a name nor a plugin made by definePlugin(...).setup(...)',
      'plugins[6] is neither a name nor a plugin made by definePlugin(...).setup(...)',
      "'plugins[7]' and 'plugins[8]' are both named 'twin'",
      "'./named-auth.mjs' is named 'auth' like a loaded built-in; rename it, or list 'auth' in without",
    ],
  )
})

t.test('a built-in plugin has the name of its folder; its former name is refused with that', async (t) => {
  const files = globSync('**/index.ts', { cwd: plugins })
  const folders = files.map((path) => dirname(path).replaceAll(sep, '-'))
  for (const name of builtinNames) {
    t.equal((await importBuiltin(name)).name, name)
    t.ok(folders.includes(name), name)
  }
  for (const [former, now] of formerNames) {
    const sentence = `the plugin '${former}' is '${now}' now: built-in plugins are named after their folders`
    t.strictSame(await problemsIn(fromFile({ ...bare, plugins: [former] })), [sentence])
    t.match(checkConfig({ without: [former] }, 'config').problems, [sentence])
  }
})

t.test('defineConfig types the options of built-ins', (t) => {
  const listed = ['health', ['store', { file: ':memory:' }], './a.ts', ['@acme/b', 5], greeting] as const
  defineConfig({ shape: 'standalone', plugins: [...listed, use(greeting, { salute: 'Hello' })] })
  // @ts-expect-error no such mode
  defineConfig({ shape: 'standalone', plugins: [['store', { synchronous: 'sometimes' }]] })
  // @ts-expect-error neither a built-in nor a path nor a scoped package
  defineConfig({ shape: 'standalone', plugins: ['stroe'] })
  // @ts-expect-error no such built-in
  t.strictSame(defineConfig({ shape: 'library', without: ['jirra'] }), {
    shape: 'library',
    without: ['jirra'],
  })
  t.end()
})
