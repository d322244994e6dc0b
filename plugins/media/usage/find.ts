/** Finds the texts of content that refer to an image. */
import { isPlainObject } from '../../content/plain-object.ts'

/** A text with the address of the image, by its path, such as `cards[0].imageUrl`. */
interface TextWithImage {
  readonly path: string
  /** The addresses as they are written there. */
  readonly written: string[]
}

export interface Needle {
  /** A text that every address of the image contains. */
  readonly text: string
  /** Whether it is a file of this service, which may be below any origin. */
  readonly isOwn: boolean
}

const ownFile = /\/generated-images\/[A-Za-z0-9_-]{1,160}\.[a-z]{3,4}/i

/** What to look for: files of this service are known by their names, which are unique. */
export function needleFor(address: string): Needle {
  const [own] = ownFile.exec(address) ?? []
  return own === undefined ? { text: address, isOwn: false } : { text: own, isOwn: true }
}

/** The needle as JSON in UTF-8, to skip whole pages. */
export const inJson = ({ text }: Needle): Buffer => Buffer.from(JSON.stringify(text).slice(1, -1))

/** Yields the texts in a value that refer to the image. Content is at most as deep as the parser admits. */
export function* findIn(value: unknown, needle: Needle, path: string): Generator<TextWithImage> {
  if (typeof value === 'string') {
    const written = writtenIn(value, needle)
    if (written.length > 0) yield { path, written }
  } else if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) yield* findIn(each, needle, `${path}[${index}]`)
  } else if (isPlainObject(value)) {
    for (const [name, each] of Object.entries(value))
      yield* findIn(each, needle, path === '' ? name : `${path}.${name}`)
  }
}

const ofAddress = /[\w%~./:-]/
/** What continues a name, so that `/a.jpg` is not found in `/a.jpg.webp`. A query does not. */
const ofName = /[\w%~-]/

/** The addresses of the image in a text, each once, as they are written. */
function writtenIn(text: string, { text: needle, isOwn }: Needle): string[] {
  const found = new Set<string>()
  let free = 0
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, free)) {
    const end = at + needle.length
    const isContinued =
      ofName.test(text[end] ?? '') || (text[end] === '.' && ofName.test(text[end + 1] ?? ''))
    let start = at
    while (start > free && ofAddress.test(text[start - 1] ?? '')) start -= 1
    if (!isContinued && (isOwn || start === at)) found.add(text.slice(start, end))
    free = end
  }
  return [...found]
}
