import type { Clock, Logger } from '../../kernel/index.ts'
import { fingerprintOf, routePolled } from './decide.ts'
import type { FoundIssue, Jira } from './jira.ts'
import type { Claimed } from './queue.ts'
import { isProjectAllowed, type RoutingFacts } from './routing.ts'
import type { Mode, Result } from './schemas.ts'
import type { ThreadComment } from './thread.ts'
import type { Asked } from './tickets.ts'

interface PollerContext {
  readonly jira: Pick<Jira, 'search'>
  readonly jql: string
  readonly intervalMs: number
  readonly projects: ReadonlySet<string>
  /** Reads what the decision about a ticket needs. */
  readonly read: (key: string) => Promise<{ readonly status: string; readonly thread: readonly ThreadComment[]; readonly facts: RoutingFacts; readonly answered: Parameters<typeof routePolled>[3] }>
  /** Queues a ticket; its result is passed to `finished`. */
  readonly handOver: (key: string, asked: Asked) => Promise<unknown>
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}

/** What the poller knows about a ticket that it handed over. */
interface Handled {
  readonly updated: string
  readonly status: string
  readonly mark: string
  readonly mode: Mode | undefined
  readonly failures: number
  /** When to retry it, in milliseconds since 1970. */
  readonly retryAt?: number | undefined
}

const minute = 60_000
const retryAfter = [minute, 5 * minute, 30 * minute] as const
/** Errors that only a person can resolve. */
const asking: ReadonlySet<string> = new Set(['ambiguous_site', 'no_site'])
const forgetAfter = 24 * 60 * minute

/** Creates the poller: it polls on start and then periodically, one poll at a time. */
export function createPoller({ jira, jql, intervalMs, projects, read, handOver, clock, log, signal }: PollerContext) {
  const now = (): number => clock.now().getTime()
  const handled = new Map<string, Handled>()
  let since = now()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let processed = 0
  let last: { readonly at?: string; readonly error?: string } = {}
  let isRunning = false

  const queueTicket = async (key: string, asked: Asked, known: Handled): Promise<void> => {
    await handOver(key, asked)
    processed++
    handled.set(key, known)
  }

  const look = async ({ key, fields: { updated } }: FoundIssue): Promise<void> => {
    const before = handled.get(key)
    if (before?.updated === updated && updated !== '') return
    const { status, thread, facts, answered } = await read(key)
    const mark = fingerprintOf(thread)
    // A failed run may have moved its ticket.
    const isKnown = before?.mark === mark && (before.status === status || before.retryAt !== undefined)
    if (isKnown) return void handled.set(key, { ...before, updated })
    const mode = routePolled(status, thread, facts, answered)
    const known = { updated, status, mark, mode, failures: 0 }
    if (mode === undefined) handled.set(key, known)
    else await queueTicket(key, { mode, trigger: 'poll', at: clock.now().toISOString() }, known)
  }

  const retry = async (key: string, known: Handled): Promise<void> => {
    if (known.retryAt === undefined || known.retryAt > now() || !known.mode) return
    const { thread } = await read(key)
    await queueTicket(key, { mode: known.mode, trigger: 'retry', at: clock.now().toISOString(), mark: fingerprintOf(thread) }, { ...known, retryAt: undefined })
  }

  const poll = async (): Promise<void> => {
    if (now() - since > forgetAfter) {
      handled.clear()
      since = now()
    }
    last = { at: clock.now().toISOString() }
    const each = async (key: string, job: () => Promise<void>): Promise<void> => {
      signal.throwIfAborted()
      // An unreadable ticket must not block the others.
      await job().catch((err: unknown) => {
        signal.throwIfAborted()
        last = { ...last, error: messageOf(err) }
        log.warn({ err, issueKey: key }, 'a ticket could not be polled')
      })
    }
    for (const issue of await jira.search(jql)) if (isProjectAllowed(issue.key, projects)) await each(issue.key, () => look(issue))
    for (const [key, known] of handled) await each(key, () => retry(key, known))
  }

  const tick = (): void => {
    if (signal.aborted || polling) return
    polling = poll()
      .catch((err: unknown) => {
        if (signal.aborted) return
        last = { ...last, error: messageOf(err) }
        log.warn({ err }, 'polling for tickets failed')
      })
      .finally(() => (polling = undefined))
  }

  return {
    start(): void {
      isRunning = true
      tick()
      timer = setInterval(tick, intervalMs).unref()
    },
    /** Receives results of runs. A failure is retried a few times, unless only a person can resolve it. */
    finished({ key, asked }: Claimed, { status, error = '' }: Result): void {
      const known = handled.get(key)
      if (!known || !asked.some(({ trigger }) => trigger === 'poll' || trigger === 'retry')) return
      const wait = status === 'error' && !asking.has(error) ? retryAfter[known.failures] : undefined
      handled.set(key, { ...known, failures: known.failures + 1, retryAt: wait === undefined ? undefined : now() + wait })
    },
    status: () => ({ running: isRunning, processedCount: processed, isPolling: polling !== undefined, ...(last.at !== undefined && { lastPollAt: last.at }), ...(last.error !== undefined && { lastError: last.error }) }),
    async close(): Promise<void> {
      clearInterval(timer)
      isRunning = false
      await polling
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unexpected error').slice(0, 200)

/** A text as a JQL string; escaped, so that a name cannot add a condition. */
const quoted = (text: string): string => `"${text.replace(/[\r\n]+/g, ' ').replace(/[\\"]/g, '\\$&')}"`

/** The JQL of the poller; oldest changes first. */
export function toJql({ jql, statuses, projects }: { readonly jql: string | undefined; readonly statuses: readonly string[]; readonly projects: ReadonlySet<string> }): string {
  if (jql !== undefined) return jql
  const within = projects.size === 0 ? '' : `project in (${[...projects].map(quoted).join(', ')}) AND `
  return `${within}status in (${statuses.map(quoted).join(', ')}) ORDER BY updated ASC`
}
