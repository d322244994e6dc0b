import * as v from 'valibot'
import { defineRoutes, gates } from '../../../kernel/index.ts'
import { featureNames } from './port.ts'

export const PlannerStatus = v.object({
  /** The default planner; `demo` is the rule-based one. */
  plannerSource: v.string(),
  availableProviders: v.array(v.string()),
  /** True while the lock for public demonstrations is on. */
  demoMode: v.boolean(),
  demo: v.optional(
    v.object({
      allowedOps: v.array(v.string()),
      allowedBlockTypes: v.array(v.string()),
      rateLimitPerHour: v.number(),
    }),
  ),
  enabledTools: v.array(v.string()),
  features: v.object(v.entriesFromList(featureNames, v.optional(v.boolean(), false))),
  /** The name and demo flag of the default site. */
  siteName: v.string(),
  demoContent: v.boolean(),
})
export type PlannerStatus = v.InferInput<typeof PlannerStatus>

export const routes = defineRoutes({
  planner: {
    method: 'GET',
    path: '/status/planner',
    gate: gates.access,
    sites: 'none',
    summary: 'Reports the planners, and the features that an editor may offer.',
    replies: { 200: PlannerStatus },
    internal: true,
  },
})
