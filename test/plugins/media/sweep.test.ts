import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { randomIds, systemClock } from '../../../kernel/index.ts'
import { capturedLog } from '../../../kernel/testing.ts'
import { createFileBlobs } from '../../../plugins/blobs/testing.ts'
import { blobs } from '../../../plugins/blobs/port.ts'
import { type Baseline, baselines, type Baselines } from '../../../plugins/baseline/port.ts'
import type { SiteContent } from '../../../plugins/content/adapter.ts'
import { drafts } from '../../../plugins/draft/port.ts'
import { media } from '../../../plugins/media/port.ts'
import { createSweep, repeat, type SweepContext } from '../../../plugins/media/usage/sweep.ts'
import { snapshots } from '../../../plugins/publish/port.ts'
import { defineCollection, store } from '../../../plugins/store/port.ts'
import { files, form } from '../../helpers/media-files.ts'
import { startStack, temporaryFolder } from '../../helpers/stack.ts'
import { until } from '../../helpers/until.ts'

const day = 24 * 60 * 60 * 1000
const png = { type: 'image/png', extension: 'png' }
const Applied = v.object({ status: v.literal('applied') })
const at = { siteId: 'shop', session: 'dev' }
const block = (id: string, imageUrl: string) => ({ id, type: 'Hero', props: { heading: 'Here', imageUrl } })
const page = (imageUrl: string) => ({
  id: 'p_home',
  slug: '/',
  title: 'Home',
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: [block('b_hero', imageUrl)],
})

/** The service with a draft, and a sweep over its stored files. */
async function setting(t: Test) {
  const stack = await startStack(t)
  const folder = join(stack.dataDir, 'generated-images')
  const storage = await stack.get(blobs)
  const { log, lines } = capturedLog()
  const context: SweepContext = {
    blobs: storage,
    media: await stack.get(media),
    store: await stack.get(store),
    drafts: await stack.get(drafts),
    baselines: await stack.get(baselines),
    snapshots: await stack.get(snapshots),
    clock: systemClock,
    log,
    days: 30,
  }
  const old = async (key: string): Promise<string> => {
    const then = (systemClock.now().getTime() - 31 * day) / 1000
    await utimes(join(folder, key), then, then)
    return key
  }
  const post = async (url: string, json: object) => {
    const answer = await stack.ask({ method: 'POST', url, json })
    t.equal(answer.status, 200, answer.text)
    return answer
  }
  const put = async (key: string) =>
    (await storage.put(files.webp, { type: 'image/webp', extension: 'webp', key })).key
  return {
    context,
    lines,
    post,
    old,
    put,
    young: async () => (await storage.put(files.png, png)).key,
    oldFile: async () => old((await storage.put(files.png, png)).key),
    names: async () => (await readdir(folder)).toSorted(),
    /** Sweeps while the site has these pages; `undefined` if they cannot be read. */
    sweep: (
      pages?: readonly ReturnType<typeof page>[],
      more: Pick<SiteContent, 'unreadable'> = {},
      marks: Pick<Baseline, 'hasShrunk'> = {},
    ) => {
      const read = async () => ({ content: pages && { pages, ...more }, ...marks })
      return createSweep({ ...context, baselines: { read } })()
    },
    publish: (imageUrl: string) =>
      context.snapshots.keep(
        at,
        'shop',
        { pages: [page(imageUrl)], siteConfig: {} },
        systemClock.now().toISOString(),
      ),
  }
}

const address = (key: string): string => `http://localhost:4200/generated-images/${key}`

t.test('only old files without references are deleted', async (t) => {
  const { post, put, young, oldFile, names, sweep, publish } = await setting(t)
  const keys = await Promise.all(Array.from({ length: 6 }, oldFile))
  const [inDraft = '', inConfig = '', undone = '', published = '', another = '', gone = ''] = keys
  const variant = await put(`${inDraft.slice(0, -4)}_w640.webp`)
  const others = [await young(), await put('gdrive_abc.webp')]
  await post('/draft/bootstrap', { ...at, pages: [page(address(undone))] })
  const patch = { imageUrl: address(inDraft) }
  const set = { op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch }
  v.parse(Applied, (await post('/ops', { ...at, ops: [set] })).json())
  const logo = { op: 'update_site_config', patch: { logo: address(inConfig) } }
  await post('/ops', { ...at, ops: [logo] })
  await publish(address(published))
  t.equal(await sweep([page(address(another))]), 1)
  const left = [inDraft, inConfig, undone, published, another, variant, ...others]
  t.strictSame(await names(), left.toSorted())
  t.notOk((await names()).includes(gone))
  t.equal(await sweep([page(address(another))]), 0, 'nothing on the next sweep')
})

t.test('a copy of a Drive image is kept if either of its addresses is used', async (t) => {
  const { post, old, put, names, sweep } = await setting(t)
  const copyOf = async (name: string) => old(await put(`gdrive_${name}.webp`))
  const used = ['by-drive', 'by-drive_w640', 'by_copy', 'Sized_w320_w640', 'Sized_w320']
  const remaining = await Promise.all(used.map(copyOf))
  await Promise.all(['gone', 'gone_w640', 'by'].map(copyOf))
  const paths = [
    '/gdrive/images/by-drive',
    '/generated-images/gdrive_by_copy.webp',
    '/gdrive/images/Sized_w320',
  ]
  const pages = paths.map((path, n) => ({
    ...page(`http://localhost:4200${path}`),
    id: `p_${n}`,
    slug: n === 0 ? '/' : `/${n}`,
  }))
  await post('/draft/bootstrap', { ...at, pages })
  t.equal(await sweep([]), 3)
  t.strictSame(await names(), remaining.toSorted())
})

t.test('files of what a site has, and cannot be read, stay', async (t) => {
  const { post, oldFile, names, sweep } = await setting(t)
  const used = await oldFile()
  await post('/draft/bootstrap', { ...at, pages: [page('')] })
  const odd = { slug: '/odd', reason: 'its title is missing' }
  for (const [more, marks] of [
    [{ unreadable: [{ ...odd, raw: { ...page(address(used)), slug: '/odd', title: null } }] }, {}],
    // The site names it, and carries it itself.
    [{ unreadable: [odd] }, {}],
    [{}, { hasShrunk: true }],
  ] as const) {
    t.equal(await sweep([page('')], more, marks), 0)
    t.strictSame(await names(), [used])
  }
  t.equal(await sweep([page('')]), 1)
})

t.test('nothing is deleted while published pages cannot be read, or documents keep changing', async (t) => {
  const { context, lines, post, oldFile, names, sweep, publish } = await setting(t)
  await oldFile()
  await post('/draft/bootstrap', { ...at, pages: [page('')] })
  t.equal(await sweep(), 1, 'a site that was never published keeps no files')
  const old = await oldFile()
  await publish('')
  t.equal(await sweep(), 0)
  t.match(lines.join(), /published pages cannot be read/)

  const busy = defineCollection('busy', v.object({}), { columns: {} })
  let reads = 0
  const writing: Baselines = {
    async read() {
      reads++
      await context.store.transaction((tx) => tx.of(busy).put('a', 'b', { body: {}, columns: {} }))
      return { content: { pages: [], siteConfig: { name: 'Shop' } } }
    },
  }
  t.equal(await createSweep({ ...context, baselines: writing })(), 0)
  t.equal(reads, 3, 'it tries three times')
  t.strictSame(await names(), [old])
  t.equal(await sweep([]), 1)
})

t.test('the service sweeps at startup if MEDIA_RETENTION_DAYS is set, which frees storage', async (t) => {
  const start = async (env: Readonly<Record<string, string>>) => {
    const dataDir = temporaryFolder(t)
    const folder = join(dataDir, 'generated-images')
    const stored = await createFileBlobs({ folder, clock: systemClock, ids: randomIds })
    const { key } = await stored.put(files.png, png)
    const then = (systemClock.now().getTime() - 31 * day) / 1000
    await utimes(join(folder, key), then, then)
    const stack = await startStack(t, { dataDir, env })
    const most = 'MEDIA_RETENTION_DAYS' in env ? 200 : 10
    for (let time = 0; time < most && (await readdir(folder)).length > 0; time++) await wait(50)
    const left = (await readdir(folder)).length
    const upload = form({ field: 'image', type: 'image/png', bytes: files.png })
    const answer = await stack.inject({ method: 'POST', url: '/image/upload', ...upload })
    return [left, answer.status]
  }
  const MEDIA_STORE_MAX_BYTES = String(files.png.length)
  t.strictSame(await start({ MEDIA_STORE_MAX_BYTES }), [1, 507])
  t.strictSame(await start({ MEDIA_STORE_MAX_BYTES, MEDIA_RETENTION_DAYS: '30' }), [0, 200])
})

t.test('a failed sweep is logged, and the next one is tried', async (t) => {
  const { log, lines } = capturedLog()
  let runs = 0
  const sweep = async () => {
    if (++runs === 1) throw new Error('not now')
  }
  const sweeps = repeat(sweep, log, 20)
  sweeps.start()
  await until(() => runs > 1, 'a second sweep')
  await sweeps.stop()
  const stopped = runs
  await wait(50)
  t.equal(runs, stopped)
  t.match(lines.join(), /unreferenced files could not be swept/)
})
