import {
  BootError,
  errorCode,
  messageOf,
  pieces,
  type Clock,
  type Ids,
  type Logger,
} from '../../../kernel/index.ts'
import { nameFor, typeOf } from '../names.ts'
import type { Blobs, StoredBlob } from '../port.ts'
import { blobsUnavailable } from '../refusals.ts'
import { createClient, failure, type SendToS3, type S3Request } from './client.ts'
import type { Bucket } from './bucket.ts'
import { partBytes, uploadParts } from './upload.ts'
import { elementText } from './xml.ts'

/**
 * Stores bytes in a bucket of an S3-compatible server.
 *
 * A bucket that refuses is a BootError; one that does not answer is logged, and asked again by each request.
 */
export async function createS3Blobs({
  place,
  clock,
  ids,
  log,
}: {
  readonly place: Bucket
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Pick<Logger, 'warn'>
}): Promise<Blobs> {
  const send = await createClient(place)
  const ask: SendToS3 = (method, request) => send(method, request).catch(refuse)
  await send('GET', oneName(place)).catch((error: unknown) => {
    if (errorCode(error) !== 'S3_AWAY')
      throw new BootError([`${blobsUnavailable(error).reason} (${messageOf(error)})`])
    log.warn({ err: error }, 'the bucket of the files does not answer')
  })

  /** The facts of a file and the tag of its present bytes; `undefined` if there is none. */
  async function find(key: string) {
    const type = typeOf(key)
    if (type === undefined) return undefined
    const found = await send('HEAD', { key }).catch((error: unknown) => {
      if (errorCode(error) !== 'S3_MISSING') throw blobsUnavailable(error)
    })
    if (!found) return undefined
    const header = (name: string) => found.headers.get(name) ?? ''
    const [size, changed] = [Number(header('content-length')), Date.parse(header('last-modified'))]
    return { facts: { key, type, size, changed } satisfies StoredBlob, tag: header('etag') }
  }

  return {
    async put(bytes, details) {
      const key = nameFor(details, { clock, ids })
      const size = await uploadParts(ask, { key, type: details.type }, pieces(bytes, partBytes))
      return { key, type: details.type, size }
    },
    async open(key) {
      const found = await find(key)
      if (!found) return undefined
      const { facts, tag } = found
      const part = (start: number, end: number) =>
        readObject(ask, { key, tag, start, end: Math.min(end, facts.size - 1) })
      return { ...facts, bytes: part(0, facts.size - 1), part }
    },
    list: () => list(ask, place),
    async remove(key) {
      if (!(await find(key))) return false
      await ask('DELETE', { key })
      return true
    },
    async health() {
      return send('GET', oneName(place)).then(
        () => 'ok',
        (error: unknown) => blobsUnavailable(error).reason,
      )
    },
  }
}

const refuse = (error: unknown): never => {
  throw blobsUnavailable(error)
}

const oneName = ({ prefix }: Bucket): S3Request => ({ query: { 'list-type': '2', 'max-keys': '1', prefix } })

async function* readObject(
  ask: SendToS3,
  {
    key,
    tag,
    start,
    end,
  }: { readonly key: string; readonly tag: string; readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  if (start > end) return
  const { body } = await ask('GET', { key, headers: { range: `bytes=${start}-${end}`, 'if-match': tag } })
  try {
    yield* body ?? []
  } catch (error) {
    throw blobsUnavailable(failure('S3_AWAY', `the answer ended early (${String(error)})`))
  }
}

/** Lists a page of names at a time. The listing has fractions of a second, the headers of a file have not. */
async function* list(ask: SendToS3, { prefix }: Bucket): AsyncGenerator<StoredBlob> {
  let next = ''
  do {
    const query = { 'list-type': '2', prefix, ...(next !== '' && { 'continuation-token': next }) }
    const [head = '', ...found]: string[] = (await (await ask('GET', { query })).text()).split('<Contents>')
    for (const each of found) {
      const key = elementText(each, 'Key')?.slice(prefix.length) ?? ''
      const type = typeOf(key)
      const changed = Math.floor(Date.parse(elementText(each, 'LastModified') ?? '') / 1000) * 1000
      if (type !== undefined) yield { key, type, size: Number(elementText(each, 'Size')), changed }
    }
    const tail = head + (found.at(-1) ?? '')
    next = elementText(tail, 'NextContinuationToken') ?? ''
  } while (next !== '')
}
