import { failureOf, type ContractTest } from '../../kernel/testing.ts'
import type { Blobs } from '../../plugins/blobs/port.ts'
import { type Contract, proveContract } from './contract.ts'

const png = { type: 'image/png', extension: 'png' }
const unfit = [
  '',
  '.',
  '..',
  'a',
  'a.',
  '.png',
  'a.png/',
  '/a.png',
  '../a.png',
  '..%2fa.png',
  '%2e%2e/a.png',
  'a/b.png',
  'a\\b.png',
  'a\0.png',
  'a.png\0',
  'a\n.png',
  'a.png\n',
  'a b.png',
  'a.b.png',
  'a.svg',
  'a.html',
  'a.png.exe',
  'ä.png',
  '\u2025/a.png',
  `${'a'.repeat(161)}.png`,
]

/** The contract of all blob stores. */
export const blobsContract = <T extends ContractTest>(t: T, open: (t: T) => Promise<Blobs>): Promise<void> =>
  proveContract(t, open, contract)

const contract: Contract<Blobs> = {
  'bytes are read back as stored, complete or as a stream': async (t, blobs) => {
    const large = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 7) % 251)
    for (const bytes of [new Uint8Array(), Uint8Array.of(0, 255, 10, 13), large]) {
      for (const source of [bytes, inPieces(bytes, 65_521)]) {
        const stored = await blobs.put(source, png)
        t.same([stored.type, stored.size], ['image/png', bytes.length])
        const found = await blobs.open(stored.key)
        t.same([found?.key, found?.type, found?.size], [stored.key, 'image/png', bytes.length])
        t.equal(Buffer.compare(await readAll(found?.bytes), bytes), 0)
      }
    }
  },

  'a range is read with both ends inclusive, repeatedly': async (t, blobs) => {
    const { key } = await blobs.put(Uint8Array.of(0, 1, 2, 3, 4), png)
    const found = await blobs.open(key)
    const part = async (start: number, end: number) => [...(await readAll(found?.part(start, end)))]
    t.same(
      [await part(0, 0), await part(1, 3), await part(4, 4), await part(0, 4)],
      [[0], [1, 2, 3], [4], [0, 1, 2, 3, 4]],
    )
  },

  'the list has every file once, with its size and time': async (t, blobs) => {
    t.same(await Array.fromAsync(blobs.list()), [])
    const stored = [
      await blobs.put(Uint8Array.of(1), png),
      await blobs.put(Uint8Array.of(1, 2), { type: 'application/pdf', extension: 'pdf' }),
    ]
    const listed = (await Array.fromAsync(blobs.list())).sort((a, b) => a.size - b.size)
    t.same(
      listed.map(({ key, type, size }) => ({ key, type, size })),
      stored,
    )
    for (const { key, changed } of listed) t.equal((await blobs.open(key))?.changed, changed)
    await blobs.remove(stored[0]?.key ?? '')
    t.same(
      (await Array.fromAsync(blobs.list())).map(({ size }) => size),
      [2],
    )
  },

  'two readers of one file do not disturb each other': async (t, blobs) => {
    const bytes = new Uint8Array(200_000).fill(7)
    const { key } = await blobs.put(bytes, png)
    const [one, two] = await Promise.all([blobs.open(key), blobs.open(key)])
    const read = await Promise.all([readAll(one?.bytes), readAll(two?.bytes)])
    t.same(
      read.map((each) => each.length),
      [200_000, 200_000],
    )
  },

  'new names consist of a prefix, the time and an unguessable part': async (t, blobs) => {
    const put = (prefix?: string) =>
      blobs.put(Uint8Array.of(1), { ...png, ...(prefix !== undefined && { prefix }) })
    const [one, two, upload] = [await put(), await put(), await put('upload')]
    t.equal(/^[a-z]+_\d{13}_[0-9a-f]{32}\.png$/.test(one.key), true, one.key)
    t.equal(/^upload_\d{13}_[0-9a-f]{32}\.png$/.test(upload.key), true, upload.key)
    t.equal(new Set([one.key, two.key, upload.key]).size, 3)
  },

  'a given name is used, and its earlier content is replaced': async (t, blobs) => {
    const details = { type: 'image/webp', extension: 'webp', key: 'gdrive_1a-B_2.webp' }
    for (const byte of [1, 2]) t.equal((await blobs.put(Uint8Array.of(byte), details)).key, details.key)
    t.same([...(await readAll((await blobs.open(details.key))?.bytes))], [2])
  },

  'the extension determines the type, case-insensitively': async (t, blobs) => {
    const types = {
      png: 'image/png',
      jpg: 'image/jpeg',
      jpeg: 'image/jpeg',
      webp: 'image/webp',
      gif: 'image/gif',
      avif: 'image/avif',
      PDF: 'application/pdf',
    }
    for (const [extension, type] of Object.entries(types)) {
      const { key } = await blobs.put(Uint8Array.of(1), { type, extension })
      t.equal((await blobs.open(key))?.type, type)
    }
    t.equal(
      await failureOf(blobs.put(Uint8Array.of(1), { type: 'text/html', extension: 'png' })),
      'TypeError',
    )
  },

  'an invalid name is refused for writing and not found for reading': async (t, blobs) => {
    await blobs.put(Uint8Array.of(1), { ...png, key: 'a.png' })
    for (const key of unfit) {
      const put = blobs.put(Uint8Array.of(1), { ...png, key })
      t.equal(await failureOf(put), '400 invalid_file_name', JSON.stringify(key))
      t.equal(await blobs.open(key), undefined)
      t.equal(await blobs.remove(key), false)
    }
    for (const details of [
      { ...png, extension: 'svg' },
      { ...png, extension: '' },
      { ...png, prefix: '../x' },
      { ...png, prefix: 'x'.repeat(150) },
    ]) {
      t.equal(
        await failureOf(blobs.put(Uint8Array.of(1), details)),
        '400 invalid_file_name',
        JSON.stringify(details),
      )
    }
  },

  'a removed file is gone, and removing it again reports that': async (t, blobs) => {
    const { key } = await blobs.put(Uint8Array.of(1), png)
    t.same([await blobs.remove(key), await blobs.remove(key)], [true, false])
    t.equal(await blobs.open(key), undefined)
    t.equal(await blobs.open('upload_1767225600000_00000000000000000000000000000000.png'), undefined)
  },

  'an aborted upload leaves no file, and fails with its own reason': async (t, blobs) => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(100_000)
      throw new Error('the client went away')
    }
    t.equal(await failureOf(blobs.put(broken(), { ...png, key: 'half.png' })), 'the client went away')
    t.equal(await blobs.open('half.png'), undefined)
    t.equal(await blobs.health(), 'ok')
  },
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function readAll(bytes: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  return Buffer.concat(bytes ? await Array.fromAsync(bytes) : [])
}
