import { execFile, type ExecFileOptions } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { pathOf } from '../surface/doors.ts'

/** The Node of this project first, as `npm run` and `npx` have it. */
export const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` }

/** A command without NODE_OPTIONS, by which the test runner would instrument it. */
export const alone = (command: string, args: readonly string[]): readonly [string, readonly string[]] => [
  'env',
  ['-u', 'NODE_OPTIONS', command, ...args],
]

/** Runs a command to its end. */
export const run = (
  command: string,
  args: readonly string[],
  options: Pick<ExecFileOptions, 'cwd' | 'env'> = {},
) =>
  promisify(execFile)(...alone(command, args), {
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  })

/** Builds the package into a new folder and leaves the project folder unchanged. */
export async function buildPackage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await run(process.execPath, [pathOf('config/build.ts'), join(folder, 'dist')])
  const { files } = v.parse(
    v.object({ files: v.array(v.string()) }),
    JSON.parse(readFileSync(pathOf('package.json'), 'utf8')),
  )
  const included = globSync(['package.json', 'README.md', 'LICENSE', ...files], {
    cwd: pathOf('.'),
    exclude: ['dist'],
  })
  for (const file of included) await cp(pathOf(file), join(folder, file), { recursive: true })
}

const Packed = v.tuple([v.object({ filename: v.string(), files: v.array(v.object({ path: v.string() })) })])

/** Builds and packs the package in a new folder; returns the path of the archive and the paths in it. */
export async function packPackage(
  folder: string,
): Promise<{ readonly archive: string; readonly files: readonly string[] }> {
  await buildPackage(folder)
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json'], { cwd: folder })
  const [{ filename, files }] = v.parse(Packed, JSON.parse(stdout))
  return { archive: join(folder, filename), files: files.map(({ path }) => path) }
}

/** Makes a `node_modules` with the built package in it, and links to everything that this project has installed. */
export async function installBuilt(nodeModules: string): Promise<void> {
  await buildPackage(join(nodeModules, 'content-orchestrator'))
  for (const name of await readdir(pathOf('node_modules'))) {
    if (!name.startsWith('.')) await symlink(pathOf(`node_modules/${name}`), join(nodeModules, name))
  }
}
