import type { Clock } from '../../../kernel/index.ts'
import { countedCostOf, type Price } from '../port.ts'
import type { Meter } from '../../metrics/port.ts'
import { draftKey, type DraftId, type Scope } from '../../scope/port.ts'
import { defineCollection, trusted, type Store } from '../../store/port.ts'
import type { PricedCall, UsageLog } from './port.ts'
import { badPeriod } from './refusals.ts'
import type { Counts, Group, UsageQuery, UsageReport } from './schemas.ts'

/** The usage of one session on one day. */
interface SessionDay {
  readonly id: DraftId
  readonly total: Counts
  readonly models: Readonly<Record<string, Counts>>
}

/** The usage, by (day, site and session). */
export const sessionDays = defineCollection('usage_sessions', trusted<SessionDay>(), { columns: {} })
/** The cost of each day towards the budget. */
export const spentOn = defineCollection('usage_spent', trusted<{ readonly usd: number }>(), { columns: {} })
const spentScope = 'day'

const retentionDays = 400
/** The number of expired days deleted with a session's first run of a day, including days without usage. */
const clearedDays = 14
const maxPeriod = 366
const defaultPeriod = 30
const millisecondsADay = 24 * 60 * 60 * 1000

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`)

export function createUsage({
  store,
  scope,
  clock,
  perDayUsd,
  prices,
}: {
  readonly store: Store
  readonly scope: Scope
  readonly clock: Clock
  readonly perDayUsd: number | undefined
  /** Returns the current prices. */
  prices(): readonly Price[]
}): Pick<UsageLog, 'add' | 'budget'> & { report(query: UsageQuery): Promise<UsageReport> } {
  const now = (): number => clock.now().getTime()

  async function budget() {
    if (perDayUsd === undefined) return undefined
    const spent = await store.of(spentOn).get(spentScope, dayOf(now()))
    return { perDayUsd, spentUsd: spent?.body.usd ?? 0 }
  }

  return {
    budget,
    async add(id, calls, runs = 1) {
      if (calls.length === 0) return
      const time = now()
      const [day, key] = [dayOf(time), draftKey(id)]
      const run = countsOf(calls, runs)
      const counted = calls.reduce(
        (sum, call) => sum + (call.estimatedUsd ?? countedCostOf(call, prices())),
        0,
      )
      const models = Object.entries(Object.groupBy(calls, ({ model }) => model)).map(
        ([model, some = []]) => [model, countsOf(some, runs)] as const,
      )
      await store.transaction(async (tx) => {
        const before = (await tx.of(sessionDays).get(day, key))?.body
        const stored = before?.models ?? {}
        const added = models.map(([model, counts]) => [
          model,
          plus(Object.hasOwn(stored, model) ? (stored[model] ?? nothing) : nothing, counts),
        ])
        const body = {
          id,
          total: plus(before?.total ?? nothing, run),
          models: { ...stored, ...Object.fromEntries(added) },
        }
        await tx.of(sessionDays).put(day, key, { body, columns: {} })
        const spent = (await tx.of(spentOn).get(spentScope, day))?.body.usd ?? 0
        await tx.of(spentOn).put(spentScope, day, { body: { usd: spent + counted }, columns: {} })
        if (before) return
        for (let n = 0; n < clearedDays; n += 1)
          await tx.of(sessionDays).clear(dayOf(time - (retentionDays + n) * millisecondsADay))
        await tx.of(spentOn).clear(spentScope, { before: dayOf(time - retentionDays * millisecondsADay) })
      })
    },
    async report({ siteId, session, from, to, group }) {
      const last = to ?? dayOf(now())
      const first = from ?? dayOf(timeOf(last) - defaultPeriod * millisecondsADay)
      const days = Math.round((timeOf(last) - timeOf(first)) / millisecondsADay) + 1
      if (days < 1 || days > maxPeriod) throw badPeriod(maxPeriod)

      const wanted = scope.draft({ siteId, session })
      const isWanted = ({ id }: SessionDay): boolean =>
        (siteId === undefined || id.siteId === wanted.siteId) &&
        (session === undefined || id.session === wanted.session)
      const rows = new Map<string, Counts>()
      let total = nothing
      for (let n = 0; n < days; n += 1) {
        const day = dayOf(timeOf(first) + n * millisecondsADay)
        for (const { body } of await store.of(sessionDays).list(day)) {
          if (!isWanted(body)) continue
          total = plus(total, body.total)
          for (const [key, counts] of usagePartsOf(body, day, group, scope))
            rows.set(key, plus(rows.get(key) ?? nothing, counts))
        }
      }
      const limit = await budget()
      const sorted = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1))
      return {
        rows: sorted.map(([key, counts]) => ({ key, ...counts })),
        total,
        ...(limit && { budget: limit }),
      }
    },
  }
}

/** Splits the usage of one session on one day by group. A run with two models counts for both. */
function usagePartsOf(
  { id, total, models }: SessionDay,
  day: string,
  group: Group,
  scope: Scope,
): readonly (readonly [key: string, counts: Counts])[] {
  if (group === 'model') return Object.entries(models)
  if (group === 'site') return [[id.siteId, total]]
  return [[group === 'day' ? day : scope.key(id), total]]
}

const nothing: Counts = {
  runs: 0,
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheCreationInputTokens: 0,
  cacheReadInputTokens: 0,
  estimatedUsd: 0,
}

/** Adds two counts; an unknown cost makes the sum unknown. */
function plus(a: Counts, b: Counts): Counts {
  return {
    runs: a.runs + b.runs,
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheCreationInputTokens: a.cacheCreationInputTokens + b.cacheCreationInputTokens,
    cacheReadInputTokens: a.cacheReadInputTokens + b.cacheReadInputTokens,
    estimatedUsd: a.estimatedUsd === null || b.estimatedUsd === null ? null : a.estimatedUsd + b.estimatedUsd,
  }
}

/** Sums up the calls of one run. */
function countsOf(calls: readonly PricedCall[], runs: 0 | 1 = 1): Counts {
  return calls.reduce<Counts>((sum, call) => plus(sum, { ...call, runs: 0, calls: 1 }), { ...nothing, runs })
}

const kinds = {
  input: 'inputTokens',
  output: 'outputTokens',
  cache_write: 'cacheCreationInputTokens',
  cache_read: 'cacheReadInputTokens',
} as const

/** Counts model usage since the process started; a call without a price adds no cost. */
export function createModelMeters(): { count(calls: readonly PricedCall[]): void } & Readonly<
  Record<'calls' | 'tokens' | 'cost', Meter>
> {
  const totals = new Map<string, Counts>()
  const perModel = (of: (counts: Counts) => number) => () =>
    [...totals].map(([model, counts]) => ({ labels: { model }, value: of(counts) }))
  return {
    count(calls) {
      for (const call of calls) {
        const { model, estimatedUsd } = call
        totals.set(
          model,
          plus(totals.get(model) ?? nothing, countsOf([{ ...call, estimatedUsd: estimatedUsd ?? 0 }])),
        )
      }
    },
    calls: {
      name: 'orchestrator_model_calls_total',
      help: 'Calls of language models.',
      kind: 'counter',
      labels: ['model'],
      read: perModel(({ calls }) => calls),
    },
    tokens: {
      name: 'orchestrator_model_tokens_total',
      help: 'Tokens read and written by language models.',
      kind: 'counter',
      labels: ['model', 'kind'],
      read: () =>
        [...totals].flatMap(([model, counts]) =>
          Object.entries(kinds).map(([kind, key]) => ({ labels: { model, kind }, value: counts[key] })),
        ),
    },
    cost: {
      name: 'orchestrator_model_cost_usd_total',
      help: 'Cost of language models with known prices, in US dollars.',
      kind: 'counter',
      labels: ['model'],
      read: perModel(({ estimatedUsd }) => estimatedUsd ?? 0),
    },
  }
}
