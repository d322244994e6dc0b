import * as v from 'valibot'
import {
  clock,
  countOption,
  createRedactor,
  definePlugin,
  gates,
  ids,
  optional,
  readRawJson,
} from '../../../kernel/index.ts'
import { agentLoop, contentAgent } from '../loop/port.ts'
import { allowedOrigins } from '../../auth/port.ts'
import { demoLock } from '../../demo/port.ts'
import { drafts } from '../../draft/port.ts'
import { jobs } from '../../jobs/port.ts'
import { modelClients } from '../../models/port.ts'
import { media } from '../../media/port.ts'
import { outbound } from '../../outbound/port.ts'
import { publishing } from '../../publish/port.ts'
import { scope } from '../../scope/port.ts'
import { sites } from '../../sites/port.ts'
import { store } from '../../store/port.ts'
import { createTicketService } from './service.ts'
import { deliveryKeys, retentionMs, deliveries, records } from './records.ts'
import { createJiraGate, isSignedWith, jiraGate, signatureHeader } from './gate.ts'
import { refusals } from './refusals.ts'
import { routes } from './routes.ts'
import { isProjectAllowed } from './routing.ts'
import { IssueKey, type Mode, modes, type ProcessBody, WebhookEvent } from './schemas.ts'
import { JiraVariables, readSettings } from './settings.ts'
import { tickets } from './tickets.ts'

/** Reviews, executes and publishes Jira tickets. Off without JIRA_BASE_URL and JIRA_API_TOKEN. */
export default definePlugin({
  name: 'agents-jira',
  tag: 'Jira',
  options: v.object({
    /** The maximum number of tickets handled at the same time. */
    parallel: countOption(2),
    /** Milliseconds before a failed read of Jira is retried, unless Jira specifies a time. */
    retryAfterMs: v.optional(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), [1_000, 4_000]),
  }),
  env: JiraVariables,
  needs: {
    store,
    jobs,
    clock,
    ids,
    scope,
    sites,
    drafts,
    outbound,
    media,
    publishing,
    loop: agentLoop,
    agent: contentAgent,
    models: modelClients,
    access: gates.access,
    agents: gates.agent,
    origins: optional(allowedOrigins),
    demo: optional(demoLock),
  },
  collections: [deliveries, records, tickets],
  gives: { gate: jiraGate },
  routes,
}).setup(({ needs, options, env, production, log, signal }) => {
  const settings = readSettings(env)
  const { JIRA_WEBHOOK_SECRET: secret } = env
  const isConfigured = settings.connection !== undefined
  const service =
    settings.connection &&
    createTicketService({
      ...needs,
      ...options,
      connection: settings.connection,
      settings,
      env,
      isDemo: needs.demo?.playground !== undefined,
      redact: createRedactor([settings.connection.token, settings.connection.authorization, secret ?? '']),
      log,
      signal,
    })
  // Without a service the gate refuses every request.
  const open = () => {
    if (!service) throw refusals.notConfigured()
    return service
  }

  return {
    gives: {
      gate: createJiraGate({
        access: needs.access,
        agent: needs.agents,
        isConfigured,
        secret,
        production,
        origins: needs.origins ?? [],
      }),
    },
    ready() {
      if (settings.polls && !isConfigured)
        log.warn('JIRA_POLL_ENABLED is on, but Jira is not configured: set JIRA_BASE_URL and JIRA_API_TOKEN')
      if (isConfigured && production && secret === undefined)
        log.warn(
          'Jira webhooks are refused: set JIRA_WEBHOOK_SECRET here and in the webhook settings of Jira',
        )
      service?.start()
    },
    close: () => service?.close(),
    handlers: {
      async webhook(call) {
        const { body, caller, header } = call
        if (caller.via === 'anyone' && !isSignedWith(secret ?? '', header(signatureHeader), body))
          throw refusals.secretInvalid()
        const { success, output: event } = v.safeParse(WebhookEvent, readRawJson(call, body))
        if (!success) throw refusals.invalidWebhook()
        if (event.timestamp !== undefined && event.timestamp < needs.clock.now().getTime() - retentionMs)
          throw refusals.webhookTooOld()
        const route = await open().route(event, deliveryKeys(header('x-atlassian-webhook-identifier'), body))
        if ('skip' in route) return { status: 200, body: { ok: true, skipped: true, reason: route.skip } }
        return { status: 202, body: { ok: true, issueKey: event.issueKey, mode: route.mode, queued: true } }
      },
      async process({ body, caller: { limits } }) {
        const { issueKey, mode } = readProcess(body, env.JIRA_PROJECT_KEYS)
        if (mode === 'execute') limits?.require('edit')
        if (mode === 'publish' || (mode === 'execute' && settings.autoPublish)) limits?.require('publish')
        const result = await open().process(issueKey, mode)
        return { status: result.status === 'success' ? 200 : 500, body: result }
      },
      status: async () => ({ status: 200, body: await open().status() }),
    },
  }
})

/** Parses a request to process a ticket. Refuses an invalid key, mode or project with 400. */
function readProcess(
  { issueKey, mode }: ProcessBody,
  projects: ReadonlySet<string>,
): { readonly issueKey: string; readonly mode: Mode } {
  const key = v.safeParse(IssueKey, issueKey)
  if (!key.success) throw refusals.issueKeyRequired()
  const wanted = mode === undefined ? 'review' : modes.find((each) => each === mode)
  if (!wanted) throw refusals.invalidMode()
  if (!isProjectAllowed(key.output, projects)) throw refusals.projectNotAllowed()
  return { issueKey: key.output, mode: wanted }
}
