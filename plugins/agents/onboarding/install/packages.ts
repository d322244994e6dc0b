import * as v from 'valibot'
import { SiteFilesError } from '../../scaffold/port.ts'

const Names = v.optional(v.record(v.string(), v.string()), {})
const groups = {
  dependencies: Names,
  devDependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
}
const anything = v.optional(v.unknown())
const Manifest = v.object({ ...groups, overrides: anything, resolutions: anything, workspaces: anything })
const Locked = v.object({
  ...groups,
  version: v.optional(v.string(), ''),
  resolved: v.optional(v.union([v.string(), v.boolean()])),
  link: v.optional(v.boolean()),
})
/** Version 1 of the lock file has no list of packages. */
const Lock = v.object({ packages: v.optional(v.record(v.string(), Locked), {}), dependencies: anything })

/** Where packages may come from. */
interface PackageSource {
  /** The address of the registry, without a slash at the end. */
  readonly registry: string
  /** This package, whose version the operator chose. */
  readonly own: { readonly name: string; readonly spec: string }
}

/** A version range, a tag, or another name in the registry. */
const isRegistrySpec = (spec: string): boolean =>
  /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+(?:@|$))?[\w.+~^<>=|* -]*$/.test(spec) &&
  !/^\.|@\.|\.(?:tgz|tar|tar\.gz)$/i.test(spec)

const isName = (name: string): boolean => /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/.test(name)

/**
 * Returns the packages that a site asks for, as `name@version`. Throws a SiteFilesError if its package.json or
 * package-lock.json names anything but packages of the registry, which could run programs when installed.
 */
export function registryPackages(
  manifest: string,
  lock: string | undefined,
  source: PackageSource,
): string[] {
  const { own } = source
  const check = (file: string, name: string, spec: string): void => {
    const isOwn = name === own.name && spec === own.spec
    if (!isName(name) || (!isRegistrySpec(spec) && !isOwn)) throw foreign(file, name, spec)
  }
  const checkAll = (file: string, named: v.InferOutput<typeof Manifest | typeof Locked>): string[] =>
    [named.dependencies, named.devDependencies, named.optionalDependencies, named.peerDependencies]
      .flatMap((group) => Object.entries(group))
      .map(([name, spec]) => {
        check(file, name, spec)
        return `${name}@${spec}`
      })
  const checkNested = (name: string, value: unknown): void => {
    if (typeof value === 'string' && !/^\$[\w@/.-]+$/.test(value)) check('package.json', name, value)
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) checkNested(key, each)
  }

  const site = readJsonFile('package.json', Manifest, manifest)
  if (site.workspaces !== undefined)
    throw new SiteFilesError(
      'package.json has workspaces, which cannot be installed here; install the packages yourself',
    )
  const wanted = checkAll('package.json', site)
  checkNested('overrides', site.overrides)
  checkNested('resolutions', site.resolutions)
  const { packages, dependencies } = readJsonFile('package-lock.json', Lock, lock ?? '{}')
  if (Object.keys(packages).length === 0 && dependencies !== undefined)
    throw new SiteFilesError('package-lock.json has an old format; update it with npm install and try again')
  for (const [path, locked] of Object.entries(packages)) {
    checkAll('package-lock.json', locked)
    if (path !== '') checkLocked(path, locked, source, check)
  }
  return [...new Set(wanted)].toSorted()
}

/** Checks where a package of the lock file comes from. */
function checkLocked(
  path: string,
  { link, version, resolved }: v.InferOutput<typeof Locked>,
  { registry, own }: PackageSource,
  check: (file: string, name: string, spec: string) => void,
): void {
  const file = 'package-lock.json'
  if (link || !/^node_modules\/(?!.*\.\.)/.test(path)) throw foreign(file, path, 'link')
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const isOwnFile = name === own.name && own.spec.startsWith('file:')
  if (!isOwnFile) check(file, name, version)
  const from = [`${registry}/`, 'https://registry.npmjs.org/', ...(isOwnFile ? ['file:'] : [])]
  if (typeof resolved === 'string' && !from.some((start) => resolved.startsWith(start)))
    throw foreign(file, name, resolved)
}

function readJsonFile<S extends v.GenericSchema>(file: string, schema: S, text: string): v.InferOutput<S> {
  const { success, output, issues } = v.safeParse(
    v.pipe(v.string(), v.parseJson(), schema),
    text.replace(/^\uFEFF/, ''),
  )
  if (!success) throw new SiteFilesError(`${file} is invalid: ${issues[0].message}; fix it and try again`)
  return output
}

const foreign = (file: string, name: string, spec: string): SiteFilesError =>
  new SiteFilesError(
    `${file} has ${JSON.stringify(name.slice(0, 200))} from ${JSON.stringify(spec.slice(0, 200))}; only packages of the registry are installed, so replace it by a version`,
  )
