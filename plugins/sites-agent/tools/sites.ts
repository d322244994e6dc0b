import { access } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { defineLoopTool, type LoopTool, toolAnswer } from '../../agent/port.ts'
import { isLoopbackHost } from '../../auth/port.ts'
import { toTitle } from '../../sites/port.ts'
import { analyze } from '../install/analyze.ts'
import { readProject } from '../install/project.ts'
import { refusals } from '../run/refusals.ts'
import type { Launcher } from '../shell/launcher.ts'
import type { RunningServer, ServerCommand } from '../shell/servers.ts'
import { draftOf, type SiteParts, type SiteRun } from '../run/site-run.ts'

const Launch = v.object({ siteId: v.string(), name: v.optional(v.string()), purpose: v.optional(v.string()), port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1024), v.maxValue(65_535))) })

/** Tools that list, analyze, start and register sites. */
export function siteTools(run: SiteRun, parts: SiteParts): readonly LoopTool[] {
  const { workspace } = parts
  return [
    defineLoopTool({ name: 'list_sites', description: 'Lists the sites of the workspace.', input: v.object({}) }, async () => {
      const ids = await workspace.siteIds()
      return toolAnswer({ sites: await Promise.all(ids.map(async (id) => ({ id, hasPackageJson: await isThere(join(workspace.root, id, 'package.json')) }))) })
    }),
    defineLoopTool({ name: 'analyze_codebase', description: 'Analyzes a site: framework, versions, routes, styling, CMS, and whether it has the editor routes.', input: v.object({ siteId: v.string() }) }, async ({ siteId }) => {
      const found = await analyze(await run.sites.folder(siteId))
      run.outcome('analyzing', `${found.framework}, ${found.routes.length} pages`)
      return toolAnswer(found)
    }),
    defineLoopTool({ name: 'launch_site', description: 'Starts the development server of a site, waits until it answers, and registers the site.', input: Launch }, async (input) => toolAnswer(await launchSite(run, parts, input))),
    defineLoopTool({ name: 'register_site', description: 'Registers a site whose development server is running.', input: Launch }, async (input) => {
      const server = parts.servers.running().find(({ siteId }) => siteId === input.siteId)
      if (!server) throw refusals.wrongOrder('The site is not running. Call launch_site first.')
      await register(run, parts, { ...input, server })
      return toolAnswer({ status: 'registered', previewUrl: server.url })
    }),
  ]
}

/** Starts a site and registers its address. */
export async function launchSite(run: SiteRun, parts: SiteParts, { siteId, port, ...about }: v.InferOutput<typeof Launch>): Promise<{ readonly status: 'running'; readonly previewUrl: string; readonly port: number }> {
  const { servers, launcher, sites, scope } = parts
  if ((await run.sites.settle(siteId)) === 'declined') throw refusals.declined('Changing the site')
  const folder = await run.sites.home(siteId)
  await mayRegister(run, parts, siteId)
  await allowCode(run, launcher, { siteId, what: 'its development server' })
  run.begin('launching')
  const known = await Promise.all((await parts.workspace.siteIds()).filter((id) => id !== siteId).map((id) => sites.registered(draftOf(run, id, scope))))
  const taken = new Set(known.flatMap((site) => site.port ?? []))
  const server = await servers.start(siteId, { folder, command: await commandOf(folder), taken, port, stream: `server-${siteId}`, signal: run.signal })
  await register(run, parts, { siteId, ...about, server })
  run.outcome('launching', server.url)
  return { status: 'running', previewUrl: server.url, port: server.port }
}

/** A person has to agree before a site that is registered elsewhere moves here, because its editors would lose their preview. */
async function mayRegister(run: SiteRun, { sites, scope }: SiteParts, siteId: string): Promise<void> {
  const known = URL.parse((await sites.previewUrl(draftOf(run, siteId, scope))) ?? '')
  if (!known || isLoopbackHost(known.hostname) || run.allowed.has(`register ${siteId}`)) return
  const question = `The site '${siteId}' is registered at ${known.origin}. Register it on this machine instead?`
  if (!(await run.approvals.allows(question, { header: 'Register', label: 'Register' }))) throw refusals.declined('The registration')
  run.allowed.add(`register ${siteId}`)
}

async function register(run: SiteRun, { sites, scope }: SiteParts, { siteId, name, purpose, server }: { readonly siteId: string; readonly name?: string | undefined; readonly purpose?: string | undefined; readonly server: RunningServer }): Promise<void> {
  await sites.register(draftOf(run, siteId, scope), { name: name ?? toTitle(siteId), previewUrl: server.url, port: server.port, ...(purpose !== undefined && { purpose }) })
}

const entries = ['server.js', 'server.mjs', 'server.ts', 'index.js']

/** The start command of a site: its script `dev` or `start`, otherwise a file that is named like a server. */
async function commandOf(folder: string): Promise<ServerCommand> {
  const { scripts } = await readProject(folder)
  const name = ['dev', 'start'].find((each) => scripts[each] !== undefined)
  if (name !== undefined) {
    const more = (port: number): readonly string[] => (/^\s*(?:next|astro|vite)\b/.test(String(scripts[name])) ? ['--', '--port', String(port)] : [])
    return { program: 'npm', args: (port) => ['run', name, ...more(port)] }
  }
  for (const entry of entries) if (await isThere(join(folder, entry))) return { program: 'node', args: () => [entry] }
  throw refusals.siteFiles('package.json has no dev or start script, and server.js is missing')
}

const isThere = (path: string): Promise<boolean> => access(path).then(() => true, () => false)

/** Allows code of sites to run: in a sandbox always, otherwise if a person allows it for this run. Refuses with 409 `declined`. */
export async function allowCode(run: SiteRun, { isolation }: Pick<Launcher, 'isolation'>, { siteId, what }: { readonly siteId: string; readonly what: string }): Promise<void> {
  if (isolation === 'bubblewrap' || run.allowed.has('code')) return
  const question = `This runs code of the site '${siteId}' (${what}) without a sandbox: it has all rights of the service on this machine. Allow it for this run?`
  if (!(await run.approvals.allows(question, { header: 'Run code', label: 'Allow' }))) throw refusals.declined('Running code of the site')
  run.allowed.add('code')
}

const installMs = 600_000

/** Installs the packages of a site without running their scripts. Refuses with 409 `declined` and 502 `install_failed`. */
export async function install(run: SiteRun, { launcher }: SiteParts, { siteId, packageManager }: { readonly siteId: string; readonly packageManager: 'npm' | 'pnpm' | 'yarn' }): Promise<void> {
  run.begin('installing')
  const cwd = await run.sites.home(siteId)
  if (packageManager !== 'npm' || (await hasManagerSettings(cwd))) await allowCode(run, launcher, { siteId, what: `${packageManager} install, whose settings may name programs` })
  const args = ['install', '--ignore-scripts', ...(packageManager === 'npm' ? ['--no-audit', '--no-fund', '--prefer-offline'] : [])]
  const { exitCode, output, ended } = await launcher.launch({ program: packageManager, args, cwd, stream: run.streamId, tool: 'install', network: true, timeoutMs: installMs, signal: run.signal })
  if (exitCode !== 0) throw refusals.installFailed(ended === 'exit' ? output.slice(-2_000) : ended)
  run.outcome('installing', packageManager)
}

/** True if npm would read settings of the site, which may name programs. */
export const hasManagerSettings = (folder: string): Promise<boolean> => access(join(folder, '.npmrc')).then(() => true, () => false)
