import { type Clock, type Ids, Lru } from '../../../kernel/index.ts'
import { type DraftId, draftKey } from '../../scope/port.ts'
import { chainFinished, noChain, otherChain } from '../refusals.ts'
import type { RequestStep } from '../types/planner.ts'
import type { EditorContext } from '../types/run.ts'

/** A request in several steps. */
export interface Chain {
  readonly id: string
  /** The prompt hash of the complete request. */
  readonly promptHash: string
  /** The editor state sent with the request; every step is planned with it. */
  readonly at: EditorContext
  readonly steps: readonly RequestStep[]
  /** The number of finished steps. */
  readonly done: number
  /** What the next step waits for: the approval of its plan, or an answer. */
  readonly waitsFor?: { readonly planId: string } | 'answer' | undefined
}

const lifetime = 60 * 60 * 1000
const mostChains = 1_000

/** Creates the store of chains: one per session, in memory, for an hour after its last step. */
export function createChains({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }) {
  const chains = new Lru<string, { readonly chain: Chain; readonly expiresAt: number }>(mostChains)
  const now = (): number => clock.now().getTime()
  const find = (id: DraftId): Chain | undefined => {
    const { chain, expiresAt = 0 } = chains.get(draftKey(id)) ?? {}
    return expiresAt > now() ? chain : undefined
  }
  return {
    find,
    /** Returns the chain to continue. Refuses with 409 if there is none, another one, or a finished one. */
    due(id: DraftId, chainId: string | undefined): Chain {
      const chain = find(id)
      if (!chain) throw noChain()
      if (chainId !== undefined && chainId !== chain.id) throw otherChain()
      if (chain.done === chain.steps.length) throw chainFinished(chain.steps.length)
      return chain
    },
    /** Creates a chain without storing it. */
    create: (chain: Pick<Chain, 'promptHash' | 'at' | 'steps'>): Chain => ({ ...chain, id: ids.uuid(), done: 0 }),
    /** Stores a chain; replaces any other of the session. */
    keep: (id: DraftId, chain: Chain): void =>
      chains.set(draftKey(id), { chain, expiresAt: now() + lifetime }),
  }
}
