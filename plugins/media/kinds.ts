/** What may be uploaded, by the media type that a client declares. */
export interface Kind {
  readonly kind: 'image' | 'pdf' | 'text'
  readonly type: string
  /** Of the stored name; text is not stored. */
  readonly extension: string
  readonly maxBytes: number
}

const mebibyte = 1024 * 1024
const image = (type: string, extension: string): Kind => ({ kind: 'image', type, extension, maxBytes: 10 * mebibyte })

const images = [image('image/png', 'png'), image('image/jpeg', 'jpg'), image('image/webp', 'webp'), image('image/gif', 'gif')]
const documents: readonly Kind[] = [
  { kind: 'pdf', type: 'application/pdf', extension: 'pdf', maxBytes: 25 * mebibyte },
  { kind: 'text', type: 'text/plain', extension: '', maxBytes: mebibyte },
  { kind: 'text', type: 'text/markdown', extension: '', maxBytes: mebibyte },
]

const kinds: ReadonlyMap<string, Kind> = new Map([...images, ...documents].map((each) => [each.type, each]))

export const imageTypes: readonly string[] = images.map(({ type }) => type)
export const attachmentTypes: readonly string[] = [...kinds.keys()]

/** The kind of a media type; `undefined` for one that is not accepted. */
export const kindOf = (type: string): Kind | undefined => kinds.get(type)

/** The largest file that one of these types may have. */
export const largestOf = (types: readonly string[]): number => Math.max(...types.map((type) => kindOf(type)?.maxBytes ?? 0))
