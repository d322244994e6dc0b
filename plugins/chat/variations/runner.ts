import { readDraft, readRun, selectionOf } from '../pipeline/context.ts'
import type { Deps } from '../pipeline/deps.ts'
import { keepUsage } from '../pipeline/record.ts'
import { render } from '../pipeline/render.ts'
import { respond } from '../pipeline/respond.ts'
import { blockNotFound, noVariation, pageNotFound } from '../refusals.ts'
import type { VariationRequest } from '../request.ts'
import { nothingRemembered } from '../sessions/memory.ts'
import { textsIn } from '../texts/index.ts'
import { placeOf } from '../types/ending.ts'
import { checkpoint, type Run, type RunOptions } from '../types/run.ts'
import type { VariationEnd, VariationFollower, VariationListener } from '../types/variations.ts'

/** Makes what writes variations on request. Nothing of it is remembered as said in the session. */
export function createVariationRunner(parts: Deps): { open(request: VariationRequest, options: RunOptions): (listener?: VariationListener) => Promise<VariationEnd> } {
  return {
    open(request, options) {
      const run = readRun({ ...request, executionMode: 'auto' }, options, parts)
      return async (listener) => {
        checkpoint(run)
        const ended = await parts.wholeDrafts.use(run.id, () => vary(run, listener)).finally(() => keepUsage(run, parts))
        const { ending } = ended
        if (ending.kind === 'failed' && ending.failure.kind === 'unusable') throw noVariation(ending.failure.details.notice ?? ending.failure.message)
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
