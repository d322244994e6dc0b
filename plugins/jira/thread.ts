import { type CommentKind, headlineIn } from './comments.ts'
import { readAdf } from './read-adf.ts'
import type { JiraComment, Person } from './schemas.ts'

/** A comment as decisions see it. */
export interface ThreadComment {
  readonly id: string
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
  /** Identifies this version of the comment. */
  readonly mark: string
  readonly author?: Person | undefined
  readonly body: unknown
  readonly text: string
  /** The kind of a comment of this service. */
  readonly kind: CommentKind | undefined
}

/** How comments of this service are recognized. */
export interface Own {
  /** Kinds of comments that it has written, by id. */
  readonly comments: ReadonlyMap<string, CommentKind>
  /** The account that it writes with, if known. */
  readonly agentId: string | undefined
}

export const ownOf = (comments: readonly OwnComment[], agentId: string | undefined): Own =>
  ({ comments: new Map(comments.map(({ id, kind }) => [id, kind])), agentId })

/** A comment of this service; `at` in milliseconds since 1970 by the clock of Jira. */
export interface OwnComment {
  readonly id: string
  readonly kind: CommentKind
  readonly at: number
}

/**
 * The kind of a comment of this service; `undefined` for a comment of a person.
 *
 * A stored comment is its own. So is one of its account that starts with a headline: one person may be both agent and reporter.
 * While the account is unknown, the headline alone decides.
 */
export function kindOf({ id, author, text }: { readonly id: string; readonly author?: Person | undefined; readonly text: string }, { comments, agentId }: Own): CommentKind | undefined {
  const stored = comments.get(id)
  if (stored !== undefined || (agentId !== undefined && author?.id !== agentId)) return stored
  return headlineIn(text)
}

/** The comments of a ticket, oldest first. */
export function toThread(comments: readonly JiraComment[], own: Own): readonly ThreadComment[] {
  const all = comments.map(({ id, author, body, created, updated = created }): ThreadComment => {
    const text = readAdf(body)
    return { id, at: Date.parse(created) || 0, mark: `${id}@${updated}`, author, body, text, kind: kindOf({ id, author, text }, own) }
  })
  return all.toSorted((a, b) => a.at - b.at)
}

/** The newest comment of a person, and the newest answer of this service. A failure is not an answer: it is retried. */
export function newestOf(thread: readonly ThreadComment[]) {
  return {
    person: thread.findLast(({ kind }) => kind === undefined),
    agent: thread.findLast(({ kind }) => kind !== undefined && kind !== 'failed'),
  }
}

/** The newest comment that a run knew. */
export type Answered = Pick<ThreadComment, 'mark' | 'at'>
