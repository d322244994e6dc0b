import type { Clock, Ids } from '../../kernel/index.ts'
import type { ImageMessage, Ratio } from './port.ts'

/** A conversation about pictures: words and addresses. The bytes are read again when they are needed. */
export interface Conversation {
  readonly id: string
  readonly ratio: Ratio
  readonly turns: ImageMessage['turns']
  /** What the next message is about: the picture that was made last, else those that it began with. */
  readonly addresses: readonly string[]
}

/** The conversations that go on. They are kept in memory, and end with the process. */
export interface Conversations {
  /** One that is not over yet. */
  find(id: string | undefined): Conversation | undefined
  /** Begins one, or goes on with what was said in another, which ends. */
  begin(conversation: Omit<Conversation, 'id'>, instead?: Conversation): Conversation
  /** Keeps what was said since, where the conversation is not over. */
  keep(conversation: Conversation): void
}

const most = 200
const idleMs = 30 * 60_000
const mostTurns = 20
const longestTurn = 4_000

export function createConversations({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): Conversations {
  /** The one that was used longest ago is first. */
  const kept = new Map<string, { readonly conversation: Conversation; readonly used: number }>()

  const put = (conversation: Conversation): void => {
    const now = clock.now().getTime()
    kept.delete(conversation.id)
    kept.set(conversation.id, { conversation, used: now })
    for (const [id, { used }] of kept) {
      if (kept.size <= most && now - used < idleMs) break
      kept.delete(id)
    }
  }

  return {
    find(id = '') {
      const known = kept.get(id)
      return known && clock.now().getTime() - known.used < idleMs ? known.conversation : undefined
    },
    begin(parts, instead) {
      const conversation = { ...parts, id: ids.uuid() }
      if (instead) kept.delete(instead.id)
      put(conversation)
      return conversation
    },
    keep(conversation) {
      if (!kept.has(conversation.id)) return
      const turns = conversation.turns.slice(-mostTurns).map(({ role, text }) => ({ role, text: text.slice(0, longestTurn) }))
      put({ ...conversation, turns })
    },
  }
}
