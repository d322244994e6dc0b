import fc from '../../helpers/property.ts'
import t from 'tap'
import type { Outcome } from '../../../plugins/chat/types/plan.ts'
import type { PlanningInput } from '../../../plugins/chat/types/planner.ts'
import { attempt } from '../../../plugins/chat-rules/attempt.ts'
import { english } from '../../../plugins/chat-rules/language/en.ts'
import { languages } from '../../../plugins/chat-rules/language/index.ts'
import { planByRules } from '../../../plugins/chat-rules/plan-by-rules.ts'
import { parseOperations } from '../../../plugins/content/operations/parse.ts'
import { examples } from '../../fixtures/chat/examples.ts'
import { noEdits } from '../../fixtures/chat/no-edits.ts'
import { wordings } from '../../fixtures/chat/wordings.ts'
import { clicked, draftAfterPlan, inputAfter, inputFor, planFor } from '../../helpers/chat-rules.ts'

const places = ['/', '/rentals', '/about', '/ b_hero_1.heading', '/ b_cta_1', '/rentals b_cards_r.cards[1].title']
const commands = [...examples, ...wordings]

const known = [
  ...Object.values(english.words).flat(), ...Object.keys(english.ordinals), ...Object.keys(english.numbers),
  ...Object.values(english.blockNouns).flat(), ...english.fieldNouns.flatMap(([, words]) => words), ...english.rowNouns.flatMap(({ one, many }) => [...one, ...many]),
]
const values = ['"Hello"', '"Rent"', "'a b'", '/about', '/nowhere', 'https://example.org/a.jpg', '#fff', 'b_hero_1', '2', '7', "'s", ':', '?', '"', "'"]
const unknown = ['zyzzyva', 'quux', '!', '§', '42nd', 'über', '🙂']
const word = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...known) }, { weight: 3, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: fc.constantFrom(...unknown) })
const randomMessages = fc.array(word, { minLength: 1, maxLength: 14 }).map((words) => words.join(' '))
const place = fc.constantFrom(...places)

/** Whether the operations are valid and can be applied. */
function isSound(outcome: Outcome): boolean {
  if (outcome.kind !== 'plan') return true
  const { ops, summary } = outcome.plan
  draftAfterPlan(ops)
  return parseOperations(JSON.parse(JSON.stringify(ops))).ok && summary !== ''
}

/** Whether a message leads to operations; faster than a plan, which includes suggestions. */
const givesOperations = (at: string, message: string): boolean => hasOperations(inputFor(at, message))

function hasOperations(input: PlanningInput): boolean {
  return languages.some((language) => {
    const tried = attempt(input, language)
    return tried.kind === 'done' && tried.work.ops.length > 0
  })
}

t.test('random words give a sound, deterministic outcome', (t) => {
  fc.assert(fc.property(randomMessages, place, (message, at) => {
    const outcome = planFor(at, message)
    return isSound(outcome) && JSON.stringify(planFor(at, message)) === JSON.stringify(outcome)
  }), { numRuns: 70 })
  t.end()
})

t.test('two joined commands give a sound outcome', (t) => {
  const pairs = fc.tuple(fc.constantFrom(...commands), fc.constantFrom(...commands), fc.constantFrom(' and ', ', ', '. ', '; then ', ' & please also '), place)
  fc.assert(fc.property(pairs, ([one, other, joint, at]) => isSound(planFor(at, one.message.replace(/[.?]$/, '') + joint + other.message))), { numRuns: 80 })
  t.end()
})

t.test('the id of a block that was added and removed in one message is not reused', (t) => {
  const outcome = planFor('/', 'Add an FAQ at the end and remove it and add an FAQ at the end')
  t.ok(outcome.kind === 'plan' && outcome.plan.ops.length === 3 && isSound(outcome), JSON.stringify(outcome))
  t.end()
})

t.test('random characters give a sound outcome', (t) => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), place, (message, at) => isSound(planFor(at, message))), { numRuns: 60 })
  t.end()
})

t.test('an unknown word is part of a value, or there is no plan', (t) => {
  const cases = fc.constantFrom(...commands).chain(({ at, message }) =>
    fc.nat({ max: message.split(' ').length }).map((place) => ({ at, message: message.split(' ').toSpliced(place, 0, 'zyzzyva').join(' ') })))
  fc.assert(fc.property(cases, ({ at, message }) => {
    const outcome = planFor(at, message)
    return outcome.kind !== 'plan' || JSON.stringify(outcome.plan.ops).toLowerCase().includes('zyzzyva')
  }), { numRuns: 70 })
  t.end()
})

t.test('planning does not mutate its input, and planning an applied update again has no effect', (t) => {
  for (const { at, message } of commands) {
    const input = inputFor(at, message)
    const before = structuredClone({ ...input, registry: undefined })
    const outcome = planByRules(input)
    t.strictSame({ ...input, registry: undefined }, before, message)
    if (outcome.kind !== 'plan') continue
    const isSetting = outcome.plan.ops.every(({ op }) => op === 'update_props' || op === 'update_item')
    if (!isSetting || /\b(?:append|prepend|add|swap|flip|replace|correct|remove|delete|up|down|stick|in front of|other side)\b/i.test(message)) continue
    const draft = draftAfterPlan(outcome.plan.ops)
    const pages = draft.order.map((slug) => draft.page(slug)).filter((page) => page !== undefined)
    const again = planByRules({ ...input, draft: { ...input.draft, pages } })
    t.not(again.kind, 'plan', `${message}: ${JSON.stringify(again)}`)
  }
  t.end()
})

t.test('sentences without a literal edit request give no operations', (t) => {
  t.ok(noEdits.length >= 200)
  for (const message of noEdits) {
    t.not(planFor('/', message).kind, 'plan', message)
    for (const at of places) t.notOk(givesOperations(at, message), `${message} (${at})`)
  }
  t.end()
})

t.test('every suggestion can be planned on the page where it is shown', (t) => {
  const messages = [...commands, ...noEdits.map((message, index) => ({ at: places[index % places.length] ?? '/', message }))]
  // Every twelfth message only: each has up to four suggestions, and all of them are planned.
  messages.filter((_, index) => index % 12 === 0).forEach(({ at, message }, index) => {
    const outcome = planFor(at, message, { locale: index % 12 === 0 ? 'en' : 'de' })
    const suggestions = outcome.kind === 'plan' ? (outcome.plan.suggestions ?? []) : outcome.kind === 'unchanged' ? [] : outcome.suggestions
    if (outcome.kind === 'unsupported') t.ok(suggestions.length >= 2 && suggestions.length <= 4, `${message}: ${suggestions.length} suggestions`)
    t.ok(suggestions.length <= 4, message)
    const input = inputFor(at, message)
    const after = outcome.kind === 'plan' ? inputAfter(input, outcome.plan.ops) : input
    const open = outcome.kind === 'question' ? outcome.open : undefined
    for (const suggestion of suggestions) t.ok(clicked(after, suggestion, open), `${message} → ${suggestion}`)
  })
  t.end()
})

t.test('texts for users contain no block ids or props', (t) => {
  for (const { at, message } of commands) {
    const outcome = planFor(at, message)
    const texts = outcome.kind === 'plan' ? [outcome.plan.summary] : outcome.kind === 'question' ? [outcome.question] : []
    for (const text of texts) t.notMatch(text, /\bb_[a-z]+_|ctaText|ctaHref|imageUrl|imageAlt|textAlign|undefined|\[object/, message)
  }
  t.end()
})
