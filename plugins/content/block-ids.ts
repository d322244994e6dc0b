import { home } from './slugs.ts'

/** The id of a page with this slug, such as `p_home` or `p_our_team`; with `_2`, `_3` while it is taken. */
export function pageIdFromSlug(slug: string, taken: (id: string) => boolean = () => false): string {
  const words = slug.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '')
  const id = slug === home ? 'p_home' : `p_${words || 'page'}`
  return freeBlockId(id, taken, 2)
}

/** The id of a block that was added without one, such as `b_hero_1767225600000`. */
export function engineBlockId(type: string, now: Date, taken: (id: string) => boolean): string {
  return freeBlockId(`b_${type.toLowerCase()}_${now.getTime()}`, taken)
}

/** The id of the copy of a block if that is free. */
export const copyOf = (sourceId: string): string => `${sourceId}_copy`

/** The requested id if it is free, else with the suffix `_1`, `_2` and so on, starting at `first`. */
export function freeBlockId(wanted: string, taken: (id: string) => boolean, first = 1): string {
  if (!taken(wanted)) return wanted
  for (let n = first; ; n += 1) if (!taken(`${wanted}_${n}`)) return `${wanted}_${n}`
}

/** Returns free block ids, each of which then counts as taken. Counting continues for the same id. */
export function freeBlockIds(taken: (id: string) => boolean): (wanted: string) => string {
  const given = new Set<string>()
  const next = new Map<string, number>()
  return (wanted) => {
    let id = wanted
    for (let n = next.get(wanted) ?? 1; given.has(id) || taken(id); n += 1) {
      id = `${wanted}_${n}`
      next.set(wanted, n + 1)
    }
    given.add(id)
    return id
  }
}
