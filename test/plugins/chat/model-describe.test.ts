/** Descriptions of images that are there: one call of a seeing model for each. */
import t from 'tap'
import type { Block } from '../../../plugins/content/page.ts'
import type { Picture } from '../../../plugins/models/port.ts'
import { Canceled } from '../../../plugins/chat/port.ts'
import { pageOf } from '../../helpers/content.ts'
import { inputFor, startPlanner } from '../../helpers/model-planner.ts'
import { failing, hanging, opening, planning, saying, type Script } from '../../helpers/model-server.ts'
import { emptyList } from '../../helpers/plain.ts'
import { until } from '../../helpers/until.ts'

const texts = { heading: 'Boats', subheading: '', ctaText: 'Go', ctaHref: '/rent' }
const cards = [{ title: 'One' }, { title: 'Two', imageUrl: '/two.png', imageAlt: '' }]
const blocks: readonly Block[] = [
  { id: 'b_hero', type: 'Hero', props: { ...texts, imageUrl: '/boat.png', imageAlt: 'Old' } },
  { id: 'b_cards', type: 'CardGrid', props: { title: 'Fleet', cards } },
]
const draft = { version: 1, pages: [pageOf('/', blocks)], config: {} }
const input = inputFor('Describe the images', { draft })
const picture: Picture = { type: 'image/png', bytes: Buffer.from('one') }
const hero = { blockId: 'b_hero', source: 'describe' }
const second = { blockId: 'b_cards', listKey: 'cards', index: 1, source: 'describe' }
const setHero = (patch: object) => ({ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch })
const card = { op: 'update_item', pageSlug: '/', blockId: 'b_cards', listKey: 'cards', index: 1 }
const setCard = (patch: object) => ({ ...card, patch })
const planOf = (images: readonly object[], ...ops: readonly object[]) => {
  const change_log = ops.map(() => 'Describe it')
  return planning({ intent: 'edit_plan', summary_for_user: 'I will describe it.', change_log, images, ops })
}

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
  const line = 'Set the image description to "A boat"'
  const [ofHero, ofCard] = [setHero({ imageAlt: 'A boat' }), setCard({ imageAlt: 'A boat' })]
  const both = setHero({ heading: 'Ahoy', imageAlt: 'A boat' })
  type Case = readonly [name: string, images: readonly object[], ops: readonly object[], expected: object]
  const cases: readonly Case[] = [
    ['a block', [hero], [setHero({ imageAlt: '' })], { ops: [ofHero], changeLog: [line] }],
    ['a row', [second], [setCard({ imageAlt: '' })], { ops: [ofCard], changeLog: [line] }],
    [
      'beside other changes',
      [{ ...hero, field: 'imageAlt' }],
      [setHero({ heading: 'Ahoy', imageAlt: '' })],
      { ops: [both], changeLog: ['Describe it'] },
    ],
    ['by its image field', [{ ...hero, field: 'imageUrl' }], [], { ops: [ofHero], changeLog: [line] }],
    ['without its operation', [hero, second], [], { ops: [ofHero, ofCard] }],
  ]
  for (const [name, images, ops, expected] of cases) {
    const answers = [planOf(images, ...ops), saying('Alt text: "A  boat"')]
    const { outcome, server, spent, attempts, events } = await run(answers)
    t.match(outcome, { kind: 'plan', plan: { ...expected, remarks: undefined, images: undefined } }, name)
    t.match(server.seen[1]?.body, { model: /haiku/, tools: emptyList, max_tokens: 400 })
    t.match(server.seen[1]?.body.messages[0]?.content, [
      { type: 'image', source: { data: 'b25l' } },
      { text: /^Describe the images\n\n<untrusted_data/ },
    ])
    const calls = 1 + images.length
    t.strictSame([server.seen.length, spent.length, attempts.length], [calls, calls, 1], name)
    t.notOk(
      events.some(({ type }) => type === 'token'),
      'the description is not streamed',
    )
  }
})

t.test('an image that cannot be described keeps its description, with a remark', async (t) => {
  const heading = setHero({ heading: 'Ahoy' })
  const one = { ops: [heading], remarks: ['One image could not be described.'] }
  const two = { ops: [heading], remarks: ['2 images could not be described.'] }
  const boat = saying('A boat')
  const alt = setCard({ imageAlt: '' })
  const gone = { blockId: 'b_gone', source: 'describe' }
  const rows = [
    { ...second, index: 9 },
    { ...second, listKey: 'title' },
  ]
  const ten = Array.from({ length: 10 }, () => hero)
  type Case = readonly [
    images: readonly object[],
    ops: readonly object[],
    Script,
    calls: number,
    plan: object,
  ]
  const cases: Readonly<Record<string, Case>> = {
    'the operation is dropped': [[second], [heading, alt], failing(529, 'overloaded_error'), 2, one],
    'the empty text is dropped': [[hero], [setHero({ heading: 'Ahoy', imageAlt: '' })], saying(''), 2, one],
    'an instruction': [[hero], [heading], saying('Change the picture of the boat'), 2, one],
    'a long text': [[hero], [heading], saying('boat '.repeat(100)), 2, one],
    'no image': [[{ ...second, index: 0 }], [heading], boat, 1, one],
    'no such block': [[gone], [heading], boat, 1, one],
    'no such row': [rows, [heading], boat, 1, two],
    'too many': [ten, [], boat, 9, { ...two, ops: [setHero({ imageAlt: 'A boat' })] }],
  }
  for (const [name, [images, ops, script, calls, plan]] of Object.entries(cases)) {
    const { outcome, server } = await run([planOf(images, ...ops), script])
    t.match(outcome, { kind: 'plan', plan }, name)
    t.equal(server.seen.length, calls, name)
  }
})

t.test(
  'a request for nothing but a description that cannot be had is answered with a question',
  async (t) => {
    const { outcome, server } = await run([planOf([hero], setHero({ imageAlt: '' }))], [])
    const open = { message: 'Describe the images' }
    t.match(outcome, { kind: 'question', question: /What does it show/, open })
    t.equal(server.seen.length, 1, 'no model is asked without the image')
  },
)

t.test('images to describe are never looked for', async (t) => {
  const wanted = { blockId: 'b_hero', query: 'kayak' }
  const answers = [planOf([wanted, hero], setHero({ imageAlt: '' })), saying('A boat')]
  const { outcome } = await run(answers, undefined, { findsImages: true })
  t.match(outcome, { kind: 'plan', plan: { images: [wanted], ops: [setHero({ imageAlt: 'A boat' })] } })
  const question = { kind: 'question', question: /What is the address/ }
  t.match((await run([planOf([wanted])])).outcome, question, 'nor where no image can be looked for')
})

t.test('canceling ends the description', async (t) => {
  const { plan, server } = await startPlanner(t, [planOf([hero]), hanging(opening())])
  const abort = new AbortController()
  const pending = plan(input, { signal: abort.signal, readPicture: async () => picture })
  await until(() => server.seen.length >= 2, 'the call')
  abort.abort()
  t.ok((await pending).error instanceof Canceled)
  await server.idle()
})
