import { chainMoved } from '../refusals.ts'
import type { ChatResult } from '../result.ts'
import { afterStep, type Chain, continuationOf } from '../sessions/chains.ts'
import type { Ended } from '../types/ending.ts'
import { mayOnlyPropose, type Run, type RunContext } from '../types/run.ts'
import type { Deps } from './deps.ts'
import { type PlanTask, split } from './plan.ts'

/** How a run ended that may have been a step of a chain. */
export interface Conducted extends Ended {
  /** The step as a run of its own; of an approval, the run with what its plan says of the site. */
  readonly step?: Run
  readonly continuation?: ChatResult['continuation']
}

/** Makes what runs a request in several steps: the first one at once, each further one when it is asked for. */
export function createChainRunner(runAlone: (run: Run) => Promise<Ended>, deps: Deps) {
  const { chains, words, promptHash } = deps
  /** Plans the next step like any message. */
  async function runStep(run: Run, chain: Chain): Promise<Conducted> {
    const message = chain.steps.slice(chain.done, chain.done + 1).map(({ text }) => text).join('')
    const said = run.request.executionMode === 'continue_chain' ? message : run.said
    const step: Run = { ...run, message, promptHash: promptHash(message), said, at: chain.at, isStep: true, isPlanFirst: mayOnlyPropose(run.how) || words.wantsPlanFirst(message) }
    return { ...follow(run, chain, await runAlone(step)), step }
  }

  function follow(run: Run, chain: Chain, ended: Ended): Conducted {
    const after = afterStep(chain, ended.ending)
    chains.keep(run.id, after)
    return { ...ended, continuation: continuationOf(after) }
  }

  return {
    /** Splits a request and runs its first step; `undefined` for one that is planned as a whole. */
    async begin(run: Run, context: RunContext, task: PlanTask): Promise<Conducted | undefined> {
      if (run.isStep || run.isPlanFirst) return undefined
      const begun = chains.find(run.id)
      // A request that is repeated before anything of it is done is not split anew.
      if (begun?.done === 0 && begun.promptHash === run.promptHash) return runStep(run, begun)
      const steps = await split(run, context, task, deps)
      return steps && runStep(run, chains.create({ promptHash: run.promptHash, at: run.at, steps }))
    },

    /** Runs the next step, in the turn of its session. Refuses with 409 what cannot be continued, and what was meanwhile. */
    async next(run: Run, inTurn: (job: () => Promise<Conducted>) => Promise<Conducted>): Promise<Conducted> {
      const { id, done } = chains.due(run.id, run.request.continuationChainId)
      return inTurn(async () => {
        const chain = chains.due(run.id, id)
        if (chain.done !== done) throw chainMoved()
        return runStep(run, chain)
      })
    },

    /** Tells a step that waited for a plan to be approved, or for an answer, what became of it. */
    settle(run: Run, ended: Conducted, isAwaited: (waitsFor: Chain['waitsFor']) => boolean): Conducted {
      const chain = chains.find(run.id)
      return chain && isAwaited(chain.waitsFor) ? follow(run, chain, ended) : ended
    },
  }
}
