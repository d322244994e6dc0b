import type { Block, Page } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { DraftSnapshot, PlanningInput } from '../types/planner.ts'
import type { FoundImage } from './source.ts'
import type { ImageChoice, Note, Outcome, PlannedImage, SourceKind } from '../types/plan.ts'
import type { ImageScene } from './fields.ts'
import type { Searching } from './search.ts'

/** A request for new images, ready to be worked on: it gives a plan with their addresses. */
export type ImageJob = (run: Searching) => Promise<ImageOutcome>

/** What it came to; `notes` say what could not be done of it. */
export interface ImageOutcome {
  readonly outcome: Outcome
  readonly notes?: readonly Note[]
}

/** What a run knows beside what planners look at. */
export interface ImageAsk {
  readonly input: PlanningInput
  /** What was chosen in this session. */
  readonly choice: ImageChoice | undefined
  /** True while somebody follows the run. */
  readonly isStreamed: boolean
  /** The draft as it is by then: images take their time. */
  draftNow(): Promise<DraftSnapshot>
}

/** What a message is for whoever gets new images. */
export interface ImageReading {
  /** Set where it asks for new images and for nothing else. */
  readonly job?: ImageJob | undefined
  /** The source that it names as the answer to the question for one. */
  readonly answer?: ImageChoice | undefined
}

/** The images of a plan in the draft that it leaves: those that can be looked for, and what is said of the others. */
export interface PlanImages {
  readonly images: readonly PlannedImage[]
  readonly notes: readonly Note[]
  /** Set where somebody has to say first where they come from. */
  readonly question?: Extract<Outcome, { kind: 'question' }> | undefined
}

/** An image that was found for a plan. */
export interface Finding {
  readonly type: string
  /** Who made it, as a sentence. */
  readonly credit: string | undefined
  /** Sets it; `undefined` where its field is not what it was any more. */
  operation(scene: ImageScene): Operation | undefined
}

/** The part of chat that gets new images. */
export interface ImageWork {
  /** False while no source can work. */
  readonly available: boolean
  read(ask: ImageAsk): ImageReading
  /** The work on a plan that asks for images and for nothing else. */
  alone(ask: ImageAsk, images: readonly unknown[]): ImageJob
  /** Reads the images that a plan asks for beside its operations. */
  planned(images: readonly unknown[], ask: Pick<ImageAsk, 'input' | 'choice'>): PlanImages
  /** Looks for an image for each of some blocks, as they would be, first where `source` says; tells each when it is there, or nobody has it. */
  illustrate(run: Searching, blocks: readonly Block[], wish: Illustration): Promise<void>
  /** Looks for the images of a plan that was applied. Those that nobody has in time are missing. */
  find(run: Searching, images: readonly PlannedImage[], ask: Pick<ImageAsk, 'input' | 'isStreamed'>): Promise<readonly Finding[]>
}

/** Who wants images for blocks that are only looked at. */
export interface Illustration {
  readonly page: Page
  readonly input: PlanningInput
  readonly source: SourceKind
  readonly isStreamed: boolean
  tell(image: FoundImage | undefined, index: number): void
}

/** The part that gets images, while it can work. */
export function workingImages({ images }: { readonly images: ImageWork | undefined }): ImageWork | undefined {
  return images?.available ? images : undefined
}
