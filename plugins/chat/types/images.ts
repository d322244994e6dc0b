import { service } from '../../../kernel/index.ts'
import type { Block, Props } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { ImageRequest, SourceKind } from '../../media/port.ts'
import type { ImageChoice, Note, OpenQuestion, Outcome, PlannedImage } from './plan.ts'
import type { PlanningInput } from './planner.ts'
import type { RunOptions } from './run.ts'

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
interface Illustration {
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
