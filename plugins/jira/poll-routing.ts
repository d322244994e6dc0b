import { isSameStatus, type Mode, routeComment, type RoutingFacts } from './routing.ts'
import { newestOf, type ThreadComment } from './thread.ts'

/** The newest comment that a run knew. */
export type Answered = Pick<ThreadComment, 'mark' | 'at'>

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

/** A text in JQL. Quotes and backslashes are escaped, so that a name cannot become a condition; line breaks become blanks. */
export const quoted = (text: string): string => `"${text.replace(/[\r\n]+/g, ' ').replace(/[\\"]/g, '\\$&')}"`

/** Which tickets are looked for, in the order in which they were changed. */
export function toJql({ jql, statuses, projects }: { readonly jql: string | undefined; readonly statuses: readonly string[]; readonly projects: ReadonlySet<string> }): string {
  if (jql !== undefined) return jql
  const within = projects.size === 0 ? '' : `project in (${[...projects].map(quoted).join(', ')}) AND `
  return `${within}status in (${statuses.map(quoted).join(', ')}) ORDER BY updated ASC`
}
