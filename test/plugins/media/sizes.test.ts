import t, { type Test } from 'tap'
import sharp from 'sharp'
import { give, randomIds, systemClock, use } from '../../../kernel/index.ts'
import { capturedLog, mountForTest, openGates } from '../../../kernel/testing.ts'
import { createMemoryBlobs } from '../../../plugins/blobs/memory.ts'
import { blobs } from '../../../plugins/blobs/port.ts'
import media from '../../../plugins/media/index.ts'
import { createQuota } from '../../../plugins/media/store.ts'
import { createSizes } from '../../../plugins/media/serve.ts'
import { createMemoryStore } from '../../../plugins/store/memory.ts'
import { store } from '../../../plugins/store/port.ts'
import { files } from '../../helpers/media-files.ts'

const jpeg = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#204060' } }).withExif({ IFD0: { Copyright: 'somebody' } }).jpeg().toBuffer()

async function setting(t: Test, maxBytes = 1e9) {
  const kept = createMemoryBlobs({ clock: systemClock, ids: randomIds })
  const { key } = await kept.put(jpeg, { type: 'image/jpeg', extension: 'jpg' })
  const { log, lines } = capturedLog()
  const quota = createQuota({ blobs: kept, maxBytes })
  const mounted = mountForTest(t, { plugins: [use(media)], seeds: [...openGates, give(blobs, kept), give(store, createMemoryStore())] })
  const get = async (path: string, accept = '*/*') => {
    const answer = await mounted.fetch(new Request(`http://localhost/generated-images/${path}`, { headers: { accept } }))
    return { status: answer.status, type: answer.headers.get('content-type'), vary: answer.headers.get('vary'), bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  return { kept, key, quota, log, lines, get, count: async () => (await Array.fromAsync(kept.list())).length }
}

t.test('an image is made in the width that a page needs, in the best format it accepts, without metadata, and once', async (t) => {
  const { key, get, count } = await setting(t)
  t.ok((await sharp(jpeg).metadata()).exif, 'the original has metadata')
  for (const [accept, type, width] of [['image/avif,image/webp,*/*', 'image/avif', 300], ['image/webp,*/*', 'image/webp', 320], ['*/*', 'image/jpeg', 1]] as const) {
    const [one, two] = await Promise.all([get(`${key}?w=${width}`, accept), get(`${key}?w=${width}`, accept)])
    t.match(one, { status: 200, type, vary: 'Origin, Accept' })
    t.strictSame(one.bytes, two.bytes)
    const about = await sharp(one.bytes).metadata()
    t.strictSame([about.width, about.height, about.exif], [320, 240, undefined])
  }
  t.equal(await count(), 4, 'each was made once')
  t.equal((await sharp((await get(`${key}?w=9999`)).bytes).metadata()).width, 800, 'none is made larger')
  t.strictSame((await get(key)).bytes, jpeg)
  for (const path of [`${key}?w=0`, `${key}?w=a`, `${key.slice(0, -4)}_w320.avif`]) t.equal((await get(path)).status, 400, path)
})

t.test('what cannot be made smaller is served as it is', async (t) => {
  const { kept, key, quota, log, lines } = await setting(t)
  const wanted = { width: 320, accept: 'image/webp' }
  const typeOf = async (name: string, sizes = createSizes({ blobs: kept, quota, log })) => {
    const blob = await kept.open(name)
    return blob && (await sizes.of(blob, wanted)).type
  }
  t.equal(await typeOf(key, createSizes({ blobs: kept, quota, log, load: async () => undefined })), 'image/jpeg', 'without sharp')
  t.equal(await typeOf((await kept.put(files.gif, { type: 'image/gif', extension: 'gif' })).key), 'image/gif', 'it may move')
  t.equal(await typeOf((await kept.put(jpeg, { type: 'image/jpeg', extension: 'jpg', key: `${'a'.repeat(158)}.jpg` })).key), 'image/jpeg', 'its name would be too long')
  t.equal(await typeOf((await kept.put(Buffer.from('broken'), { type: 'image/png', extension: 'png' })).key), 'image/png')
  t.match(lines.join(), /image could not be resized/)
  const full = createQuota({ blobs: kept, maxBytes: 1 })
  t.equal(await typeOf(key, createSizes({ blobs: kept, quota: full, log })), 'image/jpeg', 'there is no storage left')

  const { promise, resolve } = Promise.withResolvers<undefined>()
  const busy = createSizes({ blobs: kept, quota, log, load: () => promise })
  const waiting = await Promise.all(Array.from({ length: 20 }, async () => (await kept.put(jpeg, { type: 'image/jpeg', extension: 'jpg' })).key))
  const asked = Promise.all(waiting.map((name) => typeOf(name, busy)))
  await new Promise((done) => setImmediate(done))
  t.equal(await typeOf(key, busy), 'image/jpeg', 'one more does not wait')
  resolve(undefined)
  t.strictSame(new Set(await asked), new Set(['image/jpeg']))
})
