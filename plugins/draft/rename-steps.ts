import * as v from 'valibot'

/** A page that a change has given another address: one step of those that come one after the other. */
export const PageRename = v.object({ from: v.string(), to: v.string() })
export type PageRename = Readonly<v.InferOutput<typeof PageRename>>

/** Returns renames in sequence, each to a free slug; of a circle, one page goes by the slug `between`. */
export function inSequence(
  former: ReadonlyMap<string, string | undefined>,
  between?: string,
): readonly PageRename[] {
  const left = new Map<string, string>()
  for (const [to, from] of former) if (from !== undefined && from !== to) left.set(from, to)
  return [...left.keys()].flatMap((first) => {
    const chain: PageRename[] = []
    for (let from = first, to = left.get(first); to !== undefined; from = to, to = left.get(to)) {
      left.delete(from)
      chain.unshift({ from, to })
    }
    const [last, ...others] = chain
    if (!last || last.to !== first) return chain
    const waiting = between ?? `${last.from}#${last.to}`
    return [{ from: last.from, to: waiting }, ...others, { from: waiting, to: last.to }]
  })
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

/** Returns the slug that a page has after renames in sequence. */
export const slugAfter = (renamed: readonly PageRename[], slug: string): string =>
  renamed.reduce((now, { from, to }) => (from === now ? to : now), slug)
