import type { Logger } from '../../../kernel/index.ts'
import type { Block, Props } from '../../content/model.ts'
import { sameJson } from '../../content/same-json.ts'
import type { UsageLog } from '../../usage/port.ts'
import { blockNotFound, noVariation, pageNotFound } from '../refusals.ts'
import { nothingRemembered } from '../sessions/memory.ts'
import { texts } from '../texts/texts.ts'
import { type ImageWork, searchingOf } from '../types/images.ts'
import { byRules } from '../types/planner.ts'
import {
  checkpoint,
  type Ended,
  type Ending,
  type NotVaried,
  placeOf,
  type Run,
  type RunContext,
} from '../types/run.ts'
import type { VariationAsk, VariationListener, VariationMaker, VariationRunner } from '../types/variations.ts'
import type { WholeDrafts } from '../whole-drafts.ts'
import type { Planning } from './plan.ts'
import { type Reading, selectionOf } from './reading.ts'
import { render } from './render.ts'
import { keepUsage, type Respond } from './respond.ts'
import { check, type Limits } from './validate.ts'

/** Receivers of variations before the run ends; none if the client sees only the end. */
type Receivers = Pick<VariationAsk, 'written' | 'settled'>

interface VaryOptions extends Partial<Receivers> {
  /** True to show the last variations again. */
  readonly isAgain: boolean
}

interface VaryParts {
  readonly maker: VariationMaker | undefined
  readonly planning: Planning
  readonly images: ImageWork | undefined
  readonly longestImageMs: number
  readonly limits: Limits
}

/** Writes variations of the selected block, or says why there are none. Changes nothing. */
export type Vary = ReturnType<typeof createVary>

export function createVary({ maker, planning, images, longestImageMs: longestMs, limits }: VaryParts) {
  return async function vary(run: Run, context: RunContext, options: VaryOptions): Promise<Ended> {
    const { isAgain, written = () => undefined, settled = () => undefined } = options
    const { draft, selection, memory } = context
    const {
      how,
      record,
      request: { provider },
      tier,
    } = run
    const place = placeOf(context)
    const page = draft.pages.find(({ slug }) => slug === selection.slug)
    const block = page?.blocks.find(({ id }) => id === selection.blockId)
    if (!page || !block) return notVaried('noBlock')
    if (!maker?.hasModel) return notVaried('noModel')
    const made = await maker.make({
      page,
      block,
      provider,
      tier,
      isAgain,
      written,
      settled,
      longestMs,
      input: planning.inputOf(run, context),
      draftId: run.id,
      run: { ...record, ...searchingOf(run), id: how.id, isStreamed: how.isStreamed },
      images: images?.available ? images : undefined,
      choice: memory.images?.choice,
      tried: (patch) => tried(patch, block, run, context, limits),
    })
    return typeof made === 'string' ? notVaried(made) : { ending: made, place }

    async function notVaried(why: NotVaried): Promise<Ended> {
      const alone = !maker?.hasModel
      const suggestions = alone ? await planning.suggestions(run, context) : []
      return { ending: { kind: 'notVaried', why, alone, suggestions, source: byRules }, place }
    }
  }
}

/** Tries a patch of the block by the rules for plans. */
function tried(
  patch: Props,
  { id: blockId, props }: Block,
  { site }: Run,
  context: RunContext,
  limits: Limits,
): ReturnType<VariationAsk['tried']> {
  const { slug } = context.selection
  const checked = check(
    [{ op: { op: 'update_props', pageSlug: slug, blockId, patch } }],
    site,
    context,
    limits,
  )
  if (!checked.ok && checked.kind === 'broken') return { problem: checked.problems.join(' ') }
  const after = checked.ok && checked.change.pages.get(slug)?.after?.blocks.find(({ id }) => id === blockId)
  if (!after) return { problem: 'a variation changes nothing' }
  const names = new Set([...Object.keys(props), ...Object.keys(after.props)])
  const changed = [...names].filter((name) => !sameJson(props[name], after.props[name]))
  return { patch: Object.fromEntries(changed.map((name) => [name, after.props[name] ?? null])) }
}

interface VariationRunnerParts {
  readonly reading: Reading
  readonly vary: Vary
  readonly respond: Respond
  readonly wholeDrafts: WholeDrafts
  readonly usage: UsageLog | undefined
  readonly log: Logger
}

/** Creates the runner of variation requests, which are not added to the session memory. */
export function createVariationRunner({
  reading,
  vary,
  respond,
  wholeDrafts,
  usage,
  log,
}: VariationRunnerParts): VariationRunner {
  return {
    async open(request, options) {
      const run = reading.run({ ...request, executionMode: 'auto' }, options)
      return async (listener) => {
        checkpoint(run)
        const varied = wholeDrafts.use(run.id, () => varyOn(run, listener))
        const ended = await varied.finally(() => keepUsage(run, usage, log))
        const { ending } = ended
        if (ending.kind === 'failed' && ending.failure.kind === 'unusable') {
          throw noVariation(ending.failure.details.notice ?? ending.failure.message)
        }
        if (ending.kind === 'notVaried' && ending.why !== 'noModel') {
          throw noVariation(texts.notVaried(ending.why, ending.alone))
        }
        const { status, result } = respond(run, render(run, ended))
        return { status: status === 500 || status === 503 ? status : 200, result }
      }
    },
  }

  async function varyOn(run: Run, listener: VariationListener | undefined): Promise<Ended> {
    const draft = await reading.draft(run.id)
    const selection = selectionOf(run.request, draft)
    if (!selection) throw pageNotFound(run.request.slug)
    if (selection.blockId === undefined) throw blockNotFound()
    const context = { draft, selection, memory: nothingRemembered, pending: undefined }
    const resultOf = (ending: Ending) => respond(run, render(run, { ending, place: placeOf(context) })).result
    const written = (ending: Ending): void => listener?.ready(resultOf(ending))
    return vary(run, context, { isAgain: false, ...(listener && { written, settled: listener.image }) })
  }
}
