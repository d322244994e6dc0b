import { range, runs, spent, starts } from './insights-store.ts'
import { dollarsOf, numberOf } from '../stores/formats.ts'
import { entries, logFailure } from '../stores/log.ts'
import { Chart } from './chart.tsx'
import { dayOf, ranges, sumsOf } from './series.ts'

const count = (value: number): string => (Number.isInteger(value) ? numberOf(value) : '')
const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0)

const mostChanges = 100

/** Messages, changes, cost and failures over time. */
export function Charts() {
  const { unit } = ranges[range.value]
  const shown = starts.value
  const rows = runs.value.value?.rows ?? []
  const lines = entries.value ?? []
  const failed = rows.filter((row) => row.failed === true)
  const days = new Map(spent.value.value?.rows.map(({ key, estimatedUsd }) => [key, estimatedUsd ?? 0]))
  const cost =
    unit === 'day'
      ? shown.map((start) => days.get(dayOf(start)) ?? 0)
      : sumsOf(
          shown,
          rows,
          ({ at }) => at,
          ({ estimatedUsd }) => estimatedUsd ?? 0,
        )
  const hasUnpriced = spent.value.value?.total.estimatedUsd === null
  const isCut = lines.length === mostChanges
  const charts = [
    { title: 'Messages', values: sumsOf(shown, rows, ({ at }) => at), note: runs.failure.value },
    {
      title: 'Changes',
      values: sumsOf(shown, lines, ({ at }) => at),
      note: logFailure.value ?? (isCut ? `The newest ${mostChanges} of this draft.` : undefined),
    },
    {
      title: 'Cost',
      values: cost,
      format: dollarsOf,
      note: spent.failure.value ?? (hasUnpriced ? 'Some models have no price.' : undefined),
    },
    { title: 'Failures', values: sumsOf(shown, failed, ({ at }) => at), note: runs.failure.value },
  ]
  return (
    <div class="charts">
      {charts.map(({ values, format = count, ...each }) => (
        <Chart
          key={each.title}
          {...each}
          {...{ values, format, unit }}
          starts={shown}
          total={format(sum(values))}
        />
      ))}
    </div>
  )
}
