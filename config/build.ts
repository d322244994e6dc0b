/**
 * Builds the package into `dist`, or into the folder that is named: `npm run build`.
 *
 * A few hundred small modules take longer to find than to run, so they are bundled. Outside packages stay outside. Types lie
 * beside the doors, one file for each source.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import * as v from 'valibot'

const root = fileURLToPath(new URL('..', import.meta.url))
const outDir = resolve(process.argv[2] ?? join(root, 'dist'))

const Door = v.union([v.string(), v.object({ default: v.string() })])
const Package = v.object({ bin: v.record(v.string(), v.string()), exports: v.record(v.string(), Door), dependencies: v.record(v.string(), v.string()) })
const { bin, exports, dependencies } = v.parse(Package, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

/** The sources behind the doors and the command; a door with a star is one for every folder that has the file. */
const sources = [...Object.values(bin), ...Object.values(exports).map((door) => (typeof door === 'string' ? door : door.default))]
  .filter((built) => built.endsWith('.js'))
  .flatMap((built) => globSync(built.replace(/^(?:\.\/)?dist\//, '').replace(/\.js$/, '.ts'), { cwd: root }))

/**
 * What is loaded together: a module, with everything that it imports and no bundle before it has. A browser gets the first;
 * a website the first two; a mount all of them, the last one when it boots.
 */
const bundles = {
  live: 'plugins/site/live-preview.ts',
  site: 'config/site.ts',
  mount: 'config/index.ts',
  plugins: 'config/builtin-plugins.ts',
}

rmSync(outDir, { recursive: true, force: true })
await build({
  cwd: root,
  input: Object.fromEntries(sources.map((source) => [source.replace(/\.ts$/, ''), source])),
  platform: 'node',
  transform: { target: 'node22' },
  external: (specifier) => Object.keys(dependencies).some((name) => specifier === name || specifier.startsWith(`${name}/`)),
  output: {
    dir: outDir,
    format: 'esm',
    chunkFileNames: 'shared/[name]-[hash].js',
    codeSplitting: {
      groups: Object.entries(bundles).map(([name, source], at) => ({ name, test: (id) => id === join(root, source), priority: Object.keys(bundles).length - at })),
    },
    comments: false,
    sourcemap: true,
  },
  logLevel: 'warn',
})
const types = ['-p', join(root, 'config/tsconfig.build.json'), '--outDir', outDir]
const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), types, { stdio: 'inherit', shell: process.platform === 'win32' })
process.exitCode = status ?? 1
