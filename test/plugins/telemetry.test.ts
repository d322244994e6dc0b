import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { mock } from 'node:test'
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { use, type Clock, type Used } from '../../kernel/index.ts'
import { capturedLog, mountForTest, stillClock } from '../../kernel/testing.ts'
import auth from '../../plugins/auth/index.ts'
import telemetry from '../../plugins/telemetry/index.ts'
import { createNdjsonFile } from '../../plugins/telemetry/ndjson-file.ts'
import { review } from '../../plugins/telemetry/review.ts'
import { Row as RowSchema, type Row } from '../../plugins/telemetry/schemas.ts'
import { TelemetryVariables, toSettings } from '../../plugins/telemetry/settings.ts'
import { createMemoryStore } from '../../plugins/store/memory.ts'
import type { Store } from '../../plugins/store/port.ts'
import type { Outcome } from '../../plugins/chat/types/plan.ts'
import { boatHero } from '../helpers/boats.ts'
import { pageOf } from '../helpers/content.ts'
import {
  chatInMemory,
  chatClient,
  opsOf,
  planOf,
  removeBlock,
  removePage,
  scriptedPlanner,
  setBody,
  startPages,
  withPlanner,
  type Script,
} from '../helpers/chat.ts'
import { sourceOf, startPages as imagePages } from '../helpers/image-sources.ts'
import {
  failing,
  hanging,
  opening,
  planning,
  startModelServer,
  type Script as Answer,
} from '../helpers/model-server.ts'
import { serveDemo } from '../helpers/serve-demo.ts'
import { bodyOf, editor, eventsIn, refused, startStack, temporaryFolder } from '../helpers/stack.ts'

const Rows = v.object({
  totalBuffered: v.number(),
  returned: v.number(),
  byOutcome: v.record(v.string(), v.number()),
  byReasonCategory: v.record(v.string(), v.number()),
  rows: v.array(RowSchema),
})

/** A short form of a row. */
const word = ({ phase, outcome, timelineStage }: Row): string =>
  [phase, timelineStage ?? outcome].filter(Boolean).join(' ')
const textOf = (file: string): string => readFileSync(file, 'utf8')
const linesOf = (file: string): readonly unknown[] =>
  textOf(file)
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line))
/** Waits until a file is not empty, also with mocked timers. */
async function written(file: string): Promise<void> {
  const until = performance.now() + 60_000
  while (!existsSync(file) || statSync(file).size === 0) {
    if (performance.now() > until) throw new Error(`${file} stays empty`)
    await turn()
  }
}
const modeOf = (file: string): number => statSync(file).mode & 0o777

const home = pageOf('/', [boatHero()])
const edit = {
  intent: 'edit_plan',
  summary_for_user: 'I will make the heading friendlier.',
  change_log: ['Set the heading to "Come aboard"'],
  ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch: { heading: 'Come aboard' } }],
}
const badLink = {
  ...edit,
  ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch: { ctaHref: 'javascript:alert(1)' } }],
}

/** The complete service on a socket, with a model if it is given answers. */
async function service(
  t: Test,
  {
    env = {},
    answers = [],
  }: { readonly env?: Readonly<Record<string, string>>; readonly answers?: readonly Answer[] } = {},
) {
  const model = await startModelServer(t)
  model.script(...answers)
  const key =
    answers.length > 0 ? { ANTHROPIC_API_KEY: 'key-of-the-canary', ANTHROPIC_BASE_URL: model.origin } : {}
  const stack = await startStack(t, { env: { ...key, ...env } })
  const client = editor(stack.ask)
  await client.bootstrap([home])
  const say = (message: string, more: object = {}) => client.send('/chat', { slug: '/', message, ...more })
  const rows = async (query = '') =>
    v.parse(Rows, await bodyOf(stack.ask({ url: `/telemetry/chat?${query}` }))).rows
  /** The rows of the last run. */
  const last = async () => {
    const all = await rows('limit=1000')
    return all.filter(({ id }) => id === all.at(-1)?.id)
  }
  return { stack, model, client, say, rows, last, file: (name: string) => join(stack.dataDir, name) }
}

t.test('the hash of a message is keyed per installation, and the same for equal messages', async (t) => {
  const message = 'Change the headline to "Sold"'
  const { say, stack, rows, file, client } = await service(t, { env: { EVAL_CANDIDATES_ENABLED: 'on' } })
  const hashOf = async (answer: ReturnType<typeof say>): Promise<unknown> =>
    Object(await bodyOf(answer)).debug.promptHash
  const known = await hashOf(say(message))
  t.equal(await hashOf(say(message)), known)
  t.notSame(await hashOf((await service(t)).say(message)), known, 'another installation has another key')
  const { debug } = Object(await bodyOf(say(message)))
  await client.send('/telemetry/chat/feedback', { traceId: debug.traceId, rating: 'up' })
  t.ok((await rows('limit=1000')).every(({ promptHash }) => promptHash === known))

  await stack.restart()
  t.equal(await hashOf(say(message)), known, 'a restart keeps the key')
  const kept = ['chat-telemetry', 'chat-feedback', 'eval-candidates']
    .map((name) => textOf(file(`${name}.ndjson`)))
    .join('')
  for (const name of ['md5', 'sha1', 'sha256', 'sha512']) {
    t.notMatch(
      kept + JSON.stringify([debug, await rows('limit=1000')]),
      hash(name, message).slice(0, 16),
      name,
    )
  }
})

t.test('each rule-based run is recorded in order, with one result', async (t) => {
  const { client, say, last, rows } = await service(t)
  const about = {
    session: 'acme::dev',
    requestedSlug: '/',
    effectiveSlug: '/',
    plannerSource: 'demo',
    modelKey: 'balanced',
    modelUsed: 'rules',
    promptHash: /^[0-9a-f]{16}$/,
  }

  const message = 'Change the headline to "By the rules"'
  const { debug } = Object(await bodyOf(say(message)))
  const applied = await last()
  t.strictSame(applied.map(word), [
    'received',
    'milestone request_received',
    'deterministic_plan_generated deterministic_plan_ready',
    'milestone plan_ready',
    'milestone first_op_applied',
    'milestone done',
    'result applied',
  ])
  for (const row of applied)
    t.match(row, {
      ...about,
      id: debug.traceId,
      promptHash: debug.promptHash,
      promptExcerpt: message,
      promptLength: message.length,
      at: /Z$/,
    })
  t.match(applied[2], { intent: 'edit_plan', opTypes: ['update_props'], opCount: 1 })
  t.match(applied.at(-1), {
    plannerTier: 'demo',
    opTypes: ['update_props'],
    opCount: 1,
    totalDurationMs: Number,
    applyDurationMs: Number,
    imageResolutionDurationMs: undefined,
    inputTokens: undefined,
    planningAttempts: undefined,
  })

  const short = ['received', 'milestone request_received', 'milestone done']
  const cases: readonly (readonly [message: string, outcome: string, facts: object])[] = [
    ['Make everything pop like champagne', 'unsupported_without_provider', { reasonCategory: undefined }],
    ['Which pages are there?', 'info', {}],
    ['Change the heading', 'needs_clarification', { reasonCategory: 'ambiguity', opCount: undefined }],
  ]
  for (const [message, outcome, facts] of cases) {
    await say(message)
    t.strictSame((await last()).map(word), [...short, `result ${outcome}`], message)
    t.match((await last()).at(-1), { ...about, outcome, ...facts })
  }
  await client.bootstrap(
    [home, { ...home, id: 'p_about', slug: '/about', blocks: [{ ...home.blocks[0], id: 'b_other' }] }],
    { overwrite: true },
  )
  await say('Change the headline to "Elsewhere"', { activeBlockId: 'b_other' })
  t.strictSame(
    (await last()).map(({ effectiveSlug }) => effectiveSlug),
    ['/', '/', ...Array.from({ length: 5 }, () => '/about')],
    'the page of the selected block',
  )
  t.equal((await say('Hello', { slug: '/nowhere' })).status, 404)
  t.strictSame((await last()).map(word), ['received', 'milestone request_received', 'result api_error'])
  t.match((await last()).at(-1), {
    requestedSlug: '/nowhere',
    effectiveSlug: '/nowhere',
    reasonCategory: 'not_found',
    reason: /GET \/draft\/slugs/,
  })

  const results = (await rows('limit=1000')).filter(({ phase }) => phase === 'result')
  t.equal(new Set(results.map(({ id }) => id)).size, results.length)
  t.equal(results.length, 6)
})

t.test('a run with a model is recorded attempt by attempt', async (t) => {
  const { say, last, model } = await service(t, {
    answers: [planning('no plan at all'), planning(badLink), planning(edit)],
  })
  t.match(await bodyOf(say('Make the heading friendlier')), { status: 'applied' })
  t.equal(model.seen.length, 3)
  const rows = await last()
  t.strictSame(rows.map(word), [
    'received',
    'milestone request_received',
    'plan_attempt_failed attempt_1_failed',
    'milestone first_token',
    'milestone first_structured_progress',
    'plan_generated',
    'repair_attempt repair_started',
    'repair_generated repair_plan_generated',
    'milestone plan_ready',
    'milestone first_op_applied',
    'milestone done',
    'result applied',
  ])
  const [, , failed, , , generated, repair, repaired] = rows
  t.match(failed, {
    reasonCategory: 'malformed_output',
    reason: 'the answer is not a JSON object',
    planningAttempts: 1,
    plannerSource: 'anthropic',
    modelUsed: /^claude-/,
    contextPackBytes: Number,
  })
  t.match(generated, {
    intent: 'edit_plan',
    opTypes: ['update_props'],
    opCount: 1,
    planningAttempts: 2,
    inputTokens: 200,
    outputTokens: 100,
    planningDurationMs: Number,
    firstPlanningTokenMs: Number,
  })
  t.match(repair, { reason: /ctaHref/, schemaRetryUsed: true })
  t.match(repaired, { planningAttempts: 3, inputTokens: 300, schemaRetryUsed: true })
  t.match(rows.at(-1), {
    plannerTier: 'full_llm',
    plannerSource: 'anthropic',
    planningAttempts: 3,
    inputTokens: 300,
    cacheReadInputTokens: 900,
    estimatedUsd: Number,
    schemaRetryUsed: true,
  })
})

t.test('a result has the durations of the draft change and of the image search', async (t) => {
  const clock = stillClock()
  const storage = createMemoryStore()
  const store: Store = {
    ...storage,
    transaction: (run) => storage.transaction(run).finally(() => clock.advance(10)),
  }
  const stock = sourceOf('stock', async ({ query }) => {
    clock.advance(250)
    return query === 'nothing' ? undefined : { address: 'https://images.example/a.jpg' }
  })
  const planner = (query: string, ops: readonly object[] = [heading]): Outcome => ({
    kind: 'plan',
    plan: {
      summary: 'I will.',
      changeLog: [],
      ops: ops.length > 0 ? opsOf(...ops) : [],
      images: [{ blockId: 'b_hero', query }],
    },
  })
  const heading = { op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch: { heading: 'Ahoy' } }
  const model = scriptedPlanner({
    Heading: planOf(heading),
    Both: planner('sunset'),
    'Nobody has it': planner('nothing'),
    Harbor: planner('harbor', []),
  })
  const mounted = mountForTest(
    t,
    chatInMemory({
      clock,
      store,
      plugins: [use(telemetry), use(stock.plugin), withPlanner(model)],
      env: { CHAT_TELEMETRY_PERSIST: 'off' },
    }),
  )
  const { bootstrap, say, approve, undo } = chatClient(mounted.inject)
  await bootstrap(imagePages)
  const result = async () =>
    v.parse(Rows, (await mounted.inject({ url: '/telemetry/chat' })).json()).rows.at(-1)
  const cases: readonly (readonly [
    what: string,
    asked: () => Promise<unknown>,
    applied: number | undefined,
    images: number | undefined,
  ])[] = [
    ['an edit', () => say('Heading'), 10, undefined],
    ['an edit that changes nothing', () => say('Heading'), undefined, undefined],
    ['a plan that needs approval', () => undo('/').then(() => say('Both')), undefined, undefined],
    ['an approval with an image', () => approve(), 20, 250],
    [
      'a plan whose image is not found',
      () =>
        undo('/')
          .then(() => say('Nobody has it'))
          .then(() => approve()),
      10,
      250,
    ],
    ['an image by itself', () => say('Harbor'), 10, 250],
  ]
  for (const [what, asked, applyDurationMs, imageResolutionDurationMs] of cases) {
    await asked()
    const row = await result()
    t.same(
      [row?.phase, row?.applyDurationMs, row?.imageResolutionDurationMs],
      ['result', applyDurationMs, imageResolutionDurationMs],
      what,
    )
  }
})

t.test('a run that fails in the model has one result', async (t) => {
  const cases: readonly (readonly [answers: readonly Answer[], rows: readonly string[], facts: object])[] = [
    [
      [failing(401, 'authentication_error')],
      ['plan_attempt_failed attempt_1_failed', 'milestone done', 'result api_error'],
      { reasonCategory: 'internal_error', reason: /ANTHROPIC_API_KEY/ },
    ],
    [
      [planning(badLink)],
      [
        'plan_generated',
        'repair_attempt repair_started',
        'repair_generated repair_plan_generated',
        'plan_apply_failed repair_failed',
        'milestone done',
        'result repair_failed',
      ],
      { reasonCategory: 'schema_violation', schemaRetryUsed: true },
    ],
    [
      [planning('1'), planning('2'), planning('3')],
      [
        'plan_attempt_failed attempt_1_failed',
        'plan_attempt_failed attempt_2_failed',
        'plan_attempt_failed attempt_3_failed',
        'milestone done',
        'result planning_exhausted',
      ],
      { reasonCategory: 'malformed_output' },
    ],
  ]
  for (const [answers, expected, facts] of cases) {
    const { say, last } = await service(t, { answers })
    await say('Make the heading friendlier')
    const rows = await last()
    t.strictSame(
      rows.map(word).filter((each) => !/first|plan_ready/.test(each)),
      ['received', 'milestone request_received', ...expected],
    )
    t.match(rows.at(-1), facts)
  }
})

t.test('a canceled stream is a canceled run', async (t) => {
  const { stack, client, model, last } = await service(t, { answers: [hanging(opening())] })
  const { streamId } = Object(
    await bodyOf(client.send('/chat/start', { slug: '/', message: 'Make the heading friendlier' })),
  )
  const stream = eventsIn(await fetch(`${stack.origin}/chat/stream?streamId=${streamId}`))
  while (model.seen.length === 0) await pause(5)
  await client.send('/chat/cancel', { streamId })
  t.match((await stream.toLast()).at(-1), { data: { type: 'canceled' } })
  const rows = await last()
  t.strictSame(rows.map(word), ['received', 'milestone request_received', 'result canceled'])
  t.match(rows.at(-1), {
    id: streamId,
    reasonCategory: 'canceled',
    plannerSource: 'anthropic',
    modelUsed: /^claude-/,
  })
})

t.test('rows survive a restart, and the file has the rows that the service returns', async (t) => {
  const { stack, say, rows, file } = await service(t)
  await say('Which pages are there?')
  const before = await rows()
  await stack.restart()
  const path = file('chat-telemetry.ndjson')
  t.strictSame(linesOf(path), before, 'a stop writes pending rows')
  t.equal(modeOf(path), 0o600)
  t.strictSame(await rows(), before)

  await stack.restart()
  writeFileSync(path, `${textOf(path)}\nno json\n{"phase":"result"}\n[]\n{"id":"a part of a li`)
  await say('Which pages are there?')
  const after = await rows()
  t.equal(after.length, 2 * before.length, 'broken lines are skipped')
  t.strictSame(after.slice(0, before.length), before)
  await stack.restart()
  t.strictSame(await rows(), after, 'an unterminated line does not corrupt the next')
})

t.test('the number of rows is limited, also after a restart', async (t) => {
  const { stack, say, rows } = await service(t, { env: { CHAT_TELEMETRY_LIMIT: '6' } })
  await say('Which pages are there?')
  await say('Which blocks are there?')
  const [held] = [await rows()]
  t.equal(held.length, 6)
  t.equal(held.at(-1)?.phase, 'result')
  await stack.restart()
  t.strictSame(await rows(), held)
})

t.test('rows are chosen by outcome, phase and session, and counted', async (t) => {
  const { stack, say, client } = await service(t)
  await say('Which pages are there?')
  await say('Change the heading')
  await client.bootstrap([home], { session: 'other' })
  await say('Change the heading', { session: 'other' })
  const list = async (query: string) =>
    v.parse(Rows, await bodyOf(stack.ask({ url: `/telemetry/chat?${query}` })))
  const all = await list('')
  t.match(all, {
    totalBuffered: 12,
    returned: 12,
    byOutcome: { info: 1, needs_clarification: 2 },
    byReasonCategory: { ambiguity: 2 },
  })
  const cases: readonly (readonly [query: string, returned: number, byOutcome: object])[] = [
    ['phase=result', 3, { info: 1, needs_clarification: 2 }],
    ['outcome=info', 1, { info: 1 }],
    ['session=acme::other', 4, { needs_clarification: 1 }],
    ['session=other', 4, { needs_clarification: 1 }],
    ['session=oth', 0, {}],
    ['session=%20other%20', 4, { needs_clarification: 1 }],
    ['session=', 12, { info: 1, needs_clarification: 2 }],
    ['session=other&siteId=Acme', 4, { needs_clarification: 1 }],
    ['session=acme::other&siteId=acme', 4, { needs_clarification: 1 }],
    ['session=other&siteId=elsewhere', 0, {}],
    ['siteId=acme', 12, { info: 1, needs_clarification: 2 }],
    ['siteId=default', 0, {}],
    ['session=elsewhere::other', 0, {}],
    ['phase=result&limit=1', 1, { needs_clarification: 1 }],
    ['limit=2.9', 2, { needs_clarification: 1 }],
    ['limit=0', 12, { info: 1, needs_clarification: 2 }],
    ['limit=-5', 12, { info: 1, needs_clarification: 2 }],
    ['limit=many', 12, { info: 1, needs_clarification: 2 }],
    ['limit=99999', 12, { info: 1, needs_clarification: 2 }],
  ]
  for (const [query, returned, byOutcome] of cases) {
    const answer = await list(query)
    t.strictSame([answer.returned, answer.byOutcome, answer.totalBuffered], [returned, byOutcome, 12], query)
    t.equal(
      answer.rows.at(-1)?.id,
      answer.rows.length > 0 ? answer.rows.toSorted((a, b) => (a.at < b.at ? -1 : 1)).at(-1)?.id : undefined,
      'newest last',
    )
  }
  t.match(refused(await stack.ask({ url: '/telemetry/chat?limit=1&limit=2' })), {
    status: 400,
    code: 'bad_request',
  })
  t.match(refused(await stack.ask({ url: '/telemetry/chat?siteId=acme&session=other::dev' })), {
    status: 400,
    code: 'invalid_request',
    reason: /session must/,
  })
  t.match(refused(await stack.ask({ url: `/telemetry/chat?siteId=${'x'.repeat(65)}` })), {
    status: 400,
    code: 'invalid_request',
    reason: /siteId must/,
  })
})

const resultRow = (n: number, more: Partial<Row>): Row => ({
  id: `run_${n}`,
  at: new Date(n * 1000).toISOString(),
  phase: 'result',
  session: 'dev',
  requestedSlug: '/',
  effectiveSlug: '/',
  plannerSource: 'demo',
  modelKey: 'balanced',
  modelUsed: 'rules',
  promptHash: `hash_${n}`,
  promptExcerpt: `Prompt ${n}`,
  promptLength: 8,
  ...more,
})

t.test('a review counts the finished runs, and lists causes', (t) => {
  const same = { promptHash: 'same', promptExcerpt: 'Again' }
  const rows = [
    resultRow(1, { outcome: 'applied' }),
    resultRow(2, { ...same, outcome: 'guardrail_failure', reasonCategory: 'not_found' }),
    resultRow(3, { ...same, outcome: 'planning_exhausted', reasonCategory: 'malformed_output' }),
    resultRow(4, { outcome: 'planning_refusal', reasonCategory: 'planner_refusal' }),
    resultRow(5, { outcome: 'planning_incomplete' }),
    resultRow(6, { outcome: 'canceled' }),
    resultRow(7, { outcome: 'needs_clarification', reasonCategory: 'ambiguity' }),
  ]
  t.strictSame(review(rows), {
    analyzed: 7,
    appliedCount: 1,
    failedCount: 4,
    failureRate: 0.5714,
    plannerRefusalCount: 1,
    plannerIncompleteCount: 1,
    failureByOutcome: {
      guardrail_failure: 1,
      planning_exhausted: 1,
      planning_refusal: 1,
      planning_incomplete: 1,
    },
    failureByReasonCategory: { not_found: 1, malformed_output: 1, planner_refusal: 1 },
    topFailedPrompts: [
      {
        ...same,
        count: 2,
        outcomes: ['guardrail_failure', 'planning_exhausted'],
        reasonCategories: ['not_found', 'malformed_output'],
        lastAt: '1970-01-01T00:00:03.000Z',
      },
      {
        promptHash: 'hash_4',
        promptExcerpt: 'Prompt 4',
        count: 1,
        outcomes: ['planning_refusal'],
        reasonCategories: ['planner_refusal'],
        lastAt: '1970-01-01T00:00:04.000Z',
      },
      {
        promptHash: 'hash_5',
        promptExcerpt: 'Prompt 5',
        count: 1,
        outcomes: ['planning_incomplete'],
        reasonCategories: [],
        lastAt: '1970-01-01T00:00:05.000Z',
      },
    ],
    recommendations: ['No single cause stands out.'],
  })
  const caused = (count: number, cause: Partial<Row>, others: number) =>
    review([
      ...Array.from({ length: count }, (_, n) => resultRow(n, cause)),
      ...Array.from({ length: others }, (_, n) => resultRow(count + n, { outcome: 'applied' })),
    ]).recommendations
  const notThere = { outcome: 'apply_failed', reasonCategory: 'not_found' }
  const cases: readonly (readonly [count: number, others: number, sentence: RegExp])[] = [
    [1, 0, /No single/],
    [2, 8, /No single/],
    [2, 0, /No single/],
    [3, 7, /missing pages/],
    [3, 26, /missing pages/],
    [3, 27, /No single/],
    [10, 90, /No single/],
    [11, 89, /missing pages/],
  ]
  for (const [count, others, sentence] of cases)
    t.match(caused(count, notThere, others), [sentence], `${count} of ${count + others}`)
  t.match(caused(3, { outcome: 'needs_clarification', reasonCategory: 'ambiguity' }, 3), [
    /could mean several/,
  ])
  t.match(caused(3, { outcome: 'planning_exhausted', reasonCategory: 'malformed_output' }, 3), [
    /no plan at all/,
  ])
  t.match(review([]), {
    analyzed: 0,
    failureRate: 0,
    topFailedPrompts: [],
    recommendations: ['No single cause stands out.'],
  })
  t.match(
    review(
      Array.from({ length: 20 }, (_, n) =>
        resultRow(n, { outcome: 'repair_failed', reasonCategory: 'schema_violation' }),
      ),
    ),
    { failureRate: 1, topFailedPrompts: { length: 12 }, recommendations: [/schema of a block/] },
  )
  t.end()
})

t.test('a review is requested over the socket, for a session and for the newest runs', async (t) => {
  const { stack, say } = await service(t)
  await say('Change the headline to "By the rules"')
  await say('Which pages are there?', { session: 'other' })
  const of = (query: string) => bodyOf(stack.ask({ url: `/telemetry/chat/review?${query}` }))
  t.match(await of(''), {
    analyzed: 2,
    appliedCount: 1,
    failedCount: 0,
    failureRate: 0,
    failureByOutcome: {},
    topFailedPrompts: [],
  })
  for (const session of ['session=acme::dev', 'session=dev', 'session=dev&siteId=acme'])
    t.match(await of(session), { analyzed: 1, appliedCount: 1 })
  t.match(await of('session=dev&siteId=default'), { analyzed: 0 })
  t.match(await of('limit=1'), { analyzed: 1, appliedCount: 0 })
})

t.test(
  'votes are stored, the last one per person and run counts, and missing fields are named',
  async (t) => {
    const { stack, file } = await service(t)
    const post = (json: unknown) => stack.ask({ method: 'POST', url: '/telemetry/chat/feedback', json })
    const list = (query = '') => bodyOf(stack.ask({ url: `/telemetry/chat/feedback?${query}` }))
    const bad: readonly (readonly [body: unknown, sentence: string])[] = [
      [{ session: 'dev', rating: 'up' }, 'traceId is required'],
      [{ traceId: ' ', session: 'dev', rating: 'up' }, 'traceId is required'],
      [{ traceId: 'run_1', session: 'dev' }, 'rating is required'],
      [
        { traceId: 'run_1', session: 'dev', rating: 'sideways' },
        "'rating' of the body is not valid: rating is required: up or down.",
      ],
      [{ traceId: 7, session: 'dev', rating: 'up' }, "'traceId' of the body is not valid: expected string."],
      [
        { traceId: 'x'.repeat(101), session: 'dev', rating: 'up' },
        "'traceId' of the body is not valid: has more than 100 characters.",
      ],
      [
        { traceId: 'run_1', session: 'dev', rating: 'up', note: 7 },
        "'note' of the body is not valid: expected string.",
      ],
      [
        { traceId: 'run_1', session: 'acme::dev', rating: 'up' },
        "session must be at most 200 characters without control characters and without '::'",
      ],
      ['up', 'The body is not valid: expected Object.'],
    ]
    for (const [body, sentence] of bad)
      t.match(refused(await post(body)), {
        status: 400,
        code: 'invalid_request',
        error: sentence,
        reason: sentence,
      })
    t.strictSame(await list(), { total: 0, rows: [] })

    const first = await bodyOf(
      post({
        traceId: ' run_1 ',
        session: ' dev ',
        rating: ' up ',
        note: `${'é'.repeat(1_999)}😀`,
        more: 'dropped',
      }),
    )
    t.match(first, { ok: true, id: /^[0-9a-f-]{36}$/ })
    t.match(await list(), {
      total: 1,
      rows: [
        { id: Object(first).id, at: /Z$/, traceId: 'run_1', session: 'dev', rating: 'up', more: undefined },
      ],
    })
    t.equal(Object(await list()).rows[0].note, 'é'.repeat(1_999), 'no character is split')
    await post({ traceId: 'run_2', session: 'dev', rating: 'up', note: '  ' })
    const second = await bodyOf(post({ traceId: 'run_1', session: 'dev', rating: 'down' }))
    await post({ traceId: 'run_1', session: 'dev', siteId: 'Acme', rating: 'up' })
    const rows = [
      { traceId: 'run_2', session: 'dev', rating: 'up' },
      { id: Object(second).id, traceId: 'run_1', session: 'dev', rating: 'down', note: undefined },
      { traceId: 'run_1', session: 'acme::dev', rating: 'up' },
    ]
    t.match(await list(), { total: 3, rows })
    t.notOk(Object.hasOwn(Object(await list()).rows[0], 'note'))

    for (const again of [false, true]) {
      if (again) await stack.restart()
      t.match(await list('session=dev'), { total: 3, rows }, 'of every site')
      t.match(await list('session=dev&siteId=default'), { total: 2, rows: rows.slice(0, 2) })
      t.match(await list('siteId=acme'), { total: 1, rows: rows.slice(2) })
      t.match(await list('rating=up'), { total: 2, rows: [rows[0], rows[2]] })
      t.match(await list('traceId=run_1&limit=1'), { total: 2, rows: [rows[2]] })
      t.equal(Object(await list('traceId=run_1&limit=1')).rows.length, 1)
      t.match(await list('limit=0'), { total: 3 })
      t.match(await list('rating=sideways'), { total: 0 })
    }
    t.equal(modeOf(file('chat-feedback.ndjson')), 0o600)
    t.equal(linesOf(file('chat-feedback.ndjson')).length, 4)
  },
)

t.test('the number of votes is limited', async (t) => {
  const { stack } = await service(t, {
    env: { FEEDBACK_LIMIT: '2', FEEDBACK_FILE: join(temporaryFolder(t), 'deep', 'votes.ndjson') },
  })
  for (const traceId of ['a', 'b', 'c'])
    await stack.ask({
      method: 'POST',
      url: '/telemetry/chat/feedback',
      json: { traceId, session: 'dev', rating: 'up' },
    })
  t.match(await bodyOf(stack.ask({ url: '/telemetry/chat/feedback' })), {
    total: 2,
    rows: [{ traceId: 'b' }, { traceId: 'c' }],
  })
})

t.test('no excerpt is stored if excerpts are off, and stored ones contain no key', async (t) => {
  const without = await service(t, { env: { TELEMETRY_EXCERPTS: '0' } })
  await without.say('A canary sings: which pages are there?')
  t.ok(
    (await without.rows()).every(
      ({ promptExcerpt, promptLength }) => promptExcerpt === '' && promptLength === 38,
    ),
  )
  await without.stack.restart()
  t.notMatch(textOf(without.file('chat-telemetry.ndjson')), /canary/)

  const usual = await service(t)
  await usual.say(`Which pages are there for sk-ant-0123456789abcdef ${'x'.repeat(500)}`)
  const excerpts = (await usual.rows()).map(({ promptExcerpt }) => promptExcerpt)
  t.ok(
    excerpts.every((each) => each.startsWith('Which pages are there for [redacted] x') && each.length <= 180),
  )
  await usual.stack.restart()
  t.notMatch(textOf(usual.file('chat-telemetry.ndjson')), /sk-ant/)
})

t.test(
  'secrets of the installation that a person types are not stored, not even their beginning',
  async (t) => {
    const folder = temporaryFolder(t)
    const secrets = {
      PUBLISH_TOKEN: 'publish-canary-7c1f20',
      ORCHESTRATOR_ACCESS_TOKEN: 'access-canary-93e5b1',
      OPENAI_API_KEY: 'key-canary-5d8a46',
    }
    const files = {
      CHAT_TELEMETRY_FILE: join(folder, 'chat'),
      FEEDBACK_FILE: join(folder, 'votes'),
      EVAL_CANDIDATES_FILE: join(folder, 'candidates'),
    }
    const { origin, stop } = await serveDemo(t, { ...secrets, ...files, EVAL_CANDIDATES_ENABLED: '1' })
    const ask = async (path: string, body?: object) => {
      const headers = {
        'content-type': 'application/json',
        'x-access-token': secrets.ORCHESTRATOR_ACCESS_TOKEN,
      }
      const answer = await fetch(`${origin}${path}`, {
        headers,
        ...(body && { method: 'POST', body: JSON.stringify({ siteId: 'demo', session: 'dev', ...body }) }),
      })
      return [answer.status, await answer.text()] as const
    }
    for (const secret of Object.values(secrets)) {
      t.match(await ask('/chat', { slug: '/', message: `Publish with ${secret} please` }), [200])
      t.match(await ask('/chat', { slug: '/', message: `${'a '.repeat(84)}${secret}` }), [200])
      t.match(
        await ask('/telemetry/chat/feedback', {
          traceId: secret.slice(0, 3),
          rating: 'up',
          note: `It is ${secret}`,
        }),
        [200],
      )
    }
    const [, rows] = await ask('/telemetry/chat')
    const [, votes] = await ask('/telemetry/chat/feedback')
    await stop()
    for (const text of [rows, votes, ...Object.values(files).map(textOf)])
      t.match([/\[redacted\]/.test(text), /canary|(?:publish|access|key)-c/.test(text)], [true, false])
  },
)

t.test('TELEMETRY_HTTP disables only the routes', async (t) => {
  const paths = [
    ['GET', '/telemetry/chat'],
    ['GET', '/telemetry/chat/review'],
    ['GET', '/telemetry/chat/feedback'],
    ['POST', '/telemetry/chat/feedback'],
  ] as const
  const { stack, say, file } = await service(t, { env: { TELEMETRY_HTTP: '0' } })
  for (const [method, url] of paths)
    t.match(refused(await stack.ask({ method, url, ...(method === 'POST' && { json: {} }) })), {
      status: 404,
      code: 'not_found',
    })
  await say('Which pages are there?')
  await stack.restart()
  t.equal(linesOf(file('chat-telemetry.ndjson')).length, 4, 'rows are still stored')

  for (const [env, expected] of [
    [{}, 401],
    [{ TELEMETRY_HTTP: 'off' }, 404],
  ] as const) {
    const { plugins, seeds } = chatInMemory({ plugins: [use(telemetry), use(auth)], gates: [] })
    const mounted = mountForTest(t, {
      plugins,
      seeds: seeds ?? [],
      shape: 'library',
      env: { ...env, ORCHESTRATOR_ACCESS_TOKEN: 'the-fixed-token' },
    })
    for (const [method, url] of paths) {
      t.equal((await mounted.inject({ method, url, json: {} })).status, expected, `${method} ${url}`)
    }
    const admitted = await mounted.inject({
      url: '/telemetry/chat',
      headers: { 'x-access-token': 'the-fixed-token' },
    })
    t.equal(admitted.status, expected === 401 ? 200 : 404)
  }
})

const script: Script = {
  'Say hello': planOf(setBody('Hello')),
  'List pages': { kind: 'answer', status: 'info', summary: 'Three.', findings: [], suggestions: [] },
  'Remove the team': planOf(removePage('/team')),
  'Remove nobody': planOf(removeBlock('b_gone')),
}

/** Chat in memory with telemetry, with files in a temporary folder. */
async function small(
  t: Test,
  {
    env = {},
    clock,
    plugins = [],
    log,
  }: {
    readonly env?: Readonly<Record<string, string>>
    readonly clock?: Clock
    readonly plugins?: readonly Used[]
    readonly log?: ReturnType<typeof capturedLog>['log']
  } = {},
) {
  const folder = temporaryFolder(t)
  const setting = chatInMemory({
    script,
    ...(clock && { clock }),
    env: { ORCHESTRATOR_DATA_DIR: folder, ...env },
    plugins: [use(telemetry), ...plugins],
  })
  const mounted = mountForTest(t, { ...setting, ...(log && { log }) })
  const client = chatClient((request) => mounted.inject(request))
  await client.bootstrap(startPages)
  return { folder, mounted, candidates: join(folder, 'eval-candidates.ndjson'), ...client }
}

t.test('every entry is logged, without the excerpt', async (t) => {
  const { log, lines } = capturedLog()
  const { say } = await small(t, { log })
  await say('Say hello')
  const entries = lines
    .map((line): unknown => JSON.parse(line))
    .filter((entry) => Object(entry).event === 'chat_telemetry')
  t.equal(entries.length, 7)
  t.match(entries.at(-1), {
    level: 30,
    msg: 'chat telemetry',
    phase: 'result',
    outcome: 'applied',
    promptHash: String,
    promptLength: 9,
  })
  t.notMatch(entries, [{ promptExcerpt: String }])
  t.notMatch(lines.join(''), /Say hello/)
})

t.test('without a configured file nothing is written, and rows are served from memory', async (t) => {
  const { mounted, folder, say } = await small(t, { env: { CHAT_TELEMETRY_PERSIST: ' No ' } })
  await say('Say hello')
  t.match(await bodyOf(mounted.inject({ url: '/telemetry/chat' })), { returned: 7 })
  await mounted.close()
  t.strictSame(readdirSync(folder), [])
})

t.test('a file is written shortly after the last entry', async (t) => {
  const { folder, say } = await small(t)
  const file = join(folder, 'chat-telemetry.ndjson')
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  await say('Say hello')
  mock.timers.tick(100)
  await say('List pages')
  mock.timers.tick(149)
  for (let n = 0; n < 50; n += 1) await turn()
  t.notOk(existsSync(file))
  mock.timers.tick(1)
  await written(file)
  t.equal(linesOf(file).length, 11)
})

t.test('a file that cannot be written does not affect chat, and is logged once', async (t) => {
  const { log, lines } = capturedLog()
  const inTheWay = temporaryFolder(t)
  const { mounted, say } = await small(t, {
    log,
    env: { CHAT_TELEMETRY_FILE: inTheWay, FEEDBACK_FILE: join(inTheWay, 'votes.ndjson') },
  })
  const complaints = () => lines.filter((line) => line.includes('is not usable'))
  t.equal((await say('Say hello')).status, 200)
  t.match(await bodyOf(mounted.inject({ url: '/telemetry/chat' })), { returned: 7 })
  await pause(200)
  t.equal((await say('List pages')).status, 200, 'also when writing has failed')
  t.match(await bodyOf(mounted.inject({ url: '/telemetry/chat' })), { returned: 11 })
  await mounted.close()
  t.equal(complaints().length, 1)
  t.match(complaints()[0], inTheWay)
})

t.test('messages for replay are stored only if that is enabled', async (t) => {
  const { mounted, folder, say } = await small(t)
  await say('Say hello')
  await mounted.close()
  t.strictSame(readdirSync(folder), ['chat-telemetry.ndjson'])
})

const promptsIn = (file: string): readonly unknown[] => linesOf(file).map((line) => Object(line).prompt)
const enabled = { EVAL_CANDIDATES_ENABLED: 'on' }

t.test('a message to replay has the draft before it and its result', async (t) => {
  const time = stillClock()
  const { mounted, candidates, say, approve, discard, run } = await small(t, { env: enabled, clock: time })
  const answer = Object(
    await bodyOf(say('Say hello', { slug: '/about', activeBlockId: 'b_1', activeEditablePath: 'body' })),
  )
  await say('List pages')
  await say('Remove nobody')
  await say('Remove the team')
  await approve()
  await discard()
  await say('Nowhere', { slug: '/nowhere' })
  await run('auto')
  await mounted.close()
  t.equal(modeOf(candidates), 0o600)
  const [first, ...others] = linesOf(candidates)
  t.strictSame(Object.keys(Object(first)), [
    'id',
    'at',
    'session',
    'slug',
    'activeBlockId',
    'activeEditablePath',
    'prompt',
    'fixture',
    'outcome',
    'plannerTier',
    'opTypes',
    'opCount',
  ])
  t.match(first, {
    id: answer.debug.traceId,
    at: '2026-01-01T12:00:00.000Z',
    session: 'acme::dev',
    slug: '/',
    activeBlockId: 'b_1',
    activeEditablePath: 'body',
    prompt: 'Say hello',
    outcome: 'applied',
    plannerTier: 'demo',
    opTypes: ['update_props'],
    opCount: 1,
  })
  t.strictSame(
    Object(first).fixture.map((page: object) => Object(page).slug),
    ['/', '/about', '/team'],
  )
  t.match(Object(first).fixture[0], { blocks: [{ props: { body: 'One' } }, {}, {}, {}] })
  t.match(others, [
    {
      prompt: 'List pages',
      outcome: 'info',
      fixture: [{ blocks: [{ props: { body: 'Hello' } }, {}, {}, {}] }, {}, {}],
    },
    { prompt: 'Remove nobody', outcome: 'guardrail_failure', reasonCategory: 'not_found' },
    { prompt: 'Remove the team', outcome: 'plan_ready_for_approval', opTypes: ['remove_page'], opCount: 1 },
  ])
  t.equal(others.length, 3, 'a run without a message or a draft cannot be replayed')
})

t.test('a run that does not end in time is not replayed', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const time = stillClock()
  const passing = (milliseconds: number) => () => {
    time.advance(milliseconds)
    mock.timers.tick(60 * 1000)
    return planOf(setBody('x'))
  }
  const quarter = 15 * 60 * 1000
  const slow = scriptedPlanner({ 'Take a while': passing(quarter - 1), 'Take too long': passing(quarter) })
  const { mounted, candidates, say } = await small(t, {
    env: enabled,
    clock: time,
    plugins: [withPlanner(slow)],
  })
  await say('Take a while')
  await say('Take too long')
  await mounted.close()
  t.strictSame(promptsIn(candidates), ['Take a while'])
})

t.test('a run that is canceled is not replayed', async (t) => {
  const { stack, client, model, file } = await service(t, { env: enabled, answers: [hanging(opening())] })
  const { streamId } = Object(
    await bodyOf(client.send('/chat/start', { slug: '/', message: 'Make the heading friendlier' })),
  )
  const stream = eventsIn(await fetch(`${stack.origin}/chat/stream?streamId=${streamId}`))
  while (model.seen.length === 0) await pause(5)
  await client.send('/chat/cancel', { streamId })
  await stream.toLast()
  await stack.restart()
  t.notOk(existsSync(file('eval-candidates.ndjson')))
})

t.test('messages to replay are deleted when they are old or over the limit', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const time = stillClock('2026-01-31T12:00:00.000Z')
  const { mounted, candidates, say } = await small(t, {
    env: { ...enabled, EVAL_CANDIDATES_LIMIT: '3', EVAL_CANDIDATES_TTL_DAYS: '2' },
    clock: time,
  })
  const old = (id: string, at: string) => `${JSON.stringify({ id, at, prompt: 'canary' })}\n`
  writeFileSync(`${candidates}.2`, old('gone', '2026-01-01T12:00:00.000Z'))
  writeFileSync(
    `${candidates}.1`,
    old('over', '2026-01-29T11:59:59.000Z') + old('kept_1', '2026-01-29T12:00:01.000Z'),
    { mode: 0o644 },
  )
  writeFileSync(candidates, `no json\n${old('kept_2', '2026-01-30T12:00:00.000Z')}`)
  const idsIn = (file: string) => linesOf(file).map((line) => Object(line).id)
  const settled = async (done: () => boolean) => {
    const until = performance.now() + 60_000
    while (!done() && performance.now() < until) await pause(10)
    t.ok(done())
  }
  await say('List pages')
  await settled(() => !existsSync(`${candidates}.2`) && linesCount(candidates) === 2)
  t.strictSame([idsIn(`${candidates}.1`), idsIn(candidates)[0]], [['kept_1'], 'kept_2'])
  t.equal(modeOf(`${candidates}.1`), 0o600)

  await say('List pages')
  await settled(() => linesCount(candidates) === 3)
  mock.timers.tick(60 * 60 * 1000)
  await settled(() => !existsSync(`${candidates}.1`))
  t.equal(linesCount(candidates), 3, 'the oldest was deleted')
  time.advance(3 * 24 * 60 * 60 * 1000)
  mock.timers.tick(60 * 60 * 1000)
  await settled(() => !existsSync(candidates))
  await mounted.close()
})

const linesCount = (file: string): number =>
  existsSync(file) ? textOf(file).split('\n').filter(Boolean).length : 0

const Item = v.object({ n: v.number(), text: v.optional(v.string()) })

/** A file of numbers with a size limit. */
function numbers(t: Test, maxBytes: number) {
  const { log, lines } = capturedLog()
  const folder = temporaryFolder(t)
  const path = join(folder, 'deep', 'numbers.ndjson')
  const open = () => createNdjsonFile({ file: path, schema: Item, log, maxBytes })
  return { folder: join(folder, 'deep'), path, open, lines }
}

t.test('a full file is rotated, three rotated files are kept, and all are read', async (t) => {
  const { folder, path, open } = numbers(t, 20)
  const file = open()
  for (let n = 1; n <= 12; n += 1) {
    file.append({ n })
    await file.close()
  }
  t.strictSame(readdirSync(folder).toSorted(), [
    'numbers.ndjson',
    'numbers.ndjson.1',
    'numbers.ndjson.2',
    'numbers.ndjson.3',
  ])
  for (const name of readdirSync(folder)) t.equal(modeOf(join(folder, name)), 0o600, name)
  t.equal(modeOf(folder), 0o700)
  t.ok(statSync(path).size <= 20)
  const numbersIn = async (most: number) => (await open().last(most)).map(({ n }) => n)
  t.strictSame(await numbersIn(100), [5, 6, 7, 8, 9, 10, 11, 12].slice(-(await numbersIn(100)).length))
  t.strictSame(await numbersIn(3), [10, 11, 12])
  t.strictSame(await numbersIn(1), [12])
  file.append({ n: 13, text: 'x'.repeat(100) })
  await file.close()
  file.append({ n: 14 })
  await file.close()
  t.strictSame(await numbersIn(2), [13, 14], 'an entry larger than the limit gets a separate file')
})

t.test('many concurrent values do not wait', async (t) => {
  const { path, open } = numbers(t, 10 * 1024 * 1024)
  const file = open()
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  for (let n = 0; n < 1_000; n += 1) file.append({ n })
  await written(path)
  await file.close()
  t.equal((await file.last(2_000)).length, 1_000)
})

t.test('the service rotates a file of 10 MiB', async (t) => {
  const { stack, say, file } = await service(t)
  writeFileSync(file('chat-telemetry.ndjson'), `${'x'.repeat(10 * 1024 * 1024)}\n`)
  await say('Which pages are there?')
  await stack.restart()
  t.equal(linesOf(file('chat-telemetry.ndjson')).length, 4)
  t.equal(statSync(file('chat-telemetry.ndjson.1')).size, 10 * 1024 * 1024 + 1)
})

t.test('an unusable file is logged once, and used again when possible', async (t) => {
  const { path, open, lines } = numbers(t, 1024 * 1024)
  mkdirSync(path, { recursive: true })
  const file = open()
  t.strictSame(await file.last(1), [])
  file.append({ n: 1 })
  await file.close()
  rmdirSync(path)
  file.append({ n: 2 })
  await file.close()
  t.strictSame(await file.last(5), [{ n: 2 }])
  t.equal(lines.length, 1)
})

t.test('the variables decide what is stored, and where', (t) => {
  const read = (env: Readonly<Record<string, string>>, shape: 'standalone' | 'library' = 'standalone') => {
    const warned: string[] = []
    const settings = toSettings(v.parse(TelemetryVariables, env), shape, (variable, why) =>
      warned.push(`${variable}: ${why}`),
    )
    return { ...settings, warned }
  }
  const memory = {
    rows: { file: undefined, most: 500 },
    feedback: { file: undefined, most: 1000 },
    candidates: undefined,
  }
  const inFolder = (folder: string) => ({
    rows: { file: join(folder, 'chat-telemetry.ndjson') },
    feedback: { file: join(folder, 'chat-feedback.ndjson') },
  })
  const cases: readonly (readonly [what: string, given: ReturnType<typeof read>, expected: object])[] = [
    [
      'a server of its own',
      read({}),
      { http: true, excerpts: true, ...inFolder('.orchestrator'), candidates: undefined, warned: [] },
    ],
    ['with a data directory', read({ ORCHESTRATOR_DATA_DIR: '/data' }), inFolder('/data')],
    ['a website', read({}, 'library'), memory],
    [
      'a website with a data directory',
      read({ ORCHESTRATOR_DATA_DIR: '/data' }, 'library'),
      inFolder('/data'),
    ],
    [
      'a website with a file',
      read({ FEEDBACK_FILE: '/votes' }, 'library'),
      { ...memory, feedback: { file: '/votes' } },
    ],
    ['a public demo', read({ DEMO_MODE: '1' }), memory],
    [
      'a public demo with a configured file',
      read({ DEMO_MODE: '1', ORCHESTRATOR_DATA_DIR: '/data' }),
      inFolder('/data'),
    ],
    [
      'without a file of rows',
      read({ CHAT_TELEMETRY_PERSIST: 'FALSE', CHAT_TELEMETRY_FILE: '/rows' }),
      { rows: { file: undefined } },
    ],
    [
      'candidates',
      read({ EVAL_CANDIDATES_ENABLED: 'Yes', EVAL_CANDIDATES_TTL_DAYS: ' 3 ' }),
      { candidates: { file: '.orchestrator/eval-candidates.ndjson', most: 1000, days: 3 }, warned: [] },
    ],
    [
      'candidates without a folder',
      read({ EVAL_CANDIDATES_ENABLED: 'on' }, 'library'),
      {
        candidates: undefined,
        warned: [/^EVAL_CANDIDATES_ENABLED: .*EVAL_CANDIDATES_FILE or ORCHESTRATOR_DATA_DIR/],
      },
    ],
    [
      'invalid values',
      read({
        TELEMETRY_HTTP: 'perhaps',
        TELEMETRY_EXCERPTS: '2',
        CHAT_TELEMETRY_PERSIST: 'x',
        EVAL_CANDIDATES_ENABLED: 'x',
      }),
      {
        http: true,
        excerpts: true,
        rows: { file: '.orchestrator/chat-telemetry.ndjson' },
        candidates: undefined,
        warned: { length: 4 },
      },
    ],
  ]
  for (const [what, given, expected] of cases) t.match(given, expected, what)
  for (const limit of ['0', '-1', '1.5', 'many'])
    t.notOk(v.safeParse(TelemetryVariables, { CHAT_TELEMETRY_LIMIT: limit }).success, limit)
  t.end()
})

t.test('an invalid value is warned about at the start', async (t) => {
  const { log, lines } = capturedLog()
  const mounted = mountForTest(t, {
    ...chatInMemory({
      plugins: [use(telemetry)],
      env: { TELEMETRY_HTTP: 'perhaps', CHAT_TELEMETRY_PERSIST: 'off', DEMO_MODE: 'on' },
    }),
    log,
  })
  await mounted.ready()
  t.ok(lines.some((line) => line.includes('TELEMETRY_HTTP') && line.includes('using the default')))
})
