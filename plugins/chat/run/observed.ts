import type { Logger } from '../../../kernel/index.ts'
import type { Scope } from '../../scope/port.ts'
import type { Words } from '../planners/rules.ts'
import type { Tier } from '../result.ts'
import { promptExcerpt, type PromptHash } from '../sessions/digest.ts'
import { brokenOff } from './broken-off.ts'
import type { RunFact, RunObserver, RunResult, RunStart } from './observer.ts'
import type { PlacedRunner, RunContext, RunEnd } from './runner.ts'

export interface ObservedParts {
  readonly observers: readonly RunObserver[]
  readonly scope: Scope
  readonly words: Words
  readonly promptHash: PromptHash
  readonly defaultTier: Tier
  readonly log: Logger
}

/** Tells observers of every run of a runner, from its begin to its end. Without observers it is the runner as it was. */
export function observed(runner: PlacedRunner, { observers, scope, words, promptHash, defaultTier, log }: ObservedParts): PlacedRunner {
  if (observers.length === 0) return runner
  return {
    async run(request, how) {
      const session = scope.key(scope.draft(request))
      const message = words.clean(request.message ?? '')
      const digest = { promptHash: promptHash(message), promptExcerpt: promptExcerpt(message) }
      const tell = startTelling(observers, { id: how.id, session, request, modelKey: request.modelKey ?? defaultTier, message, ...digest }, log)
      try {
        const end = await runner.run(request, telling(how, tell))
        tell(resultOf(end))
        return end
      } catch (error) {
        tell(brokenOff(error))
        throw error
      }
    },
  }
}

const telling = (how: RunContext, tell: (fact: RunFact) => void): RunContext => ({
  ...how,
  emit: (event) => how.emit(event),
  get isStreamed() {
    return how.isStreamed
  },
  tell,
})

/** Who fails is told nothing more of this run. */
function startTelling(observers: readonly RunObserver[], start: RunStart, log: Logger): (fact: RunFact) => void {
  const failed = (err: unknown): void => log.warn({ err, run: start.id }, 'an observer of runs failed')
  const followers = new Set(observers.flatMap((observe) => {
    try {
      return [observe(start)]
    } catch (err) {
      failed(err)
      return []
    }
  }))
  return (fact) => {
    for (const follow of followers) {
      const told = async (): Promise<void> => follow(fact)
      told().catch((err: unknown) => {
        followers.delete(follow)
        failed(err)
      })
    }
  }
}

function resultOf({ result }: RunEnd): RunResult {
  const { outcome, reasonCategory: category, reason } = result.debug
  return { kind: 'result', outcome, category, reason, result }
}
