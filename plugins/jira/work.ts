import { Refusal } from '../../kernel/index.ts'
import { ModelFailure } from '../llm/port.ts'
import { comments } from './comments.ts'
import { decide } from './decide.ts'
import { execute } from './execute.ts'
import { JiraFailure } from './rest.ts'
import { publish } from './publish.ts'
import type { Claimed } from './queue.ts'
import type { Records } from './records.ts'
import { review } from './review.ts'
import type { RoutingFacts } from './routing.ts'
import type { Mode, Result } from './schemas.ts'
import { openRun, RunFailure, type Ended, type RunContext, type TicketRun } from './ticket-run.ts'
import { newestOf, toThread } from './thread.ts'
import type { Running } from './tickets.ts'

interface WorkContext extends RunContext {
  readonly records: Records
  /** The account of this service in Jira; `undefined` if Jira does not report it. */
  readonly account: () => Promise<string | undefined>
  readonly facts: Pick<RoutingFacts, 'statuses' | 'projects'>
  readonly approvers: ReadonlySet<string>
}

const carryOut: Readonly<Record<Mode, (run: TicketRun) => Promise<Ended>>> = { review, execute, publish }

/** Creates the worker: it runs a ticket, records the result, and reports failures in a comment. */
export function createWork(context: WorkContext) {
  const { jira, tickets, records, account, clock, log, signal, redact, settings } = context

  const read = async (key: string) => {
    const [issue, comments, agentId] = await Promise.all([jira.issue(key), jira.comments(key), account()])
    const ticket = await tickets.get(key)
    const own = { comments: new Map(ticket.comments.map(({ id, kind }) => [id, kind])), agentId }
    const thread = toThread(comments, own)
    const { reporter, assignee, creator } = issue.fields
    const people = [reporter, assignee, creator].flatMap((person) => (person && person.id !== '' ? [person.id] : []))
    const approvers = context.approvers.size > 0 ? context.approvers : new Set(people)
    const facts = { ...context.facts, own, approvers }
    return { issue, thread, ticket, facts, status: issue.fields.status.name, answered: ticket.answered }
  }

  /** Reports a failure in the ticket, once for repeated failures. */
  const reportFailure = async (key: string, mode: Mode, reason: string): Promise<void> => {
    const { comments: own } = await tickets.get(key)
    if (own.at(-1)?.kind !== 'failed') await commentFailure(key, mode, reason)
    const { failed } = settings.statuses
    if (failed !== undefined && mode !== 'publish') await jira.move(key, failed)
  }

  const commentFailure = async (key: string, mode: Mode, reason: string): Promise<void> => {
    const { review: asked, execute: begun } = settings.statuses
    const retry = mode === 'publish' ? 'Answer "approved" to try again.' : `To try again, move this ticket to **${mode === 'review' ? asked : begun}** once more, or comment on it in **${asked}**.`
    const { id, created } = await jira.comment(key, redact(comments.failed(reason, retry)))
    await tickets.change(key, (ticket) => ({ comments: [...ticket.comments, { id, kind: 'failed', at: Date.parse(created) || clock.now().getTime() }] }))
  }

  const record = async (claimed: Claimed, began: number, run: TicketRun | undefined, result: Omit<Result, 'issueKey' | 'durationMs'>): Promise<Result> => {
    const complete = { ...result, issueKey: claimed.key, durationMs: Math.round(performance.now() - began) }
    const { modelUsed } = run?.noted ?? {}
    const mode = run?.decision.mode ?? claimed.asked[0]?.mode ?? 'review'
    await records.add({ toolCalls: [], toolCallCount: 0, touchedSlugs: [], ...run?.noted, ...complete, published: run?.noted.published ?? false, timestamp: clock.now().toISOString(), mode, transitions: run?.transitions ?? [] })
    return { ...complete, ...(modelUsed !== undefined && { modelUsed }) }
  }

  const fail = async (claimed: Claimed, began: number, run: TicketRun | undefined, error: unknown): Promise<Result> => {
    const { key, asked } = claimed
    const { code, reason } = toReason(error)
    log.warn({ err: error, issueKey: key, code, ...(error instanceof JiraFailure && { status: error.status, said: error.said }) }, 'a ticket run failed')
    const asks = error instanceof RunFailure && error.asks
    const mode = run?.decision.mode ?? asked[0]?.mode ?? 'review'
    await tickets.change(key, () => ({ state: asks ? 'waiting-answer' : 'failed' }))
    if (!asks) await reportFailure(key, mode, reason).catch((err: unknown) => log.warn({ err, issueKey: key }, 'a failure could not be reported in its ticket'))
    return record(claimed, began, run, { status: 'error', summary: redact(reason), changes: [], error: code })
  }

  return {
    /** Reads what the decision about a ticket needs. */
    read,
    async work(claimed: Claimed): Promise<Result> {
      const began = performance.now()
      let run: TicketRun | undefined
      try {
        const fresh = await read(claimed.key)
        const decision = decide(claimed.asked, fresh)
        if ('skip' in decision) return await record(claimed, began, undefined, { status: 'success', summary: `Nothing to do: ${decision.skip}.`, changes: [] })
        run = openRun(context, { ...fresh, key: claimed.key, decision })
        const { person } = newestOf(run.thread)
        const { state, summary, changes = [], published } = await carryOut[run.decision.mode](run)
        await tickets.change(claimed.key, () => ({ state, ...(person && { answered: { mark: person.mark, at: person.at } }) }))
        return await record(claimed, began, run, { status: 'success', summary: redact(summary), changes: changes.map(redact), ...(published && { published }) })
      } catch (error) {
        // If the service stops, the next process reports the interruption.
        signal.throwIfAborted()
        return fail(claimed, began, run, error)
      }
    },
    /** Reports a run that ended with its process. */
    async interrupted(key: string, { mode, startedAt }: Running): Promise<void> {
      const known = mode === 'publish' ? 'The publish log shows whether the publish went out.' : mode === 'execute' ? 'Earlier changes are in the draft.' : 'Nothing has changed.'
      const summary = `The service stopped while it was working on this ticket. ${known}`
      await records.add({ issueKey: key, status: 'error', summary, error: 'interrupted', changes: [], durationMs: Math.max(clock.now().getTime() - Date.parse(startedAt), 0), timestamp: clock.now().toISOString(), mode, toolCalls: [], toolCallCount: 0, touchedSlugs: [], published: false, transitions: [] })
      await reportFailure(key, mode, summary).catch((err: unknown) => log.warn({ err, issueKey: key }, 'a failure could not be reported in its ticket'))
    },
  }
}

/** The reason of a failure, for people. */
function toReason(error: unknown): { readonly code: string; readonly reason: string } {
  if (error instanceof RunFailure) return { code: error.code, reason: error.message }
  if (error instanceof JiraFailure) return { code: 'jira_failed', reason: error.message }
  if (error instanceof ModelFailure) return { code: 'model_failed', reason: error.reason }
  if (error instanceof Refusal) return { code: error.code, reason: error.reason }
  return { code: 'internal_error', reason: 'Internal error. The log of the service has the details.' }
}
