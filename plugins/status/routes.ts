import { defineRoutes, gates } from '../../kernel/index.ts'
import { PlannerStatus } from './schemas.ts'

export const routes = defineRoutes({
  planner: {
    method: 'GET',
    path: '/status/planner',
    gate: gates.access,
    sites: 'none',
    summary: 'Tells who plans edits and what else an editor may offer.',
    replies: { 200: PlannerStatus },
    internal: true,
  },
})
