import { service } from '../../../kernel/index.ts'
import type { Block, Page, Props } from '../../content/model.ts'
import type { DraftId } from '../../scope/port.ts'
import type { ChatResult, Tier, Variation } from '../result.ts'
import type { ImageWork, Searching } from './images.ts'
import type { ImageChoice } from './plan.ts'
import type { PlanningInput } from './planner.ts'
import type { RunRecord } from './record.ts'
import type { Ending, RunEnd, RunOptions } from './run.ts'

export const mostVariations = 12

export interface VariationEnd extends RunEnd {
  readonly status: 200 | 500 | 503
}

/** Receives variations before their images are found. */
export interface VariationListener {
  /** The variations are written; their images follow. */
  ready(result: ChatResult): void
  /** The image of a variation was found, or none will be found. */
  image(variation: Variation, index: number): void
}

export const variationMaker = service<VariationMaker>('chat.variationMaker')

/** Creates variations of a block. It changes nothing. */
export interface VariationMaker {
  /** True if a model is available; without one, `make` is not called. */
  readonly hasModel: boolean
  /** Returns the variations, or a sentence why there are none. Throws `Canceled` if the run is canceled. */
  make(ask: VariationAsk): Promise<Extract<Ending, { kind: 'varied' | 'failed' }> | string>
}

/** A request for variations of a block, and the tools to create them. */
export interface VariationAsk {
  readonly input: PlanningInput
  /** The image source chosen in this session. */
  readonly choice: ImageChoice | undefined
  readonly draftId: DraftId
  readonly page: Page
  readonly block: Block
  /** True to show the last variations again. */
  readonly isAgain: boolean
  /** The requested provider. */
  readonly provider: string | undefined
  readonly tier: Tier
  readonly run: Searching & Pick<RunOptions, 'id'> & Pick<RunRecord, 'attempting' | 'facts' | 'meter'>
  readonly images: ImageWork | undefined
  /** Tries a patch by the rules for plans; returns the changed props, or why it cannot be applied. */
  tried(patch: Props): { readonly patch: Props } | { readonly problem: string }
  /** Called before images are searched. */
  written(ending: Extract<Ending, { kind: 'varied' }>): void
  /** Called when the image of a variation was found, or none will be found. */
  settled(variation: Variation, index: number): void
}
