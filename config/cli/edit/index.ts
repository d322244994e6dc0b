import { statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { systemClock } from '../../../kernel/index.ts'
import { createPool, DevServerError, findProject, type DevProject } from '../../../plugins/checkout/port.ts'
import { defaultSession, scope } from '../../../plugins/scope/port.ts'
import { sites, toSiteId, toTitle } from '../../../plugins/sites/port.ts'
import { gather } from '../../assemble.ts'
import type { ContentFiles } from '../../../plugins/files/adapter/index.ts'
import { contentFiles, gitOf } from '../../content-files.ts'
import { currentEnvironment, type Environment } from '../../env.ts'
import { findConfig } from '../../load.ts'
import { withoutSecrets } from '../../secrets.ts'
import { variableNames } from '../../variables.ts'
import { CommandError, defineCommand, jsonFlag, report, type Io } from '../shared/command.ts'
import { untilStopped } from '../shared/server.ts'
import { serve } from '../serve/start.ts'
import { createCheckouts } from './checkouts.ts'
import { openBrowser } from './open-browser.ts'
import { editedWebsite, editHost, previewOrigin, studioOrigin } from './website.ts'

/** How often checkouts are ended that were not looked at. */
const sweepMs = 30_000

export const edit = defineCommand({
  name: 'edit',
  summary: 'Opens the website of a folder in the studio, with its files as the content.',
  operand: '[folder]',
  flags: {
    command: {
      value: 'COMMAND',
      help: 'Starts the development server, {port} is its port; else the script dev of package.json.',
    },
    port: { value: 'PORT', help: 'Listens on this port; else on 4200 or the next free one.' },
    open: { help: 'Opens the studio in a browser, also where the output is not a terminal.' },
    check: { help: 'Says what it would do, and does nothing.' },
    ...jsonFlag,
  },
  async run(given, io, operand = '.') {
    const root = resolve(io.cwd, operand)
    if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
      throw new CommandError(`${root} is not a folder; name the folder of the website`)
    const project = await findProject(root, { command: given.get('command') })
    const loaded = await findConfig(root)
    const files = contentFiles(root, loaded.config.files)
    const found = await describe(project, files)
    if (given.has('check')) return report(given, io, found, (facts) => linesOf(facts).join('\n'))
    if (project.missing !== undefined) throw new CommandError(project.missing)
    for (const line of [...linesOf(found), starting]) io.print(line)

    const stopped = untilStopped()
    const shell = currentEnvironment()
    const env = environmentFor(shell, root)
    const flags = { port: given.get('port'), 'data-dir': join(root, '.orchestrator') }
    const config = { ...loaded.config, shape: 'standalone' as const }
    const assembled = await gather(
      { config, problems: loaded.problems },
      // A person reads along: no line for each request.
      { flags, env, cwd: root, isTerminal: true },
    )
    const siteId = toSiteId(basename(root)) || 'site'
    const ending = new AbortController()
    const { signal } = ending
    const running = Promise.withResolvers<Awaited<ReturnType<typeof serve>>>()
    const checkouts = createCheckouts({
      project,
      siteId,
      files,
      print: io.print,
      env: withoutSecrets(shell, variableNames(assembled.plugins)),
      git: gitOf(project.root, env),
      service: running.promise,
      signal,
    })
    const pool = createPool({ clock: systemClock })
    const siteName = toTitle(siteId)
    const website = editedWebsite({ project, siteId, siteName, files, checkouts, pool })
    const service = await serve({ ...assembled, env, website: website.open, mayMove: true, io: quiet(io) })
    running.resolve(service)
    const sweeping = setInterval(() => void pool.sweep(), sweepMs).unref()
    void stopped.then(() => ending.abort())
    try {
      const previewUrl = previewOrigin(siteId, service.port, defaultSession)
      const at = (await service.get(scope)).draft({ siteId })
      await (await service.get(sites)).register(at, { previewUrl })
      await website.start()
      signal.throwIfAborted()
      const studio = `${studioOrigin(service.port)}/studio`
      io.print(`Studio     ${studio}`)
      if (given.has('open') || io.isTerminal) openBrowser(studio)
      await stopped
    } catch (error) {
      if (error instanceof DevServerError && !ending.signal.aborted) throw new CommandError(error.message)
      if (!ending.signal.aborted) throw error
    } finally {
      ending.abort()
      clearInterval(sweeping)
      await service.stop()
    }
  },
})

/** What is found in a folder. */
interface Found {
  readonly folder: string
  readonly framework: string | undefined
  readonly command: string | undefined
  /** The number of files of content by kind. */
  readonly content: Readonly<Record<string, number>>
  /** What has to be done first. */
  readonly missing?: string | undefined
}

async function describe(project: DevProject, files: Pick<ContentFiles, 'list'>): Promise<Found> {
  const { folder, framework, command, missing } = project
  const counts = Object.groupBy(await files.list(), ({ kind }) => kind)
  return {
    folder,
    framework,
    command,
    content: Object.fromEntries(Object.entries(counts).map(([kind, { length }]) => [kind, length])),
    ...(missing !== undefined && { missing }),
  }
}

const names: Readonly<Record<string, readonly [one: string, more: string]>> = {
  document: ['document', 'documents'],
  data: ['data file', 'data files'],
  template: ['template', 'templates'],
}

/** A person who waits knows for what. */
const starting =
  'Starting   the development server in the copy. The studio follows once it answers, mostly in 15 seconds.'

const noContent = "none; name its files in orchestrator.config, such as files: { include: ['texts/**'] }"

function linesOf({ folder, framework, command, content, missing }: Found): readonly string[] {
  const counts = Object.entries(content).map(
    ([kind, count]) => `${count} ${names[kind]?.[count === 1 ? 0 : 1]}`,
  )
  return [
    `Website    ${folder}`,
    `Framework  ${framework ?? 'not known'}`,
    `Command    ${command ?? 'not found'}`,
    `Content    ${counts.join(', ') || noContent}`,
    ...(missing === undefined
      ? ['The draft is shown by a copy of the folder; only a publish changes the folder itself.']
      : [`Missing    ${missing}`]),
  ]
}

/**
 * The service of one's own folder has its data there, and nothing of the website's: its variables may name a
 * database and a port of the website.
 */
function environmentFor(env: Environment, root: string): Environment {
  const { DATABASE_URL: _database, PORT: _port, HOST: _host, NODE_ENV: _mode, ...rest } = env
  return {
    ...rest,
    ORCHESTRATOR_DATA_DIR: join(root, '.orchestrator'),
    ORCHESTRATOR_ALLOWED_HOSTS: [rest['ORCHESTRATOR_ALLOWED_HOSTS'], editHost].filter(Boolean).join(),
  }
}

/** The banner of a server has other lines than these. */
const quiet = (io: Io): Io => ({ ...io, print: () => undefined })
