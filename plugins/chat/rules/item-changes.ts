/** What the forms do to blocks, rows and pages that are there: move, swap, copy, remove. */
import type { Props } from '../../content/model.ts'
import type { Slots } from './match.ts'
import { anchorOf, type Destination } from './places.ts'
import { one } from './references.ts'
import { texts } from './texts.ts'
import {
  ask,
  type FormChange,
  isPinned,
  type Item,
  placeBehind,
  siblingsOf,
  targetOf,
  type PlanState,
} from './work.ts'

/** The operations on each kind of item. */
export const operationsOn: Readonly<
  Record<Item['kind'], Readonly<Partial<Record<'set' | 'move' | 'remove', string>>>>
> = {
  site: { set: 'update_site_config' },
  page: { set: 'update_page_meta', move: 'move_page', remove: 'remove_page' },
  block: { set: 'update_props', move: 'move_block', remove: 'remove_block' },
  row: { set: 'update_item', move: 'move_item', remove: 'remove_item' },
}

/** Moves an item right behind another one; without an anchor, to the front. */
const behind = (item: Item, anchor: Item | undefined): Props => ({
  op: operationsOn[item.kind].move,
  ...targetOf(item),
  ...(anchor && placeBehind(anchor)),
})

export function moveTo(work: PlanState, item: Item, place: Destination): FormChange {
  const siblings = siblingsOf(work, item)
  const slug = item.kind === 'page' ? work.slug : item.slug
  const anchor = anchorOf({ ...work, slug }, siblings, place, item)
  const now = siblings.findIndex(({ id }) => id === item.id)
  return anchor?.id === siblings[now - 1]?.id ? [] : [behind(item, anchor)]
}

export function swap(work: PlanState, { PAIR }: Pick<Slots, 'PAIR'>): FormChange {
  const items = PAIR.map((each) => one(work, each))
  const siblings = items[0] ? siblingsOf(work, items[0]) : []
  const [first, last] = siblings.filter(({ id }) => items.some((each) => each.id === id))
  if (!first || !last || items.length !== 2) return undefined
  if (items.some(isPinned)) ask(texts.pinned)
  const [from, to] = [siblings.indexOf(first), siblings.indexOf(last)]
  const down = behind(first, last)
  if (to === from + 1) return [down]
  return [down, { ...behind(last, siblings[from - 1]), ...(last.row && { index: to - 1 }) }]
}

type Copying = Pick<Slots, 'ITEM'> & Partial<Pick<Slots, 'PAGE' | 'ROUTE'>>

/** Copies an item right behind itself, a block perhaps to another page, and a page perhaps to an address. */
export function copy(work: PlanState, { ITEM, PAGE, ROUTE }: Copying): FormChange {
  // `the banner to the prices page` is the banner here, and where its copy goes.
  const [, ...places] = ITEM.words.split(' to ')
  if (/^\/\S*$/.test(places.at(-1) ?? '') || places.join(' to ').endsWith(' page')) return undefined
  const item = one(work, ITEM)
  if (item.kind === 'page' ? PAGE : item.kind === 'row' ? (PAGE ?? ROUTE) : ROUTE) return undefined
  if (item.kind === 'page') return [{ op: 'duplicate_page', ...targetOf(item), newPageSlug: ROUTE?.text }]
  if (item.kind === 'row') {
    const { id: _id, _key, ...props } = item.props
    return [{ op: 'add_item', ...targetOf(item), item: props, ...placeBehind(item) }]
  }
  const page = PAGE && one(work, PAGE).slug
  return [{ op: 'duplicate_block', ...targetOf(item), ...(page !== item.slug && { toPageSlug: page }) }]
}

/** Removes later rows of a list first, so that the positions of earlier ones stay. */
export function remove(work: PlanState, { ITEMS }: Pick<Slots, 'ITEMS'>): FormChange {
  const items = ITEMS.map((each) => one(work, each))
  const ids = new Set(items.map(({ id }) => id))
  if (ids.size < items.length) return undefined
  return items
    .toSorted((a, b) => (b.row?.index ?? 0) - (a.row?.index ?? 0))
    .map((item) => {
      if (item.kind === 'row' && siblingsOf(work, item).every(({ id }) => ids.has(id))) ask(texts.lastRow)
      return { op: operationsOn[item.kind].remove, ...targetOf(item) }
    })
}
