import * as v from 'valibot'
import { countVariable } from '../../../kernel/index.ts'
import { Session, SiteId } from '../../scope/port.ts'

const isDate = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
const day = v.optional(
  v.pipe(v.string(), v.check(isDate, 'must be a date such as 2026-01-31'), v.examples(['2026-01-31'])),
)

const groups = ['day', 'site', 'session', 'model'] as const
export type Group = (typeof groups)[number]

export const UsageQuery = v.object({
  siteId: SiteId,
  session: Session,
  from: v.pipe(day, v.description('The first day, in UTC; by default 30 days before the last one.')),
  to: v.pipe(day, v.description('The last day, in UTC; by default today.')),
  group: v.optional(v.picklist(groups), 'day'),
})
export type UsageQuery = v.InferOutput<typeof UsageQuery>

const counts = {
  runs: v.number(),
  calls: v.number(),
  inputTokens: v.number(),
  outputTokens: v.number(),
  cacheCreationInputTokens: v.number(),
  cacheReadInputTokens: v.number(),
  /** `null` if a model has no price. */
  estimatedUsd: v.nullable(v.number()),
}
export const Counts = v.object(counts)
export type Counts = Readonly<v.InferOutput<typeof Counts>>

export const UsageReport = v.object({
  /** Sorted by group key. */
  rows: v.array(v.object({ key: v.string(), ...counts })),
  total: Counts,
  budget: v.optional(v.object({ perDayUsd: v.number(), spentUsd: v.number() })),
})
export type UsageReport = v.InferOutput<typeof UsageReport>

const dollars = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (text) => Number.isFinite(Number(text)) && Number(text) > 0,
    'must be a positive number of US dollars',
  ),
  v.transform(Number),
)

export const UsageVariables = v.object({
  MEDIA_GENERATIONS_PER_MIN: v.pipe(
    v.optional(countVariable(0), '30'),
    v.description(
      'Images generated or described and recordings transcribed per caller and minute, including those in chat; 0 means unlimited.',
    ),
  ),
  CHAT_BUDGET_USD_PER_DAY: v.pipe(
    v.optional(dollars),
    v.description(
      'The budget for models per day (UTC), in US dollars. Once it is spent, only the rule-based planner remains available.',
    ),
  ),
})
