import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { toTitle } from '../../../plugins/sites/names.ts'
import { toSiteId } from '../../../plugins/sites/site-id.ts'
import type { Environment } from '../../env.ts'
import { isMissing, messageOf } from '../../explain.ts'
import { isObject } from '../../values.ts'
import { CommandError } from '../shared/command.ts'

/** What the package.json of a website says; each may be missing. */
export interface PackageFacts {
  readonly name?: string
  readonly siteId?: string
  /** The port in its script `dev`, else the default of a framework that has another one than most. */
  readonly port?: number
}

const text = v.fallback(v.optional(v.string()), undefined)
const names = v.optional(v.fallback(v.record(v.string(), v.unknown()), {}), {})
const Package = v.pipe(
  v.custom<object>(isObject),
  v.object({
    name: text,
    scripts: v.fallback(v.optional(v.object({ dev: text })), undefined),
    dependencies: names,
    devDependencies: names,
  }),
)

/** Reads the package.json of a folder; `{}` where there is none. Throws a CommandError for an invalid one, and for a path that is not a folder. */
export async function readPackage(folder: string): Promise<PackageFacts> {
  const isFolder = await stat(folder).then((found) => found.isDirectory(), () => false)
  if (!isFolder) throw new CommandError(`${folder} is not a folder; name the one of the site with --cwd`)
  const file = join(folder, 'package.json')
  let content: string
  try {
    content = await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error, file)) return {}
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}`)
  }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Package), content.replace(/^\uFEFF/, ''))
  if (!parsed.success) throw new CommandError(`${file} is not a JSON object; fix it, or name another folder with --cwd`)
  const { name, scripts, dependencies, devDependencies } = parsed.output
  const siteId = toSiteId(name ?? '')
  const port = portIn(scripts?.dev ?? '') ?? ('astro' in { ...dependencies, ...devDependencies } ? 4321 : undefined)
  return { ...(siteId && { name: toTitle(siteId), siteId }), ...(port !== undefined && { port }) }
}

/** The port in a command such as `next dev -p 3001`. */
function portIn(script: string): number | undefined {
  const words = script.replaceAll(/\s+/g, ' ')
  const port = Number(/(?:^|\s)(?:-p|--port)[\s=]["']?(\d{1,5})(?!\S*[\w.])/.exec(words)?.[1])
  return port >= 1 && port <= 65_535 ? port : undefined
}

/** True when git would commit this file; false without git and outside of a repository. */
export async function isSeenByGit(file: string, env: Environment): Promise<boolean> {
  // Git sees only where programs are, and what its user ignores everywhere.
  const bare = Object.fromEntries(['PATH', 'HOME'].flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  // A repository may configure a program that watches its files, which must not be run.
  const args = ['-c', 'core.fsmonitor=false', 'check-ignore', '--quiet', '--', basename(file)]
  try {
    await promisify(execFile)('git', args, { cwd: dirname(file), env: bare, timeout: 5_000 })
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 1
  }
}
