import { defineRoutes, events, gates } from '../../kernel/index.ts'
import { ChatResult, mostRequestBytes, VariationRequest } from '../chat/port.ts'
import { VariationEvent } from './schemas.ts'

const shared = {
  method: 'POST',
  gate: gates.access,
  can: 'plan',
  body: VariationRequest,
  limit: mostRequestBytes,
  traits: { effect: 'read' },
} as const

export const routes = defineRoutes({
  variations: {
    ...shared,
    path: '/chat/variations',
    summary: 'Writes other contents for one block, to choose from; nothing is changed.',
    replies: { 200: ChatResult, 500: ChatResult, 503: ChatResult },
    refusals: { 400: 'no_valid_variation', 404: 'not_found', 503: 'canceled' },
  },
  stream: {
    ...shared,
    path: '/chat/variations/stream',
    summary: 'Writes other contents for one block, told as events; what is refused after it was read is an event as well.',
    replies: { 200: events(VariationEvent, { retry: 60_000, heartbeat: 15_000 }) },
  },
})
