import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { planning, startModelServer, type Script } from '../helpers/model-server.ts'
import { selectCases, ownFolder, readDataSet } from './data-set.ts'
import { evaluate } from './evaluate.ts'
import { runEval, startEval } from './helpers.ts'
import { openService } from './service.ts'

const Report = v.object({
  provider: v.string(),
  tier: v.string(),
  all: v.object({ cases: v.number(), mean: v.number(), intrusive: v.number() }),
  cases: v.array(
    v.looseObject({
      id: v.string(),
      score: v.number(),
      verdict: v.string(),
      isIntrusive: v.boolean(),
      tags: v.array(v.string()),
      misses: v.array(v.string()),
    }),
  ),
})

async function reportIn(folder: string) {
  const [name = ''] = await readdir(folder)
  return v.parse(Report, JSON.parse(await readFile(join(folder, name), 'utf8')))
}

t.test('the rules score every case, and change no draft that must not change', async (t) => {
  const out = t.testdir()
  const ran = await startEval(['--provider', 'rules', '--out', out, '--quiet', '--min-score', '0.6'])
  t.comment(ran.out)
  t.match({ code: ran.code, err: ran.err }, { code: 0, err: '' })
  t.match(ran.out, /^intent +cases +exact +acceptable +refused +wrong +mean score\ntext_edit +\d+ /)
  t.match(
    ran.out,
    /\nall +\d+ .*\n\nrules: \d+ of \d+ cases pass, mean score 0\.\d\d; \d+ changed a draft that must not change; \$0\.0000; [\d.]+ s$/m,
  )
  t.notMatch(ran.out, '\u001b')

  const { cases } = await readDataSet(ownFolder)
  const report = await reportIn(out)
  t.match(report, { provider: 'rules', tier: 'none', all: { cases: cases.length } })
  t.strictSame(
    report.cases.map(({ id }) => id),
    cases.map(({ id }) => id),
    'every case was run',
  )
  t.strictSame(
    report.cases.filter(({ isIntrusive }) => isIntrusive),
    [],
    'no draft that must not change was changed',
  )
  t.strictSame(
    report.cases.filter(({ misses }) => misses.some((miss) => miss.startsWith('the service answered'))),
    [],
    'no case crashed',
  )
  const beyondRules = report.cases.filter(({ tags }) => tags.includes('model'))
  t.strictSame(
    beyondRules.filter(({ verdict }) => verdict !== 'refused'),
    [],
    'cases for models are refused',
  )
})

t.test('the exit code is 1 for low scores and 2 for failed runs', async (t) => {
  const out = t.testdir()
  const few = ['--provider', 'rules', '--cases', 'rewrite-{shorter,opinion}', '--out', out]
  const first = await runEval(few)
  t.equal(first.code, 0)
  t.match(
    first.out,
    /refused 0\.00 rewrite-shorter: Make our story shorter\n  the answer is needs_clarification, not applied\n/,
  )
  t.match(first.out, /\nReport: .*rules-none-/)

  const low = await startEval([...few, '--min-score', '0.9'])
  t.match(low, { code: 1, err: 'The mean score is 0.50, and has to be 0.9 at least.\n' })
  const missing = await startEval([...few, '--baseline', 'latest', '--model-key', 'fast'])
  t.match(missing, { code: 2, out: '', err: /--model-key is for models/ })
})

t.test('a regression against the baseline fails the run', async (t) => {
  const out = t.testdir({
    'before.json': JSON.stringify({
      cases: [
        { id: 'rewrite-shorter', score: 0.16 },
        { id: 'rewrite-opinion', score: 1 },
      ],
    }),
  })
  const few = ['--provider', 'rules', '--cases', 'rewrite-{shorter,opinion}', '--out', out]
  t.match(await runEval([...few, '--baseline', join(out, 'before.json')]), {
    code: 1,
    err: 'Worse than the baseline: rewrite-shorter: 0.16 before, 0.00 now',
  })
  t.match(await runEval([...few, '--baseline', 'latest']), { code: 0, err: '' })
})

t.test('invalid arguments and data are rejected before the run', async (t) => {
  const data = t.testdir({ 'fixture.json': '[]', cases: { 'text.json': '[{ "id": "some-case" }]' } })
  for (const [args, problem] of [
    [['--help'], undefined],
    [['--data', data], /^cases\/text\.json, case 'some-case': category: /],
    [['--provider', 'oracle'], /^--provider: expected rules or anthropic$/],
    [['--provider', 'anthropic'], /^--provider anthropic needs ANTHROPIC_API_KEY/],
    [['--provider', 'anthropic', '--model-key', 'huge'], /^--model-key: expected one of fast, balanced/],
    [['--min-score', '2'], /^--min-score: expected a number from 0 to 1$/],
    [['--min-score', ''], /^--min-score: expected a number from 0 to 1$/],
    [['--concurrency', '1.5'], /^--concurrency: expected a whole number from 1 to 50$/],
    [['--concurrency', 'many'], /^--concurrency: expected a whole number/],
    [['--cases', 'nothing-*'], /^No case fits --tags '' and --cases 'nothing-\*'/],
    [['--baseline', 'latest', '--out', data], /has no report of rules, none/],
    [['--shiny'], /'--shiny'.*--help lists the flags/],
    [['demote', 'x'], /^There is no 'demote'/],
  ] as const) {
    const { code, out, err } = await runEval(args)
    t.equal(code, problem ? 2 : 0, args.join(' '))
    t.match(
      problem ? err : out,
      problem ?? /^Usage: npm run eval[^]*promote TRACE_ID[^]*--quiet/,
      args.join(' '),
    )
    t.equal(problem ? out : err, '', args.join(' '))
  }
})

t.test('a case that crashes scores 0, and the others run', async (t) => {
  const { cases, fixture } = await readDataSet(ownFolder)
  const few = selectCases(cases, { glob: 'text-{headline-quoted,eyebrow-colon,noop-headline}' })
  await using service = await openService({})
  const results = await evaluate(
    { cases: few, fixture },
    {
      concurrency: 2,
      ask: (request) => {
        const body = JSON.stringify(request.json ?? '')
        if (body.includes('"message"') && body.includes('text-headline-quoted'))
          throw new Error('connection lost')
        // A 404 is not a result: the request names a missing page.
        return service.inject(
          body.includes('"message"') && body.includes('text-eyebrow-colon')
            ? { ...request, json: { session: 'text-eyebrow-colon', slug: '/gone', message: 'Change it' } }
            : request,
        )
      },
    },
  )
  t.strictSame(
    results.map(({ wanted }) => wanted.id),
    few.map(({ id }) => id),
  )
  for (const {
    wanted: { id },
    total,
    verdict,
    status,
    misses,
  } of results) {
    const broken = {
      'text-headline-quoted': /connection lost/,
      'text-eyebrow-colon': /^the service answered 404: .*not_found/,
    }[id]
    if (broken)
      t.match(
        { total, verdict, status, misses },
        { total: 0, verdict: 'wrong', status: undefined, misses: [broken] },
        id,
      )
    else t.equal(total, 1, id)
  }
})

/** Scripted operations by message. */
const plans: Readonly<Record<string, readonly object[]>> = {
  'Make the headline friendlier': [
    {
      op: 'update_props',
      pageSlug: '/',
      blockId: 'b_hero_home',
      patch: { heading: 'Come and cook with us' },
    },
  ],
  // Too long, and in the wrong block.
  'Make our story shorter': [
    {
      op: 'update_props',
      pageSlug: '/about',
      blockId: 'b_text_values',
      patch: { body: 'Cooking is a craft, and many words more would be one too many.' },
    },
  ],
  'Write two more questions about vouchers for the FAQ': [
    {
      op: 'add_item',
      pageSlug: '/prices',
      blockId: 'b_faq_prices',
      listKey: 'items',
      item: { q: 'How long is a voucher valid?', a: 'Three years.' },
    },
    {
      op: 'add_item',
      pageSlug: '/prices',
      blockId: 'b_faq_prices',
      listKey: 'items',
      item: { q: 'Can I give a gift card for two?', a: 'Yes.' },
    },
  ],
  'Write a good meta description for this page': [
    {
      op: 'update_page_meta',
      pageSlug: '/courses',
      patch: { description: 'Evening courses for everybody who likes to eat.' },
    },
  ],
  // As typed: quotes are escaped in a request.
  'Dinner starts in our kitchen': [
    {
      op: 'update_props',
      pageSlug: '/',
      blockId: 'b_hero_home',
      patch: { heading: 'Dinner starts in our kitchen' },
    },
  ],
  // Not requested.
  'The text is too long for my taste': [
    { op: 'update_props', pageSlug: '/', blockId: 'b_text_home', patch: { body: 'Good food needs time.' } },
  ],
}

const answering: Script = (response, seen) => {
  const message = Object.keys(plans).find((each) => seen.raw.includes(each)) ?? ''
  const ops = plans[message] ?? []
  return planning({
    intent: 'edit_plan',
    summary_for_user: 'I will do that.',
    change_log: ops.map(() => 'A change'),
    ops,
  })(response, seen)
}

t.test('a model is scored on the same cases, with its cost', async (t) => {
  const model = await startModelServer(t)
  model.script(answering)
  const out = t.testdir()
  const env = { ANTHROPIC_API_KEY: 'sk-ant-canary-0123456789', ANTHROPIC_BASE_URL: model.origin }
  const ids = [
    'rewrite-friendlier',
    'rewrite-shorter',
    'list-add-three-questions',
    'page-write-meta',
    'rewrite-too-long',
    'text-headline-quoted',
  ]
  const ran = await runEval(['--cases', `{${ids.join(',')}}`, '--model-key', 'fast', '--out', out], env)
  t.equal(ran.code, 0, ran.err)
  t.match(
    ran.out,
    /\nanthropic, fast: 4 of 6 cases pass, .*; 1 changed a draft that must not change; \$0\.0[0-9]*[1-9][0-9]*; /,
  )
  t.notMatch(ran.out, env.ANTHROPIC_API_KEY)
  const report = await reportIn(out)
  t.match(report, { provider: 'anthropic', tier: 'fast' })
  t.match(
    Object.fromEntries(report.cases.map(({ id, verdict, isIntrusive }) => [id, [verdict, isIntrusive]])),
    {
      'rewrite-friendlier': ['exact', false],
      'rewrite-shorter': ['wrong', false],
      'list-add-three-questions': ['exact', false],
      'page-write-meta': ['exact', false],
      'rewrite-too-long': ['wrong', true],
      'text-headline-quoted': ['exact', false],
    },
  )
  t.ok(model.seen.every(({ body }) => body.model.includes('haiku')))
  const calls = model.seen.length
  const rules = await runEval(['--provider', 'rules', '--cases', 'rewrite-friendlier', '--out', out], env)
  t.match(rules, { code: 0, out: /\nrules: 0 of 1 cases pass/ })
  t.equal(model.seen.length, calls, 'the rules do not call the model, even with a key')
})
