import { Refusal, type IncomingFile, type Upload } from '../../kernel/index.ts'
import { contentTypeOf, fileRefusals } from '../media/port.ts'
import type { Recording } from './port.ts'
import { refusals } from './refusals.ts'

export const mostBytes = 25 * 1024 * 1024
/** A kind of recording. */
interface Format {
  /** As it is sent on. */
  readonly type: string
  readonly extension: string
}

/** Kinds of recordings, with the media types that clients declare for them and those that their content shows. */
const formats = [
  { type: 'audio/mpeg', extension: 'mp3', others: ['audio/mp3', 'audio/mpga', 'audio/x-mpeg'] },
  { type: 'audio/mp4', extension: 'mp4', others: ['video/mp4', 'video/quicktime'] },
  { type: 'audio/x-m4a', extension: 'm4a', others: ['audio/m4a', 'video/x-m4v'] },
  { type: 'audio/wav', extension: 'wav', others: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'] },
  { type: 'audio/webm', extension: 'webm', others: ['video/webm'] },
  { type: 'audio/ogg', extension: 'ogg', others: ['video/ogg', 'application/ogg'] },
  { type: 'audio/flac', extension: 'flac', others: ['audio/x-flac'] },
] as const

const byType: ReadonlyMap<string, Format> = new Map(formats.flatMap(({ type, extension, others }) => [type, ...others].map((each) => [each, { type, extension }] as const)))

export const recordingTypes: readonly string[] = [...byType.keys()]

/** The kind of a media type; `undefined` for one that is not accepted. */
const formatOf = (type: string | undefined): Format | undefined => byType.get(type ?? '')

const field = 'audio'
/** Parts are put together to pieces of this size, since a blob for each would weigh more than a small part; the first piece shows the type. */
const pieceBytes = 256 * 1024
const longestPrompt = 400

/**
 * Reads a recording out of a form, into memory and never to the disk. What it takes counts against the limits of bodies until the
 * request is answered: no part is given back before.
 */
export async function readRecording(body: Upload): Promise<Recording> {
  const { fields, taken } = await body.receive(toFile).catch((error: unknown) => {
    throw inOwnWords(error)
  })
  if (!taken) throw fileRefusals.fileRequired(field)
  const language = fields['language']?.trim() || undefined
  const prompt = fields['prompt']?.trim() || undefined
  if (language !== undefined && !/^[a-z]{2}$/.test(language)) throw refusals.invalidField('language must be two small letters, such as en.')
  if (prompt !== undefined && prompt.length > longestPrompt) throw refusals.invalidField(`prompt must have at most ${longestPrompt} characters.`)
  return { file: taken, language, prompt }
}

async function toFile({ field: named, bytes }: IncomingFile): Promise<File> {
  if (named !== field) throw fileRefusals.wrongField(field)
  const blobs: Blob[] = []
  let format: Format | undefined
  for await (const piece of inPieces(bytes)) {
    format ??= formatOf(await contentTypeOf(piece))
    if (!format) throw fileRefusals.contentMismatch()
    blobs.push(new Blob([piece]))
  }
  if (!format) throw fileRefusals.fileEmpty()
  return new File(blobs, `recording.${format.extension}`, { type: format.type })
}

async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer<ArrayBuffer>> {
  let [parts, size]: [Uint8Array[], number] = [[], 0]
  for await (const part of bytes) {
    parts.push(part)
    size += part.length
    if (size < pieceBytes) continue
    yield Buffer.concat(parts)
    ;[parts, size] = [[], 0]
  }
  if (size > 0) yield Buffer.concat(parts)
}

/** What the kernel refuses of a form, as this route says it. */
function inOwnWords(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  if (error.code === 'body_too_large') return fileRefusals.fileTooLarge(mostBytes)
  return error.code === 'unsupported_media_type' ? refusals.unsupportedType() : error
}
