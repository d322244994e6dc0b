import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defaultSession } from '../../../plugins/scope/port.ts'
import { CommandError, UsageError, type Flag, type Given } from '../shared/command.ts'
import type { Environment } from '../../env.ts'
import type { Io } from '../shared/io.ts'
import { orchestratorAddress } from '../../orchestrator-address.ts'
import { toOrigin } from '../../values.ts'
import { readPackage } from './package-facts.ts'
import { isSiteId, siteIdRule, toSiteId } from '../../../plugins/sites/site-id.ts'

/** The flags that say what is registered, and where. */
export const wishFlags = {
  name: { value: 'NAME', help: 'The name for people; the name in package.json without it.' },
  id: { value: 'ID', help: 'The site id; made from the name in package.json without it.' },
  port: { value: 'PORT', help: 'The port of the site; the one of the script dev, else 4321 for Astro and 3000 for others.' },
  'preview-url': { value: 'URL', help: 'Where the site is shown; http://localhost:PORT without it.' },
  purpose: { value: 'TEXT', help: 'What the site is for.' },
  session: { value: 'SESSION', help: `The session to register in; ${defaultSession} without it.` },
  secret: {
    value: 'SECRET',
    help: 'The secret of the draft mode; DRAFT_MODE_SECRET of .env.local, else a new one.',
  },
  orchestrator: { value: 'URL', help: 'The orchestrator; ORCHESTRATOR_URL, else http://localhost:4200.' },
  'orchestrator-url': { value: 'URL', help: 'The same as --orchestrator.' },
  'access-token': { value: 'TOKEN', help: 'The access token; ORCHESTRATOR_ACCESS_TOKEN without it.' },
  'editor-origin': { value: 'ORIGIN', help: 'Where the editor is; http://localhost:4100 without it.' },
  cwd: { value: 'FOLDER', help: 'The folder of the site; the working directory without it.' },
} as const satisfies Readonly<Record<string, Flag>>
type WishFlag = keyof typeof wishFlags

const addressExpected = 'an address such as http://localhost:4200, without a login and a query'

/** What is to be registered, and where. */
export interface Wishes {
  /** The folder of the site. */
  readonly folder: string
  readonly siteId: string
  readonly name: string
  readonly port: number
  readonly previewUrl: string
  readonly purpose: string | undefined
  readonly session: string
  /** The address of the orchestrator, without a slash at its end. */
  readonly orchestrator: string
  readonly editorOrigin: string
  /** The secret of the draft mode that was asked for; `undefined` leaves it to what is there. */
  readonly secret: string | undefined
  readonly token: string | undefined
}

/**
 * Reads the flags, and fills what they leave open from the environment and from package.json.
 *
 * Refuses as a UsageError a flag that makes no sense, before anything is read; as a CommandError what is
 * missing or wrong elsewhere.
 */
export async function readWishes(given: Given<WishFlag>, { cwd, environment }: Io): Promise<Wishes> {
  const addresses = (['orchestrator', 'orchestrator-url'] as const).map((flag) =>
    read(given, flag, addressExpected, toAddress),
  )
  const wanted = {
    port: read(given, 'port', 'a port number from 1 to 65535', toPort),
    previewUrl: read(given, 'preview-url', 'an origin such as http://localhost:3000, without a path', toOrigin),
    orchestrator: addresses.find((address) => address !== undefined),
    editorOrigin: read(given, 'editor-origin', 'an origin such as http://localhost:4100', toOrigin),
    ...textsOf(given),
  }
  const folder = resolve(cwd, wanted.folder ?? '')
  if (!(await isFolder(folder))) {
    throw new CommandError(`${folder} is not a folder; name the one of the site with --cwd`)
  }
  const facts = await readPackage(folder)
  const name = wanted.name ?? facts.name
  if (name === undefined) throw new CommandError(`${folder} has no package.json with a name; pass --name`)
  const siteId = wanted.siteId ?? facts.siteId ?? toSiteId(name)
  if (!isSiteId(siteId)) throw new CommandError(`'${siteId}' is not a site id; pass --id with ${siteIdRule}`)
  const port = wanted.port ?? facts.port ?? 3000
  const env = environment()
  return {
    ...wanted,
    folder,
    name,
    siteId,
    port,
    previewUrl: wanted.previewUrl ?? `http://localhost:${port}`,
    session: wanted.session ?? defaultSession,
    orchestrator: wanted.orchestrator ?? orchestratorOf(env),
    editorOrigin: wanted.editorOrigin ?? 'http://localhost:4100',
    token: wanted.token ?? env['ORCHESTRATOR_ACCESS_TOKEN'],
  }
}

const textsOf = (given: Given<WishFlag>) => ({
  folder: read(given, 'cwd', 'a folder'),
  name: read(given, 'name', 'a name of one line'),
  siteId: read(given, 'id', 'a site id'),
  purpose: read(given, 'purpose', 'a text of one line'),
  session: read(given, 'session', 'a session such as dev'),
  secret: read(given, 'secret', 'a secret of one line'),
  token: read(given, 'access-token', 'a token'),
})

const oneLine = (text: string): string | undefined =>
  text === '' || /\p{Cc}/u.test(text) || !text.isWellFormed() ? undefined : text

/** The value of a flag; what it was given is not told again, because it may be a secret. */
function read(given: Given<WishFlag>, flag: WishFlag, expected: string): string | undefined
function read<T>(
  given: Given<WishFlag>,
  flag: WishFlag,
  expected: string,
  to: (text: string) => T | undefined,
): T | undefined
function read(
  given: Given<WishFlag>,
  flag: WishFlag,
  expected: string,
  to: (text: string) => unknown = oneLine,
): unknown {
  const text = given.text(flag)?.trim()
  const value = text === undefined ? undefined : to(text)
  if (text !== undefined && value === undefined) throw new UsageError(`'--${flag}' expects ${expected}`)
  return value
}

const toPort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535 ? Number(text) : undefined

/** An http or https address without a login, as it was written. */
const toWebAddress = (text: string): string | undefined => {
  const url = URL.parse(text)
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol)
  return isWeb && url.username === '' && url.password === '' ? oneLine(text) : undefined
}

const toAddress = (text: string): string | undefined => {
  const url = URL.parse(toWebAddress(text) ?? '')
  return url?.search === '' && url.hash === '' ? url.href.replace(/(?<!\/)\/+$/, '') : undefined
}

function orchestratorOf(env: Environment): string {
  const address = toAddress(orchestratorAddress(env).trim())
  if (address === undefined) throw new CommandError(`ORCHESTRATOR_URL: expected ${addressExpected}`)
  return address
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true
