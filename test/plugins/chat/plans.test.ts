import t from 'tap'
import * as v from 'valibot'
import { everyWayIn, stillClock } from '../../../kernel/testing.ts'
import {
  chatClient,
  chatInMemory,
  openChat,
  planOf,
  removeBlock,
  removePage,
  resultOf,
  setBody,
  startPages,
  type Script,
} from '../../helpers/chat.ts'
import { bodyOf, refused } from '../../helpers/stack.ts'
import { emptyList } from '../../helpers/plain.ts'

const script: Script = {
  'Say hello': planOf(setBody('Hello')),
  'Say hello twice': planOf(setBody('Hello'), setBody('Hello too', 'b_5', '/about')),
  'Remove the team': planOf(removePage('/team')),
  'Clear about': planOf(removeBlock('b_5', '/about'), removeBlock('b_6', '/about')),
  'Remove services': planOf(removePage('/services')),
  'Two pages': planOf(
    { op: 'create_page', page: { slug: '/jobs', title: 'Jobs' } },
    { op: 'create_page', page: { slug: '/news', title: 'News' } },
  ),
  'Rename about': planOf({ op: 'rename_page', pageSlug: '/about', newPageSlug: '/us' }),
  'Say hello there': planOf(setBody('Hello there')),
  'Move on': planOf(setBody('Moved'), removePage('/team')),
  'New page': planOf(
    { op: 'create_page', page: { slug: '/jobs', title: 'Jobs' } },
    {
      op: 'add_block',
      pageSlug: '/jobs',
      block: { id: 'b_jobs', type: 'RichText', props: { title: 'Jobs', body: 'None.' } },
    },
    setBody('We hire'),
  ),
}

const heldId = async (answer: ReturnType<ReturnType<typeof chatClient>['say']>): Promise<string> => {
  const { status, pendingPlanId = '' } = resultOf(await answer)
  if (status !== 'plan_ready') throw new Error(`the plan is ${status}`)
  return pendingPlanId
}

const missing = { http: 409, debug: { outcome: 'pending_plan_missing' } }

t.test('a pending plan can be read, with the differences that it would make', async (t) => {
  const clock = stillClock()
  const { say, plans, plan, approve, draftState, get } = await openChat(t, { script, clock })
  t.same(await plans(), [])
  const before = await draftState()
  const id = await heldId(say('Say hello twice', { slug: '/about' }))
  const row = {
    id,
    createdAt: '2026-01-01T12:00:00.000Z',
    expiresAt: '2026-01-01T13:00:00.000Z',
    slug: '/about',
    message: 'Say hello twice',
    summary: 'I will do that.',
    changes: ['Change number 1', 'Change number 2'],
    destructiveReasons: ['This changes 2 pages: /, /about.'],
    opCount: 2,
    draftVersion: 1,
  }
  t.strictSame(await plans(), [row])
  const ops = [setBody('Hello'), setBody('Hello too', 'b_5', '/about')]
  const summary = { pagesModified: 2, pagesUnchanged: 1, totalChangedFields: 2 }
  const fieldDiffs = [{ path: 'body', before: 'One', after: 'Hello' }]
  const blockDiffs = [{ blockId: 'b_1', status: 'modified', fieldDiffs }, {}, {}, {}]
  const pages = [{ slug: '/', blockDiffs }, { slug: '/about' }, { slug: '/team', status: 'unchanged' }]
  const diff = { baselineAvailable: true, summary, pages }
  t.match(await bodyOf(plan(id)), { ...row, valid: true, validationErrors: undefined, ops, diff })
  const unknown = { status: 404, code: 'plan_not_found' }
  t.match(refused(await plan('other')), unknown)
  t.match(refused(await get(`/chat/plans/${id}`, { session: 'other' })), unknown)
  t.equal(await draftState(), before)
  t.match(resultOf(await approve({ pendingPlanId: id, slug: '/about' })), {
    status: 'applied',
    previewVersion: 2,
    changes: [
      'Changed Rich text on Home: body to “Hello”',
      'Changed Rich text on about: body to “Hello too”',
    ],
    mentionedSlugs: ['/', '/about'],
  })
  t.same(await plans(), [])
  t.match(refused(await plan(id)), unknown)
})

t.test('a change by chat is of the client that sent the message, and its own undo undoes it', async (t) => {
  const { say, ops, send, get, page } = await openChat(t, { script })
  const client = { id: 'browser-a', name: 'Ana' }
  t.match(resultOf(await say('Say hello', { client })), { status: 'applied' })
  const entries = [{}, { source: 'chat', actor: { kind: 'person', browser: client } }]
  t.match(await bodyOf(get('/history/log')), { entries })
  await ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'By another' }])
  t.equal((await send('/history/undo', { slug: '/', mine: true, client })).status, 200)
  t.match(await page('/'), { title: 'By another', blocks: [{ props: { body: 'One' } }] })
})

t.test('an approved plan is one undo step, on any of its pages', async (t) => {
  for (const slug of ['/', '/about']) {
    const { say, approve, undo, redo, page, get, version } = await openChat(t, { script })
    const bodies = async () =>
      (await Promise.all([page('/'), page('/about')])).map(({ blocks }) => blocks[0]?.props['body'])
    await heldId(say('Say hello twice'))
    t.match(resultOf(await approve()), { undoSlug: '/' })
    const entry = { version: 2, source: 'chat', channel: 'chat', opCount: 2, slugs: ['/', '/about'] }
    const entries = [{}, { ...entry, summary: 'Made 2 changes.' }]
    t.match(await bodyOf(get('/history/log')), { currentVersion: 2, entries })
    await undo(slug)
    t.same(await bodies(), ['One', 'About'])
    await redo(slug)
    t.same(await bodies(), ['Hello', 'Hello too'])
    t.equal(await version(), 4)
  }
})

t.test('updatedSlug and undoSlug follow from the page that was worked on', async (t) => {
  const { say, approve, undo, slugs, page } = await openChat(t, { script })
  await heldId(say('Say hello twice', { slug: '/about' }))
  t.match(resultOf(await approve({ slug: '/about' })), { undoSlug: '/about', updatedSlug: undefined })
  await heldId(say('Move on', { slug: '/team' }))
  const moved = { undoSlug: '/', updatedSlug: '/', mentionedSlugs: ['/'], suggestions: [] }
  t.match(resultOf(await approve({ slug: '/team' })), moved)
  t.equal((await undo('/')).status, 200)
  t.same(await slugs(), ['/', '/about', '/team'])
  t.match(await page('/'), { blocks: [{ props: { body: 'Hello' } }, {}, {}, {}] })
  const held = { status: 'plan_ready', mentionedSlugs: ['/'] }
  t.match(resultOf(await say('Two pages')), held, 'new pages are not mentioned yet')
  const noTarget = { updatedSlug: undefined, undoSlug: '/jobs', focusBlockId: undefined }
  t.match(resultOf(await approve()), { ...noTarget, mentionedSlugs: ['/jobs', '/news'] })
})

t.test('of concurrent approvals one is applied, and the others find no pending plan', async (t) => {
  const { say, approve, page, version, slugs } = await openChat(t, { script })
  for (const [message, slug] of [
    ['Say hello twice', '/'],
    ['Remove the team', '/'],
  ] as const) {
    const pendingPlanId = await heldId(say(message, { slug }))
    const answers = await Promise.all([approve({ pendingPlanId }), approve({ pendingPlanId }), say('yes')])
    t.match(answers.map(resultOf), [{ http: 200, status: 'applied' }, missing, missing])
    t.equal((await approve({ pendingPlanId })).status, 409, 'nor does a later one')
  }
  t.same([await version(), await slugs()], [3, ['/', '/about']])
  t.match(await page('/'), { blocks: [{ props: { body: 'Hello' } }, {}, {}, {}] })
})

t.test('a repeated request is not an approval', async (t) => {
  const { say, plans, version, slugs, discard } = await openChat(t, { script })
  const id = await heldId(say('Remove the team'))
  t.equal(await heldId(say('Remove the team')), id)
  t.equal(await heldId(say('  Remove the team ', { executionMode: 'plan_only' })), id)
  await discard()
  const [once, twice] = [await say('Say hello twice'), await say('Say hello twice')].map((answer) => ({
    ...resultOf(answer),
    debug: undefined,
  }))
  t.match(once, { mentionedSlugs: ['/', '/about'], destructiveReasons: [/2 pages/] })
  t.strictSame(twice, once, 'the same result is returned')
  await heldId(say('Remove the team'))
  t.same([await version(), await slugs()], [1, ['/', '/about', '/team']])
  const elsewhere = await heldId(say('Remove the team', { slug: '/about' }))
  t.not(elsewhere, id, 'from another page it is another request')
  const both = await Promise.all([say('Clear about'), say('Clear about')])
  const [first, second] = both.map((answer) => resultOf(answer).pendingPlanId)
  t.equal(first, second, 'also when both are concurrent')
  t.match(await plans(), [{ id: first }])
})

t.test('a newer request replaces the pending plan, or drops it when it is applied', async (t) => {
  const { say, plans, approve } = await openChat(t, {
    script: { ...script, Which: { kind: 'question', question: 'Which?', suggestions: [] } },
  })
  const first = await heldId(say('Remove the team'))
  await say('Which')
  await say('What is this')
  t.match(await plans(), [{ id: first }], 'a question keeps it pending')
  const second = await heldId(say('Clear about'))
  t.match(await plans(), [{ id: second, summary: 'I will do that.' }])
  t.match(resultOf(await approve({ pendingPlanId: first })), {
    http: 409,
    debug: { outcome: 'pending_plan_mismatch' },
    pendingPlanId: second,
  })
  const dropped = (message: string) => new RegExp(`The plan for “${message}” is no longer pending\\.$`)
  t.match(resultOf(await say('Say hello')), { status: 'applied', summary: dropped('Clear about') })
  t.same(await plans(), [])
  t.match(resultOf(await approve({ pendingPlanId: second })), missing)
  for (const what of ['a new plan', 'a repetition, which replaces nothing'])
    t.match(resultOf(await say('Remove the team')), { status: 'plan_ready', summary: /approve it\.$/ }, what)
  const replacing = { status: 'plan_ready', summary: dropped('Remove the team') }
  t.match(resultOf(await say('Clear about')), replacing)
  t.match(resultOf(await approve()), { status: 'applied', summary: /2 changes\.$/ }, 'and not a dropped one')
  t.match(resultOf(await approve()), { http: 409, summary: /It was applied, dropped, or has expired/ })
})

const ada = { client: { id: 'browser-a', name: 'Ada' } }
const ben = { client: { id: 'browser-b' } }
const Listed = v.object({
  plans: v.array(v.looseObject({ id: v.string() })),
  outdated: v.optional(v.array(v.object({ id: v.string(), message: v.string(), reason: v.string() }))),
})
const planFirst = { executionMode: 'plan_only' }

t.test('a pending plan belongs to the person who asked for it', (t) =>
  everyWayIn(
    t,
    () => chatInMemory({ script }),
    async (t, ask) => {
      const { say, approve, discard, plan, page, get, bootstrap } = chatClient(ask)
      await bootstrap(startPages)
      const of = async (who?: typeof ben) =>
        v.parse(Listed, await bodyOf(get('/chat/plans', who && { client: who.client.id })))
      const ids = async (who?: typeof ben) => (await of(who)).plans.map(({ id }) => id)

      const hers = await heldId(say('Remove the team', ada))
      const his = await heldId(say('Clear about', ben))
      t.same([await ids(ada), await ids(ben), await ids()], [[hers], [his], []])
      t.equal((await plan(hers)).status, 200, 'a preview of it needs its id only')
      t.match(resultOf(await say('Say hello', ben)), {
        status: 'applied',
        summary: /“Clear about” is no longer/,
      })
      t.same([await ids(ada), await ids(ben)], [[hers], []], 'a message ends the own plan only')
      t.match(resultOf(await say('yes', ben)), missing)
      t.match(resultOf(await approve({ ...ben, pendingPlanId: hers })), missing, 'nor does another answer it')
      await discard({ ...ben, pendingPlanId: hers })
      await say('no')
      t.same(await ids(ada), [hers])

      const shared = await heldId(say('Clear about'))
      t.same([await ids(), await ids(ada), await ids(ben)], [[shared], [hers, shared], [shared]])
      t.match(resultOf(await say('yes', ben)), missing, 'a word of a person is about an own plan')
      t.match(resultOf(await approve({ ...ben, pendingPlanId: shared })), { status: 'applied' })
      t.match(resultOf(await say('yes', ada)), { status: 'applied', changes: ['Removed page team'] })
      t.same([await ids(ada), await ids()], [[], []])
      t.match(await page('/'), { blocks: [{ props: { body: 'Hello' } }, {}, {}, {}] })
    },
  ),
)

t.test('a plan ends when another person applies one that meets it, and both read whose', async (t) => {
  const { say, approve, discard, plan, get, version } = await openChat(t, { script })
  const of = async (who?: typeof ben) =>
    v.parse(Listed, await bodyOf(get('/chat/plans', who && { client: who.client.id })))

  const apart = await heldId(say('Remove the team', { client: { id: 'browser-c', name: 'Cem' } }))
  const his = await heldId(say('Say hello twice', ben))
  const shared = await heldId(say('Say hello', planFirst))
  await heldId(say('Say hello', { ...ada, ...planFirst }))
  t.match(resultOf(await say('yes', ada)), {
    status: 'applied',
    summary: /The plans of 2 others, which change the same places, are out of date now\.$/,
  })
  const reason = 'Ada applied a plan that changes the same body; this one is out of date.'
  t.strictSame(await of(ben), { plans: [], outdated: [{ id: his, message: 'Say hello twice', reason }] })
  t.match(await of(), { plans: emptyList, outdated: [{ id: shared, reason }] })
  t.match(await of({ client: { id: 'browser-c' } }), { plans: [{ id: apart }], outdated: undefined })
  t.match(refused(await plan(his)), { status: 404, code: 'plan_not_found', reason: new RegExp(`^${reason}`) })
  for (const answer of [say('yes', ben), approve({ ...ben, pendingPlanId: his })])
    t.match(resultOf(await answer), { ...missing, summary: new RegExp(`^${reason} Ask for it again`) })
  t.equal(await version(), 2)
  const anew = await heldId(say('Say hello twice', { ...ben, ...planFirst }))
  t.match(await of(ben), { plans: [{ id: anew }], outdated: undefined }, 'a new plan takes its place')
  await discard(ben)
  t.strictSame(await of(ben), { plans: [] })

  await heldId(say('Move on', { ...ada, ...planFirst }))
  t.match(resultOf(await say('Say hello there', ben)), {
    status: 'applied',
    summary: /The plan of Ada, which/,
  })
  t.match((await of(ada)).outdated, [{ reason: /^Somebody else applied a plan that changes the same body;/ }])
})

t.test('a part of a plan is applied as one change, and the rest is dropped', async (t) => {
  const { say, approve, page, plans, version } = await openChat(t, { script })
  await heldId(say('Say hello twice'))
  t.match(refused(await approve({ acceptedOps: [3] })), { status: 400, reason: /operation 3 of 2/ })
  t.match(resultOf(await approve({ acceptedOps: [2] })), {
    status: 'applied',
    changes: ['Changed Rich text on about: body to “Hello too”'],
    undoSlug: '/about',
  })
  t.match(await page('/'), { blocks: [{ props: { body: 'One' } }, {}, {}, {}] })
  t.same([await plans(), await version()], [[], 2])

  const id = await heldId(say('New page', { executionMode: 'plan_only' }))
  const validationErrors = ['not_found: ops[0]: no page /jobs in this draft']
  t.match(resultOf(await approve({ acceptedOps: [2] })), { http: 400, validationErrors })
  t.match(await plans(), [{ id }], 'an invalid part keeps the plan pending')
  const complete = { status: 'applied', mentionedSlugs: ['/', '/jobs'], undoSlug: '/jobs' }
  t.match(resultOf(await approve({ acceptedOps: [3, 1, 2] })), complete)
})

t.test('a pending plan expires after an hour', async (t) => {
  const clock = stillClock()
  const { say, plans, plan, approve, version } = await openChat(t, { script, clock })
  const id = await heldId(say('Remove the team'))
  clock.advance(60 * 60 * 1000 - 1)
  t.match(await plans(), [{ id }])
  clock.advance(1)
  t.same(await plans(), [])
  t.match(refused(await plan(id)), { status: 404 })
  t.match(resultOf(await approve({ pendingPlanId: id })), missing)
  t.equal(await version(), 1)
})

t.test('an approved plan is validated against the draft, and dropped where it does not fit', async (t) => {
  const { say, approve, ops, page, plan, plans, draftState } = await openChat(t, { script })
  const fits = await heldId(say('Say hello twice'))
  await ops([setBody('By hand', 'b_2')])
  t.match(await bodyOf(plan(fits)), { valid: true, draftVersion: 1 })
  t.match(resultOf(await approve()), { http: 200, status: 'applied', previewVersion: 3 })
  const blocks = [{ props: { body: 'Hello' } }, { props: { body: 'By hand' } }, {}, {}]
  t.match(await page('/'), { blocks })

  for (const [message, slug, gone, problem] of [
    ['Clear about', '/', removeBlock('b_6', '/about'), 'not_found: ops[1]: no block b_6 on /about'],
    ['Remove the team', '/team', removePage('/team'), 'not_found: ops[0]: no page /team in this draft'],
  ] as const) {
    const id = await heldId(say(message, { slug }))
    await ops([gone])
    const before = await draftState()
    const summary = { pagesModified: 0 }
    t.match(await bodyOf(plan(id)), { valid: false, validationErrors: [problem], diff: { summary } })
    const dropped = { http: 400, status: 'validation_error', summary: /plan was dropped/ }
    t.match(resultOf(await approve({ slug })), { ...dropped, validationErrors: [problem] })
    t.same([await plans(), await draftState()], [[], before], 'no part of it was applied')
  }
})

t.test('a plan that makes a page too large fails, with and without approval', async (t) => {
  const large = planOf(setBody('x'.repeat(3_000)))
  const options = { script: { Large: large }, draft: { maxPageBytes: 2_000 } }
  const { say, approve, plans, draftState } = await openChat(t, options)
  const before = await draftState()
  const validationErrors = [/^operation_failed: Page '\/' would be larger than 2000 bytes/]
  const refusal = { http: 400, status: 'validation_error', changes: [], validationErrors }
  t.match(resultOf(await say('Large')), refusal)
  await heldId(say('Large', { executionMode: 'plan_only' }))
  t.match(resultOf(await approve()), {
    http: 500,
    status: 'error',
    changes: [/^Page '\/' would be larger/],
    validationErrors: [/^operation_failed/],
    debug: { outcome: 'apply_pending_plan_error', reasonCategory: 'operation_failed', reason: /larger/ },
  })
  t.same([await plans(), await draftState()], [[], before])
})

t.test('a refusal unrelated to the plan keeps it pending', async (t) => {
  const { say, approve, plans, ask } = await openChat(t, {
    script,
    draft: { maxSessionsPerSite: 1 },
    sites: { demoContent: true },
  })
  const demo = chatClient(ask, { session: 'one' })
  const other = chatClient(ask, { session: 'two' })
  await demo.ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'Mine' }])
  const id = await heldId(other.say('Remove services'))
  t.match(refused(await other.approve()), { status: 429, code: 'too_many_sessions' })
  t.match(await other.plans(), [{ id }])
  t.same([await plans(), (await approve()).status], [[], 409])
  t.equal((await say('Say hello')).status, 200)
})

t.test('approving and discarding need no slug: the plan has its own', async (t) => {
  const { say, slugs, plans, send } = await openChat(t, { script })
  const run = async (executionMode: string) => resultOf(await send('/chat', { executionMode }))
  const on = (currentPage: string) => ({ debug: { currentPage } })
  await heldId(say('Remove the team', { slug: '/about' }))
  const approved = await run('apply_pending_plan')
  t.match(approved, { status: 'applied', updatedSlug: undefined, ...on('/about') }, 'the editor stays')
  t.notOk((await slugs()).includes('/team'))
  t.match(await run('apply_pending_plan'), { http: 409, ...on('/') })
  await heldId(say('Clear about', { slug: '/about' }))
  t.match(await run('discard_pending_plan'), { http: 200, status: 'canceled', ...on('/about') })
  t.same(await plans(), [])
  t.match(await run('discard_pending_plan'), { status: 'canceled', summary: /There was no pending plan/ })
  for (const executionMode of ['auto', 'plan_only', 'continue_chain']) {
    const answer = refused(await send('/chat', { executionMode, message: 'Say hello' }))
    const error = 'slug is required'
    t.match(answer, { status: 400, error, details: [{ path: 'slug', message: error }] }, executionMode)
  }
})

t.test('a rename of a plan takes along links with the host of the registered site', async (t) => {
  const { say, ops, send, page } = await openChat(t, { script })
  await send('/sites/register', { name: 'Acme', previewUrl: 'https://own.site' })
  await ops([setBody('[a](https://own.site/about#b)')])
  t.match(resultOf(await say('Rename about')), { status: 'applied' })
  t.match((await page('/')).blocks[0], { props: { body: '[a](https://own.site/us#b)' } })
})
