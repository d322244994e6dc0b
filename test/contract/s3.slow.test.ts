import { once } from 'node:events'
import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { blobsContract } from '../../config/contracts/blobs.ts'
import { randomIds, systemClock } from '../../kernel/index.ts'
import { failureOf } from '../../kernel/testing.ts'
import { createS3Blobs, readBucket } from '../../plugins/blobs/testing.ts'
import { largePng } from '../helpers/media-files.ts'
import { keys, startS3 } from '../helpers/s3.ts'
import { startService } from '../security/service.ts'

const png = { type: 'image/png', extension: 'png' }
const server = await startS3(t)

function open(address = server.bucket(), variables = keys) {
  const lines: string[] = []
  const log = { warn: (...said: readonly unknown[]) => void lines.push(String(said[1])) }
  const place = readBucket(address, variables)
  return createS3Blobs({ place, clock: systemClock, ids: randomIds, log }).then((blobs) => ({ blobs, lines }))
}

t.test('blobs in a bucket fulfil the contract', (t: Test) =>
  blobsContract(t, async () => (await open()).blobs),
)

t.test('blobs of a whole bucket are listed page by page', async (t) => {
  const { blobs } = await open(server.bucket(''))
  const names = Array.from({ length: 1005 }, (_, at) => `a_${at}.png`)
  for (let at = 0; at < names.length; at += 50)
    await Promise.all(names.slice(at, at + 50).map((key) => blobs.put(Uint8Array.of(1), { ...png, key })))
  const listed = (await Array.fromAsync(blobs.list())).map(({ key }) => key)
  t.strictSame(listed.toSorted(), names.toSorted())
})

t.test('an empty name of the next page ends a list', async (t) => {
  const [page, head] = [
    '<NextContinuationToken></NextContinuationToken>',
    '<Contents><Key>a.png</Key><Size>1</Size>',
  ]
  let asked = 0
  const other = createServer((_, answer) => void answer.writeHead(asked++ < 3 ? 200 : 403).end(page + head))
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const { port } = v.parse(v.object({ port: v.number() }), other.address())
  const { blobs } = await open(`s3://bucket?endpoint=http://127.0.0.1:${port}`)
  t.match(await Array.fromAsync(blobs.list()), [{ key: 'a.png', size: 1 }])
})

t.test(
  'a large file is uploaded in parts, a range is read alone, and what breaks leaves nothing',
  async (t) => {
    const { blobs } = await open()
    const large = Uint8Array.from({ length: 20_000_000 }, (_, at) => (at * 7) % 251)
    server.seen.length = 0
    const { key, size } = await blobs.put(large, png)
    t.equal(size, large.length)
    t.equal(server.seen.filter((line) => line.includes('partNumber=')).length, 3)
    const found = await blobs.open(key)
    const part = Buffer.concat(await Array.fromAsync(found?.part(8_000_000, 9_000_000) ?? []))
    t.equal(Buffer.compare(part, large.subarray(8_000_000, 9_000_001)), 0)
    t.equal(Buffer.compare(Buffer.concat(await Array.fromAsync(found?.bytes ?? [])), large), 0)

    async function* broken() {
      yield large
      throw new Error('the client went away')
    }
    server.seen.length = 0
    const about = { ...png, key: 'half.png' }
    t.equal(await failureOf(blobs.put(broken(), about)), 'the client went away')
    t.match(server.seen.at(-1), /^DELETE .*half\.png\?uploadId=/)
    server.spoil(/partNumber=2/, 400)
    t.equal(await failureOf(blobs.put(large, about)), '503 blobs_unavailable')
    t.match(server.seen.at(-1), /^DELETE .*half\.png\?uploadId=/)
    server.spoil(/^POST .*uploadId/, 200)
    t.equal(await failureOf(blobs.put(large, about)), '503 blobs_unavailable', 'an error after 200')
    server.heal()
    t.equal(await blobs.open('half.png'), undefined)
  },
)

t.test('a file that was replaced before it was read is not mixed up', async (t) => {
  const { blobs } = await open()
  const about = { ...png, key: 'cache.png' }
  await blobs.put(Uint8Array.of(1, 2, 3), about)
  const found = await blobs.open('cache.png')
  await blobs.put(Uint8Array.of(9, 9, 9), about)
  await t.rejects(Array.fromAsync(found?.bytes ?? []), { code: 'blobs_unavailable', reason: /replaced/ })
})

t.test('a bucket that does not answer is logged, said to callers, and used when it answers', async (t) => {
  const address = server.bucket()
  server.spoil(/^/, 0)
  const { blobs, lines } = await open(address)
  t.strictSame(lines, ['the bucket of the files does not answer'])
  t.equal(await failureOf(blobs.put(Uint8Array.of(1), png)), '503 blobs_unavailable')
  t.equal(await failureOf(blobs.open('a.png')), '503 blobs_unavailable')
  t.match(await blobs.health(), /does not answer/)
  server.heal()
  t.equal(await blobs.health(), 'ok')
})

t.test('a bucket that refuses, and an address that is wrong, stop the start with the remedy', async (t) => {
  const secret = 'secret-guess'
  const at = server.bucket()
  const wrong: readonly (readonly [address: string, variables: Partial<typeof keys>, says: RegExp])[] = [
    [at, { ...keys, AWS_SECRET_ACCESS_KEY: secret }, /check AWS_ACCESS_KEY_ID.*SignatureDoesNotMatch/],
    [at.replace('test-', 'none-'), keys, /does not exist; create it/],
    [at, { ...keys, AWS_SESSION_TOKEN: `${secret}\n` }, /has a space or a line end; remove it/],
    [at, { AWS_ACCESS_KEY_ID: 'a' }, /needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
    [`s3://key:${secret}@bucket`, keys, /BLOBS_URL has keys; put them into AWS_/],
    ['https://bucket.example/', keys, /must begin with s3:\/\/; write s3:\/\/bucket\/prefix/],
    ['s3://', keys, /write s3:\/\/bucket\/prefix/],
    ['s3://bucket/..%2f..', keys, /write s3:\/\/bucket\/prefix/],
    ['s3://bucket//other.example', keys, /write s3:\/\/bucket\/prefix/],
    [`s3://bucket?secret=${secret}`, keys, /unknown setting.*write s3:/],
    ['s3://bucket?endpoint=minio', keys, /endpoint in BLOBS_URL.*correct it/],
    [`s3://bucket?endpoint=http://a:${secret}@minio`, keys, /endpoint in BLOBS_URL.*correct it/],
  ]
  for (const [address, variables, says] of wrong) {
    const failure: unknown = await Promise.resolve()
      .then(() => open(address, variables as typeof keys))
      .catch((error: unknown) => error)
    t.match(failure, { name: 'BootError', message: says })
    t.notMatch(String(failure), secret)
  }
})

t.test('without an endpoint the address is that of Amazon', async (t) => {
  const bucketOf = (address: string, region?: string) =>
    readBucket(address, { ...keys, AWS_REGION: region }).bucket
  t.equal(bucketOf('s3://pictures/site'), 'https://pictures.s3.us-east-1.amazonaws.com/')
  t.equal(bucketOf('s3://pictures', 'eu-west-1'), 'https://pictures.s3.eu-west-1.amazonaws.com/')
  t.equal(bucketOf('s3://my.pictures?region=eu-west-1'), 'https://s3.eu-west-1.amazonaws.com/my.pictures/')
})

t.test('BLOBS_URL or the option selects it for a server, whose log has no key', async (t) => {
  const url = server.bucket()
  const one = await startService(t, { env: { BLOBS_URL: url, ...keys } })
  const other = await startService(t, { env: keys, plugins: [['blobs', { url }]] })
  const bytes = new Uint8Array(largePng(300_000))
  const body = new FormData()
  body.set('image', new File([bytes], 'a.png', { type: 'image/png' }))
  const answer = await fetch(`${one.origin}/image/upload`, { method: 'POST', body })
  const [path = ''] = /\/generated-images\/[\w-]+\.png/.exec(await answer.text()) ?? []
  const read = (headers = {}) => fetch(other.origin + path, { headers })
  t.equal(Buffer.compare(Buffer.from(await (await read()).arrayBuffer()), bytes), 0)
  t.equal((await read({ range: 'bytes=10-19' })).status, 206)
  server.spoil(/^/, 500)
  t.equal((await read()).status, 503)
  server.heal()
  t.notMatch(one.written() + other.written(), /wJalrXUtnFEMI|session-of-a-test/)
})
