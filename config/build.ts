/**
 * Builds the package into `dist`, or into the folder that is named: `npm run build`.
 *
 * A few hundred small modules take longer to find than to run, so every door and the command are bundled into modules that share
 * what they have in common. Outside packages stay outside. Types lie beside them, one file for each source.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import * as v from 'valibot'

const root = fileURLToPath(new URL('..', import.meta.url))
const outDir = resolve(process.argv[2] ?? join(root, 'dist'))

const Door = v.union([v.string(), v.object({ default: v.string() })])
const Package = v.object({ bin: v.record(v.string(), v.string()), exports: v.record(v.string(), Door) })
const { bin, exports } = v.parse(Package, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

/** The sources behind the doors and the command; a door with a star is one for every folder that has the file. */
const sources = [...Object.values(bin), ...Object.values(exports).map((door) => (typeof door === 'string' ? door : door.default))]
  .filter((built) => built.endsWith('.js'))
  .flatMap((built) => globSync(built.replace(/^(?:\.\/)?dist\//, '').replace(/\.js$/, '.ts'), { cwd: root }))

rmSync(outDir, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: sources,
  outbase: root,
  outdir: outDir,
  chunkNames: 'shared/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
})
const types = ['-p', join(root, 'config/tsconfig.build.json'), '--outDir', outDir]
const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), types, { stdio: 'inherit', shell: process.platform === 'win32' })
process.exitCode = status ?? 1
