import type { Block, Props } from '../../content/model.ts'
import { sameJson } from '../../content/plain-object.ts'
import { blockNotFound, noVariation, pageNotFound } from '../refusals.ts'
import { nothingRemembered } from '../sessions/memory.ts'
import { texts } from '../texts/texts.ts'
import type { VariationRequest } from '../request.ts'
import { byRules } from '../types/planner.ts'
import type { Ending, NotVaried, RunOptions } from '../types/run.ts'
import type { VariationAsk, VariationEnd, VariationListener } from '../types/variations.ts'
import { keepUsage, suggestionsFor } from './plan.ts'
import { readSiteDescription, readDraft, readRun, selectionOf, startOf } from './reading.ts'
import { respond } from './respond.ts'
import {
  type Chat,
  checkpoint,
  type EndedRun,
  inputOf,
  type MessageRun,
  type RunContext,
  searchingOf,
} from './run.ts'
import { check } from './validate.ts'

/** `isAgain`: shows the last variations again. The others receive variations before the run ends. */
interface VaryOptions extends Partial<Pick<VariationAsk, 'written' | 'settled'>> {
  readonly isAgain: boolean
}

/** Writes variations of the selected block, or says why there are none. Changes nothing. */
export async function vary(
  run: MessageRun,
  context: RunContext,
  { isAgain, written = () => undefined, settled = () => undefined }: VaryOptions,
): Promise<EndedRun> {
  const { chat, id, how, record, request, tier } = run
  const { maker, images } = chat
  const { draft, selection, memory } = context
  const page = draft.pages.find(({ slug }) => slug === selection.slug)
  const block = page?.blocks.find((each) => each.id === selection.blockId)
  const refused = async (why: NotVaried): Promise<EndedRun> => {
    const suggestions = maker?.hasModel ? [] : await suggestionsFor(run, context)
    return { ending: { kind: 'notVaried', ...why, suggestions, source: byRules }, context }
  }
  if (!page || !block) return refused({ why: 'noBlock', summary: texts.noBlock() })
  if (!maker?.hasModel) return refused({ why: 'noModel', summary: texts.noModel() })
  const made = await maker.make({
    page,
    block,
    tier,
    isAgain,
    written,
    settled,
    provider: request.provider,
    input: { ...inputOf(run, context), siteContext: await readSiteDescription(run, draft) },
    draftId: id,
    run: { ...record, ...searchingOf(run), id: how.id },
    images: images?.available ? images : undefined,
    choice: memory.images?.choice,
    tried: (patch) => tried(patch, block, run, context),
  })
  return typeof made === 'string' ? refused({ why: 'impossible', summary: made }) : { ending: made, context }
}

/** Tries a patch of the block by the rules for plans. */
function tried(
  patch: Props,
  { id: blockId, props }: Block,
  { site, chat }: MessageRun,
  context: RunContext,
): ReturnType<VariationAsk['tried']> {
  const { slug } = context.selection
  const op = { op: 'update_props', pageSlug: slug, blockId, patch } as const
  const checked = check([{ op }], site, context, chat)
  if (!checked.ok && checked.kind === 'broken') return { problem: checked.problems.join(' ') }
  const after = checked.ok && checked.change.pages.get(slug)?.after?.blocks.find(({ id }) => id === blockId)
  if (!after) return { problem: 'a variation changes nothing' }
  const names = new Set([...Object.keys(props), ...Object.keys(after.props)])
  const changed = [...names].filter((name) => !sameJson(props[name], after.props[name]))
  return { patch: Object.fromEntries(changed.map((name) => [name, after.props[name] ?? null])) }
}

/** Creates the runner of variation requests, which are not added to the session memory. */
export const createVariationRunner = (chat: Chat) => ({
  /**
   * Reads a request and returns the function that runs it. Refuses with 400 an unreadable request.
   *
   * The returned function refuses with 404 if the page or block is not in the draft, and with 400 if no
   * variation was created; it throws `Canceled` when the run is canceled.
   */
  async open(request: VariationRequest, how: RunOptions) {
    const run = await readRun(chat, startOf(chat, { ...request, executionMode: 'auto' }, how.id), how)
    return async (listener?: VariationListener): Promise<VariationEnd> => {
      checkpoint(run)
      const varied = chat.wholeDrafts.use(run.id, () => varyOn(run, listener))
      const ended = await varied.finally(() => keepUsage(run))
      const { ending } = ended
      if (ending.kind === 'failed' && ending.failure.kind === 'unusable') {
        throw noVariation(ending.failure.details.notice ?? ending.failure.message)
      }
      if (ending.kind === 'notVaried' && ending.why !== 'noModel') {
        throw noVariation(ending.summary)
      }
      run.record.reached('done')
      const { status, result } = respond(run, ended)
      return { status: status === 500 || status === 503 ? status : 200, result }
    }
  },
})

async function varyOn(run: MessageRun, listener: VariationListener | undefined): Promise<EndedRun> {
  const draft = await readDraft(run.chat, run.id)
  const selection = selectionOf(run.request, draft)
  if (!selection) throw pageNotFound(run.request.slug)
  if (selection.blockId === undefined) throw blockNotFound()
  const context = { draft, selection, memory: nothingRemembered }
  const written = (ending: Ending): void => listener?.ready(respond(run, { ending, context }).result)
  return vary(run, context, { isAgain: false, ...(listener && { written, settled: listener.image }) })
}
