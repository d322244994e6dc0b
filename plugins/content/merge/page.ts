import { pathOfSlug } from '../file-slugs.ts'
import { ingestPage } from '../ingest.ts'
import { withoutGeneratedItemIds } from '../items.ts'
import type { AvailableTypes, Page } from '../model.ts'
import { memberPath, perObject, type PlainObject } from '../plain-object.ts'
import { builtinRegistry } from '../registry.ts'
import { comparableSlug } from '../slugs.ts'
import { mergeBlocks } from './blocks.ts'
import {
  type Conflict,
  createLedger,
  type Decisions,
  type Ledger,
  settled,
  type Taken,
  type Winner,
} from './conflict.ts'
import { type Both, mergeElement } from './keyed.ts'
import { mergeMap, mergeProp } from './props.ts'
import { each, type MergedValue, same, shared, type Three } from './sides.ts'
import { mergeKeys, mergeValue } from './values.ts'

/** What pages are merged with. */
export interface PageRules extends AvailableTypes, Decisions {
  /** The side whose place counts where both moved something; by default ours. */
  readonly draft?: Winner | undefined
}

export interface MergedPage extends MergedValue<Page | undefined> {
  readonly taken: readonly Taken[]
  readonly conflicts: readonly Conflict[]
}

/**
 * Merges one page. A side without the page is `undefined`; pages are ingested.
 *
 * The merged page has the id and `updatedAt` of ours, or the id of theirs with the slug of theirs; a page
 * without a difference is the same object as ours. `slugs` says which side has the slug, where that is not
 * merged.
 */
export function mergePage(
  pages: Three<Page | undefined>,
  rules: PageRules,
  slugs?: Winner | 'open',
): MergedPage {
  const some = pages.ours ?? pages.theirs ?? pages.base
  const ledger = createLedger(rules, slugOfConflicts(pages, slugs))
  const { taken, conflicts } = ledger
  if (!some) return { merged: undefined, base: undefined, taken, conflicts }
  const parts = (both: Both<Page>) => mergeParts(both, ledger, rules, slugs)
  // A slug that is chosen is a change also of a page that the other side has not changed.
  const isSame = slugs ? () => false : samePage
  const isWhole = slugs && !(pages.ours && pages.theirs)
  const done = isWhole
    ? settled(pages, slugs === 'open' ? undefined : slugs)
    : mergeElement({ slug: some.slug }, pages, ledger, {
        parts,
        isSame,
        read: (page) => page && contentOf(page),
      })
  return { ...done, base: foundAgain(done, pages), taken, conflicts }
}

/**
 * The slug by which the conflicts of a page are known: that of ours, but where only theirs has renamed it.
 */
function slugOfConflicts({ base, ours, theirs }: Three<Page | undefined>, slugs?: Winner | 'open') {
  if (!ours || !theirs) return (ours ?? theirs)?.slug
  return !slugs && ours.slug === base?.slug ? theirs.slug : ours.slug
}

/**
 * The base of a page that is as on the site has the id that it has there where ours has another one, or both
 * have moved it: by that the page is found again.
 */
function foundAgain(
  { merged, base }: MergedValue<Page | undefined>,
  { base: former, theirs }: Three<Page | undefined>,
): Page | undefined {
  if (!base || !theirs || base !== merged || base.id === theirs.id || !samePage(base, theirs)) return base
  const isOther = former?.id === theirs.id || former?.slug !== theirs.slug
  return isOther ? { ...base, id: theirs.id } : base
}

function mergeParts(
  pages: Both<Page>,
  ledger: Ledger,
  { draft = 'ours', ...types }: PageRules,
  slugs: Winner | 'open' | undefined,
): MergedValue<Page | undefined> {
  const sides: Three<Page | undefined> = pages
  const { ours, theirs } = pages
  const rules = { ledger, draft, types }
  const addresses = each(sides, (page) => page?.slug)
  // In another spelling, an address of theirs is the same one.
  const address =
    slugs || isMovedFrom(pages)
      ? settled(addresses, slugs === 'open' ? undefined : (slugs ?? 'ours'))
      : mergeValue({ slug: ours.slug, path: 'slug' }, addresses, ledger)
  const { merged: slug = ours.slug } = address
  const titles = each(sides, (page) => page?.title)
  const title = mergeValue({ slug, path: 'title' }, titles, ledger)
  const keys = mergeKeys(
    each(sides, (page) => page ?? {}),
    (name, values) => {
      if (name === 'meta') return mergeMap({ slug, path: name }, values, rules)
      // Which file a page is, its slug says.
      if (name === 'document' && pathOfSlug(slug) !== undefined)
        return {
          merged: slug === ours.slug ? values.ours : values.theirs,
          base: address.base === theirs.slug ? values.theirs : values.base,
        }
      if (Object.hasOwn(partNames, name)) return { merged: values.ours, base: values.theirs }
      return mergeProp({ slug, path: memberPath('', name) }, values, undefined, rules)
    },
  )
  const blocks = mergeBlocks(
    slug,
    each(sides, (page) => page?.blocks ?? []),
    rules,
  )
  const { id } = slug === ours.slug ? ours : theirs
  const parts = { ...keys.merged, id, slug, title: title.merged ?? ours.title, updatedAt: ours.updatedAt }
  const merged = shared<Page>({ ...parts, blocks: blocks.merged }, ours)
  // A page that both sides added has no former title: where that is open, so is the page.
  if (title.base === undefined || address.base === undefined) return { merged, base: sides.base }
  const agreed = { id: theirs.id, slug: address.base, title: title.base, updatedAt: theirs.updatedAt }
  const base = { ...keys.base, ...agreed, blocks: blocks.base }
  return { merged, base: isAgreed(base, merged, theirs) ? merged : base }
}

/** Whether ours has another address than the base, and theirs has that of the base, also in another spelling. */
const isMovedFrom = ({ base, ours, theirs }: Both<Page>): boolean =>
  base !== undefined && base.slug !== ours.slug && comparableSlug(base.slug) === comparableSlug(theirs.slug)

/** The keys of a page that are merged apart, or not at all. */
const partNames = { id: true, slug: true, title: true, updatedAt: true, blocks: true }

/** Whether two pages are equal but for their ids and stamps. */
export function samePage(a: Page | undefined, b: Page | undefined): boolean {
  if (a === b || !a || !b) return a === b
  const isSame = compared(a).get(b) ?? same(contentOf(a), contentOf(b))
  compared(a).set(b, isSame)
  return isSame
}

/** Results of earlier comparisons: pages are immutable, and all parts of a publish compare the same ones. */
const compared = perObject((_page: Page) => new WeakMap<Page, boolean>())

/** As `samePage`, for pages that are not repaired yet: what a repair adds does not count as a difference. */
export function sameAsRead(a: Page | null | undefined, b: Page | null | undefined): boolean {
  if (a === b || !a || !b) return !a === !b
  if (samePage(a, b)) return true
  const [one, other] = [ingestPage(a, builtinTypes), ingestPage(b, builtinTypes)]
  return (one !== a || other !== b) && samePage(one, other)
}
const builtinTypes = { registry: builtinRegistry }

/**
 * Whether a page of the base is as one of the merged content. An id of theirs counts too, as only that says
 * which page it is once theirs gives it another slug.
 */
export function isAgreed(base: Page, merged: Page | undefined, theirs: Page | undefined): boolean {
  const isFoundById = base.id === theirs?.id
  return samePage(base, merged) && (!isFoundById || base.id === merged?.id)
}

/** Returns a page without what a comparison ignores: its id, its stamp and generated row ids. */
export const comparable = (page: Page): Page =>
  withoutGeneratedItemIds({ ...page, id: page.slug, updatedAt: '' })

/** What counts of a page. Not remembered: it has the blocks, also those that a page reads on use. */
const contentOf = ({ id: _id, updatedAt: _stamp, meta, ...rest }: Page): PlainObject =>
  meta && Object.keys(meta).length > 0 ? { ...rest, meta } : rest
