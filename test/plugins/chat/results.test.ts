import t from 'tap'
import * as v from 'valibot'
import { everyWayIn } from '../../../kernel/testing.ts'
import type { Outcome } from '../../../plugins/chat/types/plan.ts'
import { ChatResult } from '../../../plugins/chat/result.ts'
import { chatRunner } from '../../../plugins/chat/port.ts'
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
import { bodyOf, refused } from '../../helpers/stack.ts'

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

t.test('each result status has its HTTP status and fields', (t) =>
  everyWayIn(
    t,
    () => chatInMemory({ script }),
    async (t, ask) => {
      const { bootstrap, say, approve, discard, run, version, draftState } = chatClient(ask)
      await bootstrap(startPages)
      const before = await draftState()
      const readOnly: readonly (readonly [
        what: string,
        answer: Awaited<ReturnType<typeof say>>,
        expected: object,
      ])[] = [
        [
          'info',
          await say('List pages'),
          {
            http: 200,
            status: 'info',
            summary: '3 pages.',
            changes: ['/', '/about', '/team'],
            suggestions: ['Say hello'],
            debug: { outcome: 'info' },
          },
        ],
        [
          'advice',
          await say('Any advice'),
          { http: 200, status: 'advice', changes: [], debug: { outcome: 'advice' } },
        ],
        [
          'no effective change',
          await say('It is so'),
          {
            http: 200,
            status: 'applied',
            summary: 'The title says so already.',
            changes: [],
            debug: { outcome: 'no_effective_change', reasonCategory: 'no_effective_change' },
          },
        ],
        [
          'a plan that changes nothing',
          await say('Say one'),
          { http: 200, status: 'applied', changes: [], debug: { outcome: 'no_effective_change' } },
        ],
        [
          'a question',
          await say('Which one?'),
          {
            http: 200,
            status: 'needs_clarification',
            summary: 'Which block do you mean?',
            suggestions: ['Block b_1', 'Block b_2'],
            mentionedSlugs: ['/'],
            debug: { outcome: 'needs_clarification', reasonCategory: 'ambiguity' },
          },
        ],
        [
          'a missing target',
          await say('Remove nobody'),
          {
            http: 400,
            status: 'validation_error',
            validationErrors: ['not_found: ops[0]: no block b_gone on /'],
            debug: {
              outcome: 'guardrail_failure',
              reasonCategory: 'not_found',
              reason: 'ops[0]: no block b_gone on /',
            },
          },
        ],
        [
          'an approval without a pending plan',
          await approve(),
          {
            http: 409,
            status: 'needs_clarification',
            debug: { outcome: 'pending_plan_missing', executionMode: 'apply_pending_plan' },
          },
        ],
        [
          'an approval in words without a pending plan',
          await say('yes'),
          { http: 409, status: 'needs_clarification', debug: { outcome: 'pending_plan_missing' } },
        ],
        [
          'a discard without a pending plan',
          await discard(),
          { http: 200, status: 'canceled', changes: [], debug: { outcome: 'canceled' } },
        ],
        [
          'a page that would be removed',
          await say('Remove the team'),
          {
            http: 200,
            status: 'plan_ready',
            changes: ['Change number 1'],
            destructiveReasons: [/removes the page “team” \(\/team\) with 1 block\./],
            mentionedSlugs: ['/'],
            pendingPlanId: /^[0-9a-f-]{36}$/,
            debug: { outcome: 'plan_ready_for_approval', opTypes: ['remove_page'], opCount: 1 },
          },
        ],
        [
          'an approval of another plan',
          await approve({ pendingPlanId: 'other' }),
          { http: 409, status: 'validation_error', debug: { outcome: 'pending_plan_mismatch' } },
        ],
        ['a no', await say('never mind'), { http: 200, status: 'canceled', summary: /discarded/ }],
        [
          'a plan requested by wording',
          await say('Plan first: hello'),
          {
            http: 200,
            status: 'plan_ready',
            summary: /^I will do that\. Nothing is changed until/,
            destructiveReasons: undefined,
          },
        ],
        [
          'a plan requested by mode',
          await say('Say hello', { executionMode: 'plan_only' }),
          { http: 200, status: 'plan_ready', debug: { executionMode: 'plan_only' } },
        ],
      ]
      for (const [what, answer, expected] of readOnly) {
        t.match(
          resultOf(answer),
          {
            previewVersion: 1,
            plannerSource: 'demo',
            modelUsed: 'rules',
            modelKey: 'balanced',
            debug: {
              plannerTier: 'demo',
              plannerSource: 'demo',
              modelUsed: 'rules',
              siteId: 'acme',
              currentPage: '/',
            },
            ...expected,
          },
          what,
        )
      }
      t.equal(await draftState(), before, 'none of these changed the draft')

      t.match(resultOf(await say('Say it twice', { modelKey: 'fast' })), {
        http: 200,
        status: 'applied',
        summary: 'Changed Rich Text on /: body to “Hello”.',
        changes: ['Changed Rich Text on /: body to “Hello”'],
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
      t.match(resultOf(await run('continue_chain')), {
        http: 409,
        status: 'needs_clarification',
        debug: { outcome: 'pending_plan_missing' },
      })
    },
  ),
)

t.test('without a provider the answer names the variable to set, and changes nothing', (t) =>
  everyWayIn(
    t,
    () => chatInMemory(),
    async (t, ask) => {
      const { bootstrap, say, draftState, get } = chatClient(ask)
      await bootstrap(startPages)
      const [before, log] = [await draftState(), await bodyOf(get('/history/log'))]
      const { debug, ...result } = resultOf(await say('Write me a poem'))
      t.match(result, {
        http: 200,
        status: 'needs_clarification',
        plannerSource: 'demo',
        modelUsed: 'rules',
        suggestions,
        previewVersion: 1,
      })
      t.match(debug, {
        outcome: 'unsupported_without_provider',
        plannerTier: 'demo',
        promptExcerpt: 'Write me a poem',
        promptHash: /^[0-9a-f]{16}$/,
      })
      t.match(
        result.summary,
        /ANTHROPIC_API_KEY, or OPENAI_MODEL .* in the environment of the server and restart/,
      )
      t.match(
        resultOf(await say('Write me a poem', { locale: 'de-AT' })).summary,
        /ANTHROPIC_API_KEY, .* in the environment/,
        'fixed texts are English',
      )
      t.same([await draftState(), await bodyOf(get('/history/log'))], [before, log])
    },
  ),
)

t.test('an invalid request is refused before anything happens', (t) =>
  everyWayIn(
    t,
    () => chatInMemory({ script }),
    async (t, ask) => {
      const { bootstrap, send, draftState, say } = chatClient(ask)
      await bootstrap(startPages)
      const before = await draftState()
      const hello = { slug: '/', message: 'Say hello' }
      const approval = { slug: '/', executionMode: 'apply_pending_plan' }
      const bad: readonly (readonly [body: object, reason: RegExp, status?: number])[] = [
        [{ message: 'Say hello' }, /slug/],
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
        [{ ...hello, businessContext: { constraints: 'none' } }, /'businessContext'.*or one as JSON text/],
        [{ ...hello, session: 'a::b' }, /session/],
        [{ ...approval, acceptedOps: [] }, /acceptedOps is empty/],
        [{ ...approval, acceptedOps: [1, 1] }, /acceptedOps names an operation twice/],
        [{ ...approval, acceptedOps: [0] }, /'acceptedOps\[0\]'.*a whole number from 1/],
        [{ ...hello, slug: '/gone' }, /no page '\/gone'/, 404],
        [{ ...approval, slug: '/gone' }, /no page '\/gone'/, 404],
      ]
      for (const [body, reason, status = 400] of bad) {
        const what = JSON.stringify(body)
        t.match(refused(await send('/chat', body)), { status, error: reason, reason }, what)
      }
      t.match(refused(await say('x'.repeat(600 * 1024))), {
        status: 413,
        code: 'body_too_large',
        error: /larger than the 524288 bytes/,
      })
      t.match(resultOf(await say('x'.repeat(500 * 1024))), {
        http: 200,
        status: 'needs_clarification',
        debug: { promptExcerpt: 'x'.repeat(180) },
      })
      t.equal(await draftState(), before)
    },
  ),
)

t.test('a new page may be requested from a missing page', (t) =>
  everyWayIn(
    t,
    () =>
      chatInMemory({
        script: {
          'Create a page "Jobs"': planOf({ op: 'create_page', page: { slug: '/jobs', title: 'Jobs' } }),
        },
      }),
    async (t, ask) => {
      const { bootstrap, say, slugs, undo } = chatClient(ask)
      await bootstrap(startPages)
      t.match(resultOf(await say('Create a page "Jobs"', { slug: '/jobs' })), {
        status: 'applied',
        updatedSlug: '/jobs',
        undoSlug: '/jobs',
        mentionedSlugs: ['/jobs'],
        focusBlockId: undefined,
        changes: ['Created page “Jobs” at /jobs'],
      })
      t.same(await slugs(), ['/', '/about', '/team', '/jobs'])
      t.equal((await undo('/jobs')).status, 200)
      t.same(await slugs(), ['/', '/about', '/team'])
    },
  ),
)

t.test('the result of a failed run does not expose the error', async (t) => {
  const { mounted, version } = await openChat(t)
  const { resultOf: resultOfFailed } = await mounted.get(chatRunner)
  const request = { siteId: 'acme', slug: '/', message: 'Say hello', executionMode: 'auto' } as const
  const broken = await resultOfFailed(request, { id: 'run' }, new Error('secret detail'))
  t.match(v.parse(ChatResult, broken), {
    status: 'error',
    summary: /^Internal error/,
    previewVersion: await version(),
    debug: {
      traceId: 'run',
      outcome: 'planner_exception',
      reasonCategory: 'internal_error',
      promptExcerpt: 'Say hello',
    },
  })
  t.notMatch(JSON.stringify(broken), /secret/)
})
