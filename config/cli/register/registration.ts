import { spawnSync } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { defaultSession } from '../../../plugins/scope/port.ts'
import {
  frameworkOf,
  type OwnPages,
  ownPages,
  readEnvFile,
  readProject,
  SiteFilesError,
  variablesIn,
} from '../../../plugins/agents/scaffold/port.ts'
import { isSiteId, siteIdRule, toSiteId, toTitle } from '../../../plugins/sites/port.ts'
import type { Environment } from '../../env.ts'
import { isMissing, messageOf } from '../../explain.ts'
import { draftSecretIn, orchestratorAddress } from '../../site-environment.ts'
import { publicPrefixes, publicPrefixOf } from '../../public-prefix.ts'
import { isObject, toAddress, toOrigin } from '../../values.ts'
import { CommandError, UsageError, type Flag, type GivenFlags, type Io } from '../shared/command.ts'

/** The flags of a registration. */
export const registrationFlags = {
  name: {
    value: 'NAME',
    help: 'The display name; the one in .env.local, else made from the name in package.json.',
  },
  id: { value: 'ID', help: 'The site id; the one in .env.local, else made from the name in package.json.' },
  port: {
    value: 'PORT',
    help: 'The port of the site; the one in the script dev, else 4321 for Astro and 3000 for others.',
  },
  'preview-url': { value: 'URL', help: 'The address of the site; http://localhost:PORT without it.' },
  purpose: { value: 'TEXT', help: 'What the site is for.' },
  session: { value: 'SESSION', help: `The session to register in; ${defaultSession} without it.` },
  secret: {
    value: 'SECRET',
    help: 'The secret of the draft mode of this site, which the orchestrator stores sealed; DRAFT_MODE_SECRET in .env.local, else in the environment, else a new one.',
  },
  orchestrator: { value: 'URL', help: 'The orchestrator; ORCHESTRATOR_URL, else http://localhost:4200.' },
  'orchestrator-url': { value: 'URL', help: 'The same as --orchestrator.' },
  'access-token': { value: 'TOKEN', help: 'The access token; ORCHESTRATOR_ACCESS_TOKEN without it.' },
  'editor-origin': {
    value: 'ORIGIN',
    help: 'The origin of the editor; that of the orchestrator, which has the studio, without it.',
  },
  cwd: { value: 'FOLDER', help: 'The folder of the site; the working directory without it.' },
} as const satisfies Readonly<Record<string, Flag>>
type RegistrationFlag = keyof typeof registrationFlags

const addressExpected = 'an address such as http://localhost:4200, without a login or query'

/** Parses the flags, completed by environment and package.json. Throws a UsageError or CommandError. */
export async function readRegistration(given: GivenFlags<RegistrationFlag>, io: Io) {
  // Never repeats an invalid value, which may be a secret.
  const read = <T>(
    flag: RegistrationFlag,
    expected: string,
    parse: (text: string) => T | undefined,
  ): T | undefined => {
    const text = given.get(flag)?.trim()
    const value = text === undefined ? undefined : parse(text)
    if (text !== undefined && value === undefined) throw new UsageError(`'--${flag}' expects ${expected}`)
    return value
  }
  const orchestrators = [
    read('orchestrator', addressExpected, toServer),
    read('orchestrator-url', addressExpected, toServer),
  ]
  const flags = {
    port: read('port', 'a port number from 1 to 65535', toPort),
    previewUrl: read('preview-url', 'an origin such as http://localhost:3000, without a path', toOrigin),
    editorOrigin: read('editor-origin', 'an origin such as https://edit.example.com', toOrigin),
    folder: read('cwd', 'a folder', oneLine),
    name: read('name', 'a name of one line', oneLine),
    siteId: read('id', 'a site id', oneLine),
    purpose: read('purpose', 'a text of one line', oneLine),
    session: read('session', 'a session such as dev', oneLine),
    secret: read('secret', 'a secret of one line', oneLine),
    token: read('access-token', 'a token', oneLine),
  }
  const folder = resolve(io.cwd, flags.folder ?? '')
  const facts = await readPackage(folder)
  const env = io.environment()
  const before = await readBefore(folder)
  const name = flags.name ?? before.name ?? facts.name
  if (name === undefined) throw new CommandError(`${folder} has no package.json with a name; pass --name`)
  const siteId = flags.siteId ?? before.siteId ?? facts.siteId ?? toSiteId(name)
  if (!isSiteId(siteId)) throw new CommandError(`'${siteId}' is not a site id; pass --id with ${siteIdRule}`)
  const port = flags.port ?? facts.port
  const orchestrator =
    orchestrators.find((address) => address !== undefined) ?? toServer(orchestratorAddress(env).trim())
  if (orchestrator === undefined) throw new CommandError(`ORCHESTRATOR_URL: expected ${addressExpected}`)
  return {
    ...flags,
    folder,
    name,
    siteId,
    port,
    previewUrl: flags.previewUrl ?? `http://localhost:${port}`,
    session: flags.session ?? defaultSession,
    orchestrator,
    editorOrigin: flags.editorOrigin ?? new URL(orchestrator).origin,
    sharedSecret: draftSecretIn(env),
    token: flags.token ?? env['ORCHESTRATOR_ACCESS_TOKEN'],
    timeoutMs: io.timeoutMs ?? 10_000,
    own: await readOwnPages(folder),
    publicPrefix: facts.prefix,
  }
}

export type Registration = Awaited<ReturnType<typeof readRegistration>>

/** Finds the pages that the website makes itself; none in a folder that is not one of a known framework. */
async function readOwnPages(folder: string): Promise<OwnPages> {
  try {
    const project = await readProject(folder, { mayBeBare: true })
    return ownPages(project, frameworkOf(project).name)
  } catch (error) {
    // A registration needs less of package.json than the files of a framework do.
    if (error instanceof SiteFilesError) return {}
    throw error
  }
}

const oneLine = (text: string): string | undefined =>
  text === '' || /\p{Cc}/u.test(text) || !text.isWellFormed() ? undefined : text

const toServer = (text: string): string | undefined => toAddress(oneLine(text) ?? '')

const toPort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535 ? Number(text) : undefined

/** Reads what an earlier registration of the folder has written; a site keeps its id and its name. */
async function readBefore(folder: string): Promise<{ siteId?: string; name?: string | undefined }> {
  const variables = variablesIn(await readEnvFile(join(folder, '.env.local')))
  for (const prefix of publicPrefixes) {
    const siteId = variables.get(`${prefix}DEFAULT_SITE_ID`)?.trim()
    if (siteId === undefined || !isSiteId(siteId)) continue
    return { siteId, name: oneLine(variables.get(`${prefix}SITE_NAME`)?.trim() ?? '') }
  }
  return {}
}

/** Reads facts from package.json, if any. Throws a CommandError if it is invalid, or without a folder. */
async function readPackage(folder: string) {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new CommandError(`${folder} is not a folder; name the one of the site with --cwd`)
  const file = join(folder, 'package.json')
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error, file)) return '{}'
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}`)
  })
  const { success, output } = v.safeParse(Package, text.replace(/^\uFEFF/, ''))
  const remedy = 'fix it, or name another folder with --cwd'
  if (!success) throw new CommandError(`${file} is not a JSON object; ${remedy}`)
  const { name, scripts, dependencies, devDependencies } = output
  const siteId = toSiteId(name) || undefined
  const framework = 'astro' in dependencies || 'astro' in devDependencies ? 4321 : 3000
  const prefix = publicPrefixOf({ ...devDependencies, ...dependencies })
  // For example `next dev -p 3001`.
  const [, port = ''] = /(?:^|\s)(?:-p|--port)(?:\s+|=)["']?(\d{1,5})(?!\S*[\w.])/.exec(scripts.dev) ?? []
  return { name: siteId && toTitle(siteId), siteId, port: toPort(port) ?? framework, prefix }
}

const Text = v.fallback(v.string(), '')
const Names = v.fallback(v.record(v.string(), v.unknown()), {})
const Package = v.pipe(
  v.string(),
  v.parseJson(),
  v.custom<object>(isObject),
  v.object({
    name: v.optional(Text, ''),
    scripts: v.optional(v.fallback(v.object({ dev: v.optional(Text, '') }), { dev: '' }), {}),
    dependencies: v.optional(Names, {}),
    devDependencies: v.optional(Names, {}),
  }),
)

/** True if git would commit this file; false without git and outside of a repository. */
export function isSeenByGit(file: string, { PATH, HOME }: Environment): boolean {
  // A repository may configure a program that watches its files, which must not run.
  const args = ['-c', 'core.fsmonitor=false', 'check-ignore', '--quiet', '--', basename(file)]
  // Passes only PATH and the location of the global ignore file to git.
  return spawnSync('git', args, { cwd: dirname(file), env: { PATH, HOME }, timeout: 5_000 }).status === 1
}
