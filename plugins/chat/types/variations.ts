import type { ChatResult, Variation } from '../result.ts'
import type { VariationRequest } from '../request.ts'
import type { Ended, Ending } from './ending.ts'
import type { Run, RunContext, RunOptions } from './run.ts'

/** How a request for variations ended. */
export interface VariationEnd {
  /** The HTTP status that goes with the result. */
  readonly status: 200 | 500 | 503
  readonly result: ChatResult
}

/** Writes variations that are asked for directly. */
export interface VariationRunner {
  /**
   * Reads a request, and gives what carries it out. Refuses with 400 what cannot be read.
   *
   * Carrying it out refuses with 404 a page or a block that is not in the draft, and with 400 where no variation came of it;
   * it throws `Canceled` when the run is canceled.
   */
  open(request: VariationRequest, options: RunOptions): Promise<(listener?: VariationListener) => Promise<VariationEnd>>
}

/** Is told of variations whose images are still looked for. */
export interface VariationListener {
  /** They are written, and their images are on the way. */
  ready(result: ChatResult): void
  /** The image of one is there, or nobody has it: so it stays. */
  image(variation: Variation, index: number): void
}

/** Variations, as the pipeline of chat asks for them. */
export interface Variations {
  /** What a message wishes for; `undefined` where that is no variation. */
  intentOf(message: string): VariationWish | undefined
  /** Answers a wish. It waits for no other run, because it changes nothing. */
  vary(run: Run, context: RunContext, wish: VariationWish, follower?: VariationFollower): Promise<Ended>
}

/** Is told of variations whose images are still looked for. */
export interface VariationFollower {
  /** They are written. */
  written(ending: Ending): void
  /** The image of one is there, or nobody has it. */
  settled(variation: Variation, index: number): void
}

/** A message that asks for other contents of a block, to choose from. */
export interface VariationWish {
  /** It only wants to see those that were made a moment ago. */
  readonly again: boolean
}
