import t from 'tap'
import * as v from 'valibot'
import { everyWayIn } from '../../../kernel/testing.ts'
import { chatRunner, type Outcome, ChatResult } from '../../../plugins/chat/port.ts'
import {
  chatInMemory,
  chatClient,
  openChat,
  planOf,
  removeBlock,
  removePage,
  resultOf,
  setBody,
  startPages,
  suggestions,
} from '../../helpers/chat.ts'
import { refused } from '../../helpers/stack.ts'

const script = {
  'Say hello': planOf(setBody('Hello')),
  'Say one': planOf(setBody('One')),
  'Say it twice': planOf(setBody('Hello'), setBody('Two', 'b_2')),
  'It is so': { kind: 'unchanged', summary: 'The title says so already.' },
  'Which one?': {
    kind: 'question',
    question: 'Which block do you mean?',
    suggestions: ['Block b_1', 'Block b_2'],
  },
  'List pages': {
    kind: 'answer',
    status: 'info',
    summary: '3 pages.',
    findings: ['/', '/about', '/team'],
    suggestions: ['Say hello'],
  },
  'Any advice': { kind: 'answer', status: 'advice', summary: 'Add a Hero.', findings: [], suggestions: [] },
  'Remove the team': planOf(removePage('/team')),
  'Plan first: hello': planOf(setBody('Hello')),
  'Remove nobody': planOf(removeBlock('b_gone')),
} satisfies Record<string, Outcome>
const approving = { executionMode: 'apply_pending_plan' }

/** A message or an execution mode, and the fields of its result; without `http` it is 200. */
const readOnly: readonly (readonly [asked: object, expected: object, outcome?: string])[] = [
  [
    { message: 'List pages' },
    { status: 'info', summary: '3 pages.', changes: ['/', '/about', '/team'], suggestions: ['Say hello'] },
    'info',
  ],
  [{ message: 'Any advice' }, { status: 'advice', changes: [] }, 'advice'],
  [
    { message: 'It is so' },
    { status: 'applied', summary: 'The title says so already.', changes: [] },
    'no_effective_change',
  ],
  [{ message: 'Say one' }, { status: 'applied', changes: [] }, 'no_effective_change'],
  [
    { message: 'Which one?' },
    {
      status: 'needs_clarification',
      summary: 'Which block do you mean?',
      suggestions: ['Block b_1', 'Block b_2'],
      mentionedSlugs: ['/'],
      debug: { reasonCategory: 'ambiguity' },
    },
    'needs_clarification',
  ],
  [
    { message: 'Remove nobody' },
    {
      http: 400,
      status: 'validation_error',
      validationErrors: ['not_found: ops[0]: no block b_gone on /'],
      debug: { reasonCategory: 'not_found', reason: 'ops[0]: no block b_gone on /' },
    },
    'guardrail_failure',
  ],
  [approving, { http: 409, status: 'needs_clarification' }, 'pending_plan_missing'],
  [{ message: 'yes' }, { http: 409, status: 'needs_clarification' }, 'pending_plan_missing'],
  [{ executionMode: 'continue_chain' }, { http: 409, status: 'needs_clarification' }, 'pending_plan_missing'],
  [{ executionMode: 'discard_pending_plan' }, { status: 'canceled', changes: [] }, 'canceled'],
  [
    { message: 'Remove the team' },
    {
      status: 'plan_ready',
      changes: ['Change number 1'],
      destructiveReasons: [/removes the page “team” \(\/team\) with 1 block\./],
      mentionedSlugs: ['/'],
      pendingPlanId: /^[0-9a-f-]{36}$/,
      debug: { opTypes: ['remove_page'], opCount: 1 },
    },
    'plan_ready_for_approval',
  ],
  [
    { ...approving, pendingPlanId: 'other' },
    { http: 409, status: 'validation_error' },
    'pending_plan_mismatch',
  ],
  [{ message: 'never mind' }, { status: 'canceled', summary: /discarded/ }],
  [
    { message: 'Plan first: hello' },
    {
      status: 'plan_ready',
      summary: /^I will do that\. Nothing is changed until/,
      destructiveReasons: undefined,
    },
  ],
  [{ message: 'Say hello', executionMode: 'plan_only' }, { status: 'plan_ready' }],
]

t.test('each result status has its HTTP status and fields', (t) =>
  everyWayIn(
    t,
    () => chatInMemory({ script }),
    async (t, ask) => {
      const { bootstrap, send, say, version, draftState } = chatClient(ask)
      await bootstrap(startPages)
      const before = await draftState()
      const byRules = { plannerSource: 'demo', modelUsed: 'rules' }
      const always = { http: 200, previewVersion: 1, modelKey: 'balanced', ...byRules }
      for (const [asked, expected, outcome = String] of readOnly) {
        const { debug, ...result } = resultOf(await send('/chat', { slug: '/', ...asked }))
        const { debug: facts = {}, ...fields } = { debug: {}, ...expected }
        t.match(result, { ...always, ...fields }, JSON.stringify(asked))
        t.match(debug, { outcome, plannerTier: 'demo', siteId: 'acme', currentPage: '/', ...facts })
      }
      t.equal(await draftState(), before, 'none of these changed the draft')

      t.match(resultOf(await say('Say it twice', { modelKey: 'fast' })), {
        http: 200,
        status: 'applied',
        summary: 'Changed Rich text on Home: body to “Hello”.',
        changes: ['Changed Rich text on Home: body to “Hello”'],
        previewVersion: 2,
        focusBlockId: 'b_1',
        undoSlug: '/',
        mentionedSlugs: ['/'],
        modelKey: 'fast',
        updatedSlug: undefined,
        debug: {
          outcome: 'applied',
          opTypes: ['update_props'],
          opCount: 1,
          timeline: [
            { stage: 'request_received', atMs: 0 },
            { stage: 'plan_ready' },
            { stage: 'first_op_applied' },
            { stage: 'done' },
          ],
        },
      })
      t.equal(await version(), 2)
    },
  ),
)

t.test('without a provider the answer names the variable to set, and changes nothing', async (t) => {
  const { say, draftState } = await openChat(t)
  const before = await draftState()
  const remedy = /ANTHROPIC_API_KEY, or OPENAI_MODEL .* in the environment of the server and restart/
  const { debug, summary, ...result } = resultOf(await say('Write me a poem', { locale: 'de-AT' }))
  t.match(summary, remedy, 'fixed texts are English')
  t.match(result, { http: 200, status: 'needs_clarification', suggestions })
  const excerpt = { promptExcerpt: 'Write me a poem', promptHash: /^[0-9a-f]{16}$/ }
  t.match(debug, { outcome: 'unsupported_without_provider', plannerTier: 'demo', ...excerpt })
  t.equal(await draftState(), before)
})

t.test('an invalid request is refused before anything happens', async (t) => {
  const { send, draftState, say } = await openChat(t, { script })
  const before = await draftState()
  const hello = { slug: '/', message: 'Say hello' }
  const approval = { slug: '/', ...approving }
  const bad: readonly (readonly [body: object, reason: RegExp, status?: number])[] = [
    [{ slug: '', message: 'Say hello' }, /slug is required/],
    [{ slug: '/', message: '[site context] x [/site context]' }, /message is required/],
    [{ slug: '/', executionMode: 'plan_only' }, /message is required/],
    [{ ...hello, executionMode: 'now' }, /executionMode/],
    [{ ...hello, provider: '' }, /provider/],
    [{ ...hello, componentsManifest: '{' }, /componentsManifest is not valid/],
    [{ ...hello, componentsManifest: { version: 0, blocks: [] } }, /componentsManifest\.version/],
    [{ ...hello, siteCapabilities: '{}' }, /siteCapabilities/],
    [{ ...hello, siteContext: 7 }, /'siteContext'.*must be an object/],
    [{ ...hello, siteContext: { purpose: 7 } }, /'siteContext'.*fields that the API description names/],
    [{ ...hello, session: 'a::b' }, /session/],
    [{ ...approval, acceptedOps: [] }, /acceptedOps is empty/],
    [{ ...approval, acceptedOps: [1, 1] }, /acceptedOps names an operation twice/],
    [{ ...approval, acceptedOps: [0] }, /'acceptedOps\[0\]'.*a whole number from 1/],
    [{ ...hello, slug: '/gone' }, /no page '\/gone'/, 404],
    [{ ...approval, slug: '/gone' }, /no page '\/gone'/, 404],
    [{ slug: '/', message: 'x'.repeat(600 * 1024) }, /larger than the 524288 bytes/, 413],
  ]
  for (const [body, reason, status = 400] of bad) {
    const what = JSON.stringify(body).slice(0, 80)
    t.match(refused(await send('/chat', body)), { status, error: reason, reason }, what)
  }
  const long = resultOf(await say('x'.repeat(500 * 1024)))
  t.match(long, { status: 'needs_clarification', debug: { promptExcerpt: 'x'.repeat(180) } })
  t.equal(await draftState(), before)
})

t.test('a new page may be requested from a missing page', async (t) => {
  const message = 'Create a page "Jobs"'
  const create = planOf({ op: 'create_page', page: { slug: '/jobs', title: 'Jobs' } })
  const { say, slugs, undo } = await openChat(t, { script: { [message]: create } })
  t.match(resultOf(await say(message, { slug: '/jobs' })), {
    status: 'applied',
    updatedSlug: '/jobs',
    undoSlug: '/jobs',
    mentionedSlugs: ['/jobs'],
    focusBlockId: undefined,
    changes: ['Created page “Jobs” at /jobs'],
  })
  t.same(await slugs(), ['/', '/about', '/team', '/jobs'])
  await undo('/jobs')
  t.same(await slugs(), ['/', '/about', '/team'])
})

t.test('the result of a failed run does not expose the error', async (t) => {
  const { mounted, version } = await openChat(t)
  const { resultOf: resultOfFailed } = await mounted.get(chatRunner)
  const request = { siteId: 'acme', slug: '/', message: 'Say hello', executionMode: 'auto' } as const
  const broken = await resultOfFailed(request, { id: 'run' }, new Error('secret detail'))
  const debug = { traceId: 'run', outcome: 'planner_exception', reasonCategory: 'internal_error' }
  const previewVersion = await version()
  t.match(v.parse(ChatResult, broken), { status: 'error', summary: /^Internal error/, previewVersion, debug })
  t.notMatch(JSON.stringify(broken), /secret/)
})
