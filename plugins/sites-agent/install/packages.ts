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
  version: v.optional(v.string()),
  resolved: v.optional(v.union([v.string(), v.boolean()])),
  link: v.optional(v.boolean()),
})
/** An entry of the first version of the lock file, which nests them. */
const Old = v.object({
  version: v.optional(v.string()),
  resolved: v.optional(v.union([v.string(), v.boolean()])),
  dependencies: anything,
})
const Lock = v.object({
  packages: v.optional(v.record(v.string(), Locked), {}),
  dependencies: v.optional(v.record(v.string(), Old), {}),
})

/** Where packages may come from. */
export interface Source {
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
  { registry, own }: Source,
): readonly string[] {
  const hosts = [`${registry}/`, 'https://registry.npmjs.org/']
  const isOwn = (name: string, spec: string): boolean => name === own.name && spec === own.spec
  const check = (file: string, name: string, spec: string): void => {
    if (!isName(name) || (!isRegistrySpec(spec) && !isOwn(name, spec))) throw foreign(file, name, spec)
  }
  const checkAll = (
    file: string,
    named: v.InferOutput<typeof Locked> | v.InferOutput<typeof Manifest>,
  ): readonly string[] =>
    [named.dependencies, named.devDependencies, named.optionalDependencies, named.peerDependencies].flatMap(
      (group) =>
        Object.entries(group).map(([name, spec]) => {
          check(file, name, spec)
          return `${name}@${spec}`
        }),
    )
  const checkNested = (name: string, value: unknown): void => {
    if (typeof value === 'string' && !/^\$[\w@/.-]+$/.test(value)) check('package.json', name, value)
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) checkNested(key, each)
  }
  const checkResolved = (name: string, resolved: string | boolean | undefined): void => {
    if (typeof resolved !== 'string' || hosts.some((host) => resolved.startsWith(host))) return
    if (name !== own.name || !own.spec.startsWith('file:') || !resolved.startsWith('file:'))
      throw foreign('package-lock.json', name, resolved)
  }
  const checkOld = (entries: unknown): void => {
    for (const [name, { version = '', resolved, dependencies }] of Object.entries(
      v.parse(Lock.entries.dependencies, entries),
    )) {
      check('package-lock.json', name, version)
      checkResolved(name, resolved)
      if (dependencies !== undefined) checkOld(dependencies)
    }
  }

  const site = read('package.json', Manifest, manifest)
  if (site.workspaces !== undefined)
    throw new SiteFilesError(
      'package.json has workspaces, which cannot be installed here; install the packages yourself',
    )
  const wanted = checkAll('package.json', site)
  checkNested('overrides', site.overrides)
  checkNested('resolutions', site.resolutions)
  if (lock !== undefined) {
    const { packages, dependencies } = read('package-lock.json', Lock, lock)
    for (const [path, locked] of Object.entries(packages)) {
      checkAll('package-lock.json', locked)
      if (path === '') continue
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      if (locked.link || !/^node_modules\/(?!.*\.\.)/.test(path))
        throw foreign('package-lock.json', path, 'link')
      if (!(name === own.name && own.spec.startsWith('file:')))
        check('package-lock.json', name, locked.version ?? '')
      checkResolved(name, locked.resolved)
    }
    if (Object.keys(packages).length === 0) checkOld(dependencies)
  }
  return [...new Set(wanted)].toSorted()
}

function read<S extends v.GenericSchema>(file: string, schema: S, text: string): v.InferOutput<S> {
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
