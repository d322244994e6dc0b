import * as v from 'valibot'
import { refusals } from './refusals.ts'
import { isProjectAllowed, modes, type Mode } from './routing.ts'
import { IssueKey, WebhookEvent, type ProcessBody } from './schemas.ts'

/** Reads a message of Jira. Refuses with 400 `invalid_webhook` one that names no ticket. */
export function readWebhook(payload: unknown): WebhookEvent {
  const parsed = v.safeParse(WebhookEvent, payload)
  if (!parsed.success) throw refusals.invalidWebhook()
  return parsed.output
}

/** Reads what is to be worked on now. Refuses with 400 a key that is none, another mode, and a project that is not looked after. */
export function readProcess({ issueKey, mode }: ProcessBody, projects: ReadonlySet<string>): { readonly issueKey: string; readonly mode: Mode } {
  const key = v.safeParse(IssueKey, issueKey)
  if (!key.success) throw refusals.issueKeyRequired()
  const wanted = mode === undefined ? 'review' : modes.find((each) => each === mode)
  if (!wanted) throw refusals.invalidMode()
  if (!isProjectAllowed(key.output, projects)) throw refusals.projectNotAllowed()
  return { issueKey: key.output, mode: wanted }
}
