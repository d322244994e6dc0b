import { readdirSync } from 'node:fs'
import { answering, htmlPage, redirecting } from '../../helpers/answers.ts'
import t from 'tap'
import * as v from 'valibot'
import { createHttpServer } from '../../../kernel/http/server.ts'
import { give, use, type Injection, type Used } from '../../../kernel/index.ts'
import { capturedLog, everyWayIn, oneWayIn, mountForTest, openGates } from '../../../kernel/testing.ts'
import audio from '../../../plugins/media/audio/index.ts'
import { transcribers, TranscriptionFailure, type Transcriber } from '../../../plugins/models/port.ts'
import openai from '../../../plugins/models/openai/index.ts'
import outbound from '../../../plugins/outbound/index.ts'
import scope from '../../../plugins/scope/index.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'
import { store } from '../../../plugins/store/port.ts'
import usage from '../../../plugins/models/usage/index.ts'
import { startLibrary } from '../../helpers/library.ts'
import { files, formHeaders, textField, upload } from '../../helpers/media-files.ts'
import { listen } from '../../helpers/raw.ts'
import {
  failing,
  recordings,
  startTranscriptions,
  transcribing,
  type Answering,
} from '../../helpers/recordings.ts'
import { refused, startStack, type Stack } from '../../helpers/stack.ts'
import { until } from '../../helpers/until.ts'
import { giving } from '../../helpers/plain.ts'

const speak = (
  bytes: Uint8Array = recordings.webm,
  { type = 'audio/webm;codecs=opus', field = 'audio', before = [] as readonly Uint8Array[] } = {},
) => upload('/audio/transcribe', { field, type, bytes, fileName: 'my secret meeting.webm' }, before)

const Refused = v.looseObject({ code: v.string(), detail: v.string() })

interface AudioSetup {
  readonly env?: Readonly<Record<string, string>>
  readonly options?: Readonly<Record<string, number>>
  readonly plugins?: readonly Used[]
}

const setting = ({ env = {}, options = {}, plugins = [] }: AudioSetup = {}) => ({
  plugins: [use(outbound), use(openai, {}), use(scope, {}), use(usage), ...plugins, use(audio, options)],
  seeds: [...openGates, give(store, createMemoryStore())],
  env: { MEDIA_GENERATIONS_PER_MIN: '0', ...env },
})

t.test('every format is transcribed, by its content and under a generated file name', async (t) => {
  const api = await startTranscriptions(t)
  const declared = {
    wav: 'audio/x-wav',
    mp3: 'audio/mpeg',
    mp4: 'audio/mp4',
    m4a: 'audio/x-m4a',
    webm: 'video/webm',
    ogg: 'audio/ogg; codecs=opus',
    flac: 'audio/flac',
  }
  const model = 'gpt-4o-mini-transcribe'
  const whole = () => setting({ env: api.env })
  await everyWayIn(t, whole, async (t, ask) => {
    for (const [extension, bytes] of Object.entries(recordings)) {
      const answer = await ask(speak(bytes, { type: Reflect.get(declared, extension) }))
      const seen = api.seen.at(-1)
      const about = { model, bytes: bytes.length, mimeType: seen?.file?.type, fallbackUsed: false }
      t.match(answer.json(), { text: 'Hello there.', ...about })
      t.match([seen?.url, seen?.file?.name], ['/v1/audio/transcriptions', `recording.${extension}`])
      t.strictSame([seen?.fields, seen?.file?.bytes], [{ model, response_format: 'json' }, bytes])
      t.equal(seen?.headers.authorization, `Bearer ${api.env.OPENAI_API_KEY}`)
      t.notMatch(JSON.stringify(seen), /secret meeting/)
    }
    const other = await ask(speak(recordings.wav, { type: 'audio/webm' }))
    t.match(other.json(), { mimeType: 'audio/wav' }, 'the content decides the type')
    const unknown = await ask(speak(recordings.wav, { type: 'application/octet-stream' }))
    t.match(unknown.json(), { mimeType: 'audio/wav' }, 'also of a file that declares none')
    const fields = { language: ' de ', prompt: 'Fjord', model: 'another' }
    const before = Object.entries(fields).map(([name, value]) => textField(name, value))
    await ask(speak(undefined, { before }))
    t.match(api.seen.at(-1)?.fields, { language: 'de', prompt: 'Fjord', model })
    api.answer = transcribing('  ')
    t.match((await ask(speak())).json(), { text: '' }, 'a silent recording')
    api.answer = transcribing('Hello there.')
  })
})

t.test('a form without a recording is rejected without a provider call', async (t) => {
  const api = await startTranscriptions(t)
  const end = Buffer.from(`--${formHeaders['content-type'].split('boundary=')[1]}--\r\n`)
  const withField = (name: string, value: string) => speak(undefined, { before: [textField(name, value)] })
  const html = Buffer.from('<html><body>'.repeat(20))
  const json: Injection = { method: 'POST', url: '/audio/transcribe', json: {} }
  const cases: readonly (readonly [request: Injection, status: number, code: string])[] = [
    [{ ...speak(), body: Buffer.concat([textField('language', 'en'), end]) }, 400, 'file_required'],
    [speak(undefined, { field: 'file' }), 400, 'wrong_field'],
    [speak(new Uint8Array()), 400, 'file_empty'],
    [speak(files.png, { type: 'image/png' }), 415, 'unsupported_audio_type'],
    [speak(files.png), 415, 'content_mismatch'],
    [speak(html), 415, 'content_mismatch'],
    [withField('language', 'german'), 400, 'invalid_request'],
    [withField('prompt', 'x'.repeat(401)), 400, 'invalid_request'],
    [json, 415, 'unsupported_media_type'],
    [{ ...speak(), body: Buffer.from(speak().body).subarray(0, -30) }, 400, 'bad_request'],
  ]
  const whole = () => setting({ env: api.env })
  await oneWayIn(t, whole, async (t, ask) => {
    for (const [request, status, code] of cases) t.match(refused(await ask(request)), { status, code })
  })
  t.strictSame(api.seen, [])
})

t.test('models are tried in order, each once, until one answers', async (t) => {
  const api = await startTranscriptions(t)
  const models = {
    OPENAI_TRANSCRIBE_MODEL: 'first',
    OPENAI_TRANSCRIBE_FALLBACK_MODELS: ' second,first,,third, second',
  }
  const { inject } = mountForTest(t, setting({ env: { ...api.env, ...models } }))
  const asked = async (answer: Answering) => {
    const before = api.seen.length
    api.answer = answer
    const { status, json } = await inject(speak())
    return { status, body: json(), models: api.seen.slice(before).map(({ fields }) => fields['model']) }
  }
  const third: Answering = (response, seen) =>
    (seen.fields['model'] === 'third' ? transcribing('Third.') : failing(500, 'server_error'))(response, seen)
  t.match(await asked(third), {
    status: 200,
    body: { text: 'Third.', model: 'third', fallbackUsed: true },
    models: ['first', 'second', 'third'],
  })
  t.ok(
    api.seen.every(({ file }) => file?.bytes.equals(recordings.webm)),
    'each gets the complete recording',
  )
  const all = await asked(failing(400, 'invalid_value', 'The audio file is marker-damaged.'))
  t.match(all, { status: 502, body: { code: 'transcription_failed' }, models: ['first', 'second', 'third'] })
  const detail = /^first: .*It said: The audio file is marker-damaged\. second: .* third: /
  t.match(v.parse(Refused, all.body).detail, detail)
  const rejected = { status: 502, models: ['first'], body: { detail: /OPENAI_API_KEY/ } }
  for (const status of [401, 403]) t.match(await asked(failing(status, 'invalid_api_key')), rejected)
})

/** Failures of a provider. */
const faults: readonly (readonly [answer: Answering, detail: RegExp])[] = [
  [failing(400, 'invalid_value'), /did not accept/],
  [failing(404, 'model_not_found'), /OPENAI_TRANSCRIBE_MODEL/],
  [failing(429, 'rate_limit_exceeded'), /no more requests/],
  [failing(500, null), /overloaded or failing/],
  [htmlPage(502), /overloaded or failing/],
  [htmlPage(200), /contains no transcript/],
  [answering(200, { text: 7 }), /contains no transcript/],
  [
    (response) => void response.writeHead(200, { 'content-length': '100' }).end('{"text":').destroy(),
    /could not be reached, or broke off/,
  ],
  [redirecting('http://169.254.169.254/', 307), /redirect/],
  [answering(200, { text: 'x'.repeat(2 * 1024 * 1024) }), /could not be reached/],
]

t.test('provider failures are reported in our own words, without keys or transcripts', async (t) => {
  const api = await startTranscriptions(t)
  const { log, lines } = capturedLog()
  const { inject } = mountForTest(t, { ...setting({ env: api.env }), log })
  for (const [answer, detail] of faults) {
    api.answer = answer
    t.match(refused(await inject(speak())), { status: 502, code: 'transcription_failed', detail })
  }
  api.answer = failing(
    400,
    null,
    `Incorrect key ${api.env.OPENAI_API_KEY}\nand Bearer abcdefgh in ${'x'.repeat(5000)}`,
  )
  const { detail } = v.parse(Refused, (await inject(speak())).json())
  t.match(detail, /Incorrect key \[redacted\] and \[redacted\]/)
  t.ok(detail.length <= 1200)
  api.answer = transcribing('a marker transcript')
  await inject(speak())
  t.notMatch(lines.join(), /sk-marker|marker transcript|abcdefgh/)
})

t.test('a model that times out is followed by the next, and a timeout of all is reported', async (t) => {
  const api = await startTranscriptions(t)
  const env = { ...api.env, OPENAI_TRANSCRIBE_FALLBACK_MODELS: 'second' }
  const { inject } = mountForTest(t, setting({ env, options: { timeoutMs: 100 } }))
  const stalled: Answering = (response) => void response.writeHead(200).write('{"text":"')
  for (api.answer of [() => undefined, stalled])
    t.match(refused(await inject(speak())), {
      status: 504,
      code: 'transcription_timeout',
      detail: /did not answer within 0\.1 seconds.* second: /,
    })
})

t.test('without a key the route names the variable, and the feature is off', async (t) => {
  const offered = async (env: Readonly<Record<string, string>>) => {
    const { ask } = await startStack(t, { env })
    const { features } = Object((await ask({ url: '/status/planner' })).json())
    return { transcribe: features.transcribe, answer: await ask(speak()) }
  }
  const none = await offered({})
  t.match(refused(none.answer), {
    status: 503,
    code: 'transcription_not_configured',
    reason: /OPENAI_API_KEY/,
  })
  t.equal(none.transcribe, false)
  const api = await startTranscriptions(t)
  const elsewhere = await offered({ OPENAI_BASE_URL: api.baseUrl, OPENAI_TRANSCRIBE_MODEL: 'whisper' })
  t.match([elsewhere.transcribe, elsewhere.answer.status], [true, 200], 'a service that needs no key')
  t.equal(api.seen[0]?.headers.authorization, 'Bearer none')
  t.equal((await offered({ OPENAI_BASE_URL: api.baseUrl })).transcribe, false)
  t.equal((await offered(api.env)).transcribe, true)
})

/** Answers after `release`. */
function held() {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const answer: Answering = async (response, seen) => {
    await promise
    return transcribing('At last.')(response, seen)
  }
  return { answer, release: () => resolve(undefined) }
}

t.test('pending recordings are limited in bytes, and count as held bodies', async (t) => {
  const api = await startTranscriptions(t)
  const { answer, release } = held()
  api.answer = answer
  const large = Buffer.alloc(300_000, 7)
  recordings.wav.copy(large)
  const request = speak(large, { type: 'audio/wav' })
  const few = mountForTest(t, setting({ env: api.env, options: { mostBytes: 500_000 } }))
  const first = few.inject(request)
  await until(() => api.seen.length === 1, 'a call')
  t.match(refused(await few.inject(request)), { status: 503, code: 'transcription_busy' })

  const narrow = mountForTest(t, {
    ...setting({ env: api.env }),
    bodies: { total: 600_000, perAddress: 600_000 },
  })
  const second = narrow.inject({ ...request, remote: '192.0.2.1' })
  await until(() => api.seen.length === 2, 'a second call')
  t.match(refused(await narrow.inject({ ...request, remote: '192.0.2.1' })), {
    status: 503,
    code: 'too_many_bodies',
  })
  release()
  t.strictSame([(await first).status, (await second).status], [200, 200])
  t.strictSame(
    [(await few.inject(request)).status, (await narrow.inject(request)).status],
    [200, 200],
    'capacity is free again',
  )
})

t.test('a client that disconnects aborts the call, and no further model is tried', async (t) => {
  const api = await startTranscriptions(t, () => undefined)
  const { log } = capturedLog()
  const env = { ...api.env, OPENAI_TRANSCRIBE_FALLBACK_MODELS: 'second' }
  const mounted = mountForTest(t, { ...setting({ env }), log, faults: 'answer' })
  const origin = `http://127.0.0.1:${await listen(t, createHttpServer(mounted.node))}`
  const leaving = new AbortController()
  const { url, ...request } = speak()
  const body = new Uint8Array(request.body)
  const asked = fetch(origin + url, { ...request, body, signal: leaving.signal }).catch(() => undefined)
  await until(() => api.seen.length === 1, 'a call')
  leaving.abort()
  await asked
  await until(() => api.open() === 0, 'the end of the call')
  t.equal(api.seen.length, 1)
})

t.test('an in-house plugin can transcribe, and is tried in plugin order', async (t) => {
  const asked: string[] = []
  const inHouse = (name: string, transcriber: Transcriber | undefined) =>
    use(giving(name, transcribers, transcriber))
  const of = (models: readonly string[], does: (model: string) => string): Transcriber => ({
    models,
    transcribe: async ({ file }, model) => (asked.push(`${model} ${file.name}`), does(model)),
  })
  const final = of(['one', 'two'], () => {
    throw new TranscriptionFailure('The key of the house is not accepted.', { isFinal: true })
  })
  const second = of(['three'], () => 'Yes.')
  const plugins = [inHouse('none', undefined), inHouse('first', final), inHouse('second', second)]
  const { inject } = mountForTest(t, setting({ plugins }))
  t.match((await inject(speak())).json(), { text: 'Yes.', model: 'three', fallbackUsed: true })
  t.strictSame(asked, ['one recording.webm', 'three recording.webm'])
  const faulty = of(['x'], () => JSON.parse('{'))
  const broken = mountForTest(t, { ...setting({ plugins: [inHouse('house', faulty)] }), faults: 'answer' })
  t.equal((await broken.inject(speak())).status, 500, 'a fault is not a provider failure')
})

t.test('the route requires the credentials of its gate, and nothing is written to disk', async (t) => {
  const token = 'an-access-token-of-some-length'
  const api = await startTranscriptions(t)
  const judge = async ({ ask, dataDir }: Pick<Stack, 'ask' | 'dataDir'>) => {
    const before = readdirSync(dataDir, { recursive: true })
    for (const [given, status] of [
      [{}, 401],
      [{ 'x-access-token': 'wrong' }, 401],
      [{ 'x-access-token': token }, 200],
    ] as const) {
      const headers = { ...formHeaders, ...given }
      t.equal((await ask({ ...speak(), headers })).status, status)
    }
    t.strictSame(readdirSync(dataDir, { recursive: true }), before)
  }
  const env = { ...api.env, ORCHESTRATOR_ACCESS_TOKEN: token }
  const stack = await startStack(t, { env: { ...env, ORCHESTRATOR_GATE: 'all' } })
  await judge(stack)
  const library = await startLibrary(t, env)
  await library.mounted.ready()
  await judge(library)
  t.equal(api.seen.length, 2)
})
