import { definePlugin, defineRoutes, gates, use, type Used } from '../../../kernel/index.ts'
import { outbound } from '../../../plugins/outbound/port.ts'
import outboundPlugin from '../../../plugins/outbound/index.ts'
import tracing from '../../../plugins/tracing/index.ts'
import * as v from 'valibot'

const routes = defineRoutes({
  ask: {
    method: 'POST',
    path: '/ask/:name',
    gate: gates.public,
    summary: 'Asks other servers.',
    body: v.object({ urls: v.array(v.string()) }),
    replies: { 200: v.object({}) },
  },
})

/** Fetches the URLs of a request in order; all their origins are allowed here, and only some in the configuration. */
const asking = definePlugin({ name: 'asking', tag: 'In-house', needs: { outbound }, routes }).setup(
  ({ needs: { outbound } }) => ({
    handlers: {
      async ask({ body: { urls } }) {
        const allowOrigins = urls.map((url) => new URL(url).origin)
        for (const url of urls) await outbound.fetch(url, { maxBytes: 100, timeoutMs: 30_000, allowOrigins })
        return { status: 200, body: {} }
      },
    },
  }),
)

export const tracedPlugins: readonly Used[] = [use(outboundPlugin), use(tracing), use(asking)]

export const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
