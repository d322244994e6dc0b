import type { Clock, Ids, Refusal } from '../../../../kernel/index.ts'
import { Problem } from '../problem.ts'
import { visible } from '../files/patch.ts'
import type { Question, SiteEvent } from './events.ts'
import { refusals } from './refusals.ts'

/** Answers, by question. */
type Answers = Readonly<Record<string, string>>

type Changes = Extract<SiteEvent, { type: 'approval_required' }>['input']['changes']

const expiring = 'The question is still open. Without an answer within two minutes, the run ends.'
const unanswered = (questions: readonly Question[]): string =>
  'The question was not answered within 10 minutes, so the run ended without further changes. Start it again, and answer its questions. ' +
  `It asked: ${questions.map(({ question }) => question.slice(0, 500)).join(' ')}`
const warnAfterMs = 8 * 60_000
const endAfterMs = 10 * 60_000

/** Returns why answers to open questions are refused: 410 if none are due, 409 for another approval, else 400. */
export function answerProblem(
  open: { readonly approvalId: string; readonly questions: readonly Question[] } | undefined,
  answers: Answers,
  approvalId: string | undefined,
): Refusal | undefined {
  if (!open) return refusals.noPendingApproval()
  if (approvalId !== undefined && approvalId !== open.approvalId) return refusals.approvalMismatch()
  const questions = new Set(open.questions.map(({ question }) => question))
  const isExact = questions.symmetricDifference(new Set(Object.keys(answers))).size === 0
  return isExact ? undefined : refusals.unknownQuestion()
}

/** The questions of one run, asked one at a time. */
export type Approvals = ReturnType<typeof createApprovals>

/** Creates the questions of a run. `giveUp` ends the run, because silence is not consent. */
export function createApprovals({
  emit,
  signal,
  clock,
  ids,
  giveUp,
}: {
  readonly emit: (event: SiteEvent) => void
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly ids: Ids
  readonly giveUp: (why: Error) => void
}) {
  let open: { approvalId: string; questions: readonly Question[]; answer(answers: Answers): void } | undefined
  let queue: Promise<unknown> = Promise.resolve()

  async function askNow(questions: readonly Question[], changes: Changes): Promise<Answers> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Answers>()
    const approvalId = ids.uuid()
    const expiresAt = new Date(clock.now().getTime() + endAfterMs).toISOString()
    const onAbort = (): void => reject(signal.reason)
    const warn = (): void => emit({ type: 'warning', code: 'approval_expiring', message: expiring })
    const warning = setTimeout(warn, warnAfterMs)
    const ending = setTimeout(() => giveUp(new Problem(unanswered(questions))), endAfterMs)
    signal.addEventListener('abort', onAbort, { once: true })
    open = { approvalId, questions, answer: resolve }
    emit({
      type: 'approval_required',
      approvalId,
      expiresAt,
      input: { questions: [...questions], ...(changes && { changes }) },
    })
    try {
      return await promise
    } finally {
      open = undefined
      clearTimeout(warning)
      clearTimeout(ending)
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Asks, and waits for the answers; rejects if the run ends first. */
  function ask(questions: readonly Question[], changes?: Changes): Promise<Answers> {
    const answers = queue.then(() => askNow(questions, changes))
    queue = answers.catch(() => undefined)
    return answers
  }

  return {
    ask,
    pending: () => open && { approvalId: open.approvalId, questions: [...open.questions] },
    /** Asks a question with the options `label` and `No`; returns true only for `label`. Escapes hidden characters in its lines. */
    async allows(
      lines: string | readonly string[],
      {
        header,
        label,
        changes,
      }: { readonly header: string; readonly label: string; readonly changes?: Changes },
    ): Promise<boolean> {
      const question = [lines]
        .flat()
        .map((line) => visible(line))
        .join('\n')
      const options = [
        { label, description: 'Continue.' },
        { label: 'No', description: 'Change nothing.' },
      ]
      const answers = await ask([{ question, header, options, multiSelect: false }], changes)
      return answers[question] === label
    },
    /** Accepts a person's answers. Refuses with `answerProblem`. */
    respond(answers: Answers, approvalId: string | undefined): void {
      const problem = answerProblem(open, answers, approvalId)
      if (problem) throw problem
      open?.answer(answers)
    },
  }
}
