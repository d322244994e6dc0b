/** Which elements of a list are those of an earlier one. */
import { diffArrays } from 'diff'
import { wordsIn } from '../content/words.ts'

/**
 * Returns for each element the place of the one that it was, if any.
 *
 * Equal ones pair in their order, then equal ones that moved, then those between two pairs that share half of
 * their words, or all of them if both lists have equally many there.
 */
export function matched(
  before: readonly unknown[],
  after: readonly unknown[],
): readonly (number | undefined)[] {
  const [was, is] = [before.map((each) => JSON.stringify(each)), after.map((each) => JSON.stringify(each))]
  return alike(before, after, equal(was, is))
}

/** Pairs equal texts in their order, and then those that moved. */
export function equal(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const pairs = inOrder(before, after)
  const used = new Set(pairs)
  const free = Map.groupBy(
    before.keys().filter((at) => !used.has(at)),
    (at) => before[at],
  )
  return pairs.map((at, n) => at ?? free.get(after[n] ?? '')?.shift())
}

/** What differs more is not compared to its end: that takes the square of it. */
const mostDifferent = 2000

/** Pairs equal texts by a longest common sequence; lists that differ in thousands of places have none. */
export function inOrder(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: mostDifferent })
  if (!changes) return after.map(() => undefined)
  const pairs: (number | undefined)[] = []
  let at = 0
  for (const { added, removed, count } of changes) {
    for (let n = 0; n < count; n += 1) if (!removed) pairs.push(added ? undefined : at + n)
    if (!added) at += count
  }
  return pairs
}

/**
 * Completes pairs: between two of them, those of one kind that share half of their words, or equally many.
 */
export function alike(
  before: readonly unknown[],
  after: readonly unknown[],
  pairs: readonly (number | undefined)[],
  isOneKind: (at: number, n: number) => boolean = () => true,
): readonly (number | undefined)[] {
  const found = [...pairs]
  const used = new Set(pairs)
  for (const run of runsIn(pairs, before.length)) {
    const left = run.before.filter((at) => !used.has(at))
    const isEqual = left.length === run.after.length
    let next = 0
    for (const [k, n] of run.after.entries()) {
      const candidates = isEqual ? left.slice(k, k + 1) : left.slice(next)
      const at = candidates.find(
        (at) => isOneKind(at, n) && (isEqual || shareHalf(wordsOf(before[at]), wordsOf(after[n]))),
      )
      if (at === undefined) continue
      found[n] = at
      next = left.indexOf(at) + 1
    }
  }
  return found
}

/** The elements without a partner between two that have partners in order. */
function runsIn(pairs: readonly (number | undefined)[], count: number) {
  const runs: { readonly before: readonly number[]; readonly after: number[] }[] = []
  let open: number[] = []
  let last = -1
  const close = (until: number): void => {
    const before = Array.from({ length: Math.max(0, until - last - 1) }, (_, n) => last + 1 + n)
    if (open.length > 0) runs.push({ before, after: open })
    open = []
  }
  for (const [n, at] of pairs.entries()) {
    if (at === undefined) open.push(n)
    else if (at > last) {
      close(at)
      last = at
    }
  }
  close(count)
  return runs
}

/** The words of a value, without names. */
function wordsOf(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(wordsOf)
  return wordsIn(String(value))
}

function shareHalf(a: readonly string[], b: readonly string[]): boolean {
  const [first, second] = [new Set(a), new Set(b)]
  const shared = first.intersection(second).size
  return shared > 0 && shared * 2 >= Math.max(first.size, second.size)
}
