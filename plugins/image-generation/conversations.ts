import type { Clock, Ids } from '../../kernel/index.ts'
import type { Ratio, Turn } from './port.ts'

/** What was said, with the addresses of pictures: their bytes are read again when they are needed. */
export type SaidTurn = Turn<{ readonly address: string }>

/** A conversation about pictures. */
export interface Conversation {
  readonly id: string
  readonly ratio: Ratio
  /** Oldest first. */
  readonly turns: readonly SaidTurn[]
  /** Addresses of pictures that the first message is about; none once it was answered. */
  readonly references: readonly string[]
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
/** Of one conversation; the newest are kept. */
const mostTurns = 20
const mostParts = 20
const longestText = 4_000
/** Characters of all signatures of one conversation; older parts are kept without theirs. */
const mostSigned = 512 * 1024

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
      if (kept.has(conversation.id)) put({ ...conversation, turns: bounded(conversation.turns) })
    },
  }
}

function bounded(turns: readonly SaidTurn[]): readonly SaidTurn[] {
  let left = mostSigned
  const boundedPart = ({ signature, ...part }: SaidTurn['parts'][number]): SaidTurn['parts'][number] => {
    left -= signature?.length ?? 0
    const kept = part.type === 'text' ? { ...part, text: part.text.slice(0, longestText).toWellFormed() } : part
    return signature !== undefined && left >= 0 ? { ...kept, signature } : kept
  }
  return turns.slice(-mostTurns).toReversed().map(({ role, parts }) => ({ role, parts: parts.slice(0, mostParts).toReversed().map(boundedPart).toReversed() })).toReversed()
}
