import { type CommentKind, headlineIn } from './comments.ts'
import { readAdf } from './read-adf.ts'
import type { JiraComment, JiraPerson } from './schemas.ts'

/** A comment, prepared for decisions. */
export interface ThreadComment {
  readonly id: string
  /** The creation time, in milliseconds since 1970. */
  readonly at: number
  /** Identifies this version of the comment. */
  readonly mark: string
  readonly author?: JiraPerson | undefined
  readonly body: unknown
  readonly text: string
  /** The kind, for a comment of this service. */
  readonly kind: CommentKind | undefined
}

/** The data by which comments of this service are recognized. */
export interface Own {
  /** The kinds of its comments, by id. */
  readonly comments: ReadonlyMap<string, CommentKind>
  /** The account with which it writes, if known. */
  readonly agentId: string | undefined
}

export const ownOf = (comments: readonly OwnComment[], agentId: string | undefined): Own => ({
  comments: new Map(comments.map(({ id, kind }) => [id, kind])),
  agentId,
})

/** A comment of this service; `at` is in milliseconds since 1970 by the clock of Jira. */
export interface OwnComment {
  readonly id: string
  readonly kind: CommentKind
  readonly at: number
}

/**
 * Returns the kind of a comment of this service; `undefined` for a comment of a person.
 *
 * Stored comments belong to this service, and so do comments of its account that start with a headline: one
 * person may be both agent and reporter. If the account is unknown, the headline alone decides.
 */
export function kindOf(
  {
    id,
    author,
    text,
  }: { readonly id: string; readonly author?: JiraPerson | undefined; readonly text: string },
  { comments, agentId }: Own,
): CommentKind | undefined {
  const stored = comments.get(id)
  if (stored !== undefined || (agentId !== undefined && author?.id !== agentId)) return stored
  return headlineIn(text)
}

/** Converts the comments of a ticket; oldest first. */
export function toThread(comments: readonly JiraComment[], own: Own): readonly ThreadComment[] {
  const all = comments.map(({ id, author, body, created, updated = created }): ThreadComment => {
    const text = readAdf(body)
    return {
      id,
      at: Date.parse(created) || 0,
      mark: `${id}@${updated}`,
      author,
      body,
      text,
      kind: kindOf({ id, author, text }, own),
    }
  })
  return all.toSorted((a, b) => a.at - b.at)
}

/** Returns the newest comment of a person, and our newest answer. A failure does not count as an answer, and is retried. */
export function newestOf(thread: readonly ThreadComment[]) {
  return {
    person: thread.findLast(({ kind }) => kind === undefined),
    agent: thread.findLast(({ kind }) => kind !== undefined && kind !== 'failed'),
  }
}

/** The newest comment known to a run. */
export type AnsweredComment = Pick<ThreadComment, 'mark' | 'at'>
