import { defineRoutes, gates } from '../../kernel/index.ts'
import { deliveryNotFound } from './refusals.ts'
import { Deliveries, DeliveriesQuery, DeliveryParams, Endpoints, Replayed } from './schemas.ts'

export const routes = defineRoutes({
  endpoints: {
    method: 'GET',
    path: '/webhooks',
    gate: gates.access,
    can: 'admin',
    summary: 'Lists the webhook endpoints, without addresses and secrets.',
    replies: { 200: Endpoints },
  },
  deliveries: {
    method: 'GET',
    path: '/webhooks/deliveries',
    gate: gates.access,
    can: 'admin',
    summary: 'Lists pending, delivered and failed webhooks with their last attempt, newest first.',
    query: DeliveriesQuery,
    replies: { 200: Deliveries },
  },
  replay: {
    method: 'POST',
    path: '/webhooks/deliveries/:id/replay',
    gate: gates.publish,
    can: 'admin',
    summary: 'Sends a webhook again under the same id.',
    params: DeliveryParams,
    replies: { 200: Replayed },
    refusals: [deliveryNotFound],
  },
})
