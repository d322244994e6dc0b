import { defineRoutes, gate, type Gate } from '../../kernel/index.ts'
import { Review, ReviewQuery, Rows, RowsQuery, Vote, Voted, Votes, VotesQuery } from './schemas.ts'

/** The access gate, for routes that TELEMETRY_HTTP can disable. */
export const telemetryGate = gate('telemetry')

export function createTelemetryGate(access: Gate, isOn: boolean): Gate {
  return isOn
    ? access
    : {
        mounting: () => ({ mount: false, because: 'TELEMETRY_HTTP is off' }),
        admit: (request, route) => access.admit(request, route),
      }
}

const internal = { gate: telemetryGate, internal: true } as const

export const routes = defineRoutes({
  rows: {
    ...internal,
    method: 'GET',
    path: '/telemetry/chat',
    can: 'admin',
    sites: 'all',
    summary: 'Lists the events of the latest chat runs.',
    query: RowsQuery,
    replies: { 200: Rows },
  },
  review: {
    ...internal,
    method: 'GET',
    path: '/telemetry/chat/review',
    can: 'admin',
    sites: 'all',
    summary: 'Reports how often chat runs fail, and why.',
    query: ReviewQuery,
    replies: { 200: Review },
  },
  vote: {
    ...internal,
    method: 'POST',
    path: '/telemetry/chat/feedback',
    can: 'plan',
    summary: 'Stores a vote on an answer of chat; a second vote replaces the first.',
    body: Vote,
    maxBytes: 64 * 1024,
    replies: { 200: Voted },
  },
  votes: {
    ...internal,
    method: 'GET',
    path: '/telemetry/chat/feedback',
    can: 'admin',
    sites: 'all',
    summary: 'Lists the votes on answers of chat.',
    query: VotesQuery,
    replies: { 200: Votes },
  },
})
