import type { Clock } from '../../../kernel/index.ts'
import type { Companion } from '../../draft/port.ts'
import { type DraftId, draftKey } from '../../scope/port.ts'
import type { Store, Transaction } from '../../store/port.ts'
import { answerMark, type ImageChoice, type OpenQuestion } from '../types/plan.ts'
import type { ChatTurn } from '../types/planner.ts'
import { type Asked, type ChatMemory, everySession, keep, memories } from './expiring.ts'

export type { ChatMemory }

/** The entry that a run adds to the memory of its session. */
export interface Remembered {
  /** Empty for an approval without a message. */
  readonly said: string
  readonly answered: string
  readonly question: QuestionAfter
}

/** `asked`: a question is open now. `failed`: it was not answered. `settled`: no question is open now. */
type QuestionAfter =
  | { readonly kind: 'asked'; readonly question: OpenQuestion }
  | { readonly kind: 'failed' | 'settled' | 'untouched' }

const mostMessages = 6
const longestText = 2_000
const questionLifetimeMs = 10 * 60 * 1000
const imageChoiceLifetimeMs = 60 * 60 * 1000
const lifetimeMs = 24 * 60 * 60 * 1000
const mostFailures = 2
const mostSessions = 10_000

export type Memories = ReturnType<typeof createMemories>

export const nothingRemembered: ChatMemory = { history: [] }

/** Creates the persistent session memory: messages and an open question, for a day after the last message. */
export function createMemories({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  async function stored(from: Pick<Store, 'of'>, id: DraftId): Promise<ChatMemory> {
    const found = await from.of(memories).get(everySession, draftKey(id))
    const { asked, images, history } = found?.body ?? nothingRemembered
    const now = clock.now().getTime()
    const hasAsked = asked && Date.parse(asked.askedAt) + questionLifetimeMs > now
    const hasChosen = images && Date.parse(images.chosenAt) + imageChoiceLifetimeMs > now
    return { history, ...(hasAsked && { asked }), ...(hasChosen && { images }) }
  }

  async function change(tx: Transaction, id: DraftId, to: (before: ChatMemory) => ChatMemory): Promise<void> {
    const expiresAt = new Date(clock.now().getTime() + lifetimeMs).toISOString()
    await keep(tx, memories, draftKey(id), { body: to(await stored(tx, id)), expiresAt, most: mostSessions })
  }

  const add = (tx: Transaction, id: DraftId, { said, answered, question }: Remembered): Promise<void> =>
    change(tx, id, ({ history, asked, ...before }) => {
      const turns = [...(said === '' ? [] : [turn('person', said)]), turn('assistant', answered)]
      return {
        ...before,
        history: [...history, ...turns].slice(-mostMessages),
        asked: nextQuestion(asked, question, clock.now().toISOString()),
      }
    })

  return {
    read: (id: DraftId): Promise<ChatMemory> => stored(store, id),
    /** Remembers the image source for an hour. */
    chooseImages: (id: DraftId, choice: ImageChoice): Promise<void> => {
      const images = { choice, chosenAt: clock.now().toISOString() }
      return store.transaction((tx) => change(tx, id, (before) => ({ ...before, images })))
    },
    add: (id: DraftId, what: Remembered): Promise<void> => store.transaction((tx) => add(tx, id, what)),
    /** Adds an entry in the transaction of a commit. */
    along:
      (id: DraftId, what: Remembered): Companion =>
      async (tx) =>
      () =>
        add(tx, id, what),
  }
}

const turn = (role: ChatTurn['role'], text: string): ChatTurn => ({ role, text: text.slice(0, longestText) })

function nextQuestion(before: Asked | undefined, now: QuestionAfter, askedAt: string): Asked | undefined {
  if (now.kind === 'settled') return undefined
  if (now.kind === 'untouched') return before
  const isNew = now.kind === 'asked' && before !== undefined && !isAbout(before.question, now.question)
  const failures = before && !isNew ? before.failures + 1 : 0
  if (failures >= mostFailures) return undefined
  if (now.kind !== 'asked') return before && { ...before, failures }
  const message = now.question.message.slice(0, longestText)
  return { question: { ...now.question, message }, askedAt, failures }
}

/** Whether two questions are about the same request, perhaps after an answer. */
const isAbout = (before: OpenQuestion, now: OpenQuestion): boolean =>
  `${now.message}${answerMark}`.startsWith(`${before.message}${answerMark}`)
