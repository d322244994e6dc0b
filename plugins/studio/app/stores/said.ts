/** The sentences of the log, as the studio shows them. The log keeps its own for other clients. */
import { titleOf } from './draft.ts'

export interface Said {
  readonly summary: string
  readonly slugs: readonly string[]
}

/** A sentence as people write it: with a capital, and with the quotes of print. */
const written = (text: string): string =>
  text.replace(/^\p{Ll}/u, (first) => first.toUpperCase()).replaceAll(/"([^"]*)"/g, '“$1”')
const step = /^(undo|redo) of /i
const restored = /^restored version \d+: /i

/** What a change did, with the titles of pages. An undo of an undo is a redo, as drafts of earlier versions have. */
export function saidOf(change: Said): string {
  let { summary: rest } = change
  const steps: string[] = []
  for (let found = step.exec(rest); found; found = step.exec(rest)) {
    steps.push(found[0].toLowerCase())
    rest = rest.slice(found[0].length)
  }
  const isRestored = restored.test(rest)
  const what = isRestored
    ? `Page put back as it was after “${saidOf({ ...change, summary: rest.replace(restored, '') })}”`
    : written(
        rest.replace(
          /(?<= on )\/[^\s:,]*(?=[:,\s]|$)/,
          (slug) => `page “${titleOf(slug.replace(/\.$/, ''))}”`,
        ),
      )
  if (steps.length === 0) return what
  const isUndo = steps.filter((each) => each.startsWith('undo')).length % 2 === 1
  return `${isUndo ? 'Undone' : 'Redone'}${where(change, what)}: ${what}`
}

/** The page of a change whose sentence does not name it. */
function where({ slugs }: Said, what: string): string {
  const [slug, ...others] = slugs
  return slug === undefined || others.length > 0 || what.includes(titleOf(slug)) ? '' : ` on ${titleOf(slug)}`
}

/** The number of changes, and what the first one did; `undefined` for none. */
export function saidOfAll(changes: readonly Said[]): string | undefined {
  const [first, ...others] = changes
  if (!first) return undefined
  return others.length === 0 ? saidOf(first) : `${changes.length} changes: ${saidOf(first)}, …`
}
