import { hash } from 'node:crypto'
import { readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { use } from '../../kernel/index.ts'
import { capturedLog, mountForTest } from '../../kernel/testing.ts'
import telemetry from '../../plugins/telemetry/index.ts'
import { review } from '../../plugins/telemetry/review.ts'
import { TelemetryRow as RowSchema, type TelemetryRow } from '../../plugins/telemetry/schemas.ts'
import { TelemetryVariables, toSettings } from '../../plugins/telemetry/settings.ts'
import { boatHero } from '../helpers/boats.ts'
import { pageOf } from '../helpers/content.ts'
import { chatInMemory, chatClient, planOf, setBody, startPages, type Script } from '../helpers/chat.ts'
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
import { emptyList } from '../helpers/plain.ts'
import { until } from '../helpers/until.ts'

const Rows = v.object({
  totalBuffered: v.number(),
  returned: v.number(),
  byOutcome: v.record(v.string(), v.number()),
  byReasonCategory: v.record(v.string(), v.number()),
  rows: v.array(RowSchema),
})

const start = ['received', 'milestone request_received']
/** A short form of a row. */
const word = ({ phase, outcome, timelineStage }: TelemetryRow): string =>
  [phase, timelineStage ?? outcome].filter(Boolean).join(' ')
const textOf = (file: string): string => readFileSync(file, 'utf8')
const linesOf = (file: string): readonly unknown[] =>
  textOf(file)
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line))
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
  const { say, stack, rows, file, client } = await service(t)
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
  const kept = ['chat-telemetry', 'chat-feedback'].map((name) => textOf(file(`${name}.ndjson`))).join('')
  for (const name of ['md5', 'sha1', 'sha256', 'sha512']) {
    const shown = JSON.stringify([debug, await rows('limit=1000')])
    t.notMatch(kept + shown, hash(name, message).slice(0, 16), name)
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
    at: /Z$/,
  }
  const message = 'Change the headline to "By the rules"'
  const { debug } = Object(await bodyOf(say(message)))
  const applied = await last()
  t.strictSame(applied.map(word), [
    ...start,
    'deterministic_plan_generated deterministic_plan_ready',
    'milestone plan_ready',
    'milestone first_op_applied',
    'milestone done',
    'result applied',
  ])
  const own = { id: debug.traceId, promptHash: debug.promptHash, promptExcerpt: message, promptLength: 37 }
  for (const row of applied) t.match(row, { ...about, ...own })
  const planned = { opTypes: ['update_props'], opCount: 1 }
  t.match(applied[2], { intent: 'edit_plan', ...planned })
  const spent = { totalDurationMs: Number, applyDurationMs: Number }
  t.match(applied.at(-1), { plannerTier: 'demo', ...planned, ...spent })
  for (const name of ['imageResolutionDurationMs', 'inputTokens', 'planningAttempts'])
    t.notOk(Object.hasOwn(Object(applied.at(-1)), name), name)

  const cases = {
    'Make everything pop like champagne': 'unsupported_without_provider',
    'Which pages are there?': 'info',
    'Change the heading': 'needs_clarification',
  }
  for (const [message, outcome] of Object.entries(cases)) {
    await say(message)
    t.strictSame((await last()).map(word), [...start, 'milestone done', `result ${outcome}`], message)
    t.match((await last()).at(-1), { ...about, outcome })
  }
  const about_ = { ...home, id: 'p_about', slug: '/about', blocks: [{ ...home.blocks[0], id: 'b_other' }] }
  await client.bootstrap([home, about_], { overwrite: true })
  await say('Change the headline to "Elsewhere"', { activeBlockId: 'b_other' })
  const slugs = (await last()).map(({ effectiveSlug }) => effectiveSlug)
  t.strictSame(slugs.join(' '), '/ / /about /about /about /about /about', 'the page of the selected block')
  t.equal((await say('Hello', { slug: '/nowhere' })).status, 404)
  t.strictSame((await last()).map(word), [...start, 'result api_error'])
  const nowhere = { requestedSlug: '/nowhere', effectiveSlug: '/nowhere', reasonCategory: 'not_found' }
  t.match((await last()).at(-1), { ...nowhere, reason: /ask for a new one/ })
  t.equal((await rows('limit=1000&phase=result')).length, 6, 'one result for each run')
})

t.test('a run with a model is recorded attempt by attempt', async (t) => {
  const { say, last, model } = await service(t, {
    answers: [planning('no plan at all'), planning(badLink), planning(edit)],
  })
  t.match(await bodyOf(say('Make the heading friendlier')), { status: 'applied' })
  t.equal(model.seen.length, 3)
  const rows = await last()
  t.strictSame(rows.map(word), [
    ...start,
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
  const byModel = { plannerSource: 'anthropic', modelUsed: /^claude-/, contextPackBytes: Number }
  const reason = 'the answer is not a JSON object'
  t.match(failed, { ...byModel, reasonCategory: 'malformed_output', reason, planningAttempts: 1 })
  const spent = {
    inputTokens: 200,
    outputTokens: 100,
    planningDurationMs: Number,
    firstPlanningTokenMs: Number,
  }
  t.match(generated, { opTypes: ['update_props'], opCount: 1, planningAttempts: 2, ...spent })
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

t.test('a run that fails in the model has one result', async (t) => {
  const key = { reasonCategory: 'internal_error', reason: /ANTHROPIC_API_KEY/ }
  const link = { reasonCategory: 'schema_violation', schemaRetryUsed: true }
  const cases: readonly (readonly [answers: readonly Answer[], outcome: string, facts: object])[] = [
    [[failing(401, 'authentication_error')], 'api_error', key],
    [[planning(badLink)], 'repair_failed', link],
    [
      [planning('1'), planning('2'), planning('3')],
      'planning_exhausted',
      { reasonCategory: 'malformed_output' },
    ],
  ]
  for (const [answers, outcome, facts] of cases) {
    const { say, last } = await service(t, { answers })
    await say('Make the heading friendlier')
    const results = (await last()).filter(({ phase }) => phase === 'result')
    t.match(results, { length: 1, 0: { outcome, ...facts } })
  }
})

t.test('a canceled stream is a canceled run', async (t) => {
  const { stack, client, model, last } = await service(t, { answers: [hanging(opening())] })
  const { streamId } = Object(
    await bodyOf(client.send('/chat/start', { slug: '/', message: 'Make the heading friendlier' })),
  )
  const stream = eventsIn(await fetch(`${stack.origin}/chat/stream?streamId=${streamId}`))
  await until(() => model.seen.length > 0, 'the call')
  await client.send('/chat/cancel', { streamId })
  t.match((await stream.toLast()).at(-1), { data: { type: 'canceled' } })
  const rows = await last()
  t.strictSame(rows.map(word), [...start, 'result canceled'])
  t.match(rows.at(-1), { id: streamId, reasonCategory: 'canceled', modelUsed: /^claude-/ })
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

t.test('the numbers of rows and of votes are limited, also after a restart', async (t) => {
  const votes = join(temporaryFolder(t), 'deep', 'votes.ndjson')
  const { stack, say, rows, client } = await service(t, {
    env: { CHAT_TELEMETRY_LIMIT: '6', FEEDBACK_LIMIT: '2', FEEDBACK_FILE: votes },
  })
  await say('Which pages are there?')
  await say('Which blocks are there?')
  for (const traceId of ['a', 'b', 'c'])
    await client.send('/telemetry/chat/feedback', { traceId, rating: 'up' })
  const held = await rows()
  t.match(held, { length: 6, 5: { phase: 'result' } })
  await stack.restart()
  t.strictSame(await rows(), held)
  t.match(await bodyOf(stack.ask({ url: '/telemetry/chat/feedback' })), {
    total: 2,
    rows: [{ traceId: 'b' }, { traceId: 'c' }],
  })
})

t.test('rows and reviews are chosen by outcome, phase and session', async (t) => {
  const { stack, say, client } = await service(t)
  await say('Which pages are there?')
  await say('Change the heading')
  await client.bootstrap([home], { session: 'other' })
  await say('Change the heading', { session: 'other' })
  const ask = (path: string) => stack.ask({ url: `/telemetry/chat${path}` })
  const every = { info: 1, needs_clarification: 2 }
  const other = { needs_clarification: 1 }
  const cases: readonly (readonly [returned: number, byOutcome: object, ...queries: readonly string[]])[] = [
    [12, every, '', 'session=', 'siteId=acme', 'limit=0', 'limit=-5', 'limit=many', 'limit=99999'],
    [3, every, 'phase=result'],
    [1, { info: 1 }, 'outcome=info'],
    [4, other, 'session=acme::other', 'session=other', 'session=%20other%20', 'session=other&siteId=Acme'],
    [4, other, 'session=acme::other&siteId=acme'],
    [0, {}, 'session=oth', 'session=other&siteId=elsewhere', 'siteId=default', 'session=elsewhere::other'],
    [1, other, 'phase=result&limit=1'],
    [2, other, 'limit=2.9'],
  ]
  for (const [returned, byOutcome, ...queries] of cases) {
    for (const query of queries) {
      const answer = v.parse(Rows, await bodyOf(ask(`?${query}`)))
      t.match(answer, { totalBuffered: 12, returned }, query)
      t.strictSame(answer.byOutcome, byOutcome, query)
    }
  }
  t.match(await bodyOf(ask('?phase=result')), {
    byReasonCategory: { ambiguity: 2 },
    rows: { 2: { session: 'acme::other' } },
  })
  t.match(refused(await ask('?limit=1&limit=2')), { status: 400, code: 'bad_request' })
  for (const query of ['siteId=acme&session=other::dev', `siteId=${'x'.repeat(65)}`])
    t.match(refused(await ask(`?${query}`)), { status: 400, code: 'invalid_request', reason: /must/ })
  for (const [analyzed, query] of [
    [3, ''],
    [1, 'session=acme::other'],
    [1, 'session=other&siteId=acme'],
    [0, 'session=other&siteId=default'],
    [2, 'limit=2'],
  ] as const)
    t.match(
      await bodyOf(ask(`/review?${query}`)),
      { analyzed, failedCount: 0, topFailedPrompts: emptyList },
      query,
    )
})

const resultRow = (n: number, more: Partial<TelemetryRow>): TelemetryRow => ({
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
  t.match(review(rows), {
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
      { promptHash: 'hash_4', reasonCategories: ['planner_refusal'] },
      { promptHash: 'hash_5', reasonCategories: emptyList },
    ],
    recommendations: ['No single cause stands out.'],
  })
  const caused = (count: number, cause: Partial<TelemetryRow>, others: number) =>
    review([
      ...Array.from({ length: count }, (_, n) => resultRow(n, cause)),
      ...Array.from({ length: others }, (_, n) => resultRow(count + n, { outcome: 'applied' })),
    ])
  const notThere = { outcome: 'apply_failed', reasonCategory: 'not_found' }
  type Case = readonly [count: number, cause: Partial<TelemetryRow>, others: number, sentence: RegExp]
  const cases: readonly Case[] = [
    [2, notThere, 0, /No single/],
    [3, notThere, 26, /missing pages/],
    [3, notThere, 27, /No single/],
    [3, { outcome: 'needs_clarification', reasonCategory: 'ambiguity' }, 3, /could mean several/],
    [3, { outcome: 'planning_exhausted', reasonCategory: 'malformed_output' }, 3, /no plan at all/],
    [20, { outcome: 'repair_failed', reasonCategory: 'schema_violation' }, 0, /schema of a block/],
  ]
  for (const [count, cause, others, sentence] of cases)
    t.match(caused(count, cause, others).recommendations, [sentence], `${count} of ${count + others}`)
  t.match(caused(20, notThere, 0), { failureRate: 1, topFailedPrompts: { length: 12 } })
  t.match(review([]), { failureRate: 0 })
  t.end()
})

t.test(
  'votes are stored, the last one per person and run counts, and missing fields are named',
  async (t) => {
    const { stack, file } = await service(t)
    const post = (json: unknown) => stack.ask({ method: 'POST', url: '/telemetry/chat/feedback', json })
    const list = (query = '') => bodyOf(stack.ask({ url: `/telemetry/chat/feedback?${query}` }))
    const vote = { traceId: 'run_1', session: 'dev', rating: 'up' }
    const bad: readonly (readonly [body: unknown, sentence: RegExp])[] = [
      [{ ...vote, traceId: ' ' }, /^traceId is required$/],
      [{ ...vote, traceId: 'x'.repeat(101) }, /has more than 100 characters/],
      [{ ...vote, rating: undefined }, /^rating is required$/],
      [{ ...vote, session: undefined }, /^session is required$/],
      [{ ...vote, session: ' ' }, /^session is required$/],
      [{ ...vote, rating: 'sideways' }, /rating is required: up or down/],
      [{ ...vote, session: 'acme::dev' }, /^session must be at most 200 characters/],
    ]
    for (const [body, reason] of bad)
      t.match(refused(await post(body)), { status: 400, code: 'invalid_request', error: reason, reason })
    t.strictSame(await list(), { total: 0, rows: [] })

    const note = `${'é'.repeat(1_999)}😀`
    const first = await bodyOf(post({ traceId: ' run_1 ', session: ' dev ', rating: ' up ', note, more: 1 }))
    t.match(first, { ok: true, id: /^[0-9a-f-]{36}$/ })
    const { total, rows: stored } = Object(await list())
    t.equal(total, 1)
    t.strictSame(
      { ...stored[0], at: '' },
      { ...vote, id: Object(first).id, at: '', note: 'é'.repeat(1_999) },
      'no character is split',
    )
    await post({ ...vote, traceId: 'run_2', note: '  ' })
    const second = await bodyOf(post({ ...vote, rating: 'down' }))
    await post({ ...vote, siteId: 'Acme' })
    const rows = [
      { ...vote, traceId: 'run_2' },
      { ...vote, id: Object(second).id, rating: 'down', note: undefined },
      { ...vote, session: 'acme::dev' },
    ]
    t.notOk(Object.hasOwn(Object(await list()).rows[0], 'note'))

    for (const again of [false, true]) {
      if (again) await stack.restart()
      const cases: readonly (readonly [query: string, total: number, rows: readonly object[]])[] = [
        ['', 3, rows],
        ['session=dev', 3, rows],
        ['session=dev&siteId=default', 2, rows.slice(0, 2)],
        ['siteId=acme', 1, rows.slice(2)],
        ['rating=up', 2, [{ traceId: 'run_2' }, { session: 'acme::dev' }]],
        ['traceId=run_1&limit=1', 2, rows.slice(2)],
      ]
      for (const [query, total, shown] of cases)
        t.match(await list(query), { total, rows: { ...shown, length: shown.length } }, query)
    }
    t.equal(modeOf(file('chat-feedback.ndjson')), 0o600)
  },
)

t.test('no excerpt is stored if excerpts are off, and stored ones contain no key', async (t) => {
  const without = await service(t, { env: { TELEMETRY_EXCERPTS: '0' } })
  await without.say('A canary sings: which pages are there?')
  for (const row of await without.rows()) t.match(row, { promptExcerpt: '', promptLength: 38 })
  await without.stack.restart()
  t.notMatch(textOf(without.file('chat-telemetry.ndjson')), /canary/)

  const usual = await service(t)
  await usual.say(`Which pages are there for sk-ant-0123456789abcdef ${'x'.repeat(500)}`)
  for (const { promptExcerpt } of await usual.rows())
    t.match(promptExcerpt, /^Which pages are there for \[redacted\] x{1,143}$/)
  await usual.stack.restart()
  t.notMatch(textOf(usual.file('chat-telemetry.ndjson')), /sk-ant/)
})

t.test('secrets that a person types are not stored, not even their beginning', async (t) => {
  const folder = temporaryFolder(t)
  const secrets = {
    PUBLISH_TOKEN: 'publish-canary-7c1f20',
    ORCHESTRATOR_ACCESS_TOKEN: 'access-canary-93e5b1',
  }
  const files = { CHAT_TELEMETRY_FILE: join(folder, 'chat'), FEEDBACK_FILE: join(folder, 'votes') }
  const { origin, stop } = await serveDemo(t, { ...secrets, ...files })
  const headers = { 'content-type': 'application/json', 'x-access-token': secrets.ORCHESTRATOR_ACCESS_TOKEN }
  const ask = async (path: string, body?: object) => {
    const sent = { method: 'POST', body: JSON.stringify({ siteId: 'demo', session: 'dev', ...body }) }
    const answer = await fetch(`${origin}${path}`, { headers, ...(body && sent) })
    t.equal(answer.status, 200)
    return answer.text()
  }
  for (const secret of Object.values(secrets)) {
    for (const message of [`Publish with ${secret} please`, `${'a '.repeat(84)}${secret}`])
      await ask('/chat', { slug: '/', message })
    const vote = { traceId: secret.slice(0, 3), rating: 'up', note: `It is ${secret}` }
    await ask('/telemetry/chat/feedback', vote)
  }
  const shown = [await ask('/telemetry/chat'), await ask('/telemetry/chat/feedback')]
  await stop()
  for (const text of [...shown, ...Object.values(files).map(textOf)])
    t.match([/\[redacted\]/.test(text), /canary|(?:publish|access)-c/.test(text)], [true, false])
})

t.test('TELEMETRY_HTTP disables only the routes', async (t) => {
  const paths = ['', '/review', '/feedback'].map((path) => ({ url: `/telemetry/chat${path}` }))
  const { stack, say, file } = await service(t, { env: { TELEMETRY_HTTP: '0' } })
  for (const path of paths) t.match(refused(await stack.ask(path)), { status: 404, code: 'not_found' })
  await say('Which pages are there?')
  await stack.restart()
  t.equal(linesOf(file('chat-telemetry.ndjson')).length, 4, 'rows are still stored')
})

const script: Script = {
  'Say hello': planOf(setBody('Hello')),
  'List pages': { kind: 'answer', status: 'info', summary: 'Three.', findings: [], suggestions: [] },
}

interface SmallOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly log?: ReturnType<typeof capturedLog>['log']
}

/** Chat in memory with telemetry, with files in a temporary folder. */
async function small(t: Test, { env = {}, log }: SmallOptions = {}) {
  const folder = temporaryFolder(t)
  const setting = chatInMemory({
    script,
    env: { ORCHESTRATOR_DATA_DIR: folder, ...env },
    plugins: [use(telemetry)],
  })
  const mounted = mountForTest(t, { ...setting, ...(log && { log }) })
  const client = chatClient((request) => mounted.inject(request))
  await client.bootstrap(startPages)
  return { folder, mounted, ...client }
}

t.test('every entry is logged, without the excerpt', async (t) => {
  const { log, lines } = capturedLog()
  const { say } = await small(t, { log })
  await say('Say hello')
  const entries = lines
    .map((line) => Object(JSON.parse(line)))
    .filter(({ event }) => event === 'chat_telemetry')
  t.equal(entries.length, 7)
  const about = { phase: 'result', outcome: 'applied', promptHash: String, promptLength: 9 }
  t.match(entries.at(-1), { level: 30, msg: 'chat telemetry', ...about })
  t.equal(entries.filter(({ level }) => level >= 30).length, 1, 'its steps are for debugging')
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
  await until(() => complaints().length === 1, 'the first write to fail')
  t.equal((await say('List pages')).status, 200, 'also when writing has failed')
  t.match(await bodyOf(mounted.inject({ url: '/telemetry/chat' })), { returned: 11 })
  t.equal(complaints().length, 1)
  t.match(complaints()[0], inTheWay)
  rmdirSync(inTheWay)
  await say('List pages')
  await mounted.close()
  t.ok(linesOf(inTheWay).length >= 4, 'a file is used again when possible')
})

t.test('only the beginning of a message is stored, in one file', async (t) => {
  const { mounted, folder, say } = await small(t)
  await say(`Say hello${' again'.repeat(40)} canary`)
  await mounted.close()
  t.strictSame(readdirSync(folder), ['chat-telemetry.ndjson'])
  t.notMatch(textOf(join(folder, 'chat-telemetry.ndjson')), /canary/)
})

t.test('a file of 10 MiB is rotated, three rotated files are kept, and all are read', async (t) => {
  const { stack, say, rows, file } = await service(t)
  const name = (age: number) => file(`chat-telemetry.ndjson.${age}`)
  await say('Which pages are there?')
  const old = await rows()
  await stack.restart()
  const full = `${'x'.repeat(10 * 1024 * 1024)}\n`
  writeFileSync(name(1), textOf(file('chat-telemetry.ndjson')))
  for (const age of [2, 3]) writeFileSync(name(age), String(age))
  writeFileSync(file('chat-telemetry.ndjson'), full)
  await say('Which blocks are there?')
  await stack.restart()
  t.equal(linesOf(file('chat-telemetry.ndjson')).length, 4)
  t.same([statSync(name(1)).size, linesOf(name(2)), textOf(name(3))], [full.length, old, '2'])
  t.match(await rows(), { length: 8, 0: old[0] })
})

t.test('a website and a public demo write files only to a configured directory', async (t) => {
  const filesOf = (env: Readonly<Record<string, string>>, shape: 'standalone' | 'library') => {
    const { rows, feedback } = toSettings(v.parse(TelemetryVariables, env), shape, () => undefined)
    return [rows.file, feedback.file]
  }
  const none = [undefined, undefined]
  const data = { ORCHESTRATOR_DATA_DIR: '/data' }
  const inData = ['/data/chat-telemetry.ndjson', '/data/chat-feedback.ndjson']
  t.same([filesOf({}, 'library'), filesOf(data, 'library')], [none, inData])
  const demo = { DEMO_MODE: '1' }
  t.same([filesOf(demo, 'standalone'), filesOf({ ...demo, ...data }, 'standalone')], [none, inData])
})
