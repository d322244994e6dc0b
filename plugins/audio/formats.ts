/** A kind of recording. */
export interface Format {
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
export const formatOf = (type: string | undefined): Format | undefined => byType.get(type ?? '')
