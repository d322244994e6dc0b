import { createHash } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandResult } from '../../../processes/port.ts'
import { guardPath, readGuarded, writeGuarded } from '../files/guard.ts'
import type { PackageManager } from '../install/analyze.ts'
import { registryPackages } from '../install/packages.ts'
import { Problem } from '../problem.ts'
import { agree, type SiteRun } from '../run/site-run.ts'

const installMs = 600_000
const mostBytes = 20 * 1024 * 1024
const lockOf = { npm: 'package-lock.json', pnpm: 'pnpm-lock.yaml', yarn: 'yarn.lock' } as const

/**
 * Variables for all package managers, and for those that they start. The values take precedence over settings
 * of a package, which may name programs: a git package has its own.
 */
const settings = {
  npm_config_ignore_scripts: 'true',
  npm_config_git: '/nonexistent',
  npm_config_script_shell: '/bin/sh',
}
const npmOptions = (isOwnFile: boolean): readonly string[] => [
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--no-workspaces',
  ...['git', 'remote', 'directory'].map((kind) => `--allow-${kind}=none`),
  `--allow-file=${isOwnFile ? 'root' : 'none'}`,
]

/**
 * Installs the packages of a site once a person has allowed it: from the registry, without their scripts, in a
 * folder with only its package.json and lock file. Refuses a site without package.json, and other sources.
 */
export async function runInstall(
  run: SiteRun,
  siteId: string,
  program: PackageManager,
  command = 'install',
): Promise<CommandResult> {
  const {
    workspace,
    copies,
    launcher,
    streamId: stream,
    signal,
    settings: { registry, packageSpec: spec },
  } = run
  const copy = await copies.folder(siteId)
  const lockFile = lockOf[program]
  const read = async (folder: string, path: string): Promise<string | undefined> => {
    const place = await guardPath(folder, path)
    return place.exists ? (await readGuarded(place, mostBytes)).toString('utf8') : undefined
  }
  const [manifest, lock] = [await read(copy, 'package.json'), await read(copy, lockFile)]
  if (manifest === undefined)
    throw new Problem('The site has no package.json, so there are no packages to install.')
  const names = registryPackages(manifest, program === 'npm' ? lock : undefined, {
    registry,
    own: { name: 'content-orchestrator', spec },
  })

  const keyOf = (locked: string | undefined): string =>
    `install ${siteId} ${createHash('sha256')
      .update(JSON.stringify([program, manifest, locked]))
      .digest('hex')}`
  const folder = await workspace.own('packages', siteId)
  const cache = await workspace.own('caches', siteId)
  for (const name of ['package.json', ...Object.values(lockOf)]) await rm(join(folder, name), { force: true })
  await writeGuarded(await guardPath(folder, 'package.json'), manifest)
  if (lock !== undefined) await writeGuarded(await guardPath(folder, lockFile), lock)
  const own = spec.startsWith('file:') ? [spec.slice('file:'.length)] : []
  const result = await launcher.launch({
    program,
    folder,
    stream,
    signal,
    tool: 'install',
    network: true,
    timeoutMs: installMs,
    writes: [cache],
    reads: own,
    args: [command, '--ignore-scripts', ...(program === 'npm' ? npmOptions(own.length > 0) : [])],
    variables: { ...settings, npm_config_registry: registry, npm_config_cache: cache },
    allow: (isBoxed) =>
      agree(run, {
        question: [
          `Install these packages for the site '${siteId}' from ${registry} with ${program}, without running their scripts?`,
          ...(program === 'npm' || lock === undefined
            ? []
            : [`${lockFile} can name other sources, and is not checked.`]),
          ...(isBoxed ? [] : ['It runs without a sandbox.']),
          ...names,
        ],
        key: keyOf(lock),
        header: 'Install',
        label: 'Install',
        what: 'The installation',
      }),
  })
  if (result.exitCode !== 0) return result
  const locked = await read(folder, lockFile)
  run.allowed.add(keyOf(locked))
  if (locked !== undefined && locked !== lock) await writeGuarded(await guardPath(copy, lockFile), locked)
  if (launcher.isolation === 'process') {
    const target = join(await copies.home(siteId), 'node_modules')
    await rm(target, { recursive: true, force: true })
    await rename(join(folder, 'node_modules'), target).catch(() => undefined)
  }
  return result
}

/** Installs the packages of a site like `runInstall`. Throws a Problem if that fails. */
export async function install(run: SiteRun, siteId: string, program: PackageManager): Promise<void> {
  run.begin('installing')
  const { exitCode, output, ended } = await runInstall(run, siteId, program)
  if (exitCode !== 0)
    throw new Problem(
      `The packages could not be installed: ${ended === 'exit' ? output.slice(-2_000) : ended}`,
    )
  run.outcome('installing', program)
}

/** Returns the folder of the packages that were installed for a site. */
export async function packagesOf({ workspace }: SiteRun, siteId: string): Promise<string> {
  const folder = join(await workspace.own('packages', siteId), 'node_modules')
  await mkdir(folder, { recursive: true })
  return folder
}
