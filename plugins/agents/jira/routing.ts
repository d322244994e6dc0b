import { wordSet } from '../../content/words.ts'
import { mentionsIn, readAdf } from './read-adf.ts'
import type { Mode, JiraPerson, WebhookEvent } from './schemas.ts'
import { kindOf, type Own } from './thread.ts'

/** The kind of event that requests work. */
export type Trigger = 'comment' | 'status' | 'created' | 'poll' | 'retry' | 'manual'

/** Names of the statuses that trigger work. */
type Statuses = Readonly<Record<'review' | 'execute' | 'preview', string>>

export interface RoutingFacts {
  readonly statuses: Statuses
  /** The keys of handled projects; empty for all. */
  readonly projects: ReadonlySet<string>
  readonly own: Own
  /** Account ids that may approve; `undefined` while unknown: checked again with the complete ticket. */
  readonly approvers: ReadonlySet<string> | undefined
}

export type Route = { readonly mode: Mode; readonly trigger: Trigger } | { readonly skip: string }

const skip = (reason: string): Route => ({ skip: reason })

export const isSameStatus = (a: string, b: string): boolean =>
  a.trim().toLowerCase() === b.trim().toLowerCase()

export const isProjectAllowed = (issueKey: string, projects: ReadonlySet<string>): boolean =>
  projects.size === 0 || projects.has(issueKey.slice(0, issueKey.lastIndexOf('-')))

/** Returns who may approve: the configured accounts, otherwise the people of the ticket. */
export function approversOf(configured: ReadonlySet<string>, of: People): ReadonlySet<string> {
  const people = [of.reporter, of.assignee, of.creator].flatMap((person) => person?.id || [])
  return configured.size > 0 ? configured : new Set(people)
}

type People = Partial<Pick<WebhookEvent, 'reporter' | 'assignee' | 'creator'>>

/** Determines the work that an event requests, from its payload alone. */
export function routeEvent(event: WebhookEvent, facts: RoutingFacts): Route {
  const { issueKey, comment, movedTo, kind } = event
  if (!isProjectAllowed(issueKey, facts.projects)) return skip('project_not_allowed')
  if (kind === 'comment' && comment) {
    const isOwn = kindOf({ ...comment, text: readAdf(comment.body) }, facts.own) !== undefined
    return isOwn ? skip('own_comment') : routeComment(event.status, comment, facts)
  }
  const {
    own: { agentId },
    statuses,
  } = facts
  const isAgent = (person: JiraPerson | undefined): boolean => agentId !== undefined && person?.id === agentId
  if (movedTo !== undefined) return isAgent(event.user) ? skip('own_change') : routeStatus(movedTo, statuses)
  if (kind !== 'created') return skip('event_not_handled')
  const isMeant = isAgent(event.assignee) || isSameStatus(event.status, statuses.review)
  return isMeant ? { mode: 'review', trigger: 'created' } : skip('not_assigned')
}

/** Determines the work that a person's comment requests in a status. */
export function routeComment(
  status: string,
  { author, body }: { readonly author?: JiraPerson | undefined; readonly body?: unknown },
  { statuses, approvers, own }: RoutingFacts,
): Route {
  const approves = (): boolean =>
    isApproval(body) && (approvers === undefined || (author !== undefined && approvers.has(author.id)))
  const route = (mode: Mode): Route => ({ mode, trigger: 'comment' })
  if (isSameStatus(status, statuses.review)) return route(approves() ? 'execute' : 'review')
  if (isSameStatus(status, statuses.preview)) return route(approves() ? 'publish' : 'execute')
  return isMentioned(body, own.agentId) ? route('review') : skip('status_not_handled')
}

/** Determines the work that a ticket requests by its status. */
export function routeStatus(status: string, { review, execute }: Statuses): Route {
  if (isSameStatus(status, review)) return { mode: 'review', trigger: 'status' }
  return isSameStatus(status, execute) ? { mode: 'execute', trigger: 'status' } : skip('status_not_handled')
}

const handle =
  /(?<![\w@.])@(?:site[-_]?editor|website[-_]?agent|ai[-_]?editor|content[-_]?orchestrator)(?![\w-])/i

function isMentioned(body: unknown, agentId: string | undefined): boolean {
  if (agentId !== undefined && mentionsIn(body).includes(agentId)) return true
  const text = readAdf(body)
  return (
    handle.test(text) ||
    (agentId !== undefined && (text.includes(`[~accountid:${agentId}]`) || text.includes(`[~${agentId}]`)))
  )
}

/** A comment needs one of these to be an approval. */
const consents = wordSet('approve approved yes ok okay lgtm proceed confirm confirmed continue publish')
const phrases = ['go ahead', 'ship it', 'looks good']
/** Every word of an approval is one of these or of the above. */
const others = wordSet('great perfect thanks thank you please the this plan draft changes is all and to with')
const ofPhrases = wordSet(phrases.join(' '))
const mostWords = 8
const longest = 4_000

/** True for a comment of which every word is in the lists above, and that is not a question; any other is an instruction. */
export function isApproval(comment: unknown): boolean {
  const text = ownWords(readAdf(comment, { withoutQuotes: true })).toLowerCase()
  const words = text.match(/[^\s\p{P}]+/gu) ?? []
  if (text.length > longest || words.length > mostWords || words[0] === 'is' || /[?？]/.test(text))
    return false
  return (
    words.every((word) => consents.has(word) || ofPhrases.has(word) || others.has(word)) &&
    (words.some((word) => consents.has(word)) ||
      phrases.some((phrase) => ` ${words.join(' ')} `.includes(` ${phrase} `)))
  )
}

/** Removes quotations and mentions in the notation of Jira Server and plain text, and marks struck out words. */
function ownWords(text: string): string {
  const unquoted = text
    .slice(0, longest + 1)
    .split('{quote}')
    .filter((_, at) => at % 2 === 0)
    .join(' ')
  const lines = unquoted.split('\n').filter((line) => !/^\s*(?:>|bq\.)/.test(line))
  return lines
    .join('\n')
    .replace(mentions, ' ')
    .replace(/(?<!\S)-(?=[^\s-])/g, '~')
}

const mentions = new RegExp(`\\[~[^\\]\\n]{1,200}\\]|^\\s*@[a-z][\\w.-]*|${handle.source}`, 'gi')
