import * as v from 'valibot'
import { countOption, definePlugin, optional } from '../../../kernel/index.ts'
import { contentAdapter, type MediaUse } from '../../content/adapter.ts'
import { imageOrigins, media } from '../port.ts'
import { outbound } from '../../outbound/port.ts'
import { scope } from '../../scope/port.ts'
import { features } from '../../health/status/port.ts'
import { browse, upload } from './images.ts'
import { openLibraries } from './libraries.ts'
import { cmsProviders } from './port.ts'
import { contentful, sanity, strapi } from './providers.ts'
import { refusals } from './refusals.ts'
import { routes } from './routes.ts'
import { CmsVariables, Sites, Use } from './schemas.ts'

const maxBytes = 2 * 1024 * 1024

/** What the text fields of an upload say; nothing of it is needed. */
function useIn(fields: Readonly<Record<string, string>>): MediaUse | undefined {
  const { success, output } = v.safeParse(Use, fields)
  return success ? output : undefined
}

/** Images of a CMS: lists them for editors, and uploads them if the content adapter supports it. */
export default definePlugin({
  name: 'media-cms',
  tag: 'Media',
  options: v.object({
    sites: v.optional(Sites, {}),
    timeoutMs: countOption(8_000),
    uploadTimeoutMs: countOption(60_000),
  }),
  env: CmsVariables,
  needs: { outbound, scope, adapter: optional(contentAdapter), media: optional(media), own: cmsProviders },
  gives: { features, imageOrigins },
  routes,
}).setup(
  ({
    needs: { outbound, scope, adapter, media, own },
    options: { sites, timeoutMs, uploadTimeoutMs },
    env,
    production,
  }) => {
    const parts = { outbound, env, limits: { timeoutMs, maxBytes } }
    const space = contentful(parts)
    const libraries = openLibraries({
      scope,
      adapter,
      providers: [space, sanity(parts), strapi(parts), ...own],
      sites,
      mayName: (origin) => !production || env.CMS_MEDIA_ALLOWED_ORIGINS.has(origin),
    })
    const store = adapter?.uploadMedia?.bind(adapter)
    return {
      gives: {
        features: { contentful: space.usual !== undefined, cmsMedia: libraries.any },
        imageOrigins: libraries.imageOrigins,
      },
      handlers: {
        async media(call) {
          const { body, caller, remote, header, signal, log } = call
          if ('receive' in body) {
            if (!store || !media) throw refusals.uploadUnsupported()
            const stored = await media.passOn({ body, caller, remote, header }, (image, fields) =>
              upload(store, image, { use: useIn(fields), timeoutMs: uploadTimeoutMs, signal, log }),
            )
            return { status: 200, body: stored }
          }
          const { query = body.q ?? '', page, limit } = body
          return {
            status: 200,
            body: await browse(
              libraries.of(body),
              { query: query.trim(), page, limit, signal },
              { timeoutMs, log },
            ),
          }
        },
        async contentful({ query: { q, page, limit }, signal, log }) {
          if (!space.usual) throw refusals.contentfulNotConfigured()
          return {
            status: 200,
            body: await browse(space.usual, { query: q.trim(), page, limit, signal }, { timeoutMs, log }),
          }
        },
      },
    }
  },
)
