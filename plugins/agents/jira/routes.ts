import { defineRoutes } from '../../../kernel/index.ts'
import { jiraGate } from './gate.ts'
import { refusals } from './refusals.ts'
import { ProcessBody, Queued, Result, Skipped, StatusAnswer, WebhookQuery } from './schemas.ts'

const common = { gate: jiraGate, can: 'agent', internal: true } as const
const { secretInvalid, notConfigured } = refusals

export const routes = defineRoutes({
  webhook: {
    ...common,
    method: 'POST',
    path: '/jira/webhook',
    summary: 'Accepts a Jira webhook and queues the work that it asks for.',
    query: WebhookQuery,
    headers: {
      'x-jira-webhook-secret': 'The webhook secret.',
      'x-hub-signature':
        '`sha256=` and the HMAC of the body with the webhook secret, instead of the secret itself.',
      'x-atlassian-webhook-identifier': 'The id of the delivery, which stays the same when Jira repeats it.',
    },
    raw: true,
    maxBytes: 2 * 1024 * 1024,
    replies: { 200: Skipped, 202: Queued },
    refusals: [refusals.invalidWebhook, refusals.webhookTooOld, secretInvalid, notConfigured],
  },
  process: {
    ...common,
    method: 'POST',
    path: '/jira/process',
    summary: 'Processes a ticket now and answers with the result.',
    query: WebhookQuery,
    body: ProcessBody,
    replies: { 200: Result, 500: Result },
    refusals: [
      refusals.issueKeyRequired,
      refusals.invalidMode,
      refusals.projectNotAllowed,
      secretInvalid,
      refusals.alreadyRunning,
      notConfigured,
    ],
  },
  status: {
    ...common,
    can: 'admin',
    method: 'GET',
    path: '/jira/status',
    summary: 'Shows the queue and the latest results.',
    query: WebhookQuery,
    replies: { 200: StatusAnswer },
    refusals: [secretInvalid, notConfigured],
  },
})
