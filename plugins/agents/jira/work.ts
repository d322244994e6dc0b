import { Refusal } from '../../../kernel/index.ts'
import { ModelFailure } from '../../models/port.ts'
import { comments } from './comments.ts'
import { decide } from './decide.ts'
import { execute } from './execute.ts'
import { JiraFailure } from './rest.ts'
import { publish } from './publish.ts'
import type { Claimed } from './queue.ts'
import type { Records, RunRecord } from './records.ts'
import { review } from './review.ts'
import { approversOf, type RoutingFacts } from './routing.ts'
import type { Mode, Result } from './schemas.ts'
import {
  asking,
  comment,
  openRun,
  RunFailure,
  type TicketOutcome,
  type RunContext,
  type TicketRun,
} from './ticket-run.ts'
import { newestOf, ownOf, toThread } from './thread.ts'
import type { Running } from './tickets.ts'

interface WorkContext extends RunContext {
  readonly records: Records
  /** Returns the account of this service in Jira; `undefined` if Jira does not report it. */
  readonly account: () => Promise<string | undefined>
  readonly facts: Pick<RoutingFacts, 'statuses' | 'projects'>
  readonly approvers: ReadonlySet<string>
}

const carryOut: Readonly<Record<Mode, (run: TicketRun) => Promise<TicketOutcome>>> = {
  review,
  execute,
  publish,
}

/** Creates the worker, which runs a ticket, records the result, and reports failures in a comment. */
export function createWork(context: WorkContext) {
  const { jira, tickets, records, account, clock, log, redact, settings } = context

  const read = async (key: string) => {
    const [issue, comments, agentId] = await Promise.all([jira.issue(key), jira.comments(key), account()])
    const ticket = await tickets.get(key)
    const own = ownOf(ticket.comments, agentId)
    const facts = { ...context.facts, own, approvers: approversOf(context.approvers, issue.fields) }
    const thread = toThread(comments, own)
    return { issue, thread, ticket, facts, status: issue.fields.status.name, answered: ticket.answered }
  }

  /** Reports a failure in the ticket; repeated failures only once. */
  const reportFailure = async (key: string, mode: Mode, reason: string): Promise<void> => {
    const { review, execute, failed } = settings.statuses
    const retry =
      mode === 'publish'
        ? 'Answer "approved" to try again.'
        : `To try again, move this ticket to **${mode === 'review' ? review : execute}** once more, ` +
          `or comment on it in **${review}**.`
    try {
      const { comments: own } = await tickets.get(key)
      if (own.at(-1)?.kind !== 'failed') await comment(context, key, 'failed', comments.failed(reason, retry))
      if (failed !== undefined && mode !== 'publish') await jira.move(key, failed)
    } catch (err) {
      log.warn({ err, issueKey: key }, 'a failure could not be reported in its ticket')
    }
  }

  const add = (record: Result & Pick<RunRecord, 'mode' | 'queuedAt'> & Partial<RunRecord>): Promise<void> =>
    records.add({
      toolCalls: [],
      toolCallCount: 0,
      touchedSlugs: [],
      transitions: [],
      published: false,
      timestamp: clock.now().toISOString(),
      ...record,
    })

  return {
    /** Reads the data for the decision on a ticket. */
    read,
    async work({ key, requests }: Claimed, signal: AbortSignal): Promise<Result> {
      const began = performance.now()
      let run: TicketRun | undefined
      let mode = requests[0]?.mode ?? 'review'
      const queuedAt = requests[0]?.at ?? clock.now().toISOString()
      const end = async (ended: Pick<Result, 'summary'> & Partial<Result>): Promise<Result> => {
        const durationMs = Math.round(performance.now() - began)
        const result = { status: 'success', changes: [], ...ended, issueKey: key, durationMs } as const
        const { noted = {}, transitions = [] } = run ?? {}
        const { modelUsed, published = false } = noted
        await add({ ...noted, ...result, queuedAt, published, mode, transitions })
        return { ...result, ...(modelUsed !== undefined && { modelUsed }) }
      }
      try {
        const fresh = await read(key)
        const decision = decide(requests, fresh)
        if ('skip' in decision) return await end({ summary: `Nothing to do: ${decision.skip}.` })
        mode = decision.mode
        run = openRun({ ...context, signal }, { ...fresh, key, decision })
        const { person } = newestOf(run.thread)
        const { state, summary, changes = [], published } = await carryOut[mode](run)
        const answered = person && { mark: person.mark, at: person.at }
        await tickets.change(key, () => ({ state, ...(answered && { answered }) }))
        const shown = { summary: redact(summary), changes: changes.map(redact) }
        return await end({ ...shown, ...(published && { published }) })
      } catch (error) {
        // If the service stops, or the ticket is lost, the next process reports the interruption.
        signal.throwIfAborted()
        const { code, reason } = toReason(error)
        const answer = error instanceof JiraFailure && { status: error.status, said: error.detail }
        log.warn({ err: error, issueKey: key, code, ...answer }, 'a ticket run failed')
        const asks = asking.has(code)
        await tickets.change(key, () => ({ state: asks ? 'waiting-answer' : 'failed' }))
        if (!asks) await reportFailure(key, mode, reason)
        return end({ status: 'error', summary: redact(reason), error: code })
      }
    },
    /** Reports a run that ended with its process. */
    async interrupted(key: string, { mode, queuedAt, startedAt }: Running): Promise<void> {
      const summary = `The service stopped while it was working on this ticket. ${interruptionNotes[mode]}`
      const durationMs = Math.max(clock.now().getTime() - Date.parse(startedAt), 0)
      const facts = { issueKey: key, summary, durationMs, mode, queuedAt, changes: [] }
      await add({ ...facts, status: 'error', error: 'interrupted' })
      await reportFailure(key, mode, summary)
    },
  }
}

/** The known facts of a run that ended with its process. */
const interruptionNotes: Readonly<Record<Mode, string>> = {
  review: 'Nothing has changed.',
  execute: 'Earlier changes are in the draft.',
  publish: 'The publish log shows whether the publish went out.',
}

/** Explains a failure for people. */
function toReason(error: unknown): { readonly code: string; readonly reason: string } {
  if (error instanceof RunFailure) return { code: error.code, reason: error.message }
  if (error instanceof JiraFailure) return { code: 'jira_failed', reason: error.message }
  if (error instanceof ModelFailure) return { code: 'model_failed', reason: error.reason }
  if (error instanceof Refusal) return { code: error.code, reason: error.reason }
  return { code: 'internal_error', reason: 'Internal error. The log of the service has the details.' }
}
