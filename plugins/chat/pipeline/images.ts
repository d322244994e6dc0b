import type { Companion } from '../../draft/port.ts'
import type { Note, PlannedImage, Remark } from '../types/plan.ts'
import { type CommittedChange, commitPlan, linesOf, mostMoves } from './commit.ts'
import { readDraft } from './reading.ts'
import { checkpoint, inputOf, type MessageRun, type RunContext, searchingOf } from './run.ts'
import { check } from './validate.ts'

/** Creates a note about missing images for each block type. */
export const missingImages = (types: readonly string[]): readonly Note[] =>
  [...new Set(types)].map((type) => ({ kind: 'images', type }))

/**
 * Searches for the images of a plan, whose operations are `before` in the draft, and sets the found ones as one
 * change. A field that has changed in the meantime, or whose image was not found, stays unchanged.
 *
 * Without `before`, throws `Canceled` if the run is canceled; otherwise the images are left out.
 */
export async function setImages(
  run: MessageRun,
  start: RunContext,
  images: readonly PlannedImage[],
  before: CommittedChange | undefined,
  also: Companion,
): Promise<{ readonly set?: CommittedChange; readonly notes: readonly Remark[] }> {
  const { chat, how, site, record } = run
  const types = images.map(({ type }) => type)
  const now = async (): Promise<RunContext> => ({ ...start, draft: await readDraft(chat, run.id) })
  const { images: work } = chat
  const found = work?.available ? await work.find(searchingOf(run), images, inputOf(run, await now())) : []
  const reported = record.candidates()
  for (let moves = 0; moves < mostMoves; moves += 1) {
    if (!before) checkpoint(run)
    const context = await now()
    const scene = inputOf(run, context)
    const fit = found.flatMap((each) => {
      // Left out if the field has changed or the step is not valid.
      const op = each.operation(scene)
      return op && check([{ op }], site, context, chat).ok ? [{ ...each, op }] : []
    })
    const plan = check(fit, site, context, chat)
    if (!plan.ok || plan.steps.length === 0) break
    const missing = missingImages(
      fit.reduce((remaining, { type }) => remaining.toSpliced(remaining.indexOf(type), 1), types),
    )
    for (const [at, { op }] of plan.all.entries()) {
      how.emit({ type: 'op_candidate', index: reported + at + 1, op })
    }
    const result = await commitPlan(run, context, plan, {
      also: before ? [] : [also],
      changes: [...(before?.changes ?? []), ...linesOf(plan, run, context)],
      omitted: missing,
      reported,
    })
    if (result.kind === 'moved') continue
    if (result.kind === 'refused') break
    const credits = new Set(fit.flatMap(({ credit }) => credit ?? []))
    return {
      set: result,
      notes: [...missing, ...[...credits].map((text) => ({ kind: 'said', text }) as const)],
    }
  }
  return { notes: missingImages(types) }
}
