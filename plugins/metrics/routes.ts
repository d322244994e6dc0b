import { defineRoutes, gates, text } from '../../kernel/index.ts'

export const routes = defineRoutes({
  metrics: {
    method: 'GET',
    path: '/metrics',
    gate: gates.access,
    can: 'admin',
    summary: 'Tells in the text format of Prometheus what the service does.',
    replies: { 200: text('text/plain') },
    refusals: { 503: 'metrics_missing' },
  },
})
