import { existsSync, readFileSync } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { isMissing, messageOf } from '../../../kernel/index.ts'

/** A problem with the files of a website; the message names the file and the remedy. */
export class SiteFilesError extends Error {
  override readonly name = 'SiteFilesError'
}

const Names = v.optional(v.record(v.string(), v.unknown()), {})
const Package = v.object(
  {
    name: v.optional(v.string('name is not a string')),
    type: v.optional(v.unknown()),
    dependencies: Names,
    devDependencies: Names,
    scripts: Names,
  },
  'it is not an object',
)

export interface Project {
  /** The path without links. */
  readonly folder: string
  readonly name: string | undefined
  /** The version range of each dependency, such as `^16.0.0`. */
  readonly dependencies: ReadonlyMap<string, string>
  readonly scripts: Readonly<Record<string, unknown>>
  /** Its language, as a file extension. */
  readonly code: 'ts' | 'js'
  /** True without a package.json: a folder of files for browsers. */
  readonly isBare: boolean
  /** True if its package.json makes .js files CommonJS. */
  readonly isCommonJs: boolean
  /** True if a path exists in the project folder. */
  has(path: string): boolean
  /** The text of a file, or nothing. */
  read(path: string): string
}

/** Reads the project in a folder. Throws a SiteFilesError if the folder is not a package, unless it may be bare. */
export async function readProject(given: string, { mayBeBare = false } = {}): Promise<Project> {
  const isFolder = await stat(given).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder)
    throw new SiteFilesError(`${given} is not a folder; pass the folder of the website with --cwd`)
  const folder = await realpath(given)
  const has = (path: string): boolean => existsSync(join(folder, path))
  const isBare = mayBeBare && !has('package.json')
  const { name, type, dependencies, devDependencies, scripts } = isBare
    ? v.parse(Package, {})
    : await readPackage(join(folder, 'package.json'))
  return {
    folder,
    name,
    dependencies: new Map(
      Object.entries({ ...devDependencies, ...dependencies }).map(([each, range]) => [each, String(range)]),
    ),
    scripts,
    code: has('tsconfig.json') && !isBare ? 'ts' : 'js',
    isBare,
    isCommonJs: type === 'commonjs',
    has,
    read: (path) => (has(path) ? readFileSync(join(folder, path), 'utf8') : ''),
  }
}

async function readPackage(file: string): Promise<v.InferOutput<typeof Package>> {
  try {
    // Some editors start files with a byte order mark, which is not valid JSON.
    return v.parse(Package, JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, '')))
  } catch (error) {
    if (isMissing(error, file)) {
      throw new SiteFilesError(
        `${file} does not exist; run the command in the folder of the website, or pass it with --cwd`,
        { cause: error },
      )
    }
    throw new SiteFilesError(`${file} is invalid: ${messageOf(error)}; fix it and try again`, {
      cause: error,
    })
  }
}
