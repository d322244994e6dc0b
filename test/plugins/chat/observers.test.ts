import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { definePlugin, use, type Used } from '../../../kernel/index.ts'
import { capturedLog, mountForTest } from '../../../kernel/testing.ts'
import {
  chatRunner,
  runObservers,
  type RunEvent,
  type RunObserver,
  type RunStart,
  StreamEvent,
} from '../../../plugins/chat/port.ts'
import type { Outcome } from '../../../plugins/chat/types/plan.ts'
import {
  chatInMemory,
  chatClient,
  planOf,
  removeBlock,
  removePage,
  scriptedPlanner,
  setBody,
  startPages,
  withPlanner,
  type Script,
} from '../../helpers/chat.ts'

const observing = (name: string, observer: RunObserver): Used =>
  use(
    definePlugin({ name, tag: 'Chat', gives: { observer: runObservers } }).setup(() => ({
      gives: { observer },
    })),
  )

/** What an observer saw of one run. */
interface Seen {
  readonly start: RunStart
  readonly facts: RunEvent[]
}

function watcher() {
  const runs: Seen[] = []
  const plugin = observing('watcher', (start) => {
    const facts: RunEvent[] = []
    runs.push({ start, facts })
    return (event) => {
      if (!v.is(StreamEvent, event)) facts.push(event)
    }
  })
  return { runs, plugin }
}

/** A fact in a word or two. */
const word = (fact: RunEvent): string => {
  if (fact.type === 'milestone') return fact.stage
  if (fact.type === 'work') return `${fact.what} ${fact.isOver ? 'is over' : 'begins'}`
  return fact.type === 'result' || fact.type === 'plan_apply_failed'
    ? `${fact.type} ${fact.outcome}`
    : fact.type
}
const inWords = ({ facts }: Pick<Seen, 'facts'>): string => facts.map(word).join(', ')

const script: Script = {
  'Say hello': planOf(setBody('Hello')),
  'Which one?': { kind: 'question', question: 'Which block?', suggestions: [] },
  'List pages': { kind: 'answer', status: 'info', summary: 'Three.', findings: [], suggestions: [] },
  'Remove the team': planOf(removePage('/team')),
  'Remove nobody': planOf(removeBlock('b_gone')),
}

/** Chat with an observer; `seen` waits for a request and returns what was observed of its run. */
async function watched(t: Test, plugins: readonly Used[] = []) {
  const { runs, plugin } = watcher()
  const mounted = mountForTest(t, chatInMemory({ script, plugins: [plugin, ...plugins] }))
  const client = chatClient((request) => mounted.inject(request))
  await client.bootstrap(startPages)
  const seen = async (answer: Promise<unknown>): Promise<Seen> => {
    await answer
    const run = runs.at(-1)
    if (!run) throw new Error('no run was seen')
    return run
  }
  return { mounted, runs, seen, ...client }
}

t.test('observers receive each run from its start to its one result, in order', async (t) => {
  const { seen, say, approve, discard, run } = await watched(t)
  const rows: readonly (readonly [what: string, asked: () => Promise<unknown>, expected: string])[] = [
    [
      'an edit',
      () => say('Say hello'),
      'request_received, context, planned_by_rules, plan_ready, apply begins, apply is over, first_op_applied, done, result applied',
    ],
    [
      'nothing to do',
      () => say('Say hello'),
      'request_received, context, planned_by_rules, plan_ready, done, result no_effective_change',
    ],
    ['a question', () => say('Which one?'), 'request_received, context, done, result needs_clarification'],
    ['an answer', () => say('List pages'), 'request_received, context, done, result info'],
    [
      'an unknown request',
      () => say('Make it pop'),
      'request_received, context, done, result unsupported_without_provider',
    ],
    [
      'a plan that is held',
      () => say('Remove the team'),
      'request_received, context, planned_by_rules, plan_ready, done, result plan_ready_for_approval',
    ],
    [
      'a plan that does not fit',
      () => say('Remove nobody'),
      'request_received, context, planned_by_rules, plan_apply_failed guardrail_failure, done, result guardrail_failure',
    ],
    [
      'an approval',
      () => approve(),
      'request_received, context, plan_ready, apply begins, apply is over, first_op_applied, done, result applied',
    ],
    [
      'an approval without a pending plan',
      () => approve(),
      'request_received, context, done, result pending_plan_missing',
    ],
    ['a discard', () => discard(), 'request_received, done, result canceled'],
    ['a missing page', () => say('Say hello', { slug: '/nowhere' }), 'request_received, result api_error'],
    ['a chain', () => run('continue_chain'), 'request_received, context, done, result pending_plan_missing'],
    ['no message', () => run('auto'), 'result validation_error'],
  ]
  for (const [what, ask, expected] of rows) t.equal(inWords(await seen(ask())), expected, what)
})

t.test('observers receive the calls of planners and their progress', async (t) => {
  const planner = scriptedPlanner(
    {},
    {
      async plan(_input, run): Promise<Outcome> {
        run.attempting?.({ model: 'claude-x', tier: 'fast', attempt: 1 })
        run.emit({ type: 'thinking_token', text: 'Hm' })
        run.emit({ type: 'status', message: 'Writing' })
        run.emit({ type: 'changelog_entry', entry: 'Change' })
        run.noted?.({ type: 'attempt_failed', attempt: 1, category: 'malformed_output', reason: 'no plan' })
        run.spent?.({
          model: 'claude-x',
          inputTokens: 10,
          outputTokens: 5,
          cacheCreationInputTokens: 0,
          cacheReadInputTokens: 0,
        })
        run.noted?.({ type: 'plan_generated', opTypes: ['update_props'] })
        run.noted?.({ type: 'repair_attempt', reason: 'a bad link' })
        return planOf(setBody('x', 'b_gone'))
      },
    },
  )
  const { seen, say } = await watched(t, [withPlanner(planner)])
  const run = await seen(say('Make it pop'))
  t.equal(
    inWords(run),
    'request_received, context, planner_asked, attempt, first_token, first_structured_progress, attempt_failed, plan_generated, repair_attempt, ' +
      'plan_apply_failed repair_failed, done, result repair_failed',
  )
  t.match(run.facts[2], { planner: 'anthropic' })
  t.match(
    run.facts.find(({ type }) => type === 'attempt_failed'),
    { attempt: 1, category: 'malformed_output', usage: { calls: 0 } },
  )
  t.match(
    run.facts.find(({ type }) => type === 'plan_generated'),
    { usage: { calls: 1, totalTokens: 15 } },
  )
})

t.test('a canceled or failed run has one result as well', async (t) => {
  const stop = new AbortController()
  const planners: Script = {
    Wait: () => {
      stop.abort()
      return planOf(setBody('x'))
    },
  }
  const { mounted, runs, say } = await watched(t, [withPlanner(scriptedPlanner(planners))])
  const runner = await mounted.get(chatRunner)
  const how = { id: 'run_1', signal: stop.signal, emit: () => undefined, isStreamed: true }
  const request = {
    session: 'dev',
    siteId: 'acme',
    slug: '/',
    message: 'Wait',
    executionMode: 'auto',
  } as const
  await t.rejects(runner.run(request, how), { name: 'Canceled' })
  t.equal(runs.at(-1)?.start.id, 'run_1')
  t.match(runs.at(-1)?.facts.at(-1), {
    type: 'result',
    outcome: 'canceled',
    category: 'canceled',
    result: undefined,
  })

  const { signal } = new AbortController()
  const broken = {
    ...how,
    signal,
    emit: () => {
      throw new Error('an internal canary')
    },
  }
  await t.rejects(runner.run({ ...request, message: 'Say hello' }, broken), /canary/)
  t.strictSame(runs.at(-1)?.facts.at(-1), {
    type: 'result',
    outcome: 'planner_exception',
    category: 'internal_error',
  })
  t.equal((await say('Say hello')).status, 200)
})

t.test('a failing observer changes nothing, is logged once, and does not stop the others', async (t) => {
  const { log, lines } = capturedLog()
  const { runs, plugin } = watcher()
  let calls = 0
  const plugins = [
    observing('at-once', () => {
      throw new Error('at once')
    }),
    observing('later', () => () => {
      calls += 1
      throw new Error('later')
    }),
    observing('much-later', () => async (fact) => {
      await turn()
      if (fact.type === 'result') throw new Error('much later')
    }),
    plugin,
  ]
  const mounted = mountForTest(t, { ...chatInMemory({ script, plugins }), log })
  const { bootstrap, say, page } = chatClient((request) => mounted.inject(request))
  await bootstrap(startPages)
  t.equal((await say('Say hello')).status, 200)
  await turn()
  await turn()
  t.match(await page('/'), { blocks: [{ props: { body: 'Hello' } }] })
  t.match(inWords(runs[0] ?? { facts: [] }), /^request_received, .*result applied$/)
  t.ok(calls < 4, 'a failed observer receives no further events of the run')
  const failures = lines.filter((line) => line.includes('run observer failed'))
  t.strictSame(failures.map((line) => /"message":"([^"]*)"/.exec(line)?.[1]).toSorted(), [
    'at once',
    'later',
    'much later',
  ])
})
