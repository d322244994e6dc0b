import * as v from 'valibot'
import type { Operation } from '../content/operations/index.ts'

/** A page that a change has given another address: one step of those that come one after the other. */
export const PageRename = v.object({ from: v.string(), to: v.string() })
export type PageRename = Readonly<v.InferOutput<typeof PageRename>>

/** A page that got another slug, or is new (without `from`); moves apply in their order. */
export type Move = Pick<PageRename, 'to'> & Partial<PageRename>

/** The former slugs of renamed pages, by those after the change; `undefined` for new pages. */
export type FormerSlugs = ReadonlyMap<string, string | undefined>

/** Returns the pages that operations rename or add. */
export const movesIn = (ops: readonly Operation[] = []): readonly Move[] =>
  ops.flatMap((op): readonly Move[] => {
    if (op.op === 'create_page') return [{ to: op.page.slug }]
    if (op.op !== 'rename_page' && op.op !== 'duplicate_page') return []
    const { pageSlug, newPageSlug: to = pageSlug } = op
    if (to === pageSlug) return []
    return [op.op === 'rename_page' ? { from: pageSlug, to } : { to }]
  })

/** Returns the slugs that pages had before moves, by those after them; `undefined` for new pages. */
export function slugsBefore(renamed: readonly PageRename[]): ReadonlyMap<string, string>
export function slugsBefore(moves: readonly Move[]): FormerSlugs
export function slugsBefore(moves: readonly Move[]): FormerSlugs {
  const before = new Map<string, string | undefined>()
  for (const { from, to } of moves) {
    before.set(to, from !== undefined && before.has(from) ? before.get(from) : from)
    if (from !== undefined) before.delete(from)
  }
  return before
}

/** Returns the slugs that pages have now, by their former ones. */
export const slugsNow = (former: FormerSlugs): ReadonlyMap<string, string> =>
  new Map([...former].flatMap(([now, then]) => (then === undefined ? [] : [[then, now] as const])))

/** Returns the slug that a page has after renames in sequence. */
export const slugAfter = (renamed: readonly PageRename[], slug: string): string =>
  renamed.reduce((now, { from, to }) => (from === now ? to : now), slug)

/** Returns renames in sequence, each to a free slug; of a circle, one page goes by the slug `between`. */
export function inSequence(former: FormerSlugs, between?: string): readonly PageRename[] {
  const left = new Map([...slugsNow(former)].filter(([from, to]) => from !== to))
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
