import type { Clock, Logger } from '../../kernel/index.ts'
import type { Meter } from '../metrics/port.ts'
import type { Attempt, Claimed, Outbox } from './outbox.ts'
import type { Send } from './send.ts'
import type { Endpoint, WebhookOptions } from './settings.ts'

export type Lane = ReturnType<typeof createLane>

/** Creates the deliveries to one endpoint, independent of others. The first `wake` starts them. */
export function createLane({
  endpoint,
  outbox,
  send,
  clock,
  options,
  log,
  signal,
  onAttempt,
}: {
  readonly endpoint: Endpoint
  readonly outbox: Outbox
  readonly send: Send
  readonly clock: Clock
  readonly options: Pick<WebhookOptions, 'parallel' | 'lookEveryMs'>
  readonly log: Logger
  /** Stops new attempts. */
  readonly signal: AbortSignal
  readonly onAttempt: (attempt: Attempt) => void
}) {
  const { name } = endpoint
  const active = new Set<Promise<void>>()
  let polling: Promise<void> | undefined
  let isStale = false
  let timer: NodeJS.Timeout | undefined

  const deliver = async (delivery: Claimed): Promise<void> => {
    const attempt = await send(endpoint, delivery)
    if (!attempt) return outbox.release(name, delivery)
    onAttempt(attempt)
    const state = await outbox.settle(name, delivery, attempt)
    const { status, failure } = attempt
    if (state === 'failed')
      log.warn({ endpoint: name, delivery: delivery.id, status, failure }, 'webhook delivery failed')
  }

  const start = (delivery: Claimed): void => {
    const work: Promise<void> = deliver(delivery)
      .catch((err: unknown) =>
        log.warn(
          { err, endpoint: name, delivery: delivery.id },
          'webhook delivery could not be recorded and will be repeated',
        ),
      )
      .finally(() => {
        active.delete(work)
        wake()
      })
    active.add(work)
  }

  const poll = async (): Promise<void> => {
    let next: number | undefined
    do {
      isStale = false
      const room = options.parallel - active.size
      // Every finished attempt polls again.
      if (room === 0 || signal.aborted) return
      const found = await outbox.claim(name, room)
      for (const delivery of found.claimed) start(delivery)
      next = found.next
    } while (isStale)
    schedulePoll(next === undefined ? Infinity : next - clock.now().getTime())
  }

  const schedulePoll = (afterMs: number): void => {
    clearTimeout(timer)
    timer = setTimeout(wake, Math.min(Math.max(afterMs, 0), options.lookEveryMs)).unref()
  }

  /** Sends the due deliveries, and schedules the rest. */
  function wake(): void {
    if (signal.aborted) return
    isStale = true
    polling ??= poll()
      .catch((err: unknown) => {
        log.warn({ err, endpoint: name }, 'webhook deliveries could not be read')
        schedulePoll(Infinity)
      })
      .finally(() => {
        polling = undefined
        if (isStale) wake()
      })
  }

  return {
    wake,
    /** Resolves when all attempts have finished. */
    async close(): Promise<void> {
      clearTimeout(timer)
      await polling
      await Promise.all(active)
      clearTimeout(timer)
    },
  }
}

/** Counts attempts by endpoint and outcome, and pending deliveries. */
export function createWebhookMeters(
  endpoints: readonly Endpoint[],
  outbox: Outbox,
): { onAttempt(endpoint: string): (attempt: Attempt) => void } & Readonly<
  Record<'queue' | 'attempts', Meter>
> {
  const counts = new Map(endpoints.map(({ name }) => [name, { delivered: 0, failed: 0 }]))
  return {
    onAttempt:
      (endpoint) =>
      ({ status = 0 }) => {
        const count = counts.get(endpoint)
        if (count) count[status >= 200 && status < 300 ? 'delivered' : 'failed']++
      },
    queue: {
      name: 'orchestrator_webhook_queue',
      help: 'Webhooks waiting for delivery.',
      kind: 'gauge',
      labels: ['endpoint'],
      read: () =>
        Promise.all(
          endpoints.map(async ({ name: endpoint }) => ({
            labels: { endpoint },
            value: await outbox.waiting(endpoint),
          })),
        ),
    },
    attempts: {
      name: 'orchestrator_webhook_attempts_total',
      help: 'Attempts to deliver a webhook, by outcome.',
      kind: 'counter',
      labels: ['endpoint', 'outcome'],
      read: () =>
        [...counts].flatMap(([endpoint, count]) =>
          Object.entries(count).map(([outcome, value]) => ({ labels: { endpoint, outcome }, value })),
        ),
    },
  }
}
