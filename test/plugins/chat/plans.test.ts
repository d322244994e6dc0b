import t from 'tap'
import * as v from 'valibot'
import { everyWayIn, stillClock } from '../../../kernel/testing.ts'
import {
  chatInMemory,
  chatClient,
  openChat,
  planOf,
  removeBlock,
  removePage,
  resultOf,
  setBody,
  scriptedPlanner,
  startPages,
  withPlanner,
  type Script,
} from '../../helpers/chat.ts'
import { bodyOf, refused, startStack } from '../../helpers/stack.ts'

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

t.test('a pending plan can be read, with the differences that it would make', (t) =>
  everyWayIn(
    t,
    () => chatInMemory({ script, clock: stillClock() }),
    async (t, ask) => {
      const { bootstrap, say, plans, plan, approve, draftState, get } = chatClient(ask)
      await bootstrap(startPages)
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
      const detail = await bodyOf(plan(id))
      t.match(detail, {
        ...row,
        valid: true,
        validationErrors: undefined,
        ops: [setBody('Hello'), setBody('Hello too', 'b_5', '/about')],
      })
      t.match(detail, {
        diff: {
          baselineAvailable: true,
          summary: { pagesModified: 2, pagesUnchanged: 1, totalChangedFields: 2 },
          pages: [
            {
              slug: '/',
              blockDiffs: [
                {
                  blockId: 'b_1',
                  status: 'modified',
                  fieldDiffs: [{ path: 'body', before: 'One', after: 'Hello' }],
                },
                {},
                {},
                {},
              ],
            },
            { slug: '/about' },
            { slug: '/team', status: 'unchanged' },
          ],
        },
      })
      t.match(refused(await plan('other')), { status: 404, code: 'plan_not_found' })
      t.match(refused(await get(`/chat/plans/${id}`, { session: 'other' })), {
        status: 404,
        code: 'plan_not_found',
      })
      t.equal(await draftState(), before)
      t.match(resultOf(await approve({ pendingPlanId: id, slug: '/about' })), {
        http: 200,
        status: 'applied',
        previewVersion: 2,
        changes: [
          'Changed Rich Text on /: body to “Hello”',
          'Changed Rich Text on /about: body to “Hello too”',
        ],
        mentionedSlugs: ['/', '/about'],
      })
      t.same(await plans(), [])
      t.match(refused(await plan(id)), { status: 404 })
    },
  ),
)

t.test('an approved plan is one undo step, on any of its pages', async (t) => {
  for (const slug of ['/', '/about']) {
    const { say, approve, undo, redo, page, get, version } = await openChat(t, { script })
    await heldId(say('Say hello twice'))
    const { undoSlug } = resultOf(await approve())
    t.equal(undoSlug, '/')
    t.match(await bodyOf(get('/history/log')), {
      currentVersion: 2,
      entries: [
        {},
        {
          version: 2,
          source: 'chat',
          channel: 'chat',
          opCount: 2,
          slugs: ['/', '/about'],
          summary: 'Made 2 changes.',
        },
      ],
    })
    t.equal((await undo(slug)).status, 200)
    t.match(
      [await page('/'), await page('/about')],
      [{ blocks: [{ props: { body: 'One' } }, {}, {}, {}] }, { blocks: [{ props: { body: 'About' } }, {}] }],
    )
    t.equal((await redo(slug)).status, 200)
    t.match(
      [await page('/'), await page('/about')],
      [
        { blocks: [{ props: { body: 'Hello' } }, {}, {}, {}] },
        { blocks: [{ props: { body: 'Hello too' } }, {}] },
      ],
    )
    t.equal(await version(), 4)
  }
})

t.test('updatedSlug and undoSlug follow from the page that was worked on', async (t) => {
  const { say, approve, undo, slugs, page } = await openChat(t, { script })
  await heldId(say('Say hello twice', { slug: '/about' }))
  t.match(resultOf(await approve({ slug: '/about' })), { undoSlug: '/about', updatedSlug: undefined })
  await heldId(say('Move on', { slug: '/team' }))
  t.match(resultOf(await approve({ slug: '/team' })), {
    undoSlug: '/',
    updatedSlug: '/',
    mentionedSlugs: ['/'],
    suggestions: [],
  })
  t.equal((await undo('/')).status, 200)
  t.same(await slugs(), ['/', '/about', '/team'])
  t.match(await page('/'), { blocks: [{ props: { body: 'Hello' } }, {}, {}, {}] })
  t.match(
    resultOf(await say('Two pages')),
    { status: 'plan_ready', mentionedSlugs: ['/'] },
    'new pages are not mentioned yet',
  )
  t.match(
    resultOf(await approve()),
    {
      updatedSlug: undefined,
      undoSlug: '/jobs',
      mentionedSlugs: ['/jobs', '/news'],
      focusBlockId: undefined,
    },
    'with two new pages there is no target page',
  )
})

t.test('of concurrent approvals one is applied, and the others find no pending plan', async (t) => {
  const { say, approve, page, version, slugs } = await openChat(t, { script })
  for (const [message, slug] of [
    ['Say hello twice', '/'],
    ['Remove the team', '/'],
  ] as const) {
    const pendingPlanId = await heldId(say(message, { slug }))
    const answers = await Promise.all([approve({ pendingPlanId }), approve({ pendingPlanId }), say('yes')])
    t.same(
      answers.map(({ status }) => status),
      [200, 409, 409],
    )
    t.match(
      answers.map((answer) => resultOf(answer)),
      [
        { status: 'applied' },
        { debug: { outcome: 'pending_plan_missing' } },
        { debug: { outcome: 'pending_plan_missing' } },
      ],
    )
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
  t.match(resultOf(await say('Say hello')), {
    status: 'applied',
    summary: /“Hello”\. The plan for “Clear about” is no longer pending\.$/,
  })
  t.same(await plans(), [])
  const late = { http: 409, debug: { outcome: 'pending_plan_missing' } }
  t.match(resultOf(await approve({ pendingPlanId: second })), late)
  t.match(resultOf(await say('Remove the team')), { status: 'plan_ready', summary: /approve it\.$/ })
  t.match(
    resultOf(await say('Remove the team')),
    { status: 'plan_ready', summary: /approve it\.$/ },
    'a repetition replaces nothing',
  )
  t.match(resultOf(await say('Clear about')), {
    status: 'plan_ready',
    summary: /The plan for “Remove the team” is no longer pending\.$/,
  })
  t.match(
    resultOf(await approve()),
    { status: 'applied', summary: /2 changes\.$/ },
    'an approved plan is not a dropped one',
  )
  t.match(resultOf(await approve()), { http: 409, summary: /It was applied, dropped, or has expired/ })
})

t.test('a part of a plan is applied as one change, and the rest is dropped', async (t) => {
  const { say, approve, page, plans, version } = await openChat(t, { script })
  await heldId(say('Say hello twice'))
  t.match(refused(await approve({ acceptedOps: [3] })), { status: 400, reason: /operation 3 of 2/ })
  t.match(resultOf(await approve({ acceptedOps: [2] })), {
    status: 'applied',
    changes: ['Changed Rich Text on /about: body to “Hello too”'],
    undoSlug: '/about',
  })
  t.match(await page('/'), { blocks: [{ props: { body: 'One' } }, {}, {}, {}] })
  t.same([await plans(), await version()], [[], 2])

  const id = await heldId(say('New page', { executionMode: 'plan_only' }))
  t.match(resultOf(await approve({ acceptedOps: [2] })), {
    http: 400,
    status: 'validation_error',
    validationErrors: ['not_found: ops[0]: no page /jobs in this draft'],
  })
  t.match(await plans(), [{ id }], 'an invalid part keeps the plan pending')
  t.match(resultOf(await approve({ acceptedOps: [3, 1, 2] })), {
    status: 'applied',
    mentionedSlugs: ['/', '/jobs'],
    undoSlug: '/jobs',
  })
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
  t.match(resultOf(await approve({ pendingPlanId: id })), {
    http: 409,
    debug: { outcome: 'pending_plan_missing' },
  })
  t.equal(await version(), 1)
})

t.test(
  'an approved plan is validated against the current draft, and dropped where it does not fit',
  async (t) => {
    const { say, approve, ops, page, plan, plans, version } = await openChat(t, { script })
    const fits = await heldId(say('Say hello twice'))
    await ops([setBody('By hand', 'b_2')])
    t.match(await bodyOf(plan(fits)), { valid: true, draftVersion: 1 })
    t.match(resultOf(await approve()), { http: 200, status: 'applied', previewVersion: 3 })
    t.match(await page('/'), {
      blocks: [{ props: { body: 'Hello' } }, { props: { body: 'By hand' } }, {}, {}],
    })

    const blockGone = await heldId(say('Clear about'))
    await ops([removeBlock('b_6', '/about')])
    t.match(await bodyOf(plan(blockGone)), {
      valid: false,
      validationErrors: ['not_found: ops[1]: no block b_6 on /about'],
      diff: { summary: { pagesModified: 0 } },
    })
    t.match(resultOf(await approve()), {
      http: 400,
      status: 'validation_error',
      validationErrors: ['not_found: ops[1]: no block b_6 on /about'],
      previewVersion: 4,
      summary: /plan was dropped/,
    })
    t.same(
      [await plans(), (await page('/about')).blocks.length, await version()],
      [[], 1, 4],
      'no part of it was applied',
    )
  },
)

t.test('a pending plan for a removed page is dropped on approval', async (t) => {
  const { say, approve, ops, plan, plans, version } = await openChat(t, { script })
  for (const slug of ['/team', '/']) {
    const id = await heldId(say('Remove the team', { slug }))
    await ops([removePage('/team')])
    t.match(await bodyOf(plan(id)), {
      valid: false,
      validationErrors: ['not_found: ops[0]: no page /team in this draft'],
    })
    const before = await version()
    t.match(
      resultOf(await approve({ slug, pendingPlanId: id })),
      { http: 400, status: 'validation_error', debug: { reasonCategory: 'not_found' } },
      slug,
    )
    t.same([await plans(), await version()], [[], before])
    await ops([{ op: 'create_page', page: { slug: '/team', blocks: [] } }])
  }
})

t.test('a plan that makes a page too large fails, with and without approval', async (t) => {
  const large = planOf(setBody('x'.repeat(3_000)))
  const { say, approve, plans, draftState } = await openChat(t, {
    script: { Large: large },
    draft: { maxPageBytes: 2_000 },
  })
  const before = await draftState()
  t.match(resultOf(await say('Large')), {
    http: 400,
    status: 'validation_error',
    changes: [/would become too large/],
    validationErrors: [/^operation_failed: Page '\/' would be larger than 2000 bytes/],
  })
  await heldId(say('Large', { executionMode: 'plan_only' }))
  t.match(resultOf(await approve()), {
    http: 500,
    status: 'error',
    changes: [/would become too large/],
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
  await heldId(say('Remove the team', { slug: '/about' }))
  const approved = await run('apply_pending_plan')
  t.match(approved, { http: 200, status: 'applied', debug: { currentPage: '/about' } })
  t.notOk(approved.updatedSlug, 'the editor stays on its page')
  t.notOk((await slugs()).includes('/team'))
  t.match(await run('apply_pending_plan'), {
    http: 409,
    status: 'needs_clarification',
    debug: { currentPage: '/' },
  })
  await heldId(say('Clear about', { slug: '/about' }))
  t.match(await run('discard_pending_plan'), {
    http: 200,
    status: 'canceled',
    debug: { currentPage: '/about' },
  })
  t.same(await plans(), [])
  t.match(await run('discard_pending_plan'), {
    http: 200,
    status: 'canceled',
    summary: /There was no pending plan/,
  })
  for (const executionMode of ['auto', 'plan_only', 'continue_chain']) {
    t.match(
      refused(await send('/chat', { executionMode, message: 'Say hello' })),
      { status: 400, error: 'slug is required', details: [{ path: 'slug', message: 'slug is required' }] },
      executionMode,
    )
  }
})

t.test('a pending plan survives a restart', async (t) => {
  const stack = await startStack(t, { plugins: [withPlanner(scriptedPlanner(script))] })
  const { bootstrap, say, plans, approve, page } = chatClient(stack.ask)
  await bootstrap(startPages)
  const id = await heldId(say('Say hello twice'))
  await stack.restart()
  t.match(await plans(), [{ id, destructiveReasons: ['This changes 2 pages: /, /about.'] }])
  t.match(resultOf(await approve({ pendingPlanId: id })), { status: 'applied', previewVersion: 2 })
  await stack.restart()
  t.same(await plans(), [])
  t.match(v.parse(v.looseObject({ blocks: v.array(v.unknown()) }), await page('/about')), {
    blocks: [{ props: { body: 'Hello too' } }, {}],
  })
})
