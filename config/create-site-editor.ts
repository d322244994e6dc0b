import { createLogger, give, mount, use, type Logger, type Mount } from '../kernel/index.ts'
import site from '../plugins/site/index.ts'
import { siteOptions, type SiteOptions } from '../plugins/site/port.ts'
import { currentEnvironment } from './env.ts'
import { secretValues } from './secrets.ts'

export interface SiteEditorOptions extends SiteOptions {
  /** Where the editor routes are mounted, with or without slashes at its ends; `/api/editor` without it. */
  readonly basePath?: string | undefined
  /** Origins of editors whose pages may call these routes. */
  readonly editorOrigins?: readonly string[] | undefined
  readonly logger?: Logger | undefined
}

/**
 * Makes the editor routes of a website, for `node:http` and for web requests.
 *
 * What is left out or blank comes from the environment: `publishSecret` from PUBLISH_TOKEN, `draftSecret`
 * from DRAFT_MODE_SECRET, `editorOrigins` from EDITOR_CORS_ORIGINS and NEXT_PUBLIC_EDITOR_ORIGIN, `secure`
 * from the scheme of NEXT_PUBLIC_SITE_URL.
 */
export function createSiteEditor({
  basePath = '/api/editor',
  editorOrigins,
  logger,
  ...options
}: SiteEditorOptions): Mount {
  const env = currentEnvironment()
  const path = basePath.replace(/^\/+|(?<!\/)\/+$/g, '')
  const seed: SiteOptions = {
    ...options,
    publishSecret: options.publishSecret?.trim() || env['PUBLISH_TOKEN'],
    draftSecret: options.draftSecret?.trim() || env['DRAFT_MODE_SECRET'],
    secure: options.secure ?? (env['NEXT_PUBLIC_SITE_URL']?.startsWith('https:') ? true : undefined),
  }
  const origins =
    editorOrigins ??
    [env['EDITOR_CORS_ORIGINS'], env['NEXT_PUBLIC_EDITOR_ORIGIN']].flatMap((list) => list?.split(',') ?? [])
  return mount(
    {
      shape: 'site',
      plugins: [use(site)],
      seeds: [give(siteOptions, seed)],
      env,
      log: logger ?? createLogger({ secrets: secretValues(env) }),
      origins: { origins: origins.map((origin) => origin.trim().replace(/(?<!\/)\/+$/, '')).filter(Boolean) },
    },
    { basePath: path === '' ? '' : `/${path}` },
  )
}
