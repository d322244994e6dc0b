import t, { type Test } from 'tap'
import { everyWayIn, stillClock, type Ask } from '../../../kernel/testing.ts'
import { createChains } from '../../../plugins/chat/sessions/chains.ts'
import { PlannerFailure, type PlanningInput, type RequestStep } from '../../../plugins/chat/types/planner.ts'
import type { Outcome } from '../../../plugins/chat/types/plan.ts'
import { chatInMemory, chatClient, openChat, planOf, removePage, resultOf, scriptedPlanner, setBody, startPages, withPlanner, type Script } from '../../helpers/chat.ts'
import { refused } from '../../helpers/stack.ts'

const step = (text: string): RequestStep => ({ text, label: `${text}, in short` })
const requestSteps: Readonly<Record<string, readonly RequestStep[]>> = {
  'Do both': [step('Say one'), step('Say two')],
  'Do three': [step('Say one'), step('By the rules'), step('Say three')],
  'Go wrong': [step('Say one'), step('Fail'), step('Say three')],
  'Go wrong at once': [step('Fail'), step('Say two')],
  'Ask me': [step('Say one'), step('Which?'), step('Say three')],
  'Clean up': [step('Say one'), step('Remove the team'), step('Say three')],
  'Plans only': [step('Plan first: say one'), step('Say two')],
  'Try to say yes': [step('yes'), step('never mind')],
  'Only look': [step('List'), step('Say so'), step('Say two')],
  'Answer for me': [step('the second'), step('Say two')],
  'Ask again': [step('Do both'), step('Say two')],
}
const script: Script = {
  'Say one': planOf(setBody('First')),
  'Say two': planOf(setBody('Second', 'b_2')),
  'Say three': planOf(setBody('Third', 'b_3')),
  'Say so': { kind: 'unchanged', summary: 'It is so.' },
  'Which?': { kind: 'question', question: 'Which one?', suggestions: [], open: { message: 'Which?' } },
  'the second': ({ open }) => (open ? planOf(setBody('Answered', 'b_2')) : { kind: 'unsupported', suggestions: [] }),
  'the team': ({ open }) => (open ? planOf(removePage('/team')) : { kind: 'unsupported', suggestions: [] }),
  'Do both': planOf(setBody('All at once')),
  'Say four': planOf(setBody('Fourth', 'b_4')),
  'Remove the team': planOf(removePage('/team')),
  'Plan first: say one': planOf(setBody('First')),
  yes: planOf(setBody('Yes')),
  'never mind': planOf(setBody('Never mind')),
}
const rules: Script = { 'By the rules': planOf(setBody('By the rules', 'b_2')), List: { kind: 'answer', status: 'info', summary: 'Three.', findings: [], suggestions: [] } }

interface Opened {
  readonly splits: PlanningInput[]
  readonly seen: PlanningInput[]
  fails: boolean
  readonly plugin: ReturnType<typeof withPlanner>
}

/** A planner that answers from the tables above and records its inputs. */
function splitting(more: Partial<Parameters<typeof scriptedPlanner>[1]> = {}): Opened {
  const opened = { splits: [] as PlanningInput[], seen: [] as PlanningInput[], fails: true }
  const planner = scriptedPlanner(script, {
    async split(input) {
      opened.splits.push(input)
      return requestSteps[input.message]
    },
    async plan(input): Promise<Outcome> {
      opened.seen.push(input)
      if (input.message === 'Fail' && opened.fails) throw new PlannerFailure('provider', 'It rains.')
      if (input.message === 'Fail') return planOf(setBody('At last', 'b_2'))
      const line = Object.hasOwn(script, input.message) ? script[input.message] : undefined
      return typeof line === 'function' ? line(input) : (line ?? { kind: 'unsupported', suggestions: [] })
    },
    ...more,
  })
  return Object.assign(opened, { plugin: withPlanner(planner) })
}

async function open(t: Test, more: Parameters<typeof openChat>[1] = {}) {
  const opened = splitting()
  const chat = await openChat(t, { script: rules, plugins: [opened.plugin], ...more })
  const next = async (chainId?: string, also: object = {}) => resultOf(await chat.run('continue_chain', { message: '', ...(chainId !== undefined && { continuationChainId: chainId }), ...also }))
  const refusedNext = async (also: object = {}) => refused(await chat.run('continue_chain', also))
  return { ...chat, opened, next, refusedNext }
}

t.test('a request in several steps runs its first step at once, and each further one on request', (t) => {
  const opened = splitting()
  return everyWayIn(t, () => chatInMemory({ script: rules, plugins: [opened.plugin] }), async (t, ask: Ask) => {
    opened.seen.length = 0
    const { bootstrap, say, run, page, version } = chatClient(ask)
    await bootstrap(startPages)
    const first = resultOf(await say('Do three'))
    t.match(first, {
      status: 'applied',
      changes: ['Changed Rich Text on /: body to “First”'],
      continuation: { chainId: /^[0-9a-f-]{36}$/, currentStep: 2, totalSteps: 3, nextStepLabel: 'By the rules, in short' },
      debug: { promptExcerpt: 'Say one', executionMode: 'auto' },
    })
    const { chainId = '' } = first.continuation ?? {}
    t.equal(await version(), 2, 'no other step has run')
    t.match(resultOf(await run('continue_chain', { continuationChainId: chainId, message: '' })), {
      status: 'applied', modelUsed: 'rules', continuation: { chainId, currentStep: 3, totalSteps: 3 }, debug: { promptExcerpt: 'By the rules', executionMode: 'continue_chain' },
    }, 'a step is planned like a message')
    const last = resultOf(await run('continue_chain', { continuationChainId: chainId }))
    t.match(last, { status: 'applied', continuation: undefined })
    t.match(await page('/'), { blocks: [{ props: { body: 'First' } }, { props: { body: 'By the rules' } }, { props: { body: 'Third' } }, {}] })
    t.match(refused(await run('continue_chain', { continuationChainId: chainId })), { status: 409, code: 'chain_finished', reason: /All 3 steps/ })
    t.match(opened.seen.map(({ message }) => message), ['Say one', 'Say three'])
  })
})

t.test('an invalid continuation is refused and changes nothing', async (t) => {
  const clock = stillClock()
  const { say, refusedNext, next, draftState } = await open(t, { clock })
  t.match(await refusedNext(), { status: 409, code: 'no_chain', reason: /language model/ })
  const { continuation } = resultOf(await say('Do both'))
  const before = await draftState()
  t.match(await refusedNext({ continuationChainId: 'another' }), { status: 409, code: 'chain_mismatch' })
  clock.advance(60 * 60 * 1000)
  t.match(await refusedNext({ continuationChainId: continuation?.chainId }), { status: 409, code: 'no_chain', reason: /has expired after an hour/ })
  t.equal(await draftState(), before)
  const again = resultOf(await say('Do both'))
  clock.advance(60 * 60 * 1000 - 1)
  t.match(await next(undefined), { status: 'applied', continuation: undefined }, 'without an id the current chain continues')
  t.not(again.continuation?.chainId, continuation?.chainId)
})

t.test('a new chain replaces the previous one; each session has its own', async (t) => {
  const { say, next, refusedNext, ask } = await open(t)
  const old = resultOf(await say('Do three')).continuation?.chainId ?? ''
  const other = chatClient(ask, { session: 'other', siteId: 'acme' })
  await other.bootstrap(startPages)
  t.match(refused(await other.run('continue_chain', { continuationChainId: old })), { status: 409, code: 'no_chain' })
  t.match(resultOf(await say('Say four')), { status: 'applied', continuation: undefined }, 'a message in between does not affect the chain')
  const fresh = resultOf(await say('Do both')).continuation?.chainId
  t.match(await refusedNext({ continuationChainId: old }), { code: 'chain_mismatch' })
  t.match(await next(fresh), { status: 'applied' })
})

t.test('a step that fails does not advance', async (t) => {
  const { say, next, opened, version } = await open(t)
  const { continuation } = resultOf(await say('Go wrong'))
  for (const _ of [1, 2]) t.match(await next(continuation?.chainId), { http: 503, status: 'error', continuation: { currentStep: 2, totalSteps: 3 } })
  t.equal(await version(), 2)
  opened.fails = false
  t.match(await next(continuation?.chainId), { status: 'applied', continuation: { currentStep: 3 } })
  t.match(await next(continuation?.chainId), { status: 'applied', continuation: undefined })
})

t.test('a repeated request whose first step failed is not split again', async (t) => {
  const { say, next, opened } = await open(t)
  const failed = resultOf(await say('Go wrong at once'))
  t.match(failed, { http: 503, continuation: { currentStep: 1, totalSteps: 2 } })
  opened.fails = false
  const { chainId = '' } = failed.continuation ?? {}
  t.match(resultOf(await say('Go wrong at once')), { status: 'applied', continuation: { chainId, currentStep: 2 } })
  t.equal(opened.splits.length, 1)
  t.match(await next(chainId), { status: 'applied' })
})

t.test('a step that waits for approval is done when it is approved', async (t) => {
  const { say, next, approve, discard, slugs } = await open(t)
  const { chainId = '' } = resultOf(await say('Clean up')).continuation ?? {}
  const held = await next(chainId)
  t.match(held, { status: 'plan_ready', continuation: { currentStep: 2 } })
  t.equal((await next(chainId)).pendingPlanId, held.pendingPlanId, 'a repeated request returns the same plan and is not an approval')
  t.same(await slugs(), ['/', '/about', '/team'])
  await discard()
  const second = await next(chainId)
  t.match(second, { status: 'plan_ready' })
  t.match(resultOf(await approve({ pendingPlanId: second.pendingPlanId })), { status: 'applied', continuation: { chainId, currentStep: 3 } })
  t.match(await next(chainId), { status: 'applied', changes: [/Third/], continuation: undefined })
  await say('Remove the team')
  t.match(resultOf(await approve()), { continuation: undefined }, 'a plan of another message is not a step')
})

t.test('a step that asks a question is done when it is answered', async (t) => {
  const { say, next } = await open(t)
  const { chainId = '' } = resultOf(await say('Ask me')).continuation ?? {}
  t.match(await next(chainId), { status: 'needs_clarification', summary: 'Which one?', continuation: { currentStep: 2 } })
  t.match(resultOf(await say('the second')), { status: 'applied', changes: [/Answered/], continuation: { chainId, currentStep: 3 } })
  t.match(await next(chainId), { status: 'applied', changes: [/Third/] })

  await say('Ask me')
  await next()
  t.match(resultOf(await say('Say four')), { status: 'applied', continuation: undefined }, 'another request is not an answer')
  t.match(await next(), { status: 'needs_clarification', continuation: { currentStep: 2 } })
  t.match(resultOf(await say('the team')), { status: 'plan_ready', continuation: { currentStep: 2 } }, 'an answer may need approval')
  t.match(resultOf(await say('yes')), { status: 'applied', continuation: { currentStep: 3 } })
})

t.test('a step that only reads, or changes nothing, is done', async (t) => {
  const { say, next } = await open(t)
  t.match(resultOf(await say('Only look')), { status: 'info', continuation: { currentStep: 2 } })
  t.match(await next(), { status: 'applied', changes: [], continuation: { currentStep: 3 } })
})

t.test('texts of steps are plain messages, not approvals or answers', async (t) => {
  const { say, next, plans, slugs, opened } = await open(t)
  await say('Remove the team')
  const { pendingPlanId } = resultOf(await say('Remove the team'))
  t.match(resultOf(await say('Try to say yes')), { status: 'applied', changes: [/“Yes”/] }, 'a yes written by a model approves nothing')
  t.same(await slugs(), ['/', '/about', '/team'])
  await say('Remove the team')
  t.match(await next(), { status: 'applied', changes: [/“Never mind”/] }, 'nor does a no written by a model discard anything')
  t.ok(pendingPlanId)
  t.same(await plans(), [], 'an applied request drops the pending plan, as usual')

  t.match(resultOf(await say('Plans only')), { status: 'plan_ready', continuation: { currentStep: 1 } })
  t.match(resultOf(await say('Ask again')), { status: 'applied', changes: [/All at once/], continuation: { currentStep: 2, totalSteps: 2 } }, 'a step is not split again')
  await say('Which?')
  t.match(resultOf(await say('Answer for me')), { status: 'needs_clarification', continuation: { currentStep: 1 } })
  t.match(opened.seen.at(-1), { message: 'the second', open: undefined }, 'a step does not answer a question')
})

t.test('all steps run with the selection of the first', async (t) => {
  const { say, next, opened, ops } = await open(t)
  await say('Do three', { slug: '/about', activeBlockId: 'b_5', activeEditablePath: 'body' })
  await next(undefined, { slug: '/team', activeBlockId: 'b_7' })
  t.match(await next(undefined, { slug: '/team', activeBlockId: 'b_7' }), { updatedSlug: '/about', debug: { currentPage: '/about' } })
  t.match(opened.seen.map(({ selection }) => selection), [{ slug: '/about', blockId: 'b_5', path: 'body' }, { slug: '/about', blockId: 'b_5' }])
  await say('Do both', { slug: '/about' })
  await ops([removePage('/about')])
  t.match(await next(undefined, { slug: '/team' }), { status: 'applied', debug: { currentPage: '/team' } }, 'the current page replaces a removed one')
})

t.test('requests that the rules plan, or whose plan is shown first, are not split', async (t) => {
  const { say, opened } = await open(t)
  await say('By the rules')
  await say('List')
  t.match(resultOf(await say('Do both', { executionMode: 'plan_only' })), { status: 'plan_ready', continuation: undefined })
  t.match(resultOf(await say('Plan first: say one')), { status: 'plan_ready', continuation: undefined })
  t.strictSame(opened.splits, [])
  t.match(resultOf(await say('Say four')), { status: 'applied', continuation: undefined }, 'nor does an unsplit request have a continuation')
})

t.test('of two concurrent continuations one runs the step', async (t) => {
  const { say, run, version } = await open(t)
  const { chainId } = resultOf(await say('Do three')).continuation ?? {}
  const both = await Promise.all([1, 2].map(() => run('continue_chain', { continuationChainId: chainId })))
  const [done, late] = both.toSorted((a, b) => a.status - b.status)
  t.match(done && resultOf(done), { status: 'applied', continuation: { currentStep: 3 } })
  t.match(late && refused(late), { status: 409, code: 'chain_moved' })
  t.equal(await version(), 3)
})

t.test('a request that a planner cannot split is planned as one', async (t) => {
  const broken = splitting({ split: () => Promise.reject(new Error('no')) })
  const { say } = await openChat(t, { script: rules, plugins: [broken.plugin] })
  t.match(resultOf(await say('Do both')), { status: 'applied', changes: [/All at once/], continuation: undefined })
  const plain = await openChat(t, { script: rules, plugins: [withPlanner(scriptedPlanner(script))] })
  t.match(resultOf(await plain.say('Do both')), { status: 'applied', changes: [/All at once/] })
})

t.test('stored chains are limited: the oldest is dropped beyond the limit, and expired ones are not found', (t) => {
  const clock = stillClock()
  let named = 0
  const chains = createChains({ clock, ids: { uuid: () => `chain-${++named}` } })
  const id = (session: string) => ({ siteId: 'acme', session })
  const begin = (session: string) => chains.keep(id(session), chains.create({ promptHash: 'h', at: { slug: '/' }, steps: [step('a'), step('b')] }))
  for (let n = 0; n < 1_000; n++) begin(`s${n}`)
  begin('s0')
  begin('s1000')
  t.same([chains.find(id('s0'))?.id, chains.find(id('s1')), chains.find(id('s2'))?.id], ['chain-1001', undefined, 'chain-3'])
  clock.advance(60 * 60 * 1000 - 1)
  begin('late')
  t.equal(chains.find(id('s0'))?.id, 'chain-1001')
  clock.advance(1)
  t.same([chains.find(id('s0')), chains.find(id('late'))?.id], [undefined, 'chain-1003'])
  t.end()
})
