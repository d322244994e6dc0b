import t from 'tap'
import { pageOf } from '../helpers/content.ts'
import { runEval } from './helpers.ts'

const page = pageOf('/', [{ id: 'b_1', type: 'Quote', props: { quote: 'Hello' } }])
const row = { id: 'trace-1', session: 'dev', slug: '/', prompt: 'Change the quote to "Hi"', fixture: [page] }

/** Promotes a run from a file with these lines. */
function promote(lines: readonly (object | string)[], traceId = 'trace-1') {
  const text = lines.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')
  return runEval(['promote', traceId, '--candidates', `${t.testdir({ candidates: text })}/candidates`])
}

t.test('a recorded run becomes the draft of a case, which runs once it is completed', async (t) => {
  const run = { ...row, activeBlockId: 'b_1', outcome: 'applied', plannerTier: 'demo', opCount: 1 }
  const lines = [
    '{"broken',
    '',
    { ...row, id: 'trace-0' },
    { ...run, opTypes: ['update_props', 'update_props'] },
  ]
  const { code, out, err } = await promote(lines)
  t.equal(code, 0)
  const draft: object = JSON.parse(out)
  t.strictSame(draft, {
    id: 'candidate-f5a2e4682ed02ac0',
    category: '',
    slug: '/',
    message: 'Change the quote to "Hi"',
    tags: ['candidate'],
    activeBlockId: 'b_1',
    expectedStatus: 'applied',
    expectedOpTypes: ['update_props'],
    expectedOpCount: { min: 1, max: 1 },
    assertions: [],
    fixture: [page],
  })
  t.match(err, /Left for you:\n  category    one of text_edit, add_block[^]*assertions  what has to hold/)
  const assertions = [{ type: 'block_prop_equals', blockId: 'b_1', prop: 'quote', value: 'Hi' }]
  const completed = JSON.stringify([{ ...draft, category: 'text_edit', assertions }])
  const data = t.testdir({ 'fixture.json': '[]', cases: { 'mine.json': completed, 'draft.json': '[]' } })
  const ran = await runEval(['--provider', 'rules', '--data', data, '--out', data, '--min-score', '1'])
  t.match(ran, { code: 0, out: /\nrules: 1 of 1 cases pass, mean score 1\.00/ })
})

t.test('the expected status follows the outcome, and is empty for a failure', async (t) => {
  const statuses = {
    no_effective_change: 'applied',
    plan_ready_for_approval: 'plan_ready',
    unsupported_without_provider: 'needs_clarification',
    info: 'info',
    planning_exhausted: '',
  }
  for (const [outcome, expectedStatus] of Object.entries(statuses)) {
    const { out, err } = await promote([{ ...row, outcome }])
    t.match(JSON.parse(out), { expectedStatus, expectedOpTypes: [] }, outcome)
    t.equal(err.includes('expectedStatus'), expectedStatus === '', outcome)
  }
})

t.test('what cannot be promoted is rejected with exit code 2 and no output', async (t) => {
  const runs: readonly (readonly [run: () => ReturnType<typeof runEval>, problem: RegExp])[] = [
    [() => promote([row, '{}'], 'trace-9'), /has no candidate 'trace-9': 1 of its 2 lines are candidates/],
    [() => promote([{ ...row, fixture: undefined }]), /has no candidate 'trace-1': 0 of its 1 lines/],
    [() => runEval(['promote', 'x', '--candidates', '/none']), /none cannot be read\. Name the file/],
    [() => runEval(['promote', 'trace-1']), /promote needs one trace id.* TRACE_ID --candidates FILE/],
    [() => runEval(['promote', 'a', 'b', '--candidates', 'x']), /promote needs one trace id/],
  ]
  for (const [run, err] of runs) t.match(await run(), { code: 2, out: '', err })
})
