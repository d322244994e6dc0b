import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import { editor, startStack } from '../../helpers/stack.ts'
import { planning, saying, startModelServer, type Script } from '../../helpers/model-server.ts'

/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A website with images, and with responses that only look like one. */
async function startPictures(
  t: Test,
): Promise<{ readonly origin: string; readonly asked: readonly string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/gone.png') return response.writeHead(404, { 'content-type': 'image/png' }).end()
    if (request.url === '/page.png')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>')
    return response.writeHead(200, { 'content-type': 'image/png; charset=binary' }).end(png)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  return { origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, asked }
}

/** A plan that wants the image of the hero, or of another place, described. */
const describing = (
  place: object = { blockId: 'b_hero' },
  patch: object = { heading: 'Ahoy', imageAlt: '' },
): Script =>
  planning({
    intent: 'edit_plan',
    summary_for_user: 'I will describe the image.',
    change_log: ['Make the heading friendlier'],
    images: [{ ...place, source: 'describe' }],
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
  await edit.bootstrap([
    {
      id: 'p_home',
      slug: '/',
      title: 'Home',
      updatedAt: '2026-01-01T12:00:00.000Z',
      blocks: [
        {
          id: 'b_hero',
          type: 'Hero',
          props: { heading: 'Boats', subheading: '', imageUrl: address, imageAlt: 'Old' },
        },
        {
          id: 'b_cards',
          type: 'CardGrid',
          props: {
            title: 'Fleet',
            cards: [{ title: 'One' }, { title: 'Two', imageUrl: address, imageAlt: 'Old' }],
          },
        },
      ],
    },
  ])
  const say = async (message: string, more: object = {}) =>
    (await edit.send('/chat', { slug: '/', message, ...more })).json()
  return { model, pictures, edit, say, address }
}

t.test('the description of an image is written by a model that looks at it', async (t) => {
  const { model, edit, say } = await openService(
    t,
    {},
    describing(),
    saying('Alt text: "Two  kayaks\n at dawn."'),
  )
  t.match(await say('Describe the image'), {
    status: 'applied',
    changes: [/Two kayaks at dawn\./],
    debug: { inputTokens: 200, opTypes: ['update_props'] },
  })
  t.match(await edit.page('/'), {
    blocks: [{ props: { imageAlt: 'Two kayaks at dawn.', heading: 'Ahoy' } }, {}],
  })
  t.match(model.seen[1]?.body, {
    model: 'a-model-that-sees',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: { media_type: 'image/png', data: png.toString('base64') } },
          { type: 'text', text: /untrusted_data/ },
        ],
      },
    ],
  })
  model.script(
    describing({ blockId: 'b_cards', listKey: 'cards', index: 1 }, { heading: 'Come' }),
    saying('A red boat on a trailer'),
  )
  t.match(await say('And that of the second card'), {
    status: 'applied',
    debug: { opTypes: ['update_props', 'update_item'] },
  })
  t.match(await edit.page('/'), {
    blocks: [
      {},
      { props: { cards: [{ title: 'One' }, { title: 'Two', imageAlt: 'A red boat on a trailer' }] } },
    ],
  })
})

t.test('an image address without a host belongs to the registered site', async (t) => {
  const { pictures, edit, say } = await openService(
    t,
    { images: '../boat.png' },
    describing(),
    saying('Two kayaks'),
  )
  await edit.send('/sites/register', { name: 'Boats', previewUrl: `${pictures.origin}/preview/` })
  t.match(await say('Describe the image'), { status: 'applied', changes: [/Two kayaks/] })
  t.strictSame(pictures.asked, ['/boat.png'])
})

t.test('an image that must not or cannot be fetched is not described', async (t) => {
  for (const [name, setting] of [
    ['an image that is gone', { images: '/gone.png' }],
    ['an HTML page instead of an image', { images: '/page.png' }],
    ['an address on a private network that is not allowed', { trusted: false }],
    ['an address that leads nowhere', { images: 'boat.png' }],
    ['a scheme that is not fetched', { images: 'data:image/png;base64,AAAA' }],
  ] as const) {
    const { model, edit, say } = await openService(t, setting, describing())
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
