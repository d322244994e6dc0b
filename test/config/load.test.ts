import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { BootError } from '../../kernel/index.ts'
import { findConfig, loadConfig, searchPlaces } from '../../config/load.ts'
import { readEnvironment } from '../../config/env.ts'
import { run } from '../helpers/built-package.ts'
import { folderWith, problemsOf } from './helpers.ts'

const asModule = (port: number): string =>
  `export default { shape: 'standalone', listen: { port: ${port} } }\n`
const asTypedModule = (port: number): string =>
  `import type {} from 'node:fs'\nconst port: number = ${port}\nexport default { shape: 'standalone', listen: { port } } as const\n`
const asCommonJs = (port: number): string =>
  `module.exports = { shape: 'standalone', listen: { port: ${port} } }\n`
const asJson = (port: number): string => JSON.stringify({ shape: 'standalone', listen: { port } })
const asYaml = (port: number): string => `shape: standalone\nlisten:\n  port: ${port}\n`

/** Every supported name of a configuration file, with its text. */
function textFor(place: string, port: number): string {
  if (place === 'package.json')
    return JSON.stringify({
      name: 'site',
      type: 'module',
      orchestrator: { shape: 'standalone', listen: { port } },
    })
  if (/\.m?ts$/.test(place)) return asTypedModule(port)
  if (place.endsWith('.cjs')) return asCommonJs(port)
  if (/\.m?js$/.test(place)) return asModule(port)
  return /rc$|ya?ml$/.test(place) ? asYaml(port) : asJson(port)
}

const problemsIn = async (
  t: Test,
  files: Readonly<Record<string, string>>,
  explicit?: string,
): Promise<readonly string[]> => {
  const folder = folderWith(t, files)
  const find = async (): Promise<void> => {
    const { problems } = await findConfig(folder, explicit)
    if (problems.length > 0) throw new BootError(problems)
  }
  return (await problemsOf(find)).map((problem) => problem.replaceAll(folder, '.'))
}

t.test('a configuration is found under every name, and names are tried in order', async (t) => {
  const files = Object.fromEntries(searchPlaces.map((place, at) => [place, textFor(place, 5000 + at)]))
  for (const [at, place] of searchPlaces.entries()) {
    const folder = folderWith(t, Object.fromEntries(Object.entries(files).slice(at)))
    const { config, file } = await findConfig(folder)
    t.equal(basename(file ?? ''), place)
    t.strictSame(config, { shape: 'standalone', listen: { port: 5000 + at }, base: folder }, place)
  }
})

t.test(
  'an explicit file comes first; without a file the defaults apply, not those of a parent',
  async (t) => {
    const folder = folderWith(t, {
      'orchestrator.config.json': asJson(1),
      'deploy/other.yaml': 'listen: { port: 2 }',
      'deploy/package.json': textFor('package.json', 3),
      'inner/package.json': '{"name":"no property of ours"}',
    })
    const base = join(folder, 'deploy')
    const other = { shape: 'standalone', listen: { port: 2 }, base }
    t.match(await findConfig(folder, 'deploy/other.yaml'), { config: other }, 'standalone by default')
    t.match(await findConfig(folder, join(base, 'package.json')), { config: { listen: { port: 3 } } })
    t.strictSame(await findConfig(join(folder, 'inner')), { config: { shape: 'standalone' }, problems: [] })
  },
)

t.test('a module loads with any type in package.json, and without a warning', async (t) => {
  const typed = "import type {} from 'node:fs'\nexport default { listen: { port: 4321 as number } }\n"
  const plain = "import 'node:fs'\nexport default { listen: { port: 4321 } }\n"
  const required = 'module.exports = { listen: { port: 4321 } }\n'
  const load = fileURLToPath(new URL('../../config/load.ts', import.meta.url))
  const script = `import { findConfig } from ${JSON.stringify(load)}\nprocess.stdout.write(String((await findConfig(process.cwd())).config.listen.port))`
  const loading: Promise<{ stdout: string; stderr: string; name: string; type: string | undefined }>[] = []
  for (const type of [undefined, 'commonjs', 'module']) {
    const files = {
      'orchestrator.config.ts': typed,
      'orchestrator.config.js': plain,
      ...(type !== 'module' && { '.orchestratorrc.ts': required }),
    }
    for (const [name, text] of Object.entries(files)) {
      const cwd = folderWith(t, { [name]: text, 'package.json': JSON.stringify({ type }) })
      const loaded = run(process.execPath, ['--input-type=module', '--eval', script], { cwd })
      loading.push(loaded.then((printed) => ({ ...printed, name, type })))
    }
  }
  for (const { stdout, stderr, name, type } of await Promise.all(loading))
    t.same([stdout, stderr], ['4321', ''], `${name}, type ${type}`)
})

t.test('loadConfig takes a folder or a file, and refuses a folder without a configuration', async (t) => {
  const folder = folderWith(t, {
    'orchestrator.config.ts': asTypedModule(7),
    'lib/mine.mjs': asModule(8),
    'empty/readme': '',
  })
  t.match(await loadConfig(folder), { listen: { port: 7 }, base: folder })
  t.match(await loadConfig(join(folder, 'lib/mine.mjs')), { listen: { port: 8 }, base: join(folder, 'lib') })
  t.match(await problemsOf(() => loadConfig(join(folder, 'empty'))), [
    /empty has no configuration; add orchestrator.config.ts/,
  ])
})

t.test('an invalid file is reported in one sentence', async (t) => {
  const unread = "import { readFileSync } from 'node:fs'\nreadFileSync('not-there')"
  const cases: readonly (readonly [file: string, text: string, sentence: RegExp])[] = [
    [
      'a.mjs',
      'export default {',
      /^the configuration file \.\/a\.mjs cannot be used: Unexpected end of input$/,
    ],
    ['b.mjs', "throw new Error('no licence')", /cannot be used: no licence \(\.\/b\.mjs, line 1\)$/],
    ['c.mjs', unread, /ENOENT: no such file or directory, open 'not-there'/],
    ['d.mjs', "import './nowhere.mjs'", /Cannot find module '\.\/nowhere\.mjs'/],
    ['e.ts', 'enum Shape { a }\nexport default { shape: Shape.a }', /TypeScript enum is not supported/],
    ['f.json', '{ "shape": ', /JSON Error in \.\/f\.json: /],
    ['g.yaml', 'a: [1\nb: 2', /YAML Error in \.\/g\.yaml: /],
    ['h.mjs', 'export const config = {}', /\.\/h\.mjs is empty; export a configuration as default/],
    ['i.mjs', 'export default null', /is empty/],
    ['j.json', '', /is empty/],
    [
      'k.json',
      '[]',
      /^k\.json holds no configuration: expected an object such as \{ shape: 'standalone' \}$/,
    ],
    ['l.mjs', "throw 'a bare text'", /cannot be used: a bare text$/],
    ['m.toml', 'a = 1', /cannot be used: expected the extension ts, mts, mjs, .* yaml or yml$/],
    ['package.json', '{}', /^\.\/package\.json has no property 'orchestrator'$/],
  ]
  for (const [file, text, sentence] of cases) {
    const [problem, ...more] = await problemsIn(t, { [file]: text }, file)
    t.match(problem, sentence, file)
    t.strictSame(more, [])
  }
  t.strictSame(await problemsIn(t, {}, 'gone.json'), ['the configuration file ./gone.json does not exist'])
})

t.test('a file that fails to load is not skipped for the next name', async (t) => {
  const files = {
    'orchestrator.config.mjs': "import { readFileSync } from 'node:fs'\nreadFileSync('not-there')",
    'orchestrator.config.json': asJson(1),
  }
  t.match(await problemsIn(t, files), [/orchestrator\.config\.mjs cannot be used: ENOENT/])
  t.match(await problemsIn(t, { 'orchestrator.config.js': '', 'orchestrator.config.json': asJson(1) }), [
    /orchestrator\.config\.js is empty/,
  ])
})

t.test('.env sets missing variables, blank counts as unset, and configuration files see them', async (t) => {
  const file =
    '\uFEFF# ours\nTOLD_HERE=file\nTOLD_TWICE=file\nBLANK=file\nQUOTED="two\nlines"\n' +
    'export EXPORTED=yes\nEMPTY=\n'
  const variables: NodeJS.ProcessEnv = { TOLD_TWICE: 'shell', BLANK: '  ', ALSO_BLANK: ' ' }
  const env = readEnvironment(folderWith(t, { '.env': file }), variables)
  const known = { TOLD_TWICE: 'shell', BLANK: 'file', TOLD_HERE: 'file' }
  t.strictSame({ ...env }, { ...known, QUOTED: 'two\nlines', EXPORTED: 'yes' })
  t.ok(Object.isFrozen(env))
  t.equal(variables['TOLD_HERE'], 'file')
})

t.test('.env.local takes precedence over .env, and a file that cannot be read is reported', async (t) => {
  const shared = 'BOTH=shared\nPORT=4444\nONLY=shared\n'
  const folder = folderWith(t, { '.env.local': 'BOTH=local\nPORT=\n', '.env': shared })
  t.strictSame(
    { ...readEnvironment(folder, { SHELL_SET: 'shell' }) },
    { SHELL_SET: 'shell', BOTH: 'local', PORT: '4444', ONLY: 'shared' },
  )
  const isFolder = folderWith(t, { '.env/inside': '' })
  t.match(await problemsOf(() => readEnvironment(isFolder, {})), [/\.env cannot be read: EISDIR/])
  const utf16 = folderWith(t)
  writeFileSync(join(utf16, '.env'), Buffer.from('\uFEFFPORT=1', 'utf16le'))
  t.match(await problemsOf(() => readEnvironment(utf16, {})), [/\.env is not UTF-8 text; save it in that/])
})
