import { service } from '../../../kernel/index.ts'
import type { BlockType } from '../../content/model.ts'
import type { ImageChoice, SourceKind } from './plan.ts'
import type { VariationIntent } from './variations.ts'

/** Classifies messages before they are planned. Its results never decide about an edit. */
export interface MessageReader {
  /** Removes the text that older clients append to a message. */
  clean(message: string): string
  /** True if the message asks to see a plan before anything changes. */
  wantsPlanFirst(message: string): boolean
  /** True for a message that is only a yes. */
  isConfirmation(message: string): boolean
  /** True for a message that is only a no. */
  isRefusal(message: string): boolean
  /** True for a message that is only thanks or another courtesy, perhaps with a yes. */
  isCourtesy(message: string): boolean
  /** True for a message that reads as the answer to a question, not as a new request. */
  isAnswer(message: string): boolean
  /** True for a message that begins like a request or asks something itself; it drops an open question. */
  isRequest(message: string): boolean
  /** True for a message that asks for a new page; only then may the current page be missing. */
  asksForNewPage(message: string): boolean
  /** Reads a message that only asks for new images; `types` are the block types that it may name. */
  imageIntent(message: string, types: readonly BlockType[]): ImageIntent | undefined
  /** Reads a message that only names an image source. */
  imageSource(message: string): ImageChoice | undefined
  /** Reads a request for variations of a block; returns `undefined` for any other message. */
  variationIntent(message: string): VariationIntent | undefined
  variationCount(message: string): number
  variationImages(message: string): SaidImages
}

/** Loads the message reader, which only messages need. */
export const messageReader = service<() => Promise<MessageReader>>('chat.reader')

/** A message that only asks for new images. */
export interface ImageIntent {
  readonly source?: SourceKind | undefined
  readonly named?: Named | undefined
  /** The link preview image of the page, or the logo of the site. */
  readonly of?: Apart | undefined
  /** True if more than one image is requested. */
  readonly isSeveral: boolean
  /** What the image should show, in the words of the message, in lower case. */
  readonly query?: string | undefined
  /** What the images of single rows should show, by row number from 1. */
  readonly queries: ReadonlyMap<number, string>
}

/** The use of an image outside of blocks: the link previews of a page, or the header of the site. */
export type Apart = 'page' | 'site'

/** The blocks or rows that a message names; empty if it only refers to the selection. */
export interface Named {
  readonly noun?: Noun | undefined
  /** The position from 1, or -1 for the last one. */
  readonly place?: number | undefined
  readonly isEvery: boolean
}

/** The meaning of a noun: blocks of these types, or rows of these lists. */
export interface Noun {
  readonly types: readonly string[]
  readonly lists: readonly (readonly [type: string, listKey: string])[]
  /** True if the noun means all rows of a list. */
  readonly isPlural: boolean
}

/** The requests of a message about the images of variations. */
export interface SaidImages {
  readonly addresses: readonly string[]
  /** True if the message asks for different images. */
  readonly isAsked: boolean
  /** True if all variations get the same new image. */
  readonly isShared: boolean
  /** The source that the message names. */
  readonly source?: SourceKind | undefined
}
