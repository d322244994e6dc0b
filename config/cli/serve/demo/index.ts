import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createHttpServer } from '../../../../kernel/http/server.ts'
import {
  BootError,
  definePlugin,
  give,
  optional,
  queryValue,
  systemClock,
  use,
} from '../../../../kernel/index.ts'
import { draftWatcher, type DraftWatcher } from '../../../../plugins/auth/port.ts'
import { loadDemoPages } from '../../../../plugins/demo-site/port.ts'
import {
  draftsAt,
  jsonFile,
  jsonFilePublishHandler,
  readContentFile,
  watcherOf,
  writeContentFile,
} from '../../../../plugins/site/index.ts'
import { scope } from '../../../../plugins/scope/port.ts'
import { type Sites, sites } from '../../../../plugins/sites/port.ts'
import { createSiteEditor } from '../../../create-site-editor.ts'
import type { Environment } from '../../../env.ts'
import { draftSecretIn, editorOriginsOf } from '../../../site-environment.ts'
import { hasCredential } from '../../shared/exposure.ts'
import { listen } from '../../shared/server.ts'
import type { OpenWebsite } from '../own-website.ts'
import { createWebsite } from './website.ts'

const siteId = 'demo'

/**
 * Starts a small real website next to the orchestrator, as a separate server with its content in a JSON file
 * in the data folder and the usual editor routes.
 */
export const startDemo: OpenWebsite = async ({ settings, env: given, port, publicOrigin, log }) => {
  const dataDir = settings.dataDir.value
  /** The origin of the orchestrator, and those of its editors. */
  const origins = [publicOrigin, ...settings.origins.value]
  /** Host names by which requests may reach the site, besides those of this machine. */
  const hosts = settings.allowedHosts.value
  const env: Environment = { ...given, ORCHESTRATOR_PUBLIC_ORIGIN: publicOrigin }
  const folder = join(dataDir, 'demo-site')
  const path = join(folder, 'content.json')
  const adapter = jsonFile(path)
  const { demoPages, demoSiteConfig } = await loadDemoPages()
  const { pages } = (await readContentFile(path)).content
  if (pages.length === 0)
    await writeContentFile(path, {
      content: { pages: demoPages, siteConfig: demoSiteConfig },
      shape: 'wrapper',
    })

  const draftSecret = draftSecretIn(env) ?? randomBytes(16).toString('hex')
  const url = `http://localhost:${port}`
  // With password login, the site needs a separate token.
  const ownToken =
    env['ACCESS_PASSWORD_HASH'] === undefined ? undefined : randomBytes(32).toString('base64url')
  const token = env['ORCHESTRATOR_ACCESS_TOKEN'] ?? ownToken
  const editorOrigins = editorOriginsOf(env)
  const publish = jsonFilePublishHandler(path, {
    shape: 'wrapper',
    assetsDir: join(folder, 'generated-images'),
  })
  const editor = createSiteEditor({
    adapter,
    publish,
    draftSecret,
    siteId,
    editorOrigins,
    logger: log.child({ site: siteId }),
  })
  const drafts = draftsAt(url, token)
  const own = {
    siteId,
    editor,
    adapter,
    drafts,
    draftSecret,
    publicDir: folder,
    clock: systemClock,
    log,
    hasCredential: hasCredential(env),
  }
  const server = createHttpServer(createWebsite({ ...own, orchestrator: url, origins, hosts, editorOrigins }))
  const wanted = env['DEMO_SITE_PORT'] ?? '4210'
  const taken = await listen(server, Number(wanted), '127.0.0.1').catch((cause: unknown) => {
    const problem = `the demo site cannot listen on port ${wanted}, which is in use or not allowed`
    throw new BootError([`${problem}; set DEMO_SITE_PORT to another one, or to 0 for any`], { cause })
  })
  const origin = `http://localhost:${taken}`
  /** Admits a draft page of the site, by its token, to the event stream of its draft. */
  const watcher: DraftWatcher = ({ method, path, search, header }) => {
    const signed = header('x-access-token') ?? queryValue(search, 'accessToken')
    return watcherOf(
      { method, path, search, header: () => `editor_draft=${signed}` },
      { secret: draftSecret, siteId },
    )
  }

  return {
    origin,
    variables: {
      AUTO_BOOTSTRAP_SITE_ORIGIN: origin,
      DRAFT_MODE_SECRET: draftSecret,
      SITE_PUBLIC_ORIGIN: origin,
      ORCHESTRATOR_ACCESS_TOKEN: token,
    },
    seeds: [give(draftWatcher, watcher)],
    plugins: [registrationOf({ ...demoSiteConfig, previewUrl: origin })],
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await editor.close()
    },
  }
}

/** Returns the plugin that registers the site before the first request is answered; a failure is logged. */
function registrationOf(facts: Parameters<Sites['register']>[1]) {
  const needs = { scope: optional(scope), sites: optional(sites) }
  return use(
    definePlugin({ name: 'demo-site', tag: 'Sites', needs }).setup(
      async ({ needs: { scope, sites }, log }) => {
        const registered = scope && sites?.register(scope.draft({ siteId }), facts)
        await registered?.catch((err: unknown) => log.warn({ err }, 'demo site could not be registered'))
        return {}
      },
    ),
  )
}
