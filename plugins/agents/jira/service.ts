import { createKeyedQueue, type Ids } from '../../../kernel/index.ts'
import type { Jobs } from '../../jobs/port.ts'
import type { ModelClient } from '../../models/port.ts'
import type { Store } from '../../store/port.ts'
import { createJira } from './jira.ts'
import { createPoller, toJql } from './poller.ts'
import { createQueue } from './queue.ts'
import { createRecords, type RunRecord } from './records.ts'
import { createRest } from './rest.ts'
import { approversOf, routeEvent, type Route } from './routing.ts'
import type { Mode, QueueEntry, Result, StatusAnswer, WebhookEvent } from './schemas.ts'
import type { JiraVariables } from './settings.ts'
import { ownOf } from './thread.ts'
import type { RunContext } from './ticket-run.ts'
import { createTickets, type Tickets } from './tickets.ts'
import { createWork } from './work.ts'

interface TicketServiceContext extends Omit<RunContext, 'jira' | 'tickets' | 'model' | 'turns' | 'env'> {
  readonly env: JiraVariables
  readonly store: Store
  readonly jobs: Jobs
  readonly ids: Ids
  readonly models: readonly (ModelClient | undefined)[]
  readonly parallel: number
  readonly retryAfterMs: readonly number[]
  /** True for a public demo, which must not be changed from outside. */
  readonly isDemo: boolean
}

const mostRecent = 20
/** The maximum number of ended runs that are considered for the queue, and for how many milliseconds. */
const mostListed = 50
const listedMs = 60_000
const preferred = ['anthropic', 'openai']

/** Connects the parts that handle tickets. */
export function createTicketService(context: TicketServiceContext) {
  const { connection, settings, env, outbound, clock, redact, retryAfterMs, isDemo, log, signal } = context
  const { statuses } = settings
  const jira = createJira(createRest({ connection, outbound, redact, retryAfterMs, signal }), connection)
  const tickets = createTickets(context)
  const records = createRecords(context)
  const projects = env.JIRA_PROJECT_KEYS
  const [model] = preferred.flatMap((name) => context.models.find((each) => each?.provider === name) ?? [])

  let account = env.JIRA_AGENT_ACCOUNT_ID
  let asking: Promise<string | undefined> | undefined
  /** Asks Jira once for the account, and again after a failure. */
  const findAccount = async (): Promise<string | undefined> => {
    if (account !== undefined) return account
    asking ??= jira
      .myself()
      .then(({ id }) => (account = id || undefined))
      .catch((err: unknown) => void log.warn({ err }, 'the Jira account could not be read'))
      .finally(() => (asking = undefined))
    return asking
  }

  const facts = { statuses, projects }
  const parts = { jira, tickets, records, model, turns: createKeyedQueue(), account: findAccount, facts }
  const { work, read, interrupted } = createWork({ ...context, ...parts, approvers: env.JIRA_APPROVERS })
  const queue = createQueue({
    ...context,
    tickets,
    work,
    interrupted,
    finished: (...ended) => poller.finished(...ended),
  })
  const jql = toJql({ jql: env.JIRA_POLL_JQL, statuses: [statuses.review, statuses.preview], projects })
  const polling = { jql, projects, intervalMs: env.JIRA_POLL_INTERVAL_MS }
  const poller = createPoller({ ...polling, jira, read, enqueue: queue.add, clock, log, signal })

  return {
    /** Queues the work that an event requests, once per delivery. */
    async route(event: WebhookEvent, delivery: readonly string[]): Promise<Route> {
      const { comments, running } = await tickets.get(event.issueKey)
      // Comment events may lack people; approvers are checked again with the complete ticket.
      const hasPeople = env.JIRA_APPROVERS.size > 0 || event.reporter || event.creator
      const approvers = hasPeople ? approversOf(env.JIRA_APPROVERS, event) : undefined
      const routed = routeEvent(event, { statuses, projects, own: ownOf(comments, account), approvers })
      // A running ticket may have an unhandled status; comments made during the run are handled afterwards.
      const isDuringRun =
        running !== undefined &&
        event.kind === 'comment' &&
        'skip' in routed &&
        routed.skip === 'status_not_handled'
      const route: Route = isDuringRun ? { mode: running.mode, trigger: 'comment' } : routed
      if ('skip' in route) return route
      const { mode, trigger } = route
      const isNew = await queue.add(
        event.issueKey,
        { mode, trigger, at: clock.now().toISOString(), user: event.user },
        delivery,
      )
      return isNew ? route : { skip: 'repeated_delivery' }
    },
    process: (key: string, mode: Mode): Promise<Result> =>
      queue.run(key, { mode, trigger: 'manual', at: clock.now().toISOString() }),
    async status(): Promise<StatusAnswer> {
      const newest = await records.newest(mostListed)
      return {
        configured: true,
        reviewStatus: statuses.review,
        executeStatus: statuses.execute,
        previewStatus: statuses.preview,
        doneStatus: statuses.done,
        autoPublish: settings.autoPublish,
        agentAccountId: account ?? null,
        poller: poller.status(),
        queue: await listQueue(tickets, newest, clock.now()),
        recent: newest.slice(0, mostRecent),
      }
    },
    start(): void {
      void findAccount()
      queue.start()
      if (settings.polls && !isDemo) poller.start()
    },
    async close(): Promise<void> {
      await poller.close()
      await queue.close()
    },
  }
}

/** Lists the tickets that wait, that are being processed, and that ended within a minute. */
async function listQueue(
  tickets: Pick<Tickets, 'busy' | 'get'>,
  newest: readonly RunRecord[],
  now: Date,
): Promise<QueueEntry[]> {
  const entries = new Map<string, QueueEntry>()
  for (const result of newest.toReversed()) {
    const { issueKey, timestamp: completedAt, queuedAt, durationMs, status } = result
    const ended = Date.parse(completedAt)
    const startedAt = new Date(ended - durationMs).toISOString()
    const state = status === 'success' ? 'done' : 'error'
    if (ended >= now.getTime() - listedMs)
      entries.set(issueKey, { issueKey, state, queuedAt, startedAt, completedAt, result })
  }
  for (const issueKey of await tickets.busy()) {
    const { running, pending } = await tickets.get(issueKey)
    const [first] = pending
    if (running) {
      const { queuedAt, startedAt } = running
      entries.set(issueKey, { issueKey, state: 'processing', queuedAt, startedAt })
    } else if (first) entries.set(issueKey, { issueKey, state: 'queued', queuedAt: first.at })
  }
  return [...entries.values()]
}
