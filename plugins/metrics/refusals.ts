import { defineRefusal } from '../../kernel/index.ts'

export const metricsMissing = defineRefusal({
  status: 503,
  code: 'metrics_missing',
  reason: () =>
    'Metrics need the package prom-client, which is not installed. Run npm install prom-client and restart the server.',
})
