import { defineRoutes, gates } from '../../kernel/index.ts'
import { Deliveries, DeliveriesQuery, DeliveryParams, Endpoints, Replayed } from './schemas.ts'

export const routes = defineRoutes({
  endpoints: {
    method: 'GET',
    path: '/webhooks',
    gate: gates.access,
    can: 'admin',
    summary: 'Lists where webhooks go, without addresses and secrets.',
    replies: { 200: Endpoints },
  },
  deliveries: {
    method: 'GET',
    path: '/webhooks/deliveries',
    gate: gates.access,
    can: 'admin',
    summary: 'Lists webhooks that wait, were delivered or failed, with the last answer to each, newest first.',
    query: DeliveriesQuery,
    replies: { 200: Deliveries },
  },
  replay: {
    method: 'POST',
    path: '/webhooks/deliveries/:id/replay',
    gate: gates.publish,
    can: 'admin',
    summary: 'Sends a webhook once more, under the id that it had.',
    params: DeliveryParams,
    replies: { 200: Replayed },
    refusals: { 404: 'delivery_not_found' },
  },
})
