import { hash } from 'node:crypto'
import { home } from './slugs.ts'

/** Returns the id for a page with this slug, such as `p_home` or `p_our_team`; adds `_2`, `_3` if taken. */
export function pageIdFromSlug(slug: string, taken: (id: string) => boolean = () => false): string {
  const words = slug.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '')
  const id = slug === home ? 'p_home' : `p_${words || 'page'}`
  return freeBlockId(id, taken, 2)
}

/** Returns the id for a block added without one, such as `b_hero_1767225600000`. */
export function engineBlockId(type: string, now: Date, taken: (id: string) => boolean): string {
  return freeBlockId(`b_${type.toLowerCase()}_${now.getTime()}`, taken)
}

/** Returns the id of a block of a site that has none of its own: from its type, page and place, such as `b_hero_about_1`. */
export const derivedBlockId = (
  { type, slug, at }: { readonly type: string; readonly slug: string; readonly at: number },
  taken: (id: string) => boolean,
): string => freeBlockId(`b_${type.toLowerCase()}${pageIdFromSlug(slug).slice(1)}_${at + 1}`, taken)

/** Returns the id of a block that cannot be read and has none of its own, from its content: its place may change. */
export const lockedBlockId = (raw: unknown): string =>
  `b_locked_${hash('sha256', JSON.stringify(raw)).slice(0, 12)}`

/** The preferred id of the copy of a block. */
export const copyOf = (sourceId: string): string => `${sourceId}_copy`

/** Returns the requested id, with the suffix `_1`, `_2` and so on if it is taken, starting at `first`. */
function freeBlockId(wanted: string, taken: (id: string) => boolean, first = 1): string {
  if (!taken(wanted)) return wanted
  for (let n = first; ; n += 1) if (!taken(`${wanted}_${n}`)) return `${wanted}_${n}`
}

/** Returns a function that reserves free block ids. Requests for the same id continue its numbering. */
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
