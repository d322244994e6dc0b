import * as v from 'valibot'
import { createLogger, give, mount, use, type Logger, type Mount } from '../kernel/index.ts'
import { toRegistry, type SiteBlocks } from '../plugins/site/blocks.ts'
import site from '../plugins/site/index.ts'
import { siteOptions, type SiteOptions } from '../plugins/site/port.ts'
import { adapterOption, checkOptions, flag, func, loggerOption, object, originOption, siteIdOption } from './check-options.ts'
import { draftSecretIn } from './draft-secret.ts'
import { editorOriginsOf } from './editor-origins.ts'
import { currentEnvironment } from './env.ts'
import { secretValues } from './secrets.ts'

export interface SiteEditorOptions extends Omit<SiteOptions, 'registry' | 'missing'> {
  /** The block types of this site by name; those that come with the orchestrator without it. */
  readonly blocks?: SiteBlocks | undefined
  /** Where the editor routes are mounted, with or without slashes at its ends; `/api/editor` without it. */
  readonly basePath?: string | undefined
  /** Origins of editors whose pages may call these routes. */
  readonly editorOrigins?: readonly string[] | undefined
  readonly logger?: Logger | undefined
}

const count = v.pipe(v.number('expected a number'), v.integer('expected a whole number'), v.minValue(0, 'expected 0 or more'))

const Options = {
  adapter: adapterOption,
  publish: v.optional(func('expected a publish handler, such as jsonFilePublishHandler(path)')),
  publishSecret: v.optional(v.string('expected a text')),
  draftSecret: v.optional(v.string('expected a text')),
  maxPagesRemoved: v.optional(count),
  blocks: v.optional(object),
  siteId: v.optional(siteIdOption),
  secure: v.optional(flag),
  basePath: v.string('expected a text'),
  editorOrigins: v.optional(v.array(originOption, 'expected a list of origins')),
  logger: v.optional(loggerOption),
}

const removed = { editorApiPath: ': it is gone since 0.13.0, editors ask below /api/editor; mount the routes elsewhere with basePath' }

/**
 * Makes the editor routes of a website, for `node:http` and for web requests.
 *
 * What is left out or blank comes from the environment: `publishSecret` from PUBLISH_TOKEN, `draftSecret`
 * from DRAFT_MODE_SECRET, VITE_SITE_DRAFT_SECRET or NEXT_DRAFT_MODE_SECRET, `editorOrigins` from EDITOR_CORS_ORIGINS and
 * NEXT_PUBLIC_EDITOR_ORIGIN, `secure` from the scheme of NEXT_PUBLIC_SITE_URL. Outside production the orchestrator, and
 * port 4100 of this machine where no editor is named, are origins of editors too.
 * Refuses at once, with a BootError, options that are unknown or of the wrong kind, and with an Error a block type that
 * cannot be: one without a name, or with a field of an unknown kind.
 */
export function createSiteEditor({
  basePath = '/api/editor',
  editorOrigins,
  blocks,
  logger,
  ...options
}: SiteEditorOptions): Mount {
  checkOptions('createSiteEditor', Options, { basePath, editorOrigins, blocks, logger, ...options }, removed)
  const env = currentEnvironment()
  const path = basePath.replace(/^\/+|(?<!\/)\/+$/g, '')
  const publishSecret = options.publishSecret?.trim() || env['PUBLISH_TOKEN']
  const draftSecret = options.draftSecret?.trim() || draftSecretIn(env)
  const origins = editorOriginsOf(env, editorOrigins)
  const isPublished = env['NODE_ENV'] === 'production'
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
    secure: options.secure ?? (env['NEXT_PUBLIC_SITE_URL']?.startsWith('https:') ? true : undefined),
  }
  return mount(
    {
      shape: 'site',
      plugins: [use(site)],
      seeds: [give(siteOptions, seed)],
      env,
      log: logger ?? createLogger({ secrets: secretValues(env) }),
      origins: { origins },
    },
    { basePath: path === '' ? '' : `/${path}` },
  )
}
