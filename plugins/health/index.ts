import { definePlugin, gates, type Logger, optional, publicGate, withTimeout } from '../../kernel/index.ts'
import { blobs } from '../blobs/port.ts'
import { bus } from '../bus/port.ts'
import { store } from '../store/port.ts'
import { installation, leaving } from './port.ts'
import { createOwnServerGate, ownServerGate, probeGate, routes } from './routes.ts'

/** Container checks compare the complete text with this, so it must not change. */
const healthy = { status: 200, body: '{"ok":true}' } as const

/** Reports whether the service is running, alive and ready. */
export default definePlugin({
  name: 'health',
  tag: 'Health',
  needs: {
    access: gates.access,
    store: optional(store),
    blobs: optional(blobs),
    bus: optional(bus),
    installation: optional(installation),
    leaving: optional(leaving),
  },
  gives: { ownServerGate, probeGate },
  routes,
}).setup(({ needs: { access, installation, leaving, ...needs }, shape, signal, log }) => {
  let checking: ReturnType<typeof checkParts> | undefined
  /** Shared by requests at the same time: a check writes to the disk, and anyone may ask for one. */
  const check = () =>
    (checking ??= checkParts({ ...needs, clock: needs.store?.clock }, log).finally(
      () => (checking = undefined),
    ))
  return {
    gives: {
      ownServerGate: createOwnServerGate(shape),
      probeGate: shape === 'standalone' ? publicGate : access,
    },
    handlers: {
      health: () => healthy,
      live: () => ({ status: 200, body: { ok: true } }),
      async ready() {
        const checks = await check()
        // A wrong clock does not make the process unready: the time of the database is used.
        const parts = Object.entries(checks).filter(([name]) => name !== 'clock')
        const ok = !signal.aborted && !leaving?.() && parts.every(([, answer]) => answer === 'ok')
        return ok ? { status: 200, body: { ok, checks } } : { status: 503, body: { ok: false, checks } }
      },
      doctor: async () => ({ status: 200, body: { findings: [...((await installation?.()) ?? [])] } }),
      icon: () => ({ status: 200, body: icon, headers: { 'cache-control': 'public, max-age=86400' } }),
    },
  }
})

/** A speech bubble with two lines of text. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<path fill="#2563eb" d="M6 3h20a4 4 0 0 1 4 4v13a4 4 0 0 1-4 4H15l-8 6v-6H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z"/>' +
  '<path stroke="#fff" stroke-width="3" stroke-linecap="round" d="M9 10.5h14M9 16.5h9"/>' +
  '</svg>'

/** A part of the service that reports its health. */
interface HealthReporter {
  /** `ok`, or a sentence with the problem; everyone may read it, so it has no path, address or secret. */
  health(): Promise<string>
}

/** Milliseconds for a part to answer; probes wait only a few seconds. */
const patienceMs = 2000

/** Checks all parts concurrently. A part that fails or does not answer in time is unhealthy. */
async function checkParts(
  parts: Readonly<Record<string, HealthReporter | undefined>>,
  log: Logger,
): Promise<Readonly<Record<string, string>>> {
  const reports = Object.entries(parts).flatMap(([name, part]) => (part ? [ask(name, part, log)] : []))
  return Object.fromEntries(await Promise.all(reports))
}

async function ask(name: string, part: HealthReporter, log: Logger): Promise<readonly [string, string]> {
  const late = new Error(`No answer within ${patienceMs / 1000} seconds.`)
  try {
    return [name, await withTimeout(patienceMs, part.health(), () => late)]
  } catch (err) {
    if (err === late) return [name, late.message]
    log.error({ err, part: name }, 'health check failed')
    return [name, 'It could not be asked; the log has the cause.']
  }
}
