import t, { type Test } from 'tap'
import sharp from 'sharp'
import { give, randomIds, systemClock, use } from '../../../kernel/index.ts'
import { capturedLog, mountForTest, openGates } from '../../../kernel/testing.ts'
import { createMemoryBlobs } from '../../helpers/memory-blobs.ts'
import { blobs } from '../../../plugins/blobs/port.ts'
import media from '../../../plugins/media/index.ts'
import { createQuota, createSizes } from '../../../plugins/media/testing.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'
import { store } from '../../../plugins/store/port.ts'
import { files } from '../../helpers/media-files.ts'

const jpeg = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#204060' } })
  .withExif({ IFD0: { Copyright: 'somebody' } })
  .jpeg()
  .toBuffer()

async function setting(t: Test, maxBytes = 1e9) {
  const storage = createMemoryBlobs({ clock: systemClock, ids: randomIds })
  const { key } = await storage.put(jpeg, { type: 'image/jpeg', extension: 'jpg' })
  const { log, lines } = capturedLog()
  const quota = createQuota({ blobs: storage, maxBytes })
  const mounted = mountForTest(t, {
    plugins: [use(media)],
    seeds: [...openGates, give(blobs, storage), give(store, createMemoryStore())],
  })
  const get = async (path: string, accept = '*/*') => {
    const answer = await mounted.fetch(
      new Request(`http://localhost/generated-images/${path}`, { headers: { accept } }),
    )
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      vary: answer.headers.get('vary'),
      bytes: Buffer.from(await answer.arrayBuffer()),
    }
  }
  return {
    storage,
    key,
    quota,
    log,
    lines,
    get,
    count: async () => (await Array.fromAsync(storage.list())).length,
  }
}

t.test('an image is resized once, in the best accepted format and without metadata', async (t) => {
  const { key, get, count } = await setting(t)
  t.ok((await sharp(jpeg).metadata()).exif, 'the original has metadata')
  sharp.concurrency(4)
  for (const [accept, type, width] of [
    ['image/avif,image/webp,*/*', 'image/webp', 300],
    ['*/*', 'image/jpeg', 1],
  ] as const) {
    const ask = () => get(`${key}?w=${width}`, accept)
    const [one, two] = await Promise.all([ask(), ask()])
    t.match(one, { status: 200, type, vary: 'Origin, Accept' })
    t.strictSame(one.bytes, two.bytes)
    const about = await sharp(one.bytes).metadata()
    t.strictSame([about.width, about.height, about.exif], [320, 240, undefined])
  }
  t.equal(await count(), 3, 'each was created once')
  const largest = await sharp((await get(`${key}?w=9999`)).bytes).metadata()
  t.equal(largest.width, 800, 'images are not enlarged')
  t.strictSame((await get(key)).bytes, jpeg)
  t.match([sharp.concurrency(), sharp.cache()], [1, { memory: { max: 0 } }], 'one thread, and no cache')
  for (const path of [`${key}?w=0`, `${key}?w=a`, `${key.slice(0, -4)}_w320.avif`])
    t.equal((await get(path)).status, 400, path)
})

const drawn = (background: string) =>
  sharp({ create: { width: 800, height: 400, channels: 3, background } })
    .png()
    .toBuffer()
const [frame, other] = [await drawn('#08f'), await drawn('#f80')]
const frames = () => sharp([frame, other, frame], { join: { animated: true } })

t.test('an animated image stays animated, or is served unchanged', async (t) => {
  const { storage, get } = await setting(t)
  const resized = async (bytes: Buffer, extension: string) => {
    const { key } = await storage.put(bytes, { type: `image/${extension}`, extension })
    const { bytes: given } = await get(`${key}?w=320`, 'image/webp')
    if (given.equals(bytes)) return 'unchanged'
    const { width, pages = 1, delay, loop } = await sharp(given, { animated: true }).metadata()
    return { width, pages, delay, loop }
  }
  const timed = { delay: [90, 50, 70], loop: 2 }
  t.strictSame(await resized(await frames().webp(timed).toBuffer(), 'webp'), {
    width: 320,
    pages: 3,
    ...timed,
  })
  t.equal(await resized(await frames().gif().toBuffer(), 'gif'), 'unchanged')
  const animation = Buffer.concat([Buffer.from('00000008', 'hex'), Buffer.from('acTL'), Buffer.alloc(12)])
  const animated = Buffer.concat([frame.subarray(0, 33), animation, frame.subarray(33)])
  t.equal(await resized(animated, 'png'), 'unchanged', 'all frames are in the original')
  t.match(await resized(frame, 'png'), { width: 320, pages: 1 })
})

t.test('an image that cannot be resized is served unchanged', async (t) => {
  const { storage, key, quota, log, lines, get } = await setting(t)
  const wanted = { width: 320, accept: 'image/webp' }
  const typeOf = async (name: string, sizes = createSizes({ blobs: storage, quota, log })) => {
    const blob = await storage.open(name)
    return blob && (await sizes.of(blob, wanted)).type
  }
  const put = async (bytes: Uint8Array, extension: string, key?: string) => {
    const type = `image/${extension === 'jpg' ? 'jpeg' : extension}`
    return (await storage.put(bytes, { type, extension, ...(key !== undefined && { key }) })).key
  }
  const without = createSizes({ blobs: storage, quota, log, load: async () => undefined })
  t.equal(await typeOf(key, without), 'image/jpeg', 'without sharp')
  t.equal(await typeOf(await put(files.gif, 'gif')), 'image/gif', 'it may be animated')
  const long = `${'a'.repeat(158)}.jpg`
  t.equal(await typeOf(await put(jpeg, 'jpg', long)), 'image/jpeg', 'its name would be too long')
  t.equal(await typeOf(await put(Buffer.from('broken'), 'png')), 'image/png')
  t.equal(`${(await get(`${await put(Buffer.from('broken'), 'png')}?w=320`)).bytes}`, 'broken')
  t.match(lines.join(), /image could not be resized/)
  const full = createQuota({ blobs: storage, maxBytes: 1 })
  t.equal(await typeOf(key, createSizes({ blobs: storage, quota: full, log })), 'image/jpeg', 'no room')

  const { promise, resolve } = Promise.withResolvers<undefined>()
  const busy = createSizes({ blobs: storage, quota, log, load: () => promise })
  const waiting = await Promise.all(Array.from({ length: 20 }, () => put(jpeg, 'jpg')))
  const asked = Promise.all(waiting.map((name) => typeOf(name, busy)))
  await new Promise((done) => setImmediate(done))
  t.equal(await typeOf(key, busy), 'image/jpeg', 'a further request does not wait')
  resolve(undefined)
  t.strictSame(new Set(await asked), new Set(['image/jpeg']))
})

t.test('a file that could not be written does not count towards the limit', async (t) => {
  const { quota } = await setting(t, jpeg.length + 10)
  const write = (fault?: Error) =>
    quota.storing(async (add) => {
      add(10)
      if (fault) throw fault
    })
  await t.rejects(write(new Error('disk')), { message: 'disk' })
  await write()
  await t.rejects(write(), { code: 'storage_full' })
})
