import { service, slot } from '../../../kernel/index.ts'
import type { Block, Props } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { ModelSpending } from '../../llm/port.ts'
import type { ImageChoice, Note, OpenQuestion, Outcome, PlannedImage, SourceKind } from './plan.ts'
import type { PlanningInput } from './planner.ts'
import type { RunOptions } from './run.ts'

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
export const imageSources = slot<ImageSource>('chat.imageSources')

export const imageWork = service<ImageWork>('chat.imageWork')

/** The images of a plan that can be searched, and notes about the others. */
export interface PlanImages {
  readonly images: readonly PlannedImage[]
  readonly notes: readonly Note[]
  /** Set if the person has to choose a source first. */
  readonly question?: Extract<Outcome, { kind: 'question' }> | undefined
}

/** An image found for a plan. */
export interface Finding {
  readonly type: string
  /** The image credit, as a sentence. */
  readonly credit: string | undefined
  /** Returns the operation that sets the image; `undefined` if its field has changed. */
  operation(scene: ImageScene): Operation | undefined
}

/** Finds the new images that plans ask for. It changes nothing. */
export interface ImageWork {
  /** False while no source is available. */
  readonly available: boolean
  /** The source that a message chooses in answer to the question for one. */
  chosen(message: string, open: OpenQuestion | undefined): ImageChoice | undefined
  /** Reads the images that a plan asks for, in the draft after its operations; `choice`: of this session. */
  planned(images: readonly unknown[], input: PlanningInput, choice: ImageChoice | undefined): PlanImages
  /** Searches for the images of a plan. Images not found in time are left out. */
  find(run: Searching, images: readonly PlannedImage[], scene: ImageScene): Promise<readonly Finding[]>
  /** Searches for an image for each block, and reports each result. */
  illustrate(run: Searching, blocks: readonly Block[], illustration: Illustration): Promise<void>
}

/** Options for the images of blocks that are only offered, on the selected page. */
export interface Illustration {
  readonly scene: ImageScene
  /** The source to ask first. */
  readonly source: SourceKind
  /** Receives the patch that sets the image of a block; `undefined` if none was found. */
  settled(patch: Props | undefined, index: number): void
}

export type ImageScene = Pick<PlanningInput, 'draft' | 'selection' | 'registry' | 'manifest'>

/** The parts of a run that a search needs. */
export interface Searching
  extends
    Pick<RunOptions, 'signal' | 'emit' | 'holder' | 'isStreamed'>,
    Pick<ImageRequest, 'spent' | 'siteId' | 'folder'> {
  /** Milliseconds for all images of a request, or for each image if a client follows. */
  readonly longestMs: number
}
