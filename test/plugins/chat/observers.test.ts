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
import {
  chatInMemory,
  chatClient,
  planOf,
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
interface SeenRun {
  readonly start: RunStart
  readonly facts: RunEvent[]
}

function watcher() {
  const runs: SeenRun[] = []
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
  return fact.type === 'result' ? `${fact.type} ${fact.outcome}` : fact.type
}
const inWords = ({ facts }: Pick<SeenRun, 'facts'>): string => facts.map(word).join(', ')

const script: Script = {
  'Say hello': planOf(setBody('Hello')),
  'Which one?': { kind: 'question', question: 'Which block?', suggestions: [] },
  'Remove the team': planOf(removePage('/team')),
}

/** Chat with an observer; `seen` waits for a request and returns what was observed of its run. */
async function watched(t: Test, plugins: readonly Used[] = []) {
  const { runs, plugin } = watcher()
  const mounted = mountForTest(t, chatInMemory({ script, plugins: [plugin, ...plugins] }))
  const client = chatClient((request) => mounted.inject(request))
  await client.bootstrap(startPages)
  const seen = async (answer: Promise<unknown>): Promise<SeenRun> => {
    await answer
    const run = runs.at(-1)
    if (!run) throw new Error('no run was seen')
    return run
  }
  return { mounted, runs, seen, ...client }
}

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
