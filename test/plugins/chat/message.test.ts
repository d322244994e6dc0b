import t from 'tap'
import { asksForNewPage, isNo, isYes, wantsPlanFirst } from '../../../plugins/chat/message.ts'
import { planByRules } from '../../../plugins/chat-rules/planner.ts'
import { inputFor } from '../../helpers/chat-rules.ts'

t.test('a reply is only a yes or only a no', (t) => {
  const yes = ['yes', 'Yes, please!', 'go ahead', 'approve', 'Do it.', 'apply it', 'confirm', 'ok thanks']
  const no = ['no', 'No!', 'cancel', 'stop', 'never mind', 'discard', 'Don’t.']
  const neither = ['yes, but remove the hero', 'no hero', 'yes and no', 'okay the hero is fine', '', 'thanks']
  t.strictSame([...yes, ...no, ...neither].filter(isYes), yes)
  t.strictSame([...yes, ...no, ...neither].filter(isNo), no)
  t.end()
})

t.test('a plan that is asked for first is held, in every wording that the rules understand', (t) => {
  const asking = [
    'plan first',
    'Plan first',
    'show me the plan first',
    'Show me a plan first',
    'make a plan first',
    'Please make the plan first',
  ]
  for (const words of asking) {
    const message = `${words}: move the hero to the bottom`
    t.equal(wantsPlanFirst(message), true, words)
    t.match(planByRules(inputFor('/', message)), { kind: 'plan' }, words)
  }
  for (const message of ['move the hero to the bottom', 'Set the heading to "Plan first: eat"']) {
    t.equal(wantsPlanFirst(message), false, message)
    t.match(planByRules(inputFor('/', message)), { kind: 'plan' }, message)
  }
  t.end()
})

t.test('only a message that may ask for a new page may come from a page that is missing', (t) => {
  const asking = ['Create a page "Jobs"', 'please add a new contact page', 'Make two pages about boats']
  const other = ['Change the heading of this page', 'Add a hero', 'page one is new']
  t.strictSame([...asking, ...other].filter(asksForNewPage), asking)
  t.end()
})
