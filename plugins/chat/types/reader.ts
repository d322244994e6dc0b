import { service } from '../../../kernel/index.ts'
import type { BlockType } from '../../content/model.ts'
import type { ImageChoice, SourceKind } from './plan.ts'
import type { VariationIntent } from './variations.ts'

/** Reads what a message is, before it is planned. Nothing it finds decides about an edit. */
export interface MessageReader {
  /** A message as it was meant, without what older clients append to it. */
  clean(message: string): string
  /** True when the message wants to see a plan before anything changes. */
  wantsPlanFirst(message: string): boolean
  /** True for a message that is nothing but a yes. */
  isConfirmation(message: string): boolean
  /** True for a message that is nothing but a no. */
  isRefusal(message: string): boolean
  /** True for a message that says nothing but thanks, or another courtesy; perhaps with a yes in it. */
  isCourtesy(message: string): boolean
  /** True for a message that reads as the answer to a question, not as a request of its own. */
  isAnswer(message: string): boolean
  /** True for a message that begins as a request or asks something itself: an open question is dropped. */
  isRequest(message: string): boolean
  /** True for a message that asks for a new page: only then a missing page does not matter. */
  asksForNewPage(message: string): boolean
  /** A request for new images and nothing else; `types` are those of the site, by whose names it may speak. */
  imageIntent(message: string, types: readonly BlockType[]): ImageIntent | undefined
  /** The source of images that a message names as its only content. */
  imageSource(message: string): ImageChoice | undefined
  /** A request for variations of a block; `undefined` for any other message. */
  variationIntent(message: string): VariationIntent | undefined
  variationCount(message: string): number
  variationImages(message: string): SaidImages
}

/** Loads the reader of messages, which only messages need. */
export const messageReader = service<() => Promise<MessageReader>>('chat.reader')

/** A message that asks for a new image and for nothing else. */
export interface ImageIntent {
  readonly source?: SourceKind | undefined
  readonly named?: Named | undefined
  /** The image that link previews show of the page, or the logo of the site. */
  readonly of?: Apart | undefined
  /** More than one image is asked for. */
  readonly isSeveral: boolean
  /** What the image should show, in the words of the message, in small letters. */
  readonly query?: string | undefined
  /** What images of single rows should show, by the place of the row from 1. */
  readonly queries: ReadonlyMap<number, string>
}

/** What an image is for that stands in no block: the link previews of a page, or the header of the site. */
export type Apart = 'page' | 'site'

/** Which blocks or rows words name; nothing of it where they only point at what is selected. */
export interface Named {
  readonly noun?: Noun | undefined
  /** The second one, or -1 for the last. */
  readonly place?: number | undefined
  readonly isEvery: boolean
}

/** What a noun means: blocks of these types, or rows of these lists. */
export interface Noun {
  readonly types: readonly string[]
  readonly lists: readonly (readonly [type: string, listKey: string])[]
  /** It means all rows of a list. */
  readonly isPlural: boolean
}

/** What a message says about images. */
export interface SaidImages {
  readonly addresses: readonly string[]
  /** It speaks of other images than those that are there. */
  readonly isAsked: boolean
  /** All variations are to have the same new one. */
  readonly isShared: boolean
  /** Where they are to come from. */
  readonly source?: SourceKind | undefined
}
