/** Whether a language model answers, and what it has cost today. */
import { signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { may } from '../stores/access.ts'
import { aboutDollars, numberOf } from '../stores/formats.ts'
import { newest } from '../stores/newest.ts'
import { draftId } from '../stores/site.ts'

type Usage = Answer<'GET /usage'>

/** `undefined` until it is known. */
export const hasModel = signal<boolean | undefined>(undefined)
export const today = signal<Pick<Usage, 'total' | 'budget'> | undefined>(undefined)

const loadModel = newest(
  () => call('GET /status/planner'),
  ({ plannerSource, availableProviders }) =>
    void (hasModel.value = plannerSource !== 'demo' || availableProviders.length > 0),
)
const loadToday = newest(
  () => {
    const from = new Date().toISOString().slice(0, 10)
    return call('GET /usage', { query: { siteId: draftId.value.siteId, from } })
  },
  (read) => void (today.value = read),
)

export async function loadCost(): Promise<void> {
  await loadModel()
  if (hasModel.value && may('admin')) await loadToday()
}

/** A price for people; tokens where the price of the model is not known. */
export const priced = (usd: number | null, tokens: number): string =>
  usd === null ? `${numberOf(tokens)} tokens` : aboutDollars(usd)
