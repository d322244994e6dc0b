import { isApproval } from './approval.ts'
import { mentionsIn, readAdf } from './read-adf.ts'
import { kindOf, type Own } from './thread.ts'
import type { Person, WebhookEvent } from './schemas.ts'

/** What is done with a ticket. */
export const modes = ['review', 'execute', 'publish'] as const
export type Mode = (typeof modes)[number]

/** Which event asked for it. */
export type Trigger = 'comment' | 'status' | 'created' | 'poll' | 'retry' | 'manual'

/** Names of statuses that mean something here. */
export interface Statuses {
  readonly review: string
  readonly execute: string
  readonly preview: string
}

export interface RoutingFacts {
  readonly statuses: Statuses
  /** Keys of the projects that are looked after; all without any. */
  readonly projects: ReadonlySet<string>
  readonly own: Own
  /** Account ids that may approve; `undefined` where that is not known yet, and is judged again with the whole ticket. */
  readonly approvers: ReadonlySet<string> | undefined
}

export type Route = { readonly mode: Mode; readonly trigger: Trigger } | { readonly skip: string }

const skip = (reason: string): Route => ({ skip: reason })

/** True for two names of one status. */
export const isSameStatus = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** True where the tickets of a project are looked after. */
export const isProjectAllowed = (issueKey: string, projects: ReadonlySet<string>): boolean => projects.size === 0 || projects.has(issueKey.slice(0, issueKey.lastIndexOf('-')))

/** Decides what an event asks for, from what it says alone. */
export function routeEvent(event: WebhookEvent, facts: RoutingFacts): Route {
  const { issueKey, comment, movedTo, kind } = event
  if (!isProjectAllowed(issueKey, facts.projects)) return skip('project_not_allowed')
  if (kind === 'comment' && comment) return kindOf({ ...comment, text: readAdf(comment.body) }, facts.own) === undefined ? routeComment(event.status, comment, facts) : skip('own_comment')
  if (movedTo !== undefined) return routeMove(movedTo, event.user, facts)
  if (kind === 'created') return routeCreated(event, facts)
  return skip('event_not_handled')
}

/** Decides what a person's comment asks for in this status. */
export function routeComment(status: string, { author, body }: { readonly author?: Person | undefined; readonly body?: unknown }, { statuses, approvers, own }: RoutingFacts): Route {
  const approves = (): boolean => isApproval(body) && (approvers === undefined || (author !== undefined && approvers.has(author.id)))
  const route = (mode: Mode): Route => ({ mode, trigger: 'comment' })
  if (isSameStatus(status, statuses.review)) return route(approves() ? 'execute' : 'review')
  if (isSameStatus(status, statuses.preview)) return route(approves() ? 'publish' : 'execute')
  return isMentioned(body, own.agentId) ? route('review') : skip('status_not_handled')
}

/** Decides what a ticket in this status asks for by being there. */
export function routeStatus(status: string, { review, execute }: Statuses): Route {
  if (isSameStatus(status, review)) return { mode: 'review', trigger: 'status' }
  return isSameStatus(status, execute) ? { mode: 'execute', trigger: 'status' } : skip('status_not_handled')
}

function routeMove(to: string, user: Person | undefined, { own, statuses }: RoutingFacts): Route {
  return own.agentId !== undefined && user?.id === own.agentId ? skip('own_change') : routeStatus(to, statuses)
}

function routeCreated({ status, assignee }: WebhookEvent, { own, statuses }: RoutingFacts): Route {
  const isAssigned = own.agentId !== undefined && assignee?.id === own.agentId
  return isAssigned || isSameStatus(status, statuses.review) ? { mode: 'review', trigger: 'created' } : skip('not_assigned')
}

const handle = /(?<![\w@.])@(?:site[-_]?editor|website[-_]?agent|ai[-_]?editor|content[-_]?orchestrator)(?![\w-])/i

function isMentioned(body: unknown, agentId: string | undefined): boolean {
  if (agentId !== undefined && mentionsIn(body).includes(agentId)) return true
  const text = readAdf(body)
  return handle.test(text) || (agentId !== undefined && (text.includes(`[~accountid:${agentId}]`) || text.includes(`[~${agentId}]`)))
}
