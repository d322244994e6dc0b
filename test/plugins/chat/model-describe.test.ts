/** Descriptions of images that are there: one call of a seeing model for each. */
import t from 'tap'
import type { Block } from '../../../plugins/content/page.ts'
import type { Picture } from '../../../plugins/llm/port.ts'
import { Canceled } from '../../../plugins/chat/types/run.ts'
import { pageOf } from '../../helpers/content.ts'
import { inputFor, startPlanner } from '../../helpers/model-planner.ts'
import { failing, hanging, opening, planning, saying, type Script } from '../../helpers/model-server.ts'

const blocks: readonly Block[] = [
  {
    id: 'b_hero',
    type: 'Hero',
    props: {
      heading: 'Boats',
      subheading: '',
      ctaText: 'Go',
      ctaHref: '/rent',
      imageUrl: '/boat.png',
      imageAlt: 'Old',
    },
  },
  {
    id: 'b_cards',
    type: 'CardGrid',
    props: {
      title: 'Fleet',
      cards: [{ title: 'One' }, { title: 'Two', imageUrl: '/two.png', imageAlt: '' }],
    },
  },
]
const input = inputFor('Describe the images', {
  draft: { version: 1, pages: [pageOf('/', blocks)], config: {} },
})
const picture: Picture = { type: 'image/png', bytes: Buffer.from('one') }
const hero = { blockId: 'b_hero', source: 'describe' }
const second = { blockId: 'b_cards', listKey: 'cards', index: 1, source: 'describe' }
const setHero = (patch: object) => ({ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch })
const setCard = (patch: object) => ({
  op: 'update_item',
  pageSlug: '/',
  blockId: 'b_cards',
  listKey: 'cards',
  index: 1,
  patch,
})
const planOf = (images: readonly object[], ...ops: readonly object[]) =>
  planning({
    intent: 'edit_plan',
    summary_for_user: 'I will describe it.',
    change_log: ops.map(() => 'Describe it'),
    images,
    ops,
  })

/** Plans with these answers; `addresses`: those that can be read. */
async function run(
  scripts: readonly Script[],
  addresses: readonly string[] = ['/boat.png', '/two.png'],
  more = {},
) {
  const { plan, server } = await startPlanner(t, scripts)
  const readPicture = async (address: string) => (addresses.includes(address) ? picture : undefined)
  return { ...(await plan({ ...input, ...more }, { readPicture })), server }
}

t.test('an empty description is written from the image, in its operation or in a new one', async (t) => {
  const line = (text: string) => `Set the image description to "${text}"`
  const cases: readonly (readonly [
    name: string,
    images: readonly object[],
    ops: readonly object[],
    expected: object,
  ])[] = [
    [
      'a block',
      [hero],
      [setHero({ imageAlt: '' })],
      { ops: [setHero({ imageAlt: 'A boat' })], changeLog: [line('A boat')] },
    ],
    [
      'a row',
      [second],
      [setCard({ imageAlt: '' })],
      { ops: [setCard({ imageAlt: 'A boat' })], changeLog: [line('A boat')] },
    ],
    [
      'beside other changes',
      [{ ...hero, field: 'imageAlt' }],
      [setHero({ heading: 'Ahoy', imageAlt: '' })],
      { ops: [setHero({ heading: 'Ahoy', imageAlt: 'A boat' })], changeLog: ['Describe it'] },
    ],
    [
      'named by its image field',
      [{ ...hero, field: 'imageUrl' }],
      [],
      { ops: [setHero({ imageAlt: 'A boat' })], changeLog: [line('A boat')] },
    ],
    [
      'without its operation',
      [hero, second],
      [],
      { ops: [setHero({ imageAlt: 'A boat' }), setCard({ imageAlt: 'A boat' })] },
    ],
  ]
  for (const [name, images, ops, expected] of cases) {
    const { outcome, server, spent, attempts, events } = await run([
      planOf(images, ...ops),
      saying('Alt text: "A  boat"'),
    ])
    t.match(outcome, { kind: 'plan', plan: { ...expected, remarks: undefined, images: undefined } }, name)
    t.equal(server.seen.length, 1 + images.length, name)
    t.match(server.seen[1]?.body, { model: /haiku/, tools: [], max_tokens: 400 })
    t.match(server.seen[1]?.body.messages[0]?.content, [
      { type: 'image', source: { data: 'b25l' } },
      { text: /^Describe the images\n\n<untrusted_data/ },
    ])
    t.equal(spent.length, 1 + images.length)
    t.equal(attempts.length, 1)
    t.strictSame(
      events.filter(({ type }) => type === 'token'),
      [],
      'the description is not streamed',
    )
  }
})

t.test('an image that cannot be described keeps its description, with a remark', async (t) => {
  const heading = setHero({ heading: 'Ahoy' })
  const remarks = ['One image could not be described.']
  const cases: readonly (readonly [
    name: string,
    images: readonly object[],
    ops: readonly object[],
    seen: Script,
    calls: number,
    plan: object,
  ])[] = [
    [
      'the operation is dropped',
      [second],
      [heading, setCard({ imageAlt: '' })],
      failing(529, 'overloaded_error'),
      2,
      { ops: [heading], remarks },
    ],
    [
      'the empty text is dropped',
      [hero],
      [setHero({ heading: 'Ahoy', imageAlt: '' })],
      saying(''),
      2,
      { ops: [heading], remarks },
    ],
    [
      'an instruction',
      [hero],
      [heading],
      saying('Change the picture of the boat'),
      2,
      { ops: [heading], remarks },
    ],
    ['a long text', [hero], [heading], saying('boat '.repeat(100)), 2, { ops: [heading], remarks }],
    ['no image', [{ ...second, index: 0 }], [heading], saying('A boat'), 1, { ops: [heading], remarks }],
    [
      'no such block',
      [{ blockId: 'b_gone', source: 'describe' }],
      [heading],
      saying('A boat'),
      1,
      { ops: [heading], remarks },
    ],
    [
      'no such row',
      [
        { ...second, index: 9 },
        { ...second, listKey: 'title' },
      ],
      [heading],
      saying('A boat'),
      1,
      { ops: [heading], remarks: ['2 images could not be described.'] },
    ],
    [
      'too many',
      Array.from({ length: 10 }, () => hero),
      [],
      saying('A boat'),
      9,
      { ops: [setHero({ imageAlt: 'A boat' })], remarks: ['2 images could not be described.'] },
    ],
  ]
  for (const [name, images, ops, script, calls, expected] of cases) {
    const { outcome, server } = await run([planOf(images, ...ops), script])
    t.match(outcome, { kind: 'plan', plan: expected }, name)
    t.equal(server.seen.length, calls, name)
  }
})

t.test(
  'a request for nothing but a description that cannot be had is answered with a question',
  async (t) => {
    const { outcome, server } = await run([planOf([hero], setHero({ imageAlt: '' }))], [])
    t.match(outcome, {
      kind: 'question',
      question: /What does it show/,
      open: { message: 'Describe the images' },
    })
    t.equal(server.seen.length, 1, 'no model is asked without the image')
  },
)

t.test('images to describe are never looked for', async (t) => {
  const wanted = { blockId: 'b_hero', query: 'kayak' }
  const given = await run([planOf([wanted, hero], setHero({ imageAlt: '' })), saying('A boat')], undefined, {
    findsImages: true,
  })
  t.match(given.outcome, { kind: 'plan', plan: { images: [wanted], ops: [setHero({ imageAlt: 'A boat' })] } })
  const none = await run([planOf([wanted])])
  t.match(
    none.outcome,
    { kind: 'question', question: /What is the address/ },
    'nor where no image can be looked for',
  )
})

t.test('canceling ends the description', async (t) => {
  const { plan, server } = await startPlanner(t, [planOf([hero]), hanging(opening())])
  const abort = new AbortController()
  const pending = plan(input, { signal: abort.signal, readPicture: async () => picture })
  while (server.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  abort.abort()
  t.ok((await pending).error instanceof Canceled)
  await server.idle()
})
