/**
 * Builds the package into `dist`, or the given folder. Modules are bundled, without dependencies, because
 * resolving hundreds of them takes longer than running them. Small libraries without types of ours, packages
 * of development here, are bundled too: a website installs few packages. Types are emitted per source file.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { buildForBrowsers, builtModules, bundle, inlineWorkers } from './bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const outDir = resolve(process.argv[2] ?? join(root, 'dist'))

const Door = v.union([v.string(), v.object({ default: v.string() })])
const Names = v.record(v.string(), v.string())
const Package = v.object({
  bin: Names,
  exports: v.record(v.string(), Door),
  dependencies: Names,
  peerDependencies: Names,
})
const { bin, exports, dependencies, peerDependencies } = v.parse(
  Package,
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
)

const toSource = (built: string): string =>
  built
    .replace(/^(?:\.\/)?dist\//, '')
    .replace(/\.js$/, '.ts')
    .replace('*', '**')

/**
 * The sources of the entry points and the command; a star matches every folder, at any depth, with the file.
 */
const sources = [
  ...Object.values(bin),
  ...Object.values(exports).map((door) => (typeof door === 'string' ? door : door.default)),
]
  .filter((built) => built.endsWith('.js'))
  .flatMap((built) => globSync(toSource(built), { cwd: root }))

/**
 * The bundles: entry modules, and their imports that are in no earlier bundle. The command line loads the
 * first (on an outdated Node no other), a browser the second, a website the first three, a mount all.
 */
const bundles = {
  info: /^kernel\/package-info\.ts$/,
  live: /^plugins\/site\/browser\/(?:live-preview|bridge\/index)\.ts$/,
  site: /^(?:config\/site|plugins\/site\/publish\/index)\.ts$/,
  mount: /^config\/index\.ts$/,
}

const outside = Object.keys({ ...dependencies, ...peerDependencies })

const built = await buildForBrowsers()
const builtins = join(root, 'config/builtins.ts')
/** The bundle has every plugin: an import of each would only load a file that imports it from there. */
const plugins: string[] = []
const importing = readFileSync(builtins, 'utf8').replaceAll(
  /\bimport\(('[^'\n]*')\)/g,
  (_, path) => `Promise.resolve(plugin${plugins.push(path) - 1})`,
)
/** What is in the package instead of these modules. */
const texts = new Map([
  ...Object.entries(builtModules).map(([path, name]): [string, string] => {
    return [join(root, path), `export const ${name} = () => (${JSON.stringify(built[name])})`]
  }),
  [builtins, plugins.map((path, at) => `import * as plugin${at} from ${path}\n`).join('') + importing],
])

const inAscii = (code: string): string =>
  code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The licences of the packages that the modules are from, each under the name of its package. */
function licencesOf(modules: readonly string[]): string {
  const folders = new Set(
    modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll(sep, '/')) ?? []),
  )
  const texts = [...folders].toSorted().map((folder) => {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
    const Own = v.object({ name: v.string(), version: v.string(), license: v.string() })
    const own = v.parse(Own, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    const text = file === undefined ? own.license : readFileSync(join(folder, file), 'utf8').trim()
    return `${own.name} ${own.version}\n\n${text}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

rmSync(outDir, { recursive: true, force: true })
await bundle({
  cwd: root,
  input: Object.fromEntries(sources.map((source) => [source.replace(/\.ts$/, ''), source])),
  platform: 'node',
  // The other form of a library may load its parts in a way that no bundler follows.
  resolve: { mainFields: ['module', 'main'] },
  transform: { target: 'node22' },
  external: (specifier) => outside.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
  plugins: [
    inlineWorkers,
    {
      name: 'package',
      load: (id) => texts.get(id) ?? null,
      // V8 needs half the memory for a source without other characters.
      generateBundle(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        for (const chunk of chunks) chunk.code = inAscii(chunk.code)
        const source = licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds))
        this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source })
      },
    },
  ],
  output: {
    dir: outDir,
    format: 'esm',
    chunkFileNames: 'shared/[name]-[hash].js',
    codeSplitting: {
      groups: Object.entries(bundles).map(([name, sources], at) => ({
        name,
        test: (id) => sources.test(relative(root, id).replaceAll(sep, '/')),
        priority: Object.keys(bundles).length - at,
      })),
    },
    comments: false,
  },
  // A port may lazily import a file that its plugin also imports statically.
  checks: { ineffectiveDynamicImport: false },
  logLevel: 'warn',
})
const types = ['-p', join(root, 'config/tsconfig.build.json'), '--outDir', outDir]
const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), types, {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exitCode = status ?? 1
