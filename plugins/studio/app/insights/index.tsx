import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { NotAllowed } from '../parts/not-allowed.tsx'
import { may } from '../stores/access.ts'

const loaded = signal<typeof import('./insights.tsx') | undefined>(undefined)

/** The view of operators, whose charts are loaded when it is first opened. */
export function InsightsView() {
  const isAllowed = may('admin')
  useEffect(() => {
    if (isAllowed) void import('./insights.tsx').then((module) => (loaded.value = module))
  }, [isAllowed])
  if (!isAllowed)
    return (
      <div class="view">
        <h1>Insights</h1>
        <NotAllowed needs="admin" to="see the insights" />
      </div>
    )
  const { Insights } = loaded.value ?? {}
  return Insights ? <Insights /> : <div class="view skeleton" aria-busy="true" />
}
