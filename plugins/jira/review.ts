import { createHash } from 'node:crypto'
import { askModel } from './ask-model.ts'
import { comments } from './comments.ts'
import { readAdf } from './read-adf.ts'
import { RunFailure, type Ended, type TicketRun } from './ticket-run.ts'
import type { Ticket } from './tickets.ts'

const mostPages = 200

/** Reads a ticket and answers with a plan or questions. It changes neither the draft nor the status of the ticket. */
export async function review(run: TicketRun): Promise<Ended> {
  const { key, issue, env, ticket, tickets, drafts, noted, signal } = run
  const described = createHash('sha256').update(`${issue.fields.summary}\n${readAdf(issue.fields.description)}`).digest('hex')
  const most = env.JIRA_MAX_REVIEW_PASSES
  const { passes, cap } = passesOf(ticket)
  const isSilent = cap !== undefined && described === ticket.described && !run.thread.some(({ kind, at }) => kind === undefined && at > cap.at)
  if (isSilent || (cap === undefined && passes >= most)) {
    noted.reviewDecision = 'cap'
    if (!isSilent) await run.say('cap', comments.cap(most))
    return { state: 'waiting-answer', summary: `The ticket was reviewed ${most} times and waits for a person.` }
  }

  const model = chooseModel(run)
  await tickets.change(key, () => ({ state: 'reviewing', described }))
  const id = await run.chooseDraft()
  const { parts, pictures } = await run.instruct()
  const slugs = (await drafts.rows(id)).slice(0, mostPages).map(({ slug }) => slug)
  Object.assign(noted, { modelUsed: model.modelOf('balanced'), provider: model.provider })
  const review = await askModel(run.loop, { of: id, client: model, parts, slugs, pictures, signal })
  noted.reviewDecision = review.decision
  if (review.decision === 'proceed') {
    await run.say('plan', comments.plan(review.plan, `Answer "approved" to have it done in a draft, or say what should be different.`))
    return { state: 'waiting-approval', summary: `A plan with ${review.plan.length} ${review.plan.length === 1 ? 'step' : 'steps'} waits for approval.` }
  }
  await run.say('questions', comments.questions(review.questions, 'These questions are open:'))
  return { state: 'waiting-answer', summary: 'The ticket waits for answers.' }
}

/** Reviews since the ticket was last carried out or stopped, and the comment that stopped it, where nothing came after. */
export function passesOf({ comments }: Pick<Ticket, 'comments'>): { readonly passes: number; readonly cap: Ticket['comments'][number] | undefined } {
  const said = comments.filter(({ kind }) => kind !== 'failed')
  const since = said.findLastIndex(({ kind }) => kind === 'cap' || kind === 'draft' || kind === 'published')
  const last = said.at(-1)
  return { passes: said.slice(since + 1).filter(({ kind }) => kind === 'plan' || kind === 'questions').length, cap: last?.kind === 'cap' ? last : undefined }
}

function chooseModel({ model }: TicketRun) {
  if (model) return model
  throw new RunFailure('no_model_key', 'No language model is set up. Set ANTHROPIC_API_KEY or OPENAI_API_KEY.')
}
