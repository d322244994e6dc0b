import type { VariationRequest } from '../request.ts'
import type { ChatResult, Variation } from '../result.ts'
import type { Ended, Ending } from './ending.ts'
import type { Run, RunContext, RunOptions } from './run.ts'

/** So many are made at most. */
export const mostVariations = 12

/** How a request for variations ended. */
export interface VariationEnd {
  /** The HTTP status that goes with the result. */
  readonly status: 200 | 500 | 503
  readonly result: ChatResult
}

/** Writes variations outside of chat messages. */
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

/** Variations, as the pipeline asks for them. */
export interface Variations {
  /** The intent of a message; `undefined` where it does not ask for variations. */
  intentOf(message: string): VariationIntent | undefined
  /** Answers such a message. It does not wait for other runs, because it changes nothing. */
  vary(run: Run, context: RunContext, intent: VariationIntent, follower?: VariationFollower): Promise<Ended>
}

/** Receives variations before their images are found. */
export interface VariationFollower {
  /** They are written. */
  written(ending: Ending): void
  /** The image of one was found, or none will be. */
  settled(variation: Variation, index: number): void
}

/** A message that asks for other contents of a block, to choose from. */
export interface VariationIntent {
  /** Asks to see the last variations again. */
  readonly again: boolean
}
