import type { Props } from '../model.ts'
import { isPlainObject, mapped, mappedObject, ownValue, picked } from '../plain-object.ts'
import { each, same, type Three } from './sides.ts'

/** What a merge of settings has to know of pages. */
export interface PagesAt {
  /** The slugs of the merged pages. */
  readonly slugs: readonly string[]
  /** The slugs of the pages of ours that get another one, which is that of theirs. */
  readonly renames: readonly Three<string | undefined>[]
  /** The slugs of all pages of theirs. */
  readonly theirs: ReadonlySet<string>
}

/**
 * Returns settings with what base and ours have in the menu of pages that get the address of theirs there. What
 * theirs has left at the former address is of that address, and what ours has changed of it goes with the page.
 */
export function menusAfter(sides: Three<Props>, pages: PagesAt): Three<Props> {
  if (pages.renames.length === 0) return sides
  const menuOf = (name: string) => each(sides, (side) => mapOf(side[name]))
  const menus = {
    navLabels: labelsAfter(menuOf('navLabels'), pages),
    navGroups: groupsAfter(menuOf('navGroups'), pages),
  }
  const withMenus = (side: 'base' | 'ours') =>
    mappedObject(sides[side], (value, key) =>
      isPlainObject(value) ? (ownValue(menus, key)?.[side] ?? value) : value,
    )
  return { base: withMenus('base'), ours: withMenus('ours'), theirs: sides.theirs }
}

const mapOf = (map: unknown): Props => (isPlainObject(map) ? map : {})

function labelsAfter({ base, ours, theirs }: Three<Props>, { renames, theirs: slugs }: PagesAt) {
  const all = renames.map(({ base: from = '', ours: here = '', theirs: to = '' }) => {
    const [was, mine] = [ownValue(base, from), ownValue(ours, here)]
    const isLeft = !slugs.has(from) && !Object.hasOwn(theirs, to) && same(was, ownValue(theirs, from))
    return { from, here, to, was, mine, isLeft: was !== undefined && isLeft }
  })
  const left = all.filter(({ isLeft, was, mine }) => isLeft && (mine === undefined || same(was, mine)))
  const moved = all.filter((page) => !left.includes(page))
  const stay = (map: Props, key: 'from' | 'here') => {
    const gone = new Set(moved.map((page) => page[key]))
    return picked(map, (_label, slug) => !gone.has(slug))
  }
  const labels = (list: readonly (readonly [string, unknown])[]) =>
    Object.fromEntries(list.filter(([, label]) => label !== undefined))
  const former = moved.map(({ from, was, isLeft }) => [from, isLeft ? was : undefined] as const)
  const known = moved.map(({ to, was, isLeft }) => [to, isLeft ? undefined : was] as const)
  const own = moved.map(({ to, mine }) => [to, mine] as const)
  return {
    base: { ...stay(base, 'from'), ...labels([...former, ...known]) },
    ours: { ...stay(ours, 'here'), ...labels([...former, ...own]) },
  }
}

function groupsAfter({ base, ours, theirs }: Three<Props>, { renames, theirs: slugs }: PagesAt) {
  const left = renames.filter(({ base: from }) => from !== undefined && !slugs.has(from))
  const [was, here] = [withMembers(base, renames, 'base'), withMembers(ours, renames, 'ours')]
  const known = withMembers(theirs, left, 'base')
  const there = picked(theirs, (_list, name) => same(ownValue(known, name), ownValue(was, name)))
  const unchanged = picked(there, (_list, name) => same(ownValue(here, name), ownValue(was, name)))
  return { base: { ...was, ...there }, ours: { ...here, ...unchanged } }
}

function withMembers(groups: Props, renames: PagesAt['renames'], side: 'base' | 'ours'): Props {
  const moves = new Map(renames.map((page) => [page[side], page.theirs]))
  const slugOf = (slug: string) => moves.get(slug) ?? slug
  return mappedObject(groups, (list) => (Array.isArray(list) ? mapped(list, slugOf) : list))
}
