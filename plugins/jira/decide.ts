import { isSameStatus, type Route, routeComment, routeStatus, type RoutingFacts } from './routing.ts'
import type { Mode } from './schemas.ts'
import { type Answered, newestOf, type ThreadComment } from './thread.ts'
import type { Asked, Ticket } from './tickets.ts'

/** A ticket as Jira has it now. */
export interface Fresh {
  readonly status: string
  readonly thread: readonly ThreadComment[]
  readonly ticket: Pick<Ticket, 'answered'>
  readonly facts: RoutingFacts
}

export type Decision = { readonly mode: 'review' | 'execute' | 'publish'; readonly asked: Asked } | { readonly skip: string }

/**
 * Decides what is done with a ticket, by what it is now: a message only says that something happened, may be late or forged, and
 * others may have come since. The first event that still asks for something counts.
 */
export function decide(asked: readonly Asked[], fresh: Fresh): Decision {
  let skipped = 'nothing_asked'
  for (const each of asked) {
    const route = routeAsked(each, fresh)
    if ('mode' in route) return { mode: route.mode, asked: each }
    skipped = route.skip
  }
  return { skip: skipped }
}

/** Names a thread as a person sees it; another one when anything was added or changed, other than by a failure of ours. */
export const markOf = (thread: readonly ThreadComment[]): string => {
  const said = thread.filter(({ kind }) => kind !== 'failed')
  return `${said.length} ${said.at(-1)?.mark ?? ''}`
}

function routeAsked(asked: Asked, { status, thread, ticket: { answered }, facts }: Fresh): Route {
  const { mode, trigger } = asked
  const { person, agent } = newestOf(thread)
  if (trigger === 'manual' || trigger === 'created') return asked
  if (trigger === 'status') return routeStatus(status, facts.statuses)
  if (trigger === 'retry') return markOf(thread) === asked.mark ? { mode, trigger } : { skip: 'thread_changed' }
  if (trigger === 'poll') {
    const found = routePolled(status, thread, facts, answered)
    return found ? inTime({ mode: found, trigger }, thread) : { skip: 'nothing_new' }
  }
  if (!person || !isUnanswered(person, agent, answered)) return { skip: 'nothing_new' }
  return inTime(routeComment(status, person, facts), thread)
}

/** An approval is of the draft that was shown before it, and of no later one. */
function inTime(route: Route, thread: readonly ThreadComment[]): Route {
  if (!('mode' in route) || route.mode !== 'publish') return route
  const draft = thread.findLast(({ kind }) => kind === 'draft')
  const { person } = newestOf(thread)
  return !draft || (person && person.at > draft.at) ? route : { skip: 'approval_of_older_draft' }
}

/**
 * Decides what a ticket asks for that was found by looking, from its status and its whole thread; `undefined` for nothing.
 *
 * `answered` is the comment that the latest run knew: a comment that came while it ran is older than its answer,
 * and is not answered all the same.
 */
export function routePolled(status: string, thread: readonly ThreadComment[], facts: RoutingFacts, answered?: Answered): Mode | undefined {
  const { person, agent } = newestOf(thread)
  const isIn = (name: string): boolean => isSameStatus(status, name)
  if (isIn(facts.statuses.review) && !agent) return 'review'
  if (!person || (!isIn(facts.statuses.review) && !isIn(facts.statuses.preview))) return undefined
  if (!isUnanswered(person, agent, answered)) return undefined
  const route = routeComment(status, person, facts)
  return 'mode' in route ? route.mode : undefined
}

/** True where nothing was done about a comment yet. */
export function isUnanswered(person: ThreadComment, agent: ThreadComment | undefined, answered?: Answered): boolean {
  if (answered) return person.mark !== answered.mark && person.at >= answered.at
  return !agent || person.at > agent.at
}
