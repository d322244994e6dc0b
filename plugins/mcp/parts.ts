import { createHash } from 'node:crypto'
import { Failed } from './tool.ts'

/** Characters of one part of an answer: some 6,000 tokens. */
const partLength = 24_000

/** A part of a text, and where to go on: `undefined` at the end. */
export interface TextPart {
  readonly text: string
  readonly next: string | undefined
}

/**
 * Gives the part of a text that a cursor stands for. A cursor holds the place and a digest of the text; one that does not
 * fit the text any more is refused.
 */
export function partOf(text: string, cursor: string | undefined): TextPart {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  const start = cursor === undefined ? 0 : startOf(cursor, digest)
  if (start >= text.length && start > 0) throw stale()
  const end = endOf(text, start + partLength)
  return { text: text.slice(start, end), next: end < text.length ? `${end}.${digest}` : undefined }
}

function startOf(cursor: string, digest: string): number {
  const [, start, of] = /^(\d{1,9})\.([\w-]{12})$/.exec(cursor) ?? []
  if (start === undefined || of !== digest) throw stale()
  return Number(start)
}

const stale = (): Failed => new Failed('The cursor does not fit: the content has changed since, or the arguments have. Call again without cursor.')

/** Never between the halves of a surrogate pair. */
const endOf = (text: string, wanted: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(wanted)) ? wanted - 1 : wanted)
