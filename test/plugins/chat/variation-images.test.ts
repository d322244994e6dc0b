import t, { type Test } from 'tap'
import { capturedLog } from '../../../kernel/testing.ts'
import { countIn, imagesIn, isOnlyAbout, keeps } from '../../../plugins/chat-variations/said.ts'
import {
  at,
  startImageChat,
  type ImageChatOptions,
  named,
  type Source,
  sourceOf,
  withoutImage,
} from '../../helpers/image-sources.ts'
import {
  ending,
  opening,
  planning,
  saysVariations,
  sending,
  startModelServer,
  toolCall,
} from '../../helpers/model-server.ts'
import { eventsIn, refused } from '../../helpers/stack.ts'

const newPhotos = '3 variations with new photos'
const three = [
  { heading: 'Row away', imageAlt: 'A rowing boat' },
  { heading: 'Drift', imageAlt: 'A wooden raft' },
  { heading: 'Sail' },
]

/** Variations with these patches, as a model writes them. */
const writing = (patches: readonly object[]) => {
  const variations = patches.map((patch, at) => ({ title: `Idea ${at + 1}`, summary: 'Other words.', patch }))
  const call = toolCall(JSON.stringify({ variations }), { name: 'submit_variations' })
  return saysVariations(sending(opening() + call + ending('tool_use')))
}

/** The complete service with image sources, and a model that writes these variations of the hero. */
async function openService(
  t: Test,
  patches: readonly object[],
  sources: readonly Source[] = [sourceOf('stock', named('stock'))],
  options: ImageChatOptions = {},
) {
  const model = await startModelServer(t)
  model.script(writing(patches))
  const client = await startImageChat(t, sources, { ...options, model })
  const { edit, stack } = client
  const request = { slug: '/', activeBlockId: 'b_hero' }
  return {
    ...client,
    model,
    ask: (message: string, more: object = {}) =>
      edit.send('/chat/variations', { ...request, message, ...more }),
    async stream(message: string) {
      const response = await fetch(`${stack.origin}/chat/variations/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...edit.at, ...request, message }),
      })
      const frames = await eventsIn(response).rest()
      return frames.flatMap(({ data }) => (data === undefined ? [] : [Object(data)]))
    },
  }
}

const patchesIn = (answer: { json(): unknown }): readonly unknown[] =>
  Object(answer.json()).variations.map(({ patch }: { patch: unknown }) => patch)

t.test('each variation gets its own image by its texts, and the draft is unchanged', async (t) => {
  const stock = sourceOf('stock', named('stock'))
  const { ask, say, edit, model } = await openService(t, three, [stock])
  const answer = await ask(newPhotos)
  t.match(answer.json(), { status: 'ok', summary: /^Here are 3 variations; nothing is changed/ })
  t.same(stock.asked, ['A rowing boat', 'A wooden raft', 'Sail'])
  t.strictSame(
    patchesIn(answer),
    stock.asked.map((query, index) => ({
      heading: three[index]?.heading,
      imageUrl: at('stock', query),
      imageAlt: `Shows ${query}`,
    })),
  )
  t.match(model.seen[0]?.body.messages[0]?.content[0]?.text, /Each variation gets an image/)
  t.equal(await edit.version(), 1)

  const selected = { activeBlockId: 'b_hero' }
  const inChat = await say(`Give me ${newPhotos}`, selected)
  t.match(inChat, { status: 'ok', variations: [{ patch: { imageUrl: String } }, {}, {}] })
  const before = stock.asked.length
  const again = await say('The variations once more', selected)
  t.match(again, { status: 'ok', variations: inChat.variations }, 'they are stored with their images')
  t.equal(stock.asked.length, before)
})

t.test(
  'a source named in the message is asked first, then the configured one, then the others in order',
  async (t) => {
    const sources = (['brand', 'generated', 'stock'] as const).map((kind) => sourceOf(kind, named(kind)))
    const none = [sourceOf('stock', () => undefined), sourceOf('generated', named('generated'))]
    const { log, lines } = capturedLog('warn')
    for (const [message, kind, configured = 'unsplash', given = sources] of [
      ['a variation with a new image', 'stock'],
      ['a variation with an AI image', 'generated'],
      ['a variation with a photo from Unsplash', 'stock', 'brand'],
      ['a variation with another picture', 'brand', ' Brand '],
      ['a variation with a new image', 'generated', 'unsplash', none],
      ['a variation with a new image', 'stock', 'nonsense'],
    ] as const) {
      const env = { VARIATION_DEFAULT_IMAGE_SOURCE: configured }
      const { ask } = await openService(t, [{ heading: 'Drift', imageAlt: 'A wooden raft' }], given, {
        env,
        log,
      })
      t.match(patchesIn(await ask(message))[0], { imageUrl: at(kind, 'A wooden raft') }, message)
    }
    t.equal(lines.filter((line) => line.includes('VARIATION_DEFAULT_IMAGE_SOURCE')).length, 1)
  },
)

t.test('the source chosen in the session applies to variations in chat', async (t) => {
  const sources = (['generated', 'stock'] as const).map((kind) => sourceOf(kind, named(kind)))
  const { say, model } = await openService(t, [], sources)
  const plan = planning({
    intent: 'edit_plan',
    summary_for_user: 'I will.',
    change_log: [],
    ops: [],
    images: [{ blockId: 'b_hero', query: 'a harbor' }],
  })
  model.script(plan, plan, writing([{ heading: 'Drift', imageAlt: 'A wooden raft' }]))
  t.match(await say('A harbor, please'), { status: 'needs_clarification' })
  t.match(await say('Generate with AI'), { status: 'applied' })
  t.match(await say('Give me a variation with a new image', { activeBlockId: 'b_hero' }), {
    variations: [{ patch: { imageUrl: at('generated', 'A wooden raft') } }],
  })
})

t.test('all variations share one new image where the message says so', async (t) => {
  const stock = sourceOf('stock', named('stock'))
  const { ask } = await openService(t, three, [stock])
  const imageUrl = at('stock', 'A rowing boat')
  t.match(
    patchesIn(await ask('3 variations with the same new image')),
    three.map(({ heading }) => ({ heading, imageUrl })),
  )
  t.equal(stock.asked.length, 1)
})

t.test('where no image is found, the variation keeps its texts without the image description', async (t) => {
  const raft = { imageUrl: at('stock', 'A wooden raft'), imageAlt: 'Shows A wooden raft' }
  const same = ['the image that is there', () => ({ address: '/img/old.jpg' })] as const
  for (const [name, find] of [...withoutImage, same]) {
    const onlyRaft = sourceOf('stock', (request) =>
      request.query === 'A wooden raft' ? named('stock')(request) : find(),
    )
    const { ask } = await openService(t, three, [onlyRaft], { longestImageMs: 200 })
    const answer = await ask(newPhotos)
    const drift = { heading: 'Drift', ...(name !== 'a source that hangs' && raft) }
    t.strictSame(patchesIn(answer), [{ heading: 'Row away' }, drift, { heading: 'Sail' }], name)
    t.match(answer.json(), { summary: /No suitable image was found in time for some variations/ }, name)
  }
})

t.test('a variation with only an image is dropped when none is found', async (t) => {
  const onlyRaft = sourceOf('stock', (request) =>
    request.query === 'A wooden raft' ? { address: '/img/raft.jpg' } : undefined,
  )
  const two = [{ imageAlt: 'A wooden raft' }, { imageAlt: 'A green canoe' }]
  const { ask } = await openService(t, two, [onlyRaft])
  const answer = await ask('2 variations with new photos')
  t.strictSame(
    patchesIn(answer),
    [{ imageUrl: '/img/raft.jpg', imageAlt: 'A wooden raft' }],
    'the description of the model stays where the source has none',
  )
  const none = await openService(t, [{ imageAlt: 'A green canoe' }], [onlyRaft])
  t.match(refused(await none.ask('a variation with a new photo')), {
    status: 400,
    code: 'no_valid_variation',
    reason: /none was found in time/i,
  })
})

t.test('a stream emits the texts first, then each image, then the result', async (t) => {
  const stock = sourceOf('stock', (request) =>
    request.query === 'A wooden raft' ? undefined : named('stock')(request),
  )
  const { stream, edit } = await openService(t, three, [stock])
  const events = await stream(newPhotos)
  t.same(
    events.map(({ event }) => event),
    ['variations_ready', 'image_resolved', 'image_resolved', 'image_resolved', 'done'],
  )
  const [ready, first, second, third, done] = events
  t.match(ready, {
    status: 'ok',
    imagesPending: true,
    variations: [{ patch: { heading: 'Row away' } }, {}, {}],
  })
  t.notOk(JSON.stringify(ready.variations).includes('imageUrl'))
  const image = { imageUrl: at('stock', 'A rowing boat'), imageAlt: 'Shows A rowing boat' }
  t.strictSame(first, {
    event: 'image_resolved',
    variationId: ready.variations[0].id,
    index: 0,
    changedKeys: ['heading', 'imageUrl', 'imageAlt'],
    patch: { heading: 'Row away', ...image },
    ...image,
  })
  t.match(second, { index: 1, patch: { heading: 'Drift' }, changedKeys: ['heading'], imageUrl: undefined })
  t.match(third, { index: 2, imageUrl: String })
  const variations = [first, second, third].map(({ patch }) => ({ patch }))
  t.match(done, { status: 'ok', variations })
  t.equal(await edit.version(), 1)

  const none = await openService(t, [{ imageAlt: 'A green canoe' }], [sourceOf('stock', () => undefined)])
  t.match(await none.stream('a variation with a new photo'), [
    { event: 'variations_ready' },
    { event: 'image_resolved', patch: {}, changedKeys: [] },
    { event: 'error', code: 400 },
  ])
})

t.test('images are searched only where the message asks for them and the block has one', async (t) => {
  const stock = sourceOf('stock', named('stock'))
  const { ask } = await openService(t, three, [stock])
  for (const message of [
    '3 variations',
    '3 variations with the same image',
    '3 variations of the text beside the photo',
    '3 variations with https://example.com/boat.png',
  ])
    t.equal((await ask(message)).status, 200, message)
  const { ask: askFaq } = await openService(t, [{ title: 'Ask us' }], [stock])
  t.match((await askFaq('a variation with a new photo', { activeBlockId: 'b_faq' })).json(), {
    status: 'ok',
    summary: /has no image/,
  })
  t.same(stock.asked, [])
})

t.test('a message says how many variations, which fields, and which images', async (t) => {
  const asked = { isAsked: true, isShared: false, source: undefined }
  const unasked = { isAsked: false }
  for (const [message, expected] of [
    ['3 variations with a different photo each', asked],
    ['3 variations with other texts and images', asked],
    ['3 variations of the hero image', asked],
    ['3 variations, use stock photos', { ...asked, source: 'stock' }],
    ['3 variations with pictures generated by AI', { ...asked, source: 'generated' }],
    ['3 variations with our brand images', { ...asked, source: 'brand' }],
    ['3 variations with the same new image', { ...asked, isShared: true }],
    ['3 variations with one photo for all', { ...asked, isShared: true }],
    ['3 variations with no image', unasked],
    ["3 variations, but don't use images", unasked],
    ['3 variations of the text beside the image', unasked],
    ['3 variations of the image description', unasked],
    ['3 variations that link to https://example.com/prices', { ...unasked, addresses: [] }],
    [
      '3 variations with (https://example.com/a.png?w=1).',
      { isAsked: true, addresses: ['https://example.com/a.png?w=1'] },
    ],
  ] as const)
    t.match(imagesIn(message), expected, message)

  for (const [message, count] of [
    ['Give me variations', 3],
    ['Give me 0 variations', 3],
    ['give me three shorter variations of this heading', 3],
    ['Could you please create five options?', 5],
    ['Draft Twelve variants, cards only', 12],
    ['Generate 13 alternatives', 13],
    ['For 2 cards, give me 5 variations', 5],
    ['I like it. Now give me two more options', 2],
  ] as const)
    t.equal(countIn(message), count, message)

  for (const message of ['with the same title', 'Keep the title.', 'keeping the title'])
    t.ok(keeps(message, ['title']), message)
  for (const message of ['title only', 'only the title', 'Only title'])
    t.ok(isOnlyAbout(message, ['title']), message)
  for (const message of ['the title', 'keep it short, title included', 'only titles'])
    t.same([keeps(message, ['title']), isOnlyAbout(message, ['title'])], [false, false], message)
})
