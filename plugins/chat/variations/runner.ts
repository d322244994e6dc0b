import { readDraft, readRun, selectionOf } from '../pipeline/context.ts'
import type { Deps } from '../pipeline/deps.ts'
import { keepUsage } from '../pipeline/record.ts'
import { render } from '../pipeline/render.ts'
import { respond } from '../pipeline/respond.ts'
import { blockNotFound, noVariation, pageNotFound } from '../refusals.ts'
import type { ChatResult, Variation } from '../result.ts'
import { nothingRemembered } from '../sessions/memory.ts'
import { textsIn } from '../texts/index.ts'
import { placeOf } from '../types/ending.ts'
import { checkpoint, type Run, type RunOptions } from '../types/run.ts'
import type { VariationFollower } from './index.ts'
import type { VariationRequest } from './request.ts'

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

/** Makes what writes variations on request. Nothing of it is remembered as said in the session. */
export function createVariationRunner(parts: Deps): { open(request: VariationRequest, options: RunOptions): (listener?: VariationListener) => Promise<VariationEnd> } {
  return {
    open(request, options) {
      const run = readRun({ ...request, executionMode: 'auto' }, options, parts)
      return async (listener) => {
        checkpoint(run)
        const ended = await parts.wholeDrafts.use(run.id, () => vary(run, listener)).finally(() => keepUsage(run, parts))
        const { ending } = ended
        if (ending.kind === 'failed' && ending.failure.kind === 'unusable') throw noVariation(ending.failure.details.told ?? ending.failure.message)
        if (ending.kind === 'notVaried' && ending.why !== 'noModel') throw noVariation(textsIn(run.locale).notVaried(ending.why, ending.alone))
        const { status, result } = respond(run, render(run, ended))
        return { status: status === 500 || status === 503 ? status : 200, result }
      }
    },
  }

  async function vary(run: Run, listener: VariationListener | undefined) {
    const { slug } = run.request
    const draft = await readDraft(run.id, parts)
    const selection = selectionOf(run.request, draft)
    if (!selection) throw pageNotFound(slug)
    if (selection.blockId === undefined) throw blockNotFound()
    const context = { draft, selection, memory: nothingRemembered }
    const follower: VariationFollower | undefined = listener && {
      written: (ending) => listener.ready(respond(run, render(run, { ending, place: placeOf(context) })).result),
      settled: (variation, index) => listener.image(variation, index),
    }
    return parts.variations.vary(run, context, { again: false }, follower)
  }
}
