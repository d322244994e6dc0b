import type { Logger } from '../../../kernel/index.ts'
import { ModelFailure, type ModelCall, type ModelClient } from '../../llm/port.ts'
import type { PlanningRun } from '../types/planner.ts'
import { Canceled } from '../types/run.ts'
import { ask, type ModelAnswer } from './ask.ts'

export interface AsideMeans {
  readonly client: ModelClient
  readonly log: Logger
  /** How long an answer beside the plan may take; a person is waiting for the plan. */
  readonly asideMs: number
}

/** As long as that may be, unless somebody says otherwise. */
export const asidePatience = 10_000

/**
 * Asks a model something beside the plan, once. Nobody is told what it says while it says it, but what it took is counted.
 *
 * A run goes on without the answer where there is none in time; only a run that is canceled makes this throw.
 */
export async function askAside({ client, log, asideMs }: AsideMeans, call: ModelCall, run: PlanningRun): Promise<ModelAnswer | undefined> {
  const quiet: PlanningRun = {
    id: run.id,
    signal: AbortSignal.any([run.signal, AbortSignal.timeout(asideMs)]),
    emit: () => undefined,
    spent: (spending) => run.spent?.(spending),
  }
  try {
    return await ask({ client, call, tool: call.forcedTool, run: quiet, deadlineMs: asideMs })
  } catch (error) {
    if (run.signal.aborted) throw new Canceled()
    const why = error instanceof ModelFailure ? error.toLog() : { kind: 'no answer in time' }
    log.warn({ run: run.id, ...why }, 'model gave no answer beside the plan')
    return undefined
  }
}
