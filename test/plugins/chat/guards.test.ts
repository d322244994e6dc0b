import t from 'tap'
import { give, use } from '../../../kernel/index.ts'
import { capturedLog, everyWayIn, mountForTest } from '../../../kernel/testing.ts'
import { contentAdapter } from '../../../plugins/content/adapter.ts'
import { readPages } from '../../../plugins/content/read-pages.ts'
import type { PlanningInput, Outcome } from '../../../plugins/chat/port.ts'
import demo from '../../../plugins/demo/index.ts'
import status from '../../../plugins/health/status/index.ts'
import { pageOf, teamWall } from '../../helpers/content.ts'
import {
  chatInMemory,
  chatClient,
  openChat,
  opsOf,
  planOf,
  removeBlock,
  resultOf,
  scriptedPlanner,
  setBody,
  startPages,
  suggestions,
  withPlanner,
  type Script,
} from '../../helpers/chat.ts'
import { refused } from '../../helpers/stack.ts'
import { emptyList } from '../../helpers/plain.ts'

/** A plan of a careless planner, with unparsed operations. */
function carelessPlan(ops: readonly unknown[]): Outcome {
  const made: Outcome = { kind: 'plan', plan: { summary: 'I will do that.', changeLog: [], ops: [] } }
  Object.assign(made.plan, { ops })
  return made
}

const setHref = (ctaHref: string, pageSlug = '/links') => ({
  op: 'update_props',
  pageSlug,
  blockId: pageSlug === '/' ? 'b_hero0' : 'b_hero',
  patch: { ctaHref },
})
const hero = (id: string, ctaHref = '/about') => ({
  id,
  type: 'Hero',
  props: { heading: 'Hi', subheading: 'There', ctaText: 'Go', ctaHref, imageUrl: '/a.png', imageAlt: 'A' },
})
const pages = [
  ...startPages,
  pageOf('/links', [
    hero('b_hero'),
    {
      id: 'b_cards',
      type: 'CardGrid',
      props: {
        title: 'Cards',
        cards: [{ id: 'c1', title: 'A', description: 'B', ctaText: 'Go', ctaHref: '/about' }],
      },
    },
  ]),
]

/** A plan that is refused completely, with the reported problem. */
const refusedPlans: readonly (readonly [plan: Outcome, problem: RegExp])[] = [
  [carelessPlan([setBody('x'), { op: 'paint', pageSlug: '/' }]), /^schema_violation: ops\[1\]\.op: wanted/],
  [carelessPlan([setBody('x'), 'remove everything']), /^schema_violation: ops\[1\]: wanted an operation/],
  [
    carelessPlan([
      setBody('x'),
      { op: 'update_props', pageSlug: '/', blockId: 'b_1', patch: JSON.parse('{"__proto__": {"a": 1}}') },
    ]),
    /^schema_violation: ops\[1\]/,
  ],
  [
    carelessPlan(Array.from({ length: 201 }, (_, index) => setBody(`${index}`))),
    /^schema_violation: ops: the plan has 201 operations, and at most 200/,
  ],
  [planOf(setBody('x'), setBody('x', 'b_1', '/gone')), /^not_found: ops\[1\]: no page \/gone/],
  [planOf(setBody('x'), setBody('x', 'b_5')), /^not_found: ops\[1\]: no block b_5 on \//],
  [planOf(removeBlock('b_1'), setBody('x')), /^not_found: ops\[1\]/],
  [
    planOf({ op: 'add_block', pageSlug: '/', block: { ...hero('b_1') } }),
    /^schema_violation: ops\[0\]\.block\.id/,
  ],
  [planOf({ op: 'remove_page', pageSlug: '/' }), /^schema_violation: ops\[0\]\.pageSlug: the home page/],
  [
    planOf(setBody('x'), setHref('javascript:alert(1)')),
    /^schema_violation: ops\[1\]\.ctaHref: 'javascript:alert\(1\)' is not an address/,
  ],
  [planOf(setBody('See [this](javascript:alert(1)).')), /ops\[0\]\.body: 'javascript:alert/],
  [
    planOf({ op: 'create_page', page: { slug: '/x', blocks: [hero('b_x', 'javascript:x')] } }),
    /ops\[0\]\.ctaHref/,
  ],
  [planOf(setHref('/links?x=1')), /must not lead to the page itself, \/links/],
]
const refusedScript = Object.fromEntries(refusedPlans.map(([plan], index) => [`Plan ${index}`, plan]))

t.test('a plan that breaks a rule changes nothing, not even in part', (t) =>
  everyWayIn(
    t,
    () => chatInMemory({ script: refusedScript }),
    async (t, ask) => {
      const { bootstrap, say, draftState, plans } = chatClient(ask)
      await bootstrap(pages)
      const before = await draftState()
      for (const [index, [, problem]] of refusedPlans.entries()) {
        t.match(resultOf(await say(`Plan ${index}`)), {
          http: 400,
          status: 'validation_error',
          validationErrors: [problem],
          previewVersion: 1,
          changes: emptyList,
          debug: { outcome: 'guardrail_failure' },
        })
      }
      t.same([await draftState(), await plans()], [before, []])
    },
  ),
)

t.test('the maximum number of operations is applied', async (t) => {
  const script = { Much: planOf(...Array.from({ length: 200 }, (_, index) => setBody(`${index}`))) }
  const usual = await openChat(t, { script })
  t.match(resultOf(await usual.say('Much')), { status: 'applied', summary: 'Made 200 changes.' })
  const strict = await openChat(t, { script, chat: { maxOperations: 199 } })
  t.match(resultOf(await strict.say('Much')), { status: 'validation_error' })
})

const wall = {
  id: 'b_wall',
  type: 'TeamWall',
  props: {
    title: 'Us',
    office: { ref: 'o1' },
    rows: [{ id: 'r1', kind: 'person', name: 'Ada', profile: { ref: 'p1' } }],
  },
}
const componentsManifest = { version: 1, blocks: [teamWall] }

t.test('props that a plan cannot set are left out and reported once', async (t) => {
  const at = { pageSlug: '/wall', blockId: 'b_wall' }
  const patch = (props: object) => ({ op: 'update_props', ...at, patch: props })
  const row = (props: object) => ({ op: 'update_item', ...at, listKey: 'rows', index: 0, patch: props })
  const eve = { kind: 'person', name: 'Eve', age: 7, profile: { ref: 'p2' } }
  const ada = { name: 'Ada', profile: { ref: 'p1' } }
  const [o1, o2] = [{ ref: 'o1' }, { ref: 'o2' }]
  const cases: readonly (readonly [
    ops: readonly object[],
    changes: object,
    summary: RegExp,
    props: object,
  ])[] = [
    [
      [patch({ title: 'New', colour: 'red' }), row({ name: 'Eve', age: 7 })],
      [/title to “New”/, /name to “Eve”/],
      /^Made 2 changes\. A part of the plan was left out, because Team wall has no such field\.$/,
      { title: 'New', colour: undefined, rows: [{ name: 'Eve', age: undefined }] },
    ],
    [
      [patch({ title: 'New', office: o2 }), row({ name: 'Eve', profile: { ref: 'p2' } })],
      [/title/, /name/],
      /A reference of Team wall was left as it is/,
      { title: 'New', office: o1, rows: [{ ...ada, name: 'Eve' }] },
    ],
    [[patch({ office: o2 })], [], /managed in the CMS/, { title: 'Us', office: o1 }],
    [
      [{ op: 'add_item', ...at, listKey: 'rows', item: eve }],
      ['Added a row to wall of Team wall on wall'],
      /./,
      { rows: [ada, { name: 'Eve', age: undefined, profile: undefined }] },
    ],
  ]
  for (const [ops, changes, said, props] of cases) {
    const { bootstrap, say, page } = await openChat(t, { script: { Go: planOf(...ops) } })
    await bootstrap([pageOf('/wall', [wall])], { overwrite: true })
    const { summary, ...result } = resultOf(await say('Go', { slug: '/wall', componentsManifest }))
    t.match({ summary, ...result }, { status: 'applied', changes, summary: said })
    t.notMatch(summary, /\b(?:colour|age|office|profile)\b/, 'no prop names')
    t.match(await page('/wall'), { blocks: [{ props }] })
  }
})

t.test('what is left out of a plan is logged with the run id, without its content', async (t) => {
  const { log, lines } = capturedLog()
  const patch = { title: 'New', colour: 'secret-value', office: { ref: 'o2' } }
  const script = { Set: planOf({ op: 'update_props', pageSlug: '/wall', blockId: 'b_wall', patch }) }
  const { bootstrap, say } = chatClient(mountForTest(t, { ...chatInMemory({ script }), log }).inject)
  await bootstrap([pageOf('/wall', [wall])])
  const { debug } = resultOf(await say('Set', { slug: '/wall', componentsManifest }))
  const noted = lines.map((line) => Object(JSON.parse(line))).filter(({ validator }) => validator)
  const about = { run: debug.traceId, type: 'TeamWall' }
  t.match(noted, [
    { ...about, validator: 'unknown_props' },
    { ...about, validator: 'references' },
  ])
  t.notMatch(lines.join(''), /secret-value|colour/)
})

t.test('a request in place of an image description is left out and reported', async (t) => {
  const request = 'Change the picture to one with boats'
  const patch = { heading: request, imageAlt: request }
  const block = { ...hero('b_new'), props: { ...hero('b_new').props, imageAlt: request } }
  const script: Script = {
    'A block': planOf({ op: 'add_block', pageSlug: '/links', block }),
    'A patch': planOf({ op: 'update_props', pageSlug: '/links', blockId: 'b_hero', patch }),
  }
  const { bootstrap, say, page } = await openChat(t, { script })
  await bootstrap(pages, { overwrite: true })
  const summary = /The description of an image of Hero was left as it was/
  t.match(resultOf(await say('A block', { slug: '/links' })), { status: 'applied', summary })
  t.notMatch(JSON.stringify(await page('/links')), request)
  t.match(resultOf(await say('A patch', { slug: '/links' })), { status: 'applied', summary })
  t.match(await page('/links'), { blocks: [{ props: { heading: request, imageAlt: 'A' } }, {}, {}] })
})

t.test('operations that lead to the same content change nothing', async (t) => {
  const row = { pageSlug: '/links', blockId: 'b_cards', listKey: 'cards', index: 0 }
  const script: Script = {
    'the same row': planOf({ op: 'update_item', ...row, patch: { title: 'A' } }),
    'the same place': planOf({ op: 'move_block', pageSlug: '/', blockId: 'b_2', afterBlockId: 'b_1' }),
    'the same settings': planOf({ op: 'update_site_config', patch: { name: 'Acme' } }),
    'the same title': planOf({ op: 'rename_page', pageSlug: '/about', newTitle: 'about' }),
    nothing: planOf(),
  }
  const { say, bootstrap, config, draftState } = await openChat(t, { script })
  await bootstrap(pages, { overwrite: true })
  await config({ name: 'Acme' })
  const before = await draftState()
  const unchanged = { status: 'applied', changes: [], debug: { outcome: 'no_effective_change' } }
  for (const message of Object.keys(script)) t.match(resultOf(await say(message)), unchanged, message)
  t.equal(await draftState(), before)
})

t.test('a pending plan, and the answer to its approval, use the names of its manifest', async (t) => {
  const at = { pageSlug: '/wall', blockId: 'b_wall' }
  const patch = { name: 'Eve', profile: { ref: 'p2' } }
  const script = {
    Rename: planOf(
      { op: 'update_props', ...at, patch: { title: 'New' } },
      { op: 'update_item', ...at, listKey: 'rows', index: 0, patch },
    ),
  }
  const { say, approve, plans, plan, bootstrap } = await openChat(t, { script })
  await bootstrap([pageOf('/wall', [wall])], { overwrite: true })
  const fields = { ...teamWall.fields, title: { kind: 'text', label: 'Name of the wall' } }
  const labelled = JSON.stringify({ version: 1, blocks: [{ ...teamWall, fields }] })
  const waiting = { changes: { length: 2 }, summary: /^I will do that\. A reference of Team wall/ }
  const ask = { slug: '/wall', executionMode: 'plan_only' }
  const { pendingPlanId = '', ...held } = resultOf(
    await say('Rename', { ...ask, componentsManifest: labelled }),
  )
  t.match(held, { status: 'plan_ready', ...waiting })
  t.match(await plans(), [waiting])
  t.match((await plan(pendingPlanId)).json(), { ...waiting, valid: true })
  const again = resultOf(await say('Rename', { slug: '/wall' }))
  t.match(again, { status: 'plan_ready', pendingPlanId, ...waiting }, 'repeated without the manifest')
  t.match(resultOf(await approve({ slug: '/wall' })), {
    status: 'applied',
    changes: [
      'Changed Team wall on wall: name of the wall to “New”',
      'Changed row 1 in wall of Team wall on wall: name to “Eve”',
    ],
    summary: /^Made 2 changes\./,
  })
})

t.test('each operation has a line, also where the planner wrote none', async (t) => {
  const ops = opsOf(setBody('Hello'), setBody('Hi', 'b_2'))
  const plan = (changeLog: readonly string[]): Outcome => ({
    kind: 'plan',
    plan: { summary: 'I will.', changeLog, ops },
  })
  const { say } = await openChat(t, { script: { few: plan(['Change it']), many: plan(['', 'B', 'C']) } })
  const lines: Readonly<Record<string, readonly string[]>> = {
    few: ['Change it', 'Change Rich text on Home: body to “Hi”'],
    many: ['Change Rich text on Home: body to “Hello”', 'B'],
  }
  for (const [message, changes] of Object.entries(lines)) {
    t.same(resultOf(await say(message, { executionMode: 'plan_only' })).changes, changes, message)
  }
})

t.test('the summary of an applied plan comes from its operations, never from its planner', async (t) => {
  const lying: Outcome = {
    kind: 'plan',
    plan: {
      summary: 'I changed everything.',
      changeLog: ['Everything is better'],
      ops: opsOf(setBody('Hello')),
      suggestions: ['1', 'Too long for the label of a button, by a lot', '2', '3', '4', '5', '6'],
    },
  }
  const copy = planOf({ op: 'duplicate_block', pageSlug: '/', blockId: 'b_1', toPageSlug: '/about' })
  const { say } = await openChat(t, { script: { lie: lying, copy } })
  const result = resultOf(await say('lie'))
  t.match(result, {
    summary: 'Changed Rich text on Home: body to “Hello”.',
    changes: ['Changed Rich text on Home: body to “Hello”'],
    suggestions: ['1', '2', '3', '4'],
  })
  t.equal(result.suggestions?.length, 4)
  t.strictSame(resultOf(await say('copy')).changes, ['Duplicated Rich text on Home to about'])
})

const capabilities = { allowStructuralEdits: false, manifestStatus: 'degraded', checkedAt: 'now' }

t.test('where a site disallows structural edits, only those are blocked', async (t) => {
  const script: Script = {
    Add: planOf({ op: 'add_block', pageSlug: '/', block: hero('b_x') }),
    Mixed: planOf(setBody('x'), removeBlock('b_2')),
    Text: planOf(setBody('Hello')),
    Page: planOf({ op: 'create_page', page: { slug: '/x' } }),
  }
  const { say, approve, draftState, plans } = await openChat(t, { script })
  const before = await draftState()
  const blocked = { http: 200, status: 'needs_clarification', changes: [/GET \/api\/editor\/blocks/] }
  const withReason = { ...blocked, debug: { outcome: 'blocked_structural_capability' } }
  const planOnly = { executionMode: 'plan_only' }
  for (const siteCapabilities of [capabilities, JSON.stringify(capabilities)]) {
    for (const message of ['Add', 'Mixed'])
      t.match(resultOf(await say(message, { siteCapabilities })), withReason, message)
    t.match(resultOf(await say('Add', { ...planOnly, siteCapabilities })), withReason, 'not held either')
  }
  t.same([await draftState(), await plans()], [before, []])
  const limited = { siteCapabilities: capabilities }
  t.match(resultOf(await say('Text', limited)), { status: 'applied' })
  t.match(resultOf(await say('Page', limited)), { status: 'applied', updatedSlug: '/x' })

  const { pendingPlanId } = resultOf(await say('Add', planOnly))
  t.match(resultOf(await approve(limited)), withReason, 'also on approval')
  t.match(await plans(), [{ id: pendingPlanId }], 'the plan stays pending')
  t.match(resultOf(await approve()), { status: 'applied' })
})

t.test('a public demo allows only the edits of its lock', async (t) => {
  /** Sets a prop of the first block of a type on the home page. */
  const set =
    (type: string, patch: object) =>
    ({ draft }: PlanningInput): Outcome => {
      const block = draft.pages[0]?.blocks.find((each) => each.type === type)
      return planOf({ op: 'update_props', pageSlug: '/', blockId: block?.id, patch })
    }
  const script: Script = {
    Text: set('Hero', { heading: 'Demo' }),
    Other: set('Testimonials', { title: 'Demo' }),
    Add: planOf({ op: 'add_block', pageSlug: '/', block: hero('b_x') }),
    Remove: planOf({ op: 'remove_page', pageSlug: '/faq' }),
  }
  const env = { DEMO_MODE: '1', DEMO_RATE_LIMIT_PER_IP_PER_HOUR: '11' }
  const asked: string[] = []
  const model = scriptedPlanner(
    {},
    { plan: async ({ message }) => (asked.push(message), { kind: 'unsupported', suggestions: [] }) },
  )
  const mounted = mountForTest(
    t,
    chatInMemory({
      script,
      sites: { demoContent: true },
      plugins: [use(demo), use(status), withPlanner(model)],
      env,
    }),
  )
  const { say, send } = chatClient(mounted.inject)
  const debug = { outcome: 'blocked_demo_mode', reasonCategory: 'planner_refusal' }
  const blocked = { status: 'needs_clarification', previewVersion: 0, suggestions, debug }
  for (const message of ['Other', 'Add', 'Remove']) t.match(resultOf(await say(message)), blocked, message)
  t.match(resultOf(await say('Text')), { status: 'applied', previewVersion: 1 })
  const unsupported = { debug: { outcome: 'unsupported_without_provider' }, suggestions }
  t.match(resultOf(await say('Anything')), unsupported)
  const shown = (await mounted.inject({ url: '/status/planner' })).json()
  t.match(shown, { plannerSource: 'demo', demoMode: true })
  t.same(asked, [], 'no model is asked, as its status says')
  for (let request = 6; request <= 11; request++)
    t.equal((await send('/chat/prefetch', { slug: '/', message: 'x' })).status, 200)
  const over = await say('Text')
  t.match([refused(over), over.headers.get('retry-after')], [{ status: 429, code: 'rate_limited' }, /^\d+$/])
})

t.test('a page that chat creates takes no slug of an entry of the site that cannot be read', async (t) => {
  const odd = { ...pageOf('/odd'), title: '' }
  const readContent = async () => readPages([pageOf('/'), odd], 'here')
  const script = { 'Add it': planOf({ op: 'create_page', page: { slug: '/odd', title: 'Odd' } }) }
  const options = {
    script,
    env: { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' },
    seeds: [give(contentAdapter, { readContent })],
  }
  const mounted = mountForTest(t, chatInMemory(options))
  const { say, slugs } = chatClient((request) => mounted.inject(request))
  t.match((await say('Add it')).json(), {
    status: 'validation_error',
    validationErrors: [/at \/odd that cannot be read/],
  })
  t.same(await slugs(), ['/'])
})
