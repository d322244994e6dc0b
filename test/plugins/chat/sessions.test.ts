import t from 'tap'
import * as v from 'valibot'
import { everyWayIn, stillClock } from '../../../kernel/testing.ts'
import {
  everySession,
  keep,
  memories as memoriesOf,
  pendingPlans as plansOf,
  startSweeper,
  createMemories,
  nothingRemembered,
  createPendingPlans,
} from '../../../plugins/chat/testing.ts'
import { createMemoryStore, storeUnavailable } from '../../../plugins/store/testing.ts'
import type { PlanningInput, Outcome } from '../../../plugins/chat/port.ts'
import { capturedLog } from '../../../kernel/testing.ts'
import {
  chatClient,
  chatInMemory,
  openChat,
  planOf,
  removePage,
  resultOf,
  scriptedPlanner,
  setBody,
  startPages,
  suggestions,
  withPlanner,
  type Script,
} from '../../helpers/chat.ts'
import { store as storeRef } from '../../../plugins/store/port.ts'
import { draftKey } from '../../../plugins/scope/port.ts'
import { bodyOf, refused } from '../../helpers/stack.ts'

/** A planner that waits until the test lets it continue. */
function slowPlanner() {
  const waiting: { readonly message: string; readonly resume: () => void }[] = []
  const arrived: (() => void)[] = []
  const plan = async ({ message, draft }: PlanningInput): Promise<Outcome> => {
    const { promise, resolve: resume } = Promise.withResolvers<void>()
    waiting.push({ message, resume })
    for (const notify of arrived.splice(0)) notify()
    await promise
    const body = draft.pages[0]?.blocks[0]?.props['body']
    return planOf(setBody(`${String(body)} ${message}`))
  }
  const next = async () => {
    while (waiting.length === 0) await new Promise<void>((resolve) => arrived.push(resolve))
    return waiting.shift()
  }
  return { plugin: withPlanner(scriptedPlanner({}, { plan })), next, waiting }
}

t.test('messages to one draft are processed one after the other', async (t) => {
  const slow = slowPlanner()
  const { say, page, version } = await openChat(t, { plugins: [slow.plugin] })
  const answers = [say('first'), say('second')]
  const first = await slow.next()
  t.equal(first?.message, 'first')
  t.equal(slow.waiting.length, 0, 'the second is not planned yet')
  first?.resume()
  const second = await slow.next()
  t.equal(await version(), 2, 'but after the first was applied')
  second?.resume()
  t.match((await Promise.all(answers)).map(resultOf), [
    { status: 'applied', previewVersion: 2 },
    { status: 'applied', previewVersion: 3 },
  ])
  t.match(await page('/'), { blocks: [{ props: { body: 'One first second' } }, {}, {}, {}] })
  t.equal(await version(), 3)
})

t.test('a message waits for the previous one up to a limit; other sessions do not wait', async (t) => {
  const slow = slowPlanner()
  const options = { plugins: [slow.plugin], chat: { longestWaitMs: 30 } }
  const { say, discard, version, send, ask } = await openChat(t, options)
  const running = say('first')
  const first = await slow.next()
  const late = refused(await say('second'))
  t.match(late, { status: 409, code: 'session_busy', error: /Another message of this session/ })
  t.match(resultOf(await discard()), { status: 'canceled' })
  t.equal((await send('/chat/prefetch', { slug: '/', message: 'x' })).status, 200)
  const other = chatClient(ask, { session: 'other', siteId: 'acme' })
  await other.bootstrap(startPages)
  const elsewhere = other.say('third')
  const third = await slow.next()
  t.equal(third?.message, 'third')
  third?.resume()
  t.match(resultOf(await elsewhere), { status: 'applied' })
  first?.resume()
  t.match(resultOf(await running), { status: 'applied' })
  t.equal(await version(), 2)
})

const open = { message: 'Change it', memory: { action: 'set' } }
/** Understands "the first" as the answer to its question. */
const script: Script = {
  'Change it': { kind: 'question', question: 'Which block?', suggestions, open },
  'the first': ({ open }) => (open ? planOf(setBody('Changed')) : { kind: 'unsupported', suggestions }),
  yes: ({ open }) => (open ? planOf(setBody('Yes')) : { kind: 'unsupported', suggestions }),
  'Say hello': planOf(setBody('Hello')),
  'Remove the team': planOf(removePage('/team')),
  List: { kind: 'answer', status: 'info', summary: 'Three.', findings: [], suggestions: [] },
}
const applied = { http: 200, status: 'applied' }
const changed = { ...applied, changes: ['Changed Rich text on Home: body to “Changed”'] }
const unsupported = { debug: { outcome: 'unsupported_without_provider' } }

t.test('an open question ends after a request, two unclear messages or ten minutes', async (t) => {
  const clock = stillClock()
  const table: readonly (readonly [name: string, between: readonly (string | number)[], isOpen: boolean])[] =
    [
      ['nothing', [], true],
      ['a read', ['List'], false],
      ['an unclear message', ['What?'], true],
      ['two unclear messages in a row', ['What?', 'Why?'], false],
      ['the same question again', ['Change it'], true],
      ['the same question a third time', ['Change it', 'Change it'], false],
      ['a complete request', ['Say hello'], false],
      ['a pending plan', ['Remove the team', 'no'], false],
      ['never mind', ['never mind'], false],
      ['not quite ten minutes', [10 * 60 * 1000 - 1], true],
      ['ten minutes', [10 * 60 * 1000], false],
    ]
  for (const [name, between, isOpen] of table) {
    const { say } = await openChat(t, { script, clock })
    await say('Change it')
    for (const each of between) {
      if (typeof each === 'number') clock.advance(each)
      else await say(each)
    }
    t.match(resultOf(await say('the first')), isOpen ? changed : unsupported, name)
    t.match(resultOf(await say('the first')), unsupported, 'no question is open')
  }
})

t.test('a yes approves the pending plan, or else answers the open question', async (t) => {
  const { say, slugs } = await openChat(t, { script })
  await say('Change it')
  t.match(resultOf(await say('yes')), { ...applied, changes: [/“Yes”/] })
  await say('Remove the team')
  await say('Change it')
  for (const message of ['yes, but remove the hero', 'yes and no', 'okay the hero is fine', 'no hero'])
    t.match(resultOf(await say(message)), unsupported, `${message}: neither a yes nor a no`)
  t.match(resultOf(await say('Go ahead, please!')), applied)
  t.same(await slugs(), ['/', '/about'])
})

t.test('an open question belongs to the person who was asked', (t) =>
  everyWayIn(
    t,
    () => chatInMemory({ script }),
    async (t, ask) => {
      const { say, send, bootstrap } = chatClient(ask)
      await bootstrap(startPages)
      const [ada, ben] = ['a', 'b'].map((name) => ({ client: { id: `browser-${name}` } }))
      const hint = async (who?: object) =>
        (await send('/chat/prefetch', { slug: '/', message: 'the first', ...who })).json()
      await say('Change it', ada)
      t.match(resultOf(await say('the first', ben)), unsupported, 'an answer of another person')
      t.match(resultOf(await say('the first')), unsupported, 'of one who is not known')
      t.match([await hint(ada), await hint(ben)], [{ inferredAction: 'update' }, { inferredAction: null }])
      for (const message of ['What?', 'Why?', 'Say hello', 'never mind']) await say(message, ben)
      await say('Change it', ben)
      t.match(resultOf(await say('the first', ada)), changed, 'nothing of another person ends it')
      t.match(resultOf(await say('the first', ada)), unsupported)
      t.match(
        resultOf(await say('yes', ben)),
        { ...applied, changes: [/“Yes”/] },
        'each has one of their own',
      )

      await say('Change it')
      t.match(resultOf(await say('the first')), changed, 'those who state no browser are one')
    },
  ),
)

t.test('the conversation is one, and says which turns are of another person', async (t) => {
  const seen: PlanningInput['history'][] = []
  const plan = async ({ history }: PlanningInput): Promise<Outcome> => {
    seen.push(history)
    return { kind: 'unsupported', suggestions: [] }
  }
  const { say } = await openChat(t, { plugins: [withPlanner(scriptedPlanner({}, { plan }))] })
  const ada = { client: { id: 'browser-a' } }
  await say('one', ada)
  await say('two')
  await say('three', ada)
  const told = seen.at(-1)?.map(({ role, text, isOfOther }) => [role, text.slice(0, 3), isOfOther === true])
  t.match(told, [
    ['person', 'one', false],
    ['assistant', /./, false],
    ['person', 'two', true],
    ['assistant', /./, true],
  ])
})

t.test('questions to many people are stored up to a limit', async (t) => {
  const { memories } = createStores()
  const question = { kind: 'asked', question: open } as const
  for (let n = 0; n <= 50; n++)
    await memories.add(id, { person: `browser ${n}`, message: 'x', answered: 'y', question })
  t.notOk((await memories.read(id, 'browser 0')).openQuestion, 'the oldest gives way')
  t.match(await memories.read(id, 'browser 1'), { openQuestion: { question: open } })
})

t.test('each session has its own memory', async (t) => {
  const { say, ask, plans } = await openChat(t, { script })
  const other = chatClient(ask, { session: 'other', siteId: 'acme' })
  await other.bootstrap(startPages)
  await say('Change it')
  await say('Remove the team')
  t.match(resultOf(await other.say('the first')), unsupported)
  t.match(resultOf(await other.approve()), { http: 409 })
  t.equal((await plans()).length, 1)
  t.same(await other.plans(), [])
})

const id = { siteId: 'acme', session: 'dev' }

function createStores() {
  const clock = stillClock()
  const store = createMemoryStore()
  let named = 0
  const parts = { store, clock, ids: { uuid: () => `plan-${++named}` } }
  return { ...parts, memories: createMemories(parts), plans: createPendingPlans(parts) }
}

const plain = {
  promptHash: 'h',
  message: 'm',
  requestedSlug: '/',
  selection: { slug: '/' },
  summary: 's',
  steps: [],
  suggestions: [],
  mentionedSlugs: [],
  notes: [],
  reasons: [],
  source: { plannerSource: 'demo', modelUsed: 'rules', plannerTier: 'demo' },
  draftVersion: 1,
  images: [],
} as const

t.test('the last messages are stored', async (t) => {
  const { memories } = createStores()
  t.strictSame(await memories.read(id), nothingRemembered)
  for (let n = 1; n <= 12; n++) {
    await memories.add(id, {
      message: n === 12 ? '' : `say ${n}`,
      answered: n === 11 ? 'x'.repeat(5_000) : `answer ${n}`,
      question: { kind: 'untouched' },
    })
  }
  const { history } = await memories.read(id)
  t.same(
    history.map(({ role, text }) => `${role} ${text.slice(0, 9)} ${text.length}`),
    [
      'assistant answer 9 8',
      'person say 10 6',
      'assistant answer 10 9',
      'person say 11 6',
      'assistant xxxxxxxxx 2000',
      'assistant answer 12 9',
    ],
  )
})

t.test('a stored plan that cannot be read is not pending', async (t) => {
  const { say, approve, discard, plans, mounted } = await openChat(t, {
    script: { 'Say bye': planOf(setBody('Bye')) },
  })
  const store = await mounted.get(storeRef)
  const asWritten = { ...plansOf, body: v.unknown() }
  const body = { ...plain, steps: [{ op: { op: 'paint' } }], id: 'x', createdAt: '', expiresAt: '2099-01-01' }
  for (const broken of [body, null]) {
    await say('Say bye', { executionMode: 'plan_only' })
    await store.transaction((tx) =>
      tx
        .of(asWritten)
        .put(everySession, draftKey(id), { body: broken, columns: { expiresAt: '2099-01-01' } }),
    )
    t.same(await plans(), [])
    t.match(resultOf(await approve()), { http: 409, debug: { outcome: 'pending_plan_missing' } })
    t.match(resultOf(await discard()), { http: 200, status: 'canceled' })
  }
})

t.test('expired documents are removed from the store', async (t) => {
  const { store, clock, memories, plans } = createStores()
  const { log } = capturedLog()
  for (const session of ['a', 'b']) {
    await plans.hold({ ...id, session }, plain)
    await memories.add({ ...id, session }, { message: 'x', answered: 'y', question: { kind: 'untouched' } })
    clock.advance(30 * 60 * 1000)
  }
  const sweeper = startSweeper({ store, clock, log })
  t.teardown(() => sweeper.stop())
  const counts = async () => [
    await store.of(plansOf).count(everySession),
    await store.of(memoriesOf).count(everySession),
  ]
  await sweeper.sweep()
  t.same(await counts(), [1, 2])
  clock.advance(24 * 60 * 60 * 1000)
  await sweeper.sweep()
  t.same(await counts(), [0, 0])
})

t.test('beyond the limit of sessions the one that expires first is dropped', async (t) => {
  const { store } = createStores()
  const put = (session: string, expiresAt: string) =>
    store.transaction((tx) =>
      keep(tx, memoriesOf, draftKey({ ...id, session }), { body: nothingRemembered, expiresAt, most: 2 }),
    )
  await put('a', '2026-01-03')
  await put('b', '2026-01-02')
  await put('b', '2026-01-02')
  await put('c', '2026-01-04')
  t.same(
    (await store.of(memoriesOf).rows(everySession)).map(({ key }) => key),
    ['["acme","a"]', '["acme","c"]'],
  )
})

t.test('a hint estimates how long an answer takes, and changes nothing', async (t) => {
  const model = withPlanner(scriptedPlanner({ 'Remove the team': planOf(removePage('/team')) }))
  const rules: Script = {
    ...script,
    'It is so': { kind: 'unchanged', summary: 'It is.' },
    Add: planOf({ op: 'create_page', page: { slug: '/x' } }),
    Move: planOf({ op: 'move_block', pageSlug: '/', blockId: 'b_1' }),
    'All of them': ({ maxOperations }) =>
      maxOperations === undefined
        ? planOf(setBody('All'))
        : { kind: 'question', question: 'Which?', suggestions },
  }
  const slow = { likelyDeterministic: false, estimatedLatency: 'slow' }
  const instant = { likelyDeterministic: true, estimatedLatency: 'instant' }
  const moderate = { likelyDeterministic: true, estimatedLatency: 'moderate' }
  const rows: readonly (readonly [message: string, hint: object, action: string | null])[] = [
    ['Say hello', instant, 'update'],
    ['Remove the team', instant, 'remove'],
    ['Add', instant, 'add'],
    ['Move', instant, 'move'],
    ['It is so', moderate, 'update'],
    ['List', moderate, 'info'],
    ['Change it', moderate, 'clarify'],
    ['All of them', moderate, 'clarify'],
    ['Anything', moderate, null],
  ]
  for (const plugins of [[], [model]]) {
    const { send, say, plans, draftState } = await openChat(t, { script: rules, plugins })
    const prefetch = (message: string, more: object = {}) =>
      send('/chat/prefetch', { slug: '/', message, ...more })
    const before = await draftState()
    for (const [message, hint, inferredAction] of rows) {
      const expected = { ...(plugins.length > 0 ? slow : hint), inferredAction }
      t.strictSame(await bodyOf(prefetch(message)), expected, message)
    }
    for (const more of [{ slug: undefined }, { message: ' ' }, { session: 'a::b' }])
      t.match(refused(await prefetch('x', more)), { status: 400 }, JSON.stringify(more))
    t.match(refused(await prefetch('x', { slug: '/gone' })), { status: 404, code: 'not_found' })
    await say('Remove the team')
    const reply = { ...moderate, inferredAction: null }
    for (const message of ['yes', 'no']) t.strictSame(await bodyOf(prefetch(message)), reply, message)
    t.equal((await plans()).length, 1)
    t.equal(await draftState(), before)
  }
})

t.test('an edit and its session memory are one transaction; a failed commit is not remembered', async (t) => {
  const store = createMemoryStore()
  let transactions = 0
  let isFull = false
  const counting: typeof store = {
    ...store,
    transaction: (run) => {
      transactions += 1
      return store.transaction(async (tx) => {
        const done = await run(tx)
        if (isFull) throw storeUnavailable('The disk is full.')
        return done
      })
    },
  }
  const script: Script = {
    Edit: () => planOf(setBody('Hello')),
    Again: () => planOf(setBody('Hello again')),
    Go: () => planOf(removePage('/team')),
    List: { kind: 'answer', status: 'info', summary: 'Three.', findings: [], suggestions: [] },
  }
  const { say, approve, draftState } = await openChat(t, { script, store: counting })
  const remembered = async () =>
    (await store.of(memoriesOf).list(everySession)).flatMap(({ body }) =>
      body.history.map(({ text }) => text),
    )
  const costs = async (work: () => Promise<unknown>) => {
    const before = transactions
    await work()
    return transactions - before
  }

  t.equal(await costs(() => say('Edit')), 1, 'an edit')
  t.strictSame(await remembered(), ['Edit', 'Changed Rich text on Home: body to “Hello”.'])
  t.equal(await costs(() => say('Go')), 2, 'a pending plan, and its session memory')
  t.equal(await costs(() => approve()), 1, 'an approval')
  t.match((await remembered()).slice(2), ['Go', /^I will do that/, /^Removed page team/])
  t.equal(await costs(() => say('List')), 1, 'an answer')

  const [before, memory] = [await draftState(), await remembered()]
  isFull = true
  t.match(refused(await say('Again')), { status: 503, code: 'store_unavailable' })
  isFull = false
  t.same([await draftState(), await remembered()], [before, memory])
})
