/** Plans and variations, from recorded answers as a provider streams them. */
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { Variation } from '../../../plugins/chat/result.ts'
import type { Block, Page } from '../../../plugins/content/page.ts'
import { boatAbout, boatHero, richText } from '../../helpers/boats.ts'
import { pageOf } from '../../helpers/content.ts'
import {
  ending,
  failing,
  failingMidway,
  opening,
  prose,
  recorded,
  recordedUsage,
  sending,
  startModelServer,
  type Script,
} from '../../helpers/model-server.ts'
import { bodyOf, editor, startStack } from '../../helpers/stack.ts'

const key = 'sk-ant-canary-0123456789'
const cards: Block = {
  id: 'b_cards',
  type: 'CardGrid',
  props: {
    title: 'Our boats',
    cards: [
      {
        id: 'c1',
        title: 'Canoe',
        description: 'Narrow and quick',
        imageUrl: '/canoe.png',
        imageAlt: 'A canoe',
        ctaText: 'Look',
        ctaHref: '/canoe',
      },
      {
        id: 'c2',
        title: 'Kayak',
        description: 'Closed and dry',
        imageUrl: '/kayak.png',
        imageAlt: 'A kayak',
        ctaText: 'Look',
        ctaHref: '/kayak',
      },
    ],
  },
}
const german = richText(
  'b_text',
  'Über uns',
  'Wir verleihen Boote.\nTäglich von 9 bis 18 Uhr, auch "spontan".',
)
const home: Page = pageOf('/', [boatHero({ imageUrl: '/lake.png', imageAlt: 'A lake' }), cards, german])

interface Answered {
  readonly message: string
  readonly blockId: string
  readonly answer: {
    readonly variations: readonly {
      readonly title: string
      readonly summary: string
      readonly patch: Readonly<Record<string, unknown>>
    }[]
  }
}

/** What a model answers to each of these. */
const answers: readonly Answered[] = [
  {
    message: 'Give me three variations of this, more adventurous',
    blockId: 'b_hero',
    answer: {
      variations: [
        {
          title: 'Call of the water',
          summary: 'Opens with an invitation.',
          patch: {
            heading: 'The lake is calling',
            subheading: 'Push off in ten minutes and be gone until dusk.',
            ctaText: 'Push off',
          },
        },
        {
          title: 'Small expedition',
          summary: 'Makes the trip an expedition.',
          patch: { heading: 'Your expedition starts at the jetty', ctaText: 'Start yours' },
        },
        {
          title: 'Plain dare',
          summary: 'Short, and a little cheeky.',
          patch: { heading: 'Still on dry land?', subheading: 'That can be fixed \u2014 today.' },
        },
      ],
    },
  },
  {
    message: 'Generate two alternatives for these cards, cards only',
    blockId: 'b_cards',
    answer: {
      variations: [
        {
          title: 'By feeling',
          summary: 'Says how each boat feels.',
          patch: {
            cards: [
              {
                title: 'Canoe',
                description: 'Glides. You hear nothing but the paddle.',
                ctaText: 'Look',
                ctaHref: '/canoe',
              },
              {
                title: 'Kayak',
                description: 'Dances. You will want to turn it over.',
                ctaText: 'Look',
                ctaHref: '/kayak',
              },
            ],
          },
        },
        {
          title: 'By use',
          summary: 'Says whom each boat is for.',
          patch: {
            cards: [
              {
                title: 'For two',
                description: 'A canoe with room for a picnic.',
                ctaText: 'See the canoe',
                ctaHref: '/canoe',
              },
              {
                title: 'For one',
                description: 'A kayak for the early morning.',
                ctaText: 'See the kayak',
                ctaHref: '/kayak',
              },
            ],
          },
        },
      ],
    },
  },
  {
    message: 'Gib mir zwei kürzere Varianten',
    blockId: 'b_text',
    answer: {
      variations: [
        {
          title: 'Knapp',
          summary: 'Ein Satz.',
          patch: { body: 'Boote, täglich von 9 bis 18 Uhr \u2013 auch "spontan". 🛶' },
        },
        {
          title: 'Persönlich',
          summary: 'Aus der Sicht der Gäste.',
          patch: {
            title: 'Für euch am See',
            body: 'Ihr kommt, wir haben das Boot.\nTäglich von 9 bis 18 Uhr.',
          },
        },
      ],
    },
  },
]

async function openService(t: Test, ...scripts: readonly Script[]) {
  const model = await startModelServer(t)
  model.script(...scripts)
  const stack = await startStack(t, { env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: model.origin } })
  const edit = editor(stack.ask)
  await edit.bootstrap([home, boatAbout])
  const draftState = async () =>
    JSON.stringify([await edit.version(), await edit.page('/'), await edit.page('/about')])
  return { model, stack, edit, draftState }
}

const usage = {
  inputTokens: recordedUsage.input_tokens,
  outputTokens: recordedUsage.output_tokens,
  totalTokens: recordedUsage.input_tokens + recordedUsage.output_tokens,
  cacheCreationInputTokens: recordedUsage.cache_creation_input_tokens,
  cacheReadInputTokens: recordedUsage.cache_read_input_tokens,
  estimatedUsd: (1874 * 2 + 412 * 10 + 6210 * 0.1) / 1_000_000,
}

const Result = v.looseObject({
  status: v.literal('ok'),
  summary: v.pipe(v.string(), v.nonEmpty()),
  blockId: v.string(),
  blockType: v.string(),
  pageSlug: v.literal('/'),
  baseProps: v.record(v.string(), v.unknown()),
  variations: v.pipe(v.array(v.strictObject(Variation.entries)), v.minLength(1), v.maxLength(12)),
  suggestions: v.optional(v.array(v.string())),
  plannerSource: v.literal('anthropic'),
  modelUsed: v.string(),
  modelKey: v.picklist(['fast', 'balanced', 'reasoning', 'codex']),
  usage: v.optional(v.record(v.string(), v.nullable(v.number()))),
})

/** Checks a result against its contract, and each of its patches by applying it to the draft. */
async function checkResult(
  t: Test,
  value: unknown,
  { blockId, answer }: Answered,
  edit: ReturnType<typeof editor>,
): Promise<void> {
  const result = v.parse(Result, value)
  const block = home.blocks.find(({ id }) => id === blockId)
  t.match(result, { blockId, blockType: block?.type, baseProps: block?.props })
  t.strictSame(
    result.variations.map(({ title, summary }) => ({ title, summary })),
    answer.variations.map(({ title, summary }) => ({ title, summary })),
  )
  t.equal(new Set(result.variations.map(({ id }) => id)).size, result.variations.length)
  t.equal(new Set(result.variations.map(({ patch }) => JSON.stringify(patch))).size, result.variations.length)
  for (const { patch, changedKeys } of result.variations) {
    t.strictSame(Object.keys(patch).toSorted(), changedKeys.toSorted())
    t.notOk('imageUrl' in patch)
    for (const [name, text] of Object.entries(patch))
      t.not(JSON.stringify(text), JSON.stringify(block?.props[name]), `${name} differs from the block`)
    t.equal((await edit.ops([{ op: 'update_props', pageSlug: '/', blockId, patch }])).status, 200)
    t.match((await edit.page('/')).blocks.find(({ id }) => id === blockId)?.props, patch)
    await edit.undo('/')
  }
}

t.test('recorded variations meet the contract of a result: direct, streamed and from chat', async (t) => {
  for (const given of answers) {
    const { message, blockId, answer } = given
    const { model, stack, edit, draftState } = await openService(t, recorded('submit_variations', answer))
    const request = { slug: '/', message, activeBlockId: blockId }
    const before = await draftState()
    const direct = await edit.send('/chat/variations', request)
    t.equal(direct.status, 200)
    t.match(
      direct.json(),
      { usage, modelUsed: 'claude-sonnet-5-5', modelKey: 'balanced' },
      'each count once, from the end of the answer',
    )
    const response = await fetch(`${stack.origin}/chat/variations/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...edit.at, ...request }),
    })
    const lines = (await response.text()).split('\n').filter((line) => line !== '')
    t.strictSame(
      lines.filter((line) => !/^(?:data: |retry: |:)/.test(line)),
      [],
      'frames are data lines',
    )
    const frames = lines.flatMap((line) =>
      line.startsWith('data: ') ? [Object(JSON.parse(line.slice(6)))] : [],
    )
    t.strictSame(
      frames.map(({ event }) => event),
      ['variations_ready', 'done'],
    )
    t.equal(frames[0].imagesPending, false)
    model.script(
      recorded('submit_edit_plan', {
        intent: 'variations',
        summary_for_user: 'Here they are.',
        change_log: [],
        ops: [],
      }),
      recorded('submit_variations', answer),
    )
    const fromChat = (await edit.send('/chat', request)).json()
    t.match(fromChat, { debug: { outcome: 'variations' } })
    t.equal(await draftState(), before, 'nothing is changed')
    for (const result of [direct.json(), frames[0], frames[1], fromChat])
      await checkResult(t, result, given, edit)
    t.strictSame(
      model.seen.map(({ body }) => body.tools.map(({ name }) => name)[0]),
      ['submit_variations', 'submit_variations', 'submit_edit_plan', 'submit_variations'],
    )
  }
})

t.test('the block is sent complete, and props that the message keeps are not varied', async (t) => {
  for (const { message, blockId, answer } of answers) {
    const { model, edit } = await openService(t, recorded('submit_variations', answer))
    await edit.send('/chat/variations', { slug: '/', message, activeBlockId: blockId })
    const text = model.seen[0]?.body.messages[0]?.content[0]?.text ?? ''
    const missing = home.blocks
      .flatMap(({ props }) => Object.values(props))
      .filter(
        (value) => !text.includes(JSON.stringify(value).replace(/^\[\{"id":"c1".*$/, 'Narrow and quick')),
      )
    t.strictSame(missing, [], message)
  }
  const [hero] = answers
  const { edit } = await openService(t, recorded('submit_variations', hero?.answer))
  const kept = Object(
    (
      await edit.send('/chat/variations', {
        slug: '/',
        message: 'Three variations, keep the title',
        activeBlockId: 'b_hero',
      })
    ).json(),
  )
  t.strictSame(
    kept.variations.map(({ changedKeys }: { readonly changedKeys: readonly string[] }) => changedKeys),
    [['subheading', 'ctaText'], ['ctaText'], ['subheading']],
  )
})

t.test(
  'a truncated, refused or broken recorded answer is reported as such, direct and streamed',
  async (t) => {
    const answer = answers[0]?.answer
    const broken = failingMidway(opening() + prose('I will'), 'overloaded_error')
    const cases: readonly (readonly [
      name: string,
      scripts: readonly Script[],
      status: number,
      result: object,
    ])[] = [
      [
        'truncated',
        [recorded('submit_variations', answer, { stop: 'max_tokens', upTo: 300 })],
        500,
        { status: 'error', debug: { outcome: 'planning_incomplete' } },
      ],
      [
        'declined',
        [sending(opening() + prose('I can not help with that.') + ending('refusal'))],
        200,
        { status: 'needs_clarification', debug: { outcome: 'planning_refusal' } },
      ],
      [
        'no credit',
        [failing(400, 'invalid_request_error')],
        503,
        { status: 'error', debug: { reason: /ANTHROPIC_MODEL_FAST/ } },
      ],
      [
        'overloaded midway, then complete',
        [broken, recorded('submit_variations', answer)],
        200,
        { status: 'ok', usage: { outputTokens: 1 + 412, inputTokens: 100 + 1874 } },
      ],
      [
        'with words before the call',
        [recorded('submit_variations', answer, { before: 'Here are three ideas with more adventure.' })],
        200,
        { status: 'ok', usage },
      ],
    ]
    for (const [name, scripts, status, result] of cases) {
      const { edit, stack, draftState, model } = await openService(t, ...scripts, ...scripts)
      const before = await draftState()
      const request = { slug: '/', message: 'Give me three variations', activeBlockId: 'b_hero' }
      const direct = await edit.send('/chat/variations', request)
      t.match([direct.status, direct.json()], [status, result], name)
      const streamed = await fetch(`${stack.origin}/chat/variations/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...edit.at, ...request }),
      })
      const last = Object(JSON.parse((await streamed.text()).trim().split('\n').at(-1)?.slice(6) ?? '{}'))
      t.equal(streamed.status, 200)
      t.match(
        last,
        'variations' in last
          ? { event: 'done', ...result }
          : { event: 'error', error: /./, code: status, result },
        `${name}, streamed`,
      )
      t.equal(await draftState(), before, name)
      t.equal(model.seen.length, 2 * scripts.length, name)
    }
  },
)

t.test('a recorded plan of several steps is held as one plan, and is one change', async (t) => {
  const body = 'A boat is \u20ac 12 an hour.\nAsk at the jetty.'
  const page = {
    slug: '/prices',
    title: 'Prices',
    blocks: [{ type: 'RichText', props: { title: 'Prices', body } }],
  }
  const answer = recorded('submit_edit_plan', {
    intent: 'edit_plan',
    summary_for_user: 'I will create the page "Prices" and link it.',
    change_log: ['Create the page "Prices"', 'Set the button of the hero to "See prices"'],
    ops: [
      { op: 'create_page', page },
      {
        op: 'update_props',
        pageSlug: '/',
        blockId: 'b_hero',
        patch: { ctaText: 'See prices', ctaHref: '/prices' },
      },
    ],
  })
  const { model, edit, draftState } = await openService(t, answer)
  const before = await draftState()
  const held = Object(
    (
      await edit.send('/chat', { slug: '/', message: 'Create a page about prices and link it from the hero' })
    ).json(),
  )
  t.match(held, {
    status: 'plan_ready',
    destructiveReasons: [String],
    debug: { inputTokens: 1874, outputTokens: 412 },
  })
  t.equal(await draftState(), before)
  const approved = await edit.send('/chat', {
    slug: '/',
    executionMode: 'apply_pending_plan',
    pendingPlanId: held.pendingPlanId,
  })
  t.match(approved.json(), { status: 'applied' })
  t.match((await edit.page('/')).blocks[0]?.props, { ctaHref: '/prices' })
  t.equal(model.seen.length, 1)
  t.match(await bodyOf(edit.undo('/')), { status: 'applied' })
  t.notOk((await edit.slugs()).includes('/prices'))
})
