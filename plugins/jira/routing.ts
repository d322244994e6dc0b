import { mentionsIn, readAdf } from './read-adf.ts'
import type { Mode, Person, WebhookEvent } from './schemas.ts'
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

export const isSameStatus = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

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
  const { own: { agentId }, statuses } = facts
  const isAgent = (person: Person | undefined): boolean => agentId !== undefined && person?.id === agentId
  if (movedTo !== undefined) return isAgent(event.user) ? skip('own_change') : routeStatus(movedTo, statuses)
  if (kind !== 'created') return skip('event_not_handled')
  const isMeant = isAgent(event.assignee) || isSameStatus(event.status, statuses.review)
  return isMeant ? { mode: 'review', trigger: 'created' } : skip('not_assigned')
}

/** Determines the work that a person's comment requests in a status. */
export function routeComment(status: string, { author, body }: { readonly author?: Person | undefined; readonly body?: unknown }, { statuses, approvers, own }: RoutingFacts): Route {
  const approves = (): boolean => isApproval(body) && (approvers === undefined || (author !== undefined && approvers.has(author.id)))
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

const handle = /(?<![\w@.])@(?:site[-_]?editor|website[-_]?agent|ai[-_]?editor|content[-_]?orchestrator)(?![\w-])/i

function isMentioned(body: unknown, agentId: string | undefined): boolean {
  if (agentId !== undefined && mentionsIn(body).includes(agentId)) return true
  const text = readAdf(body)
  return handle.test(text) || (agentId !== undefined && (text.includes(`[~accountid:${agentId}]`) || text.includes(`[~${agentId}]`)))
}

const phrases = ['proceed', 'go ahead', 'go for it', 'good to go', 'yes', 'ok', 'okay', 'approved', 'approve', 'lgtm', 'ship it', 'looks good', 'confirm', 'confirmed']
/** Phrases that are ambiguous in longer comments. */
const shortPhrases = ['continue', 'publish']
/** English and German words. */
const blocking = new Set([
  'no', 'not', 'never', 'dont', 'wait', 'hold', 'stop', 'cancel', 'revert', 'undo', 'instead', 'but', 'except', 'unless', 'before', 'also', 'until',
  'nein', 'nicht', 'nichts', 'kein', 'keine', 'keinen', 'nie', 'aber', 'warte', 'warten', 'stopp', 'halt', 'abbrechen', 'stattdessen', 'sondern', 'außer', 'bevor', 'vorher', 'erst', 'auch', 'bis', 'noch',
])
const editVerbs = new Set([
  'add', 'change', 'replace', 'remove', 'delete', 'update', 'rename', 'move', 'fix', 'make', 'use', 'set', 'edit', 'rewrite',
  'ändern', 'ändere', 'ersetzen', 'ersetze', 'entfernen', 'entferne', 'löschen', 'lösche', 'hinzufügen', 'füge', 'umbenennen', 'verschieben', 'verschiebe', 'mach', 'mache', 'setze', 'nimm', 'korrigiere', 'schreib', 'schreibe',
])

const mostWords = 15
const mostWordsOfShort = 5
/** Phrases count in the first 500 characters; a comment over 4,000 characters is never an approval. */
const within = 500
const longest = 4_000

/** True for a comment that only approves; any other comment is an instruction. */
export function isApproval(comment: unknown): boolean {
  const text = ownWords(readAdf(comment, { withoutQuotes: true }))
  if (text.length > longest || /[?？]/.test(text)) return false
  const words = wordsOf(text)
  if (words.length > mostWords || words.some((word) => blocking.has(word) || word.endsWith("n't") || editVerbs.has(word))) return false
  const said = ` ${wordsOf(text.slice(0, within)).join(' ')} `
  const wanted = words.length > mostWordsOfShort ? phrases : [...phrases, ...shortPhrases]
  return said === ' go ' || wanted.some((phrase) => said.includes(` ${phrase} `))
}

/** Removes quotations and mentions in the notation of Jira Server and plain text. */
function ownWords(text: string): string {
  const unquoted = text.slice(0, longest + 1).split('{quote}').filter((_, at) => at % 2 === 0).join(' ')
  const lines = unquoted.split('\n').filter((line) => !/^\s*(?:>|bq\.)/.test(line))
  return lines.join('\n').replace(/\[~[^\]\n]{1,200}\]|(?<![\w.])@[\w.-]+/g, ' ')
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().replaceAll('’', "'").match(/[\p{L}\p{N}']+/gu) ?? []
