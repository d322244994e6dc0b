import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { htmlPage, redirecting } from '../../helpers/answers.ts'
import t, { type Test } from 'tap'
import { randomIds } from '../../../kernel/index.ts'
import { createConversations } from '../../../plugins/media/generation/conversations.ts'
import { ratioIn, toRatio } from '../../../plugins/media/generation/references.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'
import {
  candidate,
  geminiError,
  startImageServer,
  streamed,
  type ImageScript,
} from '../../helpers/image-servers.ts'
import { files } from '../../helpers/media-files.ts'
import { startSite } from '../../helpers/upstream.ts'
import { standalone } from './helpers.ts'

/** The service with a local Gemini, and a client of image conversations. */
async function talking(t: Test, env: Readonly<Record<string, string>> = {}, timeoutMs = 60_000) {
  const gemini = await startImageServer(t)
  gemini.script(streamed(candidate(['Here ']), candidate(['it is.', files.png]), candidate([], 'STOP')))
  const key = { GOOGLE_GENAI_API_KEY: 'AIza-marker', GOOGLE_GENAI_BASE_URL: gemini.origin }
  const variables = { ...key, MEDIA_GENERATIONS_PER_MIN: '0', ...env }
  const service = await standalone(t, variables, [['media-generation', { timeoutMs }]])
  const post = (json: object) => service.post('/image/generate/chat', json)
  return {
    ...service,
    gemini,
    said: (at: number) => gemini.seen.at(at)?.body,
    say: async (prompt: string, more: object = {}) => Object((await post({ prompt, ...more })).json()),
    follow: async (prompt: string) => (await post({ prompt, stream: true })).text,
  }
}

const inline = (bytes: Uint8Array, mimeType = 'image/png') => ({
  inlineData: { mimeType, data: Buffer.from(bytes).toString('base64') },
})

t.test('a conversation continues with all earlier texts and images', async (t) => {
  const { say, said, gemini, features } = await talking(t)
  const first = await say('A red kayak')
  const about = { alt: 'A red kayak', text: 'Here it is.', aspectRatio: '3:2', skippedReferences: 0 }
  t.match(first, { ...about, url: /gen_\d+_[0-9a-f]{32}\.png$/ })
  t.match(gemini.seen[0], {
    url: '/v1beta/models/gemini-2.5-flash-image:streamGenerateContent?alt=sse',
    headers: { 'x-goog-api-key': 'AIza-marker' },
  })
  t.strictSame(said(0)?.contents, [{ role: 'user', parts: [{ text: 'A red kayak' }] }])
  const second = await say('Make it blue', { chatId: first.chatId })
  t.equal(second.chatId, first.chatId)
  t.strictSame(said(1)?.contents, [
    { role: 'user', parts: [{ text: 'A red kayak' }] },
    { role: 'model', parts: [{ text: 'Here it is.' }, inline(files.png)] },
    { role: 'user', parts: [{ text: 'Make it blue' }] },
  ])
  const wider = await say('Make it 16:9', { chatId: first.chatId })
  t.match([wider.aspectRatio, said(2)?.contents.length], ['16:9', 5])
  const over = await say('Again', { chatId: first.chatId })
  t.match([over.aspectRatio, said(3)?.contents.length], ['3:2', 1])
  t.equal(new Set([first, wider, over].map(({ chatId }) => chatId)).size, 3)
  t.match(await features(), { imageGenerate: true, imageGenerateChat: true })
})

t.test('a stream begins with the id of the conversation and ends with done', async (t) => {
  const { follow } = await talking(t)
  const events = [...(await follow('A square picture')).matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(
    ([, name = '', data = '']) => [name, JSON.parse(data)],
  )
  t.match(events, [
    ['chatId', { chatId: /^[0-9a-f-]{36}$/, aspectRatio: '1:1' }],
    ['status', { stage: 'generating' }],
    ['text', { text: 'Here ' }],
    ['text', { text: 'it is.' }],
    ['image', { url: /\.png$/, alt: 'A square picture' }],
    ['done', {}],
  ])
})

const silent: ImageScript = () => undefined

t.test('a failure is a response, or an event before the last one', async (t) => {
  const service = await talking(t)
  const failed = 'image_generation_failed'
  const cases: readonly (readonly [ImageScript, string, RegExp?, typeof service?])[] = [
    [geminiError(400, 'INVALID_ARGUMENT', 'API_KEY_INVALID'), failed, /Check GOOGLE_GENAI_API_KEY/],
    [htmlPage(502), failed, /Try again/],
    [geminiError(429, 'RESOURCE_EXHAUSTED'), 'rate_limited'],
    [streamed(candidate(['I will not.']), candidate([], 'IMAGE_SAFETY')), 'image_refused'],
    [streamed(candidate(['Half of an ans'])), failed],
    [streamed(candidate([], 'STOP')), 'image_no_data'],
    [streamed(candidate([files.png.subarray(0, -5)], 'STOP')), 'image_no_data'],
    [streamed('no answer'), failed],
    [redirecting('http://169.254.169.254/'), failed],
    [silent, 'image_timeout', /within 0.7 seconds/, await talking(t, {}, 700)],
  ]
  for (const [script, code, reason = /\./, { say, follow, gemini } = service] of cases) {
    gemini.script(script)
    const answer = await say('A boat')
    t.match(answer, { code, reason }, JSON.stringify(answer))
    const text = await follow('A boat')
    t.match(text, new RegExp(`event: error\ndata: \\{"error":"${code}".*\n\nevent: done\ndata: \\{\\}\n\n`))
    t.notMatch(text, /marker|said no/)
  }
  t.strictSame(await service.stored(), [])
})

t.test('reference images come through the outbound guard or from storage; others are counted', async (t) => {
  const foreign = await startSite(t, ({ url }, response) =>
    response.end(url?.startsWith('/boat.jpg') ? files.jpeg : '<svg/>'),
  )
  const { origin } = foreign
  const { say, said } = await talking(t, { FETCH_ALLOWED_ORIGINS: origin })
  const { url: own } = await say('A first picture')
  const [boat, page] = [`${origin}/boat.jpg`, `${origin}/page.svg`]
  const unusable = ['http://169.254.169.254/latest', 'file:///etc/passwd', 'no address', `${own}x`]
  const { chatId, ...answer } = await say('Like these', {
    referenceImageUrl: boat,
    referenceImageUrls: [own, page, ...unusable],
  })
  t.match(answer, { skippedReferences: 5 })
  const asked = foreign.seen.length
  t.match(await say('And now?', { chatId, referenceImageUrls: [page] }), { skippedReferences: 0 })
  t.strictSame(said(-1)?.contents, [
    { role: 'user', parts: [inline(files.jpeg, 'image/jpeg'), inline(files.png), { text: 'Like these' }] },
    { role: 'model', parts: [{ text: 'Here it is.' }, inline(files.png)] },
    { role: 'user', parts: [{ text: 'And now?' }] },
  ])
  t.equal(foreign.seen.length, asked + 1, 'unavailable images are not requested again')
  const many = Array.from({ length: 16 }, (_, at) => `${boat}?${at}`)
  t.match(await say('Many', { referenceImageUrls: many }), { skippedReferences: 2 })
  t.match(await say('Twice', { referenceImageUrls: [boat, boat] }), { skippedReferences: 0 })
  t.equal(said(-1)?.contents[0]?.parts.length, 2)
})

t.test('provider signatures are sent back with their part, and never to clients', async (t) => {
  const { say, said, follow, gemini } = await talking(t)
  const parts = [
    { text: 'An interim ', thought: true, thoughtSignature: 'of-a-thought' },
    { text: 'Here ' },
    { text: 'it ' },
    { text: 'is.', thoughtSignature: 'of-a-text' },
    { ...inline(files.png), thoughtSignature: 'of-a-picture' },
    { text: '', thoughtSignature: 'at-the-end' },
  ]
  gemini.script(
    streamed(
      ...parts.map((part) => ({ candidates: [{ content: { role: 'model', parts: [part] } }] })),
      candidate([], 'STOP'),
    ),
  )
  const { chatId, text } = await say('A boat')
  t.equal(text, 'Here it is.')
  await say('A red one', { chatId })
  t.strictSame(said(-1)?.contents[1], { role: 'model', parts: [{ text: 'Here it ' }, ...parts.slice(3)] })
  const output = await follow('A boat')
  t.notMatch(output, /of-a-|at-the-end|"text":""/)
})

t.test('a long conversation sends its newest images, without deleted ones', async (t) => {
  const { say, said, stored, dataDir } = await talking(t)
  let { chatId } = await say('Number 0')
  for (let at = 1; at <= 15; at++) ({ chatId } = await say(`Number ${at}`, { chatId }))
  const pictures = () =>
    said(-1)?.contents.map(({ parts }) => parts.filter(({ inlineData }) => inlineData).length)
  t.strictSame(
    pictures(),
    [...Array.from({ length: 10 }, () => [0, 1]).flat(), 0],
    'ten messages with answers',
  )
  for (const name of await stored()) await rm(join(dataDir, 'generated-images', name))
  t.match(await say('And now?', { chatId }), { skippedReferences: 0 })
  t.equal(pictures()?.some(Boolean), false)
})

t.test('a client that disconnects aborts the call, and nothing is stored or remembered', async (t) => {
  const { origin, gemini, stored, say, said } = await talking(t)
  const { chatId } = await say('A boat')
  const leaving = new AbortController()
  gemini.script((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify(candidate(['Here ']))}\n\n`)
  })
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ prompt: 'Another', stream: true, chatId })
  const request = { method: 'POST', headers, body, signal: leaving.signal }
  const answer = await fetch(`${origin}/image/generate/chat`, request)
  for await (const part of answer.body ?? []) {
    if (Buffer.from(part).includes('Here ')) break
  }
  leaving.abort()
  await gemini.idle()
  t.equal((await stored()).length, 1)
  gemini.script(streamed(candidate(['Yes.'], 'STOP')))
  await say('Still there?', { chatId })
  t.equal(said(-1)?.contents.length, 3)
})

t.test('without a key conversations are off, and invalid requests are rejected', async (t) => {
  const { say } = await talking(t, { GOOGLE_GENAI_API_KEY: '' })
  t.match(await say('A boat'), { code: 'image_chat_not_configured', reason: /GOOGLE_GENAI_API_KEY/ })
  t.match(await say('  '), { code: 'prompt_required' })
})

t.test('an aspect ratio is given by numbers or a word, and a time of day is not one', (t) => {
  const prompts: Readonly<Record<string, readonly string[]>> = {
    '16:9': ['a boat in 16:9', 'widescreen shot', 'ultra-wide lake'],
    '3:2': ['4:3 please', 'format: landscape', 'at 10:15 in 3:2'],
    '9:16': ['9:20 tall'],
    '1:1': ['a 1:1 icon', 'A Square picture'],
    '2:3': ['in portrait orientation', 'aspect ratio portrait'],
    none: ['a portrait of my mother', 'a landscape with hills', 'at 10:30', '10:30 am on the pier', '9:41pm'],
    neither: ['10:30:15', 'odds of 30:1', '0:1', 'a boat'],
  }
  for (const [ratio, texts] of Object.entries(prompts))
    for (const text of texts) t.equal(ratioIn(text), ratio.includes(':') ? ratio : undefined, text)
  for (const [text, ratio] of [
    ['portrait', '2:3'],
    [' Square ', '1:1'],
    ['16:10', '3:2'],
    ['40:1', undefined],
    ['wide', undefined],
    [undefined, undefined],
  ] as const)
    t.equal(toRatio(text), ratio, String(text))
  t.end()
})

t.test('conversations expire after half an hour, or when there are too many', async (t) => {
  let now = 0
  const conversations = createConversations({
    store: createMemoryStore(),
    clock: { now: () => new Date(now) },
    ids: randomIds,
  })
  const parts = { ratio: '1:1', turns: [], references: [] } as const
  const first = await conversations.begin(parts)
  now = 29 * 60_000
  const turn = { role: 'person', parts: [{ type: 'text', text: 'x'.repeat(100_000) }] } as const
  const turnsOf = async (id: string) => (await conversations.find(id))?.turns.length
  await conversations.update({ ...first, turns: Array.from({ length: 30 }, () => ({ ...turn, parts: [] })) })
  t.equal(await turnsOf(first.id), 20)
  await conversations.update({ ...first, turns: Array.from({ length: 30 }, () => turn) })
  t.equal(await turnsOf(first.id), 10, 'of at most a million characters')
  now += 30 * 60_000
  t.equal(await conversations.find(first.id), undefined)
  const second = await conversations.begin(parts)
  await conversations.update(first)
  t.equal(await conversations.find(first.id), undefined, 'an expired conversation stays expired')
  now += 1
  for (let n = 0; n < 200; n++) await conversations.begin(parts)
  t.equal(await conversations.find(second.id), undefined)
})
