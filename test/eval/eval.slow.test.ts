import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import type { Ask } from '../../kernel/testing.ts'
import { planning, startModelServer } from '../helpers/model-server.ts'
import { pageOf } from '../helpers/content.ts'
import { Case } from './case.ts'
import { main } from './command.ts'
import { selectCases, ownFolder, readDataSet } from './data-set.ts'
import { evaluate } from './evaluate.ts'
import { openService } from './service.ts'

const Reported = v.looseObject({
  id: v.string(),
  verdict: v.string(),
  isIntrusive: v.boolean(),
  tags: v.array(v.string()),
  misses: v.array(v.string()),
})
const Report = v.looseObject({ provider: v.string(), tier: v.string(), cases: v.array(Reported) })

/** Runs a command line in this process, with the given environment. */
async function runEval(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await main(args, { env, line: (text) => out.push(text), error: (text) => err.push(text) })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/** Runs it in a child process, as `npm run eval` does. */
function startEval(args: readonly string[]) {
  const script = join(import.meta.dirname, 'run.ts')
  const child = spawnSync(process.execPath, [script, ...args], { env: {}, encoding: 'utf8' })
  return { code: child.status, out: child.stdout, err: child.stderr }
}

async function reportIn(folder: string) {
  const [name = ''] = await readdir(folder)
  return v.parse(Report, JSON.parse(await readFile(join(folder, name), 'utf8')))
}

t.test('the rules score every case, and change no draft that must not change', async (t) => {
  const out = t.testdir()
  const ran = startEval(['--provider', 'rules', '--out', out, '--quiet', '--min-score', '0.6'])
  t.comment(ran.out)
  t.match(ran, { code: 0, err: '' })
  t.match(ran.out, /^intent +cases +exact +acceptable +refused +wrong +mean score\ntext_edit +\d+ /)
  const sum =
    /\nrules: \d+ of \d+ cases pass, mean score 0\.\d\d; 0 changed a draft that must not .*; \$0\.0000; /
  t.match(ran.out, sum)
  const { cases } = await readDataSet(ownFolder)
  const report = await reportIn(out)
  t.match(report, { provider: 'rules', tier: 'none' })
  t.strictSame(
    report.cases.map(({ id }) => id),
    cases.map(({ id }) => id),
  )
  const isWrong = ({ isIntrusive, tags, verdict, misses }: v.InferOutput<typeof Reported>) =>
    isIntrusive ||
    (tags.includes('model') && verdict !== 'refused') ||
    misses.some((miss) => miss.startsWith('the service answered'))
  t.strictSame(
    report.cases.filter(isWrong),
    [],
    'none is intrusive, a crash, or a case for models that passes',
  )
  const natural = report.cases.filter(({ tags }) => tags.includes('natural'))
  t.strictSame(
    natural.filter(({ verdict }) => verdict === 'wrong'),
    [],
    'no wish leads to another edit, also not with a click',
  )
  t.ok(natural.filter(({ verdict }) => verdict === 'exact').length * 60 >= natural.length * 44)
})

t.test('the offer of a refusal is sent as well for a case with clicks, and counts', async (t) => {
  const blocks = ['Banner', 'RichText', 'Quote'].map((type) => ({ id: `b_${type}`, type, props: {} }))
  const fixture = [pageOf('/', blocks)]
  const shared = { slug: '/', category: 'natural', message: 'Scrap the banner', fixture } as const
  const cases = [
    { ...shared, id: 'clicked', clicks: true, expectedStatus: 'applied' },
    { ...shared, id: 'refused', expectedStatus: 'needs_clarification' },
    { ...shared, id: 'intrusive', clicks: true, expectedStatus: 'needs_clarification' },
  ].map((each) => v.parse(Case, each))
  await using service = await openService({})
  const ask: Ask = (request) => service.inject(request)
  const results = await evaluate({ cases, fixture }, { ask, concurrency: 1 })
  t.strictSame(
    results.map(({ status, isIntrusive }) => [status, isIntrusive]),
    [
      ['applied', false],
      ['needs_clarification', false],
      ['applied', true],
    ],
  )
})

t.test('the exit code is 1 for low scores and regressions, and 2 for failed runs', async (t) => {
  const scores = { 'rewrite-shorter': 0.16, 'rewrite-opinion': 1 }
  const cases = Object.entries(scores).map(([id, score]) => ({ id, score }))
  const out = t.testdir({ 'before.json': JSON.stringify({ cases }) })
  const few = ['--provider', 'rules', '--cases', 'rewrite-{shorter,opinion}', '--out', out]
  const miss =
    /refused 0\.00 rewrite-shorter: Make our story shorter\n  the answer is needs_clarification, not/
  const worse = 'Worse than the baseline: rewrite-shorter: 0.16 before, 0.00 now'
  t.match(await runEval([...few, '--baseline', join(out, 'before.json')]), { code: 1, out: miss, err: worse })
  t.match(await runEval([...few, '--baseline', 'latest']), {
    code: 0,
    out: /\nReport: .*rules-none-/,
    err: '',
  })
  const low = 'The mean score is 0.50, and has to be 0.9 at least.\n'
  t.match(startEval([...few, '--min-score', '0.9']), { code: 1, err: low })
  const data = t.testdir({ 'fixture.json': '[]', cases: { 'text.json': '[{ "id": "some-case" }]' } })
  for (const [args, err] of [
    [['--model-key', 'fast', '--provider', 'rules'], /--model-key is for models/],
    [['--data', data], /^cases\/text\.json: 0\.category: /],
    [['--provider', 'oracle'], /^--provider: expected rules or anthropic$/],
    [['--provider', 'anthropic'], /^--provider anthropic needs ANTHROPIC_API_KEY/],
    [['--provider', 'anthropic', '--model-key', 'huge'], /^--model-key: expected one of fast, balanced/],
    [['--min-score', '2'], /^--min-score: expected a number from 0 to 1$/],
    [['--min-score', ''], /^--min-score: expected a number from 0 to 1$/],
    [['--concurrency', '1.5'], /^--concurrency: expected a whole number from 1 to 50$/],
    [['--cases', 'nothing-*'], /^No case fits --tags '' and --cases 'nothing-\*'/],
    [['--baseline', 'latest', '--out', data], /has no report of rules, none/],
    [['--shiny'], /'--shiny'.*--help lists the flags/],
    [['demote'], /'demote'.*--help lists the flags/],
  ] as const)
    t.match(await runEval(args), { code: 2, out: '', err }, args.join(' '))
  const help = /^Usage: npm run eval[^]*--quiet/
  t.match(startEval(['--help']), { code: 0, out: help, err: '' })
})

t.test('a case that crashes scores 0, and the others run', async (t) => {
  const { cases, fixture } = await readDataSet(ownFolder)
  const few = selectCases(cases, { glob: 'text-{headline-quoted,eyebrow-colon,noop-headline}' })
  await using service = await openService({})
  const gone = { session: 'text-eyebrow-colon', slug: '/gone', message: 'Change it' }
  const results = await evaluate(
    { cases: few, fixture },
    {
      concurrency: 2,
      ask: (request) => {
        const body = JSON.stringify(request.json ?? '')
        const isOf = (id: string) => body.includes('"message"') && body.includes(id)
        if (isOf('text-headline-quoted')) throw new Error('connection lost')
        // A 404 is not a result: the request names a missing page.
        return service.inject(isOf('text-eyebrow-colon') ? { ...request, json: gone } : request)
      },
    },
  )
  const crash = { total: 0, verdict: 'wrong', status: undefined }
  const expected = {
    'text-headline-quoted': { ...crash, misses: [/connection lost/] },
    'text-eyebrow-colon': { ...crash, misses: [/^the service answered 404: .*not_found/] },
    'text-noop-headline': { total: 1 },
  }
  t.match(Object.fromEntries(results.map((each) => [each.wanted.id, each])), expected)
})

const update = (pageSlug: string, blockId: string, text: string, prop = 'body') => ({
  op: 'update_props',
  pageSlug,
  blockId,
  patch: { [prop]: text },
})
const question = (q: string, a: string) => ({
  op: 'add_item',
  pageSlug: '/prices',
  blockId: 'b_faq_prices',
  listKey: 'items',
  item: { q, a },
})
type Scripted = readonly [id: string, message: string, verdict: string, ...ops: readonly object[]]
const [friendly, dinner] = ['Come and cook with us', 'Dinner starts in our kitchen']
const long = 'Cooking is a craft, and many words more would be one too many.'
const vouchers = [
  question('How long is a voucher valid?', 'Three years.'),
  question('Can I give a gift card for two?', 'Yes.'),
]
/** A case, its message as it is typed in a request, the verdict, and the scripted operations. */
const scripted: readonly Scripted[] = [
  [
    'rewrite-friendlier',
    'Make the headline friendlier',
    'exact',
    update('/', 'b_hero_home', friendly, 'heading'),
  ],
  // Too long, and in the wrong block.
  ['rewrite-shorter', 'Make our story shorter', 'wrong', update('/about', 'b_text_values', long)],
  ['list-add-three-questions', 'Write two more questions about vouchers for the FAQ', 'exact', ...vouchers],
  // Not requested.
  [
    'rewrite-too-long',
    'The text is too long for my taste',
    'wrong',
    update('/', 'b_text_home', 'Good food.'),
  ],
  ['text-headline-quoted', dinner, 'exact', update('/', 'b_hero_home', dinner, 'heading')],
]

t.test('a model is scored on the same cases, with its cost', async (t) => {
  const model = await startModelServer(t)
  model.script((response, seen) => {
    const [, , , ...ops] = scripted.find(([, message]) => seen.raw.includes(message)) ?? []
    const change_log = ops.map(() => 'A change')
    return planning({ intent: 'edit_plan', summary_for_user: 'So.', change_log, ops })(response, seen)
  })
  const out = t.testdir()
  const env = { ANTHROPIC_API_KEY: 'sk-ant-canary-0123456789', ANTHROPIC_BASE_URL: model.origin }
  const glob = `{${scripted.map(([id]) => id).join(',')}}`
  const ran = await runEval(['--cases', glob, '--model-key', 'fast', '--out', out], env)
  t.equal(ran.code, 0, ran.err)
  t.match(ran.out, /\nanthropic, fast: 3 of 5 cases pass, .*; 1 changed a draft.*; \$0\.0[0-9]*[1-9][0-9]*; /)
  t.notMatch(ran.out, env.ANTHROPIC_API_KEY)
  const report = await reportIn(out)
  t.match(report, { provider: 'anthropic', tier: 'fast' })
  const verdicts = Object.fromEntries(scripted.map(([id, , verdict]) => [id, verdict]))
  for (const { id, verdict, isIntrusive } of report.cases)
    t.strictSame([verdict, isIntrusive], [verdicts[id], id === 'rewrite-too-long'], id)
  t.ok(model.seen.every(({ body }) => body.model.includes('haiku')))
  const calls = model.seen.length
  const rules = await runEval(['--provider', 'rules', '--cases', 'rewrite-friendlier', '--out', out], env)
  t.match(rules, { code: 0, out: /\nrules: 0 of 1 cases pass/ })
  t.equal(model.seen.length, calls, 'the rules do not call the model, even with a key')
})
