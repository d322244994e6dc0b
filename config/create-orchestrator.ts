import * as v from 'valibot'
import {
  BootError,
  createLogger,
  createRedactor,
  give,
  mount,
  redactor,
  type KernelOptions,
  type Logger,
  type Mount,
  type Seed,
  withoutTrailingSlash,
} from '../kernel/index.ts'
import {
  allowedOrigins,
  authHook,
  draftWatcher,
  frameworkBuild,
  type AuthHook,
} from '../plugins/auth/port.ts'
import { contentAdapter, type ContentAdapter } from '../plugins/content/adapter.ts'
import { generateManifest, type ManifestDocument, parseManifest } from '../plugins/content/manifest.ts'
import { builtinRegistry } from '../plugins/content/registry.ts'
import { installation } from '../plugins/health/port.ts'
import { type SiteBlocks, toRegistry } from '../plugins/site/blocks.ts'
import { watcherOf } from '../plugins/site/draft/access.ts'
import { type HostSite, hostSite, mountPath } from '../plugins/sites/port.ts'
import { gather } from './assemble.ts'
import {
  adapterOption,
  checkOptions,
  flag,
  func,
  loggerOption,
  object,
  siteIdOption,
  text,
  visibleText,
} from './check-options.ts'
import type { OrchestratorConfig, PluginEntry } from './define-config.ts'
import { currentEnvironment, type Environment } from './env.ts'
import { missingPackages } from './optional-packages.ts'
import { checkConfig } from './schema.ts'
import { secretValues } from './secrets.ts'
import { toEnvironment, usualOriginsOf } from './settings.ts'
import { draftSecretIn } from './site-environment.ts'

/** Options of a mount in a website. */
export interface OrchestratorOptions {
  /** Reads the content of the site, and writes it if possible. */
  readonly adapter: ContentAdapter
  /** Decides who may use the mount, instead of ACCESS_PASSWORD_HASH and ORCHESTRATOR_ACCESS_TOKEN. */
  readonly auth?: AuthHook
  /** The id of the site, instead of ORCHESTRATOR_DEFAULT_SITE_ID. */
  readonly siteId?: string
  /** The name shown in editors; default: the site id in title case. */
  readonly siteName?: string
  /**
   * The block types of the site by name, as for `createSiteEditor`; default: those that its website declares.
   */
  readonly blocks?: SiteBlocks
  /** Marks the content as a demo; an adapter without pages starts with the built-in demo pages. */
  readonly demoContent?: boolean
  /**
   * Lets visitors with a draft cookie of this site, signed with DRAFT_MODE_SECRET, follow that draft and read
   * its pages without a token, like the live preview. A host with an auth hook decides that itself.
   */
  readonly livePreview?: boolean
  /** The base path of the mount in the website, such as `/api/orchestrator`; default: the root. */
  readonly basePath?: string
  /**
   * A configuration of the shape `library`, as returned by `loadConfig()`; by default nothing is read from
   * disk.
   */
  readonly config?: OrchestratorConfig | Promise<OrchestratorConfig>
  /** Plugins in addition to the configuration; in a bundle, plugin values. */
  readonly plugins?: readonly PluginEntry[]
  readonly logger?: Logger
}

/**
 * Mounts the orchestrator inside a website.
 *
 * Nothing runs until the first request, or `ready()`, which rejects with a BootError if it cannot start; the
 * next request tries again. The website starts Node with `--max-semi-space-size=16` and
 * `--heap-growing-percent=35`, if it wants to save memory as `serve` does. Throws a BootError at once for
 * unknown, missing or mistyped options, and an Error for an invalid block type.
 */
export function createOrchestrator(given: OrchestratorOptions): Mount {
  checkOptions('createOrchestrator', Options, given)
  const { basePath = '/', blocks, ...options } = given
  const path = withoutTrailingSlash(basePath)
  const manifest = blocks && toManifest(blocks)
  return mount(() => toKernelOptions(options, path, manifest), { basePath: path })
}

const Options = {
  adapter: adapterOption,
  auth: v.optional(func('expected a function that takes a request and returns true to admit it')),
  siteId: v.optional(siteIdOption),
  siteName: v.optional(visibleText),
  blocks: v.optional(object),
  demoContent: v.optional(flag),
  livePreview: v.optional(flag),
  basePath: v.optional(v.pipe(text, v.startsWith('/', 'expected a path that begins with a slash'))),
  config: v.optional(object),
  plugins: v.optional(v.array(v.unknown(), 'expected a list of plugins')),
  logger: v.optional(loggerOption),
}

/** Returns what the website declares. Throws for props that requests would be refused for later. */
function toManifest(blocks: SiteBlocks): ManifestDocument {
  const manifest = generateManifest(toRegistry(blocks))
  const verdict = parseManifest(manifest, builtinRegistry)
  if (!verdict.ok)
    throw new BootError([`option 'blocks' of createOrchestrator: ${verdict.path}: ${verdict.problem}`])
  return manifest
}

const forServers =
  "config: createOrchestrator needs shape: 'library'; 'standalone' is for npx content-orchestrator serve"

async function toKernelOptions(
  options: Omit<OrchestratorOptions, 'basePath' | 'blocks'>,
  path: string,
  blocks: HostSite['blocks'],
): Promise<KernelOptions> {
  const { adapter, auth, siteId, siteName, demoContent = false, livePreview, plugins = [], logger } = options
  const stated = (await options.config) ?? { shape: 'library' }
  const { config: given, problems } = checkConfig(stated, 'config')
  const misplaced = (stated.shape ?? 'standalone') === 'standalone' ? [forServers] : []
  const config = { ...given, plugins: [...(given.plugins ?? []), ...plugins] }
  const env = currentEnvironment()
  const { settings, plugins: found } = await gather(
    { config, problems: [...problems, ...misplaced] },
    { env, cwd: process.cwd() },
  )
  const seeds: readonly Seed[] = [
    give(contentAdapter, adapter),
    give(hostSite, { siteName, demoContent, blocks }),
    give(mountPath, path),
    give(allowedOrigins, settings.origins.value),
    give(redactor, createRedactor(secretValues(env))),
    give(installation, async () => {
      const { checkSettings } = await import('./cli/doctor/checklist.ts')
      return checkSettings({ env, settings, plugins: found, shape: 'library', hasHook: auth !== undefined })
    }),
    give(frameworkBuild, isFrameworkBuild(env, process.argv)),
    ...(auth ? [give(authHook, auth)] : []),
    ...(livePreview
      ? [give(draftWatcher, (request) => watcherOf(request, { secret: draftSecretIn(env), siteId }))]
      : []),
  ]
  const log = logger ?? createLogger({ level: settings.logLevel.value, secrets: secretValues(env) })
  for (const says of missingPackages(env)) log.warn(says)
  return {
    shape: 'library',
    plugins: found,
    seeds,
    env: {
      ...toEnvironment(env, settings),
      ...(siteId !== undefined && { ORCHESTRATOR_DEFAULT_SITE_ID: siteId }),
    },
    log,
    origins: { origins: settings.origins.value, usual: usualOriginsOf(settings) },
  }
}

/**
 * True while a framework builds the site, which loads the routes without calling them: in a command such as
 * `next build` or `nuxt generate`, its processes, or a package script `build` or `build:…`.
 */
export function isFrameworkBuild(env: Environment, [, , command = '']: readonly string[]): boolean {
  return (
    ['build', 'generate'].includes(command) ||
    env['NEXT_PHASE'] === 'phase-production-build' ||
    /^build(?::|$)/.test(env['npm_lifecycle_event'] ?? '')
  )
}
