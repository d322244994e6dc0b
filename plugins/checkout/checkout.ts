import { createHash } from 'node:crypto'
import { lstat, mkdir } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../kernel/index.ts'
import { endLeftovers, ownerOf } from '../processes/port.ts'
import { openCopy } from './copy.ts'
import { createServerLog, type DevServer, DevServerError, startServer } from './dev-server.ts'
import type { ListingGit } from './listing.ts'
import type { DraftFile } from './places.ts'
import type { DevProject } from './project.ts'

export interface CheckoutOptions {
  /** All variables that the development server may have, such as those of a shell, without secrets of the service. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Lists the files of the project; without it all files but packages are copied. */
  readonly git?: ListingGit
  /** The folder of the checkout; default: one beside the repository, else one for temporary files. */
  readonly place?: string
  /** Tells the checkouts of one project apart in the default place. */
  readonly name?: string
  /** The port of the development server; default: a free one. */
  readonly port?: number
  /** Whether `follow` leaves a file to the draft, by its path below the root of the project. */
  readonly isContent?: (path: string) => boolean
  /** Whether git is at work in the repository, of which `follow` copies no file then. */
  readonly isBusy?: () => Promise<boolean>
}

/** A copy of a website in which its development server shows a draft. */
export interface Checkout {
  /** The folder of the website in the copy. */
  readonly folder: string
  /** The origin of the development server; `undefined` unless it runs. */
  readonly origin: string | undefined
  /** The path of its home page. */
  readonly home: string
  /**
   * Writes files of the draft, each completely or not at all, and those only that differ. Rejects if a path
   * leads out of the folder; then nothing is written.
   */
  write(files: readonly DraftFile[]): Promise<void>
  /**
   * Copies the files of the repository that differ from the last copy, but what was written here and what is
   * content. Returns their paths below the root of the project.
   */
  follow(): Promise<readonly string[]>
  /** Starts the development server, and resolves once it answers. Rejects with a DevServerError if it does not. */
  start(signal: AbortSignal): Promise<void>
  /** Resolves when the development server that runs has ended, at once if none does. */
  ended(): Promise<void>
  /** The last lines of the development server. */
  log(): readonly string[]
  /** Ends the development server with all that it has started. The folder stays, for the next time. */
  close(): Promise<void>
}

/**
 * Copies a website into a folder outside of its repository, or brings the copy of the last time up to date: then
 * it is as the repository, without what a draft wrote. Ends what a killed service left running there.
 */
export async function openCheckout(project: DevProject, options: CheckoutOptions): Promise<Checkout> {
  const { env, git, port, name = 'draft', isContent = () => false, isBusy = async () => false } = options
  const place = await openPlace(project, name, options.place)
  const workspace = createHash('sha256').update(place).digest('hex').slice(0, 16)
  await endLeftovers(join(place, 'processes'), workspace)
  const copy = await openCopy(project, { place, git, isContent, isBusy })
  const owner = await ownerOf(process.pid)
  const log = createServerLog()
  const variables = ownVariables(env)
  let runs = 0
  let server: DevServer | undefined
  let starting: Promise<void> | undefined
  let closing = new AbortController()

  async function start(signal: AbortSignal): Promise<void> {
    const { command, missing, folder } = project
    if (command === undefined || missing !== undefined)
      throw new DevServerError(missing ?? `${folder} has no command that starts a development server`)
    const started = await startServer(
      {
        command,
        folder: copy.folder,
        packages: [...new Set([copy.folder, copy.top])],
        variables,
        port,
        mark: { workspace, owner, run: `${workspace}/${++runs}` },
        install: `${project.runner} install`,
        log,
      },
      AbortSignal.any([signal, closing.signal]),
    )
    server = started
    void started.ended.then(() => {
      if (server === started) server = undefined
    })
  }

  return {
    folder: copy.folder,
    get origin() {
      return server?.origin
    },
    get home() {
      return server?.home ?? '/'
    },
    write: copy.write,
    follow: copy.follow,
    async start(signal) {
      if (!server) await (starting ??= start(signal).finally(() => (starting = undefined)))
    },
    ended: async () => server?.ended,
    log: log.lines,
    async close() {
      closing.abort()
      await starting?.catch(() => undefined)
      await server?.stop()
      closing = new AbortController()
    },
  }
}

/** Variables of the npm that runs the service, which would direct that of the website to another folder. */
const ofNpm =
  /^(?:npm_(?:lifecycle|package|command|execpath|node_execpath)|npm_config_(?:local|global)?_?prefix$|INIT_CWD$)/

function ownVariables(env: CheckoutOptions['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || ofNpm.test(name) ? [] : [[name, value] as const],
    ),
  )
}

/**
 * Returns the folder of a checkout, which is on the file system of the repository if possible: packages are
 * then links. Beside the repository a tool that searches the folders above finds what it finds in the
 * repository, and no system removes old files.
 */
async function openPlace(
  { folder, root }: DevProject,
  name: string,
  given: string | undefined,
): Promise<string> {
  const id = createHash('sha256').update(`${folder}\n${name}`).digest('hex').slice(0, 8)
  const own = `.orchestrator-${basename(folder)}-${id}`
  const repository = topmost(root)
  const places = given === undefined ? [join(dirname(repository), own), join(tmpdir(), own)] : [given]
  for (const [at, place] of places.entries()) {
    try {
      await mkdir(place, { recursive: given !== undefined, mode: 0o700 })
      return place
    } catch (error) {
      const found = await lstat(place).catch(() => undefined)
      if (found?.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)) return place
      if (at === places.length - 1 || !['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? ''))
        throw error
    }
  }
  throw new Error('there is no place for a checkout')
}

/** Returns the topmost folder above with a repository, as the one of a submodule is in another; else the folder. */
function topmost(folder: string): string {
  let found = folder
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, '.git'))) found = at
  return found
}
