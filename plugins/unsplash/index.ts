import * as v from 'valibot'
import { Refusal, countOption, definePlugin, optional, type Logger } from '../../kernel/index.ts'
import { bus } from '../bus/port.ts'
import { imageSources } from '../chat/port.ts'
import { drafts } from '../draft/port.ts'
import { outbound } from '../outbound/port.ts'
import { features } from '../status/port.ts'
import { tools } from '../tools/port.ts'
import { createUnsplash } from './client.ts'
import { createOffered, createSource, createUnsplashTools } from './source.ts'
import { refusals } from './refusals.ts'
import { routes } from './routes.ts'
import { PhotoId, UnsplashVariables } from './schemas.ts'

/** Photos of Unsplash, for editors, chat and agents. Needs UNSPLASH_ACCESS_KEY. */
export default definePlugin({
  name: 'unsplash',
  tag: 'Media',
  options: v.object({
    timeoutMs: countOption(6_000),
    appName: v.optional(v.string(), 'content-orchestrator'),
  }),
  env: UnsplashVariables,
  needs: { outbound, bus: optional(bus), drafts: optional(drafts) },
  gives: { features, source: imageSources, search: tools, getById: tools },
  routes,
}).setup(({ needs: { outbound, bus, drafts }, options, env, log, signal }) => {
  const { UNSPLASH_ACCESS_KEY: key, UNSPLASH_BASE_URL: baseUrl } = env
  const unsplash = key === undefined ? undefined : createUnsplash({ outbound, key, baseUrl, ...options })
  const chosen = (id: string): void =>
    void unsplash
      ?.use(id, signal)
      .catch((err: unknown) => log.warn({ err }, 'use of a photo could not be reported to unsplash'))
  const [search, getById] = unsplash ? createUnsplashTools({ unsplash, chosen }) : []
  const offered = unsplash && bus && drafts ? createOffered({ bus, drafts, log, signal, chosen }) : undefined
  return {
    gives: {
      features: { unsplash: unsplash !== undefined },
      source: createSource({ unsplash, offered, chosen }),
      search,
      getById,
    },
    handlers: {
      async search({ query, signal, log }) {
        if (!unsplash) throw refusals.notConfigured()
        const empty = { items: [], totalPages: 0 }
        return {
          status: 200,
          body: query.q === '' ? empty : await orDegraded(unsplash.search(query, signal), empty, log),
        }
      },
      async use({ body: { id }, signal, log }) {
        if (!unsplash) throw refusals.notConfigured()
        if (!v.is(PhotoId, id)) throw refusals.invalidId()
        const report = await orDegraded(
          unsplash.use(id, signal).then(() => ({})),
          {},
          log,
        )
        return { status: 200, body: { ok: report.degraded === undefined, ...report } }
      },
    },
  }
})

/** Returns the result of a call, or an empty one with the reason, so that editors keep working. */
async function orDegraded<T extends object>(
  pending: Promise<T>,
  empty: T,
  log: Pick<Logger, 'warn'>,
): Promise<T & { readonly degraded?: true; readonly reason?: string }> {
  try {
    return await pending
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 502) throw error
    log.warn({ err: error }, 'unsplash request failed')
    return { ...empty, degraded: true, reason: error.reason }
  }
}
