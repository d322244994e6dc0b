import t, { type Test } from 'tap'
import { endless, htmlPage, redirecting } from '../../helpers/answers.ts'
import { files } from '../../helpers/media-files.ts'
import {
  answering,
  atAddress,
  candidate,
  geminiError,
  inBase64,
  refusing,
  startImageServer,
  type ImageScript,
} from '../../helpers/image-servers.ts'
import { startSite } from '../../helpers/upstream.ts'
import { library, standalone } from './helpers.ts'

const key = { OPENAI_API_KEY: 'sk-marker-1234', MEDIA_GENERATIONS_PER_MIN: '0' }
const geminiKey = { GOOGLE_GENAI_API_KEY: 'AIza-marker', MEDIA_GENERATIONS_PER_MIN: '0' }
const kayak = { prompt: ' A red kayak ' }

/** The service with a local OpenAI and a local Gemini. */
async function withProviders(
  t: Test,
  env: Readonly<Record<string, string>>,
  start = standalone,
  timeoutMs = 60_000,
) {
  const [openai, gemini] = [await startImageServer(t), await startImageServer(t)]
  openai.script(inBase64(files.png))
  gemini.script(answering(candidate(['Here it is.', files.jpeg], 'STOP')))
  const origins = { OPENAI_BASE_URL: `${openai.origin}/v1`, GOOGLE_GENAI_BASE_URL: gemini.origin }
  const service = await start(t, { ...origins, ...env }, [['media-generation', { timeoutMs }]])
  return {
    ...service,
    openai,
    gemini,
    generate: (more: object = {}) => service.post('/image/generate', { ...kayak, ...more }),
  }
}

t.test('an image is generated, stored and served', async (t) => {
  const { generate, openai, origin, stored, features } = await withProviders(t, key)
  const made = await generate({ aspectRatio: 'portrait' })
  const model = 'gpt-image-1-mini'
  const size = { width: 3, height: 2 }
  t.match(made.json(), { alt: 'A red kayak', provider: 'openai', model, ...size, fallback: undefined })
  t.match(openai.seen[0], {
    url: '/v1/images/generations',
    headers: { authorization: 'Bearer sk-marker-1234' },
    body: { model, prompt: 'A red kayak', size: '1024x1536', n: 1 },
  })
  const { url } = Object(made.json())
  t.match(await stored(), [/^gen_\d+_[0-9a-f]{32}\.png$/])
  const served = await fetch(new URL(new URL(url, origin).pathname, origin))
  t.strictSame([served.status, Buffer.from(await served.arrayBuffer())], [200, files.png])
  t.match(await features(), { imageGenerate: true, imageGenerateChat: false, interpret: true })
})

t.test('the provider is the requested one, the configured one, or one with a key', async (t) => {
  const both = { ...key, ...geminiKey }
  const flash = { provider: 'gemini', model: 'gemini-2.5-flash-image' }
  const mini = { provider: 'openai', model: 'gpt-image-1-mini' }
  type Env = Readonly<Record<string, string>>
  const cases: readonly (readonly [env: Env, ask: object, expected: object])[] = [
    [both, {}, { provider: 'openai' }],
    [{ ...both, IMAGE_GEN_PROVIDER: 'Gemini' }, {}, { ...flash, fallback: undefined }],
    [both, { provider: 'GEMINI', model: 'gemini-3' }, { provider: 'gemini', model: 'gemini-3' }],
    [key, { provider: 'gemini', model: 'gemini-x' }, { ...mini, fallback: true }],
    [geminiKey, { provider: 'openai' }, { provider: 'gemini', fallback: true }],
    [geminiKey, {}, { provider: 'gemini', fallback: undefined }],
    [{ ...geminiKey, IMAGE_GEN_PROVIDER: 'gemni' }, {}, { provider: 'gemini' }],
    [{ ...key, OPENAI_IMAGE_MODEL_DRAFT: 'gpt-image-1' }, { model: 'dall-e-3' }, { model: 'dall-e-3' }],
    [{}, { provider: 'placeholder' }, { provider: 'placeholder', width: 1536, height: 1024 }],
    [{ IMAGE_GEN_PROVIDER: 'placeholder' }, { aspectRatio: 'square' }, { width: 1024, height: 1024 }],
    [{ ...key, IMAGE_MODELS_ALLOWED: 'gpt-image-1, x' }, {}, { model: 'gpt-image-1-mini' }],
    [{ ...key, IMAGE_MODELS_ALLOWED: 'gpt-image-1, x' }, { model: 'x' }, { model: 'x' }],
    [{ ...key, IMAGE_MODELS_ALLOWED: 'gpt-image-1' }, { model: 'dall-e-3' }, { code: 'model_not_allowed' }],
    [{}, {}, { code: 'image_provider_missing', reason: /OPENAI_API_KEY or GOOGLE_GENAI_API_KEY/ }],
    [{}, { provider: 'openai' }, { code: 'image_provider_missing' }],
    [key, { provider: 'midjourney' }, { code: 'unknown_provider', reason: /openai, gemini, placeholder/ }],
    [key, { prompt: '  ' }, { code: 'prompt_required' }],
    [key, { prompt: undefined }, { code: 'prompt_required' }],
    [key, { prompt: 'x'.repeat(4_001) }, { code: 'prompt_too_long' }],
    [key, { model: '../../admin?x=1' }, { code: 'invalid_request' }],
  ]
  for (const [env, ask, expected] of cases) {
    const { generate, features } = await withProviders(t, env)
    t.match((await generate(ask)).json(), expected, JSON.stringify([env, ask]).slice(0, 160))
    const canMake =
      Object.keys(env).some((name) => name.endsWith('_API_KEY')) ||
      env['IMAGE_GEN_PROVIDER'] === 'placeholder'
    t.equal((await features())['imageGenerate'], canMake)
  }
})

t.test('requests to Gemini follow its API', async (t) => {
  const { generate, gemini } = await withProviders(t, geminiKey)
  await generate({ aspectRatio: 'portrait' })
  await generate({ model: 'gemini-3/pro' })
  t.match(gemini.seen, [
    {
      url: '/v1beta/models/gemini-2.5-flash-image:generateContent',
      headers: { 'x-goog-api-key': 'AIza-marker' },
      body: {
        contents: [{ role: 'user', parts: [{ text: 'A red kayak' }] }],
        generationConfig: {
          responseModalities: ['TEXT', 'IMAGE'],
          imageConfig: { aspectRatio: '2:3', imageSize: undefined },
        },
      },
    },
    {
      url: '/v1beta/models/gemini-3%2Fpro:generateContent',
      body: { generationConfig: { imageConfig: { aspectRatio: '3:2', imageSize: '1K' } } },
    },
  ])
})

t.test('a placeholder depends on its prompt only', async (t) => {
  const { generate, origin } = await withProviders(t, {})
  const bytesOf = async (prompt: string) => {
    const { url } = Object((await generate({ prompt, provider: 'placeholder' })).json())
    return Buffer.from(await (await fetch(new URL(new URL(url).pathname, origin))).arrayBuffer())
  }
  const [first, again, other] = [await bytesOf('a'), await bytesOf('a'), await bytesOf('b')]
  t.ok(first.equals(again))
  t.notOk(first.equals(other))
})

const silent: ImageScript = () => undefined
const away = redirecting('http://169.254.169.254/latest/meta-data', 307)

t.test('provider failures have a status and a message, store nothing and reveal no key', async (t) => {
  const { generate, openai, gemini, stored, log } = await withProviders(t, { ...key, ...geminiKey }, library)
  const half = files.png.subarray(0, -9)
  const failed = 'image_generation_failed'
  const limited = refusing(429, 'rate_limit_exceeded', { 'retry-after': '7' })
  type Case = readonly [ImageScript, number, string, RegExp]
  const none = [502, 'image_no_data', /no usable image/] as const
  const cases: readonly Case[] = [
    [refusing(401, 'invalid_api_key'), 502, failed, /Check OPENAI_API_KEY/],
    [limited, 429, 'rate_limited', /OpenAI takes no more requests/],
    [refusing(429, 'insufficient_quota'), 502, failed, /billing/],
    [refusing(400, 'moderation_blocked'), 422, 'image_refused', /Rephrase it/],
    [refusing(400, 'unknown_parameter'), 502, failed, /OPENAI_IMAGE_MODEL_DRAFT/],
    [refusing(500, 'server_error'), 502, failed, /Try again/],
    [htmlPage(200), 502, failed, /OPENAI_BASE_URL/],
    [away, 502, failed, /redirect/],
    [endless, 502, failed, /Check the network/],
    [inBase64(half), ...none],
    [inBase64(Buffer.from('<svg onload="alert(1)"/>')), ...none],
    [inBase64(files.pdf), ...none],
    [answering({ data: [] }), ...none],
    [answering({ data: 'x' }), 502, failed, /broke off/],
    [atAddress('http://169.254.169.254/latest/meta-data'), 502, failed, /broke off/],
    [atAddress('https://openai.com.evil.example/x.png'), 502, failed, /broke off/],
    [atAddress('no address'), 502, failed, /broke off/],
  ]
  const blocked = answering({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })
  const ofGemini: readonly Case[] = [
    [geminiError(400, 'INVALID_ARGUMENT', 'API_KEY_INVALID'), 502, failed, /Check GOOGLE_GENAI_API_KEY/],
    [geminiError(503, 'UNAVAILABLE'), 502, failed, /overloaded/],
    [answering(candidate([], 'IMAGE_SAFETY')), 422, 'image_refused', /Gemini declined/],
    [blocked, 422, 'image_refused', /Gemini declined/],
    [answering(candidate(['I cannot draw.'], 'NO_IMAGE')), ...none],
    [answering('[1, 2'), 502, failed, /broke off/],
    [answering('7'), 502, failed, /broke off/],
    [answering([]), ...none],
  ]
  for (const [provider, server, all] of [
    ['openai', openai, cases],
    ['gemini', gemini, ofGemini],
  ] as const)
    for (const [script, status, code, reason] of all) {
      server.script(script)
      const answer = await generate({ provider })
      t.match([answer.status, answer.json()], [status, { code, reason }])
      t.notMatch(answer.text, /marker|said no/)
      if (code === 'rate_limited') t.equal(answer.headers.get('retry-after'), '7')
    }
  t.strictSame(await stored(), [])
  t.notMatch(log.join('\n'), /sk-marker|AIza-marker|red kayak/)
  t.match(log.join('\n'), /moderation_blocked.*image generation failed/)

  const slow = await withProviders(t, key, library, 200)
  slow.openai.script(silent)
  const answer = await slow.generate()
  const late = { code: 'image_timeout', reason: /within 0.2 seconds/ }
  t.match([answer.status, answer.json()], [504, late])
  t.strictSame(await slow.stored(), [])
})

t.test('an image returned by address is fetched without the key', async (t) => {
  const foreign = await startSite(t, (_request, response) => response.end(files.webp))
  let address = `${foreign.origin}/x.webp`
  const openai = await startSite(t, ({ url = '' }, response) => {
    if (url === '/v1/images/generations') response.end(JSON.stringify({ data: [{ url: address }] }))
    else if (url === '/x.webp') response.end(files.webp)
    else if (url === '/moved') response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    else response.writeHead(404).end()
  })
  const { post, stored } = await standalone(t, { ...key, OPENAI_BASE_URL: `${openai.origin}/v1` })
  const failed = { code: 'image_generation_failed' }
  t.match((await post('/image/generate', kayak)).json(), failed, 'another server on a private network')
  t.strictSame(foreign.seen, [])
  for (const [path, expected] of [
    ['/x.webp', { width: 40, height: 30 }],
    ['/moved', failed],
    ['/gone', failed],
  ] as const) {
    address = openai.origin + path
    t.match((await post('/image/generate', kayak)).json(), expected, path)
    t.match(openai.seen.at(-1), { url: path, method: 'GET', headers: { authorization: undefined } })
  }
  t.match(await stored(), [/\.webp$/])
})

t.test('a client that disconnects aborts the provider call, and nothing is stored', async (t) => {
  const { origin, openai, stored } = await withProviders(t, key)
  const leaving = new AbortController()
  openai.script(() => leaving.abort())
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(kayak), signal: leaving.signal }
  await t.rejects(fetch(`${origin}/image/generate`, request))
  await openai.idle()
  t.strictSame(await stored(), [])
})

t.test('images per minute are limited for each caller, and demo mode allows none', async (t) => {
  const { generate, openai } = await withProviders(t, { OPENAI_API_KEY: 'k', MEDIA_GENERATIONS_PER_MIN: '2' })
  t.strictSame([(await generate()).status, (await generate()).status], [200, 200])
  const third = await generate()
  t.match([third.status, third.json()], [429, { code: 'rate_limited', reason: /MEDIA_GENERATIONS_PER_MIN/ }])
  t.match([third.headers.get('retry-after'), openai.seen.length], [/^\d+$/, 2])
  const demo = await withProviders(t, { ...key, DEMO_MODE: '1' })
  t.match([(await demo.generate()).status, (await demo.features())['imageGenerate']], [403, false])
})
