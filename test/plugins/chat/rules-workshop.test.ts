import t from 'tap'
import { kayakPages } from '../../fixtures/chat/site.ts'
import { workshopExamples } from '../../fixtures/chat/workshop-examples.ts'
import { workshopPages } from '../../fixtures/chat/workshop.ts'
import { draftAfterPlan, planFor, stepsOf } from '../../helpers/chat-rules.ts'
import { draftOf } from '../../helpers/content.ts'

const config = { navLabels: { '/our-tools': 'Kit' }, navGroups: { Old: ['/', '/our-tools'] } }
const draft = { version: 1, pages: workshopPages, config }

t.test('two of a kind are told apart, and every list and choice is reached', (t) => {
  for (const { at, message, gives } of workshopExamples) {
    const outcome = planFor(at, message, { draft })
    const kind = outcome.kind === 'answer' ? outcome.status : outcome.kind
    t.strictSame(outcome.kind === 'plan' ? stepsOf(outcome.plan.ops) : kind, gives, `${message}: ${JSON.stringify(outcome).slice(0, 300)}`)
    if (outcome.kind === 'plan') t.doesNotThrow(() => draftAfterPlan(outcome.plan.ops, draftOf(workshopPages, config)), message)
  }
  t.end()
})

t.test('what is counted and listed is what is there', (t) => {
  const findings = (message: string, at = '/') => {
    const outcome = planFor(at, message)
    return outcome.kind === 'answer' ? outcome.findings : [outcome.kind]
  }
  t.strictSame(findings('list all pages', '/rentals'), [
    '/ “Home” (Hero, Feature Grid, Rich Text, Rich Text, Testimonials, Call to Action)', '/rentals “Rentals” (Hero, Card Grid, FAQ Accordion, Banner)', '/about “About us” (Hero, Stats)',
  ])
  t.equal(findings('how many sections are on this page?').length, kayakPages[0]?.blocks.length)
  t.strictSame(findings('list the buttons', '/'), ['Hero “Paddle the fjord”: Book a tour', 'Hero “Paddle the fjord”: Read more', 'Call to Action “Ready to launch?”: Reserve now'])
  t.equal(findings('how many questions are there?', '/rentals').length, 3)
  t.strictSame(findings('what can I edit here?', '/rentals b_faq_r.items[1].q'), ['Question', 'Answer'])
  t.strictSame(findings('what can I edit here?', '/rentals b_banner_r'), ['Text', 'Variant (info, success, warning)', 'Button text', 'Button link', 'Background Color', 'Text Color'])
  t.equal(findings('what can I edit here?', '/about').length, 2, 'a line for every type')
  t.match(findings('which sections are there on the rentals page?'), [/^Hero/, /^Card Grid/, /^FAQ/, /^Banner/])
  t.end()
})

t.test('advice names what is missing, and speaks of questions when asked', (t) => {
  t.match(planFor('/about', 'how can I improve this page?'), { kind: 'answer', status: 'advice', summary: /FAQ Accordion, Testimonials, Call to Action/ })
  t.match(planFor('/rentals', 'should I add an FAQ?'), { kind: 'answer', status: 'advice', summary: /already/ })
  t.match(planFor('/', 'should I add an FAQ?'), { kind: 'answer', status: 'advice', summary: /again and again/ })
  t.match(planFor('/', 'is a carousel a good idea?'), { kind: 'answer', status: 'advice' })
  t.end()
})
