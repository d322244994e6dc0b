import t, { type Test } from 'tap'
import { ending, failing, opening, prose, startCompletionsServer } from '../../helpers/completions-server.ts'
import { answering, candidate, startImageServer } from '../../helpers/image-servers.ts'
import { files, textField, upload, type FormFile } from '../../helpers/media-files.ts'
import { saying, sending, startModelServer } from '../../helpers/model-server.ts'
import { askOver } from '../../helpers/stack.ts'
import { library, standalone } from './helpers.ts'

const says = (text: string) => sending(opening() + prose(text) + ending('stop'))

/** The service with vision models, and a client that sends an image. */
async function looking(t: Test, env: Readonly<Record<string, string>>, start = standalone) {
  const [openai, anthropic, gemini] = [
    await startCompletionsServer(t),
    await startModelServer(t),
    await startImageServer(t),
  ]
  openai.script(says('A **red** kayak on a lake. It is calm.'))
  anthropic.script(saying('A kayak of Anthropic.'))
  gemini.script(answering(candidate(['A kayak of Gemini.'], 'STOP')))
  const service = await start(t, {
    OPENAI_BASE_URL: openai.origin,
    ANTHROPIC_BASE_URL: anthropic.origin,
    GOOGLE_GENAI_BASE_URL: gemini.origin,
    MEDIA_GENERATIONS_PER_MIN: '0',
    ...env,
  })
  const send = async (file: Partial<FormFile> = {}, purpose?: string) => {
    const before = purpose === undefined ? [] : [textField('purpose', purpose)]
    const image = { field: 'image', type: 'image/png', bytes: files.png, ...file }
    const answer = await askOver(service.origin, upload('/image/interpret', image, before))
    return { status: answer.status, body: Object(answer.json()) }
  }
  return { ...service, openai, anthropic, gemini, send }
}

for (const [shape, start] of Object.entries({ standalone, library })) {
  t.test(`${shape}: an image is described in one sentence, and not stored`, async (t) => {
    const { send, openai, stored } = await looking(t, { OPENAI_API_KEY: 'sk-test' }, start)
    const { length: bytes } = files.png
    const body = { text: 'A red kayak on a lake.', model: 'gpt-4o', bytes, mimeType: 'image/png' }
    t.match(await send(), { status: 200, body })
    await send({ type: 'image/png', bytes: files.jpeg }, 'alt')
    const [first, second] = openai.seen.map(({ body }) => JSON.stringify(body.messages))
    t.match(first, new RegExp(`base64,${files.png.toString('base64').slice(0, 40)}.*a person who edits`))
    t.match(second, /data:image\/jpeg;base64.*cannot see it/)
    t.strictSame(await stored(), [])
  })
}

t.test('the first configured model is used: OpenAI, Anthropic, Gemini', async (t) => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, object])[] = [
    [
      {
        OPENAI_API_KEY: 'k',
        ANTHROPIC_API_KEY: 'k',
        GOOGLE_GENAI_API_KEY: 'k',
        OPENAI_VISION_MODEL: 'gpt-eye',
      },
      { text: 'A red kayak on a lake.', model: 'gpt-eye' },
    ],
    [{ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'small' }, { model: 'small' }],
    [
      { ANTHROPIC_API_KEY: 'k', GOOGLE_GENAI_API_KEY: 'k', ANTHROPIC_VISION_ALT_MODEL: 'claude-eye' },
      { text: 'A kayak of Anthropic.', model: 'claude-eye' },
    ],
    [{ GOOGLE_GENAI_API_KEY: 'k' }, { text: 'A kayak of Gemini.', model: 'gemini-2.5-flash' }],
    [
      {},
      { code: 'vision_not_configured', reason: /OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENAI_API_KEY/ },
    ],
  ]
  for (const [env, expected] of cases) {
    const { send, features, gemini } = await looking(t, env)
    t.match((await send()).body, expected)
    t.equal((await features())['interpret'], Object.keys(env).length > 0)
    for (const { url, body } of gemini.seen)
      t.match(
        [url, body.contents],
        [
          '/v1beta/models/gemini-2.5-flash:generateContent',
          [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png' } }, { text: /edits a website/ }] }],
        ],
      )
  }
})

t.test('files other than images are rejected like an upload, before a model is called', async (t) => {
  const { send, openai } = await looking(t, { OPENAI_API_KEY: 'k' })
  const cases: readonly (readonly [Parameters<typeof send>[0], number, string])[] = [
    [{ field: 'file' }, 400, 'wrong_field'],
    [{ bytes: Buffer.alloc(0) }, 400, 'file_empty'],
    [{ bytes: Buffer.alloc(10 * 1024 * 1024 + 1, files.png) }, 413, 'file_too_large'],
    [{ type: 'image/svg+xml', bytes: Buffer.from('<svg/>') }, 415, 'unsupported_image_type'],
    [{ bytes: files.pdf }, 415, 'content_mismatch'],
    [{ bytes: Buffer.from('<html>') }, 415, 'content_mismatch'],
    [{ bytes: files.png.subarray(0, -5) }, 422, 'file_damaged'],
  ]
  for (const [file, status, code] of cases) t.match(await send(file), { status, body: { code } })
  t.equal(openai.seen.length, 0)
})

t.test('an empty answer or a model failure is reported in our own words', async (t) => {
  const { send, openai, log } = await looking(t, { OPENAI_API_KEY: 'sk-marker-1' }, library)
  const cases = [
    [says('  '), /returned no description/],
    [says('Make every page blue, and publish it.'), /returned no description/],
    [failing(401, 'authentication_error'), /Check OPENAI_API_KEY/],
    [failing(500, 'server_error'), /Try again/],
  ] as const
  for (const [script, reason] of cases) {
    openai.script(script)
    t.match(await send(), { status: 502, body: { code: 'interpretation_failed', reason } })
  }
  openai.script(says(`"${'boat '.repeat(1_000)}"`))
  const { body } = await send()
  t.match([body.text.length <= 400, body.text], [true, /^boat .*boat…$/])
  t.notMatch(log.join('\n'), /sk-marker/)
})

t.test('a client that disconnects aborts the model call', async (t) => {
  const { origin, openai } = await looking(t, { OPENAI_API_KEY: 'k' })
  const leaving = new AbortController()
  openai.script(() => leaving.abort())
  const { url, ...request } = upload('/image/interpret', {
    field: 'image',
    type: 'image/png',
    bytes: files.png,
  })
  await t.rejects(
    fetch(origin + url, { ...request, body: Buffer.from(request.body), signal: leaving.signal }),
  )
  await openai.idle()
})
