import * as v from 'valibot'
import {
  createLogger,
  give,
  mount,
  type KernelOptions,
  type Logger,
  type Mount,
  type Seed,
} from '../kernel/index.ts'
import { allowedOrigins, authHook, draftWatcher, frameworkBuild, type AuthHook, type DraftWatcher } from '../plugins/auth/port.ts'
import { contentAdapter, type ContentAdapter } from '../plugins/content/adapter.ts'
import { watcherOf } from '../plugins/site/draft-watcher.ts'
import { mountPath } from '../plugins/media/port.ts'
import { hostSite } from '../plugins/sites/port.ts'
import { gather } from './assemble.ts'
import { adapterOption, checkOptions, flag, func, loggerOption, object, siteIdOption, text } from './check-options.ts'
import type { OrchestratorConfig, PluginEntry } from './define-config.ts'
import { draftSecretIn } from './draft-secret.ts'
import { toEnvironment } from './effective.ts'
import { currentEnvironment } from './env.ts'
import { isFrameworkBuild } from './framework-build.ts'
import { checkConfig } from './schema.ts'
import { secretValues } from './secrets.ts'

/** What a website tells the orchestrator that it mounts. */
export interface OrchestratorOptions {
  /** How the content of the site is read, and written where it can be. */
  readonly adapter: ContentAdapter
  /** Decides who may use the mount, instead of ACCESS_PASSWORD_HASH and ORCHESTRATOR_ACCESS_TOKEN. */
  readonly auth?: AuthHook
  /** The id of the site, in place of ORCHESTRATOR_DEFAULT_SITE_ID. */
  readonly siteId?: string
  /** The name by which editors greet; the site id in title case without it. */
  readonly siteName?: string
  /** The site shows the demo pages that come with the orchestrator. */
  readonly demoContent?: boolean
  /**
   * Whoever this site let into a draft may listen to it and read its pages without a token, by the cookie signed with
   * DRAFT_MODE_SECRET, as the live preview does. A host with an auth hook decides that by itself.
   */
  readonly livePreview?: boolean
  /**
   * The path of the website below which the mount answers, such as `/api/orchestrator`; the root without
   * it.
   */
  readonly basePath?: string
  /**
   * A configuration of the shape `library`, such as `loadConfig()` gives; nothing is read from disk without
   * it.
   */
  readonly config?: OrchestratorConfig | Promise<OrchestratorConfig>
  /** Plugins beyond those of the configuration; in a bundle, plugin values. */
  readonly plugins?: readonly PluginEntry[]
  readonly logger?: Logger
}

/**
 * Mounts the orchestrator inside a website.
 *
 * Nothing runs until the first request, or `ready()`, which rejects with a BootError when it cannot start;
 * the next request tries again. Refuses at once, with a BootError, options that are unknown, missing or of the
 * wrong kind.
 */
export function createOrchestrator({ basePath = '/', ...options }: OrchestratorOptions): Mount {
  checkOptions('createOrchestrator', Options, { basePath, ...options })
  const path = basePath.replace(/(?<!\/)\/+$/, '')
  return mount(() => toKernelOptions(options, path), { basePath: path })
}

const Options = {
  adapter: adapterOption,
  auth: v.optional(func('expected a function that gets a request and gives true to admit it')),
  siteId: v.optional(siteIdOption),
  siteName: v.optional(text),
  demoContent: v.optional(flag),
  livePreview: v.optional(flag),
  basePath: v.pipe(v.string('expected a text'), v.startsWith('/', 'it does not begin with a slash')),
  config: v.optional(object),
  plugins: v.optional(v.array(v.unknown(), 'expected a list of plugins')),
  logger: v.optional(loggerOption),
}

const forServers = "config: createOrchestrator needs shape: 'library'; 'standalone' is for npx content-orchestrator serve"

async function toKernelOptions({
  adapter,
  auth,
  siteId,
  siteName,
  demoContent = false,
  livePreview = false,
  config,
  plugins = [],
  logger,
}: Omit<OrchestratorOptions, 'basePath'>, path: string): Promise<KernelOptions> {
  const stated = (await config) ?? { shape: 'library' }
  const { config: given, problems } = checkConfig(stated, 'config')
  const misplaced = (stated.shape ?? 'standalone') === 'standalone' ? [forServers] : []
  const chosen = { ...given, plugins: [...(given.plugins ?? []), ...plugins] }
  const variables = currentEnvironment()
  const { settings, plugins: found } = await gather({ config: chosen, problems: [...problems, ...misplaced] }, { env: variables, cwd: process.cwd() })
  const watcher: DraftWatcher = (request) => watcherOf(request, { secret: draftSecretIn(variables), siteId })
  const seeds: readonly Seed[] = [
    give(contentAdapter, adapter),
    give(hostSite, { siteName, demoContent }),
    give(mountPath, path),
    give(allowedOrigins, settings.origins.value),
    give(frameworkBuild, isFrameworkBuild(variables, process.argv)),
    ...(auth ? [give(authHook, auth)] : []),
    ...(livePreview ? [give(draftWatcher, watcher)] : []),
  ]
  return {
    shape: 'library',
    plugins: found,
    seeds,
    env: {
      ...toEnvironment(variables, settings),
      ...(siteId !== undefined && { ORCHESTRATOR_DEFAULT_SITE_ID: siteId }),
    },
    log: logger ?? createLogger({ level: settings.logLevel.value, secrets: secretValues(variables) }),
    origins: { origins: settings.origins.value },
  }
}
