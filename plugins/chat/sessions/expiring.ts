import type { Clock, Logger } from '../../../kernel/index.ts'
import {
  type CollectionSpec,
  defineCollection,
  type Store,
  type Transaction,
  trusted,
} from '../../store/port.ts'
import type { ImageChoice, OpenQuestion, PendingPlan } from '../types/plan.ts'
import type { ChatTurn } from '../types/planner.ts'

export interface OpenAsk {
  readonly question: OpenQuestion
  readonly askedAt: string
  /** The number of later messages that did not answer it. */
  readonly failures: number
}

/** Who wrote a turn, or was asked a question, as `personOf` returns it. */
interface Personal {
  readonly person?: string | undefined
}

/** The stored memory of one session: one conversation, with the open questions of each person. */
export interface StoredMemory {
  /** Oldest first. */
  readonly history: readonly (Omit<ChatTurn, 'isOfOther'> & Personal)[]
  /** The oldest first; at most one a person. */
  readonly questions?: readonly (OpenAsk & Personal)[] | undefined
  readonly images?: { readonly choice: ImageChoice; readonly chosenAt: string } | undefined
}

const expiring = { columns: { expiresAt: 'text' }, indexes: ['expiresAt'] } as const

/** Pending plans, one for each person and session. */
export const pendingPlans = defineCollection('chat_pending_plans', trusted<PendingPlan>(), expiring)

/** The memory of each session. */
export const memories = defineCollection('chat_memories', trusted<StoredMemory>(), expiring)

/** One scope for all sessions, to count and sweep them together. */
export const everySession = 'sessions'
type Expiring<Body> = CollectionSpec<Body, (typeof pendingPlans)['columns']>

/** The maximum number of documents of a collection removed in one transaction. */
const mostSwept = 500

/** Writes a document. Beyond `most` documents, drops the one that expires first. */
export async function keep<Body>(
  tx: Transaction,
  spec: Expiring<Body>,
  key: string,
  { body, expiresAt, most }: { readonly body: Body; readonly expiresAt: string; readonly most: number },
): Promise<void> {
  const documents = tx.of(spec)
  const isNew = (await documents.put(everySession, key, { body, columns: { expiresAt } })) === 1
  if (!isNew || (await documents.count(everySession)) <= most) return
  const oldest = (await documents.rows(everySession, { orderBy: 'expiresAt', limit: 2 })).find(
    (row) => row.key !== key,
  )
  if (oldest) await documents.remove(everySession, oldest.key)
}

const sweepEveryMs = 5 * 60 * 1000

/** Removes expired plans and memories every few minutes. */
export function startSweeper({
  store,
  clock,
  log,
}: {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
}) {
  async function sweep(): Promise<void> {
    const now = clock.now().toISOString()
    const swept = store.transaction(async (tx) => {
      for (const documents of [tx.of(pendingPlans), tx.of(memories)]) {
        const oldest = await documents.rows(everySession, { orderBy: 'expiresAt', limit: mostSwept })
        const over = oldest.filter(({ columns }) => columns.expiresAt <= now)
        for (const { key } of over) await documents.remove(everySession, key)
      }
    })
    await swept.catch((err: unknown) => {
      log.warn({ err }, 'failed to remove expired chat documents; retrying later')
    })
  }
  const timer = setInterval(() => void sweep(), sweepEveryMs).unref()
  return { sweep, stop: () => clearInterval(timer) }
}
