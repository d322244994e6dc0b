import { clock, definePlugin, ids } from '../../kernel/index.ts'
import { changeParticipants } from '../draft/port.ts'
import { jobs, type Queue } from '../jobs/port.ts'
import { meters } from '../metrics/port.ts'
import { outbound } from '../outbound/port.ts'
import { publishParticipants } from '../publish/port.ts'
import { store, type Transaction } from '../store/port.ts'
import { createDeliveries } from './deliver.ts'
import { changeMessage, type MessageContent, publishMessage } from './messages.ts'
import { createWebhookMeters } from './meters.ts'
import { createOutbox, newestFirst, over, sizes, waiting, type Message } from './outbox.ts'
import { deliveryNotFound } from './refusals.ts'
import { routes } from './routes.ts'
import { createSender } from './send.ts'
import { endpointsOf, WebhookOptions, WebhookVariables, type Endpoint } from './settings.ts'

/** Notifies other systems of changes and publishes by signed requests, retried until they arrive. */
export default definePlugin({
  name: 'webhooks',
  tag: 'Webhooks',
  options: WebhookOptions,
  env: WebhookVariables,
  needs: { store, jobs, outbound, clock, ids },
  gives: { changes: changeParticipants, publishes: publishParticipants, queue: meters, attempts: meters },
  collections: [over, sizes, waiting],
  routes,
}).setup(async ({ needs, options, env, log }) => {
  const endpoints = endpointsOf(options, env)
  const outbox = createOutbox({ ...needs, options })
  const { onAttempt, ...gauges } = createWebhookMeters(endpoints, outbox)
  const queues: (readonly [Endpoint, Queue<Message>])[] = []
  if (endpoints.length > 0) {
    const send = await createSender({ ...needs, timeoutMs: options.timeoutMs })
    for (const endpoint of endpoints) {
      const given = { endpoint, outbox, send, options, log, onAttempt: onAttempt(endpoint.name) }
      queues.push([endpoint, createDeliveries({ ...needs, ...given })])
    }
  }

  const add = async (tx: Transaction, message: MessageContent): Promise<void> => {
    for (const [{ name, events }, queue] of queues) {
      if (!events.includes(message.type)) continue
      const dropped = await outbox.add(tx, name, message)
      if (dropped.length > 0)
        log.warn(
          { endpoint: name, deliveries: dropped },
          'too many webhooks wait for this endpoint, the oldest are dropped',
        )
      // What is added can be claimed once it is durable, as the next transaction is then.
      void needs.store.transaction(async () => undefined).then(queue.wake, () => undefined)
    }
  }

  return {
    gives: {
      changes: queues.length === 0 ? undefined : (tx, event) => add(tx, changeMessage(event)),
      publishes: queues.length === 0 ? undefined : (tx, publish) => add(tx, publishMessage(publish)),
      ...gauges,
    },
    handlers: {
      async endpoints() {
        const shown = endpoints.map(async ({ name, url, events }) => ({
          name,
          origin: new URL(url).origin,
          events: [...events],
          waiting: await outbox.waiting(name),
        }))
        return { status: 200, body: { endpoints: await Promise.all(shown) } }
      },
      async deliveries({ query: { endpoint, state, limit } }) {
        const wanted = endpoints.filter(({ name }) => endpoint === undefined || endpoint === name)
        const deliveries = await Promise.all(wanted.map(({ name }) => outbox.list(name, limit, state)))
        return { status: 200, body: { deliveries: newestFirst(deliveries.flat()).slice(0, limit) } }
      },
      async replay({ params: { id } }) {
        for (const [{ name }, queue] of queues) {
          if (!(await outbox.replay(name, id))) continue
          queue.wake()
          return { status: 200, body: { id, state: 'waiting' } }
        }
        throw deliveryNotFound()
      },
    },
    ready: () => queues.forEach(([, queue]) => queue.wake()),
    async close() {
      await Promise.all(queues.map(([, queue]) => queue.close()))
    },
  }
})
