import type { Clock, Ids } from '../../kernel/index.ts'
import type { Ratio, Turn } from './port.ts'

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

/** Creates the store of current conversations in memory. Not `lru-cache`, a package of 3 MB for ten lines. */
export function createConversations({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }) {
  /** Ordered from the least recently used. */
  const current = new Map<string, { readonly conversation: Conversation; readonly used: number }>()

  const put = (conversation: Conversation): void => {
    const now = clock.now().getTime()
    current.delete(conversation.id)
    current.set(conversation.id, { conversation, used: now })
    for (const [id, { used }] of current) {
      if (current.size <= maxConversations && now - used < idleMs) break
      current.delete(id)
    }
  }

  return {
    find(id = ''): Conversation | undefined {
      const known = current.get(id)
      return known && clock.now().getTime() - known.used < idleMs ? known.conversation : undefined
    },
    /** Starts a conversation, or replaces `instead` under a new id. */
    begin(parts: Omit<Conversation, 'id'>, instead?: Conversation): Conversation {
      const conversation = { ...parts, id: ids.uuid() }
      if (instead) current.delete(instead.id)
      put(conversation)
      return conversation
    },
    /** Updates a conversation that has not expired. */
    update(conversation: Conversation): void {
      if (current.has(conversation.id)) put({ ...conversation, turns: bounded(conversation.turns) })
    },
  }
}

export type Conversations = ReturnType<typeof createConversations>

/** Returns the newest turns within the limits; a turn of a person is always the first. */
function bounded(turns: readonly StoredTurn[]): readonly StoredTurn[] {
  const kept = turns.slice(-maxTurns)
  while (JSON.stringify(kept).length > maxCharacters) kept.splice(0, 2)
  return kept
}
