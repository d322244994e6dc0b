import { broughtBy, type LoggedChanges, type Shown, summaryOf, titlesIn } from './log.ts'

const longestSubject = 72

/** Returns the message of a commit: the pages, each change of the draft, and the names of who made them. */
export function commitMessageOf(compared: Shown, logged: LoggedChanges): string {
  const { edits = [] } = broughtBy(compared, logged) ?? {}
  const what = summaryOf(compared.diff, compared.draft.pages.length, titlesIn(compared))
  const subject = oneLine(what.replace(/^Published: /, 'content: '))
  const changes = edits.toReversed().map(({ summary }) => `- ${oneLine(summary)}`)
  const names = edits.toReversed().flatMap(({ actor: { name, browser } }) => name ?? browser?.name ?? [])
  const people = [...new Set(names.map(nameOf))].map((name) => `Co-authored-by: ${name} <>`)
  const short = subject.length > longestSubject ? `${subject.slice(0, longestSubject - 1)}…` : subject
  return [short, changes.join('\n'), people.join('\n')].filter((part) => part !== '').join('\n\n')
}

/** What people write begins no trailer and no line of its own. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
const nameOf = (name: string): string => oneLine(name.replaceAll(/[<>]/g, ''))
