import { defineRoutes, gates } from '../../kernel/index.ts'
import { changeHeaders } from '../draft/port.ts'
import { ChecksQuery, Dismissed, DismissBody, FixBody, Fixed, Integration, IntegrationBody, Report, Rules, RunBody } from './schemas.ts'

const gate = gates.access
const tooMany = { 413: 'too_many_pages, draft_too_large', 429: 'too_many_checks' } as const

export const routes = defineRoutes({
  list: {
    method: 'GET',
    path: '/checks',
    gate,
    summary: 'Lists the findings of a draft.',
    query: ChecksQuery,
    replies: { 200: Report },
    refusals: { 400: 'invalid_request', 404: 'page_not_found', ...tooMany },
  },
  run: {
    method: 'POST',
    path: '/checks/run',
    gate,
    can: 'read',
    summary: 'Checks a draft with the block types of its site.',
    body: RunBody,
    replies: { 200: Report },
    refusals: { 400: 'invalid_request, schema_violation', 404: 'page_not_found', ...tooMany },
  },
  rules: {
    method: 'GET',
    path: '/checks/rules',
    gate,
    sites: 'none',
    summary: 'Lists the rules, with their settings.',
    replies: { 200: Rules },
  },
  fix: {
    method: 'POST',
    path: '/checks/fix',
    gate,
    summary: 'Fixes findings in one change, which can be undone.',
    headers: changeHeaders,
    body: FixBody,
    replies: { 200: Fixed },
    refusals: { 400: 'no_auto_fix, schema_violation, operation_failed', 409: 'version_mismatch', ...tooMany, 422: 'idempotency_key_reused' },
  },
  dismiss: {
    method: 'POST',
    path: '/checks/dismiss',
    gate,
    summary: 'Dismisses a finding, or restores it.',
    body: DismissBody,
    replies: { 200: Dismissed },
    refusals: { 404: 'finding_not_found', 409: 'too_many_dismissals', ...tooMany },
  },
  integration: {
    method: 'POST',
    path: '/checks/integration',
    gate,
    can: 'read',
    summary: 'Checks the integration of a website with this service.',
    body: IntegrationBody,
    replies: { 200: Integration },
    refusals: { 404: 'site_not_found' },
  },
})
