import { homeFirst } from '../../content/slugs.ts'
import { type Finding, missingImages, noImages, searchingOf, workingImages } from '../types/images.ts'
import type { Remark, Step } from '../types/plan.ts'
import type { PlanningInput } from '../types/planner.ts'
import { checkpoint, type Run } from '../types/run.ts'
import type { Sound } from '../validate/index.ts'
import { type Addition, mostMoves, type RunApplier } from './applier.ts'
import { applyStep, type Stepped, type StepTask } from './apply-steps.ts'
import { readDraft } from './context.ts'
import type { Deps } from './deps.ts'
import { inputOf } from './plan.ts'
import { check } from './validate.ts'

/** An applied plan whose images are still missing. */
export type ImageTask = Pick<StepTask, 'plan' | 'candidate' | 'context' | 'remember'>

/**
 * Searches the images of an applied plan and sets those that were found: as one change, or one by one for a client that
 * follows. A field that has changed meanwhile, or for which nothing was found, stays as it is.
 *
 * Throws `Canceled` for a canceled run; the caller rolls back.
 */
export async function applyImages(run: Run, { plan, candidate, context, remember }: ImageTask, applier: RunApplier, deps: Deps): Promise<Extract<Stepped, { kind: 'through' }>> {
  const { images, site, slug, also, suggestions } = candidate
  const work = workingImages(deps)
  if (!work) return { kind: 'through', plan: withNotes(plan, [noImages]), isRemembered: false }
  const { how } = run
  const isStepwise = deps.stepping.isStepwise && how.isStreamed
  const found = await work.find(searchingOf(run), images, { input: await inputNow(), isStreamed: how.isStreamed })
  checkpoint(run)
  const groups = isStepwise ? found.map((each) => [each]) : [found]
  let shown = plan.all.length
  let missing: readonly string[] = images.map(({ type }) => type)
  const pages = new Set<string>()
  const credits = new Set<string>()
  let isRemembered = false
  for (const group of groups) {
    if (isStepwise) await applier.due(how.signal)
    const isThere = await set(group)
    if (isThere) shown += 1
    isRemembered = isThere && group === groups.at(-1)
  }
  return { kind: 'through', plan: withPages(withNotes(plan, [...missingImages(missing), ...said(credits)]), pages), isRemembered }

  async function inputNow(): Promise<PlanningInput> {
    return inputOf(run, { ...context, draft: await readDraft(run.id, deps) })
  }

  /** Sets some images as one change; returns whether any was set. */
  async function set(group: readonly Finding[]): Promise<boolean> {
    for (let moves = 0; moves < mostMoves; moves += 1) {
      checkpoint(run)
      const input = await inputNow()
      const fit = group.flatMap((each) => stepsFor(each, input))
      if (fit.length === 0) return false
      const left = without(missing, fit.map(({ type }) => type))
      const notes = missingImages(left)
      const memory = deps.memories.along(run.id, (committed) => remember(applier.done(withNotes(plan, notes), suggestions, committed)))
      const beside = [...(applier.count === 0 ? [also] : []), ...(group === groups.at(-1) ? [memory] : [])]
      const { draft } = input
      if (isStepwise && moves === 0) for (const { step } of fit) how.emit({ type: 'op_candidate', index: shown + 1, op: step.op })
      const applied = await add(fit.map(({ step }) => step), { site, slug, expect: draft.version, beside, pages: draft.pages, notes })
      if (applied.kind === 'moved') continue
      if (applied.kind !== 'done') return false
      missing = left
      for (const { credit } of fit) if (credit !== undefined) credits.add(credit)
      for (const { step: { op } } of fit) if ('pageSlug' in op) pages.add(op.pageSlug)
      return true
    }
    return false
  }

  async function add(steps: readonly Step[], addition: Omit<Addition, 'steps'>): Promise<{ readonly kind: string }> {
    const [step] = steps
    if (!isStepwise || !step) return applier.add({ ...addition, steps })
    return applyStep(run, step, { index: shown + 1, total: shown + 1, addition }, applier)
  }

  /** The step that sets an image in the current draft; empty where its field has changed, or the step is not valid. */
  function stepsFor(found: Finding, input: PlanningInput): readonly (Pick<Finding, 'type' | 'credit'> & { readonly step: Step })[] {
    const op = found.operation(input)
    const checked = op && check([{ op }], { draft: input.draft, slug, site }, deps)
    return checked?.kind === 'sound' ? checked.steps.map((step) => ({ ...found, step })) : []
  }
}

const said = (texts: Iterable<string>): readonly Remark[] => [...texts].map((text) => ({ kind: 'said', text }))

export const withNotes = (plan: Sound, notes: readonly Remark[]): Sound => ({ ...plan, notes: [...plan.notes, ...notes] })

/** Adds pages to those that a plan mentions. */
function withPages(plan: Sound, pages: ReadonlySet<string>): Sound {
  const { results } = plan
  return results ? { ...plan, results: { ...results, mentionedSlugs: homeFirst([...new Set([...results.mentionedSlugs, ...pages])]) } } : plan
}

/** A list without one occurrence of each of these. */
function without(types: readonly string[], gone: readonly string[]): readonly string[] {
  return gone.reduce((left, type) => left.toSpliced(left.indexOf(type), 1), types)
}
