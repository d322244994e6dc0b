/** What operators look at: each source is loaded by itself, and may be missing here. */
import { effect, signal, type Signal } from '@preact/signals'
import { dayOf, ranges, startsOf, type RangeName } from './series.ts'
import { call, sentenceOf, type Answer } from '../service.ts'
import { draftId } from './site.ts'

/** `undefined` while it loads for the first time. */
export type Loaded<T> = { readonly value: T } | { readonly failure: string } | undefined

export const range = signal<RangeName>('week')
/** The starts of the hours or days that are shown. */
export const starts = signal<readonly number[]>([])

export const runs = signal<Loaded<Answer<'GET /telemetry/chat'>>>(undefined)
export const changes = signal<Loaded<Answer<'GET /history/log'>>>(undefined)
export const spent = signal<Loaded<Answer<'GET /usage'>>>(undefined)
export const publishes = signal<Loaded<Answer<'GET /publish/log'>>>(undefined)
export const tokens = signal<Loaded<Answer<'GET /auth/tokens'>>>(undefined)
export const endpoints = signal<Loaded<Answer<'GET /webhooks'>>>(undefined)
export const undelivered = signal<Loaded<Answer<'GET /webhooks/deliveries'>>>(undefined)
export const doctor = signal<Loaded<Answer<'GET /doctor'>>>(undefined)

/** The number of loads that are under way. */
export const loading = signal(0)

const into = <T>(source: Signal<Loaded<T>>, answer: Promise<T>): Promise<unknown> =>
  answer.then(
    (value) => (source.value = { value }),
    (error: unknown) => (source.value = { failure: sentenceOf(error) }),
  )

/** Loads everything again; what is shown stays until its answer has come. */
export async function loadInsights(): Promise<void> {
  const chosen = ranges[range.peek()]
  const now = Date.now()
  starts.value = startsOf(chosen, now)
  const draft = draftId.peek()
  const { siteId } = draft
  const period = { from: dayOf(starts.value[0] ?? now), to: dayOf(now) }
  loading.value = loading.peek() + 1
  await Promise.all([
    into(runs, call('GET /telemetry/chat', { query: { siteId, phase: 'result', limit: 1000 } as never })),
    into(changes, call('GET /history/log', { query: { ...draft, limit: 100 } as never })),
    into(spent, call('GET /usage', { query: { siteId, group: 'day', ...period } })),
    into(publishes, call('GET /publish/log', { query: { ...draft, limit: 100 } as never })),
    into(tokens, call('GET /auth/tokens')),
    into(endpoints, call('GET /webhooks')),
    into(undelivered, call('GET /webhooks/deliveries', { query: { state: 'failed', limit: 20 } as never })),
    into(doctor, call('GET /doctor')),
  ])
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

export const valueOf = <T>(source: Loaded<T>): T | undefined =>
  source && 'value' in source ? source.value : undefined
