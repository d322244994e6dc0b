import { defineRoutes, events, gates } from '../../kernel/index.ts'
import { ChatRequest, mostRequestBytes, VariationRequest } from './request.ts'
import { ChatResult } from './result.ts'
import { Hint, PlanDetail, PlanList, PlansQuery, PrefetchBody, VariationEvent } from './schemas.ts'

const plans = { method: 'GET', gate: gates.access, query: PlansQuery } as const
const variations = { method: 'POST', gate: gates.access, can: 'plan', body: VariationRequest, limit: mostRequestBytes, traits: { effect: 'read' } } as const

export const routes = defineRoutes({
  chat: {
    method: 'POST',
    path: '/chat',
    gate: gates.access,
    can: ['plan', 'approve'],
    summary: 'Turns one message into an edit of the draft, a plan that waits for approval, or an answer.',
    body: ChatRequest,
    limit: mostRequestBytes,
    replies: { 200: ChatResult, 400: ChatResult, 409: ChatResult, 500: ChatResult, 503: ChatResult },
    refusals: {
      400: 'schema_violation',
      404: 'not_found',
      409: 'pending_plan_mismatch, no_chain, chain_mismatch, chain_finished, chain_moved, session_busy',
      429: 'too_many_sessions, too_many_sites',
    },
  },
  plans: {
    ...plans,
    path: '/chat/plans',
    summary: 'Lists the pending plan of a session, if there is one.',
    replies: { 200: PlanList },
  },
  plan: {
    ...plans,
    path: '/chat/plans/:id',
    summary: 'Shows a pending plan, and what applying it would change.',
    replies: { 200: PlanDetail },
    refusals: { 404: 'plan_not_found' },
  },
  prefetch: {
    method: 'POST',
    path: '/chat/prefetch',
    gate: gates.access,
    can: 'read',
    summary: 'Estimates, while a person types, how long the answer to a message will take.',
    body: PrefetchBody,
    limit: mostRequestBytes,
    replies: { 200: Hint },
    refusals: { 404: 'not_found' },
    traits: { effect: 'read' },
  },
  variations: {
    ...variations,
    path: '/chat/variations',
    summary: 'Writes other contents for one block, to choose from; nothing is changed.',
    replies: { 200: ChatResult, 500: ChatResult, 503: ChatResult },
    refusals: { 400: 'no_valid_variation', 404: 'not_found', 503: 'canceled' },
  },
  variationsStream: {
    ...variations,
    path: '/chat/variations/stream',
    summary: 'Writes other contents for one block and streams its progress as events; a refusal after the request was read is an event as well.',
    replies: { 200: events(VariationEvent, { retry: 60_000, heartbeat: 15_000 }) },
  },
})
