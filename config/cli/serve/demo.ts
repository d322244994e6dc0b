import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createHttpServer } from '../../../kernel/http/server.ts'
import { BootError, queryValue, systemClock, type Logger } from '../../../kernel/index.ts'
import type { DraftWatcher } from '../../../plugins/auth/port.ts'
import { demoPages, demoSiteConfig } from '../../../plugins/content/demo-pages.ts'
import { jsonFile } from '../../../plugins/site/adapters/json-file.ts'
import { draftsAt } from '../../../plugins/site/draft-source.ts'
import { watcherOf } from '../../../plugins/site/draft-watcher.ts'
import { writeContentFile } from '../../../plugins/site/files/content-file.ts'
import { jsonFilePublishHandler } from '../../../plugins/site/handlers/json-file.ts'
import { createWebsite } from '../../../plugins/site/website/index.ts'
import { createClient } from '../../client.ts'
import { createSiteEditor } from '../../create-site-editor.ts'
import { draftSecretIn } from '../../draft-secret.ts'
import { editorOriginsOf } from '../../editor-origins.ts'
import type { Environment } from '../../env.ts'

export interface DemoOptions {
  /** Where the orchestrator listens. */
  readonly port: number
  /** Origins of the orchestrator and its editors. */
  readonly origins: readonly string[]
  readonly dataDir: string
  readonly env: Environment
  readonly log: Logger
}

/** A demo site that is up. */
export interface Demo {
  readonly origin: string
  /** What the orchestrator has to know of it, as environment variables that nobody has set otherwise. */
  readonly variables: Environment
  /** The caller of a request that only watches a draft, with what a draft page of the site got for that. */
  readonly watcherOf: DraftWatcher
  /** Tells the orchestrator about the site. */
  register(): Promise<void>
  close(): Promise<void>
}

const siteId = 'demo'
const usualPort = 4210

/**
 * Starts a small real website beside the orchestrator: a server of its own, content in a JSON file under the data
 * directory, and the editor routes that any website would have.
 */
export async function startDemo({ port, origins, dataDir, env, log }: DemoOptions): Promise<Demo> {
  const folder = join(dataDir, 'demo-site')
  const path = join(folder, 'content.json')
  const assetsDir = join(folder, 'generated-images')
  const adapter = jsonFile(path)
  const { pages } = await adapter.readContent()
  if (pages.length === 0) await writeContentFile(path, { content: { pages: demoPages, siteConfig: demoSiteConfig }, shape: 'wrapper' })

  const draftSecret = draftSecretIn(env) ?? randomBytes(16).toString('hex')
  const orchestrator = { url: `http://127.0.0.1:${port}`, token: env['ORCHESTRATOR_ACCESS_TOKEN'] ?? tokenBeside(env['ACCESS_PASSWORD_HASH']) }
  const editorOrigins = editorOriginsOf(env)
  const editor = createSiteEditor({ adapter, publish: jsonFilePublishHandler(path, { shape: 'wrapper', assetsDir }), draftSecret, siteId, editorOrigins, logger: log.child({ site: siteId }) })
  const server = createHttpServer(createWebsite({ siteId, editor, adapter, drafts: draftsAt(orchestrator.url, orchestrator.token), orchestrator: orchestrator.url, origins, editorOrigins, draftSecret, publicDir: folder, clock: systemClock }))
  server.listen(Number(env['DEMO_SITE_PORT'] ?? usualPort), '127.0.0.1')
  await once(server, 'listening').catch((error: unknown) => {
    throw new BootError([`the demo site cannot listen: port ${env['DEMO_SITE_PORT'] ?? usualPort} is taken or not allowed; set DEMO_SITE_PORT to another one, or to 0 for any`], { cause: error })
  })
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : usualPort}`

  return {
    origin,
    variables: { AUTO_BOOTSTRAP_SITE_ORIGIN: origin, DRAFT_MODE_SECRET: draftSecret, SITE_PUBLIC_ORIGIN: origin, ORCHESTRATOR_ACCESS_TOKEN: orchestrator.token },
    watcherOf: ({ method, path, search, header }) => {
      const pass = header('x-access-token') ?? queryValue(search, 'accessToken')
      return watcherOf({ method, path, search, header: () => `editor_draft=${pass}` }, { secret: draftSecret, siteId })
    },
    async register() {
      const { url, token } = orchestrator
      const body = { siteId, name: demoSiteConfig.name ?? siteId, previewUrl: origin, config: demoSiteConfig }
      await createClient({ url, token }).call('POST /sites/register', { body }).catch((err: unknown) => log.warn({ err }, 'demo site could not be registered'))
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await editor.close()
    },
  }
}

/** A token for the site itself, where people have a password and programs have none. */
const tokenBeside = (password: string | undefined): string | undefined =>
  password === undefined ? undefined : randomBytes(32).toString('base64url')
