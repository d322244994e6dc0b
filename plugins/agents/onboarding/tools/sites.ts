import { access } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { defineLoopTool, type LoopTool, toolAnswer } from '../../loop/port.ts'
import { isLoopbackHost } from '../../../auth/port.ts'
import { toTitle } from '../../../sites/port.ts'
import { analyze } from '../install/analyze.ts'
import { inspectPath, readEnvFile, readProject, variablesIn } from '../../scaffold/port.ts'
import { Problem } from '../problem.ts'
import type { RunningServer, ServerCommand } from '../shell/servers.ts'
import { agree, allowCode, applyChanges, draftOf, type SiteRun } from '../run/site-run.ts'
import { packagesOf } from './install.ts'

const Register = v.object({
  siteId: v.string(),
  name: v.optional(v.string()),
  purpose: v.optional(v.string()),
  port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1024), v.maxValue(65_535))),
})
const Launch = v.object({
  ...Register.entries,
  onSite: v.optional(
    v.pipe(
      v.boolean(),
      v.description(
        'Runs it on the site itself, with its variables and the network, instead of on an isolated copy, which shows no drafts and cannot publish. A person is asked.',
      ),
    ),
  ),
})
type Launch = v.InferOutput<typeof Launch>

/** Creates the tools that list, analyze, start and register sites. */
export function siteTools(run: SiteRun): readonly LoopTool[] {
  const { workspace, copies, servers } = run
  return [
    defineLoopTool(
      { name: 'list_sites', description: 'Lists the sites of the workspace.', input: v.object({}) },
      async () => {
        const ids = await workspace.siteIds()
        return toolAnswer({
          sites: await Promise.all(
            ids.map(async (id) => ({
              id,
              hasPackageJson: await exists(join(workspace.root, id, 'package.json')),
            })),
          ),
        })
      },
    ),
    defineLoopTool(
      {
        name: 'analyze_codebase',
        description:
          'Analyzes a site: framework, versions, routes, styling, CMS, and whether it has the editor ' +
          'routes.',
        input: v.object({ siteId: v.string() }),
      },
      async ({ siteId }) => {
        const found = await analyze(await copies.folder(siteId))
        run.outcome('analyzing', `${found.framework}, ${found.routes.length} pages`)
        return toolAnswer(found)
      },
    ),
    defineLoopTool(
      {
        name: 'launch_site',
        description:
          'Starts the development server of a site, waits until it answers, and registers the site.',
        input: Launch,
      },
      async (input) => toolAnswer(await launchSite(run, input)),
    ),
    defineLoopTool(
      {
        name: 'register_site',
        description: 'Registers a site whose development server is running.',
        input: Register,
      },
      async (input) => {
        const server = servers.running().find(({ siteId }) => siteId === input.siteId)
        if (!server) throw new Problem('The site is not running. Call launch_site first.')
        await register(run, server, input)
        return toolAnswer({ status: 'registered', previewUrl: server.url })
      },
    ),
  ]
}

/** Starts a site and registers its address. */
export async function launchSite(run: SiteRun, launch: Launch) {
  const { servers, sites, workspace, launcher, streamId, signal } = run
  const { siteId, port, onSite = false } = launch
  await applyChanges(run, siteId)
  const site = await run.copies.home(siteId)
  const registeredUrl = URL.parse((await sites.previewUrl(draftOf(run, siteId))) ?? '')
  // The editors of a site registered elsewhere would lose their preview.
  if (registeredUrl && !isLoopbackHost(registeredUrl.hostname)) {
    await agree(run, {
      question: `The site '${siteId}' is registered at ${registeredUrl.origin}. Register it on this machine instead?`,
      key: `register ${siteId}`,
      header: 'Register',
      label: 'Register',
      what: 'The registration',
    })
  }
  const isIsolated = launcher.isolation === 'bubblewrap' && !onSite
  const allow = (isBoxed: boolean): Promise<void> =>
    isBoxed ? allowSite(run, siteId) : allowCode(run, siteId, 'its development server')
  const command = await commandOf(site)
  const what = { packages: await packagesOf(run, siteId), isSite: !isIsolated, network: !isIsolated, allow }
  await launcher.permit({
    ...command,
    ...what,
    args: [],
    folder: site,
    stream: streamId,
    tool: 'dev server',
    timeoutMs: 0,
    signal,
  })
  run.begin('launching')
  const others = (await workspace.siteIds()).filter((id) => id !== siteId)
  const registered = await Promise.all(others.map((id) => sites.registered(draftOf(run, id))))
  const taken = new Set(registered.flatMap((each) => each.port ?? []))
  const server = await servers.start(siteId, {
    site,
    isIsolated,
    command,
    launcher,
    what,
    taken,
    port,
    signal,
  })
  await register(run, server, launch)
  run.outcome('launching', server.url)
  const limits = isIsolated && {
    limits:
      'It runs on a copy without network: it shows the site, but no drafts, and cannot publish. With onSite it can, if the person allows it.',
  }
  return { status: 'running', previewUrl: server.url, port: server.port, ...limits } as const
}

/** Asks before a development server runs on the site itself. Refuses with 409 `declined`. */
function allowSite(run: SiteRun, siteId: string): Promise<void> {
  const question =
    `Run the development server of the site '${siteId}' on the site itself, with its variables and the network? ` +
    'It can then show drafts and publish; its code can change every file of the site, and reach services on this machine.'
  return agree(run, {
    question,
    key: `site ${siteId}`,
    header: 'Run on site',
    label: 'Allow',
    what: 'Running on the site itself',
  })
}

async function register(run: SiteRun, server: RunningServer, launch: Launch): Promise<void> {
  const { siteId, name = toTitle(siteId), purpose } = launch
  const site = { name, previewUrl: server.url, port: server.port, ...(purpose !== undefined && { purpose }) }
  await run.sites.register(draftOf(run, siteId), site, await draftSecretOf(await run.copies.home(siteId)))
}

/** Returns the draft secret in the variables of a site, which the service needs to open its drafts. */
async function draftSecretOf(folder: string): Promise<string | undefined> {
  for (const name of ['.env.local', '.env']) {
    if ((await inspectPath(folder, name)) !== 'file') continue
    const secret = variablesIn(await readEnvFile(join(folder, name))).get(draftVariable)
    if (secret) return secret
  }
  return undefined
}

/** The variable with the draft secret of a site. */
export const draftVariable = 'DRAFT_MODE_SECRET'

const entries = ['server.js', 'server.mjs', 'server.ts', 'index.js']

/** Returns the start command of a site: its script `dev` or `start`, otherwise a server file. */
async function commandOf(folder: string): Promise<ServerCommand> {
  const { scripts } = await readProject(folder)
  const name = ['dev', 'start'].find((each) => scripts[each] !== undefined)
  if (name !== undefined) {
    const more = (port: number): readonly string[] =>
      /^\s*(?:next|astro|vite)\b/.test(String(scripts[name])) ? ['--', '--port', String(port)] : []
    return { program: 'npm', args: (port) => ['run', name, ...more(port)] }
  }
  for (const entry of entries)
    if (await exists(join(folder, entry))) return { program: 'node', args: () => [entry] }
  throw new Problem('package.json has no dev or start script, and server.js is missing.')
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
