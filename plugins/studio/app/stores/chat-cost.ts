/** Whether a language model answers, and what it has cost today. */
import { signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { may } from './access.ts'
import { draftId } from './site.ts'

type Usage = Answer<'GET /usage'>

/** `undefined` until it is known. */
export const hasModel = signal<boolean | undefined>(undefined)
export const today = signal<Pick<Usage, 'total' | 'budget'> | undefined>(undefined)

export async function loadCost(): Promise<void> {
  const { plannerSource, availableProviders } = await call('GET /status/planner')
  hasModel.value = plannerSource !== 'demo' || availableProviders.length > 0
  if (!hasModel.value || !may('admin')) return
  const from = new Date().toISOString().slice(0, 10)
  today.value = await call('GET /usage', { query: { siteId: draftId.value.siteId, from } })
}

const dollars = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
})

/** A price for people; tokens where the price of the model is not known. */
export const priced = (usd: number | null, tokens: number): string =>
  usd === null ? `${tokens} tokens` : dollars.format(usd)
