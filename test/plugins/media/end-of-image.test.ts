import sharp from 'sharp'
import t from 'tap'
import { createEndSearch } from '../../../plugins/media/testing.ts'
import { files } from '../../helpers/media-files.ts'

const colors = Buffer.from(Array.from({ length: 60 * 40 * 3 }, (_, at) => (at * 7919) & 255))
const drawn = sharp(colors, { raw: { width: 60, height: 40, channels: 3 } })
const frame = (background: string) =>
  sharp({ create: { width: 9, height: 9, channels: 3, background } }).png()
const frames = await Promise.all(['#f00', '#00f'].map((color) => frame(color).toBuffer()))
const animated = sharp(frames, { join: { animated: true } })

const images = {
  'image/png': [files.png, await drawn.clone().png().toBuffer()],
  'image/jpeg': [files.jpeg, files.turned, await drawn.clone().jpeg({ progressive: true }).toBuffer()],
  'image/gif': [files.gif, await drawn.clone().gif().toBuffer(), await animated.clone().gif().toBuffer()],
  'image/webp': [files.webp, await animated.clone().webp().toBuffer()],
} as const

/** The bytes that a file of the type may lack. */
const missing: Readonly<Record<string, readonly number[]>> = {
  'image/png': [12],
  'image/jpeg': [1],
  'image/gif': [1, 2],
}

t.test('the end of an image is found in chunks of any size, whatever follows it', (t) => {
  for (const [type, list] of Object.entries(images))
    for (const bytes of list)
      for (const length of [1, 2, 3, 7, 64, 100_000]) {
        const search = createEndSearch(type)
        const given = Buffer.concat([bytes, Buffer.alloc(9, 'x')])
        for (let at = 0; at < given.length; at += length) search.add(given.subarray(at, at + length))
        t.equal(search.end(), bytes.length, `${type} in parts of ${length}`)
      }
  t.end()
})

t.test('an image without more than its last bytes has no end', (t) => {
  for (const [type, list] of Object.entries(images))
    for (const bytes of list)
      for (let lacks = 1; lacks < 20; lacks++) {
        const search = createEndSearch(type)
        search.add(bytes.subarray(0, -lacks))
        const isAccepted = missing[type]?.includes(lacks)
        t.equal(search.end(), isAccepted ? bytes.length - lacks : undefined, `${type} without ${lacks}`)
      }
  const [first, second] = [files.png, files.png].map((bytes) => bytes.subarray(0, -12))
  if (!first || !second) throw new Error('there are no pictures')
  const search = createEndSearch('image/png')
  search.add(Buffer.concat([first, second.subarray(33, -5)]))
  t.equal(search.end(), undefined, 'pixels are missing')
  t.equal(createEndSearch('image/png').end(), undefined)
  t.end()
})

t.test('the time for a file of nothing but short steps is linear', (t) => {
  for (const [type, start, repeated] of [
    ['image/jpeg', 'ffd8', 'ff00'],
    ['image/gif', '474946383961000000000000002101', '0101'],
  ] as const) {
    const search = createEndSearch(type)
    search.add(
      Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(2 ** 22, Buffer.from(repeated, 'hex'))]),
    )
    // Quadratic time would exceed the time limit of the file.
    t.equal(search.end(), undefined, type)
  }
  t.end()
})
