/** Inputs that are as large as they may be, or larger, each of which takes a second or more. */
import t from 'tap'
import sharp from 'sharp'
import { give, randomIds, systemClock, use } from '../../kernel/index.ts'
import { mountForTest, openGates } from '../../kernel/testing.ts'
import { blobs } from '../../plugins/blobs/port.ts'
import { contextFor, readPlan, wordsOf } from '../../plugins/chat/model/testing.ts'
import { toMarkup } from '../../plugins/content/markup.ts'
import { builtinRegistry as registry } from '../../plugins/content/registry.ts'
import { markdown } from '../../plugins/demo-site/render/markdown.ts'
import audio from '../../plugins/media/audio/index.ts'
import media from '../../plugins/media/index.ts'
import openai from '../../plugins/models/openai/index.ts'
import usage from '../../plugins/models/usage/index.ts'
import outbound from '../../plugins/outbound/index.ts'
import scope from '../../plugins/scope/index.ts'
import { store } from '../../plugins/store/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { pageOf } from '../helpers/content.ts'
import { upload } from '../helpers/media-files.ts'
import { createMemoryBlobs } from '../helpers/memory-blobs.ts'
import { recordings, startTranscriptions } from '../helpers/recordings.ts'
import { refused } from '../helpers/stack.ts'

t.test('hostile Markdown takes no longer than long Markdown', async (t) => {
  // Quadratic time would exceed the time limit of the file.
  const size = 500_000
  for (const piece of ['*', '**', '[', '](', '[a](', '# ', '- ', '**[*']) {
    t.type(toMarkup(markdown(piece.repeat(size / piece.length), 2)), 'string', JSON.stringify(piece))
  }
})

t.test('an answer with as many keys as fit is read', (t) => {
  const page = pageOf('/', [
    { id: 'b_hero_1', type: 'Hero', props: { heading: 'H' } },
    { id: 'b_faq_1', type: 'FAQAccordion', props: { title: 'Questions', items: [{ q: 'One?', a: 'Yes' }] } },
  ])
  const input = { draft: { version: 1, pages: [page], config: {} }, selection: { slug: '/' }, registry }
  const context = () => contextFor({ input, words: wordsOf(''), now: new Date(0) })
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]))
  const ops: readonly object[] = [
    { op: 'update_props', blockId: 'b_hero_1', ...many },
    { op: 'add_block', block: { type: 'Hero', ...many } },
    { op: 'add_item', pageSlug: '/', blockId: 'b_faq_1', listKey: 'items', item: many },
  ]
  const plan = { intent: 'edit_plan', summary_for_user: 's', change_log: ['One'] }
  for (const each of ops) t.equal(readPlan(JSON.stringify({ ...plan, ops: [each] }), context()).kind, 'plan')
  t.end()
})

t.test('a recording of 25 MiB is accepted, and one byte more is rejected', async (t) => {
  const api = await startTranscriptions(t)
  const mounted = mountForTest(t, {
    plugins: [use(outbound), use(openai, {}), use(scope, {}), use(usage), use(audio, {})],
    seeds: [...openGates, give(store, createMemoryStore())],
    env: { MEDIA_GENERATIONS_PER_MIN: '0', ...api.env },
  })
  const speak = (bytes: Uint8Array, type: string) =>
    mounted.inject(upload('/audio/transcribe', { field: 'audio', type, bytes, fileName: 'a.wav' }))
  const most = Buffer.alloc(25 * 1024 * 1024 + 1, 7)
  recordings.wav.copy(most)
  t.match((await speak(most.subarray(1, 2), 'audio/webm;codecs=opus')).status, 415)
  t.match((await speak(most.subarray(0, -1), 'audio/wav')).json(), { bytes: 25 * 1024 * 1024 })
  t.ok(api.seen[0]?.file?.bytes.equals(most.subarray(0, -1)))
  t.match(refused(await speak(most, 'audio/wav')), { status: 413, code: 'file_too_large' })
  t.equal(api.seen.length, 1)
})

t.test('an animated image of 40.3 megapixels is served unchanged', async (t) => {
  const storage = createMemoryBlobs({ clock: systemClock, ids: randomIds })
  const mounted = mountForTest(t, {
    plugins: [use(media)],
    seeds: [...openGates, give(blobs, storage), give(store, createMemoryStore())],
  })
  const drawn = (background: string) =>
    sharp({ create: { width: 800, height: 400, channels: 3, background } })
      .png()
      .toBuffer()
  const [one = Buffer.of(), other = Buffer.of()] = await Promise.all(['#08f', '#f80'].map(drawn))
  const frames = Array.from({ length: 126 }, (_, at) => (at % 2 === 0 ? one : other))
  const bytes = await sharp(frames, { join: { animated: true } })
    .webp({ effort: 0 })
    .toBuffer()
  const { key } = await storage.put(bytes, { type: 'image/webp', extension: 'webp' })
  const headers = { accept: 'image/webp' }
  const answer = await mounted.fetch(
    new Request(`http://localhost/generated-images/${key}?w=320`, { headers }),
  )
  t.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes))
})
