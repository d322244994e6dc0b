import * as v from 'valibot'
import { Refusal, countOption, definePlugin, optional, type Logger } from '../../kernel/index.ts'
import { bus } from '../bus/port.ts'
import { imageSources } from '../chat/port.ts'
import { drafts } from '../draft/port.ts'
import { outbound } from '../outbound/port.ts'
import { features } from '../status/port.ts'
import { tools } from '../tools/port.ts'
import { createUnsplash } from './client.ts'
import { createOffered, createSource } from './source.ts'
import { refusals } from './refusals.ts'
import { routes } from './routes.ts'
import { PhotoId, UnsplashVariables } from './schemas.ts'
import { createUnsplashTools } from './tools.ts'

/** Photos of Unsplash: searched by editors, found by chat. Without UNSPLASH_ACCESS_KEY there are none. */
export default definePlugin({
  name: 'unsplash',
  tag: 'Media',
  options: v.object({ timeoutMs: countOption(6_000), appName: v.optional(v.string(), 'content-orchestrator') }),
  env: UnsplashVariables,
  needs: { outbound, bus: optional(bus), drafts: optional(drafts) },
  gives: { features, source: imageSources, search: tools, getById: tools },
  routes,
}).setup(({ needs: { outbound, bus, drafts }, options, env, log, signal }) => {
  const { UNSPLASH_ACCESS_KEY: key, UNSPLASH_BASE_URL: baseUrl } = env
  const unsplash = key === undefined ? undefined : createUnsplash({ outbound, key, baseUrl, ...options })
  const chosen = (id: string): void => void unsplash?.use(id, signal).catch((err: unknown) => log.warn({ err }, 'the use of a photo was not reported to unsplash'))
  const [search, getById] = unsplash ? createUnsplashTools({ unsplash, chosen }) : []
  const offered = unsplash && bus && drafts ? createOffered({ bus, drafts, log, signal, chosen }) : undefined
  return {
    gives: { features: { unsplash: unsplash !== undefined }, source: createSource({ unsplash, offered, chosen }), search, getById },
    handlers: {
      async search({ query, signal, log }) {
        if (!unsplash) throw refusals.notConfigured()
        const nothing = { items: [], totalPages: 0 }
        return { status: 200, body: query.q === '' ? nothing : await orDegraded(unsplash.search(query, signal), nothing, log) }
      },
      async use({ body: { id }, signal, log }) {
        if (!unsplash) throw refusals.notConfigured()
        if (!v.is(PhotoId, id)) throw refusals.invalidId()
        const report = await orDegraded(unsplash.use(id, signal).then(() => ({})), {}, log)
        return { status: 200, body: { ok: report.degraded === undefined, ...report } }
      },
    },
  }
})

/** What Unsplash gives, or nothing and a sentence why, so that an editor goes on. */
async function orDegraded<T extends object>(
  asked: Promise<T>,
  nothing: T,
  log: Pick<Logger, 'warn'>,
): Promise<T & { readonly degraded?: true; readonly reason?: string }> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 502) throw error
    log.warn({ err: error }, 'unsplash gave nothing that can be used')
    return { ...nothing, degraded: true, reason: error.reason }
  }
}
