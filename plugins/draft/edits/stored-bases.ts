import { pace } from '../../../kernel/index.ts'
import { type FormerIds, isSameOrder, type Merged, type Side } from '../../content/merge/index.ts'
import type { Page } from '../../content/page.ts'
import { sameJson } from '../../content/plain-object.ts'
import { type Base, pageBase, slugOfBase } from '../collections.ts'

export type Bases = ReadonlyMap<string, Base>
type Pages = ReadonlyMap<string, Page | undefined>

export const pagesIn = (stored: Bases) =>
  new Map(
    [...stored].flatMap(([key, base]) => (base.page === undefined ? [] : [[slugOfBase(key), base] as const])),
  )

/** Returns the slugs in the base of renamed pages, with those that they have in the draft. */
export const renamedIn = (bases: Bases): readonly (readonly [string, string])[] =>
  [...bases].flatMap(([key, { from }]) => (from === undefined ? [] : [[from, slugOfBase(key)] as const]))

/** Returns an order of pages with the slugs that renamed ones have in the base. */
export function orderInBase(order: readonly string[], bases: Bases): readonly string[] {
  if (renamedIn(bases).length === 0) return order
  return order.map((slug) => bases.get(pageBase(slug))?.from ?? slug)
}

/** The state in which draft and site agreed: as stored, else as in `first`, else as in the draft. */
export function baseOf(
  stored: Bases,
  ours: Side,
  first: Omit<Side, 'pages'> & { readonly pages: Pages },
): Side {
  const pages = new Map<string, Page>(ours.pages)
  const set = (slug: string, page: Page | undefined) => (page ? pages.set(slug, page) : pages.delete(slug))
  for (const [slug, page] of first.pages) set(slug, page)
  for (const [slug, { page }] of pagesIn(stored)) set(slug, page ?? undefined)
  const siteConfig = stored.get('config')?.config ?? first.siteConfig
  const order = stored.get('order')?.order ?? orderInBase(first.order, stored)
  return { order: orderOf(pages, order, ours), pages, siteConfig: ours.siteConfig && siteConfig }
}

/** An order of the pages of a base, with those of the draft that are as they are there. */
function orderOf(pages: Side['pages'], order: readonly string[], ours: Side): readonly string[] {
  const isAbsent = (slug: string): boolean => ours.pages.has(slug) && !pages.has(slug)
  const isSame = pages.size === ours.pages.size && [...pages.keys()].every((slug) => ours.pages.has(slug))
  if (isSame && order === ours.order) return order
  const ownSlugs = new Set(ours.order)
  const there = new Set(order.filter((slug) => pages.has(slug) || (ownSlugs.has(slug) && !isAbsent(slug))))
  const lacking = [...pages.keys()].filter((slug) => !there.has(slug))
  return [...there, ...lacking]
}

/** The former ids of renamed pages of the draft that the base lacks. */
export const formerIdsIn = (stored: Bases, { pages }: Side): FormerIds =>
  new Map([...pagesIn(stored)].flatMap(([slug, { ids }]) => (ids && pages.has(slug) ? [[slug, ids]] : [])))

/** Returns the bases that change. */
export async function basesAfter(
  stored: Bases,
  ours: Side,
  merged: Merged,
): Promise<Map<string, Base | undefined>> {
  const changed = new Map<string, Base | undefined>()
  const put = (key: string, base: Base | undefined): void => {
    const before = stored.get(key)
    if (!sameJson(before, base)) changed.set(key, base)
  }
  const content: Pages = new Map([...ours.pages, ...merged.pages])
  const pages = pagesIn(stored)
  const former = new Map([...merged.base.renames.ours].map(([from, slug]) => [slug, from]))
  const slugs = [...content.keys(), ...merged.base.pages.keys(), ...pages.keys(), ...former.keys()]
  for (const slug of new Set(slugs)) {
    await pace()
    const page = content.get(slug)
    const base = merged.base.pages.has(slug) ? merged.base.pages.get(slug) : page
    const from = former.get(slug)
    const isAgreed = from === undefined && (base === page || (base && page && sameJson(base, page)))
    const ids = from === undefined && page ? pages.get(slug)?.ids : undefined
    const row = { page: base ?? null, ...(from !== undefined && { from }), ...(ids && { ids }) }
    put(pageBase(slug), isAgreed ? undefined : row)
  }
  const order = former.size === 0 ? merged.order : merged.order.map((slug) => former.get(slug) ?? slug)
  const isEveryOneThere = (slugs: readonly string[]) => new Set(slugs).isSubsetOf(new Set(order))
  const { order: agreed } = merged.base
  const isSame = sameJson(order, agreed) || (isEveryOneThere(agreed) && isSameOrder(order, agreed))
  put('order', isSame ? undefined : { order: agreed })
  const { siteConfig: config } = merged.base
  const isSameConfig = sameJson(config, merged.siteConfig)
  if (config) put('config', isSameConfig ? undefined : { config })
  return changed
}
