import { access } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { defineLoopTool, type LoopTool, toolAnswer } from '../../agent/port.ts'
import { isLoopbackHost } from '../../auth/port.ts'
import { toTitle } from '../../sites/port.ts'
import { analyze, type PackageManager } from '../install/analyze.ts'
import { readProject } from '../install/project.ts'
import { refusals } from '../run/refusals.ts'
import type { RunningServer, ServerCommand } from '../shell/servers.ts'
import { applyChanges, draftOf, type SiteRun } from '../run/site-run.ts'

const Launch = v.object({ siteId: v.string(), name: v.optional(v.string()), purpose: v.optional(v.string()), port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1024), v.maxValue(65_535))) })
type Launch = v.InferOutput<typeof Launch>

/** Creates the tools that list, analyze, start and register sites. */
export function siteTools(run: SiteRun): readonly LoopTool[] {
  const { workspace, copies, servers } = run
  return [
    defineLoopTool({
      name: 'list_sites', description: 'Lists the sites of the workspace.',
      input: v.object({}),
    }, async () => {
      const ids = await workspace.siteIds()
      return toolAnswer({ sites: await Promise.all(ids.map(async (id) => ({ id, hasPackageJson: await exists(join(workspace.root, id, 'package.json')) }))) })
    }),
    defineLoopTool({
      name: 'analyze_codebase',
      description:
        'Analyzes a site: framework, versions, routes, styling, CMS, and whether it has the editor ' +
        'routes.',
      input: v.object({ siteId: v.string() }),
    }, async ({ siteId }) => {
      const found = await analyze(await copies.folder(siteId))
      run.outcome('analyzing', `${found.framework}, ${found.routes.length} pages`)
      return toolAnswer(found)
    }),
    defineLoopTool({
      name: 'launch_site',
      description:
        'Starts the development server of a site, waits until it answers, and registers the site.',
      input: Launch,
    }, async (input) => toolAnswer(await launchSite(run, input))),
    defineLoopTool({
      name: 'register_site', description: 'Registers a site whose development server is running.',
      input: Launch,
    }, async (input) => {
      const server = servers.running().find(({ siteId }) => siteId === input.siteId)
      if (!server) throw refusals.wrongOrder('The site is not running. Call launch_site first.')
      await register(run, server, input)
      return toolAnswer({ status: 'registered', previewUrl: server.url })
    }),
  ]
}

/** Starts a site and registers its address. */
export async function launchSite(run: SiteRun, about: Launch) {
  const { servers, sites, workspace, copies, signal } = run
  const { siteId, port } = about
  await applyChanges(run, siteId)
  const folder = await copies.home(siteId)
  const known = URL.parse((await sites.previewUrl(draftOf(run, siteId))) ?? '')
  // The editors of a site registered elsewhere would lose their preview.
  if (known && !isLoopbackHost(known.hostname)) {
    await agree(run, {
      question: `The site '${siteId}' is registered at ${known.origin}. Register it on this machine instead?`,
      key: `register ${siteId}`, header: 'Register', label: 'Register', what: 'The registration',
    })
  }
  await allowCode(run, siteId, 'its development server')
  run.begin('launching')
  const others = (await workspace.siteIds()).filter((id) => id !== siteId)
  const registered = await Promise.all(others.map((id) => sites.registered(draftOf(run, id))))
  const taken = new Set(registered.flatMap((site) => site.port ?? []))
  const command = await commandOf(folder)
  const stream = `server-${siteId}`
  const server = await servers.start(siteId, { folder, command, taken, port, stream, signal })
  await register(run, server, about)
  run.outcome('launching', server.url)
  return { status: 'running', previewUrl: server.url, port: server.port } as const
}

type Asked = Readonly<Record<'question' | 'key' | 'header' | 'label' | 'what', string>>

/** Asks a person, unless this was already allowed in the run. Refuses with 409 `declined`. */
async function agree(run: SiteRun, { question, key, what, ...option }: Asked): Promise<void> {
  if (run.allowed.has(key)) return
  if (!(await run.approvals.allows(question, option))) throw refusals.declined(what)
  run.allowed.add(key)
}

async function register(run: SiteRun, server: RunningServer, about: Launch): Promise<void> {
  const { siteId, name = toTitle(siteId), purpose } = about
  const site = { name, previewUrl: server.url, port: server.port, ...(purpose !== undefined && { purpose }) }
  await run.sites.register(draftOf(run, siteId), site)
}

const entries = ['server.js', 'server.mjs', 'server.ts', 'index.js']

/** Returns the start command of a site: its script `dev` or `start`, otherwise a server file. */
async function commandOf(folder: string): Promise<ServerCommand> {
  const { scripts } = await readProject(folder)
  const name = ['dev', 'start'].find((each) => scripts[each] !== undefined)
  if (name !== undefined) {
    const more = (port: number): readonly string[] => (/^\s*(?:next|astro|vite)\b/.test(String(scripts[name])) ? ['--', '--port', String(port)] : [])
    return { program: 'npm', args: (port) => ['run', name, ...more(port)] }
  }
  for (const entry of entries) if (await exists(join(folder, entry))) return { program: 'node', args: () => [entry] }
  throw refusals.siteFiles('package.json has no dev or start script, and server.js is missing')
}

const exists = (path: string): Promise<boolean> => access(path).then(() => true, () => false)

/** Allows site code to run: in a sandbox, or once a person agrees. Refuses with 409 `declined`. */
export async function allowCode(run: SiteRun, siteId: string, program: string): Promise<void> {
  if (run.launcher.isolation === 'bubblewrap') return
  const question = `This runs code of the site '${siteId}' (${program}) without a sandbox: `
    + 'it has all rights of the service on this machine. Allow it for this run?'
  const what = 'Running code of the site'
  await agree(run, { question, key: 'code', header: 'Run code', label: 'Allow', what })
}

const installMs = 600_000

/** Installs a site's packages without their scripts. Refuses with 409 `declined`, 502 `install_failed`. */
export async function install(run: SiteRun, siteId: string, program: PackageManager) {
  run.begin('installing')
  const { streamId: stream, signal, launcher } = run
  const cwd = await run.copies.home(siteId)
  if (program !== 'npm' || (await hasManagerSettings(cwd))) {
    await allowCode(run, siteId, `${program} install, whose settings may name programs`)
  }
  const quickly = program === 'npm' ? ['--no-audit', '--no-fund', '--prefer-offline'] : []
  const args = ['install', '--ignore-scripts', ...quickly]
  const what = { program, args, cwd, stream, tool: 'install', network: true, timeoutMs: installMs, signal }
  const { exitCode, output, ended } = await launcher.launch(what)
  if (exitCode !== 0) throw refusals.installFailed(ended === 'exit' ? output.slice(-2_000) : ended)
  run.outcome('installing', program)
}

/** True if npm would read settings of the site, which may name programs. */
export const hasManagerSettings = (folder: string): Promise<boolean> => exists(join(folder, '.npmrc'))
