import { defineRoutes, gates } from '../../kernel/index.ts'
import { changeHeaders } from '../draft/port.ts'
import { DiscardBody, Log, LogQuery, RestoreBody, StatusQuery, Steps, StepTaken, Target } from './schemas.ts'

const changing = { gate: gates.access, headers: changeHeaders, replies: { 200: StepTaken } } as const
const conflicts = { 409: 'version_mismatch', 422: 'idempotency_key_reused' } as const

export const routes = defineRoutes({
  status: {
    method: 'GET',
    path: '/history/status',
    gate: gates.access,
    summary: 'Reports whether a page has changes to undo or redo.',
    query: StatusQuery,
    replies: { 200: Steps },
  },
  log: {
    method: 'GET',
    path: '/history/log',
    gate: gates.access,
    summary: 'Lists the newest changes of a draft, oldest first.',
    query: LogQuery,
    replies: { 200: Log },
  },
  undo: {
    ...changing,
    method: 'POST',
    path: '/history/undo',
    summary: 'Undoes the latest change to a page.',
    body: Target,
    refusals: { 400: 'nothing_to_undo', ...conflicts },
  },
  redo: {
    ...changing,
    method: 'POST',
    path: '/history/redo',
    summary: 'Redoes the change that was undone last.',
    body: Target,
    refusals: { 400: 'nothing_to_redo', ...conflicts },
  },
  restore: {
    ...changing,
    method: 'POST',
    path: '/history/restore',
    summary: 'Restores a page to its state after a logged version.',
    body: RestoreBody,
    refusals: { 400: 'no_snapshot', 404: 'not_found', ...conflicts },
  },
  discard: {
    ...changing,
    method: 'POST',
    path: '/history/discard',
    summary: 'Resets a page, or all pages, to what is published.',
    body: DiscardBody,
    refusals: {
      400: 'nothing_to_discard',
      404: 'not_found',
      409: 'baseline_unavailable, version_mismatch',
      422: 'idempotency_key_reused',
    },
  },
})
