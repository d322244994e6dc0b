/** What a page in the frame reports about itself, and what it gets. */
import * as v from 'valibot'
import type { ShownValue } from './values.ts'

const mostTexts = 5000
const text = v.pipe(v.string(), v.maxLength(20_000))
const index = v.pipe(v.number(), v.integer(), v.minValue(-1), v.maxValue(mostTexts))
const listOf = <Item extends v.GenericSchema>(item: Item) =>
  v.pipe(v.array(item), v.maxLength(mostTexts), v.readonly())

/** The visible texts of a page, in its order, with its pictures and links. */
export const TextReport = v.object({
  /** The path of its address. */
  path: text,
  /** The title of the page, which is above its texts. */
  title: v.optional(text),
  /** The text of each element that has text, inline elements included. */
  texts: listOf(text),
  /** For each text the index of the text that it is a part of, else -1. */
  parents: v.optional(listOf(index)),
  /** The addresses of its pictures, as they are written. */
  images: v.optional(listOf(text), []),
  links: v.optional(listOf(v.object({ text, href: text })), []),
  /** Where the development server says that texts come from; templates mostly. */
  hints: v.optional(listOf(v.object({ index, file: text, line: v.optional(v.number()) })), []),
})
export type TextReport = Readonly<v.InferOutput<typeof TextReport>>

/** Where a text, picture or link of the page is in the content. */
export interface TextPlace extends ShownValue {
  /** Of `texts`, or for the kinds `image` and `link` of `images` or `links`. */
  readonly index: number
  /** The path of its file. */
  readonly file: string
  /** Whether its block stays as it is: it is not copied, moved or removed. */
  readonly isFixed: boolean
}

export interface PlacedTexts {
  /** The document that the page shows; `undefined` if it shows parts of several. */
  readonly document: { readonly slug: string; readonly title: string } | undefined
  readonly places: readonly TextPlace[]
  /** Texts that several values could be. */
  readonly ambiguous: readonly { readonly index: number; readonly candidates: readonly TextPlace[] }[]
}
