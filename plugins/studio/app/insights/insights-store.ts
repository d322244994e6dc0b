/** What operators look at: each source is loaded by itself, and may be missing here. */
import { computed, effect, signal } from '@preact/signals'
import { dayOf, ranges, startsOf, type RangeName } from './series.ts'
import { call } from '../service.ts'
import { loaded } from '../stores/loaded.ts'
import { loadLog } from '../stores/log.ts'
import { draftId } from '../stores/site.ts'

export const range = signal<RangeName>('week')
/** The starts of the hours or days that are shown. */
export const starts = signal<readonly number[]>([])

export const runs = loaded(() => {
  const { siteId } = draftId.peek()
  return call('GET /telemetry/chat', { query: { siteId, phase: 'result', limit: '1000' } })
})
export const spent = loaded(() => {
  const { siteId } = draftId.peek()
  const period = { from: dayOf(starts.peek()[0] ?? Date.now()), to: dayOf(Date.now()) }
  return call('GET /usage', { query: { siteId, group: 'day', ...period } })
})
export const tokens = loaded(() => call('GET /auth/tokens'))
export const endpoints = loaded(() => call('GET /webhooks'))
export const undelivered = loaded(() =>
  call('GET /webhooks/deliveries', { query: { state: 'failed', limit: '20' } }),
)
export const doctor = loaded(() => call('GET /doctor'))

const loads = [runs, spent, tokens, endpoints, undelivered, doctor].map(({ load }) => load)
/** The number of loads that are under way. */
const loading = signal(0)
/** Whether they are being loaded. */
export const isLoading = computed(() => loading.value > 0)

/** Loads everything again; what is shown stays until its answer has come. */
export async function loadInsights(): Promise<void> {
  starts.value = startsOf(ranges[range.peek()], Date.now())
  loading.value = loading.peek() + 1
  await Promise.all([loadLog(), ...loads.map((load) => load())])
  loading.value = loading.peek() - 1
}

/** Loads them when the range changes, until the view is left. */
export const followInsights = (): (() => void) =>
  effect(() => {
    if (range.value in ranges) void loadInsights()
  })

/** Sends a webhook again. */
export async function replay(id: string): Promise<void> {
  await call('POST /webhooks/deliveries/:id/replay', { params: { id } })
  await loadInsights()
}
