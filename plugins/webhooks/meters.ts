import type { Meter } from '../metrics/port.ts'
import type { Attempt, Outbox } from './outbox.ts'
import type { Endpoint } from './settings.ts'

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
