import { useEffect } from 'preact/hooks'
import { Button, Choice } from '../parts/button.tsx'
import { followInsights, isLoading, loadInsights, range, runs } from './insights-store.ts'
import { Charts } from './charts.tsx'
import { Failures } from './failures.tsx'
import { Doctor, Tokens, Webhooks } from './lists.tsx'
import { ranges, type RangeName } from './series.ts'

const isRange = (name: string): name is RangeName => Object.hasOwn(ranges, name)
const options = Object.keys(ranges)
  .filter(isRange)
  .map((value) => ({ value, title: ranges[value].text, text: ranges[value].text }))

/** What happened, what it cost, what fails, and what to mend. */
export function Insights() {
  useEffect(followInsights, [])
  return (
    <div class="view insights">
      <header>
        <h1>Insights</h1>
        <Choice
          label="Time"
          options={options}
          value={range.value}
          onChoose={(value) => (range.value = value)}
        />
        <Button onClick={() => void loadInsights()}>{isLoading.value ? 'Loading…' : 'Load again'}</Button>
      </header>
      {(runs.value.value ?? runs.failure.value) === undefined ? (
        <div class="skeleton" aria-busy="true" />
      ) : (
        <Charts />
      )}
      <div class="halves">
        <div>
          <Failures />
          <Tokens />
          <Webhooks />
        </div>
        <Doctor />
      </div>
    </div>
  )
}
