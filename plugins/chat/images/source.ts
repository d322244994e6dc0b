import { slot } from '../../../kernel/index.ts'
import type { ModelSpending } from '../../llm/port.ts'
import type { SourceKind } from '../types/plan.ts'

/** What an image is wanted for. */
export interface ImageRequest {
  /** What it should show: a few words. */
  readonly query: string
  /** Addresses that the page has already; a source that gives one of them is asked no further. */
  readonly avoid: ReadonlySet<string>
  /** The image is only shown; where a person chooses it, a change of the draft brings it. */
  readonly isOffered: boolean
  /** Aborts when the run is canceled, and when it took too long. */
  readonly signal: AbortSignal
  /** The site that it is for. */
  readonly siteId: string
  /** The folder with the images of the site, as the request names it; it is anybody's word. */
  readonly folder: string | undefined
  /** For whom a source counts what costs money, as `shareHolder` names the caller. */
  readonly holder: string | undefined
  /** Takes every call of a model that was made for it, of those that failed as well. */
  spent(call: ModelSpending): void
  /** Tells how far it is, from 0 to 100, to whoever follows the run. */
  progress(percent: number): void
}

export interface ImageCredit {
  readonly name: string
  /** With https. */
  readonly address: string
}

/** An image that was found or made. It comes from outside: the address is checked like any other. */
export interface FoundImage {
  /** With https, or a path of the site such as `/images/boat.jpg`. */
  readonly address: string
  /** What it shows, for people who cannot see it. */
  readonly alt?: string | undefined
  /** Who made it, and where that is shown; told in the answer, and kept in the field `imageCredit` or `credit` of a block that has one. */
  readonly credit?: ImageCredit | undefined
}

/** Something that finds or makes images. It changes nothing, and may fail: then the next one is asked. */
export interface ImageSource {
  readonly kind: SourceKind
  /** False while it cannot work, such as without its key. */
  readonly available: boolean
  /** Milliseconds that one image may take while somebody follows the run, where that is more than others may. */
  readonly longestMs?: number
  /** `undefined` where nothing fits. */
  find(request: ImageRequest): Promise<FoundImage | undefined>
}

/** Where chat gets images from when somebody asks for a new one. Without any, it asks for an address. */
export const imageSources = slot<ImageSource>('chat.imageSources')
