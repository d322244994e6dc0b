import { service, slot } from '../../../kernel/index.ts'
import type { Block, Props } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { ModelSpending } from '../../llm/port.ts'
import type { ImageChoice, Note, Outcome, PlannedImage, SourceKind } from './plan.ts'
import type { DraftSnapshot, PlanningInput } from './planner.ts'
import type { Run, RunOptions } from './run.ts'

export interface ImageRequest {
  readonly query: string
  /** Addresses that the page already uses; a source that returns one of them is not asked again. */
  readonly avoid: ReadonlySet<string>
  /** The image is only offered; the draft changes once a person chooses it. */
  readonly isOffered: boolean
  /** Aborts when the run is canceled or the time is over. */
  readonly signal: AbortSignal
  readonly siteId: string
  /** The folder with the images of the site, as the request names it; untrusted. */
  readonly folder: string | undefined
  /** The caller that paid calls count towards, as `shareHolder` names it. */
  readonly holder: string | undefined
  /** Records a model call, failed calls included. */
  spent(call: ModelSpending): void
  /** Reports progress from 0 to 100. */
  progress(percent: number): void
}

export interface ImageCredit {
  readonly name: string
  /** With https. */
  readonly address: string
}

/** An image that was found or generated. Its address is untrusted and checked. */
export interface FoundImage {
  /** With https, or a path of the site such as `/images/boat.jpg`. */
  readonly address: string
  readonly alt?: string | undefined
  /** Its author; named in the answer, and written to the field `imageCredit` or `credit` of a block that has one. */
  readonly credit?: ImageCredit | undefined
}

/** Finds or generates images. It changes nothing; where it fails, the next source is asked. */
export interface ImageSource {
  readonly kind: SourceKind
  /** False while it cannot work, such as without its key. */
  readonly available: boolean
  /** Milliseconds for one image of a streamed run, where the usual limit is too short. */
  readonly longestMs?: number
  /** `undefined` where nothing fits. */
  find(request: ImageRequest): Promise<FoundImage | undefined>
}

/** Sources of new images. Without any, chat asks for an address. */
export const imageSources = slot<ImageSource>('chat.imageSources')

/**
 * Loads the image work, which only messages need; `undefined` without a source of images. `longestImageMs` limits all images of
 * a request, or each image of one that a client follows.
 */
export const imageWork = service<(longestImageMs: number) => Promise<ImageWork | undefined>>('chat.imageWork')

/** A request for new images, ready to run: its outcome is a plan with their addresses. */
export type ImageJob = (run: Searching) => Promise<ImageOutcome>

export interface ImageOutcome {
  readonly outcome: Outcome
  readonly notes?: readonly Note[]
}

export interface ImageAsk {
  readonly input: PlanningInput
  /** What was chosen in this session. */
  readonly choice: ImageChoice | undefined
  readonly isStreamed: boolean
  /** Reads the current draft, since a search takes time. */
  draftNow(): Promise<DraftSnapshot>
}

/** What a message means for image work. */
export interface ImageReading {
  /** Set where it asks for new images and for nothing else. */
  readonly job?: ImageJob | undefined
  /** The source that it names as the answer to the question for one. */
  readonly answer?: ImageChoice | undefined
}

/** The images of a plan that can be searched, and notes about the others. */
export interface PlanImages {
  readonly images: readonly PlannedImage[]
  readonly notes: readonly Note[]
  /** Set where the person has to choose a source first. */
  readonly question?: Extract<Outcome, { kind: 'question' }> | undefined
}

/** An image that was found for a plan. */
export interface Finding {
  readonly type: string
  /** Who made it, as a sentence. */
  readonly credit: string | undefined
  /** The operation that sets it; `undefined` where its field has changed. */
  operation(scene: ImageScene): Operation | undefined
}

/** Finds new images for messages and plans. */
export interface ImageWork {
  /** False while no source can work. */
  readonly available: boolean
  read(ask: ImageAsk): ImageReading
  /** The job of a plan that asks for images and nothing else. */
  alone(ask: ImageAsk, images: readonly unknown[]): ImageJob
  /** Reads the images that a plan asks for in addition to its operations. */
  planned(images: readonly unknown[], ask: Pick<ImageAsk, 'input' | 'choice'>): PlanImages
  /** Searches an image for each of these blocks, and reports each when it is found or cannot be. */
  illustrate(run: Searching, blocks: readonly Block[], illustration: Illustration): Promise<void>
  /** Searches the images of an applied plan. Images not found in time are left out. */
  find(run: Searching, images: readonly PlannedImage[], ask: Pick<ImageAsk, 'input' | 'isStreamed'>): Promise<readonly Finding[]>
}

/** How blocks of the selected page that are only offered get images. */
export interface Illustration {
  readonly input: PlanningInput
  /** Asked first. */
  readonly source: SourceKind
  readonly isStreamed: boolean
  /** Receives the patch that gives a block its image; `undefined` where none was found. */
  settled(patch: Props | undefined, index: number): void
}

/** The image work, while a source is available. */
export function workingImages({ images }: { readonly images: ImageWork | undefined }): ImageWork | undefined {
  return images?.available ? images : undefined
}

export type ImageScene = Pick<PlanningInput, 'draft' | 'selection' | 'registry' | 'manifest'>

/** What a search needs of its run. */
export type Searching = Pick<RunOptions, 'signal' | 'emit' | 'holder'> & Pick<ImageRequest, 'spent' | 'siteId' | 'folder'>

/** A plan asks for images, and no source is available. */
export const noImages: Note = { kind: 'no_images', type: '' }

/** Images of these block types that are missing. */
export const missingImages = (types: readonly string[]): readonly Note[] =>
  [...new Set(types)].map((type) => ({ kind: 'images', type }))

export const searchingOf = ({ id: { siteId }, how, record: { spent }, siteContext }: Run): Searching =>
  ({ ...how, spent, siteId, folder: siteContext.gdriveFolderId })
