import { homeFirst } from '../../content/slugs.ts'
import { type Finding, missingImages, noImages, searchingOf, workingImages } from '../types/images.ts'
import type { Remark } from '../types/plan.ts'
import type { PlanningInput } from '../types/planner.ts'
import { checkpoint, type Run } from '../types/run.ts'
import { mostMoves } from './applier.ts'
import type { StepTask } from './apply-steps.ts'
import { readDraft } from './context.ts'
import type { Deps } from './deps.ts'
import { inputOf } from './plan.ts'
import { check, type Sound } from './validate.ts'

/**
 * Searches for the images of an applied plan and sets the found ones: as one change, or one by one if a
 * client follows. A field that has changed in the meantime, or whose image was not found, stays unchanged.
 * Returns the plan with the results.
 *
 * Throws `Canceled` if the run is canceled; the caller rolls back.
 */
export async function applyImages(run: Run, task: StepTask, deps: Deps): Promise<Sound> {
  const { plan, candidate: { images, also }, context, applier, memory } = task
  const { how } = run
  const work = workingImages(deps)
  if (!work) return withNotes(plan, [noImages])
  const isStepwise = deps.stepping.isStepwise && how.isStreamed
  const ask = { input: await inputNow(), isStreamed: how.isStreamed }
  const found = await work.find(searchingOf(run), images, ask)
  checkpoint(run)
  const groups = isStepwise ? found.map((each) => [each]) : [found]
  let shown = plan.all.length
  let missing: readonly string[] = images.map(({ type }) => type)
  const pages = new Set<string>()
  const credits = new Set<string>()
  for (const group of groups) {
    if (isStepwise) await applier.due(how.signal)
    await set(group)
  }
  const said = [...credits].map((text) => ({ kind: 'said', text }) as const)
  return withPages(withNotes(plan, [...missingImages(missing), ...said]), pages)

  async function inputNow(): Promise<PlanningInput> {
    return inputOf(run, { ...context, draft: await readDraft(run.id, deps) }, deps)
  }

  /** Sets some images as one change. */
  async function set(group: readonly Finding[]): Promise<void> {
    for (let moves = 0; moves < mostMoves; moves += 1) {
      checkpoint(run)
      const { draft, ...input } = await inputNow()
      const fit = group.flatMap((each) => {
        // Left out if the field has changed or the step is not valid.
        const op = each.operation({ ...input, draft })
        const checked = op && check([{ op }], run, { ...context, draft }, deps)
        return checked?.ok ? checked.steps.map((step) => ({ ...each, step })) : []
      })
      const [first] = fit
      if (!first) return
      const left = fit.reduce((types, { type }) => types.toSpliced(types.indexOf(type), 1), missing)
      const notes = missingImages(left)
      const companions = applier.count === 0 ? [also] : []
      const remembers = group === groups.at(-1) ? memory(withNotes(plan, notes)) : undefined
      const index = shown + 1
      if (isStepwise && moves === 0) how.emit({ type: 'op_candidate', index, op: first.step.op })
      const place = isStepwise ? { index, total: index } : undefined
      const addition = { expect: draft.version, companions, memory: remembers, missing: notes, place }
      const applied = await applier.add(fit.map(({ step }) => step), addition)
      if (applied.kind === 'moved') continue
      if (applied.kind !== 'done') return
      shown += 1
      missing = left
      for (const { credit } of fit) if (credit !== undefined) credits.add(credit)
      for (const { step: { op } } of fit) if ('pageSlug' in op) pages.add(op.pageSlug)
      return
    }
  }
}

/** Adds remarks to a plan. */
export const withNotes = (plan: Sound, notes: readonly Remark[]): Sound =>
  ({ ...plan, notes: [...plan.notes, ...notes] })

/** Adds pages to the mentioned pages of a plan. */
function withPages(plan: Sound, pages: ReadonlySet<string>): Sound {
  const { results } = plan
  if (!results) return plan
  const mentionedSlugs = homeFirst([...new Set([...results.mentionedSlugs, ...pages])])
  return { ...plan, results: { ...results, mentionedSlugs } }
}
