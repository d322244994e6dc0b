import { defineRoutes, gates } from '../../kernel/index.ts'
import { UsageQuery, UsageReport } from './schemas.ts'

export const routes = defineRoutes({
  report: {
    method: 'GET',
    path: '/usage',
    gate: gates.access,
    can: 'admin',
    sites: 'all',
    summary: 'Tells how many tokens language models took, and what they cost.',
    query: UsageQuery,
    replies: { 200: UsageReport },
    refusals: { 400: 'bad_period' },
  },
})
