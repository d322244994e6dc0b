import * as v from 'valibot'
import {
  defineRoutes,
  gate,
  type Gate,
  gates,
  publicGate,
  type Shape,
  stored,
  text,
} from '../../kernel/index.ts'

/** `ok` or a sentence with the problem, for each part. */
const Checks = v.object({
  store: v.optional(v.string()),
  blobs: v.optional(v.string()),
  bus: v.optional(v.string()),
  clock: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'Where processes share a database: whether the clock of this server agrees with it. Requests are served also if not.',
      ),
    ),
  ),
})

const Findings = v.object({
  findings: v.array(
    v.object({
      item: v.string(),
      state: v.picklist(['ok', 'warn', 'unsafe']),
      says: v.pipe(v.string(), v.description('One sentence, with the remedy unless the state is `ok`.')),
    }),
  ),
})

/** Open to everyone on a standalone server; a website has its own icon. */
export const ownServerGate = gate('own-server')

/** Creates the gate for routes that only a standalone server has. */
export function createOwnServerGate(shape: Shape): Gate {
  if (shape === 'standalone') return publicGate
  return {
    mounting: () => ({ mount: false, because: 'a mount leaves it to its site' }),
    admit: publicGate.admit,
  }
}

/** Open to everyone on a standalone server, where supervisors and proxies have no token; in a mount it is `access`. */
export const probeGate = gate('probe')

export const routes = defineRoutes({
  health: {
    method: 'GET',
    path: '/health',
    gate: gates.public,
    sites: 'none',
    summary: 'Reports that the service responds.',
    replies: { 200: stored(v.object({ ok: v.literal(true) })) },
  },
  live: {
    method: 'GET',
    path: '/livez',
    gate: probeGate,
    sites: 'none',
    summary: 'Reports that the process responds, for supervisors that restart it otherwise.',
    replies: { 200: v.object({ ok: v.literal(true) }) },
  },
  ready: {
    method: 'GET',
    path: '/readyz',
    gate: probeGate,
    sites: 'none',
    summary: 'Reports whether requests can be served now, for load balancers.',
    replies: {
      200: v.object({ ok: v.literal(true), checks: Checks }),
      503: v.object({ ok: v.literal(false), checks: Checks }),
    },
  },
  doctor: {
    method: 'GET',
    path: '/doctor',
    gate: gates.access,
    can: 'admin',
    sites: 'all',
    summary: 'Checks the settings of this installation as for production, like the command `doctor`.',
    replies: { 200: Findings },
  },
  icon: {
    method: 'GET',
    path: '/favicon.ico',
    gate: ownServerGate,
    sites: 'none',
    summary: 'Returns the icon that browsers request.',
    replies: { 200: text('image/svg+xml; charset=utf-8') },
    internal: true,
  },
})
