import type { Logger } from '../../kernel/index.ts'
import type { Jobs, Queue } from '../jobs/port.ts'
import type { Store } from '../store/port.ts'
import { type Attempt, type Message, type Outbox, waiting } from './outbox.ts'
import type { Send } from './send.ts'
import type { Endpoint, WebhookOptions } from './settings.ts'

/** Creates the deliveries to one endpoint, independent of others. */
export function createDeliveries({
  endpoint,
  outbox,
  send,
  options,
  jobs,
  store,
  log,
  onAttempt,
}: {
  readonly endpoint: Endpoint
  readonly outbox: Outbox
  readonly send: Send
  readonly options: Pick<WebhookOptions, 'parallel' | 'lookEveryMs' | 'timeoutMs'>
  readonly jobs: Jobs
  readonly store: Store
  readonly log: Logger
  readonly onAttempt: (attempt: Attempt) => void
}): Queue<Message> {
  const { name } = endpoint
  const queue: Queue<Message> = jobs.queue({
    name: `webhooks/${name}`,
    rows: waiting,
    scope: name,
    parallel: options.parallel,
    pollMs: options.lookEveryMs,
    // Includes the same time again to record an attempt.
    leaseMs: 2 * options.timeoutMs,
    log,
    async work(job, signal) {
      const attempt = await send(endpoint, { id: job.key, message: job.body }, signal)
      // It was not sent: the next process begins with it.
      if (!attempt) return store.transaction((tx) => queue.settle(tx, job, {}))
      onAttempt(attempt)
      const state = await outbox.settle(queue, name, job, attempt)
      const { status, failure } = attempt
      if (state === 'failed')
        log.warn({ endpoint: name, delivery: job.key, status, failure }, 'webhook delivery failed')
    },
  })
  return queue
}
