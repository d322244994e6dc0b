import t from 'tap'
import * as v from 'valibot'
import { use } from '../../../kernel/index.ts'
import { capturedLog, mountForTest } from '../../../kernel/testing.ts'
import {
  chatRunner,
  type Planner,
  type RunEvent,
  StreamEvent,
  type Outcome,
  type PlanningInput,
  Canceled,
  type RunOptions,
} from '../../../plugins/chat/port.ts'
import { drafts as draftsRef } from '../../../plugins/draft/port.ts'
import status from '../../../plugins/health/status/index.ts'
import { bodyOf, textBlock } from '../../helpers/stack.ts'
import {
  chatInMemory,
  chatClient,
  openChat,
  planOf,
  removeBlock,
  removePage,
  resultOf,
  type Script,
  scriptedPlanner,
  setBody,
  startPages,
  withPlanner,
} from '../../helpers/chat.ts'
import { emptyList } from '../../helpers/plain.ts'

const byModel = {
  plannerSource: 'anthropic',
  modelUsed: 'anthropic',
  debug: { plannerTier: 'full_llm', plannerSource: 'anthropic' },
}
const rules: Script = {
  'Say hello': planOf(setBody('Hello')),
  'Which one?': { kind: 'question', question: 'Rules ask: which?', suggestions: ['This one'] },
}
const model: Script = {
  'Write a poem': planOf(setBody('Roses are red')),
  'Which one?': planOf(setBody('The first', 'b_2')),
  'Clear all': planOf(removeBlock('b_1'), removeBlock('b_2'), removeBlock('b_3')),
  'Wrong block': planOf(setBody('x', 'b_gone')),
  'What is it?': {
    kind: 'answer',
    status: 'info',
    summary: 'A website.',
    findings: ['It is.'],
    suggestions: [],
  },
}

t.test('with a model the model plans, and its plans pass the same stages', async (t) => {
  const plugins = [withPlanner(scriptedPlanner(model)), use(status)]
  const { ask, say, approve, plans, version } = await openChat(t, { script: rules, plugins })
  const gone = ['not_found: ops[0]: no block b_gone on /']
  const reasons = ['This removes 3 blocks.', 'This removes 3 of the 4 blocks on /.']
  const table: Readonly<Record<string, object>> = {
    'Say hello': { plannerSource: 'anthropic', status: 'needs_clarification' },
    'Write a poem': { ...byModel, status: 'applied', changes: [/“Roses are red”/], previewVersion: 2 },
    'Which one?': { ...byModel, status: 'applied', focusBlockId: 'b_2', previewVersion: 3 },
    'What is it?': { ...byModel, status: 'info', changes: ['It is.'] },
    'Wrong block': { ...byModel, http: 400, status: 'validation_error', validationErrors: gone },
    'Clear all': { ...byModel, status: 'plan_ready', destructiveReasons: reasons },
  }
  for (const [message, expected] of Object.entries(table))
    t.match(resultOf(await say(message)), expected, message)
  t.notMatch(resultOf(await say('Nobody knows')).summary, /ANTHROPIC_API_KEY/)
  t.equal((await plans()).length, 1)
  t.match(resultOf(await approve()), { ...byModel, status: 'applied', previewVersion: 4 })
  t.equal(await version(), 4)
  const shown = { plannerSource: 'anthropic', availableProviders: ['anthropic'] }
  t.match((await ask({ url: '/status/planner' })).json(), shown)
})

t.test('an unavailable planner is ignored', async (t) => {
  const planner = scriptedPlanner(model, { available: false })
  const { ask, say } = await openChat(t, { plugins: [withPlanner(planner), use(status)] })
  t.match(resultOf(await say('Write a poem')), {
    plannerSource: 'demo',
    debug: { outcome: 'unsupported_without_provider', plannerTier: 'demo' },
  })
  t.match((await ask({ url: '/status/planner' })).json(), {
    plannerSource: 'demo',
    availableProviders: emptyList,
  })
})

t.test('the requested provider is asked first, then the others', async (t) => {
  const named = (name: string, script: Script) => withPlanner(scriptedPlanner(script, { name }))
  const plugins = [
    named('anthropic', model),
    named('gemini', { ...model, 'Only gemini': planOf(setBody('G')) }),
  ]
  const { say } = await openChat(t, { plugins })
  t.match(resultOf(await say('Write a poem')), { plannerSource: 'anthropic' })
  t.match(resultOf(await say('What is it?', { provider: 'gemini' })), { plannerSource: 'gemini' })
  t.match(resultOf(await say('What is it?', { provider: 'openai' })), { plannerSource: 'anthropic' })
  t.match(resultOf(await say('Only gemini')), { plannerSource: 'gemini' })
  const own = await openChat(t, { plugins: [...plugins, named('acme', model), use(status)] })
  t.match((await own.ask({ url: '/status/planner' })).json(), {
    plannerSource: 'anthropic',
    availableProviders: ['anthropic', 'gemini', 'acme'],
  })
  t.match(resultOf(await own.say('What is it?', { provider: 'acme' })), { plannerSource: 'acme' })
})

t.test('a fault of a planner changes nothing, and is logged but not exposed', async (t) => {
  const plan = async (): Promise<Outcome> => {
    throw new Error('secret detail')
  }
  const { log, lines } = capturedLog()
  const setting = chatInMemory({ plugins: [withPlanner(scriptedPlanner({}, { plan }))] })
  const { bootstrap, say, draftState } = chatClient(mountForTest(t, { ...setting, log }).inject)
  await bootstrap(startPages)
  const before = await draftState()
  const answer = await say('Write a poem')
  const expected = { http: 500, status: 'error', debug: { outcome: 'planning_exhausted' } }
  t.match(resultOf(answer), { plannerSource: 'anthropic', ...expected })
  t.notMatch(answer.text, /secret/)
  t.equal(await draftState(), before)
  t.match(lines.join(''), /secret detail.*a planner failed/s)
})

t.test('the input of a planner', async (t) => {
  const seen: PlanningInput[] = []
  const plan = async (input: PlanningInput): Promise<Outcome> => {
    seen.push(input)
    return input.message === 'Say hello' ? planOf(setBody('Hello')) : { kind: 'unsupported', suggestions: [] }
  }
  const { say, ops } = await openChat(t, { plugins: [withPlanner(scriptedPlanner({}, { plan }))] })
  await ops([{ op: 'move_page', pageSlug: '/team', afterPageSlug: '/' }])
  await say('Say hello')
  const selected = { activeBlockId: 'b_5', activeBlockType: 'Hero', activeEditablePath: 'body', locale: 'de' }
  t.match(resultOf(await say(' Shorten it [site context] old [/site context]', selected)), {
    mentionedSlugs: ['/about'],
    debug: { currentPage: '/about', activeBlockId: 'b_5', activeEditablePath: 'body' },
  })
  const [, shorten] = seen
  const slugs = ['/', '/team', '/about'].map((slug) => ({ slug }))
  t.match(shorten, {
    siteId: 'acme',
    message: 'Shorten it',
    locale: 'de',
    draft: { version: 3, pages: slugs },
    history: [
      { role: 'person', text: 'Say hello' },
      { role: 'assistant', text: /^Changed Rich text/ },
    ],
    recentEdits: [
      { source: 'bootstrap' },
      { source: 'direct', slug: '/team', opTypes: ['move_page'] },
      { source: 'chat', slug: '/', opTypes: ['update_props'], summary: /^Changed Rich text/ },
    ],
  })
  t.strictSame(shorten?.selection, { slug: '/about', blockId: 'b_5', path: 'body' })
  await say('Shorten it', { slug: '/about', activeBlockId: 'b_gone', activeEditablePath: 'body' })
  t.strictSame(seen[2]?.selection, { slug: '/about' }, 'a missing block is not selected')
})

t.test('the site context of a request reaches the planner, as an object or as JSON text', async (t) => {
  const seen: PlanningInput[] = []
  const plan = async (input: PlanningInput): Promise<Outcome> => {
    seen.push(input)
    return { kind: 'unsupported', suggestions: [] }
  }
  const { say } = await openChat(t, { plugins: [withPlanner(scriptedPlanner({}, { plan }))] })
  const pageTemplates = [{ name: 'Jobs', description: 'One job' }]
  const site = { siteName: 'Boats', purpose: 'Lends', tone: 'calm', constraints: ['none'], pageTemplates }
  const [lends, sells, builds] = [{ purpose: 'Lends' }, { purpose: 'Sells' }, { purpose: 'Builds' }]
  const older = { sitePurpose: 'Builds' }
  const known: readonly (readonly [sent: object, siteContext: object | undefined])[] = [
    [{ siteContext: { ...site, unknown: 'dropped' } }, site],
    [{ siteContext: JSON.stringify(site) }, site],
    [
      { siteContext: lends, businessContext: { ...sells, tone: 'loud' }, ...older },
      { ...lends, tone: 'loud' },
    ],
    [{ businessContext: JSON.stringify(sells), ...older }, sells],
    [{ siteContext: 'no JSON', businessContext: '7', ...older }, builds],
    [{ siteContext: JSON.stringify({ purpose: 7, tone: 'calm' }) }, { tone: 'calm' }],
  ]
  for (const [sent] of known) t.equal((await say('Nobody knows', sent)).status, 200)
  t.strictSame(
    seen.map(({ siteContext }) => siteContext),
    known.map(([, siteContext]) => siteContext),
  )
})

/** A runner alone, as streams use it. */
async function openRunner(
  t: Parameters<typeof mountForTest>[0],
  planner: Partial<Planner> = {},
  script: Script = rules,
) {
  const plugins = planner.plan ? [withPlanner(scriptedPlanner({}, planner))] : []
  const mounted = mountForTest(t, chatInMemory({ script, plugins }))
  const client = chatClient(mounted.inject)
  await client.bootstrap(startPages)
  const [drafts, runner] = await Promise.all([mounted.get(draftsRef), mounted.get(chatRunner)])
  const events: RunEvent[] = []
  const stop = new AbortController()
  const how: RunOptions = {
    id: 'r1',
    signal: stop.signal,
    emit: (event) => void events.push(event),
    isStreamed: true,
  }
  const run = (message: string) =>
    runner.run({ siteId: 'acme', session: 'dev', slug: '/', message, executionMode: 'auto' }, how)
  return { ...client, run, events, stop, drafts }
}

t.test('a run emits its events with untranslated status texts, without an end event', async (t) => {
  const { run, events } = await openRunner(t)
  t.match(await run('Say hello'), { status: 200, result: { status: 'applied', debug: { traceId: 'r1' } } })
  t.strictSame(
    events.filter((event) => v.is(StreamEvent, event)),
    [
      { type: 'status', message: 'Planning the edit' },
      { type: 'plan_meta', intent: 'edit_plan', summary: 'I will do that.', estimatedOps: 1 },
      { type: 'op_candidate', index: 1, op: setBody('Hello') },
      { type: 'changelog_entry', entry: 'Change number 1' },
      { type: 'status', message: 'Plan ready' },
      { type: 'status', message: 'Applying the plan and updating draft' },
      {
        type: 'op_applied',
        index: 1,
        total: 1,
        op: setBody('Hello'),
        previewVersion: 2,
        focusBlockId: 'b_1',
      },
      { type: 'status', message: 'Almost done, finalizing the response' },
    ],
  )
})

t.test(
  'a plan is one commit: each operation is announced with its version, and one undo reverts all',
  async (t) => {
    const script: Script = {
      Three: planOf(setBody('Hello'), setBody('Two', 'b_2'), {
        op: 'add_block',
        pageSlug: '/',
        block: textBlock('b_new', 'New'),
      }),
    }
    const { run, events, version, undo, page, get } = await openRunner(t, {}, script)
    const before = await page('/')
    t.match(await run('Three'), {
      status: 200,
      result: { status: 'applied', previewVersion: 2, changes: { length: 2 } },
    })
    const reported = events.flatMap((event) =>
      event.type === 'op_applied' || event.type === 'op_skipped' ? [event] : [],
    )
    t.match(reported, [
      { type: 'op_applied', index: 1, total: 3, previewVersion: 2, op: { blockId: 'b_1' } },
      { type: 'op_skipped', index: 2, total: 3, reason: 'unchanged_value' },
      { type: 'op_applied', index: 3, total: 3, previewVersion: 2, op: { block: { id: 'b_new' } } },
    ])
    t.equal(await version(), 2)
    t.equal((await undo('/')).status, 200)
    t.match(await page('/'), { ...before, updatedAt: String })
    t.match(await bodyOf(get('/history/log')), { entries: { length: 3 } }, 'the pages, the plan and its undo')
  },
)

t.test('a run canceled before its first change throws, and changes nothing', async (t) => {
  for (const how of ['reject', 'resolve'] as const) {
    const { promise: wasAsked, resolve: notify } = Promise.withResolvers<void>()
    const plan: ReturnType<typeof scriptedPlanner>['plan'] = async (_, { signal }) => {
      notify()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      if (how === 'reject') throw new Error('aborted')
      return planOf(setBody('Late'))
    }
    const { run, stop, draftState } = await openRunner(t, { plan })
    const before = await draftState()
    const running = run('Write a poem')
    const waiting = run('Write another')
    await wasAsked
    stop.abort()
    await t.rejects(running, Canceled, how)
    await t.rejects(waiting, Canceled, 'and so does a run that waits for it')
    t.equal(await draftState(), before)
  }
})

t.test('a plan discarded during its approval is not applied', async (t) => {
  const opened = await openRunner(t, {}, { Remove: planOf(removePage('/team')) })
  t.match(await opened.run('Remove'), { result: { status: 'plan_ready' } })
  const commit = opened.drafts.commit
  opened.drafts.commit = async (...args) => {
    await opened.discard()
    return commit(...args)
  }
  t.match(await opened.run('yes'), { status: 409, result: { debug: { outcome: 'pending_plan_missing' } } })
  t.equal(await opened.version(), 1)
})

t.test('a concurrent edit is kept, and the plan is validated again', async (t) => {
  const { run, drafts, ops, page } = await openRunner(t)
  const { commit } = drafts
  const beforeCommit = (edit: () => Promise<unknown> | undefined): void => {
    drafts.commit = async (...args) => {
      if (args[0].channel === 'chat') await edit()
      return commit(...args)
    }
  }
  const rejected = (problem: unknown) => ({
    status: 400,
    result: { status: 'validation_error', validationErrors: [problem] },
  })
  let edits = 0
  beforeCommit(() => (edits++ < 2 ? ops([setBody(`By hand ${edits}`, 'b_2')]) : undefined))
  t.match(await run('Say hello'), { status: 200, result: { status: 'applied', previewVersion: 4 } })
  const blocks = [{ props: { body: 'Hello' } }, { props: { body: 'By hand 2' } }, {}, {}]
  t.match(await page('/'), { blocks })

  beforeCommit(() => ops([setBody(`${edits++}`, 'b_3')]))
  await ops([setBody('One')])
  t.match(await run('Say hello'), rejected(/keep changing the draft/), 'retries are limited')

  beforeCommit(() => ops([removeBlock('b_1')]))
  t.match(await run('Say hello'), rejected('not_found: ops[0]: no block b_1 on /'), 'a removed target')
})
