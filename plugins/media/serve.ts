import { readRange, type Answer } from '../../kernel/index.ts'
import type { OpenBlob } from '../blobs/port.ts'
import type { routes } from './routes.ts'

/** What a request says about the bytes that it wants. */
export type Asked = (name: 'range' | 'if-range' | 'if-none-match') => string | undefined

/** Makes the answer with a stored file, or the part of it that is asked for. A browser saves a PDF instead of showing it. */
export function toFileAnswer(blob: OpenBlob, header: Asked): Answer<typeof routes.file> {
  const { key, type, size, changed } = blob
  const etag = `"${size.toString(36)}-${Math.floor(changed).toString(36)}"`
  const headers = {
    'content-type': type,
    etag,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': 'sandbox',
    'cross-origin-resource-policy': 'cross-origin',
    'accept-ranges': 'bytes',
    vary: 'Origin, Accept',
    ...(type === 'application/pdf' && { 'content-disposition': `attachment; filename="${key}"` }),
  }
  const isWanted = header('if-none-match') === undefined && [undefined, etag].includes(header('if-range'))
  const part = isWanted ? readRange(header('range'), size) : undefined
  if (!part) return { status: 200, headers: { ...headers, 'content-length': String(size) }, body: blob.bytes }
  const { start, end } = part
  const ofPart = { 'content-length': String(end + 1 - start), 'content-range': `bytes ${start}-${end}/${size}` }
  return { status: 206, headers: { ...headers, ...ofPart }, body: blob.part(start, end) }
}
