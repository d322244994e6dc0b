/** The sentences of the log, as the studio shows them. The log has its own for other clients. */
import { titleOf } from './draft.ts'
import type { LogEntry } from './log.ts'
import { withCapital } from './capital.ts'

interface SummarizedChange extends Pick<LogEntry, 'summary' | 'source' | 'label' | 'restored'> {
  readonly slugs?: readonly string[]
}

/** A sentence as people write it: with a capital, and with the quotes of print. */
export const written = (text: string): string => withCapital(text).replaceAll(/"([^"]*)"/g, '“$1”')

/** A sentence in quotes; the quotes in it are single ones. */
const quoted = (text: string): string => `“${text.replaceAll('“', '‘').replaceAll('”', '’')}”`

const steps: Readonly<Record<string, string>> = { undo: 'Undone', redo: 'Redone' }

/** What a change did. The summary of an entry without a label is shown as it is. */
export function summaryOf({ summary, source, label, restored, slugs = [] }: SummarizedChange): string {
  if (label === undefined) return written(summary)
  const text = written(label)
  const what = restored === undefined ? text : `Page put back as it was after ${quoted(text)}`
  const step = steps[source]
  return step === undefined ? what : `${step}${where(slugs, what)}: ${what}`
}

/** The page of a change whose sentence does not name it. */
function where([slug, ...others]: readonly string[], what: string): string {
  return slug === undefined || others.length > 0 || what.includes(titleOf(slug)) ? '' : ` on ${titleOf(slug)}`
}

/** The number of changes, and what the first one did; `undefined` for none. */
export function summaryOfAll(
  changes: readonly SummarizedChange[],
  count = changes.length,
): string | undefined {
  const [first] = changes
  if (!first) return undefined
  return count === 1 ? summaryOf(first) : `${count} changes: ${summaryOf(first)}, …`
}
