import { hash } from 'node:crypto'
import { home } from './slugs.ts'

/** Returns the id for a page with this slug, such as `p_home` or `p_our_team`; adds `_2`, `_3` if taken. */
export const pageIdFromSlug = (slug: string, taken: (id: string) => boolean = () => false): string =>
  freePageIds(taken)(slug)

/**
 * The same for many pages, whose ids are taken by the caller: those with the same words continue their
 * numbering.
 */
export function freePageIds(taken: (id: string) => boolean): (slug: string) => string {
  const freeId = numbered(taken, 2)
  return (slug) => {
    const words = slug.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '')
    return freeId(slug === home ? 'p_home' : `p_${words || 'page'}`)
  }
}

/** Returns the id for a block added without one, such as `b_hero_1767225600000`. */
export function engineBlockId(type: string, now: Date, taken: (id: string) => boolean): string {
  return numbered(taken)(`b_${type.toLowerCase()}_${now.getTime()}`)
}

/**
 * Returns the id of a block of a site that has none of its own: from its type, page and place, such as
 * `b_hero_about_1`.
 */
export const derivedBlockId = (
  { type, slug, at }: { readonly type: string; readonly slug: string; readonly at: number },
  taken: (id: string) => boolean,
): string => numbered(taken)(`b_${type.toLowerCase()}${pageIdFromSlug(slug).slice(1)}_${at + 1}`)

/**
 * Returns the id of a block that cannot be read and has none of its own, from its content: its place may
 * change.
 */
export const lockedBlockId = (raw: unknown): string =>
  `b_locked_${hash('sha256', JSON.stringify(raw)).slice(0, 12)}`

/** The preferred id of the copy of a block. */
export const copyOf = (sourceId: string): string => `${sourceId}_copy`

/** Returns a function that reserves free block ids. Requests for the same id continue its numbering. */
export function freeBlockIds(taken: (id: string) => boolean): (wanted: string) => string {
  const given = new Set<string>()
  const freeId = numbered((id) => given.has(id) || taken(id))
  return (wanted) => {
    const id = freeId(wanted)
    given.add(id)
    return id
  }
}

/**
 * Returns a function that adds the suffix `_1`, `_2` and so on to an id that is taken, starting at `first`.
 * It goes on where it stopped, since ids stay taken.
 */
function numbered(taken: (id: string) => boolean, first = 1): (wanted: string) => string {
  const next = new Map<string, number>()
  return (wanted) => {
    let id = wanted
    for (let n = next.get(wanted) ?? first; taken(id); n += 1) {
      id = `${wanted}_${n}`
      next.set(wanted, n + 1)
    }
    return id
  }
}
