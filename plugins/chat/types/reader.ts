import { service } from '../../../kernel/index.ts'
import type { BlockType } from '../../content/model.ts'
import type { ImageChoice, SourceKind } from './plan.ts'
import type { VariationIntent } from './variations.ts'

/** Classifies messages before they are planned. Its results never decide about an edit. */
export interface MessageReader {
  /** A message without what older clients append to it. */
  clean(message: string): string
  /** True when the message wants to see a plan before anything changes. */
  wantsPlanFirst(message: string): boolean
  /** True for a message that is only a yes. */
  isConfirmation(message: string): boolean
  /** True for a message that is only a no. */
  isRefusal(message: string): boolean
  /** True for a message that is only thanks or another courtesy, perhaps with a yes. */
  isCourtesy(message: string): boolean
  /** True for a message that reads as the answer to a question, not as a new request. */
  isAnswer(message: string): boolean
  /** True for a message that begins as a request or asks something itself: an open question is dropped. */
  isRequest(message: string): boolean
  /** True for a message that asks for a new page; only then the current page may be missing. */
  asksForNewPage(message: string): boolean
  /** A request for new images and nothing else; `types` are those of the site, which it may name. */
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
  /** What the image should show, in the words of the message, in lower case. */
  readonly query?: string | undefined
  /** What images of single rows should show, by the place of the row from 1. */
  readonly queries: ReadonlyMap<number, string>
}

/** The use of an image outside of blocks: the link previews of a page, or the header of the site. */
export type Apart = 'page' | 'site'

/** The blocks or rows that words name; empty where they only refer to the selection. */
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
  /** It asks for other images than the present ones. */
  readonly isAsked: boolean
  /** All variations get the same new image. */
  readonly isShared: boolean
  /** The source that it names. */
  readonly source?: SourceKind | undefined
}
