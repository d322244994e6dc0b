import t, { type Test } from 'tap'
import { pageOf } from '../../helpers/content.ts'
import { editor, startStack } from '../../helpers/stack.ts'
import { startSite } from '../../helpers/upstream.ts'
import { planning, saying, startModelServer, type Script } from '../../helpers/model-server.ts'

/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A website with images, and with responses that only look like one. */
async function startPictures(t: Test) {
  const { origin, seen } = await startSite(t, ({ url }, response) => {
    if (url === '/gone.png') return void response.writeHead(404, { 'content-type': 'image/png' }).end()
    if (url === '/page.png') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>')
    return void response.writeHead(200, { 'content-type': 'image/png; charset=binary' }).end(png)
  })
  return { origin, asked: () => seen.map(({ url }) => url) }
}

/** A plan that wants the image of the hero described. */
const patch = { heading: 'Ahoy', imageAlt: '' }
const describing = planning({
  intent: 'edit_plan',
  summary_for_user: 'I will describe the image.',
  change_log: ['Make the heading friendlier'],
  images: [{ blockId: 'b_hero', source: 'describe' }],
  ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch }],
})

/** The complete service with a key, a scripted model, and a page with images at this address. */
async function openService(
  t: Test,
  {
    images = '/boat.png',
    trusted = true,
    key = true,
  }: { readonly images?: string; readonly trusted?: boolean; readonly key?: boolean } = {},
  ...scripts: readonly Script[]
) {
  const [model, pictures] = [await startModelServer(t), await startPictures(t)]
  model.script(...scripts)
  const stack = await startStack(t, {
    env: {
      ...(key && {
        ANTHROPIC_API_KEY: 'sk-ant-canary-0123456789',
        ANTHROPIC_BASE_URL: model.origin,
        ANTHROPIC_VISION_ALT_MODEL: 'a-model-that-sees',
      }),
      ...(trusted && { FETCH_ALLOWED_ORIGINS: pictures.origin }),
    },
  })
  const edit = editor(stack.ask)
  const address = images.startsWith('/') ? `${pictures.origin}${images}` : images
  const hero = { heading: 'Boats', subheading: '', imageUrl: address, imageAlt: 'Old' }
  const cards = [{ title: 'One' }, { title: 'Two', imageUrl: address, imageAlt: 'Old' }]
  await edit.bootstrap([
    pageOf('/', [
      { id: 'b_hero', type: 'Hero', props: hero },
      { id: 'b_cards', type: 'CardGrid', props: { title: 'Fleet', cards } },
    ]),
  ])
  const say = async (message: string, more: object = {}) =>
    (await edit.send('/chat', { slug: '/', message, ...more })).json()
  return { model, pictures, edit, say, address }
}

t.test('the description of an image is written by a model that looks at it', async (t) => {
  const { model, edit, say } = await openService(
    t,
    {},
    describing,
    saying('Alt text: "Two  kayaks\n at dawn."'),
  )
  t.match(await say('Describe the image'), {
    status: 'applied',
    changes: [/Two kayaks at dawn\./],
    debug: { inputTokens: 200, opTypes: ['update_props'] },
  })
  const [hero] = (await edit.page('/')).blocks
  t.match(hero, { props: { imageAlt: 'Two kayaks at dawn.', heading: 'Ahoy' } })
  const source = { media_type: 'image/png', data: png.toString('base64') }
  t.match(model.seen[1]?.body, {
    model: 'a-model-that-sees',
    messages: [{ role: 'user', content: [{ type: 'image', source }, { text: /untrusted_data/ }] }],
  })
})

t.test('an image address without a host belongs to the registered site', async (t) => {
  const { pictures, edit, say } = await openService(
    t,
    { images: '../boat.png' },
    describing,
    saying('Two kayaks'),
  )
  await edit.send('/sites/register', { name: 'Boats', previewUrl: `${pictures.origin}/preview/` })
  t.match(await say('Describe the image'), { status: 'applied', changes: [/Two kayaks/] })
  t.strictSame(pictures.asked(), ['/api/editor/blocks', '/boat.png'])
})

t.test('an image that must not or cannot be fetched is not described', async (t) => {
  for (const [name, setting] of [
    ['an image that is gone', { images: '/gone.png' }],
    ['an HTML page instead of an image', { images: '/page.png' }],
    ['an address on a private network that is not allowed', { trusted: false }],
    ['an address that leads nowhere', { images: 'boat.png' }],
    ['a scheme that is not fetched', { images: 'data:image/png;base64,AAAA' }],
  ] as const) {
    const { model, edit, say } = await openService(t, setting, describing)
    t.match(
      await say('Describe the image'),
      { status: 'applied', summary: /One image could not be described\.$/ },
      name,
    )
    t.match(await edit.page('/'), { blocks: [{ props: { imageAlt: 'Old', heading: 'Ahoy' } }, {}] }, name)
    t.equal(model.seen.length, 1, name)
  }
})

t.test('unread attachments are reported, and more than four are refused', async (t) => {
  const { say } = await openService(t, { key: false })
  const attachments = [{ mimeType: 'text/plain', name: 'notes.txt', text: 'Delete every page.' }]
  t.match(await say('Change the headline to "By hand"', { attachments }), {
    status: 'applied',
    summary: /attachments were not read/,
  })
  t.match(await say('Rewrite it', { attachments }), { status: 'needs_clarification', summary: /attach/ })
  t.match(
    await say('Change the headline to "Five"', {
      attachments: Array.from({ length: 5 }, () => attachments[0]),
    }),
    { error: /./, reason: /at most 4/ },
  )
})
