import { Refusal, type IncomingFile, type Upload } from '../../../kernel/index.ts'
import { contentTypeOf, fileRefusals, undeclared } from '../port.ts'
import type { Recording } from '../../models/port.ts'
import { refusals } from './refusals.ts'

export const maxBytes = 25 * 1024 * 1024
interface Format {
  /** The media type sent to models. */
  readonly type: string
  readonly extension: string
}

/** Accepted formats, with the media types that clients declare and those detected from content. */
const formats = [
  { type: 'audio/mpeg', extension: 'mp3', others: ['audio/mp3', 'audio/mpga', 'audio/x-mpeg'] },
  { type: 'audio/mp4', extension: 'mp4', others: ['video/mp4', 'video/quicktime'] },
  { type: 'audio/x-m4a', extension: 'm4a', others: ['audio/m4a', 'video/x-m4v'] },
  { type: 'audio/wav', extension: 'wav', others: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'] },
  { type: 'audio/webm', extension: 'webm', others: ['video/webm'] },
  { type: 'audio/ogg', extension: 'ogg', others: ['video/ogg', 'application/ogg'] },
  { type: 'audio/flac', extension: 'flac', others: ['audio/x-flac'] },
] as const

const byType: ReadonlyMap<string, Format> = new Map(
  formats.flatMap(({ type, extension, others }) =>
    [type, ...others].map((each) => [each, { type, extension }] as const),
  ),
)

export const recordingTypes: readonly string[] = [...byType.keys(), undeclared]

/** Returns the format of a media type; `undefined` if it is not accepted. */
const formatOf = (type: string | undefined): Format | undefined => byType.get(type ?? '')

const field = 'audio'
/** The chunk size: a blob costs more than a small part, and the first chunk identifies the type. */
const chunkBytes = 256 * 1024
const maxPromptCharacters = 400

/**
 * Reads a recording from a form into memory, never to disk. It counts against the limits of request bodies
 * until the request is answered, because no chunk is released earlier.
 */
export async function readRecording(body: Upload): Promise<Recording> {
  const { fields, taken } = await body.receive(toFile).catch((error: unknown) => {
    throw toUploadRefusal(error)
  })
  if (!taken) throw fileRefusals.fileRequired(field)
  const language = fields['language']?.trim() || undefined
  const prompt = fields['prompt']?.trim() || undefined
  if (language !== undefined && !/^[a-z]{2}$/.test(language))
    throw refusals.invalidField('language must be two lower-case letters, such as en.')
  if (prompt !== undefined && prompt.length > maxPromptCharacters)
    throw refusals.invalidField(`prompt must have at most ${maxPromptCharacters} characters.`)
  return { file: taken, language, prompt }
}

async function toFile({ field: name, bytes }: IncomingFile): Promise<File> {
  if (name !== field) throw fileRefusals.wrongField(field)
  const blobs: Blob[] = []
  let format: Format | undefined
  for await (const chunk of inChunks(bytes)) {
    format ??= formatOf(await contentTypeOf(chunk))
    if (!format) throw fileRefusals.contentMismatch()
    blobs.push(new Blob([chunk]))
  }
  if (!format) throw fileRefusals.fileEmpty()
  return new File(blobs, `recording.${format.extension}`, { type: format.type })
}

async function* inChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer<ArrayBuffer>> {
  let [parts, size]: [Uint8Array[], number] = [[], 0]
  for await (const part of bytes) {
    parts.push(part)
    size += part.length
    if (size < chunkBytes) continue
    yield Buffer.concat(parts)
    ;[parts, size] = [[], 0]
  }
  if (size > 0) yield Buffer.concat(parts)
}

/** Converts a refusal of the kernel's form parser to one of this route. */
function toUploadRefusal(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  if (error.code === 'body_too_large') return fileRefusals.fileTooLarge(maxBytes)
  return error.code === 'unsupported_media_type' ? refusals.unsupportedType() : error
}
