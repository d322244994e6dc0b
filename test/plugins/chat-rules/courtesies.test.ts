import t from 'tap'
import { use } from '../../../kernel/index.ts'
import { everyWayIn, mountForTest } from '../../../kernel/testing.ts'
import chatRules from '../../../plugins/chat-rules/index.ts'
import chat from '../../../plugins/chat/index.ts'
import { kayakPages } from '../../fixtures/chat/site.ts'
import { planFor } from '../../helpers/chat-rules.ts'
import { chatClient, resultOf, scriptedPlanner, withPlanner } from '../../helpers/chat.ts'
import { draftsInMemory } from '../../helpers/stack.ts'

const said = {
  thanks: [
    'thanks', 'Thanks!', 'THANK YOU', 'thank you very much', 'Thank you so much!', 'thx', 'many thanks', 'thanks a lot', 'Thanks 🙏', 'great, thanks', 'ok thanks', 'ok, thank you!', 'thanks for your help',
    'perfect', 'Great job!', 'awesome, thanks', "that's great", 'That looks good, thank you', 'love it', 'wonderful', '👍', '🎉🎉', 'hi, thanks', 'cheers',
    'danke', 'Danke!', 'Danke schön!', 'dankeschön', 'danke schoen', 'danke sehr', 'danke dir', 'Danke Ihnen', 'vielen Dank', 'vielen lieben Dank', 'herzlichen Dank', 'tausend Dank', 'super, danke', 'ok danke', 'Danke für deine Hilfe',
    'perfekt, danke', 'sehr schön', 'sieht gut aus, danke', 'das ist gut', 'prima', 'merci', 'passt, danke',
  ],
  greeting: [
    'hi', 'Hi!', 'hello', 'Hi there', 'hey', 'good morning', 'good afternoon', 'hello again', 'Hi, how are you?', 'hallo', 'Hallo!', 'hallo zusammen', 'moin moin', 'servus', 'guten Tag', 'Grüß Gott', 'gruess gott', 'Grüezi', 'Hallo, wie geht es dir?', "wie geht's?",
  ],
  farewell: ['bye', 'Goodbye!', 'see you later', 'thanks, bye', 'tschüss', 'tschuess', 'auf Wiedersehen', 'Danke, bis bald!'],
}

const answers = {
  thanks: { en: /^You are welcome\. /, de: /^Gern geschehen\. / },
  greeting: { en: /^Hello! .*exactly.*ANTHROPIC_API_KEY/, de: /^Hallo! .*genau.*ANTHROPIC_API_KEY/ },
  farewell: { en: /^Goodbye! .*draft/, de: /^Auf Wiedersehen! .*Entwurf/ },
} as const

t.test('a courtesy is answered in the language of the user', async (t) => {
  for (const kind of ['thanks', 'greeting', 'farewell'] as const) for (const message of said[kind]) for (const locale of ['en', 'de'] as const) {
    t.match(planFor('/', message, { locale }), { kind: 'answer', status: 'info', summary: answers[kind][locale], suggestions: { length: 4 } }, `${message} (${locale})`)
  }
})

t.test('a message that is more than a courtesy is planned as usual', async (t) => {
  for (const message of ['thanks, change the headline to "X"', 'Danke, ändere die Überschrift in "X"', 'hello, delete the CTA', 'super, lösche den CTA']) t.equal(planFor('/', message).kind, 'plan', message)
  for (const message of ['thanks a', 'hello world', 'good hero', 'nice button', 'danke Seite', 'ok so', 'for', '?', '…', 'great?', 'thank you '.repeat(20), 'so that is it']) t.equal(planFor('/', message).kind, 'unsupported', message)
  t.match(planFor('/', 'help'), { kind: 'answer', summary: /^I change texts/ })
  t.match(planFor('/', '"Thank you"', { asked: 'change the headline' }), { kind: 'plan', plan: { ops: [{ patch: { heading: 'Thank you' } }] } })
  t.match(planFor('/', 'Hello everyone', { asked: 'change the headline' }), { kind: 'answer' }, 'a text only in quotes')
  for (const message of ['thanks', 'great, thank you', 'Danke schön!']) for (const asked of ['change the headline', 'remove the rich text']) t.match(planFor('/', message, { asked }), { kind: 'answer' }, `${asked}: ${message}`)
  t.match(planFor('/', 'cool', { open: { message: 'x', memory: {} } }), { kind: 'answer' }, 'praise does not answer a question')
})

t.test('with a model, help does not mention the API key', async (t) => {
  for (const locale of ['en', 'de']) for (const message of ['help', 'hi']) {
    t.match(planFor('/', message, { locale, hasModel: true }), { kind: 'answer', summary: /\.$/ })
    t.notMatch(planFor('/', message, { locale, hasModel: true }), { summary: /ANTHROPIC/ })
  }
})

t.test('in chat, a courtesy changes nothing, and a yes without a pending plan returns 409', (t) =>
  everyWayIn(t, () => draftsInMemory({ plugins: [use(chat, {}), use(chatRules)] }), async (t, ask) => {
    const { bootstrap, say, draftState } = chatClient(ask)
    await bootstrap(kayakPages)
    const before = await draftState()
    for (const message of ['thanks', 'Danke schön!', 'hi', 'Hallo!', 'looks good, thanks', 'ok thanks', 'passt, danke', 'sieht gut aus']) {
      t.match(resultOf(await say(message)), { http: 200, status: 'info', changes: [], previewVersion: 1, plannerSource: 'demo', debug: { outcome: 'info' } }, message)
    }
    for (const [message, locale, summary] of [
      ['yes', 'en', /^There is no plan to approve.*nothing was changed\. .*again/], ['ok', 'en', /^There is no plan to approve/], ['ja', 'de', /^Es wartet kein Plan .*nichts wurde geändert\. .*Sagen Sie/], ['ja bitte', 'de', /^Es wartet kein Plan/],
    ] as const) t.match(resultOf(await say(message, { locale })), { http: 409, status: 'needs_clarification', summary, debug: { outcome: 'pending_plan_missing' } }, message)
    t.match(resultOf(await say('nein danke', { locale: 'de' })), { http: 200, status: 'canceled' })
    t.equal(await draftState(), before)
  }),
)

t.test('with a pending plan, a polite yes approves it', (t) =>
  everyWayIn(t, () => draftsInMemory({ plugins: [use(chat, {}), use(chatRules)] }), async (t, ask) => {
    const { bootstrap, say, plans } = chatClient(ask)
    await bootstrap(kayakPages)
    t.match(resultOf(await say('remove the page /about')), { status: 'plan_ready' })
    t.match(resultOf(await say('thanks')), { status: 'info' })
    t.equal((await plans()).length, 1, 'thanks do not approve it')
    t.match(resultOf(await say('ok thanks')), { status: 'applied' })
  }),
)

t.test('a courtesy is not sent to the model', async (t) => {
  const mounted = mountForTest(t, draftsInMemory({ plugins: [use(chat, {}), use(chatRules), withPlanner(scriptedPlanner({}, { plan: () => Promise.reject(new Error('the model was called')) }))] }))
  const { bootstrap, say } = chatClient((request) => mounted.inject(request))
  await bootstrap(kayakPages)
  t.match(resultOf(await say('Danke schön!')), { http: 200, status: 'info' })
  const hello = resultOf(await say('hello'))
  t.match(hello, { http: 200, status: 'info', summary: /^Hello! / })
  t.notMatch(hello, { summary: /ANTHROPIC/ })
})
