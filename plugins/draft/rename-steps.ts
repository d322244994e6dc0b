import * as v from 'valibot'

/** A page that a change has given another address: one step of those that come one after the other. */
export const PageRename = v.object({ from: v.string(), to: v.string() })
export type PageRename = Readonly<v.InferOutput<typeof PageRename>>

/**
 * Returns renames in an order in which one after the other leads each page to its slug. Of pages that swap
 * theirs, one goes by an address in between.
 */
export function inSequence(former: ReadonlyMap<string, string | undefined>): readonly PageRename[] {
  const left = new Map<string, string>()
  for (const [to, from] of former) if (from !== undefined && from !== to) left.set(from, to)
  const steps: PageRename[] = []
  while (left.size > 0) {
    const [from = '', to = ''] = [...left].find(([, to]) => !left.has(to)) ?? [...left][0] ?? []
    const isSwapped = left.has(to)
    left.delete(from)
    const between = `${from}#${to}`
    steps.push({ from, to: isSwapped ? between : to })
    if (isSwapped) left.set(between, to)
  }
  return steps
}

/** Returns the slugs that pages had before renames in sequence, by those after them. */
export function slugsBefore(renamed: readonly PageRename[]): ReadonlyMap<string, string> {
  const before = new Map<string, string>()
  for (const { from, to } of renamed) {
    const slug = before.get(from) ?? from
    before.delete(from)
    before.set(to, slug)
  }
  return before
}
