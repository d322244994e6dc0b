import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BusboyInstance } from '@fastify/busboy'
import { Refusal, defineRefusal } from '../errors.ts'
import { refusals } from '../refusals.ts'

/** One file of a multipart body, whole. */
export interface UploadedFile {
  readonly field: string
  /** As the client named it; never part of a path. */
  readonly fileName: string
  /** The declared media type in lower case, without parameters. */
  readonly type: string
  readonly bytes: Uint8Array
}

/** A multipart body: text fields, and at most one file. */
export interface Upload {
  readonly fields: Readonly<Record<string, string>>
  readonly file: UploadedFile | undefined
}

/** What a route accepts. */
export interface UploadLimits {
  /** Names of text fields to keep; others are dropped. */
  readonly fields: readonly string[]
  /** Media types that the file may declare. */
  readonly types: readonly string[]
  readonly maxBytes: number
}

const maxFields = 10
const maxFieldBytes = 64 * 1024

const tooManyParts = defineRefusal({ status: 400, code: 'too_many_parts', reason: () => `Send one file and at most ${maxFields} other fields of 64 KiB each.` })
const typeNotAccepted = defineRefusal({
  status: 415,
  code: 'unsupported_media_type',
  reason: (type: string, types: readonly string[]) => `A file of type '${type}' is not accepted here. Send one of ${types.join(', ')}.`,
})

const broken = (): Refusal => refusals.badRequest('The multipart body is broken or incomplete. Send it again.')

/** True for `multipart/form-data` with a boundary. */
export function isMultipartType(contentType: string | undefined): boolean {
  return contentType !== undefined && /^multipart\/form-data[ \t]*;.*\bboundary=/i.test(contentType)
}

/**
 * Reads a multipart body.
 *
 * Sizes are counted while it streams in, and a part that the parser cut short is refused: half a file is never kept.
 * Refuses with 400 `bad_request` or `too_many_parts`, 413 `body_too_large`, 415 `unsupported_media_type`.
 */
export async function readUpload(body: AsyncIterable<Uint8Array>, contentType: string, { fields: wanted, types, maxBytes }: UploadLimits): Promise<Upload> {
  const fields: Record<string, string> = {}
  let file: UploadedFile | undefined
  let problem: Refusal | undefined
  const parser = await createParser(contentType, maxBytes)
  const refuse = (refusal: Refusal): void => void (problem ??= refusal)
  parser.on('field', (name, value, nameCut, valueCut) => {
    if (nameCut || valueCut) refuse(tooManyParts())
    else if (wanted.includes(name)) fields[name] = value
  })
  parser.on('file', (field, stream, fileName, _encoding, declared) => {
    const type = (declared.split(';')[0] ?? '').trim().toLowerCase()
    const chunks: Uint8Array[] = []
    if (!types.includes(type)) refuse(typeNotAccepted(type, types))
    stream.on('limit', () => refuse(refusals.bodyTooLarge(maxBytes)))
    // A body that ends inside a file is an error of the file as well, and one that nobody listens to ends the process.
    stream.on('error', () => refuse(broken()))
    stream.on('data', (chunk: Uint8Array) => void (problem || chunks.push(chunk)))
    stream.on('end', () => void (file = { field, fileName, type, bytes: Buffer.concat(chunks) }))
  })
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) parser.on(limit, () => refuse(tooManyParts()))
  try {
    await pipeline(Readable.from(body), parser)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw problem ?? broken()
  }
  if (problem) throw problem
  return { fields, file }
}

/** The parser is imported with the first upload: a start should not wait for it. */
async function createParser(contentType: string, maxBytes: number): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy')
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fields: maxFields, fieldSize: maxFieldBytes, fileSize: maxBytes, parts: maxFields + 1 },
    })
  } catch {
    throw refusals.unsupportedMediaType('multipart/form-data with a boundary')
  }
}
