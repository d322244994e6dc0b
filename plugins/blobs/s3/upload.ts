import { blobsUnavailable } from '../refusals.ts'
import { failure, type SendToS3 } from './client.ts'
import { elementText } from './xml.ts'

/** What an upload holds in memory; the protocol wants at least 5 MB of each part but the last one. */
export const partBytes = 8 * 1024 * 1024

interface UploadTarget {
  readonly key: string
  readonly type: string
}

/** Uploads pieces of `partBytes` as one file, which appears when all of them have arrived, and returns its size. */
export async function uploadParts(
  ask: SendToS3,
  { key, type }: UploadTarget,
  parts: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): Promise<number> {
  const headers = { 'content-type': type }
  const first = await parts.next()
  const second = first.done ? first : await parts.next()
  const body = first.done ? new Uint8Array() : first.value
  if (second.done) {
    await ask('PUT', { key, headers, body })
    return body.length
  }
  const uploadId =
    elementText(await (await ask('POST', { key, headers, query: { uploads: '' } })).text(), 'UploadId') ?? ''
  const tags: string[] = []
  let size = 0
  async function send(part: Uint8Array<ArrayBuffer>): Promise<void> {
    const partNumber = String(tags.length + 1)
    const { headers } = await ask('PUT', { key, query: { partNumber, uploadId }, body: part })
    tags.push(headers.get('etag') ?? '')
    size += part.length
  }
  try {
    for (const part of [body, second.value]) await send(part)
    for await (const part of parts) await send(part)
    const listed = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
    const whole = `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`
    // Begins with 200 before the server has joined the parts.
    const reply = await (await ask('POST', { key, query: { uploadId }, body: whole })).text()
    if (!reply.includes('<ETag>')) throw blobsUnavailable(failure('S3_AWAY', 'the parts were not joined'))
    return size
  } catch (error) {
    await parts.return(undefined)
    await ask('DELETE', { key, query: { uploadId } }).catch(() => undefined)
    throw error
  }
}
