import { defineRoutes, gates, text } from '../../kernel/index.ts'
import { metricsMissing } from './refusals.ts'

export const routes = defineRoutes({
  metrics: {
    method: 'GET',
    path: '/metrics',
    gate: gates.access,
    can: 'admin',
    summary: 'Returns metrics in the text format of Prometheus.',
    replies: { 200: text('text/plain') },
    refusals: [metricsMissing],
  },
})
