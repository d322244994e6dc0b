import { existsSync } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'

/** What stands in the way of work on the files of a website; the sentence names the file and the remedy. */
export class SiteFilesError extends Error {
  override readonly name = 'SiteFilesError'
}

/** What went wrong, in one line. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [first = '', second = ''] = error.message.split('\n')
  return first.endsWith(':') ? `${first} ${second.trim()}` : first
}

/** True for the error that a missing file gives, asked about the file itself and none that it reads. */
export function isMissing(error: unknown, file: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ENOENT' &&
    'path' in error &&
    error.path === file
  )
}

const Names = v.optional(v.record(v.string(), v.unknown()), {})
const Package = v.object(
  {
    name: v.optional(v.string('name is not a text')),
    type: v.optional(v.unknown()),
    dependencies: Names,
    devDependencies: Names,
  },
  'it is not an object',
)

/** A website, as far as its files tell. */
export interface Project {
  /** Without links. */
  readonly folder: string
  readonly name: string | undefined
  /** What it asks for of each package that it depends on, such as `^16.0.0`. */
  readonly dependencies: ReadonlyMap<string, string>
  readonly isTypeScript: boolean
  /** Its package.json says that files ending in .js are no modules. */
  readonly isCommonJs: boolean
  /** True where there is something by this name, from its folder. */
  has(path: string): boolean
}

/** Looks at the website in a folder. Refuses, as a SiteFilesError, a folder that is none of a package. */
export async function readProject(given: string): Promise<Project> {
  const isFolder = await stat(given).then((found) => found.isDirectory(), () => false)
  if (!isFolder) throw new SiteFilesError(`${given} is not a folder; name that of the website with --cwd`)
  const folder = await realpath(given)
  const { name, type, dependencies, devDependencies } = await readPackage(join(folder, 'package.json'))
  const has = (path: string): boolean => existsSync(join(folder, path))
  return {
    folder,
    name,
    dependencies: new Map(Object.entries({ ...devDependencies, ...dependencies }).map(([each, range]) => [each, String(range)])),
    isTypeScript: has('tsconfig.json'),
    isCommonJs: type === 'commonjs',
    has,
  }
}

async function readPackage(file: string): Promise<v.InferOutput<typeof Package>> {
  try {
    // Editors on Windows like to begin a file with a byte order mark, which is no JSON.
    return v.parse(Package, JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, '')))
  } catch (error) {
    if (isMissing(error, file)) {
      throw new SiteFilesError(`there is no ${file}; go to the folder of the website, or name it with --cwd`, { cause: error })
    }
    throw new SiteFilesError(`${file} cannot be used: ${messageOf(error)}; mend it and try again`, { cause: error })
  }
}
