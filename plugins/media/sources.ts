import { slot } from '../../kernel/index.ts'
import type { ModelSpending } from '../models/port.ts'

/** A source of images: a photo library, a generating model, or the images of the site. */
export const sourceKinds = ['stock', 'generated', 'brand'] as const
export type SourceKind = (typeof sourceKinds)[number]

export interface ImageRequest {
  readonly query: string
  /** Addresses that the page already uses; a source that returns one of them is not asked again. */
  readonly avoid: ReadonlySet<string>
  /** Aborts when the run is canceled or times out. */
  readonly signal: AbortSignal
  readonly siteId: string
  /** The folder with the images of the site, from the request; untrusted. */
  readonly folder: string | undefined
  /** The caller charged for paid calls, as returned by `shareHolder`. */
  readonly holder: string | undefined
  /** Records a model call, including failed ones. */
  spent(call: ModelSpending): void
  /** Reports progress from 0 to 100. */
  progress(percent: number): void
}

export interface ImageCredit {
  readonly name: string
  /** An https URL. */
  readonly address: string
}

/** A found or generated image. Its address is untrusted, so it is checked. */
export interface FoundImage {
  /** An https URL, or a path of the site such as `/images/boat.jpg`. */
  readonly address: string
  readonly alt?: string | undefined
  /** The author; named in the answer, and written to the field `imageCredit` or `credit` of a block. */
  readonly credit?: ImageCredit | undefined
}

/** Finds or generates images. It changes nothing; if it fails, the next source is asked. */
export interface ImageSource {
  readonly kind: SourceKind
  /** False while the source cannot work, for example without its key. */
  readonly available: boolean
  /** Milliseconds for one image of a streamed run, if the usual limit is too short. */
  readonly longestMs?: number
  /** Returns `undefined` if nothing fits. */
  find(request: ImageRequest): Promise<FoundImage | undefined>
}

/** Sources of new images. Without one, chat asks for an address. */
export const imageSources = slot<ImageSource>('media.image-sources')
