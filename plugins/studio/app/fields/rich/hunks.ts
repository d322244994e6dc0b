/** The differences between the characters of a block and those that it has now. */
import { hasMarks, isSame, sameMarks, type Cell } from './cells.ts'

/** A range of cells that another one replaces. */
export interface Hunk {
  readonly from: number
  readonly to: number
  readonly nowFrom: number
  readonly nowTo: number
}

/** The most comparisons for the cells between the first and the last difference, which else are one. */
const mostCompared = 1_000_000

/** The ranges in which cells differ, in order. */
export function hunksOf(was: readonly Cell[], now: readonly Cell[]): readonly Hunk[] {
  const least = Math.min(was.length, now.length)
  let [head, tail] = [0, 0]
  while (head < least && isSame(was[head], now[head])) head += 1
  while (tail < least - head && isSame(was[was.length - 1 - tail], now[now.length - 1 - tail])) tail += 1
  const [to, nowTo] = [was.length - tail, now.length - tail]
  if (head === to && head === nowTo) return []
  const whole = { from: head, to, nowFrom: head, nowTo }
  const isOne = head === to || head === nowTo || (to - head) * (nowTo - head) > mostCompared
  return isOne ? [whole] : divided(was, now, whole)
}

/** The differences in a range, of which the longest common sequence is none. */
function divided(
  was: readonly Cell[],
  now: readonly Cell[],
  { from, to, nowFrom, nowTo }: Hunk,
): readonly Hunk[] {
  const width = nowTo - nowFrom + 1
  const common = new Uint32Array((to - from + 1) * width)
  const at = (one: number, other: number): number => (one - from) * width + other - nowFrom
  for (let one = to - 1; one >= from; one -= 1)
    for (let other = nowTo - 1; other >= nowFrom; other -= 1)
      common[at(one, other)] = isSame(was[one], now[other])
        ? (common[at(one + 1, other + 1)] ?? 0) + 1
        : Math.max(common[at(one + 1, other)] ?? 0, common[at(one, other + 1)] ?? 0)
  const hunks: Hunk[] = []
  let [one, other, start, nowStart] = [from, nowFrom, from, nowFrom]
  const close = (): void => {
    if (one > start || other > nowStart) hunks.push({ from: start, to: one, nowFrom: nowStart, nowTo: other })
  }
  while (one < to && other < nowTo) {
    if (isSame(was[one], now[other])) {
      close()
      one += 1
      other += 1
      ;[start, nowStart] = [one, other]
    } else if ((common[at(one + 1, other)] ?? 0) >= (common[at(one, other + 1)] ?? 0)) one += 1
    else other += 1
  }
  ;[one, other] = [to, nowTo]
  close()
  return hunks
}

const merged = (one: Hunk, other: Hunk): Hunk => ({ ...one, to: other.to, nowTo: other.nowTo })

/** Adds cells on both sides of each hunk. */
export function widened(hunks: readonly Hunk[], by: number, length: number): readonly Hunk[] {
  const joined = hunks.reduce<readonly Hunk[]>((all, hunk) => {
    const last = all.at(-1)
    return last && hunk.from - last.to <= 2 * by ? [...all.slice(0, -1), merged(last, hunk)] : [...all, hunk]
  }, [])
  return joined.map(({ from, to, nowFrom, nowTo }) => {
    const [before, after] = [Math.min(by, from), Math.min(by, length - to)]
    return { from: from - before, to: to + after, nowFrom: nowFrom - before, nowTo: nowTo + after }
  })
}

/** Whether a hunk only changes characters: its signs of marks, and those around it, stay. */
export function isPlain(
  was: readonly Cell[],
  now: readonly Cell[],
  { from, to, nowFrom, nowTo }: Hunk,
): boolean {
  const all = [...was.slice(from, to), ...now.slice(nowFrom, nowTo)]
  const isBeside = from < to || [was[from - 1], was[from]].some((each) => sameMarks(each, all[0]))
  return isBeside && all.every((each) => sameMarks(each, all[0]))
}

/** Extends hunks that change marks to where no marks are open, so that all their signs are inside. */
export function closed(was: readonly Cell[], now: readonly Cell[], hunks: readonly Hunk[]): readonly Hunk[] {
  const isOpen = (at: number): boolean => hasMarks(was[at - 1]) && hasMarks(was[at])
  for (const [at, hunk] of hunks.entries()) {
    if (isPlain(was, now, hunk)) continue
    const [previous, next] = [hunks[at - 1], hunks[at + 1]]
    let { from, to, nowFrom, nowTo } = hunk
    for (; isOpen(to) && to < (next?.from ?? Infinity); to += 1) nowTo += 1
    for (; isOpen(from) && from > (previous?.to ?? -1); from -= 1) nowFrom -= 1
    const own = { from, to, nowFrom, nowTo }
    if (next && isOpen(to))
      return closed(was, now, [...hunks.slice(0, at), merged(own, next), ...hunks.slice(at + 2)])
    if (previous && isOpen(from))
      return closed(was, now, [...hunks.slice(0, at - 1), merged(previous, own), ...hunks.slice(at + 1)])
    if (from < hunk.from || to > hunk.to)
      return closed(was, now, [...hunks.slice(0, at), own, ...hunks.slice(at + 1)])
  }
  return hunks
}

/** Where a hunk is in the source. */
export function rangeOf(
  was: readonly Cell[],
  now: readonly Cell[],
  hunk: Hunk,
  inner: { readonly start: number; readonly end: number },
): { readonly start: number; readonly end: number } {
  const { from, to, nowFrom } = hunk
  const [before, first, last] = [was[from - 1], was[from], was[to - 1]]
  if (isPlain(was, now, hunk)) {
    if (from < to && first && last) return { start: first.start, end: last.end }
    const at = before && sameMarks(before, now[nowFrom]) ? before.end : (first?.start ?? inner.end)
    return { start: at, end: at }
  }
  // Signs belong to the side that has marks.
  const edge = (at: number): number =>
    hasMarks(was[at - 1]) ? (was[at]?.start ?? inner.end) : (was[at - 1]?.end ?? inner.start)
  return { start: edge(from), end: edge(to) }
}
