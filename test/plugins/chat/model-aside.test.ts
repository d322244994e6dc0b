import t from 'tap'
import { capturedLog, stillClock } from '../../../kernel/testing.ts'
import { createModelPlanner } from '../../../plugins/chat-model/planner.ts'
import { Canceled } from '../../../plugins/chat/types/run.ts'
import { clientFor, inputFor, settingsWith, startPlanner } from '../../helpers/model-planner.ts'
import { ending, failing, hanging, opening, planning, prose, type Script, sending, toolCall } from '../../helpers/model-server.ts'

const message = 'Create a pricing page and link it from the hero'
const stepsAnswer = (value: unknown): Script => sending(opening() + toolCall(typeof value === 'string' ? value : JSON.stringify(value), { name: 'submit_steps' }) + ending('tool_use'))
const steps = ['Create a page called Pricing', 'Link the button of the hero on / to /pricing']
const labels = ['New page', 'Link to it']

t.test('a fast model splits a request, with one small tool and without the plan tool', async (t) => {
  const { split, server } = await startPlanner(t, [stepsAnswer({ steps, labels })])
  const events: unknown[] = []
  const { steps: given, spent } = await split(inputFor(message, { locale: 'de', selection: { slug: '/', blockId: 'b_hero_home' } }), { emit: (event) => void events.push(event) })
  t.strictSame(given, [{ text: steps[0], label: 'New page' }, { text: steps[1], label: 'Link to it' }])
  t.match(spent, [{ model: 'claude-haiku-5-5', inputTokens: 100, outputTokens: 50 }], 'its usage is counted')
  t.strictSame(events, [], 'and not emitted')
  const [seen] = server.seen
  t.match(seen?.body, { model: 'claude-haiku-5-5', tool_choice: { type: 'tool', name: 'submit_steps' }, tools: [{ name: 'submit_steps', strict: true }] })
  t.equal(seen?.body.tools.length, 1)
  const text = seen?.body.messages[0]?.content[0]?.text ?? ''
  t.match(text, /"languageOfLabels":"German","request":"Create a pricing page and link it from the hero","slug":"\/"/)
  t.match(text, /<untrusted_data source="pages">\n.*"selected":"b_hero_home"/)
})

t.test('an answer that is not a list of steps leaves the request unsplit', async (t) => {
  const many = Array.from({ length: 13 }, (_, n) => `Step ${n}`)
  const answers: Readonly<Record<string, Script>> = {
    'one step': stepsAnswer({ steps: [message], labels: ['All'] }),
    'no steps': stepsAnswer({ steps: [], labels: [] }),
    'more than twelve': stepsAnswer({ steps: many, labels: many }),
    'a label too few': stepsAnswer({ steps, labels: ['New page'] }),
    'a blank step': stepsAnswer({ steps: ['Create a page', ' '], labels }),
    'a very long step': stepsAnswer({ steps: ['Create a page', 'x'.repeat(2_001)], labels }),
    'steps that are not texts': stepsAnswer({ steps: [{ op: 'remove_page', pageSlug: '/' }, 7], labels }),
    'another shape': stepsAnswer([steps, labels]),
    'no JSON': stepsAnswer('Certainly!'),
    'prose': sending(opening() + prose('I would do one and then the other.') + ending('end_turn')),
    'a cut answer': sending(opening() + toolCall('{"steps":["Create', { name: 'submit_steps' }) + ending('max_tokens')),
    'a refusal': sending(opening() + prose('No.') + ending('refusal')),
    'an overload': failing(529, 'overloaded_error'),
    'a wrong key': failing(401, 'authentication_error'),
    'an answer without an end': hanging(opening() + toolCall(`{"steps":["${'a'.repeat(1_100_000)}`, { size: 100_000, name: 'submit_steps' })),
  }
  for (const [name, script] of Object.entries(answers)) {
    const { split, server } = await startPlanner(t, [script])
    t.strictSame(await split(inputFor(message)).then(({ steps, error }) => ({ steps, error })), { steps: undefined, error: undefined }, name)
    t.equal(server.seen.length, 1, `${name}: one call`)
  }
})

t.test('long labels are truncated', async (t) => {
  const { split } = await startPlanner(t, [stepsAnswer({ steps, labels: [`  ${'🥑'.repeat(200)}`, 'b'] })])
  t.strictSame((await split(inputFor(message))).steps?.map(({ label }) => Array.from(label).length), [80, 1])
})

t.test('a model is only asked about requests that may take several steps', async (t) => {
  const { split, server } = await startPlanner(t, [stepsAnswer({ steps, labels })])
  for (const input of [inputFor('Make the hero friendlier'), inputFor(message, { open: { message: 'Add a page' } })]) t.equal((await split(input)).steps, undefined)
  t.equal(server.seen.length, 0)
  const spent = createModelPlanner({
    client: await clientFor(t, server.origin), settings: settingsWith(), clock: stillClock(), log: capturedLog().log, budget: () => Promise.resolve({ perDayUsd: 1, spentUsd: 1 }),
  })
  t.equal(await spent.split?.(inputFor(message), { id: 'run', signal: new AbortController().signal, emit: () => undefined }), undefined)
  t.equal(server.seen.length, 0, 'nor when the budget of the day is spent')
})

t.test('a timeout of the split call leaves the request unsplit', async (t) => {
  const { split, server, lines } = await startPlanner(t, [hanging(opening())], settingsWith(), { quietMs: 50 })
  t.equal((await split(inputFor(message))).steps, undefined)
  t.match(lines.join(''), /no answer in time/)
  await server.idle()
})

t.test('canceling aborts the split call', async (t) => {
  const { split, server } = await startPlanner(t, [hanging(opening())])
  const abort = new AbortController()
  const result = split(inputFor(message), { signal: abort.signal })
  while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  abort.abort()
  t.ok((await result).error instanceof Canceled)
  await server.idle()
})

const plan = {
  intent: 'edit_plan',
  summary_for_user: 'I will change the heading.',
  change_log: ['Change the heading to "Fresh"'],
  ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_hero_home', patch: { heading: 'Fresh' } }],
}
const verdict = (text: string): Script => sending(opening() + prose(text) + ending('end_turn'))
const simple = verdict('{"action":"update","complexity":"simple"}')
const routing = settingsWith({ CHAT_LLM_INTENT_ROUTER: 'on' })
const request = 'Make the hero heading say that everything is fresh'

t.test('the router is asked before the plan, for an answer that matches a JSON schema', async (t) => {
  const { plan: ask, server } = await startPlanner(t, [simple, planning(plan)], routing)
  const { attempts, outcome } = await ask(inputFor(request))
  t.equal(outcome?.kind, 'plan')
  t.match(attempts, [{ tier: 'fast', routing: { from: 'balanced', to: 'fast', reason: 'simple_downgrade', complexity: 'simple' } }])
  t.match(server.seen[0]?.body, {
    max_tokens: 2048, tools: [], tool_choice: undefined, thinking: { type: 'disabled' }, output_config: { format: { type: 'json_schema', schema: { required: ['action', 'complexity'], additionalProperties: false } } },
  })
  t.equal(server.seen[1]?.body['output_config'], undefined)
})

t.test('a request judged simple is planned without thinking', async (t) => {
  const worthIt = 'Change "Home" to "OpenFile" and "Bikes" to "Boats"'
  for (const [routerAnswer, thinks] of [[simple, false], [verdict('{"action":"update","complexity":"complex"}'), true]] as const) {
    const { plan: ask, server } = await startPlanner(t, [routerAnswer, planning(plan)], routing)
    await ask(inputFor(worthIt))
    t.strictSame(server.seen.map(({ body }) => body.thinking?.type === 'adaptive'), [false, thinks])
  }
})

t.test('a request judged complex keeps its tier, with the reason shadow', async (t) => {
  const { plan: ask } = await startPlanner(t, [verdict('{"action":"update","complexity":"complex"}'), planning(plan)], routing)
  t.match((await ask(inputFor(request))).attempts, [{ tier: 'balanced', routing: { from: 'balanced', to: 'balanced', reason: 'shadow', complexity: 'complex' } }])
})

t.test('a failed router call does not fail the run', async (t) => {
  const failures: Readonly<Record<string, Script>> = {
    'an overload': failing(529, 'overloaded_error'),
    'a model without JSON schemas': failing(400, 'invalid_request_error'),
    'no verdict': verdict('I could not say.'),
    'another verdict': verdict('{"action":"update","complexity":"whatever"}'),
    'a refusal': sending(opening() + prose('No.') + ending('refusal')),
    'a verdict that is too long': verdict('a'.repeat(2_100)),
    'silence': hanging(opening()),
  }
  for (const [name, script] of Object.entries(failures)) {
    const { plan: ask } = await startPlanner(t, [script, planning(plan)], routing, { quietMs: name === 'silence' ? 50 : 10_000 })
    const { outcome, attempts } = await ask(inputFor(request))
    t.match([outcome?.kind, attempts], ['plan', [{ tier: 'balanced', attempt: 1, routing: { reason: 'shadow', complexity: undefined } }]], name)
  }
})

t.test('the router is not asked where its verdict would change nothing', async (t) => {
  const onAlt = { slug: '/', blockId: 'b_hero_home', path: 'imageAlt' }
  const inputs = {
    'a tier that the user chose': inputFor(request, { tier: 'reasoning' }),
    'a translation': inputFor('Translate the page to German'),
    'an operation on pages': inputFor('Rename this page to Fresh'),
    'the answer to a question': inputFor('The first one', { open: { message: request } }),
    'a long message': inputFor(`${request} ${'and so on '.repeat(30)}`),
    'several things at once': inputFor('Add three cards about fruit'),
    'a copy that is changed': inputFor('Duplicate the hero and change its heading'),
    'the words for an image': inputFor('Improve the alt text of the hero'),
    'the field of such words': inputFor('Make this better', { selection: onAlt }),
  }
  for (const [name, input] of Object.entries(inputs)) {
    const { plan: ask, server } = await startPlanner(t, [planning(plan)], routing)
    await ask(input)
    t.ok(server.seen.every(({ body }) => body.tools.length === 1), name)
  }
  const chosen = await startPlanner(t, [planning(plan)], routing)
  t.match((await chosen.plan(inputFor(request, { tier: 'reasoning' }))).attempts, [{ tier: 'reasoning', routing: { from: 'reasoning', to: 'reasoning', reason: 'user_override' } }])
  const off = await startPlanner(t, [planning(plan)])
  t.strictSame((await off.plan(inputFor(request))).attempts.map(({ routing: decided }) => decided), [undefined], 'it is off by default')
})
