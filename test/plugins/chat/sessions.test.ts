import t from 'tap'
import * as v from 'valibot'
import { everyWayIn, stillClock } from '../../../kernel/testing.ts'
import { createChains } from '../../../plugins/chat/sessions/chains.ts'
import { everySession, keep, memories as memoriesOf, pendingPlans as plansOf, startSweeper } from '../../../plugins/chat/sessions/expiring.ts'
import { createMemories, nothingRemembered } from '../../../plugins/chat/sessions/memory.ts'
import { createPendingPlans } from '../../../plugins/chat/sessions/pending-plans.ts'
import type { PlanningInput } from '../../../plugins/chat/types/planner.ts'
import type { Outcome } from '../../../plugins/chat/types/plan.ts'
import { createTurns } from '../../../plugins/chat/sessions/turns.ts'
import { createMemoryStore } from '../../../plugins/store/memory.ts'
import { capturedLog } from '../../../kernel/testing.ts'
import { chatInMemory, chatter, openChat, planOf, removePage, resultOf, scriptedPlanner, setBody, startPages, suggestions, withPlanner, type Script } from '../../helpers/chat.ts'
import { store as storeRef } from '../../../plugins/store/port.ts'
import { storeUnavailable } from '../../../plugins/store/refusals.ts'
import { draftKey } from '../../../plugins/scope/port.ts'
import { bodyOf, refused } from '../../helpers/stack.ts'

/** A planner that goes on when it is told to. */
function slowPlanner() {
  const waiting: { readonly message: string; readonly goOn: () => void }[] = []
  const arrived: (() => void)[] = []
  const plan = async ({ message, draft }: PlanningInput): Promise<Outcome> => {
    const { promise, resolve: goOn } = Promise.withResolvers<void>()
    waiting.push({ message, goOn })
    for (const tell of arrived.splice(0)) tell()
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

t.test('two messages on one draft are worked on one after the other', async (t) => {
  const slow = slowPlanner()
  const { say, page, version } = await openChat(t, { plugins: [slow.plugin] })
  const answers = [say('first'), say('second')]
  const first = await slow.next()
  t.equal(first?.message, 'first')
  await new Promise((resolve) => setTimeout(resolve, 20))
  t.equal(slow.waiting.length, 0, 'the second is not planned yet')
  first?.goOn()
  ;(await slow.next())?.goOn()
  t.match((await Promise.all(answers)).map(resultOf), [{ status: 'applied', previewVersion: 2 }, { status: 'applied', previewVersion: 3 }])
  t.match(await page('/'), { blocks: [{ props: { body: 'One first second' } }, {}, {}, {}] })
  t.equal(await version(), 3)
})

t.test('a message waits for the one before it, but not too long; reading does not wait, nor do others', async (t) => {
  const slow = slowPlanner()
  const script: Script = { List: { kind: 'answer', status: 'info', summary: 'Three.', findings: [], suggestions: [] } }
  const { say, discard, version, send, ask } = await openChat(t, { script, plugins: [slow.plugin], chat: { longestWaitMs: 30 } })
  const running = say('first')
  const first = await slow.next()
  const late = refused(await say('second'))
  t.match(late, { status: 409, code: 'session_busy', error: /Another message of this session/ })
  t.match(resultOf(await say('List')), { status: 'info' })
  t.match(resultOf(await discard()), { status: 'canceled' })
  t.equal((await send('/chat/prefetch', { slug: '/', message: 'x' })).status, 200)
  const other = chatter(ask, { session: 'other', siteId: 'acme' })
  await other.bootstrap(startPages)
  const elsewhere = other.say('third')
  const third = await slow.next()
  t.equal(third?.message, 'third')
  third?.goOn()
  t.match(resultOf(await elsewhere), { status: 'applied' })
  first?.goOn()
  t.match(resultOf(await running), { status: 'applied' })
  t.equal(await version(), 2)
})

t.test('who gives up waiting lets nobody pass', async (t) => {
  const turns = createTurns(20)
  const { signal } = new AbortController()
  const { promise, resolve: end } = Promise.withResolvers<string>()
  const order: string[] = []
  const running = turns.take('a', signal, () => promise)
  await t.rejects(turns.take('a', signal, async () => order.push('too late')), { code: 'session_busy' })
  const next = turns.take('a', signal, async (waited) => order.push(`next ${String(waited)}`))
  t.same(order, [])
  end('done')
  t.equal(await running, 'done')
  await next
  t.same(order, ['next true'])
  t.equal(await turns.take('a', signal, async (waited) => waited), false)
  await t.rejects(turns.take('a', signal, () => Promise.reject(new Error('fails'))), { message: 'fails' })
  t.equal(await turns.take('a', signal, async () => 'goes on'), 'goes on')
})

const question = (more: object = {}): Outcome => ({ kind: 'question', question: 'Which block?', suggestions, open: { message: 'Change it', memory: { action: 'set' } }, ...more })
/** Understands "the first" when it is asked which. */
const script: Script = {
  'Change it': question(),
  'the first': ({ open }) => (open ? planOf(setBody('Changed')) : { kind: 'unsupported', suggestions }),
  yes: ({ open }) => (open ? planOf(setBody('Yes')) : { kind: 'unsupported', suggestions }),
  'Say hello': planOf(setBody('Hello')),
  'Remove the team': planOf(removePage('/team')),
  List: { kind: 'answer', status: 'info', summary: 'Three.', findings: [], suggestions: [] },
}
const applied = { http: 200, status: 'applied' }
const unsupported = { debug: { outcome: 'unsupported_without_provider' } }

t.test('the next message may answer a question', (t) =>
  everyWayIn(t, () => chatInMemory({ script }), async (t, ask) => {
    const { bootstrap, say } = chatter(ask)
    await bootstrap(startPages)
    t.match(resultOf(await say('the first')), unsupported, 'nothing was asked')
    t.match(resultOf(await say('Change it')), { status: 'needs_clarification' })
    t.match(resultOf(await say('the first')), { ...applied, changes: ['Changed Rich Text on /: body to “Changed”'] })
    t.match(resultOf(await say('the first')), unsupported, 'it is answered')
  }),
)

t.test('what ends a question', async (t) => {
  const clock = stillClock()
  const table: readonly (readonly [name: string, between: readonly (string | number)[], isOpen: boolean])[] = [
    ['nothing', [], true],
    ['something to read', ['List'], false],
    ['a request that is not understood', ['Make it shorter'], false],
    ['a message that says nothing', ['What?'], true],
    ['two in a row that say nothing', ['What?', 'Why?'], false],
    ['the same question again', ['Change it'], true],
    ['the same question a third time', ['Change it', 'Change it'], false],
    ['a complete request', ['Say hello'], false],
    ['a plan that waits', ['Remove the team', 'no'], false],
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
    t.match(resultOf(await say('the first')), isOpen ? applied : unsupported, name)
  }
})

t.test('a yes answers a question where no plan waits, and approves one where it does', async (t) => {
  const { say, slugs } = await openChat(t, { script })
  await say('Change it')
  t.match(resultOf(await say('yes')), { ...applied, changes: [/“Yes”/] })
  await say('Remove the team')
  await say('Change it')
  t.match(resultOf(await say('yes')), applied)
  t.same(await slugs(), ['/', '/about'])
})

t.test('each session has its own memory', async (t) => {
  const { say, ask, plans } = await openChat(t, { script })
  const other = chatter(ask, { session: 'other', siteId: 'acme' })
  await other.bootstrap(startPages)
  await say('Change it')
  await say('Remove the team')
  t.match(resultOf(await other.say('the first')), unsupported)
  t.match(resultOf(await other.approve()), { http: 409 })
  t.equal((await plans()).length, 1)
  t.same(await other.plans(), [])
})

const id = { siteId: 'acme', session: 'dev' }

function kept() {
  const clock = stillClock()
  const store = createMemoryStore()
  let named = 0
  const parts = { store, clock, ids: { uuid: () => `plan-${++named}` } }
  return { ...parts, memories: createMemories(parts), plans: createPendingPlans(parts), chains: createChains(parts) }
}

const plain = { promptHash: 'h', message: 'm', locale: 'en', requestedSlug: '/', selection: { slug: '/' }, summary: 's', steps: [], suggestions: [], mentionedSlugs: [], notes: [], reasons: [], source: { plannerSource: 'demo', modelUsed: 'rules', plannerTier: 'demo' }, draftVersion: 1 } as const

t.test('the last messages are kept', async (t) => {
  const { memories } = kept()
  t.strictSame(await memories.read(id), nothingRemembered)
  for (let n = 1; n <= 12; n++) {
    await memories.add(id, { said: n === 12 ? '' : `say ${n}`, answered: n === 11 ? 'x'.repeat(5_000) : `answer ${n}`, question: { kind: 'untouched' } })
  }
  const { history } = await memories.read(id)
  t.same(history.map(({ role, text }) => `${role} ${text.slice(0, 9)} ${text.length}`), [
    'assistant answer 9 8',
    'person say 10 6',
    'assistant answer 10 9',
    'person say 11 6',
    'assistant xxxxxxxxx 2000',
    'assistant answer 12 9',
  ])
})

t.test('a plan that waits is a copy of its own', async (t) => {
  const { plans } = kept()
  const reasons = [{ kind: 'multi_page_plan', slugs: ['/', '/a'] } as const]
  const mine = { ...plain, reasons }
  const held = await plans.hold(id, mine)
  reasons.length = 0
  t.match(held, { id: 'plan-1', reasons: [{ slugs: ['/', '/a'] }] })
  t.match(await plans.find(id), { id: 'plan-1', reasons: [{ slugs: ['/', '/a'] }] })
  t.same([await plans.drop(id, 'other'), await plans.drop(id, 'plan-1'), await plans.drop(id, 'plan-1')], [false, true, false])
})

/** A plan with everything that one may have. */
const whole = {
  ...plain,
  selection: { slug: '/', blockId: 'b_1', path: 'body' },
  steps: [{ op: { op: 'update_props', pageSlug: '/', blockId: 'b_1', patch: { body: null } }, line: 'Line' }, { op: { op: 'remove_page', pageSlug: '/a' } }],
  images: [
    { at: { kind: 'block', pageSlug: '/', blockId: 'b', field: 'imageUrl' }, type: 'Hero', query: 'boats', source: 'stock', was: 'w' },
    { at: { kind: 'row', pageSlug: '/', blockId: 'b', listKey: 'cards', index: 1, field: 'imageUrl' }, type: 'CardGrid', query: 'boats', was: 'w' },
    { at: { kind: 'page', pageSlug: '/' }, type: '/', query: 'boats', was: 'w' },
    { at: { kind: 'site' }, type: 'site', query: 'boats', was: 'w' },
  ],
  notes: [...(['unknown_props', 'references', 'descriptions', 'images', 'unfit_images', 'no_images'] as const).map((kind) => ({ kind, type: 'Hero' })), { kind: 'said', text: 'A remark.' }],
  reasons: [{ kind: 'remove_page', slug: '/a', title: 'A', blockCount: 1 }, { kind: 'multi_page_plan', slugs: ['/', '/a'] }, { kind: 'bulk_remove_blocks', count: 3 }, { kind: 'majority_page_wipe', slug: '/', removing: 3, total: 4 }],
  suggestions: ['Next'],
  mentionedSlugs: ['/'],
  source: { plannerSource: 'anthropic', modelUsed: 'claude', plannerTier: 'full_llm', modelKey: 'fast' },
  componentsManifest: { version: 1, blocks: [] },
  allowStructuralEdits: false,
} satisfies Parameters<ReturnType<typeof createPendingPlans>['hold']>[1]

t.test('a plan is read back with everything that it was held with', async (t) => {
  const { plans } = kept()
  for (const plan of [plain, whole]) {
    const held = await plans.hold(id, plan)
    t.strictSame(await plans.find(id), held)
  }
})

t.test('a plan that another version has stored is shown and applied, as far as it can be', async (t) => {
  const { say, approve, discard, plans, plan, page, mounted } = await openChat(t, { script: { 'Say hello': planOf(setBody('Hello')), 'Say bye': planOf(setBody('Bye')) } })
  const store = await mounted.get(storeRef)
  const asWritten = { ...plansOf, body: v.unknown() }
  const change = (to: (body: object) => unknown) =>
    store.transaction(async (tx) => {
      const stored = await tx.of(plansOf).get(everySession, draftKey(id))
      if (!stored) throw new Error('a plan waits')
      await tx.of(asWritten).put(everySession, draftKey(id), { body: to(stored.body), columns: stored.columns })
    })
  const without = (...names: readonly string[]) => (body: object) => Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

  const { pendingPlanId = '' } = resultOf(await say('Say hello', { executionMode: 'plan_only' }))
  await change(without('mentionedSlugs', 'suggestions', 'notes', 'reasons', 'images'))
  t.match(resultOf(await say('Say hello')), { http: 200, status: 'plan_ready', pendingPlanId, mentionedSlugs: ['/'], suggestions: [] }, 'asked for again')
  t.match(await plans(), [{ id: pendingPlanId }])
  t.match(await bodyOf(plan(pendingPlanId)), { valid: true })
  t.match(resultOf(await approve()), { http: 200, status: 'applied' })
  t.match(await page('/'), { blocks: [{ props: { body: 'Hello' } }, {}, {}, {}] })

  const broken: Readonly<Record<string, (body: object) => unknown>> = {
    'no steps': without('steps'),
    'no source': without('source'),
    'an operation that there is none of': (body) => ({ ...body, steps: [{ op: { op: 'paint' } }] }),
    'a reason that there is none of': (body) => ({ ...body, reasons: [{ kind: 'weather' }] }),
    'no object': () => null,
  }
  for (const [name, to] of Object.entries(broken)) {
    const held = resultOf(await say('Say bye', { executionMode: 'plan_only' }))
    await change(to)
    t.same(await plans(), [], name)
    t.match(refused(await plan(held.pendingPlanId ?? '')), { status: 404, code: 'plan_not_found' }, name)
    t.match(resultOf(await approve()), { http: 409, debug: { outcome: 'pending_plan_missing' } }, name)
    t.match(resultOf(await discard()), { http: 200, status: 'canceled' }, name)
  }
})

t.test('what is over is removed from the store, a little at a time', async (t) => {
  const { store, clock, memories, plans, chains } = kept()
  const { log } = capturedLog()
  for (const session of ['a', 'b']) {
    await plans.hold({ ...id, session }, plain)
    await memories.add({ ...id, session }, { said: 'x', answered: 'y', question: { kind: 'untouched' } })
    clock.advance(30 * 60 * 1000)
  }
  const sweeper = startSweeper({ store, clock, log, chains })
  t.teardown(() => sweeper.stop())
  const counts = async () => [await store.of(plansOf).count(everySession), await store.of(memoriesOf).count(everySession)]
  await sweeper.sweep()
  t.same(await counts(), [1, 2])
  clock.advance(24 * 60 * 60 * 1000)
  await sweeper.sweep()
  t.same(await counts(), [0, 0])
})

t.test('so many sessions are remembered; one more drops the one that would end first', async (t) => {
  const { store } = kept()
  const put = (session: string, expiresAt: string) =>
    store.transaction((tx) => keep(tx, memoriesOf, { ...id, session }, { body: nothingRemembered, expiresAt, most: 2 }))
  await put('a', '2026-01-03')
  await put('b', '2026-01-02')
  await put('b', '2026-01-02')
  await put('c', '2026-01-04')
  t.same((await store.of(memoriesOf).rows(everySession)).map(({ key }) => key), ['["acme","a"]', '["acme","c"]'])
})

t.test('a hint tells how long an answer takes, and changes nothing', (t) => {
  const model = withPlanner(scriptedPlanner({}))
  const rules: Script = { ...script, 'It is so': { kind: 'unchanged', summary: 'It is.' }, Add: planOf({ op: 'create_page', page: { slug: '/x' } }), Move: planOf({ op: 'move_block', pageSlug: '/', blockId: 'b_1' }) }
  const rows = (hasModel: boolean): readonly (readonly [message: string, hint: object])[] => {
    const open = hasModel ? { likelyDeterministic: false, estimatedLatency: 'slow' } : { likelyDeterministic: true, estimatedLatency: 'moderate' }
    return [
      ['Say hello', { likelyDeterministic: true, estimatedLatency: 'instant', inferredAction: 'update' }],
      ['Remove the team', { likelyDeterministic: true, estimatedLatency: 'instant', inferredAction: 'remove' }],
      ['Add', { likelyDeterministic: true, estimatedLatency: 'instant', inferredAction: 'add' }],
      ['Move', { likelyDeterministic: true, estimatedLatency: 'instant', inferredAction: 'move' }],
      ['It is so', { likelyDeterministic: true, estimatedLatency: 'moderate', inferredAction: 'update' }],
      ['List', { likelyDeterministic: true, estimatedLatency: 'moderate', inferredAction: 'info' }],
      ['Change it', { ...open, inferredAction: 'clarify' }],
      ['Anything', { ...open, inferredAction: null }],
    ]
  }
  const check = (hasModel: boolean) =>
    everyWayIn(t, () => chatInMemory({ script: rules, plugins: hasModel ? [model] : [] }), async (t, ask) => {
      const { bootstrap, send, say, plans, whole } = chatter(ask)
      await bootstrap(startPages)
      const before = await whole()
      for (const [message, hint] of rows(hasModel)) t.strictSame(await bodyOf(send('/chat/prefetch', { slug: '/', message })), hint, message)
      for (const body of [{ message: 'x' }, { slug: '/' }, { slug: '/', message: ' ' }, { slug: '/', message: 'x', session: 'a::b' }]) {
        t.match(refused(await send('/chat/prefetch', body)), { status: 400 }, JSON.stringify(body))
      }
      t.match(refused(await send('/chat/prefetch', { slug: '/gone', message: 'x' })), { status: 404, code: 'not_found' })
      await say('Remove the team')
      for (const reply of ['yes', 'no']) t.strictSame(await bodyOf(send('/chat/prefetch', { slug: '/', message: reply })), { likelyDeterministic: true, estimatedLatency: 'moderate', inferredAction: null }, `${reply} to the plan that waits`)
      t.equal((await plans()).length, 1)
      t.equal(await whole(), before)
    })
  return check(false).then(() => check(true))
})

t.test('an edit and the talk about it are one transaction; what is not committed is not remembered as done', async (t) => {
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
  const script: Script = { Edit: () => planOf(setBody('Hello')), Again: () => planOf(setBody('Hello again')), Go: () => planOf(removePage('/team')), List: { kind: 'answer', status: 'info', summary: 'Three.', findings: [], suggestions: [] } }
  const { say, approve, whole } = await openChat(t, { script, store: counting })
  const remembered = async () => (await store.of(memoriesOf).list(everySession)).flatMap(({ body }) => body.history.map(({ text }) => text))
  const costs = async (work: () => Promise<unknown>) => {
    const before = transactions
    await work()
    return transactions - before
  }

  t.equal(await costs(() => say('Edit')), 1, 'an edit')
  t.strictSame(await remembered(), ['Edit', 'Changed Rich Text on /: body to “Hello”.'])
  t.equal(await costs(() => say('Go')), 2, 'a plan that waits, and the talk about it')
  t.equal(await costs(() => approve()), 1, 'an approval')
  t.match((await remembered()).slice(2), ['Go', /^I will do that/, /^Removed page \/team/])
  t.equal(await costs(() => say('List')), 1, 'an answer')

  const [before, talk] = [await whole(), await remembered()]
  isFull = true
  t.match(refused(await say('Again')), { status: 503, code: 'store_unavailable' })
  isFull = false
  t.same([await whole(), await remembered()], [before, talk])
})

t.test('the oldest memory makes room for a new one, never the new one itself', async (t) => {
  const store = createMemoryStore()
  const body = nothingRemembered
  const at = (session: string) => ({ siteId: 'acme', session })
  const kept = (session: string, expiresAt: string) => store.transaction((tx) => keep(tx, memoriesOf, at(session), { body, expiresAt, most: 2 }))
  for (const [session, expiresAt] of [['b', '2026-01-02'], ['c', '2026-01-03'], ['b', '2026-01-03'], ['a', '2026-01-03']] as const) await kept(session, expiresAt)
  t.strictSame((await store.of(memoriesOf).rows(everySession)).map(({ key }) => key), ['["acme","a"]', '["acme","c"]'])
})
