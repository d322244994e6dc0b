import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readProject } from '../agents/scaffold/port.ts'
import { type DevFramework, frameworks, npm, type Runner, runners } from './frameworks.ts'

/** The folder of a website, and how its own development server is started. */
export interface DevProject {
  /** The path without links. */
  readonly folder: string
  /** The folder with the packages: the website's own, or one above it that has those of several packages. */
  readonly root: string
  readonly name: string
  /** Such as `astro`; `undefined` if none was recognised. */
  readonly framework: string | undefined
  /** The program that runs its scripts, by its lock file. */
  readonly runner: Runner['name']
  /** The command of the development server, for a shell in the folder; `{port}` stands for its port. */
  readonly command: string | undefined
  /** Why the server cannot be started yet, with the command that helps. */
  readonly missing?: string
}

/**
 * Finds out how the development server of a website is started: by `dev` of its scripts, else by the script or
 * the command of its framework, on the port of a flag or of `PORT`. `command` is used instead of what is found;
 * `{p}` or `{port}` in it stands for the port. Throws if the folder or its package.json cannot be read.
 */
export async function findProject(
  given: string,
  { command }: { readonly command?: string | undefined } = {},
): Promise<DevProject> {
  const { folder, name, dependencies, scripts, isBare } = await readProject(given, { mayBeBare: true })
  const files = await readdir(folder)
  const framework = frameworks.find((each) =>
    each.package === undefined ? files.some((file) => each.file?.test(file)) : dependencies.has(each.package),
  )
  const above = foldersAbove(folder)
  const root = above.find((each) => hasPackages(each, framework))
  const runner = runnerOf(above)
  const found = command?.replaceAll('{p}', '{port}') ?? commandOf(runner, scripts, framework)
  const missing = missingOf({
    folder,
    isBare,
    hasCommand: found !== undefined,
    lacksPackages: dependencies.size > 0 && root === undefined,
    install: `${runner.name} install`,
  })
  return {
    folder,
    root: root ?? folder,
    name: name ?? basename(folder),
    framework: framework?.name,
    runner: runner.name,
    command: found,
    ...(missing !== undefined && { missing }),
  }
}

/** The folder, and those above it in its repository; outside of one there are none above. */
function foldersAbove(folder: string): readonly string[] {
  const folders = [folder]
  for (let at = folder; !existsSync(join(at, '.git')); folders.push(at)) {
    if (at === dirname(at)) return [folder]
    at = dirname(at)
  }
  return folders
}

const hasPackages = (folder: string, framework: DevFramework | undefined): boolean =>
  existsSync(join(folder, 'node_modules', framework?.package ?? ''))

function runnerOf(folders: readonly string[]): Runner {
  for (const folder of folders)
    for (const runner of runners)
      if (runner.locks.some((lock) => existsSync(join(folder, lock)))) return runner
  return npm
}

/** Returns the command of a project: a script, or that of its framework. */
function commandOf(
  { name, separator }: Runner,
  scripts: Readonly<Record<string, unknown>>,
  framework: DevFramework | undefined,
): string | undefined {
  const texts = new Map(
    Object.entries(scripts).flatMap(([each, text]) =>
      typeof text === 'string' && /^[\w:.@/-]+$/.test(each) ? [[each, text] as const] : [],
    ),
  )
  const starts = [...texts].find(([, text]) => framework?.script.test(text))?.[0]
  const script = texts.has('dev')
    ? 'dev'
    : (starts ?? ['start', 'develop', 'serve'].find((each) => texts.has(each)))
  if (script === undefined) return framework && `${framework.command} ${framework.flags}`.trim()
  const own = withPort(texts.get(script) ?? '', framework?.script)
  if (own !== undefined) return texts.has(`pre${script}`) ? `${name} run pre${script} && ${own}` : own
  const takesFlags = framework !== undefined && isLast(texts.get(script) ?? '', framework.script)
  const flags = takesFlags && framework.flags !== '' ? `${separator}${framework.flags}` : ''
  return `${name} run ${script}${flags}`
}

const namedPort = /(?<before>--port[ =]|\s-p[ =]?|\bPORT=)(?:\d{2,5}\b|\$PORT\b|\$\{PORT\b[^}]*\})/

/** Returns a script with `{port}` for the port that its server names: many programs do not start with two. */
function withPort(script: string, server: RegExp = namedPort): string | undefined {
  const parts = script.split(/([;&|"']+)/)
  const [own = '', another] = parts.filter((part) => server.test(part.trim()))
  if (own === '') return server === namedPort ? undefined : withPort(script)
  if (another !== undefined || !namedPort.test(own)) return undefined
  const moved = own.replace(namedPort, '$<before>{port}')
  return parts.map((part) => (part === own ? moved : part)).join('')
}

/** True if what is added to a script becomes arguments of a program: the last one, not in quotes. */
function isLast(script: string, program: RegExp): boolean {
  const last =
    script
      .split(/[;&|]+/)
      .at(-1)
      ?.trim() ?? ''
  return !/["']/.test(last) && program.test(last)
}

function missingOf(found: {
  readonly folder: string
  readonly isBare: boolean
  readonly hasCommand: boolean
  readonly lacksPackages: boolean
  readonly install: string
}): string | undefined {
  const { folder, isBare, hasCommand, lacksPackages, install } = found
  if (lacksPackages) return `The packages of ${folder} are not installed: run \`${install}\` there.`
  if (hasCommand) return undefined
  const what = isBare ? 'no package.json' : 'no script that starts a development server'
  return `${folder} has ${what}: name the command of its server, as in \`edit --command "hugo server -p {port}"\`.`
}
