import type { Block, Props } from '../../content/model.ts'
import { sameJson } from '../../content/same-json.ts'
import { blockNotFound, noVariation, pageNotFound } from '../refusals.ts'
import { nothingRemembered } from '../sessions/memory.ts'
import { textsIn } from '../texts/index.ts'
import { searchingOf, workingImages } from '../types/images.ts'
import { suggestionsIn } from '../types/plan.ts'
import { byRulesAlone } from '../types/planner.ts'
import {
  checkpoint, type Ended, type Ending, type NotVaried, placeOf, type Run, type RunContext,
} from '../types/run.ts'
import type { VariationAsk, VariationListener, VariationRunner } from '../types/variations.ts'
import { readDraft, readRun, selectionOf } from './context.ts'
import type { Deps } from './deps.ts'
import { inputOf, planLocally } from './plan.ts'
import { render } from './render.ts'
import { keepUsage, respond } from './respond.ts'
import { check } from './validate.ts'

/** Receivers of variations before the run ends; none if the client sees only the end. */
type Receivers = Pick<VariationAsk, 'written' | 'settled'>
const noReceivers: Receivers = { written: () => undefined, settled: () => undefined }

/** Answers a request for variations of the selected block. Changes nothing, so it waits for no other run. */
export async function vary(
  run: Run, context: RunContext, isAgain: boolean, deps: Deps, receivers = noReceivers,
): Promise<Ended> {
  const { draft, selection, memory } = context
  const { how, record, request: { provider }, tier } = run
  const place = placeOf(context)
  const maker = await deps.variationMaker?.()
  const page = draft.pages.find(({ slug }) => slug === selection.slug)
  const block = page?.blocks.find(({ id }) => id === selection.blockId)
  if (!page || !block) return notVaried('noBlock')
  if (!maker?.hasModel) return notVaried('noModel')
  const made = await maker.make({
    page, block, provider, tier, isAgain,
    ...receivers,
    input: inputOf(run, context, deps),
    draftId: run.id,
    run: { ...record, ...searchingOf(run), id: how.id, isStreamed: how.isStreamed },
    images: workingImages(deps),
    choice: memory.images?.choice,
    tried: (patch) => tried(patch, block, run, context, deps),
  })
  return typeof made === 'string' ? notVaried(made) : { ending: made, place }

  async function notVaried(why: NotVaried): Promise<Ended> {
    const alone = !maker?.hasModel
    const suggestions = alone ? suggestionsIn(await planLocally(run, context, deps)) : []
    return { ending: { kind: 'notVaried', why, alone, suggestions, source: byRulesAlone }, place }
  }
}

function tried(
  patch: Props, block: Block, run: Run, context: RunContext, deps: Deps,
): ReturnType<VariationAsk['tried']> {
  const { id: blockId, props } = block
  const { slug } = context.selection
  const checked = check([{ op: { op: 'update_props', pageSlug: slug, blockId, patch } }], run, context, deps)
  if (!checked.ok && checked.kind === 'broken') return { problem: checked.problems.join(' ') }
  const after = checked.ok && checked.change.pages.get(slug)?.after?.blocks.find(({ id }) => id === blockId)
  if (!after) return { problem: 'a variation changes nothing' }
  const names = new Set([...Object.keys(props), ...Object.keys(after.props)])
  const changed = [...names].filter((name) => !sameJson(props[name], after.props[name]))
  return { patch: Object.fromEntries(changed.map((name) => [name, after.props[name] ?? null])) }
}

/** Creates the runner of variation requests, which are not added to the session memory. */
export function createVariationRunner(deps: Deps): VariationRunner {
  return {
    async open(request, options) {
      const run = readRun({ ...request, executionMode: 'auto' }, options, deps)
      return async (listener) => {
        checkpoint(run)
        const varied = deps.wholeDrafts.use(run.id, () => varyOn(run, listener))
        const ended = await varied.finally(() => keepUsage(run, deps))
        const { ending } = ended
        if (ending.kind === 'failed' && ending.failure.kind === 'unusable') {
          throw noVariation(ending.failure.details.notice ?? ending.failure.message)
        }
        if (ending.kind === 'notVaried' && ending.why !== 'noModel') {
          throw noVariation(textsIn(run.locale).notVaried(ending.why, ending.alone))
        }
        const { status, result } = respond(run, render(run, ended), deps)
        return { status: status === 500 || status === 503 ? status : 200, result }
      }
    },
  }

  async function varyOn(run: Run, listener: VariationListener | undefined): Promise<Ended> {
    const { slug } = run.request
    const draft = await readDraft(run.id, deps)
    const selection = selectionOf(run.request, draft)
    if (!selection) throw pageNotFound(slug)
    if (selection.blockId === undefined) throw blockNotFound()
    const context = { draft, selection, memory: nothingRemembered, pending: undefined }
    const resultOf = (ending: Ending) => respond(run, render(run, { ending, place: placeOf(context) }), deps).result
    const written = (ending: Ending): void => listener?.ready(resultOf(ending))
    return vary(run, context, false, deps, listener && { written, settled: listener.image })
  }
}
