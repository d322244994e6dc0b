import type { Noun, Nouns } from './nouns.ts'
import * as say from './vocabulary.ts'

/** What an image is for that stands in no block: the link previews of a page, or the header of the site. */
export type Apart = 'page' | 'site'

/** The words around an image, and where it stands if that is in no block. */
export interface AroundImage {
  readonly of?: Apart | undefined
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Splits a sentence at its image; `undefined` where it speaks of none. A logo is one by itself. */
export function aroundImage(words: readonly string[]): (AroundImage & { readonly image: string }) | undefined {
  const at = words.findIndex((word) => say.isImage(word) || say.logos.has(word))
  const image = words[at]
  if (image === undefined) return undefined
  const [before, after] = [words.slice(0, at), words.slice(at + 1)]
  if (say.logos.has(image)) return { image, of: 'site', before, after: say.one.has(after[0] ?? '') ? after.slice(1) : after }
  const start = startOfPreview(before)
  if (start !== undefined) return { image, of: 'page', before: before.slice(0, start), after }
  return { image, ...withoutPreview(before, after) }
}

/** What the page and the site are called where it is clear that their own images are meant. */
export const nounsApart: Readonly<Record<Apart, Nouns>> = { page: nounsOf(say.pages), site: nounsOf(say.sites) }

function nounsOf(words: ReadonlySet<string>): Nouns {
  return new Map([...words].map((word): [string, Noun] => [word, { types: [], lists: [], isPlural: false }]))
}

/** Where words for a preview begin at the end of others, such as `social media` or `link preview`. */
function startOfPreview(words: readonly string[]): number | undefined {
  const start = words.findLastIndex((word) => !isOfPreview(word)) + 1
  return words.slice(start).some((word) => say.previews.has(word)) ? start : undefined
}

/** `An image for the link previews of this page`. */
function withoutPreview(before: readonly string[], after: readonly string[]): AroundImage {
  const start = after.findIndex((word) => word === 'for' || word === 'für')
  const from = after.findIndex((word, at) => at > start && !say.determiners.has(word))
  const length = after.slice(from).findIndex((word) => !isOfPreview(word))
  const end = length < 0 ? after.length : from + length
  const isPreview = start >= 0 && from >= 0 && after.slice(from, end).some((word) => say.previews.has(word))
  if (!isPreview) return { before, after }
  const rest = after.slice(end)
  // `Die Vorschau dieser Seite` has no word between the two.
  const owner = say.determiners.has(rest[0] ?? '') ? ['von'] : []
  return { of: 'page', before, after: [...after.slice(0, start), ...owner, ...rest] }
}

const isOfPreview = (word: string): boolean => say.previews.has(word) || say.besidePreview.has(word)
