import { defineRefusal } from '../../../kernel/index.ts'

const secretPlaces =
  'Send JIRA_WEBHOOK_SECRET in the header x-jira-webhook-secret or the query parameter secret'

export const refusals = {
  notConfigured: defineRefusal({
    status: 503,
    code: 'jira_not_configured',
    reason: () => 'Jira is not configured. Set JIRA_BASE_URL and JIRA_API_TOKEN.',
  }),
  secretInvalid: defineRefusal({
    status: 401,
    code: 'invalid_webhook_secret',
    reason: () =>
      `The webhook secret is missing or wrong. ${secretPlaces}, or let Jira sign its webhooks with it.`,
  }),
  secretMissing: defineRefusal({
    status: 503,
    code: 'jira_secret_missing',
    reason: () =>
      'In production, Jira needs a webhook secret. Set JIRA_WEBHOOK_SECRET here and in the webhook settings of Jira.',
  }),
  invalidWebhook: defineRefusal({
    status: 400,
    code: 'invalid_webhook',
    reason: () => 'The webhook names no ticket. Send a Jira payload with an `issue.key` such as WEB-12.',
  }),
  webhookTooOld: defineRefusal({
    status: 400,
    code: 'webhook_too_old',
    reason: () =>
      'The timestamp of this webhook is older than a day. If it is new, set the clock of Jira or of this machine.',
  }),
  issueKeyRequired: defineRefusal({
    status: 400,
    code: 'issue_key_required',
    reason: () => 'Name the ticket in issueKey, such as WEB-12.',
  }),
  projectNotAllowed: defineRefusal({
    status: 400,
    code: 'project_not_allowed',
    reason: () => 'Tickets of this project are not handled. Add the project key to JIRA_PROJECT_KEYS.',
  }),
  invalidMode: defineRefusal({
    status: 400,
    code: 'invalid_mode',
    reason: () => 'mode must be review, execute or publish.',
  }),
  interrupted: defineRefusal({
    status: 503,
    code: 'interrupted',
    reason: () => 'The service is stopping. After the restart, the ticket reports what was interrupted.',
    headers: () => ({ 'retry-after': '5' }),
  }),
  alreadyRunning: defineRefusal({
    status: 409,
    code: 'already_running',
    reason: (key: string) =>
      `${key} is already being processed. Wait until it is done; GET /jira/status shows its state.`,
  }),
} as const
