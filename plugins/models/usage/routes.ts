import { defineRoutes, gates } from '../../../kernel/index.ts'
import { badPeriod } from './refusals.ts'
import { UsageQuery, UsageReport } from './schemas.ts'

export const routes = defineRoutes({
  report: {
    method: 'GET',
    path: '/usage',
    gate: gates.access,
    can: 'admin',
    sites: 'all',
    summary: 'Reports the token usage and cost of language models.',
    query: UsageQuery,
    replies: { 200: UsageReport },
    refusals: [badPeriod],
  },
})
