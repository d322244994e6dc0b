import * as v from 'valibot'
import { builtinRegistry } from '../../content/registry.ts'
import { textsIn } from '../texts/index.ts'
import {
  type ImageAsk, type ImageOutcome, type ImageReading, type ImageWork, searchingOf,
} from '../types/images.ts'
import type { Outcome, Plan, Source } from '../types/plan.ts'
import {
  byRules, byRulesAlone, type Planner, type PlannerBreak, PlannerFailure, type PlanningInput,
  type PlanningRun, type RequestStep, withModel,
} from '../types/planner.ts'
import { checkpoint, type Ending, type Run, type RunContext } from '../types/run.ts'
import { readRecentEdits } from './context.ts'
import type { Deps } from './deps.ts'

/** The input of the plan stage in addition to the run. */
export interface PlanTask {
  /** The outcome of the local planners. */
  readonly local: Outcome
  /** The image work of the run; `undefined` without a source of images. */
  readonly images: RunImages | undefined
}

interface RunImages {
  readonly work: ImageWork
  readonly reading: ImageReading
  readonly ask: ImageAsk
}

/** An outcome, its source, and notes about its omissions. */
export interface Given extends ImageOutcome {
  readonly source: Source
  /** The unread images that a plan asks for, with the input of its planner. */
  readonly asked?: (Pick<ImageAsk, 'input' | 'choice'> & { readonly images: readonly unknown[] }) | undefined
}

/** The input of every planner. A step of a chain answers no question: a model wrote it, not the person. */
export function inputOf(run: Run, { draft, selection, memory }: RunContext, deps: Deps): PlanningInput {
  const { message, locale, site, siteContext, request, isPlanFirst } = run
  const { playground, maxOperations, planners } = deps
  return {
    message, locale, draft, selection, siteContext, isPlanFirst, playground, maxOperations,
    ...site,
    hasModel: withModel(planners).length > 0,
    siteId: run.id.siteId,
    registry: builtinRegistry,
    open: run.isStep ? undefined : memory.asked?.question,
    history: memory.history,
    tier: request.modelKey,
    attachments: request.attachments,
  }
}

/** The local planners, as named in results. */
export const localSource = ({ planners }: Deps): Source =>
  (withModel(planners).length > 0 ? byRules : byRulesAlone)

/** Asks the local planners: the first that understands the message decides. */
export async function askLocally(
  planners: readonly Planner[], input: PlanningInput, run: PlanningRun,
): Promise<Outcome> {
  let outcome: Outcome = { kind: 'unsupported', suggestions: [] }
  for (const planner of planners.filter(({ available, isLocal }) => available && isLocal)) {
    outcome = await planner.plan(input, run)
    if (outcome.kind !== 'unsupported') break
  }
  return outcome
}

/** Asks the local planners about the message of a run. */
export const planLocally = (run: Run, context: RunContext, deps: Deps): Promise<Outcome> =>
  askLocally(deps.planners, inputOf(run, context, deps), planningRun(run))

/**
 * Asks the planners with a model unless a local one returned a plan or an answer; requested provider first.
 *
 * If no model is available or none supports the request, the outcome of the local planners counts.
 */
export async function plan(
  run: Run, context: RunContext, task: PlanTask, deps: Deps,
): Promise<Given | Extract<Ending, { kind: 'failed' }>> {
  const { local, images } = task
  const { planners, memories, readPicture, log } = deps
  const { id, how } = run
  const source = localSource(deps)
  if (local.kind === 'plan') {
    how.emit({ type: 'planned_by_rules', opTypes: local.plan.ops.map(({ op }) => op) })
  }
  if (isComplete(local)) return { outcome: local, source }
  const { job, answer } = images?.reading ?? {}
  if (answer) await memories.chooseImages(id, answer)
  if (job) return { ...(await job(searchingOf(run))), source }
  const available = inOrder(withModel(planners), run)
  if (available.size === 0) return { outcome: local, source }
  const recentEdits = await readRecentEdits(id, deps)
  const input = { ...askedOf(run, context, task, deps), recentEdits, findsImages: images !== undefined }
  const tools = { ...planningRun(run), readPicture: (at: string) => readPicture(id, at, how.signal) }
  for (const planner of available) {
    checkpoint(run)
    how.emit({ type: 'planner_asked', planner: planner.name })
    try {
      const outcome = readable(await planner.plan(input, tools), run)
      if (outcome.kind === 'unsupported') continue
      return { ...(await withImages(outcome, run, input, images)), source: sourceOf(planner, run) }
    } catch (error) {
      checkpoint(run)
      const source = sourceOf(planner, run)
      if (error instanceof PlannerFailure) return { kind: 'failed', failure: error, source }
      log.error({ err: error, run: how.id, planner: planner.name }, 'a planner failed')
      return { kind: 'failed', failure: broken('broke_off', run, { cause: error }), source }
    }
  }
  return { outcome: local, source }
}

/** A message that is a request does not answer the open question. Local planners decide that themselves. */
function askedOf(run: Run, context: RunContext, { images }: PlanTask, deps: Deps): PlanningInput {
  const { open, ...input } = inputOf(run, context, deps)
  return open && (images?.reading.answer || deps.words.isAnswer(run.message)) ? { ...input, open } : input
}

/** Searches for the images of a plan without operations at once; otherwise they follow the operations. */
async function withImages(
  outcome: Outcome, run: Run, input: PlanningInput, images: RunImages | undefined,
): Promise<Omit<Given, 'source'>> {
  if (outcome.kind !== 'plan' || !outcome.plan.images?.length) return { outcome }
  const asked = { images: outcome.plan.images, input, choice: images?.reading.answer ?? images?.ask.choice }
  if (!images || outcome.plan.ops.length > 0) return { outcome, asked }
  return images.work.alone({ ...images.ask, ...asked }, asked.images)(searchingOf(run))
}

/** Sorts the requested provider first. */
const inOrder = (planners: readonly Planner[], { request }: Run): ReadonlySet<Planner> =>
  new Set([...planners.filter(({ name }) => name === request.provider), ...planners])

const planningRun = ({ how, record }: Run): PlanningRun => ({
  ...record,
  id: how.id,
  signal: how.signal,
  emit(event) {
    record.saw(event)
    how.emit(event)
  },
})

/** Splits a request into steps; returns `undefined` if it is better done as one. */
export async function split(
  run: Run, context: RunContext, task: PlanTask, deps: Deps,
): Promise<readonly RequestStep[] | undefined> {
  const [planner] = inOrder(withModel(deps.planners), run)
  if (task.images?.reading.job || isComplete(task.local)) return undefined
  try {
    return await planner?.split?.(askedOf(run, context, task, deps), planningRun(run))
  } catch (err) {
    checkpoint(run)
    deps.log.warn({ err, run: run.how.id }, 'a planner failed to split a request; it is planned as one')
    return undefined
  }
}

const isComplete = ({ kind }: Outcome): boolean => ['plan', 'unchanged', 'answer'].includes(kind)

function sourceOf({ name }: Planner, { record }: Run): Source {
  const { model = name, tier } = record.facts() ?? {}
  return { plannerSource: name, modelUsed: model, plannerTier: 'full_llm', modelKey: tier }
}

const texts = v.array(v.string())
/** The validators check operations and images later. */
const PlanShape = v.object({
  summary: v.pipe(v.string(), v.nonEmpty()),
  changeLog: texts,
  ops: v.array(v.unknown()),
  images: v.optional(v.array(v.unknown())),
  remarks: v.optional(texts),
  suggestions: v.optional(texts),
})

/** Throws if a plan has the wrong shape. */
function readable(outcome: Outcome, run: Run): Outcome {
  if (outcome.kind !== 'plan') return outcome
  const { issues } = v.safeParse(PlanShape, outcome.plan satisfies Plan)
  if (!issues) return outcome
  const what = `${v.getDotPath(issues[0]) ?? 'the plan'}: ${issues[0].message}`
  throw broken('no_plan', run, { attempts: [what] })
}

type Details = ConstructorParameters<typeof PlannerFailure>[2]

function broken(how: PlannerBreak, { locale }: Run, details: Details): PlannerFailure {
  const notice = textsIn(locale).broken(how)
  return new PlannerFailure('unusable', textsIn('en').broken(how), { ...details, notice })
}

const mostShown = 10

/** Answers a request for the checks, with findings or with a plan of fixes. */
export async function answeredByChecks(
  outcome: Outcome, { id, locale }: Run, { draft }: RunContext, { checks }: Deps,
): Promise<Outcome> {
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
      const place = [slug === undefined ? at : undefined, blockType, path].filter(Boolean).join(' ')
      return place === '' ? message : `${place}: ${message}`
    }),
    suggestions: [...(summary.fixable > 0 ? [texts.fixAll(slug === undefined)] : []), ...answer.suggestions],
  }
}
