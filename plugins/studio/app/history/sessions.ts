/** What a person has typed without a longer pause: one line of the history, which opens. */
import type { LogEntry } from '../stores/log.ts'

export type LoggedEdit = Pick<LogEntry, 'version' | 'at' | 'slug' | 'slugs' | 'source' | 'opTypes' | 'actor'>

const typed: ReadonlySet<string> = new Set(['update_props', 'update_item', 'update_page_meta'])
const longestPauseMs = 10 * 60_000
/** Fewer edits are lines of their own. */
const fewest = 3

const isTyped = ({ source, opTypes, slugs, actor: { browser } }: LoggedEdit): boolean =>
  source === 'direct' &&
  browser?.id !== undefined &&
  slugs.length === 1 &&
  opTypes.every((op) => typed.has(op))

const isOneSession = (later: LoggedEdit, earlier: LoggedEdit): boolean =>
  isTyped(later) &&
  isTyped(earlier) &&
  later.slug === earlier.slug &&
  later.actor.browser?.id === earlier.actor.browser?.id &&
  Date.parse(later.at) - Date.parse(earlier.at) <= longestPauseMs

/** Joins the lines of each session; `lines` are newest first, and what is not an edit is listed by itself. */
export function sessionsOf<T extends object>(
  lines: readonly T[],
  editOf: (line: T) => LoggedEdit | undefined,
): readonly (readonly T[])[] {
  const groups: T[][] = []
  for (const line of lines) {
    const [group] = groups.slice(-1)
    const last = group?.at(-1)
    const [later, earlier] = [last && editOf(last), editOf(line)]
    if (group && later && earlier && isOneSession(later, earlier)) group.push(line)
    else groups.push([line])
  }
  return groups.flatMap((group) => (group.length < fewest ? group.map((line) => [line]) : [group]))
}
