import * as v from 'valibot'
import { countVariable, toSwitch } from '../../../kernel/index.ts'
import { AddressVariable, KeyVariable } from '../../models/port.ts'

const word = v.pipe(v.string(), v.trim())
const name = (otherwise: string, use: string) => v.pipe(v.optional(word, otherwise), v.description(use))
const maybe = (use: string, otherwise?: string) =>
  v.pipe(v.optional(word), v.metadata(otherwise === undefined ? {} : { otherwise }), v.description(use))
const words = v.pipe(
  v.string(),
  v.transform((list): ReadonlySet<string> => new Set(list.split(/[\s,]+/).filter(Boolean))),
)
const count = (otherwise: string, least: number, most: number, use: string) =>
  v.pipe(v.optional(countVariable(least, most), otherwise), v.description(use))
const onOrOff = v.pipe(v.string(), v.transform(toSwitch), v.boolean('must be 1 or 0'))
const flag = (use: string) => v.pipe(v.optional(onOrOff, 'off'), v.description(use))
const origin = (use: string) => v.pipe(v.optional(AddressVariable), v.description(use))

export const JiraVariables = v.object({
  JIRA_BASE_URL: origin(
    'The address of Jira, such as `https://acme.atlassian.net`. Tickets are handled if this and JIRA_API_TOKEN are set.',
  ),
  JIRA_API_TOKEN: v.pipe(
    v.optional(KeyVariable),
    v.description('The API token of the account that reads and answers tickets.'),
  ),
  JIRA_USER_EMAIL: name('', 'The e-mail of that account, for Jira Cloud.'),
  JIRA_DEPLOYMENT: v.pipe(
    v.optional(v.picklist(['cloud', 'server'], 'must be cloud or server')),
    v.metadata({ otherwise: 'derived from the address' }),
    v.description('`cloud` or `server`.'),
  ),
  JIRA_WEBHOOK_SECRET: maybe(
    'The secret that Jira signs its webhooks with, or sends along; required in production.',
  ),
  JIRA_AGENT_ACCOUNT_ID: maybe('The id of that account.', 'asked of Jira'),
  JIRA_REVIEW_STATUS: maybe(
    'Tickets in this status are reviewed and answered with a plan or questions.',
    'To Do',
  ),
  JIRA_TRIGGER_STATUS: maybe('The old name of JIRA_REVIEW_STATUS.'),
  JIRA_EXECUTE_STATUS: name('In Progress', 'Tickets in this status are carried out in a draft.'),
  JIRA_PREVIEW_STATUS: name('In Review', 'Tickets move to this status when their draft is ready.'),
  JIRA_DONE_STATUS: name('Done', 'Tickets move to this status when they are published.'),
  JIRA_FAILED_STATUS: maybe('Tickets move to this status when a run fails.'),
  JIRA_SITE_ID: maybe('The site of all tickets while no site is registered.'),
  JIRA_SESSION: name('dev', 'The session whose drafts tickets change.'),
  JIRA_AUTO_PUBLISH: flag('`1` publishes the changes of a ticket without a second approval.'),
  JIRA_MAX_REVIEW_PASSES: count(
    '3',
    1,
    50,
    'The number of reviews of a ticket before a person has to answer.',
  ),
  JIRA_POLL_ENABLED: flag('`1` polls for tickets, in addition to or instead of the webhook.'),
  JIRA_POLL_JQL: maybe('The JQL of the tickets to poll for.', 'tickets in the review and preview statuses'),
  JIRA_POLL_INTERVAL_MS: count('60000', 10_000, 86_400_000, 'The polling interval in milliseconds.'),
  JIRA_APPROVERS: v.pipe(
    v.optional(words, ''),
    v.metadata({ otherwise: 'reporter, assignee and creator' }),
    v.description('Account ids of people who may approve a plan or a publish.'),
  ),
  JIRA_PROJECT_KEYS: v.pipe(
    v.optional(words, ''),
    v.metadata({ otherwise: 'all' }),
    v.description('The keys of the projects whose tickets are handled.'),
  ),
  JIRA_TRACE_INSTRUCTIONS: flag('`1` stores the text of each ticket with the record of its run.'),
  SITE_PUBLIC_ORIGIN: v.optional(v.string()),
  EDITOR_PUBLIC_ORIGIN: origin('The address of the editor that comments link to.'),
})
export type JiraVariables = v.InferOutput<typeof JiraVariables>

/** Derives the settings of all runs from the variables. */
export function readSettings(env: JiraVariables) {
  return {
    connection: connectionOf(env),
    statuses: {
      review: env.JIRA_REVIEW_STATUS ?? env.JIRA_TRIGGER_STATUS ?? 'To Do',
      execute: env.JIRA_EXECUTE_STATUS,
      preview: env.JIRA_PREVIEW_STATUS,
      done: env.JIRA_DONE_STATUS,
      failed: env.JIRA_FAILED_STATUS,
    },
    autoPublish: env.JIRA_AUTO_PUBLISH,
    polls: env.JIRA_POLL_ENABLED,
    tracesInstructions: env.JIRA_TRACE_INSTRUCTIONS,
  }
}
export type JiraSettings = Readonly<ReturnType<typeof readSettings>>

/** The address and credentials of Jira. */
export type JiraConnection = Readonly<NonNullable<ReturnType<typeof connectionOf>>>

function connectionOf(env: JiraVariables) {
  const { JIRA_BASE_URL: baseUrl, JIRA_API_TOKEN: token, JIRA_USER_EMAIL: email, JIRA_DEPLOYMENT } = env
  if (!baseUrl || !token) return undefined
  const { hostname } = new URL(baseUrl)
  const isCloud = hostname.endsWith('.atlassian.net') || hostname === cloudHost
  const deployment = JIRA_DEPLOYMENT ?? (isCloud ? 'cloud' : 'server')
  const isBasic = deployment === 'cloud' && email !== ''
  const authorization = isBasic
    ? `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`
    : `Bearer ${token}`
  return { baseUrl, deployment, token, authorization }
}

/** The host for scoped tokens of Jira Cloud. */
export const cloudHost = 'api.atlassian.com'
