import t from 'tap'
import { use } from '../../../kernel/index.ts'
import { mountForTest } from '../../../kernel/testing.ts'
import chatImages from '../../../plugins/chat/images/index.ts'
import chat from '../../../plugins/chat/index.ts'
import chatRules from '../../../plugins/chat/rules/index.ts'
import { kayakPages } from '../../fixtures/chat/site.ts'
import { chatClient, resultOf } from '../../helpers/chat.ts'
import { answerTo, inputFor, notationOf, planByRules } from '../../helpers/chat-rules.ts'
import { draftsInMemory } from '../../helpers/stack.ts'

const asked = 'change the headline'

/** Replies to "What should it say?" that are no text in quotes, nor a message of their own. */
const doubtful = [
  'I do not know yet',
  'Hmm, wait',
  'Yes',
  'Maybe later',
  'kayak heaven',
  'Open all year',
  'Something shorter',
  'Ready? Set. Go!',
  'Not sure. I will ask my boss',
  'the same as on the other page',
  'Translate it',
  'No idea',
]

/** Questions and commands, which are not the text either. */
const own = [
  'What was it before?',
  'Make it shorter',
  'Show me the page',
  'Was steht da jetzt?',
  'What are my options?',
  'Why?',
  'undo',
  'help',
  'list all pages',
  'remove the rich text',
  'publish',
  'never mind',
  'Keep it',
  'Nothing',
  'Leave it as it is.',
]

t.test('a reply to the question for a text that is not in quotes is asked about once', async (t) => {
  for (const reply of doubtful) {
    const outcome = answerTo('/', asked, reply)
    t.match(outcome, { kind: 'question', question: `Is “${reply}” the new text?` }, reply)
    if (outcome.kind !== 'question') continue
    t.strictSame(outcome.suggestions, ['Yes', 'No'], reply)
    const said = (message: string) =>
      notationOf(planByRules({ ...inputFor('/', message), ...(outcome.open && { open: outcome.open }) }))
    t.equal(said('Yes'), `set b_hero_1 {heading: ${JSON.stringify(reply)}}`, reply)
    t.equal(said('"Hello"'), 'set b_hero_1 {heading: "Hello"}', 'the text may still follow in quotes')
    t.equal(said('Well then'), 'CLARIFY', 'another text is asked about as well')
  }
})

t.test('a question or a command is not the text that was asked for', async (t) => {
  for (const reply of own) {
    const outcome = answerTo('/', asked, reply)
    t.notMatch(notationOf(outcome), /^set/, reply)
    t.notMatch(outcome, { question: /the new text/ }, reply)
  }
  t.equal(notationOf(answerTo('/', asked, 'move the CTA to the top')), 'mv b_cta_1 front')
})

t.test('a text in quotes is the answer, also to the question for a name', async (t) => {
  t.equal(notationOf(answerTo('/', asked, '“Hmm, wait”')), 'set b_hero_1 {heading: "Hmm, wait"}')
  t.equal(
    notationOf(answerTo('/', asked, '"What was it before?".')),
    'set b_hero_1 {heading: "What was it before?"}',
  )
  t.equal(notationOf(answerTo('/', asked, "'Welcome back'")), 'set b_hero_1 {heading: "Welcome back"}')
  for (const reply of [
    'It should say "Hello"',
    'It should say Hello',
    'say: Hello',
    '"Hello" please, in green',
  ])
    t.match(answerTo('/', asked, reply), { question: 'Is “Hello” the new text?' }, reply)
  t.equal(
    notationOf(answerTo('/', 'create a new page', '"Open jobs"')),
    '+page /open-jobs "Open jobs" [Hero {heading: "Open jobs"}]',
  )
  t.equal(notationOf(answerTo('/', 'create a new page', 'Hmm, wait')), 'CLARIFY')
})

t.test('a no to the question whether that is the text changes nothing', async (t) => {
  const plugins = [use(chat, {}), use(chatRules), use(chatImages)]
  const mounted = mountForTest(t, draftsInMemory({ plugins }))
  const client = chatClient((request) => mounted.inject(request))
  await client.bootstrap(kayakPages)
  const before = await client.draftState()
  await client.say(asked)
  t.match(resultOf(await client.say('Hmm, wait')), { suggestions: ['Yes', 'No'] })
  t.match(resultOf(await client.say('No')), { status: 'canceled', summary: 'Nothing was changed.' })
  t.equal(await client.draftState(), before)
  await client.say(asked)
  await client.say('Hmm, wait')
  t.equal(resultOf(await client.say('Yes')).status, 'applied')
})
