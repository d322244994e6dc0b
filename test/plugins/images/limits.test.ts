import t from 'tap'
import { orchestratorForTest } from '../../../config/testing.ts'
import { answering, candidate, inBase64, startImageServer, streamed } from '../../helpers/image-servers.ts'
import { startImageChat } from '../../helpers/image-sources.ts'
import { files, upload } from '../../helpers/media-files.ts'
import { recordings, startTranscriptions } from '../../helpers/recordings.ts'
import { startStack } from '../../helpers/stack.ts'

type Without = NonNullable<Parameters<typeof orchestratorForTest>[1]>['without']

const picture = upload('/image/interpret', { field: 'image', type: 'image/png', bytes: files.png })

t.test('images and recordings of a caller share one limit', async (t) => {
  const speech = await startTranscriptions(t)
  const { ask } = await startStack(t, {
    env: { ...speech.env, IMAGE_GEN_PROVIDER: 'placeholder', MEDIA_GENERATIONS_PER_MIN: '2' },
  })
  const recording = { field: 'audio', type: 'audio/webm', bytes: recordings.webm }
  const transcribe = () => ask(upload('/audio/transcribe', recording))
  const boat = { prompt: 'A boat', provider: 'placeholder' }
  const generate = () => ask({ method: 'POST', url: '/image/generate', json: boat })
  t.strictSame([(await generate()).status, (await transcribe()).status], [200, 200])
  for (const third of [await generate(), await transcribe(), await ask(picture)]) {
    t.match(
      [third.status, third.json()],
      [429, { code: 'rate_limited', reason: /MEDIA_GENERATIONS_PER_MIN/ }],
    )
    t.match(third.headers.get('retry-after'), /^\d+$/)
  }
  t.equal(speech.seen.length, 1)
})

t.test('without media the plugins that store or read files are named at startup', async (t) => {
  const dependent = ['media-gdrive', 'media-generation', 'media-interpretation', 'agents-jira'] as const
  const problemsWithout = async (without: Without) =>
    orchestratorForTest(t, { without })
      .ready()
      .catch((error: unknown) => Object(error).problems)
  t.match(
    await problemsWithout(['media']),
    dependent.map((name) => `'${name}' needs 'media'`),
  )
  await orchestratorForTest(t, { without: ['media', ...dependent] }).ready()
  t.match(
    await problemsWithout(['models-usage']),
    ['media-audio', 'media-generation', 'media-interpretation'].map((name) => `'${name}' needs 'usage'`),
  )
})

t.test('images made by chat count for the caller, and usage of chat and routes is reported', async (t) => {
  const openai = await startImageServer(t)
  openai.script(inBase64(files.png))
  const key = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: openai.origin }
  const env = { ...key, OPENAI_IMAGE_MODEL: 'gpt-image-1', MEDIA_GENERATIONS_PER_MIN: '2' }
  const { wishHero, hero, stack } = await startImageChat(t, [], { env })
  const { ask } = stack
  const report = async (query: string) => (await ask({ url: `/usage?${query}` })).json()
  t.match(await wishHero('lighthouse'), { status: 'applied' })
  t.match((await ask({ method: 'POST', url: '/image/generate', json: { prompt: 'A boat' } })).status, 200)
  t.match(await report('group=model'), {
    rows: [
      { key: 'gpt-image-1', calls: 1 },
      { key: 'gpt-image-1-mini', runs: 1, calls: 1, inputTokens: 12, outputTokens: 408, estimatedUsd: null },
    ],
  })
  const before = await hero()
  t.match(await wishHero('harbour'), { summary: /nothing was changed/ })
  t.strictSame([await hero(), openai.seen.length], [before, 2])
})

t.test('usage of conversations and descriptions is reported at the configured prices', async (t) => {
  const gemini = await startImageServer(t)
  gemini.script(streamed(candidate(['Here ']), candidate(['it is.', files.png], 'STOP')))
  const prices = [{ prefix: 'gemini-', input: 1, output: 10 }]
  const { ask } = await startStack(t, {
    env: { GOOGLE_GENAI_API_KEY: 'k', GOOGLE_GENAI_BASE_URL: gemini.origin },
    plugins: [['chat-model', { prices }]],
  })
  t.match(await ask({ method: 'POST', url: '/image/generate/chat', json: { prompt: 'A boat' } }), {
    status: 200,
  })
  gemini.script(answering(candidate(['A kayak.'], 'STOP')))
  t.match(await ask(picture), { status: 200 })
  const took = { runs: 1, calls: 1, inputTokens: 7, outputTokens: 1290, estimatedUsd: 0.012907 }
  t.match((await ask({ url: '/usage?group=model' })).json(), {
    rows: [
      { key: 'gemini-2.5-flash', ...took },
      { key: 'gemini-2.5-flash-image', ...took },
    ],
  })
})
