/** A real S3 server for a test file: fauxqs, behind a door that verifies signatures, which fauxqs does not. */
import { createHash, createHmac } from 'node:crypto'
import { createServer, request, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { startFauxqs } from 'fauxqs'
import { freePort, type TeardownTest } from './raw.ts'

export const keys = {
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG',
  AWS_SESSION_TOKEN: 'session-of-a-test',
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Whether a request is signed with `keys`, by the algorithm of AWS Signature Version 4; also the bytes of its body. */
function isSigned({ method = '', url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/((\d{8})\/([\w-]+)\/s3\/aws4_request), SignedHeaders=([\w;-]+), Signature=(\w+)$/
  const [, id, scope, day = '', region = '', names = '', signature] =
    form.exec(headers.authorization ?? '') ?? []
  const [path = '', query = ''] = url.split('?')
  const sent = (name: string): string => String(headers[name] ?? '').trim()
  const canonical = [
    method,
    path,
    query
      .split('&')
      .map((each) => (each === '' || each.includes('=') ? each : `${each}=`))
      .toSorted()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${sent(name)}`),
    '',
    names,
    sent('x-amz-content-sha256'),
  ].join('\n')
  const key = ['s3', 'aws4_request'].reduce(
    hmac,
    hmac(hmac(`AWS4${keys.AWS_SECRET_ACCESS_KEY}`, day), region),
  )
  const text = ['AWS4-HMAC-SHA256', sent('x-amz-date'), scope, sha256(canonical)].join('\n')
  const isWhole = ['host', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token'].every((name) =>
    names.split(';').includes(name),
  )
  return (
    id === keys.AWS_ACCESS_KEY_ID &&
    isWhole &&
    sent('x-amz-security-token') === keys.AWS_SESSION_TOKEN &&
    sent('x-amz-content-sha256') === sha256(body) &&
    hmac(key, text).toString('hex') === signature
  )
}

/** Starts a server, stopped with the test; `bucket` creates a bucket and returns its address for `BLOBS_URL`. */
export async function startS3(t: TeardownTest) {
  const s3 = await startFauxqs({ port: 0, logger: false })
  const seen: string[] = []
  /** What happens to requests of a form instead: an answer of this status, or an end of the connection. */
  let spoilt: readonly [form: RegExp, status: number] | undefined
  const door = createServer(async (incoming, answer) => {
    const body = await buffer(incoming)
    const line = `${incoming.method} ${incoming.url}`
    seen.push(line)
    const status = spoilt?.[0].test(line) ? spoilt[1] : isSigned(incoming, body) ? undefined : 403
    if (status === 0) return void answer.destroy()
    if (status !== undefined)
      return void answer.writeHead(status).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
    const { method, url: path, headers } = incoming
    request({ host: '127.0.0.1', port: s3.port, method, path, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers)
      given.pipe(answer)
    }).end(body)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => door.listen(port, '127.0.0.1', resolve))
  t.teardown(async () => {
    door.closeAllConnections()
    door.close()
    await s3.stop()
  })
  let count = 0
  return {
    seen,
    spoil: (form: RegExp, status: number) => void (spoilt = [form, status]),
    heal: () => void (spoilt = undefined),
    bucket(prefix = '/site'): string {
      const name = `test-${++count}`
      s3.createBucket(name)
      return `s3://${name}${prefix}?endpoint=http://127.0.0.1:${port}&region=eu-central-1`
    },
  }
}
