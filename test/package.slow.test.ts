import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, statSync } from 'node:fs'
import { cp, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'rolldown'
import t from 'tap'
import * as v from 'valibot'
import { version, whyTooOld } from '../kernel/package-info.ts'
import { alone, env, packPackage, run } from './helpers/built-package.ts'
import { temporaryFolder } from './helpers/stack.ts'
import { doors, pathOf } from './surface/doors.ts'
import { exportsOf } from './surface/exports.ts'

const folder = temporaryFolder(t)
const packed = join(folder, 'package')
const consumer = join(folder, 'consumer')

const { archive, files } = await packPackage(packed)
await cp(pathOf('test/fixtures/consumer'), consumer, { recursive: true })
await rename(join(consumer, 'consumer.ts.txt'), join(consumer, 'consumer.ts'))
await writeFile(join(consumer, 'package.json'), '{ "private": true, "type": "module" }')
const page = { id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T12:00:00.000Z', blocks: [] }
await writeFile(join(consumer, 'pages.json'), JSON.stringify([page]))
/** The line of the README that installs it. */
const [, more = ''] =
  /^ {4}npm install content-orchestrator(.*?)(?: #.*)?$/m.exec(await readFile(pathOf('README.md'), 'utf8')) ??
  []
const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
const flags = [...quick, ...more.split(' ').filter(Boolean)]
const offline = await run('npm', ['install', archive, ...flags], { cwd: consumer }).then(
  () => undefined,
  whyOffline,
)
const installing = { skip: offline ?? false }

/** Why npm cannot reach the registry; rethrows any other error. */
function whyOffline(error: unknown): string {
  const [code] = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.exec(String(error)) ?? []
  if (code === undefined) throw error
  return `npm cannot reach the registry: ${code}`
}

t.test('the package contains code, types and linked documents, and nothing else', async (t) => {
  const kindOf = (path: string): string =>
    /^dist\/(?:kernel|plugins|config|shared)\/.*?(\.d\.ts|\.js)$/.exec(path)?.[1] ??
    path
      .replace(/^(test\/hosts|config\/deploy)\/.*/, '$1')
      .replace(/^plugins\/[\w/-]+\/README/, 'plugins/*/README')
      .replace(/^(plugins\/agents\/scaffold\/templates)\/.*\.txt$/, '$1')
      .replace(/^(plugins\/studio\/pictures)\/.*\.webp$/, '$1')
  const kinds = Map.groupBy(files, kindOf)
  t.same([...kinds.keys()].toSorted(), [
    '.d.ts',
    '.js',
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'config/EDIT.md',
    'config/README.md',
    'config/deploy',
    'dist/LICENSES.txt',
    'kernel/README.md',
    'package.json',
    'plugins/*/README.md',
    'plugins/DECISIONS.md',
    'plugins/README.md',
    'plugins/RECIPES.md',
    'plugins/agents/scaffold/templates',
    'plugins/studio/pictures',
    'test/README.md',
    'test/hosts',
  ])
  const code = await Promise.all((kinds.get('.js') ?? []).map((path) => readFile(join(packed, path), 'utf8')))
  for (const [what, once] of [
    ['the kernel', /Method \$\{.*\} not handled by the mount/],
    ['a package that may be missing', /import\("@anthropic-ai\/sdk"\)/],
  ] as const) {
    t.equal(code.filter((text) => once.test(text)).length, 1, `one module holds ${what}`)
  }
})

t.test('the links in its documents lead to files of the package', async (t) => {
  const found = await Promise.all(
    files
      .filter((path) => path.endsWith('.md'))
      .map(async (path) => {
        const links = [...(await readFile(join(packed, path), 'utf8')).matchAll(/\]\((?!https?:)([^)#]+)/g)]
        return links.map(([, link = '']) => ({ from: path, to: join(dirname(path), link) }))
      }),
  )
  const links = found.flat()
  t.ok(links.length > 10)
  t.strictSame(
    links.filter(({ to }) => !files.some((file) => file === to || file.startsWith(`${to}/`))),
    [],
  )
})

t.test('it takes at most 30 MB and 25 packages', installing, async (t) => {
  const installed = join(consumer, 'node_modules')
  const packages = globSync(['*/package.json', '@*/*/package.json'], { cwd: installed })
  const sizes = globSync('**', { cwd: installed, withFileTypes: true }).map((entry) =>
    entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0,
  )
  t.ok(packages.length <= 25, `${packages.length} packages`)
  t.ok(sizes.reduce((sum, size) => sum + size) <= 30 * 1024 * 1024)
})

const Versions = v.record(v.string(), v.string())

for (const framework of ['astro', 'next']) {
  t.test(`a website with ${framework} gets at most 25 packages, and loses none`, installing, async (t) => {
    const cwd = join(folder, framework)
    const manifest: unknown = JSON.parse(
      await readFile(pathOf(`test/hosts/${framework}/package.json`), 'utf8'),
    )
    const { 'content-orchestrator': _, ...dependencies } = v.parse(
      v.object({ dependencies: Versions }),
      manifest,
    ).dependencies
    await mkdir(cwd)
    await writeFile(
      join(cwd, 'package.json'),
      JSON.stringify({ private: true, type: 'module', dependencies }),
    )
    await run('npm', ['install', ...quick], { cwd })
    const packages = async () => {
      const { stdout } = await run('npm', ['ls', '--all', '--parseable', '--long'], { cwd })
      return new Set(stdout.trim().split('\n').slice(1))
    }
    const before = await packages()
    await run('npm', ['install', archive, ...flags], { cwd })
    const after = await packages()
    t.strictSame([...before.difference(after)], [], 'what it had, it has still, in the same versions')
    const added = [...after.difference(before)].map((line) => line.split('node_modules/').at(-1))
    t.ok(added.length >= 1 && added.length <= 25, `${added.length} packages: ${added.join(' ')}`)
  })
}

t.test(
  'with a key but without the library of the provider, chat says what to install',
  installing,
  async (t) => {
    const { stdout } = await run(process.execPath, ['without-library.mjs'], {
      cwd: consumer,
      env: { ...env, ANTHROPIC_API_KEY: 'key', NODE_ENV: 'development' },
    })
    t.match(
      stdout,
      /"reason":"The package @anthropic-ai\/sdk is not installed, [^"]* Run npm install @anthropic-ai\/sdk, and restart the server\."/,
    )
  },
)

t.test('every entry point can be imported, with the exports of its source', installing, async (t) => {
  const addresses = doors().map(({ address }) => address)
  const each = 'console.log(JSON.stringify([address, Object.keys(await import(address))]))'
  const script = `for (const address of ${JSON.stringify(addresses)}) ${each}`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: consumer })
  const opened = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => v.parse(v.tuple([v.string(), v.array(v.string())]), JSON.parse(line))),
  )
  for (const { address, file } of doors()) {
    const values = [...exportsOf(file)].filter(([, { value }]) => value).map(([name]) => name)
    t.same(opened.get(address)?.toSorted(), values.toSorted(), address)
  }
  const inside = `import('content-orchestrator/dist/kernel/kernel.js').catch(({ code }) => console.log(code))`
  t.equal(
    (await run(process.execPath, ['--eval', inside], { cwd: consumer })).stdout,
    'ERR_PACKAGE_PATH_NOT_EXPORTED\n',
  )
})

t.test('its types hold in a strict program that checks libraries too', installing, async (t) => {
  const compilerOptions = {
    target: 'ES2024',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    types: ['node'],
    typeRoots: [pathOf('node_modules/@types')],
  }
  await writeFile(
    join(consumer, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
  )
  const Failed = v.object({ stdout: v.string() })
  const { stdout } = await run(pathOf('node_modules/.bin/tsc'), ['-p', consumer]).catch((error: unknown) =>
    v.parse(Failed, error),
  )
  t.equal(stdout, '')
})

t.test('a website mounts it with two lines', installing, async (t) => {
  const { stdout } = await run(process.execPath, ['embed.mjs'], {
    cwd: consumer,
    env: { ...env, NODE_ENV: 'development' },
  })
  t.match(JSON.parse(stdout), { slugs: ['/'], pages: [{ title: 'Home', blockCount: 0 }] })
})

t.test('a server that is bundled into one file runs its threads', installing, async (t) => {
  const bundled = join(consumer, 'large-page.bundled.mjs')
  await build({
    cwd: consumer,
    input: 'large-page.mjs',
    platform: 'node',
    external: /^playwright-core/,
    output: { file: bundled, format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  })
  const { stdout } = await run(process.execPath, [bundled], {
    cwd: consumer,
    env: { ...env, NODE_ENV: 'development' },
  })
  const [started, shown = ''] = stdout.split('\n')
  t.equal(started, 'true')
  const [status, length] = v.parse(v.tuple([v.number(), v.number()]), JSON.parse(shown))
  t.equal(status, 200)
  t.ok(length > 100_000, `${length} characters`)
})

t.test('the command starts the service and the demo site, and stops on a signal', installing, async (t) => {
  const command = join(consumer, 'node_modules', '.bin', 'content-orchestrator')
  t.ok((await stat(command)).mode & 0o111, 'it can be run')
  for (const name of ['content-orchestrator', 'orchestrator']) {
    t.equal((await run('npx', ['--no-install', name, '--version'], { cwd: consumer })).stdout, `${version}\n`)
  }

  const service = spawn(
    ...alone(command, ['serve', '--demo', '--port', '0', '--data-dir', join(folder, 'data')]),
    {
      cwd: consumer,
      env: { ...env, DEMO_SITE_PORT: '0', NODE_ENV: 'development' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(service, 'exit')
  t.teardown(() => service.kill('SIGKILL'))
  let address = ''
  for await (const line of createInterface(service.stdout)) {
    const entry = v.parse(v.object({ msg: v.string(), address: v.optional(v.string()) }), JSON.parse(line))
    if (entry.msg === 'listening') {
      address = entry.address ?? ''
      break
    }
  }
  service.stdout.resume()
  t.equal(await (await fetch(`${address}/health`)).text(), '{"ok":true}')
  t.match(await (await fetch(`${address}/draft/slugs?siteId=demo`)).json(), { slugs: ['/', '/services'] })
  t.match(await (await fetch(`${address}/docs/json`)).json(), { openapi: '3.1.0' })
  service.kill('SIGTERM')
  t.same(await ended, [0, null])
})

/** A Node on this machine that is older than the package allows. */
async function oldNode(): Promise<string | undefined> {
  for (const place of env.PATH.split(':').filter(Boolean)) {
    const node = join(place, 'node')
    const version = await run(node, ['--version']).then(
      ({ stdout }) => stdout.trim(),
      () => undefined,
    )
    if (whyTooOld(version) !== undefined) return node
  }
  return undefined
}

const old = await oldNode()

t.test(
  'an old Node is refused in one sentence',
  { skip: old === undefined && 'there is no old Node here' },
  async (t) => {
    const error: unknown = await run(old ?? '', [join(packed, 'dist/config/cli/bin.js'), 'serve']).catch(
      (failure: unknown) => failure,
    )
    t.match(error, {
      code: 1,
      stdout: '',
      stderr:
        /^content-orchestrator needs Node .*, and this is [\d.]+\. Get one at https:\/\/nodejs\.org\.\n$/,
    })
  },
)

t.test(
  'every entry point that needs a Node refuses an old one with the same sentence',
  { skip: old === undefined ? 'there is no old Node here' : installing.skip },
  async (t) => {
    for (const { address } of doors().filter(({ address }) => !/\/(?:live|bridge|client)$/.test(address))) {
      const script = `import(${JSON.stringify(address)}).catch(({ message }) => console.log(message))`
      const { stdout } = await run(old ?? '', ['--eval', script], { cwd: consumer })
      t.match(
        stdout,
        /^content-orchestrator needs Node .*, and this is [\d.]+\. Get one at https:\/\/nodejs\.org\.\n$/,
        address,
      )
    }
  },
)
