import type { Logger } from '../../../kernel/index.ts'
import { type ModelCall, type ModelClient, ModelFailure } from '../../llm/port.ts'
import type { Budget } from '../../usage/port.ts'
import { retryWaits } from '../model/call/ask.ts'
import { ask, EndlessAnswer, type ModelAnswer } from '../model/call/ask.ts'
import { givenUp, mostAttempts } from '../model/failures.ts'
import { refuseSpent } from '../model/planner.ts'
import type { ModelSettings } from '../model/settings.ts'
import { textsFor } from '../model/texts.ts'
import type { CheckDeps } from '../pipeline/validate.ts'
import type { Tier, Variation } from '../result.ts'
import { PlannerFailure, type PlanningRun } from '../types/planner.ts'
import { distinct, proposedIn, tried } from './attempt.ts'
import { variationCall, type VariationTask } from './call.ts'
import { variationTool, variationToolName, withinFields } from './tool.ts'
import { mostVariations } from './wish.ts'

export interface MakeMeans {
  readonly client: ModelClient
  readonly tier: Tier
  readonly settings: Pick<ModelSettings, 'requestBytes'>
  readonly budget: (() => Promise<Budget | undefined>) | undefined
  readonly log: Logger
  readonly check: CheckDeps
  /** The name of a variation whose own is missing. */
  readonly nameOf: (number: number) => string
  /** Addresses for the image of the block, which are taken in turn. */
  readonly images: readonly string[]
}

/**
 * Asks a model for variations, again where nothing that it gave can be used; `undefined` when the block is too long to ask.
 *
 * Throws a `PlannerFailure` where the provider, the model or its answers are the reason that there are none, and `Canceled`
 * when the run is.
 */
export async function makeVariations(task: VariationTask, means: MakeMeans): Promise<readonly Variation[] | undefined> {
  const { run, blockType, fields, count } = task
  const { client, tier, settings, log } = means
  refuseSpent(await means.budget?.(), run.locale)
  const model = client.modelOf(tier)
  const tool = variationTool(blockType, fields, count)
  const problems: string[] = []
  for (;;) {
    const call = variationCall(task, { model, tool, budget: settings.requestBytes, problem: problems.at(-1) })
    if (!call) return undefined
    const { variations, problem } = read(await answered(call, task, means), task, means)
    if (variations.length > 0) return variations.slice(0, count)
    problems.push(problem)
    log.warn({ run: run.how.id, attempt: problems.length, problem }, 'answer has no variation')
    if (problems.length === mostAttempts) throw exhausted(problems, run.locale)
  }
}

function exhausted(attempts: readonly string[], locale: string): PlannerFailure {
  return new PlannerFailure('unusable', textsFor('en').noVariation(attempts.length), { attempts, told: textsFor(locale).noVariation(attempts.length) })
}

/** The answer to one call; `undefined` for one that does not end. */
async function answered(call: ModelCall, { run: { how, record, locale } }: VariationTask, { client, tier, log }: MakeMeans): Promise<ModelAnswer | undefined> {
  const quiet: PlanningRun = { id: how.id, signal: how.signal, emit: () => undefined, spent: (spending) => record.spent(spending) }
  const noted = (failure: ModelFailure): void => log.warn({ run: how.id, ...failure.toLog() }, 'model gave no answer')
  const waiting = (seconds: number): void => how.emit({ type: 'status', message: textsFor(locale).waiting(seconds) })
  const begin = () => void record.attempting({ model: call.model, tier, attempt: (record.facts()?.attempt ?? 0) + 1 })
  try {
    return await ask({ client, call, tool: variationToolName, run: quiet, waits: retryWaits, begin, repeating: noted, waiting })
  } catch (error) {
    if (error instanceof EndlessAnswer) return undefined
    if (!(error instanceof ModelFailure)) throw error
    noted(error)
    throw givenUp(error)
  }
}

/** What a model proposes beyond so many is not looked at. */
const mostRead = 2 * mostVariations

/** The variations in an answer that can be applied, and what is wrong with the last one that cannot. */
function read(answer: ModelAnswer | undefined, { run, context, block, blockType, fields }: VariationTask, { check, nameOf, images }: MakeMeans): { readonly variations: readonly Variation[]; readonly problem: string } {
  const proposed = answer && proposedIn(answer)
  if (!proposed) return { variations: [], problem: 'it has no list of variations' }
  let problem = 'it has no variation'
  const hasImage = Object.hasOwn(blockType.fields, 'imageUrl')
  const variations = proposed.slice(0, mostRead).flatMap(({ title, summary, patch }, at): readonly Variation[] => {
    const image = hasImage && images.length > 0 ? { imageUrl: images[at % images.length] } : {}
    const result = tried({ ...withinFields(patch, fields), ...image }, block, context, run, check)
    if (!result.ok) problem = result.problem
    return result.ok ? [{ id: `${run.how.id}-${at + 1}`, title: title || nameOf(at + 1), summary, patch: result.patch, changedKeys: Object.keys(result.patch) }] : []
  })
  return { variations: distinct(variations), problem }
}
