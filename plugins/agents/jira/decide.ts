import { isSameStatus, type Route, routeComment, routeStatus, type RoutingFacts } from './routing.ts'
import type { Mode } from './schemas.ts'
import { type AnsweredComment, newestOf, type ThreadComment } from './thread.ts'
import type { TicketRequest, Ticket } from './tickets.ts'

/** The current state of a ticket in Jira. */
export interface Fresh {
  readonly status: string
  readonly thread: readonly ThreadComment[]
  readonly ticket: Pick<Ticket, 'answered'>
  readonly facts: RoutingFacts
}

export type Decision = { readonly mode: Mode; readonly request: TicketRequest } | { readonly skip: string }

/**
 * Decides what to do with a ticket by its current state: an event only says that something happened, and may
 * be late or forged. The first event that still applies counts.
 */
export function decide(requests: readonly TicketRequest[], fresh: Fresh): Decision {
  let skipped = 'nothing_asked'
  for (const each of requests) {
    const route = routeRequest(each, fresh)
    if ('mode' in route) return { mode: route.mode, request: each }
    skipped = route.skip
  }
  return { skip: skipped }
}

/** Returns a hash of a thread that changes with each new or edited comment except failure comments. */
export const fingerprintOf = (thread: readonly ThreadComment[]): string => {
  const relevant = thread.filter(({ kind }) => kind !== 'failed')
  return `${relevant.length} ${relevant.at(-1)?.mark ?? ''}`
}

function routeRequest(request: TicketRequest, { status, thread, ticket: { answered }, facts }: Fresh): Route {
  const { mode, trigger } = request
  const { person, agent } = newestOf(thread)
  if (trigger === 'manual' || trigger === 'created') return request
  if (trigger === 'status') return routeStatus(status, facts.statuses)
  if (trigger === 'retry')
    return fingerprintOf(thread) === request.mark ? { mode, trigger } : { skip: 'thread_changed' }
  if (trigger === 'poll') {
    const found = routePolled(status, thread, facts, answered)
    return found ? unlessOutdated({ mode: found, trigger }, thread) : { skip: 'nothing_new' }
  }
  if (!person || !isUnanswered(person, agent, answered)) return { skip: 'nothing_new' }
  return unlessOutdated(routeComment(status, person, facts), thread)
}

/** An approval applies only to a draft shown before it. */
function unlessOutdated(route: Route, thread: readonly ThreadComment[]): Route {
  if (!('mode' in route) || route.mode !== 'publish') return route
  const draft = thread.findLast(({ kind }) => kind === 'draft')
  const { person } = newestOf(thread)
  return !draft || (person && person.at > draft.at) ? route : { skip: 'approval_of_older_draft' }
}

/**
 * Decides what to do with a polled ticket, by its status and its complete thread; `undefined` for nothing.
 *
 * `answered` is the newest comment that the latest run knew: a comment made during that run is older than its
 * answer, and still unanswered.
 */
export function routePolled(
  status: string,
  thread: readonly ThreadComment[],
  facts: RoutingFacts,
  answered?: AnsweredComment,
): Mode | undefined {
  const { person, agent } = newestOf(thread)
  const isIn = (name: string): boolean => isSameStatus(status, name)
  if (isIn(facts.statuses.review) && !agent) return 'review'
  if (!person || (!isIn(facts.statuses.review) && !isIn(facts.statuses.preview))) return undefined
  if (!isUnanswered(person, agent, answered)) return undefined
  const route = routeComment(status, person, facts)
  return 'mode' in route ? route.mode : undefined
}

/** True if a comment has not been handled yet. */
function isUnanswered(
  person: ThreadComment,
  agent: ThreadComment | undefined,
  answered?: AnsweredComment,
): boolean {
  if (answered) return person.mark !== answered.mark && person.at >= answered.at
  return !agent || person.at > agent.at
}
