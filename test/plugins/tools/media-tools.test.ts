import t from 'tap'
import * as v from 'valibot'
import { toolExecutor, type ToolContext } from '../../../plugins/tools/port.ts'
import { photoIdIn } from '../../../plugins/media/unsplash/source.ts'
import { startDrive } from '../../helpers/drive-server.ts'
import { inBase64, refusing, startImageServer } from '../../helpers/image-servers.ts'
import { files } from '../../helpers/media-files.ts'
import { keys, startUnsplash } from '../../helpers/media-providers.ts'
import { askOver, startStack } from '../../helpers/stack.ts'
import { emptyList } from '../../helpers/plain.ts'
import { until } from '../../helpers/until.ts'

const context: ToolContext = {
  siteId: 'acme',
  sessionId: 'dev',
  traceId: 'run-1',
  signal: new AbortController().signal,
}
const Items = v.object({ items: v.array(v.record(v.string(), v.string())) })

t.test('without keys there are no media tools, and in demo mode no images are made', async (t) => {
  const { origin, get } = await startStack(t)
  t.strictSame((await askOver(origin, { url: '/tools' })).json(), { tools: [] })
  t.match((await askOver(origin, { url: '/status/planner' })).json(), { enabledTools: emptyList })
  t.match(await (await get(toolExecutor)).execute('unsplash.search', { query: 'lake' }, context), {
    error: { code: 'tool_not_found' },
  })
  const demo = await startStack(t, { env: { DEMO_MODE: '1', OPENAI_API_KEY: 'sk-marker' } })
  t.strictSame((await demo.get(toolExecutor)).list(), [])
})

t.test('photos are searched, and fetched by id or address, which is tracked as a download', async (t) => {
  const server = await startUnsplash(t)
  const { origin, get } = await startStack(t, {
    env: { UNSPLASH_ACCESS_KEY: keys.unsplash, UNSPLASH_BASE_URL: server.origin },
  })
  t.match((await askOver(origin, { url: '/status/planner' })).json(), {
    enabledTools: ['unsplash.search', 'unsplash.get_by_id'],
  })
  const executor = await get(toolExecutor)
  const found = await executor.execute('unsplash.search', { query: 'lake', limit: 1 }, context)
  const [photo] = v.parse(Items, found.data).items
  t.match(photo, {
    id: 'LBI7cgq3pbM',
    imageUrl: /^https:\/\/images\.unsplash\.com\//,
    author: 'Ada Lovelace',
    sourceUrl: /^https:\/\/unsplash\.com\/photos\/LBI7cgq3pbM/,
  })
  t.match(await executor.execute('unsplash.search', { query: 'lake', limit: 6 }, context), {
    error: { code: 'invalid_tool_input' },
  })
  const photoId = 'LBI7cgq3pbM'
  const full = { photoId, author: 'Ada Lovelace', alt: 'A lake at dawn', imageUrl: /w=1600/ }
  for (const input of [{ photoId }, { url: `https://unsplash.com/photos/a-lake-at-dawn-${photoId}` }])
    t.match((await executor.execute('unsplash.get_by_id', input, context)).data, full)
  await until(() => server.seen.some(({ url }) => url === '/photos/LBI7cgq3pbM/download'), 'its download')
  const foreign = { url: 'https://evil.test/photos/LBI7cgq3pbM' }
  const failure = { ok: false, error: { code: 'tool_execution_failed' } }
  for (const input of [{}, foreign, { photoId: '../../secret' }, { photoId: 'unknown0000' }])
    t.match(await executor.execute('unsplash.get_by_id', input, context), failure, JSON.stringify(input))
})

t.test('the photo id is read from its address, even with hyphens', (t) => {
  const cases = {
    'https://unsplash.com/photos/LBI7cgq3pbM': 'LBI7cgq3pbM',
    'https://www.unsplash.com/de/photos/ein-see-a-b_c-d_e-f?x=1': 'a-b_c-d_e-f',
    'https://unsplash.com/photos/lake-short12': 'short12',
    'https://unsplash.com/photos/lake-tiny': undefined,
    'https://unsplash.com/LBI7cgq3pbM': undefined,
    'https://unsplash.com.evil.test/photos/LBI7cgq3pbM': undefined,
    nonsense: undefined,
  }
  for (const [address, id] of Object.entries(cases)) t.equal(photoIdIn(address), id, address)
  t.end()
})

t.test('Drive images are found in the folder of the site or of the run', async (t) => {
  const image = (id: string, folder: string) => ({
    id,
    name: `${id}.png`,
    parents: [folder],
    bytes: files.png,
  })
  const drive = await startDrive(t, [
    image('file-one-lake', 'folder-root'),
    image('file-two-boat', 'folder-root'),
    image('file-three-boat', 'folder-own'),
  ])
  const folders = { GOOGLE_DRIVE_FOLDER_ID: 'folder-root', GOOGLE_DRIVE_ALLOWED_FOLDERS: 'folder-own' }
  const { get } = await startStack(t, { env: { ...drive.account, ...folders } })
  const executor = await get(toolExecutor)
  const browse = async (more: Partial<ToolContext> = {}) => {
    const { data } = await executor.execute('gdrive.browse', { query: 'boat' }, { ...context, ...more })
    return v.parse(Items, data).items
  }
  const sourceUrl = 'https://drive.google.com/file/d/file-two-boat/view'
  const imageUrl = /\/gdrive\/images\/file-two-boat$/
  t.match(await browse(), [{ id: 'file-two-boat', imageUrl, author: 'Google Drive', sourceUrl }])
  t.match(await browse({ traceId: 'run-2', gdriveFolderId: 'folder-own' }), [{ id: 'file-three-boat' }])
  const asked = drive.seen.length
  const odd = { ...context, traceId: 'run-3', gdriveFolderId: "x' or 'folder-root" }
  t.match(await executor.execute('gdrive.browse', {}, odd), { ok: false })
  t.equal(drive.seen.length, asked, 'a folder that is not an id is not sent to Drive')
})

t.test('an image is made for the text around it, stored, and its progress reported', async (t) => {
  const openai = await startImageServer(t)
  openai.script(inBase64(files.png))
  const { get } = await startStack(t, {
    env: { OPENAI_API_KEY: 'sk-marker-1234', OPENAI_BASE_URL: `${openai.origin}/v1` },
  })
  const executor = await get(toolExecutor)
  const percents: number[] = []
  const run = (input: object, more: Partial<ToolContext> = {}) =>
    executor.execute('image.generate', input, { ...context, ...more })
  const look = { aspectRatio: 'portrait', style: 'a photo', background: 'transparent', blockType: 'Hero' }
  const made = await run(
    { prompt: 'A red kayak', ...look, outputFormat: 'webp', blockId: 'b_hero', pageSlug: '/' },
    {
      imageProgress: (percent) => void percents.push(percent),
      blockContext: { pageTitle: 'Boats', headings: ['Rent a boat'] },
    },
  )
  const [shown] = executor.forModel(['image.generate'])
  const { properties } = Object(await shown?.inputSchema())
  const fields = ['prompt', 'aspectRatio', 'quality', 'style', 'background', 'blockType']
  t.strictSame(Object.keys(properties), fields)
  const data = { alt: 'A red kayak', width: 3, height: 2, imageUrl: /\/generated-images\/gen_/ }
  t.match(made, { ok: true, data })
  t.match([percents[0], percents.at(-1)], [0, 100])
  const prompt = String(openai.seen[0]?.body['prompt'])
  const setting = ['Boats · Rent a boat', 'type Hero, portrait']
  for (const part of [
    'without any text',
    'It shows: A red kayak',
    'Style: a photo.',
    'transparent',
    ...setting,
  ])
    t.match(prompt, part)
  openai.script(refusing(400, 'moderation_blocked'))
  const failure = { ok: false, attempts: 1, error: { code: 'tool_execution_failed' } }
  t.match(await run({ prompt: 'A secret' }), failure)
})
