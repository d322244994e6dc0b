import { defineRoutes, events, gates } from '../../kernel/index.ts'
import { invalidField, newDraftRefusals } from '../draft/port.ts'
import * as refusals from './refusals.ts'
import { ChatRequest, mostRequestBytes, VariationRequest } from './request.ts'
import { ChatResult } from './result.ts'
import { Hint, PlanDetail, PlanList, PlansQuery, PrefetchBody, VariationEvent } from './schemas.ts'

const plans = { method: 'GET', gate: gates.access, query: PlansQuery } as const
const variations = {
  method: 'POST',
  gate: gates.access,
  can: 'plan',
  body: VariationRequest,
  maxBytes: mostRequestBytes,
  traits: { effect: 'read' },
} as const

export const routes = defineRoutes({
  chat: {
    method: 'POST',
    path: '/chat',
    gate: gates.access,
    can: ['plan', 'approve'],
    summary: 'Turns one message into an edit of the draft, a plan that waits for approval, or an answer.',
    body: ChatRequest,
    maxBytes: mostRequestBytes,
    replies: { 200: ChatResult, 400: ChatResult, 409: ChatResult, 500: ChatResult, 503: ChatResult },
    refusals: [
      invalidField,
      refusals.pageNotFound,
      refusals.blockNotFound,
      refusals.otherPlan,
      refusals.sessionBusy,
      ...newDraftRefusals,
    ],
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
    refusals: [refusals.planNotFound],
  },
  prefetch: {
    method: 'POST',
    path: '/chat/prefetch',
    gate: gates.access,
    can: 'read',
    summary: 'Estimates, while a person types, how long the answer to a message will take.',
    body: PrefetchBody,
    maxBytes: mostRequestBytes,
    replies: { 200: Hint },
    refusals: [refusals.pageNotFound],
    traits: { effect: 'read' },
  },
  variations: {
    ...variations,
    path: '/chat/variations',
    summary: 'Writes other contents for one block, to choose from; nothing is changed.',
    replies: { 200: ChatResult, 500: ChatResult, 503: ChatResult },
    refusals: [refusals.noVariation, refusals.blockNotFound, refusals.canceled],
  },
  variationsStream: {
    ...variations,
    path: '/chat/variations/stream',
    summary:
      'Writes other contents for one block and streams its progress as events; a refusal after the request was read is an event as well.',
    replies: { 200: events(VariationEvent, { retry: 60_000, heartbeat: 15_000 }) },
  },
})
