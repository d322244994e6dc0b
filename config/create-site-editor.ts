import * as v from 'valibot'
import { createLogger, give, isProduction, mount, use, type Logger, type Mount } from '../kernel/index.ts'
import { toRegistry, type SiteBlocks } from '../plugins/site/blocks.ts'
import site from '../plugins/site/index.ts'
import { siteOptions, type SiteOptions } from '../plugins/site/port.ts'
import {
  adapterOption,
  checkOptions,
  flag,
  func,
  loggerOption,
  object,
  originsOption,
  siteIdOption,
  text,
} from './check-options.ts'
import { currentEnvironment } from './env.ts'
import { secretValues } from './secrets.ts'
import { draftSecretIn, editorOriginsOf, siteUrlIn } from './site-environment.ts'

export interface SiteEditorOptions extends Omit<SiteOptions, 'registry' | 'missing'> {
  /** The block types of this site by name; default: the built-in ones. */
  readonly blocks?: SiteBlocks | undefined
  /** The path of the editor routes, with or without slashes at its ends; default: `/api/editor`. */
  readonly basePath?: string | undefined
  /** Origins of editors whose pages may call these routes. */
  readonly editorOrigins?: readonly string[] | undefined
  readonly logger?: Logger | undefined
}

const count = v.pipe(
  v.number('expected a number'),
  v.integer('expected a whole number'),
  v.minValue(0, 'expected 0 or more'),
)

const Options = {
  adapter: adapterOption,
  publish: v.optional(func('expected a publish handler, such as jsonFilePublishHandler(path)')),
  publishSecret: v.optional(text),
  draftSecret: v.optional(text),
  maxPagesRemoved: v.optional(count),
  blocks: v.optional(object),
  siteId: v.optional(siteIdOption),
  secure: v.optional(flag),
  basePath: v.optional(text),
  editorOrigins: v.optional(originsOption),
  logger: v.optional(loggerOption),
}

const removed = {
  editorApiPath:
    ', which was removed in 0.13.0: editors call /api/editor; mount the routes elsewhere with basePath',
}

/**
 * Creates the editor routes of a website, for `node:http` and for web requests.
 *
 * Missing or blank options come from the environment: `publishSecret` from PUBLISH_TOKEN, `draftSecret` from
 * DRAFT_MODE_SECRET, VITE_SITE_DRAFT_SECRET or NEXT_DRAFT_MODE_SECRET, `editorOrigins` from
 * EDITOR_CORS_ORIGINS and EDITOR_ORIGIN, which may have the prefix of a framework, `secure` from the scheme
 * of SITE_URL, which may have the prefix of a framework as well. Outside production, editor origins include
 * the orchestrator, and by default port 4100 of this machine.
 *
 * Throws a BootError at once for unknown or mistyped options, and an Error for an invalid block type: one
 * without a name, or with a field of an unknown kind.
 */
export function createSiteEditor(given: SiteEditorOptions): Mount {
  checkOptions('createSiteEditor', Options, given, removed)
  const { basePath = '/api/editor', editorOrigins, blocks, logger, ...options } = given
  const env = currentEnvironment()
  const path = basePath.replace(/^\/+|(?<!\/)\/+$/g, '')
  const publishSecret = options.publishSecret?.trim() || env['PUBLISH_TOKEN']?.trim()
  const draftSecret = options.draftSecret?.trim() || draftSecretIn(env)
  const origins = editorOriginsOf(env, editorOrigins)
  const isPublished = isProduction(env)
  const seed: SiteOptions = {
    ...options,
    registry: blocks && toRegistry(blocks),
    publishSecret,
    draftSecret,
    missing: [
      ...(draftSecret ? [] : ['DRAFT_MODE_SECRET']),
      ...(isPublished && !publishSecret ? ['PUBLISH_TOKEN'] : []),
      ...(isPublished && origins.length === 0 ? ['EDITOR_CORS_ORIGINS'] : []),
    ],
    secure: options.secure ?? (siteUrlIn(env)?.value.startsWith('https:') ? true : undefined),
  }
  const log = logger ?? createLogger({ secrets: secretValues(env) })
  const seeds = [give(siteOptions, seed)]
  return mount(
    { shape: 'site', plugins: [use(site)], seeds, env, log, origins: { origins } },
    { basePath: path === '' ? '' : `/${path}` },
  )
}
