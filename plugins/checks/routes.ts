import { defineRoutes, gates } from '../../kernel/index.ts'
import { tooManyDismissals } from './dismissals/port.ts'
import { batchRefusals, changeHeaders, changeRefusals, invalidField } from '../draft/port.ts'
import {
  draftNotChecked,
  findingNotFound,
  noAutoFix,
  pageNotChecked,
  pageNotFound,
  siteNotFound,
  tooManyChecks,
  tooMuchFound,
  unknownRule,
} from './refusals.ts'
import {
  ChecksQuery,
  Dismissed,
  DismissBody,
  FixBody,
  Fixed,
  Integration,
  IntegrationBody,
  Report,
  Rules,
  RunBody,
} from './schemas.ts'

const gate = gates.access
const tooMany = [pageNotChecked, draftNotChecked, tooMuchFound, tooManyChecks]

export const routes = defineRoutes({
  list: {
    method: 'GET',
    path: '/checks',
    gate,
    summary: 'Lists the findings of a draft.',
    query: ChecksQuery,
    replies: { 200: Report },
    refusals: [unknownRule, pageNotFound, ...tooMany],
  },
  run: {
    method: 'POST',
    path: '/checks/run',
    gate,
    can: 'read',
    summary: 'Checks a draft with the block types of its site.',
    body: RunBody,
    replies: { 200: Report },
    refusals: [unknownRule, invalidField, pageNotFound, ...tooMany],
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
    refusals: [noAutoFix, ...batchRefusals, ...changeRefusals, ...tooMany],
  },
  dismiss: {
    method: 'POST',
    path: '/checks/dismiss',
    gate,
    summary: 'Dismisses a finding, or restores it.',
    body: DismissBody,
    replies: { 200: Dismissed },
    refusals: [findingNotFound, tooManyDismissals, ...tooMany],
  },
  integration: {
    method: 'POST',
    path: '/checks/integration',
    gate,
    can: 'read',
    summary: 'Checks the integration of a website with this service.',
    body: IntegrationBody,
    replies: { 200: Integration },
    refusals: [siteNotFound],
  },
})
