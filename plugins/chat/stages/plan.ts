import * as v from 'valibot'
import type { Logger } from '../../../kernel/index.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { byRules, byRulesAlone, type Source } from '../source.ts'
import type { Outcome, Plan } from '../plan.ts'
import { PlannerFailure } from '../planner-failure.ts'
import type { ReadPicture } from '../pictures.ts'
import type { Planner, PlanningInput } from '../planner.ts'
import type { RunEvent } from '../run-event.ts'
import { checkpoint, type Run, type Scene } from '../run.ts'
import { milestonesIn } from '../timeline.ts'

export interface PlanParts {
  /** What the rules made of it. */
  readonly ruled: Outcome
  readonly planners: readonly Planner[]
  readonly readPicture: ReadPicture
  readonly log: Logger
}

/** What planning came to, and who did it. */
export type Planned =
  | { readonly kind: 'planned'; readonly outcome: Outcome; readonly source: Source; /** There is no planner beside the one that goes by rules. */ readonly alone: boolean }
  | { readonly kind: 'failed'; readonly failure: PlannerFailure; readonly source: Source }

/** What planners may look at. */
export function inputOf({ id, message, locale, site, siteContext, request }: Run, { draft, selection, memory, recentEdits }: Scene): PlanningInput {
  return {
    siteId: id.siteId,
    message,
    locale,
    draft,
    selection,
    registry: builtinRegistry,
    manifest: site.manifest,
    open: memory.asked?.question,
    history: memory.history,
    recentEdits,
    tier: request.modelKey,
    siteContext,
    attachments: request.attachments,
  }
}

/**
 * Asks the planners that are available for what the rules do not know, the one whose provider was asked for first.
 *
 * What the rules can answer saves a call of a model; what they cannot goes on, and is the last word where nobody else knows.
 */
export async function plan(run: Run, scene: Scene, { ruled, planners, readPicture, log }: PlanParts): Promise<Planned> {
  const input = inputOf(run, scene)
  const alone = planners.length === 0
  if (ruled.kind === 'plan') run.how.tell?.({ kind: 'planned_by_rules', opTypes: ruled.plan.ops.map(({ op }) => op) })
  if (alone) return { kind: 'planned', outcome: ruled, source: byRulesAlone, alone }
  if (isComplete(ruled)) return { kind: 'planned', outcome: ruled, source: byRules, alone }
  const wanted = planners.filter(({ name }) => name === run.request.provider)
  const { id, signal } = run.how
  const emit = (event: RunEvent): void => {
    for (const stage of milestonesIn(event)) run.timeline.reached(stage)
    run.how.emit(event)
  }
  const means = { id, signal, emit, readPicture: (address: string) => readPicture(run.id, address, signal), ...run.record }
  for (const planner of new Set([...wanted, ...planners])) {
    checkpoint(run)
    run.how.tell?.({ kind: 'planner_asked', planner: planner.name })
    try {
      const outcome = readable(await planner.plan(input, means))
      if (outcome.kind !== 'unsupported') return { kind: 'planned', outcome, source: sourceOf(planner, run), alone }
    } catch (error) {
      checkpoint(run)
      return { kind: 'failed', failure: toFailure(error, log.child({ run: id, planner: planner.name })), source: sourceOf(planner, run) }
    }
  }
  return { kind: 'planned', outcome: ruled, source: byRules, alone }
}

const isComplete = ({ kind }: Outcome): boolean => kind === 'plan' || kind === 'unchanged' || kind === 'answer'

const sourceOf = ({ name }: Planner, { record }: Run): Source => ({ plannerSource: name, modelUsed: record.facts()?.model ?? name, plannerTier: 'full_llm' })

const texts = v.array(v.string())
/** The operations are read by the validators, which say more. */
const PlanShape = v.object({ summary: v.pipe(v.string(), v.nonEmpty()), changeLog: texts, ops: v.array(v.unknown()), suggestions: v.optional(texts) })

/** Refuses a plan that is none, whatever its planner says. */
function readable(outcome: Outcome): Outcome {
  if (outcome.kind !== 'plan') return outcome
  const { issues } = v.safeParse(PlanShape, outcome.plan satisfies Plan)
  if (!issues) return outcome
  const what = `${v.getDotPath(issues[0]) ?? 'the plan'}: ${issues[0].message}`
  throw new PlannerFailure('unusable', 'What the planner gave is no plan.', { attempts: [what] })
}

function toFailure(error: unknown, log: Logger): PlannerFailure {
  if (error instanceof PlannerFailure) return error
  log.error({ err: error }, 'a planner failed')
  return new PlannerFailure('unusable', 'The planner broke off. The log has the details under the id of this run.', { cause: error })
}
