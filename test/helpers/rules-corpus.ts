/** All recorded messages to the planner without a model, and the verdict on its outcome. */
import { isDeepStrictEqual } from 'node:util'
import type { DraftSnapshot } from '../../plugins/chat/types/planner.ts'
import type { Outcome } from '../../plugins/chat/types/plan.ts'
import { demoPages } from '../../plugins/content/demo-pages.ts'
import { bicycleExamples } from '../fixtures/chat/bicycle-examples.ts'
import { bicycleWordings, germanBicycleWordings } from '../fixtures/chat/bicycle-wordings.ts'
import { germanExamples } from '../fixtures/chat/examples-de.ts'
import { examples } from '../fixtures/chat/examples.ts'
import { germanForms } from '../fixtures/chat/forms-de.ts'
import { forms } from '../fixtures/chat/forms.ts'
import { noEdits } from '../fixtures/chat/no-edits.ts'
import { germanNoEdits } from '../fixtures/chat/no-edits-de.ts'
import { germanMisread, germanMisreadBicycles, misread, misreadBicycles, misreadWorkshop, type Misread } from '../fixtures/chat/misread.ts'
import type { Expected, Wording } from '../fixtures/chat/notation.ts'
import { kayakPages } from '../fixtures/chat/site.ts'
import { wordings } from '../fixtures/chat/wordings.ts'
import { germanWordings } from '../fixtures/chat/wordings-de.ts'
import { workshopExamples } from '../fixtures/chat/workshop-examples.ts'
import { workshopPages } from '../fixtures/chat/workshop.ts'
import { draftAfterPlan, planFor, stepsOf } from './chat-rules.ts'
import { draftOf } from './content.ts'

export type Verdict = 'right' | 'asked' | 'unsupported' | 'wrong'

export interface Collection {
  readonly name: string
  readonly locale: 'en' | 'de'
  readonly pages: DraftSnapshot['pages']
  readonly config?: DraftSnapshot['config']
  readonly rows: readonly Wording[]
  /** The least number of understood rows that are not `aside`. */
  readonly floor: number
}

const shop = { navLabels: { '/our-tools': 'Kit' }, navGroups: { Old: ['/', '/our-tools'] } }
const nothing = (messages: readonly string[]): readonly Wording[] => messages.map((message) => ({ at: '/', message, gives: 'unsupported' }))
const refused = (rows: readonly Misread[]): readonly Wording[] => rows.map(([at, message]) => ({ at, message, gives: 'unsupported' }))
const bicycles = (wanted: string): readonly Wording[] =>
  bicycleExamples.filter(([locale]) => locale === wanted).map(([, at, message, gives]) => ({ at, message, gives }))

/** Without the rows about pending plans, which a run handles and not the planner. */
const planned = (rows: readonly Wording[]) => rows.filter(({ gives }) => !['empty', 'approves', 'refuses'].includes(String(gives)))

export const collections: readonly Collection[] = [
  { name: 'kayaks', locale: 'en', pages: kayakPages, rows: wordings, floor: 325 },
  { name: 'bicycles', locale: 'en', pages: demoPages, rows: bicycleWordings, floor: 53 },
  { name: 'examples', locale: 'en', pages: kayakPages, rows: planned(examples), floor: 190 },
  { name: 'forms', locale: 'en', pages: kayakPages, rows: forms, floor: 85 },
  { name: 'workshop', locale: 'en', pages: workshopPages, config: shop, rows: workshopExamples, floor: 100 },
  { name: 'bicycle examples', locale: 'en', pages: demoPages, rows: bicycles('en'), floor: 33 },
  { name: 'no edits', locale: 'en', pages: kayakPages, rows: nothing(noEdits), floor: noEdits.length },
  { name: 'misread', locale: 'en', pages: kayakPages, rows: refused(misread), floor: 0 },
  { name: 'misread bicycles', locale: 'en', pages: demoPages, rows: refused(misreadBicycles), floor: 0 },
  { name: 'misread workshop', locale: 'en', pages: workshopPages, config: shop, rows: refused(misreadWorkshop), floor: 0 },
  { name: 'kayaks', locale: 'de', pages: kayakPages, rows: germanWordings, floor: 85 },
  { name: 'bicycles', locale: 'de', pages: demoPages, rows: germanBicycleWordings, floor: 42 },
  { name: 'examples', locale: 'de', pages: kayakPages, rows: planned(germanExamples), floor: 170 },
  { name: 'forms', locale: 'de', pages: kayakPages, rows: germanForms, floor: 385 },
  { name: 'bicycle examples', locale: 'de', pages: demoPages, rows: bicycles('de'), floor: 17 },
  { name: 'misread', locale: 'de', pages: kayakPages, rows: refused(germanMisread), floor: 0 },
  { name: 'misread bicycles', locale: 'de', pages: demoPages, rows: refused(germanMisreadBicycles), floor: 0 },
  { name: 'no edits', locale: 'de', pages: kayakPages, rows: nothing(germanNoEdits), floor: germanNoEdits.length },
]

/** The outcome of a message on the draft after the message `before`; `locale` is that of the answers. */
export function outcomeOf({ at, message, before, asked }: Wording, { locale, pages, config = {} }: Omit<Collection, 'locale' | 'floor' | 'name' | 'rows'> & { readonly locale: string }): Outcome {
  const draft: DraftSnapshot = { version: 3, pages, config }
  const earlier = before === undefined ? undefined : planFor(at, before, { locale, draft })
  if (earlier?.kind !== 'plan') return planFor(at, message, { locale, draft, asked })
  const done = draftAfterPlan(earlier.plan.ops, draftOf(pages, config))
  const changed = done.order.map((slug) => done.page(slug)).filter((page) => page !== undefined)
  return planFor(at, message, { locale, draft: { version: 4, pages: changed, config: done.config } })
}

/** A plan that differs from the expected one is wrong; without a plan there was a question, or no support. */
export function verdictOn(outcome: Outcome, gives: Expected): Verdict {
  if (typeof gives === 'string') return outcome.kind === 'plan' ? 'wrong' : 'right'
  if (outcome.kind === 'plan') return isDeepStrictEqual(stepsOf(outcome.plan.ops), gives) ? 'right' : 'wrong'
  return outcome.kind === 'question' ? 'asked' : 'unsupported'
}
