import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { Case } from './case.ts'
import { runEval } from './helpers.ts'

const page = {
  id: 'p_home',
  slug: '/',
  title: 'Home',
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: [{ id: 'b_1', type: 'Quote', props: { quote: 'Hello' } }],
}
const row = {
  id: 'trace-1',
  at: '2026-01-01T12:00:00.000Z',
  session: 'dev',
  slug: '/',
  prompt: 'Change the quote to "Hi"',
  fixture: [page],
}

/** Promotes a run from a file with these lines. */
function promote(t: Test, lines: readonly (object | string)[], traceId = 'trace-1') {
  const folder = t.testdir({
    'candidates.ndjson': lines
      .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
      .join('\n'),
  })
  return runEval(['promote', traceId, '--candidates', `${folder}/candidates.ndjson`])
}

t.test('a recorded run becomes the draft of a case, to be completed by hand', async (t) => {
  const applied = {
    ...row,
    activeBlockId: 'b_1',
    outcome: 'applied',
    plannerTier: 'demo',
    opTypes: ['update_props', 'move_block', 'update_props'],
    opCount: 3,
  }
  const { code, out, err } = await promote(t, [
    '{"broken',
    '',
    { ...row, id: 'trace-0', prompt: 'Another' },
    applied,
  ])
  t.equal(code, 0)
  const draft: unknown = JSON.parse(out)
  t.strictSame(draft, {
    id: 'candidate-f5a2e4682ed02ac0',
    category: '',
    slug: '/',
    message: 'Change the quote to "Hi"',
    tags: ['candidate'],
    activeBlockId: 'b_1',
    expectedStatus: 'applied',
    expectedOpTypes: ['update_props', 'move_block'],
    expectedOpCount: { min: 3, max: 3 },
    assertions: [],
    fixture: [page],
  })
  t.match(err, /Left for you:\n  category    one of text_edit, add_block/)
  t.match(err, /assertions  what has to hold/)
  t.notMatch(err, /expectedStatus/)
  t.notOk(v.is(Case, draft), 'not a valid case yet')
  t.ok(v.is(Case, { ...Object(draft), category: 'text_edit' }), 'a valid case with a category')
})

t.test('the expected status follows the outcome, and is empty for a failure', async (t) => {
  for (const [outcome, status] of [
    ['applied', 'applied'],
    ['no_effective_change', 'applied'],
    ['plan_ready_for_approval', 'plan_ready'],
    ['needs_clarification', 'needs_clarification'],
    ['unsupported_without_provider', 'needs_clarification'],
    ['planning_refusal', 'needs_clarification'],
    ['info', 'info'],
    ['advice', 'advice'],
    ['planning_exhausted', ''],
    ['api_error', ''],
    [undefined, ''],
  ] as const) {
    const { code, out, err } = await promote(t, [{ ...row, outcome }])
    t.equal(code, 0)
    t.match(JSON.parse(out), { expectedStatus: status, expectedOpTypes: [] }, `${outcome}`)
    t.equal(err.includes('expectedStatus'), status === '', `${outcome}`)
  }
})

t.test('what cannot be promoted is rejected with exit code 2 and no output', async (t) => {
  for (const [name, run, problem] of [
    [
      'an unknown id',
      () => promote(t, [row, '{}'], 'trace-9'),
      /has no candidate 'trace-9': 1 of its 2 lines are candidates/,
    ],
    [
      'a run without its draft',
      () => promote(t, [{ ...row, fixture: undefined }]),
      /has no candidate 'trace-1': 0 of its 1 lines/,
    ],
    [
      'no file',
      () => runEval(['promote', 'trace-1', '--candidates', join(t.testdir(), 'none.ndjson')]),
      /none\.ndjson cannot be read\. Name the file/,
    ],
    ['no --candidates', () => runEval(['promote', 'trace-1']), /promote TRACE_ID --candidates FILE/],
    ['no id', () => runEval(['promote', '--candidates', 'x']), /promote needs one trace id/],
    ['two ids', () => runEval(['promote', 'a', 'b', '--candidates', 'x']), /promote needs one trace id/],
  ] as const) {
    const { code, out, err } = await run()
    t.equal(code, 2, name)
    t.equal(out, '', name)
    t.match(err, problem, name)
  }
})

t.test('a completed draft runs like any case, on its own pages', async (t) => {
  const folder = t.testdir({
    'candidates.ndjson': JSON.stringify({
      ...row,
      outcome: 'applied',
      opTypes: ['update_props'],
      opCount: 1,
    }),
  })
  const { out } = await runEval(['promote', 'trace-1', '--candidates', join(folder, 'candidates.ndjson')])
  const assertions = [{ type: 'block_prop_equals', blockId: 'b_1', prop: 'quote', value: 'Hi' }]
  const data = t.testdir({
    'fixture.json': '[]',
    cases: {
      'mine.json': JSON.stringify([{ ...Object(JSON.parse(out)), category: 'text_edit', assertions }]),
    },
  })
  const ran = await runEval([
    '--provider',
    'rules',
    '--data',
    data,
    '--out',
    join(data, 'out'),
    '--min-score',
    '1',
  ])
  t.match(ran, { code: 0, out: /\nrules: 1 of 1 cases pass, mean score 1\.00/ })
})
