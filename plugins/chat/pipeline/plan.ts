import * as v from 'valibot'
import type { Logger } from '../../../kernel/index.ts'
import type { Checks } from '../../checks/port.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { textsIn } from '../texts/index.ts'
import type { Ending } from '../types/ending.ts'
import { type ImageAsk, type ImageOutcome, type ImageReading, type ImageWork, searchingOf } from '../types/images.ts'
import type { Note, Outcome, Plan } from '../types/plan.ts'
import { byRules, byRulesAlone, type Planner, type PlannerBreak, PlannerFailure, type PlanningInput, type PlanningRun, type RequestStep, type Source, withModel } from '../types/planner.ts'
import type { MessageReader } from '../types/reader.ts'
import { checkpoint, type Run, type RunContext } from '../types/run.ts'
import type { AskedImages } from './candidate.ts'
import { readRecentEdits } from './context.ts'
import type { Deps } from './deps.ts'
import { milestonesIn } from './record.ts'

/** What the plan stage is given beside the run. */
export interface PlanTask {
  /** What local planners made of the message. */
  readonly local: Outcome
  /** `undefined` without a source of images. */
  readonly images: RunImages | undefined
}

/** The image work of one run. */
export interface RunImages {
  readonly work: ImageWork
  readonly reading: ImageReading
  readonly ask: ImageAsk
}

/** The result of planning. */
export type Planned =
  | { readonly kind: 'planned'; readonly outcome: Outcome; readonly source: Source; /** No planner with a model is available. */ readonly alone: boolean; /** What could not be done of it. */ readonly notes?: readonly Note[]; /** The images that it asks for. */ readonly asked?: AskedImages | undefined }
  | { readonly kind: 'failed'; readonly failure: PlannerFailure; readonly source: Source }

/** The input of every planner. A step of a chain answers no question: a model wrote it, not the person. */
export function inputOf({ id, message, locale, site, siteContext, request, isStep, isPlanFirst, playground, maxOperations, hasModel }: Run, { draft, selection, memory }: RunContext): PlanningInput {
  return {
    siteId: id.siteId,
    message,
    locale,
    draft,
    selection,
    registry: builtinRegistry,
    manifest: site.manifest,
    open: isStep ? undefined : memory.asked?.question,
    history: memory.history,
    tier: request.modelKey,
    siteContext,
    attachments: request.attachments,
    isPlanFirst,
    playground,
    maxOperations,
    hasModel,
    allowStructuralEdits: site.allowStructuralEdits,
  }
}

/** Asks the local planners: the first that understands the message decides. */
export async function askLocally(planners: readonly Planner[], input: PlanningInput, run: PlanningRun): Promise<Outcome> {
  let outcome: Outcome = { kind: 'unsupported', suggestions: [] }
  for (const planner of planners.filter(({ available, isLocal }) => available && isLocal)) {
    outcome = await planner.plan(input, run)
    if (outcome.kind !== 'unsupported') break
  }
  return outcome
}

/** The same for a run. */
export const planLocally = (run: Run, context: RunContext, planners: readonly Planner[]): Promise<Outcome> => askLocally(planners, inputOf(run, context), planningRun(run))

/**
 * Asks the planners with a model where no local one gave a plan or an answer; the requested provider comes first.
 *
 * The outcome of the local planners counts where no model is available or none supports the request.
 */
export async function plan(run: Run, context: RunContext, { local, images }: PlanTask, { planners: all, words, memories, readPicture, drafts, log }: Deps): Promise<Planned> {
  const planners = withModel(all)
  const alone = planners.length === 0
  if (local.kind === 'plan') run.how.emit({ type: 'planned_by_rules', opTypes: local.plan.ops.map(({ op }) => op) })
  const source = alone ? byRulesAlone : byRules
  if (isComplete(local)) return { kind: 'planned', outcome: local, source, alone }
  const { job, answer } = images?.reading ?? {}
  if (answer) await memories.chooseImages(run.id, answer)
  if (job) return { kind: 'planned', ...(await job(searchingOf(run))), source, alone }
  if (alone) return { kind: 'planned', outcome: local, source, alone }
  const input = { ...askedOf(run, context, words, images), recentEdits: await readRecentEdits(run.id, { drafts }), findsImages: images !== undefined }
  const toolbox = { ...planningRun(run), readPicture: (address: string) => readPicture(run.id, address, run.how.signal) }
  for (const planner of inOrder(planners, run)) {
    checkpoint(run)
    run.how.emit({ type: 'planner_asked', planner: planner.name })
    try {
      const outcome = readable(await planner.plan(input, toolbox), run)
      if (outcome.kind !== 'unsupported') return { kind: 'planned', ...(await withImages(outcome, run, input, images)), source: sourceOf(planner, run), alone }
    } catch (error) {
      checkpoint(run)
      return { kind: 'failed', failure: toFailure(error, run, log.child({ run: run.how.id, planner: planner.name })), source: sourceOf(planner, run) }
    }
  }
  return { kind: 'planned', outcome: local, source, alone }
}

/** The ending of a run whose planner gave no plan. */
export function withoutPlan(planned: Planned): Ending {
  if (planned.kind === 'failed') return planned
  const { outcome, source, alone } = planned
  switch (outcome.kind) {
    case 'answer':
      return { ...outcome, kind: 'answered', source }
    case 'question':
      return { ...outcome, kind: 'asked', source }
    case 'unchanged':
      return { ...outcome, notes: [], source }
    case 'unsupported':
      return { ...outcome, alone, source }
    case 'plan':
      throw new Error('a plan is carried out')
  }
}

/** A message that is a request does not answer the open question. Local planners decide that themselves. */
function askedOf(run: Run, context: RunContext, words: MessageReader, images: RunImages | undefined): PlanningInput {
  const { open, ...input } = inputOf(run, context)
  return open && (images?.reading.answer || words.isAnswer(run.message)) ? { ...input, open } : input
}

/** Searches the images of a plan at once where it has no operations; otherwise they follow the operations. */
async function withImages(outcome: Outcome, run: Run, input: PlanningInput, images: RunImages | undefined): Promise<ImageOutcome & Pick<Extract<Planned, { kind: 'planned' }>, 'asked'>> {
  const wanted = outcome.kind === 'plan' ? (outcome.plan.images ?? []) : []
  if (outcome.kind !== 'plan' || wanted.length === 0) return { outcome }
  const asked = { images: wanted, input, choice: images?.reading.answer ?? images?.ask.choice }
  return images && outcome.plan.ops.length === 0 ? images.work.alone({ ...images.ask, ...asked }, wanted)(searchingOf(run)) : { outcome, asked }
}

/** The requested provider comes first. */
const inOrder = (planners: readonly Planner[], { request }: Run): ReadonlySet<Planner> =>
  new Set([...planners.filter(({ name }) => name === request.provider), ...planners])

const planningRun = ({ how, record, timeline }: Run): PlanningRun => ({
  ...record,
  id: how.id,
  signal: how.signal,
  emit(event) {
    for (const stage of milestonesIn(event)) timeline.reached(stage)
    how.emit(event)
  },
})

/** The steps of a request that is better done in several; `undefined` for any other. */
export async function split(run: Run, context: RunContext, { local, images }: PlanTask, { planners, words, log }: Deps): Promise<readonly RequestStep[] | undefined> {
  const [planner] = inOrder(withModel(planners), run)
  if (images?.reading.job || isComplete(local)) return undefined
  try {
    return await planner?.split?.(askedOf(run, context, words, images), planningRun(run))
  } catch (err) {
    checkpoint(run)
    log.warn({ err, run: run.how.id }, 'a planner failed to split a request; it is planned as one')
    return undefined
  }
}

const isComplete = ({ kind }: Outcome): boolean => kind === 'plan' || kind === 'unchanged' || kind === 'answer'

function sourceOf({ name }: Planner, { record }: Run): Source {
  const { model = name, tier } = record.facts() ?? {}
  return { plannerSource: name, modelUsed: model, plannerTier: 'full_llm', modelKey: tier }
}

const texts = v.array(v.string())
/** The validators check operations and images later. */
const PlanShape = v.object({ summary: v.pipe(v.string(), v.nonEmpty()), changeLog: texts, ops: v.array(v.unknown()), images: v.optional(v.array(v.unknown())), remarks: v.optional(texts), suggestions: v.optional(texts) })

/** Throws where a plan does not have the shape of one. */
function readable(outcome: Outcome, run: Run): Outcome {
  if (outcome.kind !== 'plan') return outcome
  const { issues } = v.safeParse(PlanShape, outcome.plan satisfies Plan)
  if (!issues) return outcome
  const what = `${v.getDotPath(issues[0]) ?? 'the plan'}: ${issues[0].message}`
  throw broken('no_plan', run, { attempts: [what] })
}

function toFailure(error: unknown, run: Run, log: Logger): PlannerFailure {
  if (error instanceof PlannerFailure) return error
  log.error({ err: error }, 'a planner failed')
  return broken('broke_off', run, { cause: error })
}

const broken = (how: PlannerBreak, { locale }: Run, more: ConstructorParameters<typeof PlannerFailure>[2]): PlannerFailure =>
  new PlannerFailure('unusable', textsIn('en').broken(how), { ...more, notice: textsIn(locale).broken(how) })

const mostShown = 10

/** Lets the checks answer requests for them, with findings or with a plan of fixes. */
export async function answeredByChecks(outcome: Outcome, { id, locale }: Run, { draft }: RunContext, { checks }: { readonly checks: Checks | undefined }): Promise<Outcome> {
  if (outcome.kind !== 'answer' || !outcome.checks) return outcome
  const { checks: { slug, fixes }, ...answer } = outcome
  if (!checks) return answer
  const texts = textsIn(locale)
  if (fixes) {
    const { ops, labels } = await checks.fixes(id, slug)
    if (ops.length === 0) return { ...answer, summary: texts.nothingToFix() }
    return { kind: 'plan', plan: { summary: texts.fixes(ops.length), changeLog: labels, ops } }
  }
  const { summary, findings } = await checks.report(id, slug)
  const title = draft.pages.find((page) => page.slug === slug)?.title
  return {
    ...answer,
    summary: texts.checked(summary, title),
    findings: findings.slice(0, mostShown).map(({ message, slug: at, blockType, path }) => {
      const place = [slug === undefined ? at : undefined, blockType, path].filter((part) => part !== undefined).join(' ')
      return place === '' ? message : `${place}: ${message}`
    }),
    suggestions: summary.fixable > 0 ? [texts.fixAll(slug === undefined), ...answer.suggestions].slice(0, 4) : answer.suggestions,
  }
}
