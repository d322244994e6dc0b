import { defineRefusal } from '../../kernel/index.ts'

const secretPlaces = 'Send JIRA_WEBHOOK_SECRET in the header x-jira-webhook-secret or the query parameter secret'

/** Sentences that the gate says as well. */
export const reasons = {
  notConfigured: 'Jira is not set up. Set JIRA_BASE_URL and JIRA_API_TOKEN.',
  secretMissing: 'In production Jira needs a secret. Set JIRA_WEBHOOK_SECRET here and in the webhook of Jira.',
  secretInvalid: `The webhook secret is missing or is not the right one. ${secretPlaces}, or let Jira sign its messages with it.`,
} as const

export const refusals = {
  notConfigured: defineRefusal({ status: 503, code: 'jira_not_configured', reason: () => reasons.notConfigured }),
  secretInvalid: defineRefusal({ status: 401, code: 'invalid_webhook_secret', reason: () => reasons.secretInvalid }),
  invalidWebhook: defineRefusal({ status: 400, code: 'invalid_webhook', reason: () => 'The message names no ticket. Send what Jira sends, with `issue.key` such as WEB-12.' }),
  issueKeyRequired: defineRefusal({ status: 400, code: 'issue_key_required', reason: () => 'Name the ticket in issueKey, such as WEB-12.' }),
  projectNotAllowed: defineRefusal({ status: 400, code: 'project_not_allowed', reason: () => 'Tickets of this project are not handled. Add its key to JIRA_PROJECT_KEYS.' }),
  invalidMode: defineRefusal({ status: 400, code: 'invalid_mode', reason: () => 'mode is review, execute or publish.' }),
  interrupted: defineRefusal({ status: 503, code: 'interrupted', reason: () => 'The service is stopping. The ticket says what was interrupted when it starts again.', headers: () => ({ 'retry-after': '5' }) }),
  alreadyRunning: defineRefusal({ status: 409, code: 'already_running', reason: (key: string) => `${key} is being worked on. Wait until that is done; GET /jira/status shows it.` }),
} as const
