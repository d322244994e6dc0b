import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { use } from '../../../kernel/index.ts'
import { mountForTest, stillClock } from '../../../kernel/testing.ts'
import chatRules from '../../../plugins/chat-rules/index.ts'
import chat from '../../../plugins/chat/index.ts'
import { chatInMemory, chatClient, resultOf, scriptedPlanner, withPlanner } from '../../helpers/chat.ts'
import { follower, type StreamEvent } from '../../helpers/followed-chat.ts'
import { at, interrupted, startImageChat, named, sourceOf, startPages } from '../../helpers/image-sources.ts'
import { startModelServer } from '../../helpers/model-server.ts'
import { draftsInMemory, startStack } from '../../helpers/stack.ts'

const typesOf = (events: readonly StreamEvent[]): readonly string[] => events.map(({ type }) => type).filter((type) => type !== 'heartbeat')

t.test('without an available image source, the user is asked for an image address', async (t) => {
  for (const sources of [[], [sourceOf('stock', named('stock'), { available: false })]]) {
    const { say, hero } = await startImageChat(t, sources)
    t.match(await say('change the hero image to a sunset'), { status: 'needs_clarification', summary: /needs the address of an image/ })
    t.equal(await hero(), '/img/old.jpg')
    t.same(sources.flatMap(({ asked }) => asked), [])
  }
})

t.test('a request for an image gets a real address, without a model', async (t) => {
  const model = await startModelServer(t)
  const stock = sourceOf('stock', named('stock'))
  const { say, props, edit } = await startImageChat(t, [stock], { model })
  t.match(await say('change the hero image to a sunset over the fjord'), {
    status: 'applied', modelUsed: 'rules', changes: [/sunset/], debug: { plannerTier: 'deterministic', opTypes: ['update_props'] },
  })
  t.match(await props(), [{ imageUrl: at('stock', 'sunset over the fjord'), imageAlt: 'Shows sunset over the fjord', heading: 'Paddle the fjord' }, {}, {}])
  t.equal(model.seen.length, 0)
  t.equal((await edit.send('/history/undo', { slug: '/' })).status, 200)
  t.match(await props(), [{ imageUrl: '/img/old.jpg', imageAlt: 'Old' }, {}, {}])
})

t.test('the search query comes from the message, or else from the text next to the image', async (t) => {
  const stock = sourceOf('stock', named('stock'))
  const { say } = await startImageChat(t, [stock])
  const asked = async (message: string, more: object = {}): Promise<readonly string[]> => {
    const before = stock.asked.length
    t.match(await say(message, more), { status: 'applied' }, message)
    return stock.asked.slice(before)
  }
  t.same(await asked('find a photo for each card'), ['Red kayak', 'canoe fleet', 'Family boat'])
  t.same(await asked('new images: card 1: "Dawn on the lake", card 3: "Harbor"'), ['Dawn on the lake', 'Harbor'])
  t.same(await asked('a different photo for the last card'), ['Shows Harbor'])
  t.same(await asked('change the image', { activeBlockId: 'b_cards', activeEditablePath: 'cards[1].title' }), ['Shows canoe fleet'])
  t.same(await asked('find a new image', { activeBlockId: 'b_hero' }), ['Old Paddle fjord'])
})

t.test('the link preview image and the site logo are searched like any other image', async (t) => {
  const stock = sourceOf('stock', named('stock'))
  const { say, edit } = await startImageChat(t, [stock])
  const meta = async () => (await edit.page('/')).meta
  const logo = async () => Object((await edit.get('/draft/site-config')).json()).logo
  t.match(await say('find a preview image for this page'), { status: 'applied', changes: [/image for link previews/], debug: { opTypes: ['update_page_meta'] } })
  t.match(await meta(), { ogImage: at('stock', 'Boats lake') })
  t.match(await say('ändere das Vorschaubild der Seite in einen Hafen', { locale: 'de' }), { status: 'applied', changes: [/Bild für Vorschauen/] })
  t.match(await meta(), { ogImage: at('stock', 'hafen') })
  await edit.undo('/')
  await edit.undo('/')
  t.notOk(await meta())

  t.match(await say('give the site a new logo'), { status: 'applied', changes: [/logo/], debug: { opTypes: ['update_site_config'] } })
  t.equal(await logo(), at('stock', 'logo'))
  await edit.ops([{ op: 'update_site_config', patch: { name: 'Avocado Boats' } }])
  t.match(await say('ein neues Logo für die Website', { locale: 'de' }), { status: 'applied', changes: [/Logo/] })
  t.equal(await logo(), at('stock', 'Avocado Boats logo'))
  t.match(await say('generate a logo with an anchor'), { status: 'applied' })
  t.equal(await logo(), at('stock', 'anchor'))
  t.same(stock.asked, ['Boats lake', 'hafen', 'logo', 'Avocado Boats logo', 'anchor'])
})

t.test('message and selection decide which images are meant; ambiguous requests ask for clarification', async (t) => {
  const stock = sourceOf('stock', ({ query }) => ({ address: `/img/${stock.asked.length}-${query.length}.jpg` }))
  const { say, hero, cards } = await startImageChat(t, [stock])
  t.match(await say('find a photo for card 2'), { status: 'applied', debug: { opTypes: ['update_item'] } })
  t.strictSame(await cards(), [undefined, '/img/1-11.jpg', undefined])
  t.match(await say('new images of boats', { activeBlockId: 'b_cards', activeEditablePath: 'cards[0].imageUrl' }), { status: 'applied', debug: { opCount: 3 } })
  t.strictSame(await cards(), ['/img/2-5.jpg', '/img/3-5.jpg', '/img/4-5.jpg'])
  t.match(await say('a new photo for this card', { activeBlockId: 'b_cards', activeEditablePath: 'cards[2].imageUrl' }), { status: 'applied', debug: { opCount: 1 } })
  t.strictSame((await cards())[2], '/img/5-11.jpg')
  t.match(await say('find a new image'), { status: 'applied' }, 'only the hero has its own image')
  t.strictSame(await hero(), '/img/6-16.jpg')

  const before = stock.asked.length
  t.match(await say('find a photo for the FAQ'), { status: 'applied', summary: /FAQ.* has no image/, debug: { outcome: 'no_effective_change' } })
  t.match(await say('ein neues Bild für die FAQ', { locale: 'de' }), { summary: /hat kein Bild/ })
  for (const message of ['find a photo for the gallery', 'find a photo for card 9', 'find a photo for a card', 'new images for the slides']) {
    t.match(await say(message), { status: 'needs_clarification' }, message)
  }
  t.equal(stock.asked.length, before)
})

t.test('where images can be searched and generated, the user chooses once', async (t) => {
  const sources = [sourceOf('stock', named('stock')), sourceOf('generated', named('generated')), sourceOf('brand', () => undefined)]
  const [stock, generated, brand] = sources
  const { say, hero, edit } = await startImageChat(t, sources)
  const first = await say('change the hero image to a harbor')
  t.match(first, { status: 'needs_clarification', suggestions: [/Use Unsplash/, /Generate with AI/, /Either/], previewVersion: 1 })
  t.equal(await hero(), '/img/old.jpg')
  t.match(await say('a purple one'), { status: 'needs_clarification' }, 'not an answer')
  t.match(await say('Use Unsplash'), { status: 'applied', changes: [/harbor/] })
  t.equal(await hero(), at('stock', 'harbor'))

  await say('change the hero image to a lighthouse')
  t.equal(await hero(), at('stock', 'lighthouse'), 'remembered')
  await say('generate an image of a whale for the hero')
  t.equal(await hero(), at('generated', 'whale'), 'a named source takes precedence')
  await say('change the hero image to a seal')
  t.equal(await hero(), at('stock', 'seal'), 'and does not change the stored choice')
  t.same([stock?.asked, generated?.asked, brand?.asked], [['harbor', 'lighthouse', 'seal'], ['whale'], []])

  const other = (message: string) => edit.send('/chat', { slug: '/', message, session: 'other', locale: 'de' })
  await edit.send('/draft/bootstrap', { pages: startPages, session: 'other' })
  t.match((await other('ändere das Hero-Bild in einen Hafen')).json(), { summary: /Fotodatenbank/, suggestions: [/Use Unsplash/, /Generate with AI/, /Either/] })
  t.match((await other('Either (egal)')).json(), { status: 'applied', changes: [/generated\/hafen/] })
  t.same(brand?.asked, ['hafen'], 'the source of the site is asked first')
})

t.test('a step that asked for the image source continues with the answer, as do later steps', async (t) => {
  const steps = ['Change the hero image to a harbor', 'Change the headline to "Second"'].map((text) => ({ text, label: text }))
  const planner = withPlanner(scriptedPlanner({}, { split: async () => steps }))
  const sources = [sourceOf('stock', named('stock')), sourceOf('generated', named('generated'))]
  const { say, hero, props } = await startImageChat(t, [...sources, { asked: [], plugin: planner }])
  t.match(await say('A harbor in the hero, and another headline'), { status: 'needs_clarification', suggestions: [/Unsplash/, /AI/, /Either/], continuation: { currentStep: 1 } })
  t.match(await say('Generate with AI'), { status: 'applied', continuation: { currentStep: 2, totalSteps: 2 } })
  t.equal(await hero(), at('generated', 'harbor'))
  t.match(await say('', { executionMode: 'continue_chain' }), { status: 'applied' })
  t.match(await props(), [{ heading: 'Second' }, {}, {}])
})

t.test('the next source is asked when one fails, finds nothing or returns an unusable address', async (t) => {
  const bad: readonly unknown[] = [
    undefined, 'http://images.example/a.jpg', 'data:image/png;base64,AAAA', 'javascript:alert(1)', '//images.example/a.jpg', 'images/a.jpg', '/', '', 7, 'https://', 'https://a b/',
    'https://user:pass@images.example/a.jpg', 'https://images.example/"onerror="x', `https://images.example/${'a'.repeat(2_050)}`, '/img/old.jpg', '/img/canoe.jpg',
  ]
  for (const address of bad) {
    const brand = sourceOf('brand', () => (address === undefined ? Promise.reject(new Error('sk-secret')) : { address: address as string }))
    const { say, hero } = await startImageChat(t, [brand, sourceOf('generated', () => undefined), sourceOf('stock', ({ query }) => ({ address: `/stock/${query}.jpg`, alt: 'Add a boat' }))])
    await say('change the hero image to a boat')
    t.match(await say('Either'), { status: 'applied' }, String(address))
    t.equal(await hero(), '/stock/boat.jpg', String(address))
    t.equal(brand.asked.length, 1)
  }
})

t.test('a streamed request emits progress, then each image, then the result; one undo reverts all images', async (t) => {
  const generated = sourceOf('generated', async (request) => {
    request.progress(50)
    request.progress(Number.NaN)
    await pause(5)
    return named('generated')(request)
  })
  const { follow, edit, cards } = await startImageChat(t, [generated])
  const events = await (await follow('find a photo for each card')).ended()
  t.same(typesOf(events), [
    'status', 'status', ...Array.from({ length: 3 }, () => ['image_progress', 'image_progress', 'image_progress', 'image_progress']).flat(), 'plan_meta', 'op_candidate', 'op_candidate', 'op_candidate',
    'changelog_entry', 'changelog_entry', 'changelog_entry', 'status', 'status', 'op_applied', 'op_applied', 'op_applied', 'status', 'final',
  ])
  t.same(events.flatMap((event) => (event.type === 'image_progress' ? [[event['percent'], event['stage']]] : [])), [
    [0, 'Preparing image 1 of 3'], [16, 'Preparing image 1 of 3'], [16, 'Preparing image 1 of 3'], [33, 'Preparing image 1 of 3'],
    [33, 'Preparing image 2 of 3'], [50, 'Preparing image 2 of 3'], [50, 'Preparing image 2 of 3'], [66, 'Preparing image 2 of 3'],
    [66, 'Preparing image 3 of 3'], [83, 'Preparing image 3 of 3'], [83, 'Preparing image 3 of 3'], [100, 'Preparing image 3 of 3'],
  ])
  t.match(events[1]?.['message'], /resolving image/)
  t.match(events.at(-1)?.result, { status: 'applied', previewVersion: 4, debug: { opCount: 3 } })
  t.same(await cards(), [at('generated', 'Red kayak'), at('generated', 'canoe fleet'), at('generated', 'Family boat')])
  await edit.send('/history/undo', { slug: '/' })
  t.same(await cards(), [undefined, '/img/canoe.jpg', undefined])
})

t.test('an image that is not found in time stays unchanged, and the summary says so', async (t) => {
  /** Too slow for the canoe, and ignores the abort signal. */
  const slow = sourceOf('generated', async (request) => {
    if (!request.query.startsWith('canoe')) return named('generated')(request)
    await pause(60, undefined, { ref: false })
    request.progress(99)
    return named('generated')(request)
  })
  const failing = sourceOf('stock', () => undefined)
  const { follow, say, cards, edit } = await startImageChat(t, [slow, failing], { longestImageMs: 30 })
  const events = await (await follow('generate a photo for each card')).ended()
  t.match(events.at(-1)?.result, { status: 'applied', summary: /Some images of Card Grid were left as they are/, debug: { opCount: 2 } })
  t.same(await cards(), [at('generated', 'Red kayak'), '/img/canoe.jpg', at('generated', 'Family boat')], 'each image has its own timeout')
  t.equal(failing.asked.length, 0, 'no source is asked after the timeout')
  await edit.send('/history/undo', { slug: '/' })

  t.match(await say('generate a photo for each card'), { status: 'applied', summary: /left as they are/, debug: { opCount: 1 } })
  t.same(await cards(), [at('generated', 'Red kayak'), '/img/canoe.jpg', undefined], 'without a stream all images share one timeout')
  t.match(await say('generate a new photo for card 2'), { status: 'applied', summary: /Nothing fitting was found/, debug: { outcome: 'no_effective_change' } })
  t.match(await say('erzeuge ein neues Foto für Karte 2', { locale: 'de' }), { summary: /nichts Passendes/ })
  await pause(80)
})

t.test('a request that is canceled changes nothing', async (t) => {
  let began = (): void => undefined
  const isBegun = new Promise<void>((resolve) => (began = resolve))
  let isAborted = false
  const slow = sourceOf('stock', async (request) => {
    if (request.query === 'Red kayak') return named('stock')(request)
    began()
    await new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve()))
    isAborted = true
    return named('stock')(request)
  })
  const { follow, cancel, cards, edit } = await startImageChat(t, [slow])
  const run = await follow('find a photo for each card')
  await isBegun
  t.match((await cancel(run.streamId)).json(), { status: 'cancel_requested' })
  const events = await run.ended()
  t.equal(events.at(-1)?.type, 'canceled')
  t.ok(isAborted, 'the signal of the source aborts')
  t.notOk(typesOf(events).includes('op_applied'))
  t.same(await cards(), [undefined, '/img/canoe.jpg', undefined])
  t.match(await edit.version(), 1)
})

t.test('a pending plan keeps its images, also across a restart', async (t) => {
  const stock = sourceOf('stock', ({ query }) => (query === 'Family boat' ? undefined : { address: `/img/${query.length}.jpg` }))
  const { stack, say, cards, edit } = await startImageChat(t, [stock])
  const held = await say('find a photo for each card', { executionMode: 'plan_only' })
  t.match(held, { status: 'plan_ready', summary: /2 new images.*left as they are/, changes: [/9\.jpg/, /11\.jpg/] })
  t.same(await cards(), [undefined, '/img/canoe.jpg', undefined])
  await stack.restart()
  t.match(await say('', { executionMode: 'apply_pending_plan', pendingPlanId: held.pendingPlanId }), { status: 'applied' })
  t.same(await cards(), ['/img/9.jpg', '/img/11.jpg', undefined])
  t.equal(stock.asked.length, 3, 'what was shown is what is applied')
  t.match(await edit.version(), 2)
})

t.test('a public demo finds no images', async (t) => {
  const stock = sourceOf('stock', named('stock'))
  const stack = await startStack(t, { env: { DEMO_MODE: '1' }, plugins: [['sites', { demoContent: true }], stock.plugin] })
  const { edit } = follower(t, stack)
  t.match((await edit.send('/chat', { slug: '/', message: 'change the hero image to a sunset' })).json(), { status: 'needs_clarification', summary: /address of an image/ })
  t.same(stock.asked, [])
})

t.test('without the image plugin a request for an image asks for an address', async (t) => {
  const stock = sourceOf('stock', named('stock'))
  const { say, bootstrap } = chatClient(mountForTest(t, draftsInMemory({ plugins: [use(chat, {}), use(chatRules), use(stock.plugin)] })).inject)
  await bootstrap(startPages)
  t.match(resultOf(await say('change the hero image to a sunset')), { http: 200, status: 'needs_clarification', summary: /address of an image/ })
  t.same(stock.asked, [])
})

t.test('the chosen image source is remembered for an hour', async (t) => {
  const time = stillClock('2026-01-01T12:00:00.000Z')
  const plugins = [sourceOf('stock', named('stock')), sourceOf('generated', named('generated'))].map(({ plugin }) => use(plugin))
  const mounted = mountForTest(t, chatInMemory({ clock: time, plugins }))
  const { say, bootstrap } = chatClient(mounted.inject)
  await bootstrap(startPages)
  const statusOf = async (message: string) => resultOf(await say(message)).status
  t.equal(await statusOf('change the hero image to a harbor'), 'needs_clarification')
  t.equal(await statusOf('Either'), 'applied')
  time.advance(59 * 60_000)
  t.equal(await statusOf('change the hero image to a boat'), 'applied')
  time.advance(60_000)
  t.equal(await statusOf('change the hero image to a whale'), 'needs_clarification')
  time.advance(10 * 60_000)
  t.equal(await statusOf('Either'), 'needs_clarification', 'the question has expired')
})

t.test('an image is set only on the row that it was searched for', async (t) => {
  const { source: stock, whileSearching } = interrupted()
  const { say, cards, hero, edit } = await startImageChat(t, [stock])
  const ops = (...all: readonly object[]) => () => edit.send('/ops', { slug: '/', ops: all })
  whileSearching(ops({ op: 'remove_item', pageSlug: '/', blockId: 'b_cards', listKey: 'cards', index: 0 }))
  t.match(await say('find a photo for card 2'), { status: 'applied', summary: /Somebody else has changed this place/, debug: { outcome: 'no_effective_change' } })
  t.same(await cards(), ['/img/canoe.jpg', undefined])

  whileSearching(ops({ op: 'update_item', pageSlug: '/', blockId: 'b_cards', listKey: 'cards', index: 0, patch: { title: 'Other' } }))
  t.match(await say('find a photo for each card'), { status: 'applied', summary: /were left as they are/, debug: { opCount: 1 } })
  t.same(await cards(), ['/img/canoe.jpg', at('stock', 'Family boat')])

  whileSearching(ops({ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch: { heading: 'Other' } }))
  t.match(await say('change the hero image to a seal'), { status: 'applied', debug: { opCount: 1 } }, 'a block is identified by its id')
  t.equal(await hero(), at('stock', 'seal'))
  whileSearching(ops({ op: 'remove_block', pageSlug: '/', blockId: 'b_hero' }))
  t.match(await say('ändere das Hero-Bild in eine Robbe', { locale: 'de' }), { status: 'applied', summary: /inzwischen geändert/ })
})
