import { isDeepStrictEqual } from 'node:util'
import fc, { pick, costlyRuns } from '../helpers/property.ts'
import t from 'tap'
import * as v from 'valibot'
import {
  merge,
  type Merged,
  mergePage,
  type MergeRequest,
  type Side,
} from '../../plugins/content/merge/index.ts'
import { withoutGeneratedItemIds } from '../../plugins/content/items.ts'
import type { Page } from '../../plugins/content/model.ts'
import { sameJson } from '../../plugins/content/plain-object.ts'
import { pageOf } from '../helpers/content.ts'
import { known, renamesBetween, type State, threeStates } from '../helpers/merge-by-chance.ts'
import { mergedValues, valuesOf, withoutOrders } from '../helpers/merge-oracle.ts'

const numRuns = costlyRuns(200)

interface MergeSides {
  readonly base: State
  readonly ours: State
  readonly theirs: State
}

const sideOf = ({ pages, config }: State): Side => ({
  order: pages.map(({ slug }) => slug),
  pages: new Map(pages.map((page) => [page.slug, page])),
  siteConfig: config,
})

const requestOf = ({ base, ours, theirs }: MergeSides): MergeRequest => ({
  ...known,
  base: sideOf(base),
  ours: sideOf(ours),
  theirs: sideOf(theirs),
  renames: { ours: renamesBetween(base, ours), theirs: renamesBetween(base, theirs) },
})

/** The content after a merge, and after it the new base. */
function applied(
  ours: Side,
  { pages, order, siteConfig, base }: Merged,
): { readonly content: Side; readonly base: Side } {
  const changed = (side: ReadonlyMap<string, Page>, changes: Merged['pages'], slugs: readonly string[]) => {
    const all = new Map([...side, ...changes])
    return new Map(
      slugs.flatMap((slug): [string, Page][] => {
        const page = all.get(slug)
        return page ? [[slug, page]] : []
      }),
    )
  }
  const content = { order, pages: changed(ours.pages, pages, order), siteConfig }
  return {
    content,
    base: {
      order: base.order,
      pages: changed(content.pages, base.pages, base.order),
      siteConfig: base.siteConfig,
    },
  }
}

const pagesOf = ({ order, pages }: Side): readonly (Page | undefined)[] =>
  order.map((slug) => pages.get(slug))
/** The content of a side but for ids of pages and of rows. */
const contentOf = (side: Side): unknown => ({
  config: side.siteConfig,
  pages: pagesOf(side).map((page) => page && withoutGeneratedItemIds({ ...page, id: '', updatedAt: '' })),
})
const isSame = (a: Side, b: Side): boolean => sameJson(contentOf(a), contentOf(b))
const idsOf = ({ conflicts }: Merged): readonly string[] => conflicts.map(({ id }) => id).toSorted()

function isSound({ order, pages }: Side): boolean {
  const isUnique = (keys: readonly unknown[]) => new Set(keys).size === keys.length
  return (
    isUnique(order) &&
    order.length === pages.size &&
    order.every((slug) => pages.get(slug)?.slug === slug) &&
    isUnique([...pages.values()].map(({ id }) => id)) &&
    [...pages.values()].every(({ blocks }) => isUnique(blocks.map(({ id }) => id)))
  )
}

const check = (withSteps: boolean, law: (sides: MergeSides) => Promise<boolean>): Promise<void> =>
  fc.assert(fc.asyncProperty(threeStates({ withSteps }), law), { numRuns })

t.test('a side without changes takes the other one, and equal changes are none', () =>
  check(true, async ({ base, ours, theirs }) => {
    const nothing = await merge(requestOf({ base, ours, theirs: base }))
    const all = await merge(requestOf({ base, ours: base, theirs }))
    const equal = await merge(requestOf({ base, ours: theirs, theirs: structuredClone(theirs) }))
    return (
      nothing.pages.size + nothing.taken.length + nothing.conflicts.length === 0 &&
      sameJson(nothing.order, sideOf(ours).order) &&
      nothing.siteConfig === ours.config &&
      all.conflicts.length === 0 &&
      isSame(applied(sideOf(base), all).content, sideOf(theirs)) &&
      equal.pages.size + equal.conflicts.length + equal.taken.length === 0 &&
      sameJson(equal.order, sideOf(theirs).order)
    )
  }),
)

t.test(
  'a site on which each page is as in the base or in the draft is merged as one with other changes',
  () =>
    check(true, async ({ base, ours }) => {
      const here = new Map(ours.pages.map((page) => [page.slug, page]))
      const pages = base.pages.map((page, at) => structuredClone((at > 1 && here.get(page.slug)) || page))
      for (const redirects of [undefined, {}, { '/a': '/b' }]) {
        const withRedirects = ({ config, ...state }: State) => ({
          ...state,
          config: { ...config, ...(redirects && { $redirects: redirects }) },
        })
        const sides = { base: withRedirects(base), ours: withRedirects(ours) }
        const request = requestOf({ ...sides, theirs: { ...structuredClone(sides.base), pages } })
        // An id that no page has changes nothing but the way.
        const whole = { ...request, renames: { ...request.renames, ids: new Map([['none', 'none']]) } }
        if (!isDeepStrictEqual(await merge(request), await merge(whole))) return false
      }
      return true
    }),
)

t.test('with the new base, the same merge again changes nothing and gives the same conflicts', () =>
  check(true, async (sides) => {
    const request = requestOf(sides)
    const first = await merge(request)
    const { content, base } = applied(request.ours, first)
    const again = await merge({ ...request, ours: content, base, renames: first.base.renames })
    return (
      isSound(content) &&
      again.pages.size + again.taken.length === 0 &&
      sameJson(again.order, content.order) &&
      sameJson(idsOf(again), idsOf(first)) &&
      new Set(idsOf(first)).size === first.conflicts.length
    )
  }),
)

t.test('where one side wins, no conflict is open, and none that is decided', () =>
  check(true, async (sides) => {
    const request = requestOf(sides)
    for (const wins of ['ours', 'theirs'] as const) {
      const first = await merge({ ...request, wins })
      const { content, base } = applied(request.ours, first)
      if (first.conflicts.length > 0 || !isSound(content)) return false
      if (!isSame(base, request.theirs)) return false
      const again = await merge({ ...request, ours: content, base, renames: first.base.renames })
      if (again.pages.size + again.taken.length + again.conflicts.length > 0) return false
    }
    const open = await merge(request)
    const decided = new Map(
      open.conflicts.map(({ id }, at) => [id, at % 2 === 0 ? 'ours' : 'theirs'] as const),
    )
    // A decided slug may meet another page there, which is a conflict of its own.
    return (await merge({ ...request, decided })).conflicts.every(({ id }) => !decided.has(id))
  }),
)

/** Whether theirs has renamed a page that is in a menu: its entries go with it, as the sequences of menus try. */
function movesMenus({ base, ours, theirs }: MergeSides): boolean {
  const slugOf = renamesBetween(base, ours)
  const moved = [...renamesBetween(base, theirs).keys()].flatMap((slug) => [slug, slugOf.get(slug) ?? slug])
  const menus = [base, ours, theirs].flatMap(({ config }) => [
    ...Object.keys(config?.navLabels ?? {}),
    ...Object.values(config?.navGroups ?? {}).flat(),
  ])
  return moved.some((slug) => menus.includes(slug))
}

t.test('the merge agrees with a merge of single values', () =>
  check(false, async (sides) => {
    fc.pre(!movesMenus(sides))
    const request = requestOf(sides)
    for (const wins of [undefined, 'ours', 'theirs'] as const) {
      const done = await merge({ ...request, wins })
      const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map(({ pages, config }) =>
        valuesOf(pages, config),
      )
      if (!base || !ours || !theirs) return false
      const wanted = mergedValues(base, ours, theirs, wins)
      const slugs = [...wanted.values]
        .filter(([place]) => /^page [^\n]*\nslug$/.test(place))
        .map(([, slug]) => slug)
      fc.pre(new Set(slugs).size === slugs.length)
      const { content } = applied(request.ours, done)
      const found = withoutOrders(valuesOf([...content.pages.values()], content.siteConfig))
      if (!sameJson(Object.fromEntries(found), Object.fromEntries(wanted.values))) return false
      const places = done.conflicts.map(
        ({ blockId = '', path = '' }) => `${blockId} ${path.replace(/^(nav\w+)\["(.*)"\]$/, '$1.$2')}`,
      )
      if (!sameJson(places.toSorted(), wanted.conflicts)) return false
    }
    return true
  }),
)

/** Changes of one side to rows without ids, as texts: it adds and rewrites rows with texts of its own. */
const changesOfRows = (own: string) =>
  fc
    .array(fc.record({ kind: pick('add', 'remove', 'rewrite'), at: fc.nat({ max: 6 }) }), { maxLength: 4 })
    .map((changes) => (rows: readonly string[]) => {
      const all = [...rows]
      for (const [n, { kind, at }] of changes.entries())
        if (kind === 'add' || at < all.length)
          all.splice(at, kind === 'add' ? 0 : 1, ...(kind === 'remove' ? [] : [`${own}${n}`]))
      return all
    })
const rowsOf = (texts: fc.Arbitrary<readonly string[]>) =>
  fc
    .tuple(texts, changesOfRows('ours '), changesOfRows('theirs '))
    .map(([base, here, there]) => ({ base, ours: here(base), theirs: there(base) }))

function mergedRows({ base, ours, theirs }: Readonly<Record<'base' | 'ours' | 'theirs', readonly string[]>>) {
  const [was, here, there] = [base, ours, theirs].map((texts) => ({
    ...pageOf('/'),
    blocks: [{ id: 'faq', type: 'FAQAccordion', props: { items: texts.map((q) => ({ q, a: '' })) } }],
  }))
  const { merged, conflicts } = mergePage({ base: was, ours: here, theirs: there }, known)
  const items = v.parse(v.array(v.looseObject({ q: v.string() })), merged?.blocks[0]?.props['items'])
  return { rows: items.map(({ q }) => q), isOpen: conflicts.length > 0 }
}

t.test('of rows without ids, none that a side has written is lost, also beside equal ones', async () => {
  const repeated = rowsOf(fc.array(pick('a', 'b', 'c'), { maxLength: 6 }))
  fc.assert(
    fc.property(repeated, (sides) => {
      const { rows, isOpen } = mergedRows(sides)
      const written = [...sides.ours, ...(isOpen ? [] : sides.theirs)].filter((text) => text.includes(' '))
      return written.every((text) => rows.includes(text))
    }),
    { numRuns: 5 * numRuns },
  )
})

t.test('rows without ids are merged as a set where their texts differ', async () => {
  const distinct = rowsOf(fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']))
  fc.assert(
    fc.property(distinct, (sides) => {
      const { rows, isOpen } = mergedRows(sides)
      const { base, ours, theirs } = sides
      const staying = base.filter((text) => ours.includes(text) && theirs.includes(text))
      const added = [...ours, ...(isOpen ? [] : theirs)].filter((text) => !base.includes(text))
      const wanted = [...staying, ...added]
      return isOpen
        ? wanted.every((text) => rows.includes(text))
        : sameJson(rows.toSorted(), wanted.toSorted())
    }),
    { numRuns: 5 * numRuns },
  )
})
