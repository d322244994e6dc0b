import type { Clock, Ids } from '../../../kernel/index.ts'
import { defineCollection, isStorable, trusted, type Store, type Transaction } from '../../store/port.ts'
import type { Ratio, Turn } from '../../models/port.ts'

/** A turn with the addresses of its images, whose bytes are read again when needed. */
export type StoredTurn = Turn<{ readonly address: string }>

/** A conversation about images. */
export interface Conversation {
  readonly id: string
  readonly ratio: Ratio
  /** The turns, oldest first. */
  readonly turns: readonly StoredTurn[]
  /** The addresses of images for the first message; empty once it is answered. */
  readonly references: readonly string[]
}

const maxConversations = 200
const idleMs = 30 * 60_000
/** The limits per conversation; older turns are dropped. */
const maxTurns = 20
const maxCharacters = 1024 * 1024

/** The conversations by id, with the time of their last message in milliseconds. */
export const imageConversations = defineCollection('image_conversations', trusted<Conversation>(), {
  columns: { used: 'integer' },
  indexes: ['used'],
})
const scope = 'all'

/** Creates the store of current conversations: 200 at most, each for half an hour after its last message. */
export function createConversations({
  store,
  clock,
  ids,
}: {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
}) {
  async function found(from: Pick<Store, 'of'>, id: string): Promise<Conversation | undefined> {
    const stored = await from.of(imageConversations).get(scope, id)
    return stored && clock.now().getTime() - stored.columns.used < idleMs ? stored.body : undefined
  }

  async function put(tx: Transaction, body: Conversation): Promise<void> {
    const used = clock.now().getTime()
    await tx.of(imageConversations).put(scope, body.id, { body, columns: { used } })
    const surplus = (await tx.of(imageConversations).count(scope)) - maxConversations
    const oldest = await tx
      .of(imageConversations)
      .rows(scope, { orderBy: 'used', limit: Math.max(surplus, 2) })
    for (const [at, { key, columns }] of oldest.entries())
      if (at < surplus || used - columns.used >= idleMs) await tx.of(imageConversations).remove(scope, key)
  }

  return {
    find: async (id = ''): Promise<Conversation | undefined> =>
      isStorable(id) ? found(store, id) : undefined,
    /** Starts a conversation, or replaces `instead` under a new id. */
    async begin(parts: Omit<Conversation, 'id'>, instead?: Conversation): Promise<Conversation> {
      const conversation = { ...parts, id: ids.uuid() }
      await store.transaction(async (tx) => {
        if (instead) await tx.of(imageConversations).remove(scope, instead.id)
        await put(tx, conversation)
      })
      return conversation
    },
    /** Updates a conversation that has not expired. */
    update: (conversation: Conversation): Promise<void> =>
      store.transaction(async (tx) => {
        if (await found(tx, conversation.id))
          await put(tx, { ...conversation, turns: bounded(conversation.turns) })
      }),
  }
}

export type Conversations = ReturnType<typeof createConversations>

/** Returns the newest turns within the limits; a turn of a person is always the first. */
function bounded(turns: readonly StoredTurn[]): readonly StoredTurn[] {
  const recent = turns.slice(-maxTurns)
  while (JSON.stringify(recent).length > maxCharacters) recent.splice(0, 2)
  return recent
}
