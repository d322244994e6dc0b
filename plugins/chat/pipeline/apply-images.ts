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

/** A plan whose operations are in the draft, and which still wants images. */
export type ImageTask = Pick<StepTask, 'plan' | 'candidate' | 'context' | 'remember'>

/**
 * Looks for the images of a plan that was applied, and sets what was found: as one further change, or for whoever follows one
 * image after the other. A field that is not what it was keeps what is there, and so does one for which nobody has anything.
 *
 * A run that is canceled throws `Canceled`; taking back is up to who asked for it.
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
  let told = plan.all.length
  let missing: readonly string[] = images.map(({ type }) => type)
  const pages = new Set<string>()
  const credits = new Set<string>()
  let isRemembered = false
  for (const group of groups) {
    if (isStepwise) await applier.due(how.signal)
    const isThere = await set(group)
    if (isThere) told += 1
    isRemembered = isThere && group === groups.at(-1)
  }
  return { kind: 'through', plan: withPages(withNotes(plan, [...missingImages(missing), ...said(credits)]), pages), isRemembered }

  async function inputNow(): Promise<PlanningInput> {
    return inputOf(run, { ...context, draft: await readDraft(run.id, deps) })
  }

  /** Sets what fits of some images, as one change; tells whether anything does. */
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
      if (isStepwise && moves === 0) for (const { step } of fit) how.emit({ type: 'op_candidate', index: told + 1, op: step.op })
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
    return applyStep(run, step, { index: told + 1, total: told + 1, addition }, applier)
  }

  /** What sets an image in the draft as it is now; nothing where its field is another one, or a rule is against it. */
  function stepsFor(found: Finding, input: PlanningInput): readonly (Pick<Finding, 'type' | 'credit'> & { readonly step: Step })[] {
    const op = found.operation(input)
    const checked = op && check([{ op }], { draft: input.draft, slug, site }, deps)
    return checked?.kind === 'sound' ? checked.steps.map((step) => ({ ...found, step })) : []
  }
}

const said = (texts: Iterable<string>): readonly Remark[] => [...texts].map((text) => ({ kind: 'said', text }))

export const withNotes = (plan: Sound, notes: readonly Remark[]): Sound => ({ ...plan, notes: [...plan.notes, ...notes] })

/** A plan that is about further pages as well. */
function withPages(plan: Sound, pages: ReadonlySet<string>): Sound {
  const { results } = plan
  return results ? { ...plan, results: { ...results, mentionedSlugs: homeFirst([...new Set([...results.mentionedSlugs, ...pages])]) } } : plan
}

/** What is left of a list when each of these is taken out of it once. */
function without(types: readonly string[], gone: readonly string[]): readonly string[] {
  return gone.reduce((left, type) => left.toSpliced(left.indexOf(type), 1), types)
}
