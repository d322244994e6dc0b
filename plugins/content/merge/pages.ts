import { pace } from '../../../kernel/index.ts'
import { isPlainObject } from '../plain-object.ts'
import { type Conflict, createLedger, type Winner } from './conflict.ts'
import type { MatchedPage } from './match.ts'
import { type MergedPage, mergePage, type PageRules } from './page.ts'

/** A page across the sides, merged. */
export type Settled = MatchedPage & MergedPage

/** Two pages that would have one slug: one has it in ours, the other in theirs. */
interface Clash {
  readonly slug: string
  readonly here: Settled
  readonly there: Settled
}

/**
 * Merges pages one by one. Two pages that have one slug afterwards are a conflict of both: the one that has it in ours
 * stays, and the other one is where ours has it, or else is not added. Where a decision gives a page the slug of one with
 * an open conflict about it, that one has the slug of theirs as well.
 */
export async function mergePages(
  matched: readonly MatchedPage[],
  rules: PageRules,
): Promise<{ readonly pages: readonly Settled[]; readonly conflicts: readonly Conflict[] }> {
  const settled = new Map<string, Settled>()
  for (const page of matched) {
    await pace()
    settled.set(page.key, mergeMatched(page, rules))
  }
  const { decide, conflicts } = createLedger(rules)
  /** The pages whose slug a clash has decided. */
  const decided = new Set<string>()
  for (let clash = clashOf(settled); clash; clash = clashOf(settled)) {
    const { slug, here, there } = clash
    const sides = { base: undefined, ours: here.pages.ours, theirs: there.pages.theirs }
    const winner = goesWith(here, there) ? 'theirs' : decide({ slug }, 'changed', sides, idOf)
    // The slugs of ours are unique, so a page that has gone back to that of ours stays there.
    const isTheirs = winner === 'theirs' && !decided.has(here.key)
    const yields = isTheirs ? here : there
    decided.add(yields.key)
    settled.set(yields.key, mergeMatched(yields, rules, isTheirs || !winner ? (winner ?? 'open') : 'ours'))
  }
  return { pages: withUniqueBases([...settled.values()]), conflicts }
}

/** Whether a page with an open conflict about its slug has to free it for one that was given it by a decision. */
function goesWith(here: Settled, { pages: { base, ours, theirs }, merged }: Settled): boolean {
  const isChosen = new Set([base?.slug, ours?.slug, theirs?.slug]).size === 3 && merged?.slug === theirs?.slug
  return isChosen && here.conflicts.some(({ path, blockId }) => path === 'slug' && blockId === undefined)
}

/** A conflict about a slug is the same while it is about the same pages, also if they change. */
const idOf = (page: unknown): unknown => (isPlainObject(page) ? page['id'] : page)

function mergeMatched({ key, pages }: MatchedPage, rules: PageRules, slugs?: Winner | 'open'): Settled {
  const { base, ours, theirs } = pages
  const isSame = base === ours && ours === theirs
  return {
    key,
    pages,
    ...(isSame ? { merged: ours, base: ours, taken: [], conflicts: [] } : mergePage(pages, rules, slugs)),
  }
}

function clashOf(pages: ReadonlyMap<string, Settled>): Clash | undefined {
  const bySlug = new Map<string, Settled>()
  for (const page of pages.values()) {
    if (!page.merged) continue
    const { slug } = page.merged
    const other = bySlug.get(slug)
    if (other) {
      const [here, there] = page.pages.ours?.slug === slug ? [page, other] : [other, page]
      return { slug, here, there }
    }
    bySlug.set(slug, page)
  }
  return undefined
}

/** Returns pages with unique slugs in the new base: one that has the former slug of an open conflict stays as it was. */
function withUniqueBases(pages: readonly Settled[]): readonly Settled[] {
  const bySlug = new Map<string, Settled>()
  for (const page of pages) {
    const { base } = page
    const other = base && bySlug.get(base.slug)
    if (other) {
      const moved = other.pages.base?.slug === base.slug ? page : other
      const former = { ...moved, base: moved.pages.base }
      return withUniqueBases(pages.map((each) => (each === moved ? former : each)))
    }
    if (base) bySlug.set(base.slug, page)
  }
  return pages
}
