import type { Clock, Logger } from '../../../kernel/index.ts'
import { fingerprintOf, type Fresh, routePolled } from './decide.ts'
import type { FoundIssue, Jira } from './jira.ts'
import type { Claimed } from './queue.ts'
import { isProjectAllowed } from './routing.ts'
import type { Mode, Result } from './schemas.ts'
import type { AnsweredComment } from './thread.ts'
import { asking } from './ticket-run.ts'
import type { TicketRequest } from './tickets.ts'

interface PollerContext {
  readonly jira: Pick<Jira, 'search'>
  readonly jql: string
  readonly intervalMs: number
  readonly projects: ReadonlySet<string>
  /** Reads the data for the decision on a ticket. */
  readonly read: (
    key: string,
  ) => Promise<Omit<Fresh, 'ticket'> & { readonly answered: AnsweredComment | undefined }>
  /** Queues a ticket; its result is passed to `finished`. */
  readonly enqueue: (key: string, request: TicketRequest) => Promise<unknown>
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}

/** The last known state of a ticket that the poller queued. */
interface Handled {
  readonly updated: string
  readonly status: string
  readonly mark: string
  readonly mode: Mode | undefined
  readonly failures: number
  /** The time of the retry, in milliseconds since 1970. */
  readonly retryAt?: number | undefined
}

const minute = 60_000
const retryAfter = [minute, 5 * minute, 30 * minute] as const
const forgetAfterMs = 24 * 60 * minute

/** Creates the poller, which polls on start and then periodically, one poll at a time. */
export function createPoller({
  jira,
  jql,
  intervalMs,
  projects,
  read,
  enqueue,
  clock,
  log,
  signal,
}: PollerContext) {
  const now = (): number => clock.now().getTime()
  const handled = new Map<string, Handled>()
  let since = now()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let processed = 0
  let last: { readonly lastPollAt?: string; readonly lastError?: string } = {}
  const failed = (err: unknown, message: string, metadata = {}): void => {
    const text = err instanceof Error ? err.message : 'unexpected error'
    last = { ...last, lastError: text.slice(0, 200) }
    log.warn({ err, ...metadata }, message)
  }

  const queueTicket = async (key: string, request: TicketRequest, state: Handled): Promise<void> => {
    await enqueue(key, request)
    processed++
    handled.set(key, state)
  }

  const consider = async ({ key, fields: { updated } }: FoundIssue): Promise<void> => {
    const before = handled.get(key)
    if (before?.updated === updated && updated !== '') return
    const { status, thread, facts, answered } = await read(key)
    const mark = fingerprintOf(thread)
    if (before && isSame(before, { status, mark })) return void handled.set(key, { ...before, updated })
    const mode = routePolled(status, thread, facts, answered)
    const state = { updated, status, mark, mode, failures: 0 }
    if (mode === undefined) handled.set(key, state)
    else await queueTicket(key, { mode, trigger: 'poll', at: clock.now().toISOString() }, state)
  }

  const retry = async (key: string, state: Handled): Promise<void> => {
    if (state.retryAt === undefined || state.retryAt > now() || !state.mode) return
    const mark = fingerprintOf((await read(key)).thread)
    const request = { mode: state.mode, trigger: 'retry', at: clock.now().toISOString(), mark } as const
    await queueTicket(key, request, { ...state, retryAt: undefined })
  }

  const poll = async (): Promise<void> => {
    if (now() - since > forgetAfterMs) {
      handled.clear()
      since = now()
    }
    last = { lastPollAt: clock.now().toISOString() }
    const each = async (key: string, job: () => Promise<void>): Promise<void> => {
      signal.throwIfAborted()
      // An unreadable ticket must not block the others.
      await job().catch((err: unknown) => {
        signal.throwIfAborted()
        failed(err, 'a ticket could not be polled', { issueKey: key })
      })
    }
    for (const issue of await jira.search(jql))
      if (isProjectAllowed(issue.key, projects)) await each(issue.key, () => consider(issue))
    for (const [key, state] of handled) await each(key, () => retry(key, state))
  }

  const tick = (): void => {
    if (signal.aborted || polling) return
    polling = poll()
      .catch((err: unknown) => {
        if (!signal.aborted) failed(err, 'polling for tickets failed')
      })
      .finally(() => (polling = undefined))
  }

  return {
    start(): void {
      tick()
      timer = setInterval(tick, intervalMs).unref()
    },
    /** Receives results of runs. Retries a failure a few times, unless only a person can resolve it. */
    finished({ key, requests }: Claimed, result: Result): void {
      const state = handled.get(key)
      if (!state || !requests.some(({ trigger }) => trigger === 'poll' || trigger === 'retry')) return
      handled.set(key, { ...state, failures: state.failures + 1, retryAt: retryAt(state, result, now()) })
    },
    status() {
      const [running, isPolling] = [timer !== undefined, polling !== undefined]
      return { running, processedCount: processed, isPolling, ...last }
    },
    async close(): Promise<void> {
      clearInterval(timer)
      timer = undefined
      await polling
    },
  }
}

/** Whether a ticket is as it was handled; a failed run may have moved it. */
const isSame = (before: Handled, { status, mark }: Pick<Handled, 'status' | 'mark'>): boolean =>
  before.mark === mark && (before.status === status || before.retryAt !== undefined)

/** Returns when a ticket is tried again; `undefined` for not. */
function retryAt({ failures }: Handled, { status, error = '' }: Result, now: number): number | undefined {
  const wait = status === 'error' && !asking.has(error) ? retryAfter[failures] : undefined
  return wait === undefined ? undefined : now + wait
}

/** Quotes a text as a JQL string; the escaping prevents a name from adding a condition. */
const quoted = (text: string): string => `"${text.replace(/[\r\n]+/g, ' ').replace(/[\\"]/g, '\\$&')}"`

/** Returns the JQL of the poller; oldest changes first. */
export function toJql({
  jql,
  statuses,
  projects,
}: {
  readonly jql: string | undefined
  readonly statuses: readonly string[]
  readonly projects: ReadonlySet<string>
}): string {
  if (jql !== undefined) return jql
  const within = projects.size === 0 ? '' : `project in (${[...projects].map(quoted).join(', ')}) AND `
  return `${within}status in (${statuses.map(quoted).join(', ')}) ORDER BY updated ASC`
}
