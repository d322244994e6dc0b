import { slot } from '../../../kernel/index.ts'
import type { Block, Page } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { ModelSpending } from '../../llm/port.ts'
import type { ImageChoice, Note, Outcome, PlannedImage, SourceKind } from './plan.ts'
import type { DraftSnapshot, PlanningInput } from './planner.ts'
import type { Run, RunOptions } from './run.ts'

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

/** A draft with images, and what is known of its block types. */
export type ImageScene = Pick<PlanningInput, 'draft' | 'selection' | 'registry' | 'manifest'>

/** What a search needs of its run. */
export type Searching = Pick<RunOptions, 'signal' | 'emit' | 'holder'> & Pick<ImageRequest, 'spent' | 'siteId' | 'folder'>

/** Some of what a plan asks for is nothing that anybody could look for. */
export const unfitImages: Note = { kind: 'unfit_images', type: '' }

/** A plan asks for images, and nothing looks for any. */
export const noImages: Note = { kind: 'no_images', type: '' }

/** Images of these types, or on these pages, that are not there. */
export const missingImages = (types: readonly string[]): readonly Note[] => [...new Set(types)].map((type) => ({ kind: 'images', type }))

/** The same, of a run. */
export const searchingOf = ({ id: { siteId }, how, record: { spent }, siteContext: { gdriveFolderId: folder } }: Run): Searching => ({ ...how, spent, siteId, folder })
