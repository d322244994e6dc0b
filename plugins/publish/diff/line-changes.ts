/** Changes of a text, line by line. */
import { diffArrays, structuredPatch } from 'diff'

/** Lines in place of others; `from` and `to` are places between lines. */
interface LineChange {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

/** For a commit, and for a page that shows them. */
const [longestMs, longestShownMs] = [2_000, 50]
/** The unchanged lines that are shown before and after a change. */
const context = 2

/** Returns the changed lines between two texts as a unified diff has them; `undefined` where that takes too long. */
export const hunksBetween = (before: string, after: string) =>
  structuredPatch('', '', before, after, undefined, undefined, { context, timeout: longestShownMs })?.hunks

/** The lines of a text with their ends. */
const linesOf = (text: string): string[] => text.split(/(?<=\n)/)

/** Returns what differs between two lists of lines; `undefined` where that takes too long. */
function changesBetween(before: string[], after: string[]): readonly LineChange[] | undefined {
  const parts = diffArrays(before, after, { timeout: longestMs })
  if (!parts) return undefined
  const changes: LineChange[] = []
  let at = 0
  for (const { value, added, removed } of parts) {
    const last = changes.at(-1)
    const isNext = last?.to === at && (added || removed)
    const [from, to] = [at, at + (added ? 0 : value.length)]
    if (added || removed) {
      const lines = added ? value : []
      if (isNext && last)
        changes[changes.length - 1] = { from: last.from, to, lines: [...last.lines, ...lines] }
      else changes.push({ from, to, lines })
    }
    at = to
  }
  return changes
}

/** Whether two changes are of the same lines, or bring lines to the same place. */
const doMeet = (a: LineChange, b: LineChange): boolean =>
  (a.from < b.to && b.from < a.to) || (a.from === b.from && a.to === b.to)

/**
 * Returns a text with what differs between two others, `before` and `after`, of which `before` may have changes
 * of its own that do not go along; `undefined` if both are at the same lines.
 */
export function withLineChanges(text: string, before: string, after: string): string | undefined {
  if (text === before) return after
  const base = linesOf(before)
  const [own, brought] = [changesBetween(base, linesOf(text)), changesBetween(base, linesOf(after))]
  if (!own || !brought || own.some((each) => brought.some((other) => doMeet(each, other)))) return undefined
  const all = [...own, ...brought].toSorted((a, b) => a.from - b.from || a.to - b.to)
  const pieces: string[] = []
  let at = 0
  for (const { from, to, lines } of all) {
    pieces.push(...base.slice(at, from), ...lines)
    at = to
  }
  return [...pieces, ...base.slice(at)].join('')
}
