import type { FormerId } from '../content/merge/index.ts'
import type { ChangeSet } from './change-set.ts'
import { type Base, pageBase } from './collections.ts'
import { orderInBase } from './edits/stored-bases.ts'
import type { FormerSlugs } from './renames.ts'
import type { DraftTransaction } from './transaction.ts'

/**
 * Returns the bases to store with a change: the state before it of every page, the site config and the order
 * of pages that it changes, where no base is stored. A draft that never agreed with a site has only one of
 * the settings that were read from the site for a change of them.
 */
export async function basesBefore(
  draft: DraftTransaction,
  { pages, ranks, config, siteConfig, renames = new Map() }: ChangeSet,
): Promise<ReadonlyMap<string, Base>> {
  const added = new Map<string, Base>()
  if (!draft.agrees) {
    if (config && siteConfig && Object.keys(siteConfig).length > 0 && !(await draft.bases.has('config')))
      added.set('config', { config: siteConfig })
    return added
  }
  for (const [slug, { before = null, after }] of pages) {
    const key = pageBase(slug)
    if (!(await draft.bases.has(key))) added.set(key, { page: before })
    // A page that is at its own address again, as after an undo, came from no other one.
    else if (after && before?.id !== after.id) {
      const base = await draft.bases.get(key)
      if (base?.page?.id === after.id) added.set(key, { page: base.page })
    }
  }
  for (const [slug, former] of renames) {
    const formerBase = former === undefined ? undefined : await draft.bases.get(pageBase(former))
    const stored = added.get(pageBase(slug)) ?? (await draft.bases.get(pageBase(slug)))
    if (!stored) continue
    const first = formerBase?.from ?? former
    const from = first === slug ? undefined : first
    const id = former === undefined ? undefined : pages.get(former)?.before?.id
    const ids = id === undefined ? undefined : idsAfter(formerBase, { id, until: draft.head.version + 1 })
    if (from !== stored.from || ids !== stored.ids) added.set(pageBase(slug), { ...stored, from, ids })
    // As by a discard: what is at the former address now is another page.
    if (former !== undefined && pages.get(former)?.after && !renames.has(former))
      added.set(pageBase(former), { page: (added.get(pageBase(former)) ?? formerBase)?.page ?? null })
  }
  if ((await hasOtherPlaces(draft, { pages, ranks, renames })) && !(await draft.bases.has('order')))
    added.set('order', { order: orderInBase((await draft.pages.order()).order, await draft.bases.all()) })
  if (config && !(await draft.bases.has('config')))
    added.set('config', { config: { ...siteConfig, ...(await draft.config()) } })
  return added
}

/** Whether a change moves a page, also a renamed one, or removes one, which may come back elsewhere. */
async function hasOtherPlaces(
  draft: DraftTransaction,
  { pages, ranks, renames }: Pick<ChangeSet, 'pages' | 'ranks'> & { readonly renames: FormerSlugs },
): Promise<boolean> {
  const renamed = new Set(renames.values())
  if ([...pages].some(([slug, { before, after }]) => before && !after && !renamed.has(slug))) return true
  if (ranks.size === 0) return false
  const { ranks: former } = await draft.pages.order()
  return [...ranks].some(([slug, rank]) => {
    // What is at the address that another page had is new there.
    if (renamed.has(slug) && !renames.has(slug)) return false
    const before = former.get(renames.get(slug) ?? slug)
    return before !== undefined && before !== rank
  })
}

/** Returns the former ids of a page after its rename; `undefined` for a page of the base. */
function idsAfter(base: Base | undefined, former: FormerId): readonly FormerId[] | undefined {
  if (!base) return undefined
  const { page, from, ids } = base
  const isAdded = ids !== undefined || (page === null && from === undefined)
  return isAdded ? [...(ids ?? []), former] : undefined
}
