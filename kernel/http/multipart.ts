import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { BusboyInstance } from '@fastify/busboy'
import { Refusal, defineRefusal } from '../errors.ts'
import { refusals } from '../refusals.ts'
import type { HeldBody } from './held-bodies.ts'
import type { HttpRequest } from './message.ts'

/** The file of a multipart body, as it arrives. */
export interface IncomingFile {
  readonly field: string
  /** The file name sent by the client; never part of a path. */
  readonly fileName: string
  /** The declared media type in lower case, without parameters. */
  readonly type: string
  /**
   * The bytes, at the pace of their reader. They end once the complete body was read without a problem, and
   * throw the refusal otherwise: code that names the stored file only at the end never keeps a partial one.
   */
  readonly bytes: AsyncIterable<Uint8Array>
  /**
   * Releases a chunk of the bytes, which must not be used afterwards. Until then it stays in memory and
   * counts against the limits of bodies.
   */
  release(part: Uint8Array): void
}

/** The content of a multipart body. */
export interface Received<T> {
  /** Text fields by name; of fields with the same name, the last. */
  readonly fields: Readonly<Record<string, string>>
  /** The result of `take`; `undefined` if the body had no file. */
  readonly taken: T | undefined
}

/** A multipart body before it is read: text fields, and at most one file. */
export interface Upload {
  /**
   * Reads the body, once, and passes its file to `take` as it arrives. Rethrows an error of `take`.
   *
   * Refuses with 400 `bad_request` or `too_many_parts`, 413 `body_too_large`, 415 `unsupported_media_type`.
   */
  receive<T>(take: (file: IncomingFile) => Promise<T>): Promise<Received<T>>
}

/** Distinguishes a form from a JSON body, which has no functions. */
export const isUpload = (body: unknown): body is Upload =>
  typeof body === 'object' && body !== null && 'receive' in body && typeof body.receive === 'function'

/** The accepted form of a route, and its limits. */
export interface UploadLimits {
  /** The name of the file field, for API descriptions; default: `file`. The handler may require it. */
  readonly field?: string
  /** Names of text fields to keep; others are dropped. */
  readonly fields: readonly string[]
  /** Media types that the file may declare. */
  readonly types: readonly string[]
  readonly maxBytes: number
}

const maxFields = 10
const maxFieldBytes = 64 * 1024

const typeNotAccepted = defineRefusal({
  status: 415,
  code: 'unsupported_media_type',
  reason: (type: string, types: readonly string[]) =>
    `A file of type '${type}' is not accepted here. Send one of ${types.join(', ')}.`,
})

const broken = (): Refusal =>
  refusals.badRequest('The multipart body is broken or incomplete. Send it again.')

/** True for `multipart/form-data` with a boundary. */
export function isMultipartType(contentType: string | undefined): boolean {
  return contentType !== undefined && /^multipart\/form-data[ \t]*;.*\bboundary=/i.test(contentType)
}

export function toUpload(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  { fields: wanted, types, maxBytes }: UploadLimits,
  { subtract, isDisposable }: Pick<HeldBody, 'subtract'> & Pick<HttpRequest, 'isDisposable'>,
): Upload {
  const release = (part: Uint8Array): void => {
    const { buffer, byteLength } = part
    subtract(byteLength)
    // The parser no longer needs a chunk that it passed on completely.
    if (isDisposable && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
  }
  return {
    async receive<T>(take: (file: IncomingFile) => Promise<T>) {
      const fields: Record<string, string> = {}
      const parser = await createParser(contentType, maxBytes)
      let stream: Readable | undefined
      let taking: Promise<T> | undefined
      let problem: unknown
      const refuse = (reason: unknown): void => {
        problem ??= reason
        parser.destroy()
      }
      parser.on('field', (name, value, nameCut, valueCut) => {
        if (nameCut || valueCut) refuse(refusals.tooManyParts(maxFields))
        else if (wanted.includes(name)) fields[name] = value
      })
      parser.on('file', (field, file, fileName, _encoding, declared) => {
        stream = file
        const type = (declared.split(';')[0] ?? '').trim().toLowerCase()
        file.on('limit', () => refuse(refusals.bodyTooLarge(maxBytes)))
        // A body that ends inside a file is an error of the file too, which ends the process if unhandled.
        file.on('error', () => refuse(broken()))
        if (!types.includes(type)) return refuse(typeNotAccepted(type, types))
        taking = take({ field, fileName, type, bytes: untilRead(file), release })
        taking.then(() => file.resume(), refuse)
      })
      for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
        parser.on(limit, () => refuse(refusals.tooManyParts(maxFields)))

      const read = feed(parser, body).catch((error: unknown) => {
        problem ??= error instanceof Refusal ? error : broken()
        parser.destroy()
        stream?.destroy()
      })
      const end = async (): Promise<void> => {
        await read
        if (problem !== undefined) throw problem
      }
      async function* untilRead(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
        try {
          yield* file
        } catch (error) {
          throw problem ?? error
        }
        await end()
      }

      await read
      await taking?.catch(refuse)
      await end()
      return { fields, taken: await taking }
    },
  }
}

/** Writes a body to the parser at its pace. A loop, because `pipeline` creates more garbage. */
async function feed(parser: BusboyInstance, body: AsyncIterable<Uint8Array>): Promise<void> {
  let wake = (): void => undefined
  const ended = finished(parser)
  ended.catch(() => wake())
  parser.on('drain', () => wake())
  for await (const chunk of body) {
    if (parser.destroyed) break
    if (!parser.write(chunk)) await new Promise<void>((resolve) => (wake = resolve))
  }
  parser.end()
  await ended
}

/** Imports the parser on the first upload, to keep the start fast. */
async function createParser(contentType: string, maxBytes: number): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy')
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      fileHwm: 1,
      limits: {
        files: 1,
        fields: maxFields,
        fieldSize: maxFieldBytes,
        fileSize: maxBytes,
        parts: maxFields + 1,
      },
    })
  } catch {
    throw refusals.unsupportedMediaType('multipart/form-data with a boundary')
  }
}
