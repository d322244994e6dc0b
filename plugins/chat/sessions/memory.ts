import type { Clock } from '../../../kernel/index.ts'
import type { Committed, Companion } from '../../draft/port.ts'
import { type DraftId, draftKey } from '../../scope/port.ts'
import type { Store, Transaction } from '../../store/port.ts'
import { answerMark, type ImageChoice, type OpenQuestion } from '../types/plan.ts'
import type { ChatTurn } from '../types/planner.ts'
import type { Asked, ChatMemory } from '../types/run.ts'
import { everySession, keep, memories } from './expiring.ts'

/** What a run adds to the memory of its session. */
export interface Remembered {
  /** Empty for an approval without a message. */
  readonly said: string
  readonly answered: string
  /** `asked`: a question is open now. `failed`: the message did not answer it. `settled`: none is open any more. */
  readonly question: { readonly kind: 'asked'; readonly question: OpenQuestion } | { readonly kind: 'failed' | 'settled' | 'untouched' }
}

const mostMessages = 6
const longestText = 2_000
const questionLifetime = 10 * 60 * 1000
const imageChoiceLifetime = 60 * 60 * 1000
const lifetime = 24 * 60 * 60 * 1000
const mostFailures = 2
const mostSessions = 10_000

export const nothingRemembered: ChatMemory = { history: [] }

/** The memory of sessions. */
export type Memories = ReturnType<typeof createMemories>

/** Makes the memory of sessions: a few messages and one open question. Persistent; expires a day after the last message. */
export function createMemories({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  const current = (memory: ChatMemory): ChatMemory => {
    const { asked, images, history } = memory
    const isWithin = (since: string, time: number): boolean => Date.parse(since) + time > clock.now().getTime()
    return { history, ...(asked && isWithin(asked.askedAt, questionLifetime) && { asked }), ...(images && isWithin(images.chosenAt, imageChoiceLifetime) && { images }) }
  }
  const stored = async (tx: Transaction, id: DraftId): Promise<ChatMemory> => current((await tx.of(memories).get(everySession, draftKey(id)))?.body ?? nothingRemembered)
  const put = (tx: Transaction, id: DraftId, body: ChatMemory): Promise<void> =>
    keep(tx, memories, id, { body, expiresAt: new Date(clock.now().getTime() + lifetime).toISOString(), most: mostSessions })
  const write = async (tx: Transaction, id: DraftId, { said, answered, question }: Remembered): Promise<void> => {
    const now = clock.now()
    const { history, asked, images } = await stored(tx, id)
    await put(tx, id, {
      history: [...history, ...(said === '' ? [] : [turn('person', said)]), turn('assistant', answered)].slice(-mostMessages),
      asked: nextQuestion(asked, question, now),
      images,
    })
  }

  const read = async (id: DraftId): Promise<ChatMemory> => {
    const found = await store.of(memories).get(everySession, draftKey(id))
    return found ? current(found.body) : nothingRemembered
  }

  return {
    read,
    /** Remembers for an hour where images come from. */
    chooseImages: (id: DraftId, choice: ImageChoice): Promise<void> => store.transaction(async (tx) => put(tx, id, { ...(await stored(tx, id)), images: { choice, chosenAt: clock.now().toISOString() } })),
    add: (id: DraftId, what: Remembered): Promise<void> => store.transaction((tx) => write(tx, id, what)),
    /** Adds in the transaction of a commit, by its result. */
    along: (id: DraftId, toWhat: (committed: Committed) => Remembered): Companion => async (tx) => (committed) => write(tx, id, toWhat(committed)),
  }
}

const turn = (role: ChatTurn['role'], text: string): ChatTurn => ({ role, text: text.slice(0, longestText) })

function nextQuestion(before: Asked | undefined, now: Remembered['question'], at: Date): Asked | undefined {
  if (now.kind === 'settled') return undefined
  if (now.kind === 'untouched') return before
  const isNew = now.kind === 'asked' && before !== undefined && !isAbout(before.question, now.question)
  const failures = before && !isNew ? before.failures + 1 : 0
  if (failures >= mostFailures) return undefined
  if (now.kind === 'asked') {
    const { question } = now
    return { question: { ...question, message: question.message.slice(0, longestText) }, askedAt: at.toISOString(), failures }
  }
  return before && { ...before, failures }
}

/** Whether two questions are about the same request, perhaps after an answer. */
const isAbout = (before: OpenQuestion, now: OpenQuestion): boolean => `${now.message}${answerMark}`.startsWith(`${before.message}${answerMark}`)
