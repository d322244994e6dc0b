/** Puts what was typed into a text that the page shows again. */

/** A part of a text that was replaced. */
interface TextChange {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** What differs between two texts, as one part. */
export function changeOf(was: string, is: string): TextChange {
  let from = 0
  while (from < was.length && from < is.length && was[from] === is[from]) from += 1
  let end = 0
  while (end < was.length - from && end < is.length - from && was.at(-1 - end) === is.at(-1 - end)) end += 1
  return { from, to: was.length - end, text: is.slice(from, is.length - end) }
}

const sizeOf = ({ from, to, text }: TextChange): number => to - from + text.length

/**
 * Returns the text that is there when a page shows `now` again, and where the caret is. `seen` are the texts while a
 * person typed, the last one with the caret. What another has written elsewhere in the text stays; where both have changed
 * the same, it is what was typed.
 */
export function mergeTyped(
  now: string,
  seen: readonly string[],
  caret: number,
): { readonly text: string; readonly caret: number } {
  const typed = seen.at(-1) ?? now
  if (seen.includes(now)) return { text: typed, caret }
  const [base = typed] = seen.toSorted((a, b) => sizeOf(changeOf(a, now)) - sizeOf(changeOf(b, now)))
  const [mine, theirs] = [changeOf(base, typed), changeOf(base, now)]
  const shift = theirs.text.length - (theirs.to - theirs.from)
  const isBefore = mine.to <= theirs.from
  if (!isBefore && mine.from < theirs.to) return { text: typed, caret }
  const [from, to] = isBefore ? [mine.from, mine.to] : [mine.from + shift, mine.to + shift]
  return { text: now.slice(0, from) + mine.text + now.slice(to), caret: isBefore ? caret : caret + shift }
}

/** Spreads a text over nodes that have another one: what differs goes to the node in which it begins. */
export function spread(texts: readonly string[], text: string): readonly string[] {
  const { from, to, text: part } = changeOf(texts.join(''), text)
  let start = 0
  let isPut = false
  return texts.map((each, n) => {
    const [begin, end] = [start, start + each.length]
    start = end
    const isHere = !isPut && (from <= end || n === texts.length - 1)
    isPut ||= isHere
    const [before, after] = [each.slice(0, Math.max(0, from - begin)), each.slice(Math.max(0, to - begin))]
    return before + (isHere ? part : '') + after
  })
}
