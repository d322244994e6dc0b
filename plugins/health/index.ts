import { definePlugin, optional } from '../../kernel/index.ts'
import { blobs } from '../blobs/port.ts'
import { bus } from '../bus/port.ts'
import { store } from '../store/port.ts'
import { createOwnServerGate, ownServerGate } from './gate.ts'
import { icon } from './icon.ts'
import { routes } from './routes.ts'
import { checkParts } from './service.ts'

/** Container checks compare the whole text with this, so it stays as it is. */
const healthy = { status: 200, body: '{"ok":true}' } as const

/** Tells whether the service is there, alive and ready. */
export default definePlugin({
  name: 'health',
  tag: 'Health',
  needs: { store: optional(store), blobs: optional(blobs), bus: optional(bus) },
  gives: { ownServerGate },
  routes,
}).setup(({ needs, shape, signal, log }) => ({
  gives: { ownServerGate: createOwnServerGate(shape) },
  handlers: {
    health: () => healthy,
    live: () => ({ status: 200, body: { ok: true } }),
    async ready() {
      const checks = await checkParts(needs, log)
      const ok = !signal.aborted && Object.values(checks).every((answer) => answer === 'ok')
      return ok ? { status: 200, body: { ok, checks } } : { status: 503, body: { ok: false, checks } }
    },
    icon: () => ({ status: 200, body: icon, headers: { 'cache-control': 'public, max-age=86400' } }),
  },
}))
