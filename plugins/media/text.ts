import { refusals } from './refusals.ts'

export const mostCharacters = 50_000

/** The beginning of a text. */
export interface Excerpt {
  readonly text: string
  readonly textTruncated?: true
}

/** The beginning of a text, never half a character of it. */
export const shortened = (text: string): Excerpt => (text.length > mostCharacters ? { text: text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, ''), textTruncated: true } : { text })

/** Reads a text in UTF-8, of which the first 50,000 characters are kept. Refuses other bytes with 415 `content_mismatch`. */
export async function readText(bytes: AsyncIterable<Uint8Array>): Promise<Excerpt> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let isCut = false
  const add = (more: string): void => {
    if (more.includes('\0')) throw refusals.contentMismatch()
    isCut ||= text.length + more.length > mostCharacters
    text += more.slice(0, mostCharacters - text.length)
  }
  for await (const part of bytes) add(decode(() => decoder.decode(part, { stream: true })))
  add(decode(() => decoder.decode()))
  // A cut may leave half of a character that takes two places.
  return isCut ? { text: text.replace(/[\ud800-\udbff]$/, ''), textTruncated: true } : { text }
}

function decode(read: () => string): string {
  try {
    return read()
  } catch {
    throw refusals.contentMismatch()
  }
}
