import type { Clock } from '../../../kernel/index.ts'
import type { Companion } from '../../draft/port.ts'
import { type DraftId, draftKey } from '../../scope/port.ts'
import type { Store, Transaction } from '../../store/port.ts'
import { answerMark, type ImageChoice, type OpenQuestion } from '../types/plan.ts'
import type { ChatTurn } from '../types/planner.ts'
import { type OpenAsk, everySession, keep, memories, type StoredMemory } from './expiring.ts'

/** What one person finds in the memory of a session. */
export interface ChatMemory extends Pick<StoredMemory, 'images'> {
  /** Oldest first. */
  readonly history: readonly ChatTurn[]
  /** The open question of this person. */
  readonly openQuestion?: OpenAsk | undefined
}

/** The entry that a run adds to the memory of its session. */
export interface Remembered {
  /** Who sent the message; all who state no browser are one, `undefined`. */
  readonly person?: string | undefined
  /** Empty for an approval without a message. */
  readonly message: string
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
const mostQuestions = 50
const mostSessions = 10_000

export type Memories = ReturnType<typeof createMemories>

export const nothingRemembered: ChatMemory = { history: [] }

/** Creates the persistent session memory: messages and open questions, for a day after the last message. */
export function createMemories({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  /** Drops questions and a choice of images that are too old. */
  async function stored(from: Pick<Store, 'of'>, id: DraftId): Promise<StoredMemory> {
    const found = await from.of(memories).get(everySession, draftKey(id))
    const { questions = [], images, history } = found?.body ?? { history: [] }
    const now = clock.now().getTime()
    const open = questions.filter(({ askedAt }) => Date.parse(askedAt) + questionLifetimeMs > now)
    const hasChosen = images && Date.parse(images.chosenAt) + imageChoiceLifetimeMs > now
    return { history, questions: open, ...(hasChosen && { images }) }
  }

  async function change(
    tx: Transaction,
    id: DraftId,
    to: (before: StoredMemory) => StoredMemory,
  ): Promise<void> {
    const expiresAt = new Date(clock.now().getTime() + lifetimeMs).toISOString()
    await keep(tx, memories, draftKey(id), { body: to(await stored(tx, id)), expiresAt, most: mostSessions })
  }

  const add = (tx: Transaction, id: DraftId, { person, message, answered, question }: Remembered) =>
    change(tx, id, ({ history, questions = [], ...before }) => {
      const turns = [...(message === '' ? [] : [turn('person', message)]), turn('assistant', answered)]
      const own = questions.find((each) => each.person === person)
      const next = nextQuestion(own, question, clock.now().toISOString())
      const others = questions.filter((each) => each !== own)
      return {
        ...before,
        history: [...history, ...turns.map((each) => ({ ...each, person }))].slice(-mostMessages),
        questions: [...others, ...(next ? [{ ...next, person }] : [])].slice(-mostQuestions),
      }
    })

  return {
    /** Reads the memory of a session for one person. */
    async read(id: DraftId, person?: string): Promise<ChatMemory> {
      const { history, questions = [], images } = await stored(store, id)
      const openQuestion = questions.find((each) => each.person === person)
      const turns = history.map(({ role, text, person: of }) => ({
        role,
        text,
        ...(of !== person && { isOfOther: true }),
      }))
      return { history: turns, ...(openQuestion && { openQuestion }), ...(images && { images }) }
    },
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

function nextQuestion(before: OpenAsk | undefined, now: QuestionAfter, askedAt: string): OpenAsk | undefined {
  if (now.kind === 'settled') return undefined
  if (now.kind === 'untouched') return before
  const isNew = now.kind === 'asked' && before !== undefined && !isSameRequest(before.question, now.question)
  const failures = before && !isNew ? before.failures + 1 : 0
  if (failures >= mostFailures) return undefined
  if (now.kind !== 'asked') return before && { ...before, failures }
  const message = now.question.message.slice(0, longestText)
  return { question: { ...now.question, message }, askedAt, failures }
}

/** Whether two questions are about the same request, perhaps after an answer. */
const isSameRequest = (before: OpenQuestion, now: OpenQuestion): boolean =>
  `${now.message}${answerMark}`.startsWith(`${before.message}${answerMark}`)
