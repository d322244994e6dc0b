import { service } from '../../../kernel/index.ts'
import type { Block, Page, Props } from '../../content/model.ts'
import type { DraftId } from '../../scope/port.ts'
import type { VariationRequest } from '../request.ts'
import type { ChatResult, Tier, Variation } from '../result.ts'
import type { ImageWork, Searching } from './images.ts'
import type { ImageChoice } from './plan.ts'
import type { PlanningInput } from './planner.ts'
import type { RunRecord } from './record.ts'
import type { Ending, NotVaried, RunOptions } from './run.ts'

export const mostVariations = 12

export interface VariationEnd {
  /** The HTTP status that goes with the result. */
  readonly status: 200 | 500 | 503
  readonly result: ChatResult
}

export interface VariationRunner {
  /**
   * Reads a request and returns the function that runs it. Refuses with 400 what cannot be read.
   *
   * That function refuses with 404 a page or a block that is not in the draft, and with 400 where no variation was made;
   * it throws `Canceled` when the run is canceled.
   */
  open(request: VariationRequest, options: RunOptions): Promise<(listener?: VariationListener) => Promise<VariationEnd>>
}

/** Receives variations before their images are found. */
export interface VariationListener {
  /** They are written; their images follow. */
  ready(result: ChatResult): void
  /** The image of one was found, or none will be. */
  image(variation: Variation, index: number): void
}

/** Loads the maker of variations, which only requests for them need. */
export const variationMaker = service<() => Promise<VariationMaker>>('chat.variationMaker')

/** Makes variations of a block. It changes nothing. */
export interface VariationMaker {
  /** A model is available; without one `make` is not called. */
  readonly hasModel: boolean
  /** Returns the variations, why the model gave none, or why it was not asked. Throws `Canceled` when the run is canceled. */
  make(ask: VariationAsk): Promise<Extract<Ending, { kind: 'varied' | 'failed' }> | NotVaried>
}

/** A request for variations of a block, and what making them takes. */
export interface VariationAsk {
  readonly input: PlanningInput
  readonly draftId: DraftId
  readonly page: Page
  readonly block: Block
  /** The last variations are to be shown again. */
  readonly isAgain: boolean
  /** The provider that the request names. */
  readonly provider: string | undefined
  readonly tier: Tier
  readonly run: Searching & Pick<RunOptions, 'id' | 'isStreamed'>
    & Pick<RunRecord, 'attempting' | 'facts' | 'meter'>
  readonly images: ImageWork | undefined
  /** The image source that was chosen in the session. */
  readonly choice: ImageChoice | undefined
  /** Tries a patch on the block, by the rules for plans: returns the props that would change, or why it cannot be applied. */
  tried(patch: Props): { readonly patch: Props } | { readonly problem: string }
  /** Called before images are searched. */
  written(ending: Extract<Ending, { kind: 'varied' }>): void
  /** The image of a variation was found, or none will be. */
  settled(variation: Variation, index: number): void
}

/** A message that asks for other contents of a block, to choose from. */
export interface VariationIntent {
  /** Asks to see the last variations again. */
  readonly again: boolean
}
