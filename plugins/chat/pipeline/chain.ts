import { chainMoved } from '../refusals.ts'
import type { ChatResult } from '../result.ts'
import type { Chain } from '../sessions/chains.ts'
import { type Ended, type Ending, mayOnlyPropose, type Run, type RunContext } from '../types/run.ts'
import type { Deps } from './deps.ts'
import { type PlanTask, split } from './plan.ts'

/** The end of a run that may have been a step of a chain. */
export interface Conducted extends Ended {
  /** The run of the step; for an approval, the run with the site declared with the plan. */
  readonly step?: Run
  readonly continuation?: ChatResult['continuation']
}

/** Creates the runner of multi-step requests: the first step runs at once, each further one on request. */
export function createChainRunner(runAlone: (run: Run) => Promise<Ended>, deps: Deps) {
  const { chains, words, promptHash } = deps
  /** Plans the next step like any message. */
  async function runStep(run: Run, chain: Chain): Promise<Conducted> {
    const message = chain.steps[chain.done]?.text ?? ''
    const said = run.request.executionMode === 'continue_chain' ? message : run.said
    const isPlanFirst = mayOnlyPropose(run.how) || words.wantsPlanFirst(message)
    const more = { said, at: chain.at, isStep: true, isPlanFirst }
    const step: Run = { ...run, ...more, message, promptHash: promptHash(message) }
    return { ...follow(run, chain, await runAlone(step)), step }
  }

  function follow(run: Run, chain: Chain, ended: Ended): Conducted {
    const after = afterStep(chain, ended.ending)
    chains.keep(run.id, after)
    const { id: chainId, steps, done } = after
    const next = steps[done]
    if (!next) return ended
    const counts = { currentStep: done + 1, totalSteps: steps.length }
    return { ...ended, continuation: { chainId, ...counts, nextStepLabel: next.label } }
  }

  return {
    /** Splits a request and runs its first step; returns `undefined` if the request is not split. */
    async begin(run: Run, context: RunContext, task: PlanTask): Promise<Conducted | undefined> {
      if (run.isStep || run.isPlanFirst) return undefined
      const begun = chains.find(run.id)
      // A request repeated before its first step is done is not split again.
      if (begun?.done === 0 && begun.promptHash === run.promptHash) return runStep(run, begun)
      const steps = await split(run, context, task, deps)
      return steps && runStep(run, chains.create({ promptHash: run.promptHash, at: run.at, steps }))
    },

    /** Queues and runs the next step. Refuses with 409 if there is none, or if it was run concurrently. */
    async next(run: Run, inTurn: (job: () => Promise<Conducted>) => Promise<Conducted>): Promise<Conducted> {
      const { id, done } = chains.due(run.id, run.request.continuationChainId)
      return inTurn(async () => {
        const chain = chains.due(run.id, id)
        if (chain.done !== done) throw chainMoved()
        return runStep(run, chain)
      })
    },

    /** Continues a chain whose step waited for an approval or an answer. */
    settle(run: Run, ended: Conducted, isAwaited: (waitsFor: Chain['waitsFor']) => boolean): Conducted {
      const chain = chains.find(run.id)
      return chain && isAwaited(chain.waitsFor) ? follow(run, chain, ended) : ended
    },
  }
}

/** Returns the chain after a step. A step that failed, is held or asked a question is not done. */
function afterStep(chain: Chain, ending: Ending): Chain {
  if (ending.kind === 'held') return { ...chain, waitsFor: { planId: ending.plan.id } }
  if (ending.kind === 'question') return { ...chain, waitsFor: 'answer' }
  const isDone = ['applied', 'unchanged', 'answer'].includes(ending.kind)
  return isDone ? { ...chain, done: chain.done + 1, waitsFor: undefined } : chain
}
