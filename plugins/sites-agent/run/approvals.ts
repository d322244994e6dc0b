import type { Clock, Ids } from '../../../kernel/index.ts'
import type { Question, SiteEvent } from './events.ts'
import { refusals } from './refusals.ts'

/** Answers by question. */
export type Answers = Readonly<Record<string, string>>

/** What a run asks a person. */
export interface Pending {
  readonly approvalId: string
  readonly questions: readonly Question[]
}

const warnAfter = 8 * 60_000
const endAfter = 10 * 60_000

/** The questions of one run, one after the other. */
export class Approvals {
  readonly #tell: (event: SiteEvent) => void
  readonly #signal: AbortSignal
  readonly #clock: Clock
  readonly #ids: Ids
  /** Ends the run: silence is never consent. */
  readonly #giveUp: (why: Error) => void
  #open: (Pending & { readonly answer: (answers: Answers) => void }) | undefined
  #queue: Promise<unknown> = Promise.resolve()

  constructor({ tell, signal, clock, ids, giveUp }: {
    readonly tell: (event: SiteEvent) => void
    readonly signal: AbortSignal
    readonly clock: Clock
    readonly ids: Ids
    readonly giveUp: (why: Error) => void
  }) {
    this.#tell = tell
    this.#signal = signal
    this.#clock = clock
    this.#ids = ids
    this.#giveUp = giveUp
  }

  get pending(): Pending | undefined {
    return this.#open && { approvalId: this.#open.approvalId, questions: this.#open.questions }
  }

  /** Asks, and waits for the answers; rejects when the run ends first. */
  ask(questions: readonly Question[], more: Pick<Extract<SiteEvent, { type: 'approval_required' }>['input'], 'changes'> = {}): Promise<Answers> {
    const asked = this.#queue.then(() => this.#ask(questions, more))
    this.#queue = asked.catch(() => undefined)
    return asked
  }

  /** True only for the answer `label` to a question with this one and `No`. */
  async allows(question: string, { header, label, changes }: { readonly header: string; readonly label: string; readonly changes?: Parameters<Approvals['ask']>[1] }): Promise<boolean> {
    const options = [{ label, description: 'Go on.' }, { label: 'No', description: 'Leave everything as it is.' }]
    const answers = await this.ask([{ question, header, options, multiSelect: false }], changes)
    return answers[question] === label
  }

  /** Takes answers of a person. Refuses with 410 where nothing is asked, 409 where something else is, and 400 what was not asked. */
  respond(answers: Answers, approvalId: string | undefined): void {
    const open = this.#open
    if (!open) throw refusals.noPendingApproval()
    if (approvalId !== undefined && approvalId !== open.approvalId) throw refusals.approvalMismatch()
    const known = new Set(open.questions.map(({ question }) => question))
    if (Object.keys(answers).some((question) => !known.has(question)) || [...known].some((question) => answers[question] === undefined)) throw refusals.unknownQuestion()
    open.answer(answers)
  }

  async #ask(questions: readonly Question[], { changes }: Parameters<Approvals['ask']>[1] = {}): Promise<Answers> {
    this.#signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Answers>()
    const approvalId = this.#ids.uuid()
    const expiresAt = new Date(this.#clock.now().getTime() + endAfter).toISOString()
    const onAbort = (): void => reject(this.#signal.reason)
    const warning = setTimeout(() => this.#tell({ type: 'warning', code: 'approval_expiring', message: 'The question waits for an answer. Without one within two minutes the run ends.' }), warnAfter)
    const ending = setTimeout(() => this.#giveUp(refusals.unanswered()), endAfter)
    this.#signal.addEventListener('abort', onAbort, { once: true })
    this.#open = { approvalId, questions, answer: resolve }
    this.#tell({ type: 'approval_required', approvalId, expiresAt, input: { questions: [...questions], ...(changes && { changes }) } })
    try {
      return await promise
    } finally {
      this.#open = undefined
      clearTimeout(warning)
      clearTimeout(ending)
      this.#signal.removeEventListener('abort', onAbort)
    }
  }
}
