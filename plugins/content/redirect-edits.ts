import { pushTo } from './plain-object.ts'
import { comparableSlug } from './slugs.ts'

/** A target that redirects have in common; one that was joined with another has the target of that one. */
interface Target {
  address: string
  joined?: Target
}

/** Where a path leads after some redirects: a later path, and the address that names it. */
interface Lead {
  readonly path: string
  readonly address: string
}

/**
 * Redirects that are followed and changed one by one; all of it together costs as much as the redirects have
 * entries.
 */
export interface RedirectEdits {
  /** Returns where an address leads at last; `undefined` if it leads nowhere, or round in a circle. */
  end(from: string): string | undefined
  /** Removes the redirect of an address, in any spelling. */
  remove(from: string): void
  /**
   * Adds or replaces a redirect. It leads to the last address, and what led to its own address leads there
   * too. Returns `false`, without a change, if that would be a circle.
   */
  add(from: string, to: string): boolean
  result(): Record<string, string>
}

export const pathOf = (address: string): string => address.split(/[?#]/, 1)[0] ?? ''
export const comparablePath = (address: string): string => comparableSlug(pathOf(address))

/**
 * Creates changeable redirects. They are followed anew after one was replaced or removed: `onFollowed` gets
 * the number of redirects that were followed.
 */
export function redirectEdits(
  redirects: Readonly<Record<string, string>>,
  onFollowed: (steps: number) => void = () => undefined,
): RedirectEdits {
  const entries = new Map<string, Target>()
  const spellings = new Map<string, string[]>()
  const targets = new Map<string, Target[]>()
  /** Where paths that were followed lead, with the redirects between left out. */
  let shortcuts = new Map<string, Lead | 'circle'>()

  const put = (from: string, address: string): void => {
    const target = { address }
    entries.set(from, target)
    pushTo(spellings, comparableSlug(from), from)
    pushTo(targets, comparablePath(address), target)
  }

  const leadOf = (path: string): Lead | undefined => {
    const target = entries.get(spellings.get(path)?.at(-1) ?? '')
    const address = target && joinedWith(target).address
    return address === undefined ? undefined : { path: comparablePath(address), address }
  }

  /** Follows a path to its end, or to a path at which it stops. */
  const follow = (start: string, stop?: string): string | undefined => {
    const passed = new Set<string>()
    let last: Lead | 'circle' | undefined
    for (let path = start; path !== stop; path = last.path) {
      const next = passed.has(path) ? 'circle' : (shortcuts.get(path) ?? leadOf(path))
      if (!next) break
      passed.add(path)
      last = next
      if (last === 'circle') break
    }
    if (last) for (const path of passed) shortcuts.set(path, last)
    onFollowed(passed.size)
    return last === 'circle' ? undefined : last?.address
  }

  /** Gives all redirects that lead to a path another target. */
  const turn = (path: string, address: string): void => {
    const [first, ...others] = targets.get(path) ?? []
    if (!first) return
    targets.delete(path)
    first.address = address
    for (const other of others) other.joined = first
    pushTo(targets, comparablePath(address), first)
  }

  const remove = (from: string): void => {
    const path = comparableSlug(from)
    if (!spellings.has(path)) return
    for (const each of spellings.get(path) ?? []) entries.delete(each)
    spellings.delete(path)
    shortcuts = new Map()
  }

  for (const [from, to] of Object.entries(redirects)) put(from, to)
  return {
    end: (from) => follow(comparablePath(from)),
    remove,
    add(from, to) {
      const path = comparableSlug(from)
      if (spellings.has(path)) shortcuts = new Map()
      const last = follow(comparablePath(to), path) ?? to
      if (comparablePath(last) === path) return false
      remove(from)
      turn(path, last)
      put(from, last)
      return true
    },
    result: () =>
      Object.fromEntries([...entries].map(([from, target]) => [from, joinedWith(target).address])),
  }
}

/** Returns the target that others were joined with; a later call is shorter. */
function joinedWith(target: Target): Target {
  let last = target
  while (last.joined) last = last.joined
  for (let each = target; each.joined && each.joined !== last;) [each, each.joined] = [each.joined, last]
  return last
}
