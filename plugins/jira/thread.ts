import { type CommentKind, headlineIn } from './comments.ts'
import { readAdf } from './read-adf.ts'
import type { JiraComment, Person } from './schemas.ts'

/** A comment as decisions look at it. */
export interface ThreadComment {
  readonly id: string
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
  /** Another one when somebody has changed it. */
  readonly mark: string
  readonly author?: Person | undefined
  readonly body: unknown
  readonly text: string
  /** Of what this service wrote. */
  readonly kind: CommentKind | undefined
}

/** What is known of this service's own comments. */
export interface Own {
  /** Those that it stored when it wrote them, by id. */
  readonly comments: ReadonlyMap<string, CommentKind>
  /** The account that it writes with, where that is known. */
  readonly agentId: string | undefined
}

/**
 * Tells what kind of comment of this service one is; `undefined` for a person's.
 *
 * One that was stored is its own. Another one is where it begins with a headline of this service, and its account wrote it:
 * one person may be both agent and reporter. Without a known account the headline alone says so.
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

/** The newest comment of a person, and the newest of this service that answers. A failure answers nothing: it is tried again. */
export function newestOf(thread: readonly ThreadComment[]): { readonly person: ThreadComment | undefined; readonly agent: ThreadComment | undefined } {
  return {
    person: thread.findLast(({ kind }) => kind === undefined),
    agent: thread.findLast(({ kind }) => kind !== undefined && kind !== 'failed'),
  }
}

/** The newest comment that a run knew. */
export type Answered = Pick<ThreadComment, 'mark' | 'at'>
