import * as v from 'valibot'
import { countOption, definePlugin } from '../../../kernel/index.ts'
import { imageOrigins, imageSources, orDegraded } from '../port.ts'
import { outbound } from '../../outbound/port.ts'
import { features } from '../../health/status/port.ts'
import { tools } from '../../tools/port.ts'
import { createUnsplash } from './client.ts'
import { createSource, createUnsplashTools } from './source.ts'
import { refusals } from './refusals.ts'
import { routes } from './routes.ts'
import { PhotoId, UnsplashVariables } from './schemas.ts'

/** Photos of Unsplash, for editors, chat and agents. Needs UNSPLASH_ACCESS_KEY. */
export default definePlugin({
  name: 'media-unsplash',
  tag: 'Media',
  options: v.object({ timeoutMs: countOption(6_000) }),
  env: UnsplashVariables,
  needs: { outbound },
  gives: { features, imageOrigins, source: imageSources, search: tools, getById: tools },
  routes,
}).setup(({ needs: { outbound }, options, env, log, signal }) => {
  const { UNSPLASH_ACCESS_KEY: key, UNSPLASH_BASE_URL: baseUrl } = env
  const unsplash = key === undefined ? undefined : createUnsplash({ outbound, key, baseUrl, ...options })
  const parts = unsplash && {
    unsplash,
    chosen: (id: string): void =>
      void unsplash
        .use(id, signal)
        .catch((err: unknown) => log.warn({ err }, 'use of a photo could not be reported to unsplash')),
  }
  const [search, getById] = parts ? createUnsplashTools(parts) : []
  return {
    gives: {
      features: { unsplash: unsplash !== undefined },
      imageOrigins: unsplash ? ['https://images.unsplash.com', 'https://plus.unsplash.com'] : [],
      source: createSource(parts),
      search,
      getById,
    },
    handlers: {
      async search({ query, signal, log }) {
        if (!unsplash) throw refusals.notConfigured()
        const empty = { items: [], totalPages: 0 }
        return {
          status: 200,
          body:
            query.q === ''
              ? empty
              : await orDegraded(unsplash.search(query, signal), empty, { log, library: 'unsplash' }),
        }
      },
      async use({ body: { id }, signal, log }) {
        if (!unsplash) throw refusals.notConfigured()
        if (!v.is(PhotoId, id)) throw refusals.invalidId()
        const report = await orDegraded(
          unsplash.use(id, signal).then(() => ({})),
          {},
          { log, library: 'unsplash' },
        )
        return { status: 200, body: { ok: report.degraded === undefined, ...report } }
      },
    },
  }
})
